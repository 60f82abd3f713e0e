"""Twin of the symmetry step in the proof of Lemma 8 of LJ22.

mu' of Lemma 5: its vertices are the paths from a vertex of G to o, its arcs weigh the signs of what
they weigh in G, its inputs are the p in P. All inputs are frozen at h'(x_j; w), but for two of
paths of equal length, p and q, which take the values (a, b) or (b, a). Of these Assumption 1 asks
that they are possible values of h'(x_j; w) without a weight 0: those with the signs of x_p, x_q.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.verify.twins.section2 import is_relu, the_output
from verify.language.building import (
    Along,
    Each,
    Map,
    Number,
    Prod,
    Sum,
    When,
    activation,
    between,
    card,
    concat,
    edges_on,
    element,
    examples,
    head,
    implies,
    inputs,
    into,
    list_,
    paths,
    sign,
    tail,
    upto,
    w,
    x,
)
from verify.language.terms import Term

A, B = Number("a"), Number("b")


@dataclass(frozen=True)
class Tree:
    """mu' on an example, with given values of the inputs p and q (lists of edges)."""

    j: Term
    p: Term
    q: Term
    of_p: Term
    of_q: Term

    def input_at(self, path: Term) -> Term:
        frozen = x(tail(path[1]), self.j) * Prod(path, lambda e: abs(w(e)))
        return When(path == self.p, self.of_p, When(path == self.q, self.of_q, frozen))

    def post(self, v: Term, rest: Term | None = None) -> Term:
        """Of the vertex that is the path `rest` from v to o; of o, the value of mu'."""

        def body(u: Term, walk: Term, before: Term) -> Term:
            arriving = Sum(upto(card(into(u))), lambda k: sign(w(into(u)[k])) * before[k])
            whole = walk if rest is None else concat(walk, rest)
            return When(element(u, inputs()), self.input_at(whole), activation(u, arriving))

        return Along(v, body)

    def pre(self, v: Term, rest: Term) -> Term:
        return Sum(into(v), lambda e: sign(w(e)) * self.post(tail(e), concat(list_(e), rest)))

    def is_active(self, path: Term, k: Term) -> Term:
        """The k-th neuron on the way of an input to o."""
        v = head(path[k])
        rest = Map(between(k + 1, card(path)), lambda i: path[i])
        return ~(is_relu(v) & (self.pre(v, rest) < 0))

    def is_possible(self) -> Term:
        """Whether the two values are in the set of the proof."""
        return (
            (sign(self.of_p) == sign(x(tail(self.p[1]), self.j)))
            & (sign(self.of_q) == sign(x(tail(self.q[1]), self.j)))
            & Each(
                upto(card(self.p)),
                lambda k: self.is_active(self.p, k) == self.is_active(self.q, k),
            )
        )


def symmetric(j: Term, p: Term, q: Term) -> Term:
    there, swapped = Tree(j, p, q, A, B), Tree(j, p, q, B, A)
    return implies(
        there.is_possible() & swapped.is_possible(),
        there.post(the_output()) == swapped.post(the_output()),
    )


TWINS: dict[str, Term] = {
    "lj22.lemma8-sym@BA2": Each(
        examples(),
        lambda j: Each(
            upto(card(paths())),
            lambda k: Each(
                between(k + 1, card(paths())),
                lambda m: implies(
                    card(edges_on(paths()[k])) == card(edges_on(paths()[m])),
                    symmetric(j, edges_on(paths()[k]), edges_on(paths()[m])),
                ),
            ),
        ),
    ),
}
