"""The velocity of an entry of a convolution, over the positions of its place."""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import Sum, When, card, element, head, list_, users, w
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term, number
from verify.papers.lj22.balance_proofs import SHARE, driven
from verify.papers.lj22.convolution_proofs import Convolution
from verify.papers.lj22.layers import neurons, places, positions
from verify.papers.lj22.list_proofs import Elements, Facts, along, every, moved, once, over, total
from verify.papers.lj22.shared_channel_proofs import Channels, Place, paired, pulled


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
        conv, proof = self.conv, self.law.proof
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

        mixture = proof.summed(many, mixed)
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


def in_one_layer(proof: Proof, e: Term, inside: Fact, shared: Callable[[Fact], Fact]) -> Fact:
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
