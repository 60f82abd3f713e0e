"""Lemma 4, (65) and (67): how the weights of a pair move of which one is active and one is not.

The derivatives by the weights at the inactive one are 0. Those by the weights at the active one are
sums over paths, divided by the weight, which is not 0: on a path through the active one the weight
of its partner stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Sum,
    When,
    card,
    edge,
    edges_on,
    element,
    examples,
    grad,
    head,
    into,
    out_of,
    paths,
    post,
    sensitivity,
    slope,
    slope_left,
    tail,
    w,
    z,
)
from verify.language.proof_facts import crossed, flow
from verify.language.proofs import Fact, Proof, Uses
from verify.language.terms import Term, number
from verify.papers.lj22.balance_proofs import (
    SHARE,
    Flowing,
    Side,
    at_smooth,
    pulled,
    rate_of,
    sides_of_pair_edges,
    slope_of_active,
    slope_of_inactive,
    sloped,
    summed,
    turned_around,
)
from verify.papers.lj22.graph_terms import inactive
from verify.papers.lj22.jagged import along_halves
from verify.papers.lj22.list_proofs import at_least, into_filter, is_none, is_one, occurs, up_to_1
from verify.papers.lj22.path_terms import along, kappa, slopes_along, x_of
from verify.papers.lj22.velocity_proofs import at_heads
from verify.statements.network_hypotheses import NONZERO_WEIGHTS, RELU_OR_LINEAR


class ActivePair:
    """Vertices u and v, u active and v inactive on every example; side: 0 for the edges into them,
    1 for those out of them."""

    def __init__(self, proof: Proof, side: int) -> None:
        self.proof, self.side = proof, side
        self.u, self.v = proof.elements[:2]
        self.members, self.kinds = proof.way[:2], proof.way[3]
        sides, _ = sides_of_pair_edges(proof)
        self.at: Side = sides[side]
        self.ends = (self.v, self.u) if side == 0 else (self.u, self.v)
        self.flowing = Flowing(proof)

    def end(self, e: Term) -> Term:
        """The end of an edge that is to be the vertex."""
        return head(e) if self.side == 0 else tail(e)

    def many(self, x: Term) -> Term:
        """The edges at a vertex."""
        return into(x) if self.side == 0 else out_of(x)

    def swapped(self, f: Term) -> Term:
        """The edge that stands in the place of one of a path."""
        leaving = When(tail(f) == self.u, edge(self.ends[1], head(f)), f)
        return When(head(f) == self.u, edge(tail(f), self.ends[0]), leaving)

    def prove(self) -> None:
        """The display."""
        proof = self.proof
        rate = rate_of(proof, proof.goal.args[0], self.at.moving, self.at.own)
        many = summed(proof, self._on_example)
        proof.algebra(proof.goal, {rate: 1, many: SHARE})

    # slopes --------------------------------------------------------------------------------------
    def _slope(self, who: int, j: Term, example: Fact) -> Fact:
        """The slope of u is 1, that of v is 0."""
        proof, x, member = self.proof, (self.u, self.v)[who], self.members[who]
        kinds = proof.part(self.kinds, 0)
        kind, told = proof.part(kinds, who), proof.at(proof.part(self.kinds, 1), example)
        defined = proof.defined(slope_left(x), proof.at(sloped(proof), member))
        name = ("slope above", "slope below")[who]
        (found,) = proof.lemma(name, example, defined, proof.part(told, who), v=x, j=j)
        value = proof.part(kind, 1 - who)
        return proof.algebra(slope(x, j) == 1 - who, {found: 1, value: 1})

    def _active(self, p: Term, j: Term, example: Fact, one: Fact) -> Fact:
        """Along a path the product of the slopes tells whether all but u are active."""
        proof, u = self.proof, self.u

        def quiet(x: Term) -> Term:
            return (x != u) & inactive(x, j)

        def gate(x: Term) -> Term:
            return When(quiet(x), 0, 1)

        def of(x: Term, member: Fact, place: int) -> Fact:
            kind = proof.at(proof.part(proof.given[RELU_OR_LINEAR.name], place), member)
            known = at_smooth(proof, x, member, example, kind, place)

            def off(yes: Fact) -> Uses:
                zero = slope_of_inactive(proof, x, j, known, proof.part(yes, 1))
                return {zero: 1, proof.branch(gate(x), yes): -1}

            def on(no: Fact) -> Uses:
                taken = proof.branch(gate(x), no)

                def another(apart: Fact) -> Fact:
                    loud = proof.other(~inactive(x, j), no, apart)
                    found = slope_of_active(proof, x, j, known, loud)
                    return proof.algebra(slope(x, j) == 1, {found: 1})

                found = proof.cases(
                    x == u, lambda same: proof.same(slope(x, j) == 1, [same], of=one), another
                )
                return {found: 1, taken: -1}

            return proof.split(quiet(x), slope(x, j) == gate(x), off, on)

        return at_heads(proof, p, lambda x: slope(x, j) == gate(x), of)

    # paths ---------------------------------------------------------------------------------------
    def _on_example(self, j: Term, example: Fact) -> Fact:
        """What moves the weights, as a sum over the paths through u."""
        proof, at = self.proof, self.at
        slopes = [self._slope(who, j, example) for who in (0, 1)]

        def of_path(p: Term) -> Term:
            return slopes_along(p, j) * x_of(p, j) * along_halves(p, self.u, self.ends, w)

        def of_edge(e: Term, among: Fact) -> Fact:
            first, second = at.first(e), at.second(e)
            rest = self._rests(e, among, j, example, slopes[1])
            found = self._by_paths(e, among, j, example, of_path)
            moved = w(second) * grad(first, j) + w(first) * grad(second, j)
            return proof.algebra(moved == found.term.args[1], {found: 1, rest: w(first)})

        def through(p: Term, path: Fact) -> Fact:
            count = proof.lemma("path through a vertex", self.members[0], path, v=self.u, p=p)
            active = self._active(p, j, example, slopes[0])
            left, right = count[self.side].term.args
            rest = x_of(p, j) * along_halves(p, self.u, self.ends, w)
            told = along(p, lambda f: When((head(f) != self.u) & inactive(head(f), j), 0, 1))
            return proof.algebra(
                left * of_path(p) == right * (told * rest),
                {count[self.side]: of_path(p), active: right * rest},
            )

        moved_by = proof.summed(at.many, of_edge)
        by_paths = proof.summed(paths(), through)
        return proof.algebra(
            pulled(at.many, at.moving, j) == by_paths.term.args[1], {moved_by: 1, by_paths: 1}
        )

    def _rests(self, e: Term, among: Fact, j: Term, example: Fact, none: Fact) -> Fact:
        """The derivative by the weight at v is 0."""
        proof, v, second = self.proof, self.v, self.at.second(e)
        at_v = self.at.ends(e, among)[2]
        (found,) = proof.lemma("gradient", example, self.flowing.single, e=second, j=j)
        known = self.members[1], example
        if self.side == 0:
            (sensed,) = proof.lemma("sensitivity", *known, self.flowing.single, v=v, j=j)
            told = proof.same(
                grad(second, j) == post(tail(second), j) * sensitivity(v, j), [found, at_v]
            )
            factor, behind = post(tail(second), j), sensed.term.args[1].args[1]
        else:
            defined = proof.defined(slope_left(v), proof.at(sloped(proof), self.members[1]))
            (sensed,) = proof.lemma("activation", *known, defined, v=v, j=j)
            told = proof.same(
                grad(second, j) == post(v, j) * sensitivity(head(second), j), [found, at_v]
            )
            factor, behind = sensitivity(head(second), j), z(v, j)
        return proof.algebra(grad(second, j) == 0, {told: 1, sensed: factor, none: factor * behind})

    def _by_paths(
        self, e: Term, among: Fact, j: Term, example: Fact, of_path: Callable[[Term], Term]
    ) -> Fact:
        """The derivative by the weight at u, times that of its partner, over the paths along it."""
        proof, partner = self.proof, self.at.second(e)
        found = self.flowing.of(e, j, example)
        (inside,) = proof.lemma("edge", e=e)
        nonzero = proof.at(proof.given[NONZERO_WEIGHTS.name], inside)

        def one(p: Term, path: Fact) -> Fact:
            factor = crossed(e, p) * slopes_along(p, j) * x_of(p, j)
            return proof.split(
                element(e, edges_on(p)),
                crossed(e, p) * flow(p, j) * w(partner) == w(e) * (crossed(e, p) * of_path(p)),
                lambda there: {self._exchanged(e, among, p, path, there): factor},
                lambda no: {
                    proof.branch(crossed(e, p), no): flow(p, j) * w(partner) - w(e) * of_path(p)
                },
            )

        many = proof.summed(paths(), one)
        (inverse,) = proof.lemma("reciprocal", nonzero, b=w(e))
        total, share = Sum(paths(), lambda p: crossed(e, p) * of_path(p)), 1 / w(e)
        left = grad(e, j) * w(partner)
        return proof.algebra(
            w(partner) * grad(e, j) == total,
            {found: share * w(partner), many: share, inverse: total - left},
        )

    def _exchanged(self, e: Term, among: Fact, p: Term, path: Fact, there: Fact) -> Fact:
        """Along a path through e the product of the weights, times that of the partner of e, is
        w_e times the product with the partner in the place of e."""
        proof, partner = self.proof, self.at.second(e)
        at_u = self.at.ends(e, among)[1]
        (mine,) = proof.lemma("edge of a path", there, e=e, p=p, c=w(e))
        (its,) = proof.lemma("edge of a path", there, e=e, p=p, c=w(partner))

        def of_edge(f: Term, on: Fact) -> Fact:
            one, other = When(f == e, w(partner), 1), When(f == e, w(e), 1)
            holds = w(f) * one == w(self.swapped(f)) * other

            def itself(same: Fact) -> Fact:
                taken = [proof.branch(one, same), proof.branch(other, same)]
                ends = proof.same(self.end(f) == self.u, [same], of=at_u)
                return proof.same(holds, [*taken, *self._taken(f, ends), same])

            def another(apart: Fact) -> Fact:
                taken = [proof.branch(one, apart), proof.branch(other, apart)]
                elsewhere = self._single(e, among, f, p, path, (there, on), apart)
                return self._kept(holds, f, taken, elsewhere)

            return proof.cases(f == e, itself, another)

        weights = proof.prod(proof.each(edges_on(p), of_edge))
        plain, halves = along(p, w), along_halves(p, self.u, self.ends, w)
        return proof.algebra(
            plain * w(partner) == w(e) * halves, {weights: 1, its: -plain, mine: halves}
        )

    def _taken(self, f: Term, at_u: Fact) -> list[Fact]:
        """Which edge stands in the place of one at u."""
        proof, outer = self.proof, self.swapped(f)
        if self.side == 0:
            return [proof.branch(outer, at_u)]
        (loop,) = proof.lemma("no loop", e=f)
        apart = proof.same(head(f) != self.u, [turned_around(proof, at_u)], of=loop)
        return [proof.branch(outer, apart), proof.branch(outer.args[2], at_u)]

    def _kept(self, holds: Term, f: Term, taken: list[Fact], elsewhere: Fact) -> Fact:
        """An edge of the path that is not at u on this side stands in its own place."""
        proof, u, outer = self.proof, self.u, self.swapped(f)
        (itself,) = proof.lemma("edge of its ends", e=f)

        def at_u(ends: Fact) -> Fact:
            by = [proof.branch(outer if self.side else outer.args[2], ends)]
            if self.side == 0:
                by.insert(0, proof.branch(outer, elsewhere))
            return proof.same(holds, [*taken, *by, turned_around(proof, ends), itself])

        def off(no: Fact) -> Fact:
            facts = (elsewhere, no) if self.side == 0 else (no, elsewhere)
            by = [proof.branch(outer, facts[0]), proof.branch(outer.args[2], facts[1])]
            return proof.same(holds, [*taken, *by])

        return proof.cases((tail(f) if self.side == 0 else head(f)) == u, at_u, off)

    def _single(
        self,
        e: Term,
        among: Fact,
        f: Term,
        p: Term,
        path: Fact,
        both: tuple[Fact, Fact],
        apart: Fact,
    ) -> Fact:
        """Another edge of the path is not at u on this side: the path has one there."""
        proof, u, many = self.proof, self.u, self.at.many
        goal = self.end(f) != u
        on_e, on_f = both

        def second(ends: Fact) -> Fact:
            listed = proof.lemma("at a vertex", v=u)[self.side]
            (inside,) = proof.lemma("edge", e=f)
            chosen = into_filter(proof, inside, ends, lambda g: self.end(g) == u)
            there = proof.same(element(f, many), [listed], of=chosen)

            def at_most(g: Term, _: Fact) -> Fact:
                met = element(g, edges_on(p))
                one, other = When(g == e, 1, 0), When(g == f, 1, 0)

                def is_e(same: Fact) -> Uses:
                    inside = is_one(proof, proof.same(met, [same], of=on_e))
                    none = is_none(proof, g == f, proof.same(g != f, [same], of=apart))
                    return {inside: 1, is_one(proof, same): -1, none: -1}

                def other_one(no: Fact) -> Uses:
                    more = at_least(
                        proof, met, g == f, lambda same: proof.same(met, [same], of=on_f)
                    )
                    return {more: 1, is_none(proof, g == e, no): -1}

                return proof.split(g == e, When(met, 1, 0) >= one + other, is_e, other_one)

            twice = proof.summed(many, at_most)
            counted = proof.lemma("path through a vertex", self.members[0], path, v=u, p=p)
            single = counted[self.side]
            met = single.term.args[1]
            limit = up_to_1(proof, (met.args[0] if met.op == "real" else met).args[0])
            wrong = proof.algebra(
                number(0) >= 1,
                {
                    twice: 1,
                    occurs(proof, among): 1,
                    occurs(proof, there): 1,
                    single: -1,
                    limit: 1,
                },
            )
            return proof.absurd(goal, wrong)

        return proof.cases(self.end(f) == u, second, lambda no: proof.same(goal, [], of=no))

    # in proportion -------------------------------------------------------------------------------
    def halves(self, p: Term) -> Term:
        """The product of the weights on a path with those of the partner in the place of one."""
        return along_halves(p, self.u, self.ends, w)

    def in_proportion(self, p: Term, path: Fact, gap: Term, at_edge: AtEdge) -> Fact:
        """What is 0 for each edge at u on a path is 0 for a path through u. at_edge: that it is, of
        an edge, the fact that it is one at u, and what it exchanges."""
        proof, u = self.proof, self.u

        def one(e: Term, among: Fact) -> Fact:
            def on(there: Fact) -> Uses:
                found = at_edge(e, among, self._exchanged(e, among, p, path, there))
                return {found: crossed(e, p)}

            return proof.split(
                element(e, edges_on(p)),
                crossed(e, p) * gap == 0,
                on,
                lambda no: {proof.branch(crossed(e, p), no): gap},
            )

        none = proof.summed(self.at.many, one)
        counted = proof.lemma("path through a vertex", self.members[0], path, v=u, p=p)
        through = counted[self.side].term.args[1]
        return proof.algebra(through * gap == 0, {none: 1, counted[self.side]: -gap})


AtEdge = Callable[[Term, Fact, Fact], Fact]


def much_larger(proof: Proof) -> None:
    """In an asymmetric case (65) is -r^2 times (67), up to the sign of the out-weights."""
    entering, leaving = (proof.part(proof.way[5], k) for k in (0, 1))
    sides = ActivePair(proof, 0), ActivePair(proof, 1)
    one, other = leaving.term.args

    def of(sign: int, out_weights: Fact) -> Fact:
        return _compared(proof, sides, entering, out_weights, sign)

    proof.cases(one, lambda yes: of(1, yes), lambda no: of(-1, proof.other(other, leaving, no)))


def _compared(
    proof: Proof,
    sides: tuple[ActivePair, ActivePair],
    entering: Fact,
    leaving: Fact,
    sign: int,
) -> Fact:
    ratio, (one, two) = proof.elements[2], sides
    u, left, right = one.u, proof.goal.args[0].args[0], proof.goal.args[1].args[1].args[0]

    def divided(gap: Term, e: Term, facts: dict[Fact, Term]) -> Fact:
        """A number is 0, as it is times a weight that is not."""
        (inside,) = proof.lemma("edge", e=e)
        nonzero = proof.at(proof.given[NONZERO_WEIGHTS.name], inside)
        (inverse,) = proof.lemma("reciprocal", nonzero, b=w(e))
        share = 1 / w(e)
        return proof.algebra(
            gap == 0, {inverse: -gap, **{fact: share * times for fact, times in facts.items()}}
        )

    def of_path(p: Term, path: Fact) -> Fact:
        plain = along(p, w)
        first, second = one.halves(p) + ratio * plain, plain - sign * ratio * two.halves(p)

        def at_in(e: Term, among: Fact, weights: Fact) -> Fact:
            mine = proof.at(entering, among)
            return divided(first, e, {weights: number(-1), mine: plain})

        def at_out(e: Term, among: Fact, weights: Fact) -> Fact:
            mine = proof.at(leaving, among)
            facts = {weights: number(1), mine: two.halves(p)}
            return divided(second, two.at.second(e), facts)

        met = one.in_proportion(p, path, first, at_in), two.in_proportion(p, path, second, at_out)
        through = met[0].term.args[0].args[0]
        gap = one.halves(p) + sign * ratio**2 * two.halves(p)
        return proof.algebra(through * gap == 0, {met[0]: 1, met[1]: -ratio})

    def on_example(j: Term, _: Fact) -> Fact:
        def weighted(p: Term, path: Fact) -> Fact:
            found = of_path(p, path)
            told = along(p, lambda f: When((head(f) != u) & inactive(head(f), j), 0, 1))
            factor = told * x_of(p, j)
            return proof.algebra(factor * found.term.args[0] == 0, {found: factor})

        many = proof.summed(paths(), weighted)
        return proof.algebra(kappa(j) * many.term.args[0] == 0, {many: kappa(j)})

    none = proof.summed(examples(), on_example)
    equal = proof.algebra(left == -sign * ratio**2 * right, {none: 1 / card(examples())})
    at_least_1 = _at_least_1(proof, ratio, proof.way[4])
    at_least_0 = proof.algebra(ratio >= 0, {at_least_1: 1, (): 1})

    def by_sign(positive: Fact, side: int) -> Fact:
        name = "absolute" if side == 1 else "absolute of a negative"
        (size,) = proof.lemma(name, positive, x=right)
        larger = _abs_at_least(proof, left, -sign * side)
        return proof.algebra(
            proof.goal,
            {
                larger: 1,
                equal: -sign * side,
                size: -ratio,
                (at_least_0, at_least_1, positive): 1,
            },
        )

    def below(negative: Fact) -> Fact:
        return by_sign(proof.algebra(right <= 0, {negative: 1}), -1)

    return proof.cases(right >= 0, lambda positive: by_sign(positive, 1), below)


def _at_least_1(proof: Proof, ratio: Term, member: Fact) -> Fact:
    """One of some numbers from 1 on is at least 1."""
    numbers = member.term.args[1]

    def none(less: Fact) -> Fact:
        def unlike(k: Term) -> Fact:
            zero = When(k == ratio, 1, 0) == 0

            def yes(equal: Fact) -> Fact:
                wrong = proof.algebra(number(0) >= k - 1, {less: 1, equal: -1})
                return proof.absurd(zero, wrong)

            return proof.cases(k == ratio, yes, lambda no: is_none(proof, k == ratio, no))

        counted = proof.some(Sum(numbers, lambda k: When(k == ratio, 1, 0)) >= 1, member)
        facts = [unlike(k) for k in numbers.args]
        wrong = proof.algebra(number(0) >= 1, {counted: 1, **dict.fromkeys(facts, -1)})
        return proof.absurd(ratio >= 1, wrong)

    return proof.cases(ratio >= 1, lambda yes: proof.algebra(ratio >= 1, {yes: 1}), none)


def _abs_at_least(proof: Proof, x: Term, sign: int) -> Fact:
    """|x| is at least x, and at least -x."""

    def positive(yes: Fact) -> Uses:
        (size,) = proof.lemma("absolute", yes, x=x)
        return {size: 1, yes: 1 - sign}

    def negative(no: Fact) -> Uses:
        most = proof.algebra(x <= 0, {no: 1})
        (size,) = proof.lemma("absolute of a negative", most, x=x)
        return {size: 1, most: 1 + sign}

    return proof.split(x >= 0, abs(x) >= sign * x, positive, negative)


def one_moves(side: int) -> Callable[[Proof], None]:
    """The proof of (65), side 0, or (67), side 1."""
    return lambda proof: ActivePair(proof, side).prove()
