"""Arrays of neurons, by counting: each stands at one place, as there are as many as places."""

from __future__ import annotations

from verify.language.building import Some, Sum, When, card, element, upto, vertices
from verify.language.proofs import Fact, Proof, Uses
from verify.language.terms import Term
from verify.papers.lj22.list_proofs import (
    Elements,
    Facts,
    OfElement,
    along,
    bounded,
    count,
    each_zero,
    every,
    from_0,
    into_filter,
    is_none,
    is_one,
    occurs,
    once,
    over,
    witness,
)


class Array:
    """An array of neurons, whose rows have one length: the facts that they have it, and that there
    are as many neurons as places."""

    def __init__(self, proof: Proof, array: Term, length: Term, is_filled: Fact) -> None:
        self.proof, self.array, self.length = proof, array, length
        self.long, self.full = proof.part(is_filled, 0), proof.part(is_filled, 1)
        self.counted = self._counted()
        self.within = every(proof, (lambda: array, lambda row: upto(length)), self._inside)

    def times(self, u: Term) -> Term:
        """How often a vertex stands in it."""
        return Sum(self.array, lambda row: count(row, u))

    def holds(self, u: Term) -> Term:
        """Whether it does."""
        return Some(self.array, lambda row: element(u, row))

    def _counted(self) -> Fact:
        """Each vertex stands there once or not at all."""
        proof, array = self.proof, self.array

        def spare(u: Term) -> Term:
            return self.times(u) - When(self.holds(u), 1, 0)

        def least(u: Term, _: Fact) -> Fact:
            def one(row: Term, _: Fact) -> Fact:
                met = element(u, row)
                return proof.split(
                    met,
                    count(row, u) >= When(met, 1, 0),
                    lambda there: {occurs(proof, there): 1, is_one(proof, there): -1},
                    lambda no: {self._count_from_0(row, u): 1, is_none(proof, met, no): -1},
                )

            def yes(known: Fact) -> Uses:
                some = proof.some(Sum(array, lambda row: When(element(u, row), 1, 0)) >= 1, known)
                return {proof.summed(array, one): 1, some: 1, is_one(proof, known): -1}

            def no(known: Fact) -> Uses:
                positive = proof.summed(array, lambda row, _: self._count_from_0(row, u))
                return {positive: 1, is_none(proof, self.holds(u), known): -1}

            return proof.split(self.holds(u), spare(u) >= 0, yes, no)

        def once_a_vertex(elements: Elements, _: Facts) -> Fact:
            inside, distinct = proof.lemma("vertex", v=elements[1])
            return once(proof, inside, distinct)

        nonnegative = proof.each(vertices(), least)
        everywhere = over(proof, (lambda: array, lambda row: row), once_a_vertex)
        lengths = proof.summed(array, lambda _, member: self.long_at(member))
        none = proof.algebra(
            Sum(vertices(), spare) == 0, {everywhere: 1, lengths: 1, self.full: -1}
        )
        return each_zero(proof, vertices(), spare, nonnegative, none)

    def _count_from_0(self, row: Term, u: Term) -> Fact:
        return self.proof.summed(row, lambda i, _: from_0(self.proof, i == u))

    def long_at(self, row: Fact) -> Fact:
        """The length of a row."""
        found = self.proof.at(self.long, row)
        return self.proof.algebra(found.term, {found: 1})

    def _at(self, u: Term) -> Fact:
        inside, _ = self.proof.lemma("vertex", v=u)
        return self.proof.at(self.counted, inside)

    def once(self, inside: Fact) -> Fact:
        """A neuron of it stands there once."""
        proof, u = self.proof, inside.term.args[0]
        known = proof.part(proof.filtered(inside), 1)
        return proof.algebra(self.times(u) == 1, {self._at(u): 1, is_one(proof, known): 1})

    def most(self, u: Term) -> Fact:
        """A vertex stands there once at most."""
        proof, found = self.proof, self._at(u)
        return proof.split(
            self.holds(u),
            self.times(u) <= 1,
            lambda known: {found: -1, is_one(proof, known): -1},
            lambda known: {found: -1, is_none(proof, self.holds(u), known): -1, (): 1},
        )

    def by_place(self, row: Fact, value: OfElement) -> Fact:
        """The sum over the places of a row as that over the row."""
        proof, one = self.proof, row.term.args[0]
        found = proof.places(Sum(upto(card(one)), lambda t: value(one[t])), Sum(one, value))
        holds = Sum(upto(self.length), lambda t: value(one[t])) == Sum(one, value)
        return proof.same(holds, [self.long_at(row)], of=found)

    def stands(self, row: Fact, place: Fact) -> Fact:
        """That what stands at a place of a row is in the row."""
        proof, one, t = self.proof, row.term.args[0], place.term.args[0]
        low, high, _ = proof.lemma("in a range", place, a=1, b=self.length, k=t)
        strict = proof.algebra(t < card(one) + 1, {high: 1, self.long_at(row): 1, (): 1})
        return proof.lemma("element", low, strict, some=one, k=t)[0]

    def _inside(self, _: Elements, members: Facts) -> Fact:
        proof, (row, place) = self.proof, members
        there = self.stands(row, place)
        u = there.term.args[0]
        some = witness(proof, row, there, lambda i: element(u, i))
        vertex = proof.lemma("vertex", v=u)[0]
        return into_filter(proof, vertex, some, self.holds)

    def inside(self, row: Fact, place: Fact) -> Fact:
        """That it is one of the array's neurons."""
        return along(self.within, self.proof, row, place)

    def once_in(self, row: Fact, u: Term) -> Fact:
        """A vertex stands at one place of a row at most."""
        proof, one = self.proof, row.term.args[0]
        least = proof.each(self.array, lambda i, _: self._count_from_0(i, u))
        found = bounded(proof, lambda i: count(i, u), least, row)
        by_place = self.by_place(row, lambda x: When(x == u, 1, 0))
        holds = Sum(upto(self.length), lambda t: When(one[t] == u, 1, 0)) <= 1
        return proof.algebra(holds, {found: 1, self.most(u): 1, by_place: -1})
