"""Mutants of claims: a check that cannot fail is worth nothing, so each is shown statements that
differ from its own.

A measure is a Python function. `sources` finds its syntax tree, `clones` builds the measure again
with one function (or one argument) changed, `literals` lists its numbers, and the other modules
say which changes make another statement and which do not.
"""
