"""The chain on rank one states H = u v^T, u of signs, in the language of statements.

H + gamma W H = (u + gamma W u) v^T, so a layer takes u to sign(u + gamma W u) and keeps v: for each
v of squared norm N the states u v^T are a finite set that the chain does not leave. v and -v give
the same set, other ones disjoint sets. For N = 1 there is one such set, and it is the whole state
space {-1, 1}^d; for N >= 2 there are at least two, (1, ..., 1) and (1, ..., 1, -1), with an
invariant law on each.

A weight has the law of finite support `atoms`, `probs`. A law of H on {-1, 1}^d has support points
`states`, (m, d), and probabilities `mass`, (m,). States are numbered, the first row of signs being
(1, ..., 1), the second (-1, 1, ..., 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.language.building import (
    Each,
    Fold,
    Let,
    Matrix,
    Prod,
    Sum,
    The,
    Vector,
    When,
    Whole,
    cols,
    diag,
    dim,
    eye,
    floor,
    frob2,
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
from verify.language.terms import Term, called, written
from verify.papers.dkbhl20.notation import GAMMA, H

ATOMS = Vector("atoms", "k", meaning="the values of a weight")
PROBS = Vector("probs", "k", meaning="the probabilities of these")
TIED = Whole("tied", 0, 1)  # 0: independent entries of W, 1: all of a row are one draw
STATES = Matrix("states", "m", "d", meaning="the support of a law on $\\{-1,1\\}^d$, in its rows")
MASS = Vector("mass", "m", meaning="the probabilities of these")

D, VALUES, POINTS = rows(H), upto(dim(ATOMS)), upto(dim(MASS))


# states -------------------------------------------------------------------------------------------
def count(width: Term) -> Term:
    """2^d."""
    return floor(2**width)


def signs_of(width: Term) -> Term:
    """(2^d, d): all states in its rows."""
    return matrix(count(width), width, lambda s, i: 1 - 2 * (floor((s - 1) / 2 ** (i - 1)) % 2))


@written(r"\#({0})")
def number_of(state: Term) -> Term:
    """Which of them a vector of signs is."""
    return 1 + floor(Sum(upto(dim(state)), lambda i: (1 - state[i]) / 2 * 2 ** (i - 1)))


# one row of W ------------------------------------------------------------------------------------
def _words(width: Term) -> Term:
    return floor(dim(ATOMS) ** width)


def _letter(w: Term, j: Term) -> Term:
    """Which value the j-th weight has."""
    return floor((w - 1) / dim(ATOMS) ** (j - 1)) % dim(ATOMS) + 1


def weights_of(width: Term) -> Term:
    """(k^d, d): all rows that W can have, its entries being independent draws."""
    return matrix(_words(width), width, lambda w, j: ATOMS[_letter(w, j)])


def likely_of(width: Term) -> Term:
    """(k^d,): the probabilities of these."""
    return vector(_words(width), lambda w: Prod(upto(width), lambda j: PROBS[_letter(w, j)]))


# one step -----------------------------------------------------------------------------------------
def _chances(signs: Term, pulls: Term, likely: Term, turned: Term | None, way: int) -> Term:
    """(2^d, d): how likely u_i + gamma (W u)_i is above 0, or below. pulls: a u, for each row a
    that W can have and each u; likely: the probabilities of these rows."""

    def moved(s: Term, i: Term, w: Term) -> Term:
        pull = pulls[w, s] if turned is None else turned[i] * pulls[w, s]
        return way * (signs[s, i] + GAMMA * pull)

    return matrix(
        rows(signs),
        cols(signs),
        lambda s, i: Sum(upto(rows(pulls)), lambda w: When(moved(s, i, w) > 0, likely[w], 0)),
    )


def _step(signs: Term, pulls: Term, likely: Term, turned: Term | None = None) -> Term:
    """The probability of each state after each state; the rows of W are independent."""
    chances = (_chances(signs, pulls, likely, turned, way) for way in (1, -1))
    return _of_chances(signs, *chances)


def _of_chances(signs: Term, plus: Term, minus: Term) -> Term:
    """(2^d, 2^d), by (2^d, d): how likely each sign is 1, or -1, after each state."""

    def product(above: Term, below: Term, s: Term, t: Term) -> Term:
        return Prod(upto(cols(signs)), lambda i: When(signs[t, i] > 0, above[s, i], below[s, i]))

    def of_both(above: Term, below: Term) -> Term:
        return matrix(rows(signs), rows(signs), lambda s, t: product(above, below, s, t))

    return Let(plus, lambda above: Let(minus, lambda below: of_both(above, below)))


def _pulled(signs: Term, turned: Term | None) -> Term:
    """u, or S u, in its rows."""
    return signs if turned is None else signs @ diag(turned)


def step_of(width: Term, turned: Term | None = None) -> Term:
    """(2^d, 2^d): the probability of each state after each state, the entries of W being
    independent draws; what meets a row 0 is left out. turned: the diagonal of S, where the weights
    are SWS."""

    def with_signs(signs: Term) -> Term:
        return Let(
            weights_of(width) @ _pulled(signs, turned).T,
            lambda pulls: Let(likely_of(width), lambda likely: _step(signs, pulls, likely, turned)),
        )

    return Let(signs_of(width), with_signs)


def tied_step_of(width: Term, turned: Term | None = None) -> Term:
    """The same where all entries of a row of W are one draw."""

    def with_signs(signs: Term) -> Term:
        pulls = matrix(
            dim(ATOMS),
            count(width),
            lambda w, s: (
                ATOMS[w]
                * Sum(
                    upto(width),
                    lambda j: signs[s, j] if turned is None else turned[j] * signs[s, j],
                )
            ),
        )
        return Let(pulls, lambda pulls: _step(signs, pulls, PROBS, turned))

    return Let(signs_of(width), with_signs)


def step_of_either(width: Term, turned: Term | None = None) -> Term:
    """The one or the other."""
    return When(TIED == 0, step_of(width, turned), tied_step_of(width, turned))


def step_on_line(width: Term, line: Term) -> Term:
    """(2^d, 2^d): the probability that BN(H + gamma W H) is u' v^T for H = u v^T, by matrices."""

    def turned(signs: Term, s: Term, i: Term, w: Term, weights: Term) -> Term:
        """Row i of H + gamma W H, where that of W is the w-th of the weights."""
        hidden = outer(row(signs, s), line)
        return row(hidden, i) + GAMMA * (hidden.T @ row(weights, w))

    def chance(signs: Term, weights: Term, likely: Term, s: Term, i: Term, sign: int) -> Term:
        return Sum(
            upto(rows(weights)),
            lambda w: Let(
                turned(signs, s, i, w, weights),
                lambda x: When(
                    frob2(x) == 0,
                    0,
                    When(x / sqrt(frob2(x) / dim(x)) == sign * line, likely[w], 0),
                ),
            ),
        )

    def of(signs: Term, weights: Term, likely: Term) -> Term:
        def chances(sign: int) -> Term:
            return matrix(
                rows(signs),
                width,
                lambda s, i: chance(signs, weights, likely, s, i, sign),
            )

        return _of_chances(signs, chances(1), chances(-1))

    def with_signs(signs: Term) -> Term:
        return Let(
            weights_of(width),
            lambda weights: Let(likely_of(width), lambda likely: of(signs, weights, likely)),
        )

    return Let(signs_of(width), with_signs)


SIGNS, STEP = called(r"\mathcal U", signs_of(D)), called("P", step_of(D))
STEP_OF_EITHER = called("P", step_of_either(D))
S = count(D)
EVERY = upto(S)


def defined(step: Term) -> Term:
    """No entry of u + gamma W u is 0, for any u and any W that can be drawn."""
    return Let(
        step,
        lambda p: Each(upto(rows(p)), lambda s: Sum(upto(rows(p)), lambda t: p[s, t]) == 1),
    )


def laws_of(step: Term) -> Term:
    """How many extreme invariant laws there are: the dimension of the solutions of nu P = nu."""
    return Let(step, lambda p: rows(p) - rank(p - eye(rows(p))))


# laws on signs ------------------------------------------------------------------------------------
def mean(function: Callable[[Term], Term]) -> Term:
    """E f(u) under the law on signs."""
    return Sum(POINTS, lambda m: MASS[m] * function(row(STATES, m)))


ON_SIGNS = (
    Each(
        POINTS,
        lambda m: Each(
            upto(dim(row(STATES, m))), lambda i: (STATES[m, i] == 1) | (STATES[m, i] == -1)
        ),
    )
    & Each(POINTS, lambda m: MASS[m] >= 0)
    & (Sum(POINTS, lambda m: MASS[m]) == 1)
)


def law_vector(width: Term, turned: Term | None = None) -> Term:
    """(2^d,): the probability of each state; turned: of S u, S of this diagonal."""

    def state(m: Term) -> Term:
        return row(STATES, m) if turned is None else diag(turned) @ row(STATES, m)

    places = vector(dim(MASS), lambda m: number_of(state(m)))
    return Let(
        places,
        lambda at: vector(
            count(width), lambda s: Sum(POINTS, lambda m: When(at[m] == s, MASS[m], 0))
        ),
    )


def invariant(step: Term, width: Term, turned: Term | None = None) -> Term:
    """(38): nu P = nu; turned: of the law of S u."""
    return Let(law_vector(width, turned), lambda law: step.T @ law == law)


# where the chain comes to -------------------------------------------------------------------------
@written(r"R({0})")
def _ways(step: Term, width: Term) -> Term:
    """(2^d, 2^d): 1 where a state can be come to from another one, in any number of steps."""
    size = count(width)
    once = matrix(size, size, lambda s, t: When((s == t) | (step[s, t] > 0), 1, 0))

    def twice(ways: Term, _: Term) -> Term:
        return Let(ways @ ways, lambda q: matrix(size, size, lambda s, t: When(q[s, t] > 0, 1, 0)))

    return Fold(upto(width), once, twice)


@written(r"\nu({0}, {1}, {2})")
def _law_of_class(step: Term, ways: Term, t: Term) -> Term:
    """(2^d,): the invariant law on the states that can be come to from t, where these are a closed
    class: nu (P - I + J) = (1, ..., 1) there, J being all ones."""
    size = rows(step)

    def entry(a: Term, b: Term) -> Term:
        both = (ways[t, a] == 1) & (ways[t, b] == 1)
        return (
            When(both, step[a, b] + 1, 0)
            - When(both & (a == b), 1, 0)
            + When((a == b) & (ways[t, a] == 0), 1, 0)
        )

    return inverse(matrix(size, size, entry)).T @ row(ways, t)


def limits(step: Term, width: Term, starts: Callable[[Term], Term], says: Any) -> Term:
    """What is said of each law under which averages can tend to means, from a start.

    starts: whether the chain starts in a state of that number.
    """

    def last(p: Term, ways: Term, t: Term) -> Term:
        """t is in a closed class, from which no row can vanish."""

        def stays(a: Term) -> Term:
            return (ways[a, t] == 1) & (Sum(upto(count(width)), lambda b: p[a, b]) == 1)

        return Each(upto(count(width)), lambda a: implies(ways[t, a] == 1, stays(a)))

    def of(p: Term, ways: Term) -> Term:
        return Each(
            upto(count(width)),
            lambda s: implies(
                starts(s),
                Each(
                    upto(count(width)),
                    lambda t: implies(
                        (ways[s, t] == 1) & last(p, ways, t), Let(_law_of_class(p, ways, t), says)
                    ),
                ),
            ),
        )

    return Let(step, lambda p: Let(_ways(p, width), lambda ways: of(p, ways)))


def state_of(hidden: Term) -> Term:
    """The number of u, u_1 = 1, of H = u v^T; no value of another H."""

    def is_it(signs: Term, s: Term) -> Term:
        return (signs[s, 1] == 1) & (hidden == outer(row(signs, s), row(hidden, 1)))

    return Let(SIGNS, lambda signs: The(EVERY, lambda s: is_it(signs, s)))
