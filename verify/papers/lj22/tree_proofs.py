"""Lemmas 1 and 5: the value at each vertex of the unrolled tree, by induction along the network.

At the vertex of T_G that is the path p from u, the tree network with the signs of the weights has
the value post(u) prod_{e in p} |w_e|: a leaf by its input, and another vertex as its activation is
positively homogeneous and sgn(w) |w| = w. At o the path has no edge.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.given import HOMOGENEOUS
from verify.language.building import (
    Prod,
    Sum,
    card,
    concat,
    element,
    hidden,
    into,
    list_,
    outputs,
    post,
    sign,
    slope_left,
    tail,
    w,
    x,
)
from verify.language.proofs import Fact, Proof, Use
from verify.language.records import text_of
from verify.language.terms import Term, rebuilt
from verify.papers.lj22.balance_proofs import one_output
from verify.papers.lj22.tree_terms import OUTPUT, sgn


def sizes(path: Term) -> Term:
    """The product of the absolute values of the weights on a path."""
    return Prod(path, lambda e: abs(w(e)))


def by_induction(proof: Proof) -> None:
    """Lemmas 1 and 5: for each sign of 0 and each example, nu(x_j) as the value along T_G."""
    (at_zero, j), (_, on_example) = proof.elements, proof.way
    one = one_output(proof)
    along = proof.goal.args[1]

    def value(u: Term, path: Term) -> Term:
        return post(u, j) * sizes(path)

    def step(u: Term, path: Term, begins: Fact, found: Term) -> Fact:
        choice = substituted_vertex(found, begins)
        goal = choice == value(u, path)
        empty = card(into(u)) == 0

        def leaf(is_leaf: Fact) -> Fact:
            taken = proof.branch(choice, is_leaf)
            (entry,) = proof.lemma("value of an input", is_leaf, on_example, v=u, j=j)
            uses: dict[Use, int | Term] = {taken: 1, entry: -sizes(path)}
            if "sign" in taken.term.args[1].operators:  # Lemma 1: with an edge of its own
                uses[signs_of(proof, path, at_zero)] = x(u, j)
            return proof.algebra(goal, uses)

        def inner(not_leaf: Fact) -> Fact:
            taken = proof.branch(choice, not_leaf)
            active = taken.term.args[1]
            total = weighed(proof, active.args[1], u, path, j, at_zero)
            whole = total.term.args[1].args[1]
            positive = proof.prod(proof.each(path, lambda e, _: signed(proof, w(e))[2]))

            def pull(slopes: Fact) -> Fact:
                return proof.lemma("homogeneous", slopes, positive, v=u, c=sizes(path), x=whole)[0]

            pulled = with_slopes(proof, u, not_leaf, pull)
            outside = proof.same(active == pulled.term.args[1], [total], pulled)
            (itself,) = proof.lemma("value of a vertex", not_leaf, on_example, v=u, j=j)
            return proof.algebra(goal, {taken: 1, outside: 1, itself: -sizes(path)})

        return proof.same(found == value(u, path), [begins], proof.cases(empty, leaf, inner))

    closed = proof.along(along == post(OUTPUT, j), value, step)
    (output,) = proof.lemma("value", on_example, one, j=j)
    proof.algebra(proof.goal, {output: 1, closed: -1})


def without_signs(proof: Proof) -> None:
    """Lemma 6: with the weights themselves the value at each path from u is that of u."""
    (j,), (on_example,) = proof.elements, proof.way

    def step(u: Term, path: Term, begins: Fact, found: Term) -> Fact:
        choice = substituted_vertex(found, begins)

        def leaf(is_leaf: Fact) -> Fact:
            taken = proof.branch(choice, is_leaf)
            (entry,) = proof.lemma("value of an input", is_leaf, on_example, v=u, j=j)
            return proof.algebra(choice == post(u, j), {taken: 1, entry: -1})

        def inner(not_leaf: Fact) -> Fact:
            taken = proof.branch(choice, not_leaf)
            active = taken.term.args[1]
            whole = Sum(into(u), lambda e: w(e) * post(tail(e), j))
            placed = proof.places(active.args[1], whole)
            (itself,) = proof.lemma("value of a vertex", not_leaf, on_example, v=u, j=j)
            outside = proof.same(active == itself.term.args[1], [placed])
            return proof.algebra(choice == post(u, j), {taken: 1, outside: 1, itself: -1})

        cases = proof.cases(card(into(u)) == 0, leaf, inner)
        return proof.same(found == post(u, j), [begins], cases)

    closed = proof.along(proof.goal.args[1] == post(OUTPUT, j), lambda u, path: post(u, j), step)
    (output,) = proof.lemma("value", on_example, one_output(proof), j=j)
    proof.algebra(proof.goal, {output: 1, closed: -1})


def of_hidden(proof: Proof) -> None:
    """(19) at a hidden vertex."""
    (v, j), (member, on_example) = proof.elements, proof.way
    (pre,) = proof.lemma("pre-activation", member, on_example, v=v, j=j)
    proof.algebra(proof.goal, {pre: 1})


def of_output(proof: Proof) -> None:
    """(19) at the output."""
    (v, j), (member, on_example) = proof.elements, proof.way
    (pre,) = proof.lemma("pre-activation of an output", member, on_example, v=v, j=j)
    proof.algebra(proof.goal, {pre: 1})


def substituted_vertex(found: Term, begins: Fact) -> Term:
    """The value at the vertex at which a path begins, with that vertex for the path's first one."""
    first, u = begins.term.args

    def at(term: Term) -> Term:
        same = term.free == first.free and text_of(term) == text_of(first)
        return u if same else rebuilt(term, at)

    return at(found)


def signed(proof: Proof, weight: Term) -> list[Fact]:
    """sign(w) |w| = w, sign(w)^2 |w| = |w|, |w| >= 0."""
    return proof.lemma("sign", x=weight)


def signs_of(proof: Proof, path: Term, at_zero: Term) -> Fact:
    """prod sgn(w_e) prod w_e = prod |w_e| over a path."""

    def one(e: Term, member: Fact) -> Fact:
        size, square, _ = signed(proof, w(e))
        chosen, plain = sgn(w(e), at_zero), sign(w(e))
        return proof.algebra(
            chosen * w(e) == abs(w(e)), {size: -chosen, square: 1 - at_zero * plain}
        )

    return proof.prod(proof.each(path, one))


def weighed(proof: Proof, total: Term, u: Term, path: Term, j: Term, at_zero: Term) -> Fact:
    """The sum over the arcs into a vertex of T_G is prod |w_e| times the pre-activation of u."""
    summands = Sum(
        into(u),
        lambda e: sgn(w(e), at_zero) * (post(tail(e), j) * sizes(concat(list_(e), path))),
    )
    placed = proof.places(total, summands)

    def one(e: Term, member: Fact) -> Fact:
        size, square, _ = signed(proof, w(e))
        factor = post(tail(e), j) * sizes(path)
        left = sgn(w(e), at_zero) * (post(tail(e), j) * sizes(concat(list_(e), path)))
        right = sizes(path) * (w(e) * post(tail(e), j))
        return proof.algebra(left == right, {size: factor, square: -at_zero * factor})

    added = proof.sum(proof.each(into(u), one))
    whole = Sum(into(u), lambda e: w(e) * post(tail(e), j))
    return proof.algebra(total == sizes(path) * whole, {placed: 1, added: 1})


def with_slopes(proof: Proof, u: Term, not_leaf: Fact, prove: Callable[[Fact], Fact]) -> Fact:
    """What is proved of a vertex that is no input, as its activation has slopes left and right of
    0: that is in the hypotheses for hidden vertices and for the output."""
    (either,) = proof.lemma("with in-edges", not_leaf, v=u)
    alike = proof.given[HOMOGENEOUS.name]

    def of(every: Fact, member: Fact) -> Fact:
        return prove(proof.defined(slope_left(u), proof.at(every, member)))

    def elsewhere(not_hidden: Fact) -> Fact:
        last = proof.other(element(u, outputs()), either, not_hidden)
        return of(proof.part(alike, 1), last)

    inside = element(u, hidden())
    return proof.cases(inside, lambda member: of(proof.part(alike, 0), member), elsewhere)
