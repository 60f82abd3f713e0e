"""The language of statements: terms, their operators, and what can be made of them.

docs/language.md says what every operator is and where it is defined.
"""
