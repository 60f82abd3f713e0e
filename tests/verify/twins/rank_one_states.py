"""Twins of what is called false of rank one states, from the print: Lemmas 5 and 6, (33), (34)."""

from __future__ import annotations

from lemmata import (
    Each,
    Let,
    Matrix,
    Number,
    Prod,
    Sum,
    Vector,
    When,
    between,
    cols,
    dim,
    dot,
    eye,
    floor,
    implies,
    inverse,
    matrix,
    outer,
    rank,
    row,
    rows,
    sqrt,
    upto,
    vector,
)
from verify.language.terms import Term

H, W, gamma = Matrix("H", "d", "N"), Matrix("W", "d", "d"), Number("gamma")
atoms, probs = Vector("atoms", "k"), Vector("probs", "k")
states, mass = Matrix("states", "m", "d"), Vector("mass", "m")
d, k = rows(H), dim(atoms)

following = (eye(d) + gamma * W) @ H  # H_(l+1) before its rows are divided by their norms


def moment(hidden: Term, i: Term, j: Term) -> Term:
    """M_ij of the normalised rows."""
    one, other = row(hidden, i), row(hidden, j)
    return dot(one, other) / sqrt(dot(one, one) * dot(other, other))


# Lemma 6: of a unique law averages tend to means under it. States are 0, ..., 2^d - 1, neuron i
# being 1 where the i-th binary digit is 0.
last = floor(2**d) - 1


def sign_of(s: Term, i: Term) -> Term:
    return When(floor(s / 2 ** (i - 1)) % 2 == 0, 1, -1)


def weight(number: Term, j: Term) -> Term:
    """The j-th weight of a row of W by its number: which atom."""
    return floor(number / k ** (j - 1)) % k + 1


def likely_positive(s: Term, i: Term) -> Term:
    """That neuron i is 1 after s."""

    def drawn(number: Term) -> Term:
        pull = Sum(upto(d), lambda j: atoms[weight(number, j)] * sign_of(s, j))
        share = Prod(upto(d), lambda j: probs[weight(number, j)])
        return When(sign_of(s, i) + gamma * pull > 0, share, 0)

    return Sum(between(0, floor(k**d) - 1), drawn)


def transition(positive: Term) -> Term:
    return matrix(
        last + 1,
        last + 1,
        lambda s, t: Prod(
            upto(d),
            lambda i: When(sign_of(t - 1, i) == 1, positive[s, i], 1 - positive[s, i]),
        ),
    )


def stationary(steps: Term) -> Term:
    ones = vector(last + 1, lambda s: 1)
    return inverse(steps.T - eye(last + 1) + outer(ones, ones)) @ ones


def mean_under(law: Term, i: Term, j: Term) -> Term:
    return Sum(upto(last + 1), lambda s: law[s] * sign_of(s - 1, i) * sign_of(s - 1, j))


averages = Let(
    matrix(last + 1, d, lambda s, i: likely_positive(s - 1, i)),
    lambda positive: Let(
        stationary(transition(positive)),
        lambda law: Each(
            upto(d),
            lambda i: Each(between(i + 1, d), lambda j: abs(mean_under(law, i, j)) == 1),
        ),
    ),
)

TWINS: dict[str, Term] = {
    "dkbhl20.lem5.a": rank(following) >= 2,
    "dkbhl20.lem5.a.full": rank(following) >= 2,
    "dkbhl20.lem5.c": Each(
        upto(cols(states)),
        lambda i: Each(
            upto(cols(states)),
            lambda j: implies(
                i < j,
                abs(Sum(upto(dim(mass)), lambda m: states[m, i] * states[m, j] * mass[m])) == 1,
            ),
        ),
    ),
    "dkbhl20.lem6.a@A": Each(
        upto(d),
        lambda i: Each(upto(d), lambda j: moment(following, i, j) == moment(H, i, j)),
    ),
    "dkbhl20.lem6.c@A": averages,
}
