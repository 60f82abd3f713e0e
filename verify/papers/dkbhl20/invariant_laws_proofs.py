"""The arguments about invariant laws: that there is one, and when there are several."""

from __future__ import annotations

from fractions import Fraction

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.papers.dkbhl20.rank_one_kept import ON_LINES, ROW_SUMS, states_in_words
from verify.statements.derivations.matrix_words import EVERY_SIZE, matrix

EIGENVECTOR = "a stochastic matrix has a left eigenvector of eigenvalue 1 that is a probability law"
EVERYWHERE = "the chain is defined from every state: no row can vanish before BN"
FINITE = "the averages of a finite chain tend to the means under the law of the class it comes to"


def means_follow() -> Argument:
    """nu P S - nu S = (nu P - nu) S."""
    law, steps, states = matrix("nu"), matrix("P"), matrix("S")
    gap = law @ steps @ states - law @ states
    return Argument(
        "the change of the mean state is (nu P - nu) S, the states in the rows of S: 0 where "
        "nu P = nu",
        (
            Step("nu P S - nu S = (nu P - nu) S", (gap - (law @ steps - law) @ states).is_zero),
            Step("it is 0 where nu P = nu", gap.replaced(("nu", "P"), ("nu",)).is_zero),
            Step("and no sum of 0 terms", not gap.is_zero),
        ),
        (EVERY_SIZE, "both sides of (10) are means of states, of a chain on finitely many"),
        ("law on signs", "invariant law (38)"),
        section="docs/mathematics/dkbhl20.md#definition-2",
    )


def there_is_one() -> Argument:
    """The chain of signs is finite."""
    return Argument(
        "a layer takes u v^T to sign(u + gamma W u) v^T, a chain on 2^d states, which has an "
        "invariant law",
        (states_in_words(),),
        (EVERY_SIZE, EIGENVECTOR, ON_LINES),
        ("BN defined on signs",),
        section="docs/mathematics/dkbhl20.md#rank-one-states",
    )


def lines_are_apart() -> Argument:
    """(1, ..., 1) and (1, ..., 1, -1) have the minor -2."""
    minor = Fraction(1) * -1 - Fraction(1) * 1
    return Argument(
        "the states u v^T of one v go to states of the same v, and no multiple of (1, ..., 1) is "
        "(1, ..., 1, -1)",
        (
            states_in_words(),
            Step("the minor 1 * (-1) - 1 * 1 of the two rows is not 0", minor != 0),
        ),
        (EVERY_SIZE, EIGENVECTOR, ON_LINES),
        ("BN defined on signs", "two samples or more", "law on signs", "invariant law (38)"),
        section="docs/mathematics/dkbhl20.md#uniqueness",
    )


def all_states_are_fixed() -> Argument:
    """u_i + gamma (W u)_i has the sign of u_i."""
    ring = ring_of(2)
    u, p = ring.generators
    gap = ring.is_zero(u * (u + p) - u * u - u * p)
    return Argument(
        "every state u v^T is fixed, as |gamma (W u)_i| <= gamma d B < 1: the laws at u v^T and "
        "-u v^T are invariant",
        (
            states_in_words(),
            Step("u_i (u_i + p_i) = u_i^2 + u_i p_i, with u_i^2 = 1 > |p_i|", gap),
            Step("u and -u are two states: 1 is not -1", Fraction(1) != Fraction(-1)),
        ),
        (ROW_SUMS, ON_LINES),
        ("a law", "support in [-B, B]", "gamma above 0", "gamma below 1/(dB)"),
        section="docs/mathematics/dkbhl20.md#uniqueness",
    )


def one_finite_chain() -> Argument:
    """Where the invariant law is unique there is a single sample, and one closed class."""
    return Argument(
        "two samples have two invariant laws, so there is one sample and the chain is one on "
        "{-1, 1}^d, with one closed class: averages from every start tend to means under its law",
        lines_are_apart().steps,
        (EVERY_SIZE, EIGENVECTOR, EVERYWHERE, FINITE, ON_LINES),
        ("unique invariant law", "law on signs", "invariant law (38)"),
        section="docs/mathematics/dkbhl20.md#uniqueness",
    )
