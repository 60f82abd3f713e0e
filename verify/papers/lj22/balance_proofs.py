"""Lemma 2, first part: the balance at a vertex of any network on a DAG, as data, with its proof.

The hypotheses of the claim `lj22.lemma2a` as terms: positively homogeneous activations (at the
hidden vertices: there slopes left and right of 0 have a value), and, on the way to the equation,
that each edge at the vertex is learnable with a parameter of its own (its only user is itself).
With several outputs, gradients have no value and nothing is said. Signs, labels and the loss do not
matter.
"""

from __future__ import annotations

from verify.language.building import FUNCTIONS, list_
from verify.language.proof_facts import flowing
from verify.language.proofs import Fact, Proof
from verify.language.statements import Statement
from verify.language.terms import Term

Each, Sum, Rate, implies = (FUNCTIONS[name] for name in ("Each", "Sum", "Rate", "implies"))
hidden, into, out_of, users, examples, card = (
    FUNCTIONS[name] for name in ("hidden", "into", "out_of", "users", "examples", "card")
)
w, y, grad, loss_slope, slope_left = (
    FUNCTIONS[name] for name in ("w", "y", "grad", "loss_slope", "slope_left")
)


def squares(edges: Term) -> Term:
    """The sum of the squares of the weights of edges."""
    return Sum(edges, lambda e: w(e) ** 2)


def own(edges: Term) -> Term:
    """Each edge is learnable, with a parameter of its own."""
    return Each(edges, lambda e: users(e) == list_(e))


HOMOGENEOUS = {
    "positively homogeneous activations": Each(hidden(), lambda v: slope_left(v) == slope_left(v))
}
VERTEX_BALANCE = Statement(
    "lj22.lemma2a",
    Each(
        hidden(),
        lambda v: implies(
            own(into(v)) & own(out_of(v)), Rate(squares(into(v))) == Rate(squares(out_of(v)))
        ),
    ),
    HOMOGENEOUS,
)
ALL_ARRIVING = Sum(hidden(), lambda v: squares(into(v)))
ALL_LEAVING = Sum(hidden(), lambda v: squares(out_of(v)))
BALANCE_OF_ALL = Statement(
    "lj22.lemma3, first and last layer",
    Rate(ALL_ARRIVING) == Rate(ALL_LEAVING),
    {
        **HOMOGENEOUS,
        "incident edges learnable": Each(hidden(), lambda v: own(into(v)) & own(out_of(v))),
    },
)
"""All hidden vertices together: edges between them count on both sides, so what is said is about
those that leave the inputs and those that reach the output."""


def kappa(j: Term) -> Term:
    """l'(y_j nu(x_j)) y_j."""
    return loss_slope(j) * y(j)


def driven(e: Term) -> Term:
    """The sum over examples and over the users of an edge that is its velocity, times -n."""
    return Sum(examples(), lambda j: Sum(users(e), lambda f: kappa(j) * grad(f, j)))


def velocity(edges: Term) -> Term:
    """The derivative of the sum of the squares of weights, as the rules give it."""
    return Sum(edges, lambda e: 2 * w(e) * -(driven(e) / card(examples())))


def rate_of_squares(proof: Proof, edges: Term, owned: Fact) -> Fact:
    """d/dt of the sum of w^2 over edges with parameters of their own: -2/n times the sum over
    examples of kappa_j times that of w dnu(x_j)/dw."""
    moved = squares(edges)
    rate = proof.rate(moved, velocity(edges))

    def alone(e: Term, member: Fact) -> Fact:
        user = proof.at(owned, member)
        alone = Sum(examples(), lambda j: w(e) * kappa(j) * grad(e, j))
        return proof.same(w(e) * driven(e) == alone, [user])

    each = proof.sum(proof.each(edges, alone))
    total = Sum(examples(), lambda j: kappa(j) * flowing(edges, j))
    share = -2 / card(examples())
    return proof.algebra(Rate(moved) == share * total, {rate: 1, each: share})


def at_vertex(proof: Proof, v: Term, member: Fact, owned: Fact) -> Fact:
    """Both sides are the same sum over examples, by the balance of w dnu(x_j)/dw at the vertex."""
    slopes = proof.at(next(iter(proof.given.values())), member)
    defined = proof.defined(slope_left(v), slopes)
    arriving = rate_of_squares(proof, into(v), proof.part(owned, 0))
    leaving = rate_of_squares(proof, out_of(v), proof.part(owned, 1))

    def one(j: Term, _: Fact) -> Fact:
        (balance,) = proof.lemma("balance", member, defined, v=v, j=j)
        sides = kappa(j) * flowing(into(v), j) == kappa(j) * flowing(out_of(v), j)
        return proof.algebra(sides, {balance: kappa(j)})

    balanced = proof.sum(proof.each(examples(), one))
    share = -2 / card(examples())
    equal = Rate(squares(into(v))) == Rate(squares(out_of(v)))
    return proof.algebra(equal, {arriving: 1, leaving: -1, balanced: share})


def vertex_balance(proof: Proof) -> None:
    """At the vertex on the way."""
    (v,), (member, owned) = proof.elements, proof.way
    at_vertex(proof, v, member, owned)


def balance_of_all(proof: Proof) -> None:
    """The sum of the balances at all hidden vertices, of the velocities written out."""
    owned = list(proof.given.values())[1]

    def one(v: Term, member: Fact) -> Fact:
        equal = at_vertex(proof, v, member, proof.at(owned, member))
        arriving = proof.rate(squares(into(v)), velocity(into(v)))
        leaving = proof.rate(squares(out_of(v)), velocity(out_of(v)))
        sides = velocity(into(v)) == velocity(out_of(v))
        return proof.algebra(sides, {equal: 1, arriving: -1, leaving: 1})

    many = proof.sum(proof.each(hidden(), one))
    arriving = proof.rate(ALL_ARRIVING, Sum(hidden(), lambda v: velocity(into(v))))
    leaving = proof.rate(ALL_LEAVING, Sum(hidden(), lambda v: velocity(out_of(v))))
    proof.algebra(proof.goal, {many: 1, arriving: 1, leaving: -1})
