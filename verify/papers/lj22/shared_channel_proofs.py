"""Two channels of a convolution: what moves the weights before and behind, at each position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from verify.language.building import (
    Sum,
    examples,
    grad,
    post,
    sensitivity,
    slope_left,
    slope_right,
    tail,
    w,
    z,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import one_output
from verify.papers.lj22.convolution_proofs import Convolution
from verify.papers.lj22.layer_law_proofs import hidden, slope_of_linear
from verify.papers.lj22.layers import neurons
from verify.papers.lj22.list_proofs import Elements, Facts, along, every, over, total
from verify.papers.lj22.path_terms import kappa
from verify.papers.lj22.suppositions import FIRST, S, V, X


def pulled(e: Term) -> Term:
    """What the examples add to the velocity of a parameter by one of its edges, times -n."""
    return Sum(examples(), lambda j: kappa(j) * grad(e, j))


Pair = tuple[Term, Term]
Place = Callable[[Any, Any, Any], tuple[Any, Any, Any]]


def paired(one: Term, other: Term) -> Term:
    """What moves the product of two weights: each edge pulled, times the weight of the other."""
    return pulled(one) * w(other) + w(one) * pulled(other)


class Reader(Protocol):
    """What reads the shared neurons."""

    def value(self, v: Term, j: Term) -> Term:
        """What is behind a shared neuron: the sum over edges of w times the sensitivity there."""
        ...

    def no_output(self, holds: Term, member: Fact, output: Fact) -> Fact:
        """Anything, were a shared neuron an output."""
        ...

    def sensitivity(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        """The sensitivity of a shared neuron by its slope and what is behind."""
        ...

    def among(self, conv: Convolution, e: Term, owned: Fact, itself: Fact, inside: Fact) -> Fact:
        """That the users of an entry end in the heads of its convolution."""
        ...

    def rate_of(self, rate: Term) -> Fact:
        """The rate of an entry of the product over the positions."""
        ...


class Channels:
    """Two channels of the convolution between the two matrices. reader: what reads them."""

    def __init__(self, proof: Proof, reader: Callable[[Channels], Reader]) -> None:
        self.proof, self.neurons = proof, neurons(V)
        given = proof.given
        self.architecture = given["architecture"]
        self.learnable = given["matrices learnable"]
        self.own = given["own parameters outside of convolutions"]
        self.linear = given["linear between the two"]
        self.single = one_output(proof)
        self.first = Convolution(proof, proof.conjunct(self.architecture, FIRST), X, V, S)
        self.behind = reader(self)
        self.hidden = proof.each(self.neurons, self._hidden)
        self.active = self._at_neurons(self._active)
        self.sensed = self._at_neurons(self._sensed)
        self.arrived = self._arrived()

    # shared neurons ------------------------------------------------------------------------------
    def _hidden(self, v: Term, member: Fact) -> Fact:
        proof = self.proof
        slopes = proof.defined(slope_right(v), proof.part(proof.at(self.linear, member), 1))
        return hidden(
            proof, v, slopes, lambda holds, output: self.behind.no_output(holds, member, output)
        )

    def _at_neurons(self, prove: Callable[[Term, Fact, Term, Fact], Fact]) -> Fact:
        """What is proved of a shared neuron and an example, for all."""
        proof = self.proof

        def one(v: Term, member: Fact) -> Fact:
            return proof.each(examples(), lambda j, at: prove(v, member, j, at))

        return proof.each(self.neurons, one)

    def _slope(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        known, linear = self.proof.at(self.hidden, member), self.proof.at(self.linear, member)
        return slope_of_linear(self.proof, v, j, known, example, linear)

    def _active(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        """Its value is its pre-activation."""
        proof, one = self.proof, self._slope(v, member, j, example)
        defined = proof.defined(slope_left(v), proof.part(proof.at(self.linear, member), 0))
        (found,) = proof.lemma("activation", example, defined, v=v, j=j)
        return proof.algebra(post(v, j) == z(v, j), {found: 1, one: z(v, j)})

    def _sensed(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        """Its sensitivity is what is behind it."""
        proof, one = self.proof, self._slope(v, member, j, example)
        found = self.behind.sensitivity(v, member, j, example)
        behind = self.behind.value(v, j)
        return proof.algebra(sensitivity(v, j) == behind, {found: 1, one: behind})

    def inside(self, channel: Fact, position: Fact) -> Fact:
        """That what stands at a position of a channel is a shared neuron."""
        return self.first.outs.inside(channel, position)

    def _arrived(self) -> Fact:
        """By channel, position and example the pre-activation, over channels and places before."""
        proof, first = self.proof, self.first

        def one(elements: Elements, members: Facts) -> Fact:
            q, i, j = elements
            v, (channel, position, example) = q[i], members
            known = proof.at(self.hidden, self.inside(channel, position))
            (found,) = proof.lemma("pre-activation", known, example, v=v, j=j)
            spread = first.over_into(channel, position, lambda e: w(e) * post(tail(e), j))

            def at_tail(at: Elements, where: Facts) -> Fact:
                r, k = at
                edge_at = first.carrier(r, q, k, i)
                (end,) = (first.told("tail", where[0], channel, position, where[1]),)
                value = post(r[first.filter[i][k]], j)
                return proof.same(w(edge_at) * post(tail(edge_at), j) == w(edge_at) * value, [end])

            ends = over(proof, first.read_at(i), at_tail)
            return proof.algebra(z(v, j) == self._arriving(q, i, j), {found: 1, spread: 1, ends: 1})

        return every(proof, (lambda: V, lambda q: first.many, lambda q, i: examples()), one)

    def _arriving(self, q: Term, i: Term, j: Term) -> Term:
        first = self.first
        return total(
            first.read_at(i),
            lambda r, k: w(first.carrier(r, q, k, i)) * post(r[first.filter[i][k]], j),
        )

    # parameters ----------------------------------------------------------------------------------
    def owned(self, e: Term, learnable_e: Fact) -> Fact:
        """What is said of the users of a learnable edge."""
        (inside,) = self.proof.lemma("edge", e=e)
        return self.proof.then(self.proof.at(self.own, inside), learnable_e)

    # what arrives ---------------------------------------------------------------------------------
    def crossed(self, i: Term) -> Term:
        """At a position: the sensitivity of each channel times the pre-activation of the other."""
        p, q = self.proof.elements

        def on(j: Term) -> Term:
            one = sensitivity(p[i], j) * z(q[i], j)
            return kappa(j) * (one + sensitivity(q[i], j) * z(p[i], j))

        return Sum(examples(), on)

    def at_position(self, i: Term, position: Fact) -> Fact:
        """What arrives at a position of the two channels."""
        proof, first = self.proof, self.first
        (p, q), channels = proof.elements, proof.way

        def of_edges(elements: Elements, members: Facts) -> Fact:
            r, k = elements
            edges_at = [first.carrier(r, x, k, i) for x in (p, q)]
            ends = [
                [first.told(name, members[0], x, position, members[1]) for name in ("tail", "head")]
                for x in channels
            ]
            return self.pulls(edges_at, (r[first.filter[i][k]],) * 2, (p[i], q[i]), ends)

        def on_example(j: Term, example: Fact) -> Fact:
            known = [along(self.arrived, proof, x, position, example) for x in channels]
            senses = [sensitivity(x[i], j) for x in (p, q)]
            sides = [senses[0] * known[1].term.args[k] for k in (0, 1)]
            more = [senses[1] * known[0].term.args[k] for k in (0, 1)]
            return proof.algebra(
                kappa(j) * (sides[1] + more[1]) == kappa(j) * (sides[0] + more[0]),
                {known[1]: -kappa(j) * senses[0], known[0]: -kappa(j) * senses[1]},
            )

        first_step = over(proof, first.read_at(i), of_edges)
        second = proof.summed(examples(), on_example)
        whole = total(
            first.read_at(i),
            lambda r, k: paired(first.carrier(r, p, k, i), first.carrier(r, q, k, i)),
        )
        return proof.algebra(whole == self.crossed(i), {first_step: 1, second: 1})

    def pulls(self, pair: list[Term], tails: Pair, heads: Pair, ends: list[list[Fact]]) -> Fact:
        """What moves the product of two edges, by the values of their tails and the sensitivities
        of their heads. ends: of each, that these are its ends."""
        proof = self.proof

        def on(j: Term) -> Term:
            one, other = (post(t, j) * sensitivity(h, j) for t, h in zip(tails, heads, strict=True))
            return kappa(j) * (one * w(pair[1]) + w(pair[0]) * other)

        def one(j: Term, example: Fact) -> Fact:
            found = [proof.lemma("gradient", example, self.single, e=e, j=j)[0] for e in pair]
            moved_by = grad(pair[0], j) * w(pair[1]) + w(pair[0]) * grad(pair[1], j)
            by = [*found, *ends[0], *ends[1]]
            return proof.same(kappa(j) * moved_by == on(j), by)

        summed = proof.summed(examples(), one)
        return proof.algebra(paired(*pair) == Sum(examples(), on), {summed: 1})


def crossing(
    law: Channels, i: Term, inside: list[Fact], value: Callable[[Term, Term], Term]
) -> Fact:
    """At a position the value of each channel times what is behind the other, as pre-activation
    times sensitivity."""
    proof = law.proof
    p, q = (x[i] for x in proof.elements)

    def one(j: Term, example: Fact) -> Fact:
        active = [along(law.active, proof, here, example) for here in inside]
        sensed = [along(law.sensed, proof, here, example) for here in inside]
        behind = kappa(j) * (post(p, j) * value(q, j) + post(q, j) * value(p, j))
        crossed = kappa(j) * (sensitivity(p, j) * z(q, j) + sensitivity(q, j) * z(p, j))
        return proof.algebra(
            behind == crossed,
            {
                active[0]: kappa(j) * value(q, j),
                active[1]: kappa(j) * value(p, j),
                sensed[0]: -kappa(j) * z(q, j),
                sensed[1]: -kappa(j) * z(p, j),
            },
        )

    return proof.summed(examples(), one)
