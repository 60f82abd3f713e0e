"""Twins of what is called false of rank one states, from the print: Lemmas 5 and 6, (33), (34); of
products at width one, Lemma 3; and of the spectrum in Example 9, (78)."""

from __future__ import annotations

from fractions import Fraction

from lemmata import (
    Each,
    Let,
    Matrix,
    Number,
    Prod,
    Sum,
    Vector,
    When,
    Whole,
    between,
    cols,
    dim,
    dot,
    exp,
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

# Lemma 3 at width one: |H~_(l+1) - H~_l| = 2 |x| where 1 + gamma W < 0, which has at least these
# chances: for a Gaussian W from its density on [1/gamma, 1/gamma + 1], at least exp(-r^2/2)/3 with
# r = (1 + gamma)/gamma (0 for gamma below 1/20), and for W uniform on [-sqrt 3, sqrt 3].
x = Vector("x", "N")
gaussian = When(20 * gamma >= 1, exp(-((1 + gamma) ** 2) / (2 * gamma**2)) / 3, 0)
uniform = When(gamma * gamma >= Fraction(1, 3), (sqrt(3) - 1 / gamma) / (2 * sqrt(3)), 0)


def no_step(chance: Term | Fraction) -> Term:
    return Each(upto(dim(x)), lambda i: chance * abs(2 * x[i]) == 0)


# (78): the terms in gamma^2 of the powers of d - gamma^2 (d - 1); the small ones have none.
size = Whole("d", 1, 12)
fallen = size - 1
norms = (
    (size * size == size**2)
    & (-2 * size * fallen == -2 * size)
    & (size * size**2 == size**3)
    & (-3 * size**2 * fallen == -3 * size**2)
    & (size**2 * size**2 == size**4)
    & (-4 * size**3 * fallen == -4 * size**3)
)

TWINS: dict[str, Term] = {
    "dkbhl20.ex9.d": norms,
    "dkbhl20.lem3.a@AAA": no_step(gaussian),
    "dkbhl20.lem3.c@AAA": no_step(uniform),
    "dkbhl20.lem3.d.limit": no_step(Fraction(1, 2)),
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
