"""Mutants of claims: a check that cannot fail is worth nothing, so each is shown statements that
differ from its own in one place (verify.language.edits).
"""
