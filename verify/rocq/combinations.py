"""Relations for Rocq that follow from others by algebra, and what has the normal form of a fact.

Rocq has the sum of what the items give, each with a proof that it is at least 0, or 0, and shows
that the slack is this sum, by the tactics of `ordered_fields.v`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from verify.checker.nodes import node
from verify.checker.normal import Normal
from verify.checker.relations import ORDERS, STRICT
from verify.checker.sorts import INT, MAT, NUM, VEC
from verify.checker.terms import Node
from verify.rocq.fields import Fields
from verify.rocq.source import NotExported

ATOMS = ("norm", "at", "abs", "sign", "if")
"""Numbers that may be written in several ways, as what they are made of may."""


class Item(NamedTuple):
    """Something that a slack is the sum of, as a proof: that it is at least 0; above 0, if it is
    strict; 0, if it is of an equation. terms: what it speaks of."""

    proof: str
    terms: Sequence[Node]
    strict: bool = False
    equal: bool = False

    @property
    def least(self) -> str:
        """A proof that it is at least 0."""
        if self.equal:
            return f"(zero_ge0 {self.proof})"
        return f"(ltW {self.proof})" if self.strict else self.proof


class Combinations:
    """Writes tactics that prove relations."""

    def __init__(self, normal: Normal, fields: Fields) -> None:
        self._normal, self._fields = normal, fields

    def restated(self, name: str, fact: Node, wanted: Node) -> str:
        """A tactic that proves what has the normal form of a fact."""
        if self._fields.says(fact) == self._fields.says(wanted):
            return f"exact: {name}"
        turned = fact.operator == "eq" and not self._normal.same(
            node("sub", *fact.arguments, sort=fact.arguments[0].sort),
            node("sub", *wanted.arguments, sort=wanted.arguments[0].sort),
        )
        one = node("literal", literal=-1 if turned else 1, sort=INT)
        if fact.operator == "eq":
            return self.combination(wanted, [self.equation(one, name, fact, wanted)])
        return self.combination(wanted, [self.product(one, [(name, fact)], [])])

    def combination(self, holds: Node, items: list[Item], times: int = 1) -> str:
        """A tactic that proves a relation whose slack, so many times if it is one of numbers, is
        the sum of the items."""
        if holds.operator not in (*ORDERS, "eq"):
            raise NotExported(f"no Rocq form of algebra that ends with {holds.operator} is known")
        matrices = holds.arguments[0].sort in (VEC, MAT)
        terms = [*holds.arguments, *(term for item in items for term in item.terms)]
        settled = self._alike(terms) + ("matrices" if matrices else "numbers")
        if holds.operator == "eq" and not items:
            return settled
        if holds.operator == "eq":
            proof, lemma = items[0].proof, "alike_by" if matrices else "equal_by"
            for item in items[1:]:
                proof = f"(zeros {proof} {item.proof})"
        elif holds.operator in STRICT:
            first = next(item for item in items if item.strict)
            proof, lemma = first.proof, "under_by"
            for item in items:
                proof = proof if item is first else f"(plus_gt0 {proof} {item.least})"
        else:
            proof, lemma = items[0].least if items else "(lexx 0)", "below_by"
            for item in items[1:]:
                proof = f"(addr_ge0 {proof} {item.least})"
        positive = "" if matrices else f"{_positive(Fraction(times))} "
        return f"apply: ({lemma} {positive}{proof}); {settled}"

    def _alike(self, terms: Sequence[Node]) -> str:
        """Tactics by which numbers that the terms are made of and that have one normal form become
        one number, of which nothing is known."""
        groups: list[list[Node]] = []
        written = {self._fields.term(part): part for term in terms for part in _atoms(term)}
        for part in sorted(written, key=len, reverse=True):
            atom = written[part]
            same = next((g for g in groups if self._normal.same(g[0], atom)), None)
            groups.append([atom]) if same is None else same.append(atom)
        tactics = []
        for k, (first, *others) in enumerate(groups):
            name = self._fields.term(first)
            tactics += [f"(have -> : {self._fields.term(o)} = {name} by alike)" for o in others]
            tactics.append(f"move: {name} => a{k}")
        return "".join(f"{tactic}; " for tactic in tactics)

    def product(
        self, times: Node, facts: Sequence[tuple[str, Node]], squares: Sequence[Node]
    ) -> Item:
        """A literal times slacks of inequalities and squares."""
        value = Fraction(times.literal)
        strict = all(fact.operator in STRICT for _, fact in facts) and value > 0 and not squares
        proof = _positive(value) if strict else f"(ler0n R {value.numerator})"
        if value.denominator > 1 and not strict:
            proof = f"(divr_ge0 {proof} (ler0n R {value.denominator}))"
        for name, fact in facts:
            kind = "gt0" if fact.operator in STRICT else "ge0"
            part = f"(slack_{kind} {name})"
            if kind == "gt0" and not strict:
                part = f"(ltW {part})"
            proof = f"(mulr_{'gt0' if strict else 'ge0'} {proof} {part})"
        for square in squares:
            lemma = "frob2_ge0" if square.sort in (VEC, MAT) else "sqr_ge0"
            proof = f"(mulr_ge0 {proof} ({lemma} {self._fields.term(square)}))"
        sides = [side for _, fact in facts for side in fact.arguments]
        return Item(proof, [*sides, *squares], strict)

    def equation(self, times: Node, name: str, fact: Node, holds: Node) -> Item:
        """A multiple of the slack of an equation."""
        lemma = "zero_times"
        if fact.arguments[0].sort in (VEC, MAT):
            whole = holds.arguments[0].sort in (VEC, MAT)
            lemma = "zero_scaled" if whole else "zero_inner"
        proof = f"({lemma} {self._fields.term(times)} {name})"
        return Item(proof, [times, *fact.arguments], equal=True)


def _atoms(term: Node) -> Iterator[Node]:
    if term.operator in ATOMS and term.sort in (INT, NUM):
        yield term
        return
    for part in term.arguments:
        yield from _atoms(part)


def _positive(value: Fraction) -> str:
    """A proof that a literal is above 0."""
    top = f"(ltr0Sn R {value.numerator - 1})"
    if value.denominator == 1:
        return top
    return f"(divr_gt0 {top} (ltr0Sn R {value.denominator - 1}))"
