"""Pieces of Rocq source: numbers, definitions, lemmas. Only what Coq 8.16 and Rocq 9 both read."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.rocq.names import comment

WIDTH = 96


class NotExported(Exception):
    """There is no Rocq form of this certificate. The message says why."""


def rational(value: int | Fraction) -> str:
    """A rational as a Rocq literal.

    >>> rational(Fraction(-1, 2)), rational(Fraction(3))
    ('((-1) # 2)', '(3 # 1)')
    """
    top = f"({value.numerator})" if value < 0 else str(value.numerator)
    return f"({top} # {value.denominator})"


class Source:
    """Lines of a file, as they are added."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def remark(self, text: str) -> None:
        """A comment after an empty line."""
        self.lines += ["", comment(text)]

    def sentence(self, text: str) -> None:
        """A sentence, broken where it is long."""
        self.lines += broken(text)

    def define(self, name: str, binder: str, kind: str, body: str) -> None:
        """A definition, with a binder such as (j : nat) or none."""
        self.sentence(f"Definition {name}{binder and ' '}{binder} : {kind} := {body}.")

    def prove(self, name: str, statement: str, proof: Sequence[str], word: str = "Lemma") -> None:
        """A statement with the sentences of its proof."""
        self.sentence(f"{word} {name} : {statement}.")
        self.sentence("Proof.")
        for step in proof:
            self.sentence(f"  {step}.")
        self.sentence("Qed.")

    def text(self) -> str:
        """The whole."""
        return "\n".join(self.lines) + "\n"


def broken(sentence: str) -> list[str]:
    """A sentence in lines of bounded width, broken at spaces."""
    indent = " " * (len(sentence) - len(sentence.lstrip()))
    lines, line = [], indent
    for word in sentence.split():
        if len(line) + 1 + len(word) > WIDTH and line.strip():
            lines.append(line)
            line = indent + "  "
        line += word if line.endswith(" ") or not line else f" {word}"
    return [*lines, line]
