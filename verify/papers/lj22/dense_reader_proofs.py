"""What reads the channels of a convolution: a fully-connected layer, or a residual block."""

from __future__ import annotations

from verify.language.building import Sum, card, edge, element, sensitivity, upto, users, w
from verify.language.proofs import Fact
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import SHARE, driven
from verify.papers.lj22.convolution_proofs import Convolution
from verify.papers.lj22.entry_proofs import in_one_layer
from verify.papers.lj22.layer_law_proofs import Behind, no_edge
from verify.papers.lj22.list_proofs import Elements, Facts, along, over, total
from verify.papers.lj22.shared_channel_proofs import Channels, crossing, paired
from verify.papers.lj22.suppositions import A


class Dense:
    """A fully-connected layer or a block behind the convolution."""

    def __init__(self, law: Channels, heads: Term) -> None:
        self.law, self.heads = law, heads
        self.graph = Behind(law.proof, law.architecture, law.neurons, self.heads, A)
        self.reached = law.proof.each(law.neurons, self.graph.reached)

    def value(self, v: Term, j: Term) -> Term:
        """What is behind a shared neuron."""
        return Sum(self.heads, lambda c: w(edge(v, c)) * sensitivity(c, j))

    def no_output(self, holds: Term, member: Fact, output: Fact) -> Fact:
        """Anything, were a shared neuron an output."""
        proof, v = self.law.proof, member.term.args[0]
        first, one = self.graph.first_head()
        _, going, _, _ = proof.lemma(
            "edge between", along(self.reached, proof, member, first), u=v, v=one
        )
        return no_edge(proof, holds, output, going)

    def sensitivity(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        """The sensitivity of a shared neuron by that of the heads."""
        law, proof, graph = self.law, self.law.proof, self.graph
        known = proof.at(law.hidden, member), example, law.single, graph.named
        outside, reached = proof.at(graph.outside, member), proof.at(self.reached, member)
        return proof.lemma("heads", *known, outside, reached, v=v, j=j, some=self.heads)[0]

    def among(self, conv: Convolution, e: Term, owned: Fact, itself: Fact, inside: Fact) -> Fact:
        """That the users of an entry end in the heads of its convolution."""
        proof = self.law.proof

        def shared(no: Fact) -> Fact:
            found = proof.other(owned.term.args[1], owned, no)
            return proof.same(found.term, [], of=found)

        return in_one_layer(proof, e, inside, shared)

    def rate_of(self, rate: Term) -> Fact:
        """The rate of an entry of the product over the positions."""
        law, proof, heads = self.law, self.law.proof, self.heads
        (p, q), channels = proof.elements, proof.way
        many = upto(card(p))
        lists = (lambda: many, lambda i: heads)

        def velocity(i: Term, c: Term) -> Term:
            one, other = edge(p[i], c), edge(q[i], c)
            return driven(one) * w(other) + w(one) * driven(other)

        known = proof.rate(rate.args[0], SHARE * total(lists, velocity))

        def of_edges(elements: Elements, members: Facts) -> Fact:
            i, c = elements
            pair = [edge(x[i], c) for x in (p, q)]
            told = [self._edge(x, members[0], members[1]) for x in channels]
            pulled_by = law.pulls(pair, (p[i], q[i]), (c, c), [ends for _, ends in told])
            alone = proof.same(velocity(i, c) == paired(*pair), [one for one, _ in told])
            return proof.algebra(velocity(i, c) == pulled_by.term.args[1], {alone: 1, pulled_by: 1})

        def at(i: Term, position: Fact) -> Fact:
            here = [law.inside(x, self._position(p, position)) for x in channels]
            return crossing(law, i, here, self.value)

        moved_by, behind = over(proof, lists, of_edges), proof.summed(many, at)
        found = rate == SHARE * Sum(many, law.crossed)
        by_length = proof.algebra(found, {known: 1, moved_by: SHARE, behind: SHARE})
        long = law.first.outs.long_at(channels[0])
        return proof.same(rate == SHARE * Sum(law.first.many, law.crossed), [long], of=by_length)

    def _position(self, p: Term, position: Fact) -> Fact:
        """A place in a channel is a position of the filter."""
        law, proof = self.law, self.law.proof
        long = law.first.outs.long_at(proof.way[0])
        i = position.term.args[0]
        return proof.same(element(i, law.first.many), [long], of=position)

    def _edge(self, channel: Fact, position: Fact, among: Fact) -> tuple[Fact, list[Fact]]:
        """Of an edge to a head: that its parameter is its own, and its ends."""
        law, proof = self.law, self.law.proof
        x, i, c = (member.term.args[0] for member in (channel, position, among))
        inside = law.inside(channel, self._position(proof.elements[0], position))
        e, reached = edge(x[i], c), along(self.reached, proof, inside, among)
        _, going, at_tail, at_head = proof.lemma("edge between", reached, u=x[i], v=c)
        able = proof.at(proof.part(proof.at(law.learnable, inside), 1), going)
        itself, _, _ = proof.lemma("users", able, e=e)

        def shared(within: Fact) -> Fact:
            """A head that were a shared neuron would read itself."""
            there = proof.same(element(c, law.neurons), [at_head], of=proof.at(within, itself))
            loop = along(self.reached, proof, there, among)
            _, _, begins, ends = proof.lemma("edge between", loop, u=c, v=c)
            (apart,) = proof.lemma("no loop", e=edge(c, c))
            wrong = proof.same(c != c, [ends, begins], of=apart)
            return proof.absurd(card(users(e)) == 1, wrong, proof.same(c == c, []))

        owned = law.owned(e, able)
        single = proof.cases(
            card(users(e)) == 1,
            lambda yes: proof.algebra(yes.term, {yes: 1}),
            lambda no: shared(proof.other(owned.term.args[1], owned, no)),
        )
        return proof.lemma("alone", single, e=e)[0], [at_tail, at_head]
