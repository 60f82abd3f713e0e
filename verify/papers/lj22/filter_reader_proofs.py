"""What reads the channels of a convolution: another convolution."""

from __future__ import annotations

from verify.language.building import (
    Each,
    Sum,
    When,
    concat,
    edge,
    element,
    examples,
    head,
    into,
    out_of,
    outputs,
    post,
    sensitivity,
    tail,
    users,
    w,
)
from verify.language.proofs import Fact, Uses
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import SHARE
from verify.papers.lj22.convolution_proofs import Convolution
from verify.papers.lj22.entry_proofs import Entries, in_one_layer
from verify.papers.lj22.layers import leads, neurons
from verify.papers.lj22.list_proofs import (
    Elements,
    Facts,
    along,
    counted_at,
    each_zero,
    every,
    from_0,
    in_joined,
    is_none,
    is_one,
    once,
    over,
    total,
    where_equal,
)
from verify.papers.lj22.path_terms import kappa
from verify.papers.lj22.shared_channel_proofs import Channels, crossing
from verify.papers.lj22.suppositions import BETWEEN, SECOND, N, T, V


class Filtered:
    """A convolution behind the convolution."""

    def __init__(self, law: Channels) -> None:
        self.law, proof = law, law.proof
        second = proof.conjunct(law.architecture, SECOND)
        self.conv = Convolution(proof, second, V, N, T, law.first.outs)
        self.apart = proof.conjunct(law.architecture, BETWEEN)
        leading = proof.conjunct(law.architecture, leads(law.neurons, neurons(N)))
        self.outside = proof.part(leading, 1)
        self.matched = self._matched()
        self.left = self._left()

    def value(self, v: Term, j: Term) -> Term:
        """What is behind a shared neuron."""
        return Sum(out_of(v), lambda e: w(e) * sensitivity(head(e), j))

    def no_output(self, holds: Term, member: Fact, output: Fact) -> Fact:
        """Anything, were a shared neuron an output or a head of the second convolution."""
        proof = self.law.proof
        there = in_joined(proof, output, concat(neurons(N), outputs()))
        return proof.absurd(holds, there, proof.at(self.apart, member))

    def sensitivity(self, v: Term, member: Fact, j: Term, example: Fact) -> Fact:
        """The sensitivity of a shared neuron by that of the heads."""
        known = self.law.proof.at(self.law.hidden, member), example, self.law.single
        return self.law.proof.lemma("sensitivity", *known, v=v, j=j)[0]

    def among(self, conv: Convolution, e: Term, owned: Fact, itself: Fact, inside: Fact) -> Fact:
        """That the users of an entry end in the heads of its convolution."""
        proof, (either, second) = self.law.proof, owned.term.args
        goal = Each(users(e), lambda f: element(head(f), inside.term.args[1]))

        def if_among(there: Fact) -> Fact:
            """The users end in the one or the other heads."""
            if proof.alike(there.term, goal):
                return proof.same(goal, [], of=there)
            ends = proof.at(there, itself)
            one, other = (ends, inside) if conv is self.conv else (inside, ends)
            return self.no_output(goal, one, other)

        def shared(no: Fact) -> Fact:
            def first(not_second: Fact) -> Fact:
                rest = proof.other(either, owned, not_second)
                return if_among(proof.other(either.args[1], rest, no))

            return proof.cases(second, if_among, first)

        return in_one_layer(proof, e, inside, shared)

    # what leaves ---------------------------------------------------------------------------------
    def _matched(self) -> Fact:
        """By channel and positions j and t: how many channels have at t what this one has at j,
        less 1 if j is t, is 0."""
        law, proof, array = self.law, self.law.proof, self.law.first.outs
        many = law.first.many

        def one(elements: Elements, members: Facts) -> Fact:
            (q, j), (channel, position) = elements, members
            here = q[j]

            def spare(t: Term) -> Term:
                return Sum(V, lambda r: When(r[t] == here, 1, 0)) - When(t == j, 1, 0)

            def least(t: Term, _: Fact) -> Fact:
                def yes(equal: Fact) -> Uses:
                    same = proof.same(q[t] == here, [equal])
                    found = counted_at(proof, channel, same, lambda r: r[t] == here)
                    return {found: 1, is_one(proof, equal): -1}

                def no(other: Fact) -> Uses:
                    some = proof.summed(V, lambda r, _: from_0(proof, r[t] == here))
                    return {some: 1, is_none(proof, t == j, other): -1}

                return proof.split(t == j, spare(t) >= 0, yes, no)

            rows = proof.summed(
                V, lambda r, row: array.by_place(row, lambda x: When(x == here, 1, 0))
            )
            _, _, distinct = proof.lemma("in a range", position, a=1, b=array.length, k=j)
            numbered, alone = once(proof, position, distinct), array.once(law.inside(*members))
            none = proof.algebra(Sum(many, spare) == 0, {rows: 1, alone: 1, numbered: -1})
            return each_zero(proof, many, spare, proof.each(many, least), none)

        return every(proof, (lambda: V, lambda q: many), one)

    def _left(self) -> Fact:
        """By channel, position and example what is behind, over the heads of the second one."""
        law, proof, conv = self.law, self.law.proof, self.conv

        def one(elements: Elements, members: Facts) -> Fact:
            (q, i, j), (channel, position, _) = elements, members
            v = q[i]
            inside = law.inside(channel, position)
            ends = proof.at(self.outside, inside)
            (_, leaving, _, _) = proof.lemma("at a vertex", v=v)

            def of_edge(e: Term, member: Fact) -> Fact:
                return self._at_head(e, proof.at(ends, member), j)

            def at_head(elements: Elements, members: Facts) -> Fact:
                return self._at_edges(v, leaving, elements, members, j)

            first = proof.summed(out_of(v), of_edge)
            second = over(proof, (lambda: N, lambda s: conv.many), at_head)
            return proof.algebra(self.value(v, j) == self._leaving(v, j), {first: -1, second: 1})

        lists = (lambda: V, lambda q: law.first.many, lambda q, i: examples())
        return every(proof, lists, one)

    def _leaving(self, v: Term, j: Term) -> Term:
        """The sum over heads, and the edges into these that come from a vertex."""
        conv = self.conv
        return total(
            (lambda: N, lambda s: conv.many),
            lambda s, i: sensitivity(s[i], j) * self._arriving(v, s, i),
        )

    def _arriving(self, v: Term, s: Term, i: Term) -> Term:
        conv = self.conv
        return total(
            conv.read_at(i),
            lambda r, k: When(r[conv.filter[i][k]] == v, 1, 0) * w(conv.carrier(r, s, k, i)),
        )

    def _at_head(self, e: Term, ends: Fact, j: Term) -> Fact:
        """What is behind an edge, at the one place where its head stands."""
        proof, conv = self.law.proof, self.conv
        lists = (lambda: N, lambda s: conv.many)

        def value(u: Term) -> Term:
            return w(e) * sensitivity(u, j)

        def same(elements: Elements, _: Facts) -> Fact:
            s, i = elements
            return where_equal(proof, s[i], head(e), value)

        found, alone = over(proof, lists, same), conv.outs.once(ends)
        rows = proof.summed(
            N,
            lambda s, row: conv.outs.by_place(row, lambda x: When(x == head(e), 1, 0)),
        )
        whole = total(lists, lambda s, i: When(s[i] == head(e), 1, 0) * value(s[i]))
        factor = value(head(e))
        return proof.algebra(whole == factor, {found: 1, alone: factor, rows: factor})

    def _at_edges(
        self, v: Term, leaving: Fact, elements: Elements, members: Facts, j: Term
    ) -> Fact:
        """The edges from a vertex to a head, among those into the head."""
        proof, conv = self.law.proof, self.conv
        s, i = elements
        u = s[i]
        (arriving, *_) = proof.lemma("at a vertex", v=u)
        out = Sum(out_of(v), lambda e: When(u == head(e), 1, 0) * w(e))
        there = Sum(into(u), lambda e: When(tail(e) == v, 1, 0) * w(e))
        turned = proof.same(out == there, [leaving, arriving])
        spread = conv.over_into(members[0], members[1], lambda e: When(tail(e) == v, 1, 0) * w(e))

        def at_tail(at: Elements, where: Facts) -> Fact:
            r, k = at
            edge_at = conv.carrier(r, s, k, i)
            end = conv.told("tail", where[0], members[0], members[1], where[1])
            met = When(r[conv.filter[i][k]] == v, 1, 0) * w(edge_at)
            return proof.same(When(tail(edge_at) == v, 1, 0) * w(edge_at) == met, [end])

        ends = over(proof, conv.read_at(i), at_tail)
        factor = sensitivity(u, j)
        return proof.algebra(
            factor * out == factor * self._arriving(v, s, i),
            {turned: factor, spread: factor, ends: factor},
        )

    def rate_of(self, rate: Term) -> Fact:
        """The rate of an entry of the product over the positions."""
        law, proof, conv, many = self.law, self.law.proof, self.conv, self.law.first.many
        p, q = proof.elements
        entries = Entries(law, conv, N, lambda x, c, k: (x, c, k))
        found = entries.rate_of(rate)
        lists = (lambda: conv.many, lambda i: N, lambda i, s: conv.at(i))

        def of_edges(elements: Elements, members: Facts) -> Fact:
            i, s, k = elements
            place = members[2]
            pair = [conv.carrier(x, s, k, i) for x in (p, q)]
            tails = p[conv.filter[i][k]], q[conv.filter[i][k]]
            ends = [
                [conv.told(name, x, members[1], members[0], place) for name in ("tail", "head")]
                for x in proof.way
            ]
            return law.pulls(pair, tails, (s[i], s[i]), ends)

        def on_example(j: Term, example: Fact) -> Fact:
            sides = [self._crossed(k, j, example) for k in (0, 1)]
            (one, all_one), (other, all_other) = (side.term.args for side in sides)
            return proof.algebra(
                kappa(j) * (one + other) == kappa(j) * (all_one + all_other),
                dict.fromkeys(sides, kappa(j)),
            )

        def at(i: Term, position: Fact) -> Fact:
            here = [law.inside(x, position) for x in proof.way]
            return crossing(law, i, here, self.value)

        pulls, behind = over(proof, lists, of_edges), proof.summed(many, at)
        turned = proof.summed(examples(), on_example)
        return proof.algebra(
            rate == SHARE * Sum(many, law.crossed),
            {found: 1, pulls: SHARE, turned: SHARE, behind: SHARE},
        )

    def _crossed(self, which: int, j: Term, example: Fact) -> Fact:
        """The values of one channel at the tails of the edges of the other, as over positions."""
        law, proof, conv = self.law, self.law.proof, self.conv
        p, q = (proof.elements[k] for k in (which, 1 - which))
        channel, many = proof.way[1 - which], law.first.many

        def at_position(t: Term, position: Fact) -> Fact:
            known = along(self.left, proof, channel, position, example)
            behind, spread = known.term.args
            return proof.algebra(
                post(p[t], j) * behind == post(p[t], j) * spread, {known: post(p[t], j)}
            )

        def at_place(elements: Elements, members: Facts) -> Fact:
            i, s, k = elements
            return self._matching(p, q, channel, s, i, k, members, j)

        lists = (lambda: conv.many, lambda i: N, lambda i, s: conv.at(i))
        first, second = proof.summed(many, at_position), over(proof, lists, at_place)
        at_tails = total(
            lists,
            lambda i, s, k: (
                sensitivity(s[i], j) * post(p[conv.filter[i][k]], j) * w(conv.carrier(q, s, k, i))
            ),
        )
        return proof.algebra(
            at_tails == Sum(many, lambda t: post(p[t], j) * self.value(q[t], j)),
            {second: -1, first: -1},
        )

    def _matching(
        self,
        p: Term,
        q: Term,
        channel: Fact,
        s: Term,
        i: Term,
        k: Term,
        members: Facts,
        j: Term,
    ) -> Fact:
        """Of the edges to a head from a position t: where q has at a position what a channel has at
        t, it is q, and the position t."""
        law, proof, conv, many = self.law, self.law.proof, self.conv, self.law.first.many
        t = conv.filter[i][k]
        position = conv.told("place", channel, members[1], members[0], members[2])

        def value(m: Term) -> Term:
            return post(p[m], j) * w(edge(q[m], s[i]))

        def at_tail(elements: Elements, _: Facts) -> Fact:
            r, m = elements
            return where_equal(proof, r[t], q[m], lambda x: post(p[m], j) * w(edge(x, s[i])))

        def alike(m: Term, at: Fact) -> Fact:
            found = along(self.matched, proof, channel, at, position)
            times = Sum(V, lambda r: When(r[t] == q[m], 1, 0))
            return proof.algebra(
                times * value(m) == When(m == t, 1, 0) * value(m), {found: value(m)}
            )

        first = over(proof, (lambda: V, lambda r: many), at_tail)
        second = proof.summed(many, alike)
        third = proof.summed(many, lambda m, _: where_equal(proof, m, t, value))
        _, _, distinct = proof.lemma("in a range", position, a=1, b=law.first.outs.length, k=t)
        factor = sensitivity(s[i], j)
        spread = total(
            (lambda: V, lambda r: many),
            lambda r, m: When(r[t] == q[m], 1, 0) * post(p[m], j) * w(edge(r[t], s[i])),
        )
        return proof.algebra(
            factor * spread == factor * value(t),
            {
                first: factor,
                second: factor,
                third: factor,
                once(proof, position, distinct): factor * value(t),
            },
        )
