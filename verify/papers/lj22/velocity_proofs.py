"""The output and velocities as sums over paths: (1) to (3), (9), (31), (33) to (39) and (51).

The checker trusts that w_e dnu/dw_e is the sum over the paths along e of the products of weights,
slopes and the input
(docs/mathematics/proofs.md#paths). What follows counts paths: one that reaches a hidden
vertex goes along one edge into it and along one out of it; and divides by a weight that is not 0.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Prod,
    Rate,
    Sum,
    When,
    card,
    edges_on,
    element,
    examples,
    grad,
    head,
    hidden,
    into,
    nu,
    out_of,
    outputs,
    paths,
    post,
    slope,
    slope_left,
    slope_right,
    tail,
    w,
)
from verify.language.proof_facts import crossed, flow
from verify.language.proofs import Fact, Proof, Use, Uses, follows
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import (
    SHARE,
    SQUARE,
    Flowing,
    Layer,
    OfEdge,
    driven,
    rate_of,
    summed,
)
from verify.papers.lj22.path_terms import all_active, along_others, kappa, slopes_along, x_of
from verify.papers.lj22.tree_terms import OUTPUT
from verify.statements.network_hypotheses import NONZERO_WEIGHTS, OWN_PARAMETERS, RELU_OR_LINEAR


# the output, and which paths are active ----------------------------------------------------------
def output_by_paths(proof: Proof) -> None:
    """(1): each path goes along one edge into the output, whose value is its slope times the sum of
    w post(tail) over these."""
    (j,), (example,) = proof.elements, proof.way
    flowing = Flowing(proof)
    o, named = proof.name(OUTPUT)
    back = proof.same(named.term.args[1] == o, [named])
    (first,) = proof.lemma("output", flowing.single)
    last = proof.same(element(o, outputs()), [back], first)
    (value,) = proof.lemma("value", example, flowing.single, j=j)
    of_output = proof.same(nu(j) == post(o, j), [back], value)
    kind = proof.at(proof.part(proof.given[RELU_OR_LINEAR.name], 1), last)
    defined = proof.defined(slope_left(o), kind)
    (active,) = proof.lemma("activation", example, defined, v=o, j=j)
    (pre,) = proof.lemma("pre-activation of an output", last, example, v=o, j=j)
    (sensed,) = proof.lemma("sensitivity of the output", last, example, flowing.single, v=o, j=j)

    def along(e: Term, among: Fact) -> Fact:
        (end,) = proof.lemma("into", among, e=e, v=o)
        (gradient,) = proof.lemma("gradient", example, flowing.single, e=e, j=j)
        of_tail = post(tail(e), j) * slope(o, j)
        told = proof.same(grad(e, j) == of_tail, [gradient, end, sensed])
        over = flowing.of(e, j, example)
        return proof.algebra(w(e) * of_tail == over.term.args[1], {told: -w(e), over: 1})

    def once(p: Term, path: Fact) -> Fact:
        (end,) = proof.lemma("end of a path", last, path, flowing.single, o=o, p=p)
        told = all_slopes_active(proof, p, j, example)
        rest = x_of(p, j) * Prod(edges_on(p), w)
        goal = end.term.args[0] * flow(p, j) == all_active(p, j) * rest
        return proof.algebra(goal, {end: flow(p, j), told: rest})

    edges = proof.summed(into(o), along)
    many = proof.summed(paths(), once)
    uses: dict[Use, int | Term] = {of_output: 1, active: 1, pre: slope(o, j), edges: 1, many: 1}
    proof.algebra(proof.goal, uses)


def all_slopes_active(proof: Proof, p: Term, j: Term, example: Fact) -> Fact:
    """Z_p: along a path the product of the slopes is that of the slopes of the ReLUs."""

    def gated(v: Term) -> Term:
        return When(slope_left(v) == 0, slope(v, j), 1)

    def of(v: Term, member: Fact, side: int) -> Fact:
        kind = proof.at(proof.part(proof.given[RELU_OR_LINEAR.name], side), member)
        defined = proof.defined(slope_left(v), kind)

        def linear(other: Fact) -> Uses:
            left = proof.other(slope_left(v) == 1, proof.part(kind, 0), other)
            right = proof.part(kind, 1)
            alike = proof.algebra(slope_left(v) == slope_right(v), {left: 1, right: -1})
            (found,) = proof.lemma("slope without kink", example, defined, alike, v=v, j=j)
            return {found: 1, left: 1, proof.branch(gated(v), other): -1}

        return proof.split(
            slope_left(v) == 0,
            slope(v, j) == gated(v),
            lambda zero: {proof.branch(gated(v), zero): -1},
            linear,
        )

    return at_heads(proof, p, lambda v: slope(v, j) == gated(v), of)


def at_heads(proof: Proof, p: Term, says: OfEdge, of: Callable[[Term, Fact, int], Fact]) -> Fact:
    """An equation for the heads of the edges on a path, multiplied. of: of a vertex, the fact that
    it is hidden, 0, or that it is an output, 1."""

    def one(e: Term, _: Fact) -> Fact:
        v, named = proof.name(head(e))
        (some,) = proof.lemma("edge into", e=e)
        (either,) = proof.lemma("with in-edges", turned_into(proof, some, v, named), v=v)
        found = proof.cases(
            element(v, hidden()),
            lambda member: of(v, member, 0),
            lambda no: of(v, proof.other(element(v, outputs()), either, no), 1),
        )
        return proof.same(says(head(e)), [named], found)

    return proof.prod(proof.each(edges_on(p), one))


def turned_into(proof: Proof, fact: Fact, v: Term, named: Fact) -> Fact:
    """That there are edges into head(e), of the vertex that is a name for it."""
    back = proof.same(named.term.args[1] == v, [named])
    return proof.same(card(into(v)) != 0, [back], fact)


# the rule of the flow ----------------------------------------------------------------------------
def velocity_of(proof: Proof, e: Term, own: Fact) -> Fact:
    """The velocity of a parameter that has one edge."""
    (alone,) = proof.lemma("alone", own, e=e)
    rate = proof.rate(w(e), SHARE * driven(e))
    whole = Sum(examples(), lambda j: kappa(j) * grad(e, j))
    written = proof.same(driven(e) == whole, [alone])
    return proof.algebra(Rate(w(e)) == SHARE * whole, {rate: 1, written: SHARE})


VELOCITY = follows(lambda proof: velocity_of(proof, proof.elements[0], own_parameter(proof)))
"""(31): the rule of the flow, for a parameter that has one edge."""


def own_parameter(proof: Proof) -> Fact:
    """That the learnable edge of which a statement speaks has a parameter of its own."""
    among, learnable = proof.way[:2]
    return proof.then(proof.at(proof.given[OWN_PARAMETERS.name], among), learnable)


# by paths ----------------------------------------------------------------------------------------
def velocity_by_paths(proof: Proof) -> None:
    """(34): of w dw/dt, over the paths along the edge."""
    (e,), flowing = proof.elements, Flowing(proof)
    many = summed(proof, lambda j, example: flowing.of(e, j, example))
    velocity = velocity_of(proof, e, own_parameter(proof))
    proof.algebra(proof.goal, {velocity: w(e), many: SHARE})


def velocity_by_sizes(proof: Proof) -> None:
    """(34), by the signs of the weights and their sizes."""
    (e,), flowing = proof.elements, Flowing(proof)

    def on_example(j: Term, example: Fact) -> Fact:
        found = flowing.of(e, j, example)

        def one(p: Term, _: Fact) -> Fact:
            def of_edge(f: Term, _: Fact) -> Fact:
                size = proof.lemma("sign", x=w(f))[0]
                return proof.algebra(size.term, {size: 1})

            weights = proof.prod(proof.each(edges_on(p), of_edge))
            return proof.times(weights, crossed(e, p) * slopes_along(p, j) * x_of(p, j))

        parts = proof.summed(paths(), one)
        left, right = found.term.args[0], parts.term.args[0]
        return proof.algebra(left == right, {found: 1, parts: -1})

    many = summed(proof, on_example)
    velocity = velocity_of(proof, e, own_parameter(proof))
    proof.algebra(proof.goal, {velocity: w(e), many: SHARE})


# without the weight of the edge ------------------------------------------------------------------
def divided(proof: Proof, e: Term, found: Fact, nonzero: Fact, j: Term) -> Fact:
    """dnu/dw_e, as w_e is not 0: on a path along e the product of the weights is w_e times that of
    the others."""

    def without(p: Term) -> Term:
        return slopes_along(p, j) * x_of(p, j) * along_others(p, e, w)

    def one(p: Term, _: Fact) -> Fact:
        def along(on: Fact) -> Uses:
            (itself,) = proof.lemma("edge of a path", on, e=e, p=p, c=w(e))

            def split(f: Term, _: Fact) -> Fact:
                others, alone = When(f != e, w(f), 1), When(f == e, w(e), 1)

                def is_e(same: Fact) -> Uses:
                    weight = proof.same(w(f) == w(e), [same])
                    return {
                        weight: 1,
                        proof.branch(alone, same): -1,
                        proof.branch(others, same): -alone,
                    }

                return proof.split(
                    f == e,
                    w(f) == others * alone,
                    is_e,
                    lambda no: {proof.branch(others, no): -alone, proof.branch(alone, no): -w(f)},
                )

            weights = proof.prod(proof.each(edges_on(p), split))
            factor = crossed(e, p) * slopes_along(p, j) * x_of(p, j)
            rest = Prod(edges_on(p), lambda f: When(f != e, w(f), 1))
            return {weights: factor, itself: factor * rest}

        return proof.split(
            element(e, edges_on(p)),
            crossed(e, p) * flow(p, j) == w(e) * (crossed(e, p) * without(p)),
            along,
            lambda no: {proof.branch(crossed(e, p), no): flow(p, j) - w(e) * without(p)},
        )

    many = proof.summed(paths(), one)
    (inverse,) = proof.lemma("reciprocal", nonzero, b=w(e))
    total = Sum(paths(), lambda p: crossed(e, p) * without(p))
    share = 1 / w(e)
    return proof.algebra(
        grad(e, j) == total,
        {found: share, many: share, inverse: total - grad(e, j)},
    )


def derivative_by_paths(proof: Proof) -> None:
    """(2)."""
    (e, j), (among, _, example) = proof.elements, proof.way
    nonzero = proof.at(proof.given[NONZERO_WEIGHTS.name], among)
    found = divided(proof, e, Flowing(proof).of(e, j, example), nonzero, j)
    proof.algebra(proof.goal, {found: 1})


def derivative_by_active_paths(proof: Proof) -> None:
    """(3) as mended."""
    (e, j), (among, _, example) = proof.elements, proof.way
    nonzero = proof.at(proof.given[NONZERO_WEIGHTS.name], among)
    found = divided(proof, e, Flowing(proof).of(e, j, example), nonzero, j)

    def one(p: Term, _: Fact) -> Fact:
        told = all_slopes_active(proof, p, j, example)
        return proof.times(told, crossed(e, p) * x_of(p, j) * along_others(p, e, w))

    proof.algebra(proof.goal, {found: 1, proof.summed(paths(), one): 1})


def _divided(proof: Proof) -> Fact:
    """The sum over the examples of kappa dnu/dw_e, over the paths along e."""
    (e,), flowing = proof.elements, Flowing(proof)
    nonzero = proof.at(proof.given[NONZERO_WEIGHTS.name], proof.way[0])
    return summed(
        proof, lambda j, example: divided(proof, e, flowing.of(e, j, example), nonzero, j)
    )


def undivided_velocity(proof: Proof) -> None:
    """(33)."""
    many, velocity = _divided(proof), velocity_of(proof, proof.elements[0], own_parameter(proof))
    proof.algebra(proof.goal, {velocity: 1, many: SHARE})


def risk_by_paths(proof: Proof) -> None:
    """(9)."""
    (e,) = proof.elements
    many = _divided(proof)
    (alone,) = proof.lemma("alone", own_parameter(proof), e=e)
    plain = Sum(examples(), lambda j: kappa(j) * grad(e, j))
    written = proof.same(driven(e) == plain, [alone])
    proof.algebra(proof.goal, {written: -SHARE, many: -SHARE})


# paths through a vertex --------------------------------------------------------------------------
def counted(proof: Proof) -> None:
    """(37): each path through a vertex goes along one of its in-edges."""
    proof.defined(paths())
    (v,) = proof.elements
    many = summed(proof, lambda j, _: _counted(proof, v, 0, j))
    proof.algebra(proof.goal, {many: -2 * SHARE})


def of_out_edges(proof: Proof) -> None:
    """(38): the rate of the squares of the weights out of a vertex."""
    _by_vertex(proof, proof.goal.args[0], 1)


def of_in_edges(proof: Proof) -> None:
    """(39): that of those into it."""
    _by_vertex(proof, proof.goal.args[1], 0)


def _by_vertex(proof: Proof, squares: Term, side: int) -> None:
    flowing, (v,) = Flowing(proof), proof.elements
    rate = _rate_at(proof, squares, side)

    def on_example(j: Term, example: Fact) -> Fact:
        edges, through = (
            flowing.over((into, out_of)[side](v), j, example),
            _counted(proof, v, side, j),
        )
        left, right = edges.term.args[0], through.term.args[1]
        return proof.algebra(left == right, {edges: 1, through: 1})

    many = summed(proof, on_example)
    sign_of = 1 if proof.goal.args[0] is squares else -1
    proof.algebra(proof.goal, {rate: sign_of, many: 2 * sign_of * SHARE})


def _rate_at(proof: Proof, rate: Term, side: int) -> Fact:
    """The rate of the squares of the weights into a vertex, or out of it."""
    all_own = proof.part(proof.way[1], side)
    return rate_of(proof, rate, SQUARE, lambda e, among: [proof.at(all_own, among)])


def _counted(proof: Proof, v: Term, side: int, j: Term) -> Fact:
    """The sum over edges at a vertex and the paths along each, as one over those through it."""

    def one(p: Term, path: Fact) -> Fact:
        count = proof.lemma("path through a vertex", proof.way[0], path, v=v, p=p)[side]
        return proof.times(count, flow(p, j))

    return proof.summed(paths(), one)


# layers ------------------------------------------------------------------------------------------
def layer_by_paths(proof: Proof) -> None:
    """(51): so for the rates of the weights of one layer."""
    layer = Layer(proof, proof.goal.args[0].args[0], next(iter(proof.given.values())))

    def one(e: Term, among: Fact) -> Fact:
        speed = velocity_of(proof, e, *layer.own(e, among))
        total = Sum(examples(), lambda j: kappa(j) * w(e) * grad(e, j))
        return proof.algebra(w(e) * Rate(w(e)) == SHARE * total, {speed: w(e)})

    def on_example(j: Term, example: Fact) -> Fact:
        facts = layer.over_paths(j, example)
        pulls = Sum(layer.layer, lambda e: w(e) * grad(e, j))
        sides = kappa(j) * pulls == kappa(j) * Sum(paths(), lambda p: flow(p, j))
        return proof.algebra(sides, dict.fromkeys(facts, kappa(j)))

    speeds = proof.summed(layer.layer, one)
    many = proof.summed(examples(), on_example)
    proof.algebra(proof.goal, {speeds: 1, many: SHARE})
