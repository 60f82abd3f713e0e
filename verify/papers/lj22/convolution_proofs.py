"""What the terms of a convolution say: which edges there are, and whose parameter each has.

The edges into a head are exactly those that the filter tells, one for each place and channel, as
there are as many; and the users of the parameter of an entry are the edges at the positions of its
place.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import Each, Filter, Sum, When, card, element, head, into, tail, upto
from verify.language.proofs import Fact, Proof, Uses
from verify.language.terms import Term, number
from verify.papers.lj22.array_proofs import Array
from verify.papers.lj22.balance_proofs import turned_around
from verify.papers.lj22.layers import carrier, entry, neurons, places, positions
from verify.papers.lj22.list_proofs import (
    Elements,
    Facts,
    OfElement,
    along,
    at_least,
    counted_at,
    every,
    filled,
    first_of,
    from_0,
    into_filter,
    is_none,
    is_one,
    moved,
    occurs,
    once,
    over,
    total,
    up_to_1,
    where_equal,
)


class Convolution:
    """A convolution, by the fact that it is one. tails: the array before it, if that is known."""

    def __init__(
        self,
        proof: Proof,
        is_one: Fact,
        array: Term,
        heads: Term,
        filter_: Term,
        tails: Array | None = None,
    ) -> None:
        self.proof, self.array, self.heads, self.filter = proof, array, heads, filter_
        shaped_and_read, self.shared = proof.part(is_one, 0), proof.part(is_one, 1)
        shaped, self.read = proof.part(shaped_and_read, 0), proof.part(shaped_and_read, 1)
        rest, read = proof.part(shaped, 0), proof.part(shaped, 1)
        rest, found = proof.part(rest, 0), proof.part(rest, 1)
        self.even = proof.part(rest, 1)
        self.tails = tails or Array(proof, array, card(array[1]), read)
        self.outs = Array(proof, heads, card(filter_), found)
        self.many = upto(card(filter_))
        self.ends = {name: self._ends(name) for name in ("into", "out", "tail", "head", "place")}
        self.at_place = self._met(lambda at: at[0])
        self.at_position = self._met(lambda at: at[1])
        self.entered = self._entered()

    def at(self, i: Term) -> Term:
        """The places of the filter that meet a neuron at one of its positions."""
        row = self.filter[i]
        return Filter(upto(card(self.filter[1])), lambda k: row[k] != 0)

    def carrier(self, r: Term, q: Term, k: Term, i: Term) -> Term:
        """The edge of a place at a position, between two channels."""
        return carrier(r, q, self.filter, k, i)

    def entry(self, r: Term, q: Term, k: Term) -> Term:
        """The edge that stands for the parameter of a place between two channels."""
        return entry(r, q, self.filter, k)

    # the edges -----------------------------------------------------------------------------------
    def _ends(self, name: str) -> Fact:
        """By place, channels and position of an edge: where it is; where its tail stands."""
        proof = self.proof

        def one(elements: Elements, members: Facts) -> Fact:
            k, r, q, i = elements
            said = proof.part(along(self.shared, proof, *members[:3]), 0)
            many, edge_at = positions(self.filter, k), self.carrier(r, q, k, i)

            def has(value: Callable[[Term], Term]) -> Fact:
                valued = proof.values(Each(many, lambda j: value(j) == value(j)), said)
                return proof.at(valued, members[3])

            if name == "place":
                stands = has(lambda j: r[self.filter[j][k]])
                t = self.filter[i][k]
                low, high = proof.lemma("place", stands, some=r, k=t)
                width = self.tails.length
                high = proof.algebra(t <= width, {high: 1, self.tails.long_at(members[1]): -1})
                return proof.lemma("into a range", low, high, a=1, b=width, k=t)[0]
            carried = has(lambda j: self.carrier(r, q, k, j))
            facts = proof.lemma("between two", carried, u=edge_at.args[0], v=edge_at.args[1])
            found = facts[("into", "out", "tail", "head").index(name)]
            return proof.same(found.term, [], of=found)

        lists = self.over_entries(lambda k, r, q: positions(self.filter, k))
        return every(proof, lists, one)

    def _met(self, which: Callable[[tuple[Fact, Fact]], Fact]) -> Fact:
        """A place that meets a neuron at a position is one of the places, the position one of
        those of the place."""
        proof = self.proof

        def one(elements: Elements, members: Facts) -> Fact:
            i, k = elements
            found = proof.filtered(members[1])
            numbered, met = proof.part(found, 0), proof.part(found, 1)
            position = into_filter(proof, members[0], met, lambda j: self.filter[j][k] != 0)
            many = positions(self.filter, k)
            single = proof.each(many, lambda j, _: up_to_1(proof, j == i))
            some = proof.algebra(
                card(many) > 0, {proof.sum(single): 1, occurs(proof, position): 1, (): 1}
            )
            place = into_filter(
                proof, numbered, some, lambda m: card(positions(self.filter, m)) > 0
            )
            chosen = which((place, position))
            return proof.same(chosen.term, [], of=chosen)

        return every(proof, (lambda: self.many, self.at), one)

    def told(self, name: str, r: Fact, q: Fact, i: Fact, k: Fact) -> Fact:
        """Of the edge of a place that meets a neuron at a position, between two channels."""
        proof = self.proof
        place = along(self.at_place, proof, i, k)
        position = along(self.at_position, proof, i, k)
        return along(self.ends[name], proof, place, r, q, position)

    def _entered(self) -> Fact:
        """By channel and position of a head, and an edge into it: that the edge is that of one
        channel and place."""
        proof = self.proof

        def one(elements: Elements, members: Facts) -> Fact:
            q, i = elements
            (_, _, distinct, _) = proof.lemma("at a vertex", v=q[i])
            reads = proof.at(self.read, members[1])
            twice, many = proof.part(reads, 0), proof.at(proof.part(reads, 1), members[0])

            def placed(_: Elements, at: Facts) -> Fact:
                return once(
                    proof, self.told("into", at[0], members[0], members[1], at[1]), distinct
                )

            def most(e: Term, _: Fact) -> Fact:
                return self._most(e, q, i, members, twice)

            by_place = self._by_place(members[1], lambda t: When(t != 0, 1, 0))
            size = proof.algebra(
                card(into(q[i])) == total(self.read_at(i), lambda r, k: number(1)),
                {many: 1, by_place: -card(self.array)},
            )
            return filled(
                proof, into(q[i]), self.read_at(i), self._reader(q, i), placed, most, size
            )

        return every(proof, (lambda: self.heads, lambda q: self.many), one)

    def read_at(self, i: Term) -> tuple[Callable[..., Term], ...]:
        """The channels and the places that are read at a position."""
        return (lambda: self.array, lambda r: self.at(i))

    def _reader(self, q: Term, i: Term) -> Callable[..., Term]:
        return lambda r, k: self.carrier(r, q, k, i)

    def _by_place(self, position: Fact, value: OfElement) -> Fact:
        """The sum over the places of a filter at a position as that over what it meets there."""
        proof, i = self.proof, position.term.args[0]
        row = self.filter[i]
        low, high, _ = proof.lemma("in a range", position, a=1, b=card(self.filter), k=i)
        strict = proof.algebra(i < card(self.filter) + 1, {high: 1, (): 1})
        (inside,) = proof.lemma("element", low, strict, some=self.filter, k=i)
        found = proof.places(Sum(upto(card(row)), lambda k: value(row[k])), Sum(row, value))
        holds = Sum(upto(card(self.filter[1])), lambda k: value(row[k])) == Sum(row, value)
        return proof.same(holds, [proof.at(self.even, inside)], of=found)

    def _most(self, e: Term, q: Term, i: Term, members: Facts, twice: Fact) -> Fact:
        """An edge is that of one channel and place at most: its tail stands at one place of the
        array, and the filter meets that once."""
        proof, u, row, width = self.proof, tail(e), self.filter[i], upto(self.tails.length)

        def at_tail(elements: Elements, at: Facts) -> Fact:
            r, k = elements
            edge_at = self.carrier(r, q, k, i)
            ends = self.told("tail", at[0], members[0], members[1], at[1])

            def then(equal: Fact) -> Fact:
                return proof.same(r[row[k]] == u, [turned_around(proof, ends), equal])

            return at_least(proof, r[row[k]] == u, edge_at == e, then)

        def at_place(elements: Elements, at: Facts) -> Fact:
            """[r_t = u] as the sum over places s of [t = s] [r_s = u]."""
            r, k = elements
            t = row[k]
            inside = self.told("place", at[0], members[0], members[1], at[1])
            (_, _, distinct) = proof.lemma("in a range", inside, a=1, b=self.tails.length, k=t)
            same = proof.summed(
                width, lambda s, _: where_equal(proof, s, t, lambda x: When(r[x] == u, 1, 0))
            )
            here = When(r[t] == u, 1, 0)
            spread = Sum(width, lambda s: When(s == t, 1, 0) * When(r[s] == u, 1, 0))
            return proof.algebra(here == spread, {same: -1, once(proof, inside, distinct): -here})

        def at_neuron(elements: Elements, at: Facts) -> Fact:
            """[r_s = u] times how often the filter meets s is [r_s = u] at most."""
            r, s = elements
            here = When(r[s] == u, 1, 0)
            met = Filter(row, lambda t: t != 0)
            (single,) = proof.lemma("once", twice, some=met, x=s)
            by_place = self._by_place(members[1], lambda t: When(t != 0, 1, 0) * When(t == s, 1, 0))
            times = Sum(self.at(i), lambda k: When(row[k] == s, 1, 0))
            fewer = proof.algebra(times <= 1, {single: 1, by_place: -1})
            return proof.algebra(here * times <= here, {(from_0(proof, r[s] == u), fewer): 1})

        lists = self.read_at(i)
        first, second = over(proof, lists, at_tail), over(proof, lists, at_place)
        third = over(proof, (lambda: self.array, lambda r: width), at_neuron)
        rows = proof.summed(
            self.array,
            lambda r, row: self.tails.by_place(row, lambda x: When(x == u, 1, 0)),
        )
        holds = total(lists, lambda r, k: When(self.carrier(r, q, k, i) == e, 1, 0)) <= 1
        return proof.algebra(
            holds, {first: 1, second: -1, third: 1, rows: -1, self.tails.most(u): 1}
        )

    def over_into(self, q: Fact, i: Fact, value: OfElement) -> Fact:
        """The sum over the edges into a head as one over channels and places."""
        proof, head_at, position = self.proof, q.term.args[0], i.term.args[0]
        v = head_at[position]
        (_, _, distinct, _) = proof.lemma("at a vertex", v=v)
        entered = along(self.entered, proof, q, i)
        to = self._reader(head_at, position)
        lists = self.read_at(position)

        def placed(_: Elements, at: Facts) -> Fact:
            return once(proof, self.told("into", at[0], q, i, at[1]), distinct)

        def reached(e: Term, member: Fact) -> Fact:
            found = proof.at(entered, member)
            holds = total(lists, lambda *at: When(to(*at) == e, 1, 0)) == 1
            return proof.algebra(holds, {found: -1})

        return moved(proof, into(v), lists, to, value, placed, reached)

    def by_position(self, others: Callable[[], Term], value: Callable[..., Term]) -> Fact:
        """A sum over channels, places and their positions as one over positions, channels and the
        places that are met there."""
        proof, numbers = self.proof, upto(card(self.filter[1]))

        def one(elements: Elements, members: Facts) -> Fact:
            i, c, k = elements
            met = self.filter[i][k] != 0
            some = card(positions(self.filter, k)) > 0
            here = When(met, 1, 0) * value(c, k, i)

            def yes(known: Fact) -> Uses:
                row = self.filter[i]
                inside = into_filter(proof, members[2], known, lambda m: row[m] != 0)
                place = along(self.at_place, proof, members[0], inside)
                found = proof.part(proof.filtered(place), 1)
                return {is_one(proof, found): here}

            def no(other: Fact) -> Uses:
                none = is_none(proof, met, other)
                return {none: (When(some, 1, 0) - 1) * value(c, k, i)}

            return proof.split(met, When(some, 1, 0) * here == here, yes, no)

        found = over(proof, (lambda: self.many, lambda i: others(), lambda i, c: numbers), one)
        before = total(
            (others, lambda c: places(self.filter), lambda c, k: positions(self.filter, k)), value
        )
        after = total(
            (lambda: self.many, lambda i: others(), lambda i, c: self.at(i)),
            lambda i, c, k: value(c, k, i),
        )
        return proof.algebra(before == after, {found: 1})

    # parameters ----------------------------------------------------------------------------------
    def first(self, k: Fact) -> Fact:
        """The first position of a place is one of its."""
        proof, many = self.proof, positions(self.filter, k.term.args[0])
        some = first_of(proof, proof.part(proof.filtered(k), 1))
        return proof.lemma("element", *some, some=many, k=1)[0]

    def over_entries(self, *more: Callable[..., Term]) -> tuple[Callable[..., Term], ...]:
        """A place and two channels, and what else."""
        return (
            lambda: places(self.filter),
            lambda k: self.array,
            lambda k, r: self.heads,
            *more,
        )

    def using(self) -> Fact:
        """By place, channels and position: that the edge there is a user of the entry."""
        proof = self.proof

        def one(elements: Elements, members: Facts) -> Fact:
            k, r, q, j = elements
            outwards = proof.part(along(self.shared, proof, *members[:3]), 1)
            carried, chosen = outwards.term.args[0].args[0].args
            f = self.carrier(r, q, k, j)
            itself = proof.same(f == f, [])
            counted = counted_at(proof, members[3], itself, lambda i: self.carrier(r, q, k, i) == f)
            there = proof.some(element(f, carried), counted)
            (found,) = proof.lemma("included", outwards, there, some=carried, others=chosen, x=f)
            return proof.part(proof.filtered(found), 0)

        return every(proof, self.over_entries(lambda k, r, q: positions(self.filter, k)), one)

    def single(self, k: Fact, r: Fact, q: Fact, f: Fact, ends: Fact) -> Fact:
        """A user of an entry, whose head is one of the neurons, is the edge of one position."""
        proof, members = self.proof, (k, r, q)
        place, one, other = (member.term.args[0] for member in members)
        many, e = positions(self.filter, place), f.term.args[0]
        inwards = proof.part(along(self.shared, proof, *members), 0)
        chosen, carried = inwards.term.args[0].args[0].args
        inside = into_filter(proof, f, ends, lambda x: element(head(x), neurons(self.heads)))
        (found,) = proof.lemma("included", inwards, inside, some=chosen, others=carried, x=e)
        times = Sum(many, lambda i: When(self.carrier(one, other, place, i) == e, 1, 0))
        least = proof.algebra(times >= 1, {occurs(proof, found): 1})

        def at_head(i: Term, at: Fact) -> Fact:
            edge_at = self.carrier(one, other, place, i)
            at_end = along(self.ends["head"], proof, *members, at)

            def then(equal: Fact) -> Fact:
                return proof.same(other[i] == head(e), [turned_around(proof, at_end), equal])

            return at_least(proof, other[i] == head(e), edge_at == e, then)

        def fewer(i: Term, _: Fact) -> Fact:
            met, here = self.filter[i][place] != 0, When(other[i] == head(e), 1, 0)
            limit = up_to_1(proof, met)
            return proof.algebra(
                When(met, 1, 0) * here <= here, {(from_0(proof, other[i] == head(e)), limit): 1}
            )

        first, second = (
            proof.summed(many, at_head),
            proof.summed(self.many, fewer),
        )
        most = proof.algebra(times <= 1, {first: 1, second: 1, self.outs.once_in(q, head(e)): 1})
        return proof.both(most, least)
