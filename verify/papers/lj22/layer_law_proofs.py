"""Theorem 1 where there is no kink: why the Gram matrices of two layers change alike.

An entry at two active neurons u and v is what balances at a pair (Lemma 2, second part), with sums
over the neurons that the layers name in place of sums over edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verify.language.building import (
    Each,
    card,
    concat,
    distinct,
    edge,
    element,
    head,
    out_of,
    outputs,
    slope,
    slope_left,
    slope_right,
    upto,
)
from verify.language.building import hidden as hidden_ones
from verify.language.proof_facts import entering
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term, number
from verify.papers.lj22.balance_proofs import (
    Pair,
    Side,
    at_smooth,
    one_output,
    slope_not_below,
    sloped,
)
from verify.papers.lj22.layers import block, diagonal_block, diagonal_skips, full, leads, reads
from verify.papers.lj22.list_proofs import by_index, first_of, in_joined, joined, occurs, up_to_1
from verify.papers.lj22.suppositions import A, B, C, G, H
from verify.statements.network_hypotheses import FEEDFORWARD

FIRST = {"4": concat(G, A), "7a": concat(G, A)}
SECOND = {"4": concat(H, C), "7b": concat(H, C)}


class Behind:
    """What follows shared neurons: the layer or block that reads them, by an architecture as a
    fact. shared: they; tails: what they read, if it is the tails of a block."""

    def __init__(
        self, proof: Proof, architecture: Fact, shared: Term, heads: Term, tails: Term
    ) -> None:
        self.proof, self.architecture = proof, architecture
        self.shared, self.heads, self.tails = shared, heads, tails
        leading = self.part(leads(shared, heads))
        self.named = proof.conjunct(leading, distinct(heads) == heads)
        self.outside = proof.conjunct(
            leading, Each(shared, lambda v: Each(out_of(v), lambda e: element(head(e), heads)))
        )

    def part(self, wanted: Term) -> Fact:
        """A part of the architecture."""
        return self.proof.conjunct(self.architecture, wanted)

    def reached(self, x: Term, member: Fact) -> Fact:
        """That there is an edge from a shared neuron to each of the heads."""
        proof = self.proof
        if self.heads is C:
            return self._all(C, x, member)
        inner, outer = self._all(H, x, member), self._all(C, x, member)
        return joined(proof, inner, outer)

    def _all(self, heads: Term, x: Term, member: Fact) -> Fact:
        """Of one list of heads: these read the shared ones, or them behind or before others."""
        some = self.shared
        for tails in (some, concat(H, some), concat(some, self.tails)):
            try:
                reads = self.part(full(tails, heads))
            except LookupError:
                continue
            every = self.proof.conjunct(reads, all_read(tails, heads))
            return self._each_enters(heads, x, every, member)
        return self._by_index(x, member)

    def _each_enters(self, heads: Term, x: Term, every: Fact, member: Fact) -> Fact:
        proof = self.proof
        return proof.each(heads, lambda c, at: self._enters(c, x, proof.at(every, at), member))

    def _enters(self, c: Term, x: Term, reads: Fact, member: Fact) -> Fact:
        """That a shared neuron is the tail of an edge into a head, of which it is said what it
        reads."""
        behind = self.proof.part(reads, 1)
        tails = behind.term.args[0].args[0].args[0]
        inside = in_joined(self.proof, member, tails)
        values = {"some": tails, "others": entering(c), "x": x}
        return self.proof.lemma("included", behind, inside, **values)[0]

    def _by_index(self, x: Term, member: Fact) -> Fact:
        """Of a block in which the k-th head reads the shared ones and the k-th tail."""
        proof = self.proof
        every = self.part(diagonal_skips(self.tails, self.shared, C))
        found = proof.each(
            upto(card(C)), lambda k, at: self._enters(C[k], x, proof.at(every, at), member)
        )
        return by_index(proof, found, C, lambda c: element(x, entering(c)))

    def hidden(self, x: Term, member: Fact, sloped: Fact) -> Fact:
        """That a shared neuron is hidden, as it has slopes and an edge to each of the heads."""
        proof, (one, first) = self.proof, self.first_head()
        reaches = proof.at(self.reached(x, member), one)
        _, going, _, _ = proof.lemma("edge between", reaches, u=x, v=first)
        return hidden(proof, x, sloped, lambda holds, one: no_edge(proof, holds, one, going))

    def first_head(self) -> tuple[Fact, Term]:
        """That the first of the heads is one of them."""
        proof, heads = self.proof, C if self.heads is C else H
        some = first_of(proof, self.part(card(heads) > 0))
        (one,) = proof.lemma("element", *some, some=heads, k=1)
        return in_joined(proof, one, self.heads), heads[1]


class Law(Behind):
    """The entry of an item at two neurons, by its architecture as a fact."""

    def __init__(self, proof: Proof, item: str, architecture: Fact) -> None:
        super().__init__(proof, architecture, B, SECOND.get(item, C), A)
        self.tails = FIRST.get(item, A)
        self.single = one_output(proof)
        given = proof.given
        self.learnable = given["matrices learnable"]
        self.own = given["own parameters outside of convolutions"]
        self.reading = self.part(full(self.tails, B))
        self.members, self.kinds = self._kinds(given)

    def _kinds(self, given: Mapping[str, Fact]) -> tuple[list[Fact], list[Fact]]:
        """That the two neurons are shared ones; that they are active, or linear."""
        proof = self.proof
        if "active" not in given:
            linear = given["linear between the two"]
            return proof.way, [proof.at(linear, one) for one in proof.way]
        both = [proof.at(given["active"], one) for one in proof.way]
        return [proof.part(one, 0) for one in both], [proof.part(one, 1) for one in both]

    def _slope(self, k: int, j: Term, example: Fact, known: Fact) -> Fact:
        """That the slope of one of them is 1."""
        proof, v = self.proof, self.proof.elements[k]
        if "active" in proof.given:
            return slope_is_1(proof, v, j, at_smooth(proof, v, known, example, self.kinds[k]))
        return slope_of_linear(proof, v, j, known, example, self.kinds[k])

    def _has_slopes(self, k: int) -> Fact:
        """That one of them has slopes."""
        proof, v = self.proof, self.proof.elements[k]
        right = proof.part(self.kinds[k], "active" not in proof.given)
        return proof.defined(slope_right(v), right)

    # the graph -----------------------------------------------------------------------------------
    def read(self, x: Term, member: Fact) -> tuple[Fact, Fact, Fact]:
        """That the in-edges of a shared neuron come from the tails, and that none of these is
        named twice."""
        reads = self.proof.conjunct(self.reading, all_read(self.tails, B))
        found = self.proof.at(reads, member)
        twice = self.proof.conjunct(self.reading, distinct(self.tails) == self.tails)
        return twice, self.proof.part(found, 0), self.proof.part(found, 1)

    def enters(self, x: Term, member: Fact, a: Term, among: Fact) -> Fact:
        """That a tail is the tail of an edge into a shared neuron."""
        behind = self.read(x, member)[2]
        values = {"some": self.tails, "others": entering(x), "x": a}
        return self.proof.lemma("included", behind, among, **values)[0]

    # the law -------------------------------------------------------------------------------------
    def prove(self) -> Fact:
        """That the two rates are equal."""
        proof, (u, v) = self.proof, self.proof.elements
        known = [self.hidden(x, self.members[k], self._has_slopes(k)) for k, x in enumerate((u, v))]
        reached = [self.reached(x, m) for x, m in zip((u, v), self.members, strict=True)]
        every = [proof.at(self.learnable, m) for m in self.members]

        def own(e: Term, place: Fact, k: int, side: int) -> Fact:
            moves = proof.at(proof.part(every[k], side), place)
            (edge_fact,) = proof.lemma("edge", e=e)
            return proof.then(proof.at(self.own, edge_fact), moves)

        def arrive(a: Term, among: Fact) -> list[list[Fact]]:
            return [
                proof.lemma("edge between", self.enters(x, m, a, among), u=a, v=x)
                for x, m in zip((u, v), self.members, strict=True)
            ]

        def leave(c: Term, among: Fact) -> list[list[Fact]]:
            return [
                proof.lemma("edge between", proof.at(reached[k], among), u=x, v=c)
                for k, x in enumerate((u, v))
            ]

        def ends(found: Callable[[Term, Fact], list[list[Fact]]]) -> Callable[..., list[Fact]]:
            return lambda x, among: [fact for one in found(x, among) for fact in one[2:]]

        sides = (
            Side(
                self.tails,
                lambda a: edge(a, u),
                lambda a: edge(a, v),
                lambda a: a,
                ends(arrive),
                lambda a, among: [
                    own(edge(a, x), one[0], k, 0)
                    for k, (x, one) in enumerate(zip((u, v), arrive(a, among), strict=True))
                ],
            ),
            Side(
                self.heads,
                lambda c: edge(u, c),
                lambda c: edge(v, c),
                lambda c: c,
                ends(leave),
                lambda c, among: [
                    own(edge(x, c), one[1], k, 1)
                    for k, (x, one) in enumerate(zip((u, v), leave(c, among), strict=True))
                ],
            ),
        )

        def told(k: int, j: Term, example: Fact) -> tuple[Fact, Fact]:
            x = (u, v)[k]
            facts = (known[k], example, *self.read(x, self.members[k]))
            (pre,) = proof.lemma("tails", *facts, v=x, j=j, some=self.tails)
            outside = proof.at(self.outside, self.members[k])
            graph = (self.named, outside, reached[k])
            (sensed,) = proof.lemma(
                "heads", known[k], example, self.single, *graph, v=x, j=j, some=self.heads
            )
            return pre, sensed

        def slopes(j: Term, example: Fact) -> Fact:
            ones = [self._slope(k, j, example, known[k]) for k in (0, 1)]
            return proof.algebra(slope(u, j) == slope(v, j), {ones[0]: 1, ones[1]: -1})

        leaving, arriving = proof.goal.args
        equal = Pair(proof, (u, v), known, sides, told).balance(slopes, (arriving, leaving))
        return proof.algebra(proof.goal, {equal: -1})


def hidden(proof: Proof, x: Term, slopes: Fact, wrong: Callable[[Term, Fact], Fact]) -> Fact:
    """That a neuron with slopes is hidden. wrong: anything, were it an output."""
    inside = element(x, hidden_ones())
    (either,) = proof.lemma("with slopes", slopes, v=x)
    return proof.cases(
        element(x, outputs()),
        lambda output: wrong(inside, output),
        lambda no: proof.other(inside, either, no),
    )


def no_edge(proof: Proof, holds: Term, output: Fact, going: Fact) -> Fact:
    """Anything, from an edge out of an output."""
    many = going.term.args[1]
    sinks = proof.at(proof.part(proof.part(proof.given[FEEDFORWARD.name], 0), 1), output)
    fewer = proof.summed(many, lambda e, _: up_to_1(proof, e == going.term.args[0]))
    wrong = proof.algebra(number(0) >= 1, {occurs(proof, going): 1, fewer: 1, sinks: -1})
    return proof.absurd(holds, wrong)


def slope_of_linear(
    proof: Proof, v: Term, j: Term, known: Fact, example: Fact, linear: Fact
) -> Fact:
    """The slope of a hidden neuron with slope 1 on both sides of 0."""
    left, right = proof.part(linear, 0), proof.part(linear, 1)
    defined = proof.defined(slope_left(v), proof.at(sloped(proof), known))
    alike = proof.algebra(slope_left(v) == slope_right(v), {left: 1, right: -1})
    (found,) = proof.lemma("slope without kink", known, example, defined, alike, v=v, j=j)
    return proof.algebra(slope(v, j) == 1, {found: 1, left: 1})


def slope_is_1(proof: Proof, v: Term, j: Term, known: dict[str, Fact]) -> Fact:
    """The slope of a neuron that is active on every example, where there is no kink."""
    facts = known["member"], known["example"], known["defined"]
    right, linear_or_gated = proof.part(known["kind"], 0), proof.part(known["kind"], 1)
    one = slope(v, j) == 1

    def linear(left: Fact) -> Fact:
        alike = proof.algebra(slope_left(v) == slope_right(v), {left: 1, right: -1})
        (found,) = proof.lemma("slope without kink", *facts, alike, v=v, j=j)
        return proof.algebra(one, {found: 1, left: 1})

    def gated(other: Fact) -> Fact:
        kind = proof.other(linear_or_gated.term.args[1], linear_or_gated, other)
        least = proof.at(proof.part(kind, 1), known["example"])
        return slope_not_below(proof, v, j, known, right, least)

    return proof.cases(slope_left(v) == 1, linear, gated)


def all_read(tails: Term, heads: Term) -> Term:
    """That the edges into each head come exactly from the tails."""
    return Each(heads, lambda v: reads(v, tails))


def matrix_law(item: str) -> Callable[[Proof], None]:
    """The proof of an item for dense layers and blocks."""

    def prove(proof: Proof) -> None:
        architecture = proof.given["architecture"]
        if item != "3":
            Law(proof, item, architecture).prove()
            return
        first, second = block(A, B, C), diagonal_block(A, B, C)

        def of(branch: Fact) -> Fact:
            return Law(proof, item, branch).prove()

        proof.cases(first, of, lambda no: of(proof.other(second, architecture, no)))

    return prove
