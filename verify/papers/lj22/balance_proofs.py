"""Lemmas 2 and 3: why squares of weights balance at a vertex, at a pair, and between layers.

Signs, labels and the loss do not matter: the velocity of a weight is linear in the derivatives of
nu, and these balance on every example, whatever the slopes at kinks are
(docs/mathematics/engine.md#the-balance-theorem).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verify.language.building import (
    Sum,
    card,
    edge,
    edges,
    examples,
    grad,
    head,
    hidden,
    into,
    out_of,
    paths,
    post,
    sensitivity,
    slope,
    slope_left,
    tail,
    users,
    w,
    z,
)
from verify.language.proof_facts import crossed, flow
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term, make, substituted
from verify.papers.lj22.graph_terms import inactive
from verify.papers.lj22.path_terms import kappa
from verify.statements.network_hypotheses import (
    ALL_LEARNABLE,
    DIFFERENTIABLE,
    FEEDFORWARD,
    FULLY_CONNECTED,
    HOMOGENEOUS,
    OWN_PARAMETERS,
    RELU_OR_LINEAR,
)

SHARE = -1 / card(examples())
OfEdge = Callable[[Term], Term]
Moving = Sequence[tuple[OfEdge, OfEdge]]
"""Of a summand for an edge: the edges whose weights move it, and its derivatives by these."""
SQUARE: Moving = ((lambda e: e, lambda e: 2 * w(e)),)


# what every such proof knows ---------------------------------------------------------------------
def one_output(proof: Proof) -> Fact:
    """That the network has one output."""
    return proof.part(proof.part(proof.given[FEEDFORWARD.name], 0), 0)


def sloped(proof: Proof) -> Fact:
    """That the hidden activations have slopes left and right of 0: what says so of each."""
    alike = HOMOGENEOUS if HOMOGENEOUS.name in proof.given else RELU_OR_LINEAR
    return proof.part(proof.given[alike.name], 0)


def all_sloped(proof: Proof) -> Fact:
    """That the slopes left of 0 of all hidden activations have a value."""
    alike = sloped(proof)

    def one(v: Term, member: Fact) -> Fact:
        return proof.defined(slope_left(v), proof.at(alike, member))

    every = proof.each(hidden(), one)
    return proof.defined(every.term, every)


# velocities --------------------------------------------------------------------------------------
def driven(e: Term) -> Term:
    """The sum over examples and over the users of an edge that is its velocity, times -n."""
    return Sum(examples(), lambda j: Sum(users(e), lambda f: kappa(j) * grad(f, j)))


def moved_by(e: Term, moving: Moving, speed: OfEdge) -> Term:
    """The derivative of a summand, where the weight of an edge has some speed."""
    first, *others = (times(e) * speed(part(e)) for part, times in moving)
    return sum(others, start=first)


def pulled(edges: Term, moving: Moving, j: Term) -> Term:
    """What an example adds to the rate of a sum over edges, but for its factor."""
    return Sum(edges, lambda e: moved_by(e, moving, lambda f: grad(f, j)))


def rate_of(
    proof: Proof, rate: Term, moving: Moving, own: Callable[[Term, Fact], Sequence[Fact]]
) -> Fact:
    """The rate of a sum over edges as a sum over examples. own: of an edge in it, that those which
    move it have parameters of their own."""
    edges = rate.args[0].args[0]

    def velocity(f: Term) -> Term:
        return SHARE * driven(f)

    known = proof.rate(rate.args[0], Sum(edges, lambda e: moved_by(e, moving, velocity)))

    def one(e: Term, member: Fact) -> Fact:
        alone = [
            proof.lemma("alone", fact, e=part(e))[0]
            for (part, _), fact in zip(moving, own(e, member), strict=True)
        ]
        added = Sum(examples(), lambda j: kappa(j) * moved_by(e, moving, lambda f: grad(f, j)))
        return proof.same(moved_by(e, moving, driven) == added, alone)

    each = proof.summed(edges, one)
    whole = Sum(examples(), lambda j: kappa(j) * pulled(edges, moving, j))
    return proof.algebra(rate == SHARE * whole, {known: 1, each: SHARE})


def summed(proof: Proof, on_example: Callable[[Term, Fact], Fact]) -> Fact:
    """The sums over the examples of kappa times the two sides of what holds on each."""
    return proof.summed(
        examples(), lambda j, example: proof.times(on_example(j, example), kappa(j))
    )


def balanced(proof: Proof, rates: Sequence[Fact], on_example: Callable[[Term, Fact], Fact]) -> Fact:
    """Two rates are equal, as what each example adds to them is. on_example: that it is."""
    arriving, leaving = rates

    many = summed(proof, on_example)
    sides = arriving.term.args[0] == leaving.term.args[0]
    return proof.algebra(sides, {arriving: 1, leaving: -1, many: SHARE})


# at a vertex -------------------------------------------------------------------------------------
def vertex_balance(proof: Proof) -> None:
    """Lemma 2, first part: the sums over the edges in and out are both slope z D, with D the sum of
    w times the sensitivity of the head over the edges out."""
    (v,), (member, owned) = proof.elements, proof.way
    single, slopes = one_output(proof), proof.at(sloped(proof), member)
    defined = proof.defined(slope_left(v), slopes)
    arriving, leaving = proof.goal.args

    def own(side: int) -> Callable[[Term, Fact], list[Fact]]:
        all_own = proof.part(owned, side)
        return lambda e, among: [proof.at(all_own, among)]

    sides = [rate_of(proof, rate, SQUARE, own(k)) for k, rate in enumerate((arriving, leaving))]

    def on_example(j: Term, example: Fact) -> Fact:
        (pre,) = proof.lemma("pre-activation", member, example, v=v, j=j)
        (activation,) = proof.lemma("activation", member, example, defined, v=v, j=j)
        (sensed,) = proof.lemma("sensitivity", member, example, single, v=v, j=j)

        def along(name: str, derivative: OfEdge) -> Callable[[Term, Fact], Fact]:
            def one(e: Term, among: Fact) -> Fact:
                (end,) = proof.lemma(name, among, e=e, v=v)
                (found,) = proof.lemma("gradient", example, single, e=e, j=j)
                return proof.same(2 * w(e) * grad(e, j) == 2 * w(e) * derivative(e), [found, end])

            return one

        entering = along("into", lambda e: post(tail(e), j) * sensitivity(v, j))
        going = along("out of", lambda e: post(v, j) * sensitivity(head(e), j))
        first = proof.summed(into(v), entering)
        second = proof.summed(out_of(v), going)
        behind = Sum(out_of(v), lambda e: w(e) * sensitivity(head(e), j))
        return proof.algebra(
            pulled(into(v), SQUARE, j) == pulled(out_of(v), SQUARE, j),
            {
                first: 1,
                second: -1,
                pre: -2 * sensitivity(v, j),
                sensed: 2 * z(v, j),
                activation: -2 * behind,
            },
        )

    balanced(proof, sides, on_example)


# paths along an edge -----------------------------------------------------------------------------
class Flowing:
    """The lemma of paths, on an example. of: a fact that speaks of the paths, if the leaf does
    not."""

    def __init__(self, proof: Proof, of: Fact | None = None) -> None:
        self.proof, self.single = proof, one_output(proof)
        self.known = all_sloped(proof), proof.defined(paths(), of)

    def of(self, e: Term, j: Term, example: Fact) -> Fact:
        """w_e dnu/dw_e is what the paths along e add to the output."""
        return self.proof.lemma("paths", example, self.single, *self.known, e=e, j=j)[0]

    def over(self, edges: Term, j: Term, example: Fact) -> Fact:
        """The sum over edges of w dnu/dw, by paths."""
        return self.proof.summed(edges, lambda e, _: self.of(e, j, example))


# between layers ----------------------------------------------------------------------------------
class Layer:
    """A layer, by a hypothesis that it is one: its edges are learnable, and each path goes along
    one of them."""

    def __init__(self, proof: Proof, layer: Term, is_layer: Fact) -> None:
        self.proof, self.layer = proof, layer
        before = proof.part(is_layer, 0)
        self.owned, self.most = proof.part(proof.part(before, 0), 1), proof.part(before, 1)
        self.least = proof.part(is_layer, 1)
        self.flowing = Flowing(proof, self.most)

    def own(self, _: Term, among: Fact) -> list[Fact]:
        """That the parameter of an edge of it is its own."""
        return [self.proof.at(self.owned, among)]

    def over_paths(self, j: Term, example: Fact) -> list[Fact]:
        """Whose sum is that w dnu/dw over the layer is what all paths add to the output."""
        proof = self.proof

        def once(p: Term, path: Fact) -> Fact:
            crossing = proof.both(proof.at(self.most, path), proof.at(self.least, path))
            count = Sum(self.layer, lambda e: crossed(e, p))
            return proof.algebra(flow(p, j) * count == flow(p, j), {crossing: flow(p, j)})

        return [self.flowing.over(self.layer, j, example), proof.summed(paths(), once)]


def layer_balance(proof: Proof) -> None:
    """Lemma 3: on every example the sum of w dnu/dw over a layer is that over all paths, each of
    which goes along one edge of it. The hypothesis that has the layers is the first one."""
    two = next(iter(proof.given.values()))
    one, other = (
        Layer(proof, rate.args[0].args[0], proof.part(two, k))
        for k, rate in enumerate(proof.goal.args)
    )
    sides = [
        rate_of(proof, rate, SQUARE, layer.own)
        for rate, layer in zip(proof.goal.args, (one, other), strict=True)
    ]

    def on_example(j: Term, example: Fact) -> Fact:
        first, second = one.over_paths(j, example), other.over_paths(j, example)
        goal = pulled(one.layer, SQUARE, j) == pulled(other.layer, SQUARE, j)
        return proof.algebra(goal, {**dict.fromkeys(first, 2), **dict.fromkeys(second, -2)})

    balanced(proof, sides, on_example)


def depth_balance(proof: Proof) -> None:
    """Appendix E: the depth times the rate of the last layer is the rate of all weights, since each
    path has that many edges, one of them into the output."""
    last, everything = proof.goal.args[0].args[1], proof.goal.args[1]
    depth, equal = proof.goal.args[0].args[0], proof.part(proof.given[FULLY_CONNECTED.name], 1)
    flowing = Flowing(proof, equal)
    learnable, alone = proof.given[ALL_LEARNABLE.name], proof.given[OWN_PARAMETERS.name]
    o = last.args[0].args[0].args[0]
    (at_output,) = proof.lemma("output", flowing.single)

    def own(e: Term, _: Fact) -> list[Fact]:
        (member,) = proof.lemma("edge", e=e)
        return [proof.then(proof.at(alone, member), proof.at(learnable, member))]

    sides = [rate_of(proof, rate, SQUARE, own) for rate in (last, everything)]

    def on_example(j: Term, example: Fact) -> Fact:
        def at_end(p: Term, path: Fact) -> Fact:
            (end,) = proof.lemma("end of a path", at_output, path, flowing.single, o=o, p=p)
            count = end.term.args[0]
            return proof.algebra(flow(p, j) * count == flow(p, j), {end: flow(p, j)})

        def along_all(p: Term, path: Fact) -> Fact:
            (count,) = proof.lemma("on a path", p=p)
            many, length = count.term.args[0], proof.at(equal, path)
            sides = flow(p, j) * many == flow(p, j) * depth
            return proof.algebra(sides, {count: flow(p, j), length: flow(p, j)})

        first = [flowing.over(into(o), j, example), proof.summed(paths(), at_end)]
        second = [flowing.over(edges(), j, example), proof.summed(paths(), along_all)]
        return proof.algebra(
            depth * pulled(into(o), SQUARE, j) == pulled(edges(), SQUARE, j),
            {**dict.fromkeys(first, 2 * depth), **dict.fromkeys(second, -2)},
        )

    many = summed(proof, on_example)
    proof.algebra(proof.goal, {sides[0]: depth, sides[1]: -1, many: SHARE})


# at a pair of vertices ---------------------------------------------------------------------------
@dataclass(frozen=True)
class Side:
    """The edges at u and v that belong together, those into both or those out of both. many: what
    they are told by. first, second: the edge at u, at v; end: their other end. ends: of an
    element, the facts that say where the two edges are; own: that their parameters are their own.
    """

    many: Term
    first: OfEdge
    second: OfEdge
    end: OfEdge
    ends: Callable[[Term, Fact], Sequence[Fact]]
    own: Callable[[Term, Fact], Sequence[Fact]]

    @property
    def moving(self) -> Moving:
        """What moves the product of their weights."""
        return (
            (self.first, lambda e: w(self.second(e))),
            (self.second, lambda e: w(self.first(e))),
        )


class Pair:
    """Two hidden vertices u and v, which may be one and the same. known: of each that it is hidden;
    told: of each and an example the pre-activation and the sensitivity as sums over the two
    sides."""

    def __init__(
        self,
        proof: Proof,
        vertices: Sequence[Term],
        known: Sequence[Fact],
        sides: tuple[Side, Side],
        told: Callable[[int, Term, Fact], tuple[Fact, Fact]],
    ) -> None:
        self.proof, self.known, self.sides, self.told = proof, tuple(known), sides, told
        self.u, self.v = vertices
        self.single, self.sloped = one_output(proof), sloped(proof)

    def balance(self, slopes: Callable[[Term, Fact], Fact], rates: Sequence[Term]) -> Fact:
        """That two rates, over what arrives and what leaves, are equal. slopes: that on an example
        u and v have one slope."""
        found = [
            rate_of(self.proof, rate, side.moving, side.own)
            for rate, side in zip(rates, self.sides, strict=True)
        ]
        return balanced(self.proof, found, lambda j, example: self._on_example(j, example, slopes))

    def _on_example(self, j: Term, example: Fact, slopes: Callable[[Term, Fact], Fact]) -> Fact:
        proof, u, v = self.proof, self.u, self.v
        one_slope = slopes(j, example)
        active = [self._activation(k, j, example) for k in (0, 1)]
        (pre_u, sensed_u), (pre_v, sensed_v) = (self.told(k, j, example) for k in (0, 1))
        arrive, leave = (self._along(k, j, example) for k in (0, 1))
        behind_u, behind_v = (sensed.term.args[1].args[1] for sensed in (sensed_u, sensed_v))
        first, second = (pulled(side.many, side.moving, j) for side in self.sides)
        return proof.algebra(
            first == second,
            {
                arrive: 1,
                leave: -1,
                pre_v: -sensitivity(u, j),
                pre_u: -sensitivity(v, j),
                sensed_u: z(v, j),
                sensed_v: z(u, j),
                active[0]: -behind_v,
                active[1]: -behind_u,
                one_slope: behind_u * z(v, j) - behind_v * z(u, j),
            },
        )

    def _activation(self, k: int, j: Term, example: Fact) -> Fact:
        x = (self.u, self.v)[k]
        defined = self.proof.defined(slope_left(x), self.proof.at(self.sloped, self.known[k]))
        return self.proof.lemma("activation", self.known[k], example, defined, v=x, j=j)[0]

    def _along(self, k: int, j: Term, example: Fact) -> Fact:
        """What the edges of a side add, by values at tails and sensitivities at heads."""
        proof, side = self.proof, self.sides[k]

        def one(x: Term, member: Fact) -> Fact:
            e, f, end = side.first(x), side.second(x), side.end(x)
            gradients = [
                proof.lemma("gradient", example, self.single, e=each, j=j)[0] for each in (e, f)
            ]
            if k == 0:
                at_u, at_v = (post(end, j) * sensitivity(x, j) for x in (self.u, self.v))
            else:
                at_u, at_v = (post(x, j) * sensitivity(end, j) for x in (self.u, self.v))
            pulls = w(f) * grad(e, j) + w(e) * grad(f, j)
            told = w(f) * at_u + w(e) * at_v
            return proof.same(pulls == told, [*gradients, *side.ends(x, member)])

        return proof.summed(side.many, one)


def slope_not_below(
    proof: Proof, v: Term, j: Term, known: dict[str, Fact], right: Fact, least: Fact
) -> Fact:
    """The slope is 1 where there is no kink, the slope on the right is 1, and the pre-activation at
    least 0. known: that v is a hidden vertex, j an example, its slopes defined, and no kink."""
    facts = known["member"], known["example"], known["defined"]
    one = slope(v, j) == 1

    def above(positive: Fact) -> Fact:
        (found,) = proof.lemma("slope above", *facts, positive, v=v, j=j)
        return proof.algebra(one, {found: 1, right: 1})

    def at_zero(most: Fact) -> Fact:
        zero = proof.both(most, least)
        alike = proof.then(proof.at(known["smooth"], known["example"]), zero)
        (found,) = proof.lemma("slope without kink", *facts, alike, v=v, j=j)
        return proof.algebra(one, {found: 1, alike: 1, right: 1})

    return proof.cases(z(v, j) > 0, above, at_zero)


def slope_of_active(proof: Proof, v: Term, j: Term, known: dict[str, Fact], active: Fact) -> Fact:
    """The slope of a ReLU or linear vertex that is active is 1. known: that it is a hidden vertex,
    j an example, its slopes defined, of which kind it is, and that there is no kink."""
    facts = known["member"], known["example"], known["defined"]
    kinds, right = proof.part(known["kind"], 0), proof.part(known["kind"], 1)
    one = slope(v, j) == 1

    def below(negative: Fact) -> Fact:
        (found,) = proof.lemma("slope below", *facts, negative, v=v, j=j)
        left = proof.other(
            slope_left(v) == 1, kinds, proof.other(slope_left(v) != 0, active, negative)
        )
        return proof.algebra(one, {found: 1, left: 1})

    def not_below(least: Fact) -> Fact:
        return slope_not_below(proof, v, j, known, right, least)

    return proof.cases(z(v, j) < 0, below, not_below)


def one_slope(
    proof: Proof, members: Sequence[Fact], patterns: Fact
) -> Callable[[Term, Fact], Fact]:
    """On an example that the two vertices, which have equal activation patterns, have one slope
    there, at a point without kinks."""
    u, v = proof.elements
    kinds, same_pattern = proof.part(patterns, 0), proof.part(patterns, 1)

    def about(place: int, example: Fact) -> dict[str, Fact]:
        return at_smooth(proof, (u, v)[place], members[place], example, proof.part(kinds, place))

    def slopes(j: Term, example: Fact) -> Fact:
        both = [about(0, example), about(1, example)]
        forth, back = (proof.part(proof.at(same_pattern, example), k) for k in (0, 1))
        equal = slope(u, j) == slope(v, j)

        def off(quiet: Fact) -> Fact:
            facts = [
                slope_of_inactive(proof, x, j, known, one)
                for x, known, one in ((u, both[0], quiet), (v, both[1], proof.then(forth, quiet)))
            ]
            return proof.algebra(equal, {facts[0]: 1, facts[1]: -1})

        def on(loud: Fact) -> Fact:
            def first(quiet: Fact) -> Fact:
                return proof.absurd(equal, proof.then(back, quiet), loud)

            def second(other: Fact) -> Fact:
                facts = [
                    slope_of_active(proof, x, j, known, one)
                    for x, known, one in ((u, both[0], loud), (v, both[1], other))
                ]
                return proof.algebra(equal, {facts[0]: 1, facts[1]: -1})

            return proof.cases(inactive(v, j), first, second)

        return proof.cases(inactive(u, j), off, on)

    return slopes


def sides_of_pair_edges(proof: Proof) -> tuple[tuple[Side, Side], tuple[list[Fact], list[Fact]]]:
    """The edges into a pair with the same neighbours, and those out of it; and what says so."""
    known = proof.way[2]
    u, v = proof.elements[:2]
    apart_and_same, incident = proof.part(known, 0), proof.part(known, 1)
    same = proof.part(apart_and_same, 1)
    arriving, leaving = (
        [proof.part(proof.part(same, k), place) for place in (0, 1)] for k in (0, 1)
    )
    own = [[proof.part(proof.part(incident, who), side) for who in (0, 1)] for side in (0, 1)]

    def side(k: int, near: Fact, lemma: str, at: str, names: tuple[Term, OfEdge, OfEdge]) -> Side:
        many, partner, end = names

        def found(e: Term, among: Fact) -> list[Fact]:
            return proof.lemma(lemma, among, near, u=u, e=e, v=v)

        def ends(e: Term, among: Fact) -> list[Fact]:
            other, far = found(e, among)
            (at_u,) = proof.lemma(at, among, e=e, v=u)
            (at_v,) = proof.lemma(at, other, e=partner(e), v=v)
            return [far, at_u, at_v]

        def owned(e: Term, among: Fact) -> list[Fact]:
            return [proof.at(own[k][0], among), proof.at(own[k][1], found(e, among)[0])]

        return Side(many, lambda e: e, partner, end, ends, owned)

    into_both = (into(u), lambda e: edge(tail(e), v), lambda e: tail(e))
    out_of_both = (out_of(u), lambda e: edge(v, head(e)), lambda e: head(e))
    sides = (
        side(0, arriving[0], "edge from a neighbour", "into", into_both),
        side(1, leaving[0], "edge to a neighbour", "out of", out_of_both),
    )
    return sides, (arriving, leaving)


def pair_balance(proof: Proof) -> None:
    """Lemma 2, second part: of a pair with equal activation patterns, at a point without kinks."""
    *members, _, patterns = proof.way
    u, v = proof.elements
    sides, (arriving, leaving) = sides_of_pair_edges(proof)
    single = one_output(proof)

    def told(k: int, j: Term, example: Fact) -> tuple[Fact, Fact]:
        if k == 0:
            (pre,) = proof.lemma("pre-activation", members[0], example, v=u, j=j)
            (sensed,) = proof.lemma("sensitivity", members[0], example, single, v=u, j=j)
        else:
            facts = (members[1], example, *arriving)
            (pre,) = proof.lemma("same in-neighbours", *facts, u=u, j=j, v=v)
            facts = (members[1], example, single, *leaving)
            (sensed,) = proof.lemma("same out-neighbours", *facts, u=u, j=j, v=v)
        return pre, sensed

    slopes = one_slope(proof, members, patterns)
    Pair(proof, (u, v), members, sides, told).balance(slopes, proof.goal.args)


def sides_of_pair(proof: Proof) -> None:
    """(46) and (49): as u and v have one slope, so have the paths through them one product."""
    *members, _, patterns = proof.way
    slopes = one_slope(proof, members, patterns)
    left, right = (side.args[1] for side in proof.goal.args)

    def one(j: Term, example: Fact) -> Fact:
        sides = (substituted(body.term, body.variables[0], j) for body in (left, right))
        return proof.same(make("eq", *sides), [slopes(j, example)])

    proof.summed(examples(), one)


def at_smooth(
    proof: Proof, v: Term, member: Fact, example: Fact, kind: Fact, place: int = 0
) -> dict[str, Fact]:
    """What is known of a vertex on an example where there is no kink. place: 0 of a hidden one, 1
    of an output."""
    smooth = proof.part(proof.given[DIFFERENTIABLE.name], place)
    slopes = proof.part(proof.given[HOMOGENEOUS.name], 1) if place else sloped(proof)
    return {
        "member": member,
        "example": example,
        "defined": proof.defined(slope_left(v), proof.at(slopes, member)),
        "kind": kind,
        "smooth": proof.at(smooth, member),
    }


def slope_of_inactive(
    proof: Proof, v: Term, j: Term, known: dict[str, Fact], inactive: Fact
) -> Fact:
    """The slope of a ReLU vertex with a negative pre-activation is 0."""
    left, negative = proof.part(inactive, 0), proof.part(inactive, 1)
    facts = known["member"], known["example"], known["defined"], negative
    (found,) = proof.lemma("slope below", *facts, v=v, j=j)
    return proof.algebra(slope(v, j) == 0, {found: 1, left: 1})


def squares_are_products(proof: Proof) -> None:
    """Products of the weights of two edges with the same ends are squares."""
    (v,) = proof.elements

    def side(edges: Term, lemma: str, other: OfEdge) -> Fact:
        def one(e: Term, member: Fact) -> Fact:
            (end,) = proof.lemma(lemma, member, e=e, v=v)
            (itself,) = proof.lemma("edge of its ends", e=e)
            between = edge(tail(e), head(e))
            known = proof.same(w(e) * w(between) == w(e) ** 2, [itself])
            return proof.same(w(e) * w(other(e)) == w(e) ** 2, [turned_around(proof, end)], known)

        return proof.summed(edges, one)

    arriving = side(into(v), "into", lambda e: edge(tail(e), v))
    leaving = side(out_of(v), "out of", lambda e: edge(v, head(e)))
    proof.algebra(proof.goal, {arriving: 1, leaving: -1})


def turned_around(proof: Proof, equation: Fact) -> Fact:
    """a = b as b = a."""
    one, other = equation.term.args
    return proof.same(other == one, [equation])
