"""Arguments for the steps in the proof of Lemma 3 (b)."""

from __future__ import annotations

from fractions import Fraction

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.derivations.matrix_words import EVERY_SIZE, matrix

NULLSTELLENSATZ = (
    "a polynomial of degree at most k in each variable that vanishes on a grid of k + 1 numbers in "
    "each is 0"
)
INSIDE = "gamma between 0 and 1, neither of them"
GIVEN = ("v is a unit vector", "alpha at most 1")


def longer_products() -> Argument:
    """(W_4 W_3)(W_2 W_1) = W_4 W_3 W_2 W_1, and the lengths have a law."""
    one, two, three, four = (matrix(f"W{k}") for k in range(1, 5))
    whole = four @ three @ two @ one
    halves = [Fraction(1, 2**k) for k in range(1, 12)]
    partial = all(1 - sum(halves[:k]) == Fraction(1, 2**k) for k in range(12))
    return Argument(
        "a product of blocks is the product of all factors, of which there are m_1 + ... + m_k; "
        "the factors are independent of one law, so that it does not matter which they are",
        (
            Step(
                "blocks of two and of one and three factors",
                ((four @ three) @ (two @ one) - whole).is_zero
                and ((four @ three @ two) @ one - whole).is_zero
                and not (one @ two - two @ one).is_zero,
            ),
            Step("1 - (1/2 + ... + 2^-k) = 2^-k for k up to 11", partial),
        ),
        (
            EVERY_SIZE,
            "matrix products are associative",
            "factors that are independent of one law have the same joint law in any numbering",
        ),
        "block_residual",
        (),
        section=37,
    )


def bernoulli() -> Argument:
    """(1 + gamma)^n >= 1 + n gamma, by induction."""
    ring = ring_of(2)
    gamma, n = ring.generators
    one = ring.constant(Fraction(1))
    step = (one + n * gamma) * (one + gamma) - (one + (n + one) * gamma) - n * gamma * gamma
    return Argument(
        "the squared distance is (d - 1)/Q with Q = (1 + gamma)^(2n) >= (1 + n gamma)^2",
        (Step("(1 + n gamma)(1 + gamma) = 1 + (n + 1) gamma + n gamma^2", ring.is_zero(step)),),
        (
            "induction on n",
            "e_1 e_1^T has entries in the support",
            "the support of the law of Y holds all products of matrices in that of I + gamma W",
        ),
        "contraction_slack",
        (INSIDE,),
        section=37,
    )


def _entries() -> Step:
    ring = ring_of(3)
    a, w, q = ring.generators
    one = ring.constant(Fraction(1))
    slack = one - a * w * q - ((one - a) + a * (one - w) + a * w * (one - q))
    return Step(
        "1 - a w q = (1 - a) + a (1 - w) + a w (1 - q), a = alpha_i^2, w = v_j^2, q = 1/d^2",
        ring.is_zero(slack),
    )


def _bounded(most: int) -> Argument:
    return Argument(
        "alpha_i^2, v_j^2 and 1/d^2 are between 0 and 1, so their product is at most 1"
        + ("" if most == 1 else " and below 3"),
        (_entries(), Step("1 is at most the bound", most >= 1)),
        ("v_j^2 is at most |v|^2 = 1", "the support of W is the cube of the support of an entry"),
        f"support_slack(most={most})",
        GIVEN,
        section=37,
    )


def draws_are_in_the_support() -> Argument:
    """At most 1, and so below sqrt 3."""
    return _bounded(3)


def entries_at_most_one() -> Argument:
    """At most 1."""
    return _bounded(1)


def image_of_v() -> Argument:
    """alpha v^T v = alpha."""
    v, alpha = matrix("v"), matrix("alpha")
    made = (alpha @ v.transposed @ v).replaced(("v'", "v"), ())
    return Argument(
        "alpha v^T v = alpha for |v| = 1",
        (Step("alpha v^T v = alpha with v^T v = 1 put in", (made - alpha).is_zero),),
        (EVERY_SIZE,),
        "image_residual",
        GIVEN[:1],
        section=37,
    )


def cube_leaves_hyperplanes() -> Argument:
    """The product of the k linear functions is a polynomial that is not 0."""
    ring = ring_of(7)
    a, b, v, w, x, y, rate = ring.generators
    factor = a * (v + rate * x) + b * (w + rate * y)
    return Argument(
        "a . (v + (gamma/d) alpha) has the derivative (gamma/d) a_i in alpha_i, one of which is "
        "not 0; the product of k such functions is not the polynomial 0 and has degree at most k "
        "in each alpha_i, so it is not 0 on all of a grid of k + 1 numbers in each coordinate",
        (
            Step(
                "the derivatives are (gamma/d) a_i",
                ring.is_zero(ring.derivative(factor, 4) - rate * a)
                and ring.is_zero(ring.derivative(factor, 5) - rate * b),
            ),
        ),
        (
            "products of polynomials that are not 0 are not 0",
            NULLSTELLENSATZ,
            "every proper subspace is in a hyperplane",
            "an invariant union of subspaces holds all images of each of its vectors",
        ),
        "cover_residual",
        (INSIDE, "proper subspaces"),
        section=37,
    )
