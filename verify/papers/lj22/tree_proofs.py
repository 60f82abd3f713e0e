"""Lemmas 1 and 5: the value at each vertex of the unrolled tree, by induction along the network.

At the vertex of T_G that is the path p from u, the tree network with the signs of the weights has
the value post(u) prod_{e in p} |w_e|: a leaf by its input, and another vertex as its activation is
positively homogeneous and sgn(w) |w| = w. At o the path has no edge.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from verify.language.building import (
    Prod,
    Sum,
    When,
    card,
    concat,
    element,
    head,
    hidden,
    into,
    list_,
    out_of,
    outputs,
    post,
    sign,
    slope_left,
    tail,
    w,
    x,
)
from verify.language.proofs import Fact, Proof, Use, Uses, follows
from verify.language.terms import Term, rebuilt, substituted, text_of
from verify.papers.lj22.balance_proofs import one_output
from verify.papers.lj22.tree_terms import NO_EDGES, OUTPUT, sgn
from verify.statements.network_hypotheses import HOMOGENEOUS


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


def pre_activation(lemma: str) -> Callable[[Proof], Fact]:
    """(19), by a lemma about hidden vertices or the output."""

    def fact(proof: Proof) -> Fact:
        v, j = proof.elements
        return proof.lemma(lemma, *proof.way, v=v, j=j)[0]

    return follows(fact)


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

    added = proof.summed(into(u), one)
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


class _PulledBack:
    """Lemma 7: at u the new network has the value post(u), times |w_f| where u is v.

    What an edge e into u adds is w_e post(tail e), times |w_f| where u is v: for f itself, since
    sgn(w_f) |w_f| = w_f; for an edge into v, since its weight has got this factor; for others,
    since no edge but f has the tail v.
    """

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        (self.v, self.j, at_zero), (chosen, self.on_example, _) = proof.elements, proof.way
        self.f = out_of(self.v)[1]
        self.size, self.sign = abs(w(self.f)), sgn(w(self.f), at_zero)
        asked = proof.part(proof.filtered(chosen), 1)
        self.single, self.no_output = proof.part(asked, 0), proof.part(asked, 1)
        (leaving,) = proof.lemma("first edge out", self.single, v=self.v)
        (self.begins,) = proof.lemma("out of", leaving, e=self.f, v=self.v)
        size, square, self.positive = signed(proof, w(self.f))
        self.product = proof.algebra(
            self.sign * self.size == w(self.f), {size: 1, square: -at_zero}
        )

    def factor(self, u: Term) -> Term:
        return When(u == self.v, self.size, 1)

    def value(self, u: Term, path: Term) -> Term:
        return post(u, self.j) * self.factor(u)

    def weight(self, e: Term) -> Term:
        inside = When(head(e) == self.v, w(e) * self.size, w(e))
        return When(e == self.f, self.sign, inside)

    def of_edge(self, u: Term, e: Term, member: Fact, position: Fact) -> Fact:
        """What an edge into u adds. position: whether u is v."""
        proof, v, f = self.proof, self.v, self.f
        (end,) = proof.lemma("into", member, e=e, v=u)
        there = post(tail(e), self.j)
        goal = self.weight(e) * (there * self.factor(tail(e))) == self.factor(u) * (w(e) * there)
        at_v = position.term.op == "eq"
        here = proof.branch(self.factor(u), position)

        def is_f(itself: Fact) -> Fact:
            begins = proof.same(tail(e) == v, [itself, self.begins])
            if at_v:
                (no_loop,) = proof.lemma("no loop", e=e)
                loop = proof.same(head(e) == tail(e), [begins, end, position])
                return proof.absurd(goal, no_loop, loop)
            new = proof.branch(self.weight(e), itself)
            before = proof.branch(self.factor(tail(e)), begins)
            old = proof.same(w(e) == w(f), [itself])
            uses: dict[Use, int | Term] = {
                new: there * self.factor(tail(e)),
                before: self.sign * there,
                self.product: there,
                old: -there,
                here: -w(e) * there,
            }
            return proof.algebra(goal, uses)

        def is_another(not_f: Fact) -> Fact:
            def only(begins: Fact) -> Fact:
                (is_the_one,) = proof.lemma("only edge out", begins, self.single, e=e, v=v)
                return proof.absurd(self.factor(tail(e)) == 1, is_the_one, not_f)

            elsewhere = partial(proof.branch, self.factor(tail(e)))
            before = proof.cases(tail(e) == v, only, elsewhere)
            outer = proof.branch(self.weight(e), not_f)
            if at_v:
                into_v = proof.same(head(e) == v, [end, position])
            else:
                into_v = proof.same(head(e) != v, [end], position)
            inner = proof.branch(outer.term.args[1], into_v)
            new = inner.term.args[1]
            uses: dict[Use, int | Term] = {
                outer: there * self.factor(tail(e)),
                inner: there * self.factor(tail(e)),
                before: new * there,
                here: -w(e) * there,
            }
            return proof.algebra(goal, uses)

        return proof.cases(e == f, is_f, is_another)

    def total(self, u: Term, position: Fact) -> Fact:
        """The new pre-activation of u is the old one, times |w_f| where u is v."""
        proof = self.proof
        return proof.summed(into(u), lambda e, member: self.of_edge(u, e, member, position))

    def step(self, u: Term, path: Term, begins: Fact, found: Term) -> Fact:
        proof, j = self.proof, self.j
        goal, empty = found == self.value(u, path), card(into(u)) == 0

        def leaf(is_leaf: Fact) -> Fact:
            taken = proof.branch(found, is_leaf)
            (entry,) = proof.lemma("value of an input", is_leaf, self.on_example, v=u, j=j)

            def at(position: Fact) -> Uses:
                new = proof.branch(taken.term.args[1], position)
                here = proof.branch(self.factor(u), position)
                return {taken: 1, new: 1, entry: -here.term.args[1], here: -post(u, j)}

            return proof.split(u == self.v, goal, at, at)

        def inner(not_leaf: Fact) -> Fact:
            taken = proof.branch(found, not_leaf)
            active = taken.term.args[1]
            (itself,) = proof.lemma("value of a vertex", not_leaf, self.on_example, v=u, j=j)

            def at(position: Fact) -> Fact:
                added = self.total(u, position)
                placed = proof.places(active.args[1], added.term.args[0])
                here = proof.branch(self.factor(u), position)
                if position.term.op == "eq":
                    positive = proof.algebra(self.factor(u) >= 0, {here: 1, self.positive: 1})
                else:
                    positive = proof.algebra(self.factor(u) >= 0, {here: 1}, [1])
                whole = Sum(into(u), lambda e: w(e) * post(tail(e), j))
                weighed = proof.algebra(
                    active.args[1] == self.factor(u) * whole, {placed: 1, added: 1}
                )

                def pull(slopes: Fact) -> Fact:
                    values = {"v": u, "c": self.factor(u), "x": whole}
                    return proof.lemma("homogeneous", slopes, positive, **values)[0]

                pulled = with_slopes(proof, u, not_leaf, pull)
                outside = proof.same(active == pulled.term.args[1], [weighed], pulled)
                return proof.algebra(goal, {taken: 1, outside: 1, itself: -self.factor(u)})

            return proof.cases(u == self.v, at, at)

        return proof.cases(empty, leaf, inner)


def same_value(proof: Proof) -> None:
    """Lemma 7: the network computes the same function."""
    of = _PulledBack(proof)
    along = proof.goal.args[1]
    closed = proof.along(along == of.value(OUTPUT, NO_EDGES), of.value, of.step)
    one = one_output(proof)
    (last,) = proof.lemma("output", one)
    (output,) = proof.lemma("value", of.on_example, one, j=of.j)

    def is_v(same: Fact) -> Fact:
        found = proof.same(element(of.v, outputs()), [same], last)
        return proof.absurd(factor == 1, found, of.no_output)

    factor = of.factor(OUTPUT)
    outside = proof.cases(factor.args[0], is_v, partial(proof.branch, factor))
    proof.algebra(proof.goal, {output: 1, closed: -1, outside: -post(OUTPUT, of.j)})


def same_behind(proof: Proof) -> None:
    """Lemma 7: so has the head of f the pre-activation that it had."""
    of = _PulledBack(proof)
    u, j = head(of.f), of.j
    (no_loop,) = proof.lemma("no loop", e=of.f)
    position = proof.same(u != of.v, [of.begins], no_loop)
    whole = proof.goal.args[1]

    def one(e: Term, member: Fact) -> Fact:
        along = of_element(whole, e).args[1]
        closed = proof.along(along == of.value(tail(e), NO_EDGES), of.value, of.step)
        added = of.of_edge(u, e, member, position)
        goal = of.weight(e) * along == added.term.args[1]
        return proof.algebra(goal, {closed: of.weight(e), added: 1})

    total = proof.summed(into(u), one)
    here = proof.branch(of.factor(u), position)
    (some,) = proof.lemma("edge into", e=of.f)
    (either,) = proof.lemma("with in-edges", some, v=u)
    old = Sum(into(u), lambda e: w(e) * post(tail(e), j))

    def at_hidden(member: Fact) -> Fact:
        return proof.lemma("pre-activation", member, of.on_example, v=u, j=j)[0]

    def at_output(not_hidden: Fact) -> Fact:
        last = proof.other(element(u, outputs()), either, not_hidden)
        return proof.lemma("pre-activation of an output", last, of.on_example, v=u, j=j)[0]

    before = proof.cases(element(u, hidden()), at_hidden, at_output)
    proof.algebra(proof.goal, {before: 1, total: -1, here: -old})


def of_element(total: Term, element_: Term) -> Term:
    """What a sum adds for an element."""
    body = total.args[1]
    return substituted(body.term, body.variables[0], element_)
