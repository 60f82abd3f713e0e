"""Theorem 1 behind a convolution: why the Gram matrices of two layers change alike.

The velocity of an entry is the sum of what the edges of its place do, one at each position. So an
entry of the first matrix at two channels changes by what arrives at all positions of the two, one
of the second by what leaves them: each is, example by example, the sum over positions of the
pre-activation of one times the sensitivity of the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.language.building import (
    Each,
    Sum,
    When,
    card,
    concat,
    edge,
    edges,
    element,
    examples,
    grad,
    head,
    into,
    list_,
    out_of,
    outputs,
    post,
    sensitivity,
    slope,
    slope_left,
    slope_right,
    tail,
    upto,
    users,
    w,
    z,
)
from verify.language.proof_facts import entering
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term, number
from verify.papers.lj22.array_proofs import Convolution
from verify.papers.lj22.balance_proofs import (
    SHARE,
    driven,
    one_output,
    sloped,
    turned_around,
)
from verify.papers.lj22.layer_law_proofs import Behind, hidden, no_edge, slope_of_linear
from verify.papers.lj22.layers import leads, neurons, places, positions
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
    moved,
    once,
    over,
    total,
    where_equal,
)
from verify.papers.lj22.path_terms import kappa
from verify.papers.lj22.suppositions import BETWEEN, FIRST, SECOND, A, C, H, N, S, T, V, X

HEADS = {"5": C, "6": concat(H, C)}


def pulled(e: Term) -> Term:
    """What the examples add to the velocity of a parameter by one of its edges, times -n."""
    return Sum(examples(), lambda j: kappa(j) * grad(e, j))


Pair = tuple[Term, Term]
Place = Callable[[Any, Any, Any], tuple[Any, Any, Any]]


def paired(one: Term, other: Term) -> Term:
    """What moves the product of two weights: each edge pulled, times the weight of the other."""
    return pulled(one) * w(other) + w(one) * pulled(other)


class Channels:
    """The entry of an item at two channels."""

    def __init__(self, proof: Proof, item: str) -> None:
        self.proof, self.item, self.neurons = proof, item, neurons(V)
        given = proof.given
        self.architecture = given["architecture"]
        self.learnable = given["matrices learnable"]
        self.own = given["own parameters outside of convolutions"]
        self.linear = given["linear between the two"]
        self.single = one_output(proof)
        self.first = Convolution(proof, proof.conjunct(self.architecture, FIRST), X, V, S)
        self.behind = Filtered(self) if item == "2" else Dense(self)
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
            return proof.algebra(
                z(v, j) == self._arriving(q, i, j), {found: 1, spread: 1, ends: 1}
            )

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

    # the law -------------------------------------------------------------------------------------
    def prove(self) -> Fact:
        """That the two rates are equal."""
        proof, first = self.proof, self.first
        p, q = proof.elements
        leaving, arriving = proof.goal.args
        entries = Entries(self, first, X, lambda x, c, k: (c, x, k))
        before = entries.rate_of(arriving)

        def at(i: Term, position: Fact) -> Fact:
            return self._at_position(i, position)

        positions_ = proof.sum(proof.each(first.many, at))
        behind = self.behind.rate_of(leaving)
        return proof.algebra(proof.goal, {behind: 1, before: -1, positions_: -SHARE})

    def crossed(self, i: Term) -> Term:
        """At a position: the sensitivity of each channel times the pre-activation of the other."""
        p, q = self.proof.elements

        def on(j: Term) -> Term:
            one = sensitivity(p[i], j) * z(q[i], j)
            return kappa(j) * (one + sensitivity(q[i], j) * z(p[i], j))

        return Sum(examples(), on)

    def _at_position(self, i: Term, position: Fact) -> Fact:
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
        second = proof.sum(proof.each(examples(), on_example))
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

        summed = proof.sum(proof.each(examples(), one))
        return proof.algebra(paired(*pair) == Sum(examples(), on), {summed: 1})


class Entries:
    """The entries of the flattening of a convolution at the two channels. others: the channels at
    its other side; place: the channels of an edge, before and behind, of one of the two and of one
    of the others, and a place."""

    def __init__(self, law: Channels, conv: Convolution, others: Term, place: Place) -> None:
        self.law, self.conv, self.others, self.place = law, conv, others, place
        lists, proof = conv.over_entries(), law.proof
        self.used = conv.using()
        self.able = every(proof, lists, lambda _, at: self._entry(*at)[0])
        self.spread = every(proof, lists, lambda _, at: self._spread(*at))
        by_position = conv.over_entries(lambda k, r, q: positions(conv.filter, k))
        self.weighted = every(proof, by_position, lambda _, at: self._weighted(*at))

    def entry(self, x: Term, c: Term, k: Term) -> Term:
        """The edge that stands for a parameter."""
        return self.conv.entry(*self.place(x, c, k))

    def carrier(self, x: Term, c: Term, k: Term, i: Term) -> Term:
        """The edge at a position."""
        return self.conv.carrier(*self.place(x, c, k), i)

    def rate_of(self, rate: Term) -> Fact:
        """The rate of an entry of the product over positions, channels and places."""
        law, conv, proof = self.law, self.conv, self.law.proof
        p, q = proof.elements

        def velocity(one: Term, other: Term) -> Term:
            return driven(one) * w(other) + w(one) * driven(other)

        def entries(c: Term, k: Term) -> list[Term]:
            return [self.entry(x, c, k) for x in (p, q)]

        lists = (lambda: self.others, lambda c: places(conv.filter))
        spread = total(lists, lambda c, k: velocity(*entries(c, k)))
        known = proof.rate(rate.args[0], SHARE * spread)

        def one(elements: Elements, members: Facts) -> Fact:
            return self._parameters(elements, members, velocity(*entries(*elements)))

        by_position = over(proof, lists, one)
        turned = conv.by_position(
            lambda: self.others,
            lambda c, k, i: paired(*(self.carrier(x, c, k, i) for x in (p, q))),
        )
        return proof.algebra(
            rate == SHARE * turned.term.args[1], {known: 1, by_position: SHARE, turned: SHARE}
        )

    def _parameters(self, elements: Elements, members: Facts, velocity: Term) -> Fact:
        """What moves the product of two entries, over the positions of their place."""
        proof, (c, k) = self.law.proof, elements
        pair = list(zip(proof.elements, proof.way, strict=True))
        many = positions(self.conv.filter, k)
        placed = [self._at(channel, *members) for _, channel in pair]
        spread = [along(self.spread, proof, *at) for at in placed]
        ones = [self.entry(x, c, k) for x, _ in pair]

        def mixed(i: Term, at: Fact) -> Fact:
            here = [self.carrier(x, c, k, i) for x, _ in pair]
            alike = [along(self.weighted, proof, *where, at) for where in placed]
            return proof.algebra(
                paired(*here) == pulled(here[0]) * w(ones[1]) + w(ones[0]) * pulled(here[1]),
                {alike[1]: pulled(here[0]), alike[0]: pulled(here[1])},
            )

        mixture = proof.sum(proof.each(many, mixed))
        found = Sum(many, lambda i: paired(*(self.carrier(x, c, k, i) for x, _ in pair)))
        return proof.algebra(
            velocity == found,
            {spread[0]: w(ones[1]), spread[1]: w(ones[0]), mixture: -1},
        )

    def _at(self, channel: Fact, other: Fact, k: Fact) -> Facts:
        """That a place and channels are some."""
        r, q, _ = self.place(channel, other, k)
        return k, r, q

    def _spread(self, k: Fact, r: Fact, q: Fact) -> Fact:
        """What drives a parameter, over the positions of its place."""
        law, conv, proof = self.law, self.conv, self.law.proof
        place, one, other = (member.term.args[0] for member in (k, r, q))
        e = conv.entry(one, other, place)
        able, inside = self._entry(k, r, q)
        itself, _, distinct = proof.lemma("users", able, e=e)
        among = law.behind.among(conv, e, law.owned(e, able), itself, inside)

        def placed(_: Elements, at: Facts) -> Fact:
            return once(proof, along(self.used, proof, k, r, q, at[0]), distinct)

        return moved(
            proof,
            users(e),
            (lambda: positions(conv.filter, place),),
            lambda i: conv.carrier(one, other, place, i),
            pulled,
            placed,
            lambda _, f: conv.single(k, r, q, f, proof.at(among, f)),
        )

    def _weighted(self, k: Fact, r: Fact, q: Fact, i: Fact) -> Fact:
        """The weight of an edge is that of its entry."""
        proof = self.law.proof
        able = along(self.able, proof, k, r, q)
        _, weights, _ = proof.lemma("users", able, e=able.term.args[0])
        return proof.at(weights, along(self.used, proof, k, r, q, i))

    def _entry(self, k: Fact, r: Fact, q: Fact) -> tuple[Fact, Fact]:
        """That an entry is learnable, and its head one of the heads."""
        law, conv, proof = self.law, self.conv, self.law.proof
        first = conv.first(k)

        def told(name: str) -> Fact:
            return along(conv.ends[name], proof, k, r, q, first)

        position = proof.part(proof.filtered(first), 0)
        head_at = conv.outs.inside(q, position)
        inside = element(head(told("head").term.args[0].args[0]), neurons(conv.heads))
        among = proof.same(inside, [told("head")], of=head_at)
        if conv is law.first:
            able = proof.at(proof.part(proof.at(law.learnable, head_at), 0), told("into"))
        else:
            tail_at = conv.tails.inside(r, told("place"))
            able = proof.at(proof.part(proof.at(law.learnable, tail_at), 1), told("out"))
        return able, among


class Dense:
    """A fully-connected layer or a block behind the convolution."""

    def __init__(self, law: Channels) -> None:
        self.law, self.heads = law, HEADS[law.item]
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
            return proof.algebra(
                velocity(i, c) == pulled_by.term.args[1], {alone: 1, pulled_by: 1}
            )

        def at(i: Term, position: Fact) -> Fact:
            here = [law.inside(x, self._position(p, position)) for x in channels]
            return crossing(law, i, here, self.value)

        moved_by, behind = over(proof, lists, of_edges), proof.sum(proof.each(many, at))
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
            there = proof.same(
                element(c, law.neurons), [at_head], of=proof.at(within, itself)
            )
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
                def yes(equal: Fact) -> Fact:
                    same = proof.same(q[t] == here, [equal])
                    found = counted_at(proof, channel, same, lambda r: r[t] == here)
                    return proof.algebra(spare(t) >= 0, {found: 1, is_one(proof, equal): -1})

                def no(other: Fact) -> Fact:
                    some = proof.sum(proof.each(V, lambda r, _: from_0(proof, r[t] == here)))
                    none = is_none(proof, t == j, other)
                    return proof.algebra(spare(t) >= 0, {some: 1, none: -1})

                return proof.cases(t == j, yes, no)

            rows = proof.sum(
                proof.each(V, lambda r, row: array.by_place(row, lambda x: When(x == here, 1, 0)))
            )
            _, _, distinct = proof.lemma("in a range", position, a=1, b=array.length, k=j)
            numbered, alone = once(proof, position, distinct), array.once(law.inside(*members))
            none = proof.algebra(
                Sum(many, spare) == 0, {rows: 1, alone: 1, numbered: -1}
            )
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

            first = proof.sum(proof.each(out_of(v), of_edge))
            second = over(proof, (lambda: N, lambda s: conv.many), at_head)
            return proof.algebra(
                self.value(v, j) == self._leaving(v, j), {first: -1, second: 1}
            )

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
        rows = proof.sum(
            proof.each(
                N,
                lambda s, row: conv.outs.by_place(row, lambda x: When(x == head(e), 1, 0)),
            )
        )
        whole = total(lists, lambda s, i: When(s[i] == head(e), 1, 0) * value(s[i]))
        factor = value(head(e))
        return proof.algebra(
            whole == factor, {found: 1, alone: factor, rows: factor}
        )

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
        spread = conv.over_into(*members, lambda e: When(tail(e) == v, 1, 0) * w(e))

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

        pulls, behind = over(proof, lists, of_edges), proof.sum(proof.each(many, at))
        turned = proof.sum(proof.each(examples(), on_example))
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
        first, second = proof.sum(proof.each(many, at_position)), over(proof, lists, at_place)
        at_tails = total(
            lists,
            lambda i, s, k: sensitivity(s[i], j)
            * post(p[conv.filter[i][k]], j)
            * w(conv.carrier(q, s, k, i)),
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
            return where_equal(
                proof, r[t], q[m], lambda x: post(p[m], j) * w(edge(x, s[i]))
            )

        def alike(m: Term, at: Fact) -> Fact:
            found = along(self.matched, proof, channel, at, position)
            times = Sum(V, lambda r: When(r[t] == q[m], 1, 0))
            return proof.algebra(
                times * value(m) == When(m == t, 1, 0) * value(m), {found: value(m)}
            )

        first = over(proof, (lambda: V, lambda r: many), at_tail)
        second = proof.sum(proof.each(many, alike))
        third = proof.sum(proof.each(many, lambda m, _: where_equal(proof, m, t, value)))
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

    return proof.sum(proof.each(examples(), one))


def in_one_layer(
    proof: Proof, e: Term, inside: Fact, shared: Callable[[Fact], Fact]
) -> Fact:
    """That all users of an edge end in some neurons, as it does. shared: that, if it is not the
    only one."""
    many = inside.term.args[1]

    def single(yes: Fact) -> Fact:
        (alone,) = proof.lemma("alone", yes, e=e)

        def one(f: Term, member: Fact) -> Fact:
            listed = proof.same(element(f, list_(e)), [alone], of=member)
            counted = proof.some(When(e == f, 1, 0) >= 1, listed)
            goal = element(head(f), many)

            def other(no: Fact) -> Fact:
                none = proof.branch(When(e == f, 1, 0), no)
                return proof.absurd(goal, proof.algebra(number(0) >= 1, {counted: 1, none: -1}))

            return proof.cases(e == f, lambda same: proof.same(goal, [same], of=inside), other)

        return proof.each(users(e), one)

    return proof.cases(card(users(e)) == 1, single, shared)


def channel_law(item: str) -> Callable[[Proof], None]:
    """The proof of an item behind a convolution."""

    def prove(proof: Proof) -> None:
        Channels(proof, item).prove()

    return prove
