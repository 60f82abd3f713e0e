"""Section 3.1: what linear layers do to the rank, and BN as whitening."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import random_rational
from verify.cases.transformations import orthogonal
from verify.core.argument import Argument, Step
from verify.language.building import (
    Matrix,
    Number,
    When,
    cols,
    definite,
    det,
    eye,
    matrix,
    rank,
    rows,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import onto_sphere, rows_of
from verify.papers.dkbhl20.notation import GAMMA, H, W, batch_normalised, second_moment
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import (
    BEFORE,
    DEFINED,
    came_from,
    empty_row,
    exact,
    rows_in,
    step_pool,
)
from verify.statements.derivations.matrix_words import EVERY_SIZE, IDENTITY, number
from verify.statements.derivations.matrix_words import matrix as word
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, pool_with, stated

SLOPE = Number("s")  # of the activation, left of 0
ROOT = Matrix("R", "d", "d")  # M^(-1/2)


# the rank -----------------------------------------------------------------------------------------
def activated(hidden: Term) -> Term:
    """The activation of every entry: s x for x < 0, else x."""

    def entry(i: Term, j: Term) -> Term:
        return When(hidden[i, j] < 0, SLOPE * hidden[i, j], hidden[i, j])

    return matrix(rows(hidden), cols(hidden), entry)


RANK = rank(activated(batch_normalised(BEFORE))) <= rank(H)


def _bent(case: Any, random: Random) -> Any:
    """Another slope; mostly behind an input of rank one, multiples of a row of norm sqrt(N) of both
    signs, half of the time without weights."""
    slope = random.choice((Fraction(0), Fraction(0), Fraction(-1, 2), Fraction(2)))
    bent = with_entries(case, "s", [slope])
    if random.random() < 0.2:
        return bent
    first, size = onto_sphere(rows_of(case.arrays["H"])[0]), case.lengths["d"]
    first[-1] = -abs(first[-1]) if first[0] > 0 else abs(first[-1])
    factors = [Fraction((-1) ** k * random.choice((1, 1, 2, 3))) for k in range(size)]
    if random.random() < 0.5:
        bent = with_entries(bent, "W", [Fraction(0)] * size**2)
    return with_rows(bent, "H", [[factor * x for x in first] for factor in factors])


LINEAR = Given(
    "linear network",
    SLOPE == 1,
    r"there is no non-linearity between the layers: the slope of the activation left of $0$ is $1$",
    break_=_bent,
    thin=True,
)


def products_lose_rank() -> Argument:
    """H + gamma W H = (I + gamma W) H."""
    hidden, step = word("H"), number("gamma") @ word("W")
    made = (IDENTITY + step) @ hidden
    return Argument(
        "H + gamma W H is a multiple of H from the left",
        (
            Step("(I + gamma W) H = H + gamma W H", (made - hidden - step @ hidden).is_zero),
            Step("it has two terms", len(made.terms) == 2),
        ),
        (
            EVERY_SIZE,
            "rank(A B) is at most rank(B)",
            "factors of rows that are not 0 keep the rank; the activation of slope 1 is linear",
        ),
        (LINEAR.name, DEFINED.name),
        section="docs/mathematics/dkbhl20.md#layers-ranks-and-one-step",
    )


# whitening ----------------------------------------------------------------------------------------
MOMENTS, WHITENED = second_moment(BEFORE), ROOT @ BEFORE
FULL_RANK = (second_moment(WHITENED) == eye(rows(H))) & (rank(WHITENED) == rows(H))


def _orthogonal_rows(height: int, random: Random) -> list[list[Fraction]]:
    """Rational rows with Q Q^T = N I: of N = 1, 2 or 4 entries, which have rational roots or, for
    2, (1, 1) and (1, -1)."""
    count = random.choice([n for n in (1, 2, 4) if n >= height])
    turned = orthogonal(count, random)
    if count == 2:
        turned = turned @ exact([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(-1)]])
    rows = rows_in(turned)[:height]
    return [[x * (2 if count == 4 else 1) for x in row] for row in rows]


def _root(size: int, random: Random) -> list[list[Fraction]]:
    """A rational symmetric matrix with eigenvalues above 0."""
    sides = orthogonal(size, random)
    scales = [abs(random_rational(random)) for _ in range(size)]
    middle = [[scales[i] if i == j else Fraction(0) for j in range(size)] for i in range(size)]
    return rows_in(sides @ exact(middle) @ sides.T)


def with_root(case: Any, random: Random) -> Any:
    """H + gamma W H = R^(-1) Q with rational R and Q Q^T = N I, so that R is M^(-1/2)."""
    from graphs.matrices import inverse
    from verify.cases.tensors import Tensor

    size = case.lengths["d"]
    root, spread = _root(size, random), _orthogonal_rows(size, random)
    before = inverse(exact(root)) @ exact(spread)
    shape = (size, len(spread[0]))
    flat = tuple(x for row in rows_in(before) for x in row)
    case = with_rows(case.changing(H=Tensor(("d", "N"), shape, flat)), "R", root)
    try:
        return came_from(case, before)
    except ZeroDivisionError:  # no weights
        return with_entries(case, "W", [Fraction(0)] * size**2)


INVERTIBLE = Given(
    "invertible before BN",
    det(MOMENTS) != 0,
    r"$M(H+\gamma WH)$ is invertible",
    with_root,
    empty_row,
)
INVERSE_ROOT = Given(
    "inverse root",
    (ROOT == ROOT.T) & (definite(ROOT) & (eye(rows(H)) == ROOT @ ROOT @ MOMENTS)),
    r"$R=M^{-1/2}$ for $M=M(H+\gamma WH)$: $R$ is symmetric and positive semidefinite, $R^2M=I$",
    with_root,
    lambda case, random: with_entries(
        case, "R", [random.choice((2, -1)) * x for x in case.arrays["R"].entries]
    ),
    thin=True,
)


def whitening_is_the_identity() -> Argument:
    """M(R B) = R A R with A = M(B), and (R A R)(R R A) = R (A R R) R A."""
    r, a = word("R", symmetric=True), word("A", symmetric=True)
    left = (r @ a @ r) @ (r @ r @ a)
    return Argument(
        "M(R B) = R A R = I for A = M(B), so R B has rank d",
        (
            Step(
                "(R A R)(R R A) = R R A with A R R = I put in",
                (left.replaced(("A", "R", "R"), ()) - r @ r @ a).is_zero and not left.is_zero,
            ),
            Step("A R R is the transpose of R R A", (a @ r @ r - (r @ r @ a).transposed).is_zero),
        ),
        (EVERY_SIZE, "R R A = I", "the rank of H is at least that of H H^T"),
        (INVERTIBLE.name, INVERSE_ROOT.name),
        section="docs/mathematics/dkbhl20.md#whitening",
    )


CLAIMS = (
    stated(
        "dkbhl20.whitening",
        printed("Section 3.1, after Theorem 2"),
        "whitening yields full rank",
        r"With the full inverse root $M^{-1/2}$ in place of $\mathrm{diag}(M)^{-1/2}$ in (2), BN "
        r"would be a whitening operation, $M(M^{-1/2}H)=I$, and all $H_\ell^{(\gamma)}$, "
        r"$1\le\ell\le L$, would have full rank $d$.",
        FULL_RANK,
        [INVERTIBLE, INVERSE_ROOT],
        depends=("dkbhl20.def_chain.a",),
        pool=pool_with(H, W, GAMMA, ROOT, largest=3, adapt=with_root),
        proof=whitening_is_the_identity,
    ),
    stated(
        "dkbhl20.rank_noninc",
        printed("Section 3.1, Necessary assumptions; footnotes 9, 15"),
        "the rank does not increase",
        r"$\mathrm{rank}(H_{\ell+1})\le\mathrm{rank}(H_\ell)$.",
        RANK,
        [LINEAR, DEFINED],
        depends=("dkbhl20.def_chain.a",),
        pool=step_pool(SLOPE),
        proof=products_lose_rank,
    ),
)
