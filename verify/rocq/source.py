"""Pieces of Rocq source: sums, definitions, lemmas. Only what Coq 8.16 and Rocq 9 both read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verify.rocq.names import comment

WIDTH = 96


def signed_sum(terms: Iterable[tuple[int, str]]) -> str:
    """Terms, each atomic or a product, with integer coefficients; those with 0 are left out.

    >>> signed_sum([(1, "a * b"), (-1, "c"), (2, "d"), (0, "e")])
    'a * b - c + 2 * (d)'
    >>> signed_sum([(-3, "c")]), signed_sum([])
    ('- (3 * (c))', '0')
    """
    text = ""
    for coefficient, term in terms:
        if coefficient == 0:
            continue
        size = abs(coefficient)
        shown = term if size == 1 else f"{size} * ({term})"
        if text:
            text += f" + {shown}" if coefficient > 0 else f" - {shown}"
        else:
            text = shown if coefficient > 0 else f"- ({shown})"
    return text or "0"


def product_sum(pairs: Iterable[tuple[str, str]]) -> str:
    """a * b + c * d + ...; 0 where there is none."""
    return signed_sum((1, f"{a} * {b}") for a, b in pairs)


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

    def variables(self, names: Iterable[str], kind: str) -> None:
        """Section variables."""
        for name in names:
            self.sentence(f"Variable {name} : {kind}.")

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
