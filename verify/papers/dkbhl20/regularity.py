"""Definition 3, part (b), and Example 11: the regularity constant, for laws of finite support.

A law on H enters through its second moment matrices alone. In (83) the left side of the second
equation is the trace and the norm without index the 3-norm, as in Proposition 8; its right sides
are taken in expectation. Where the print divides by d, entries are multiplied by it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import NON_NEGATIVE, TRACE_D
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.matrix_laws import (
    ALPHA_AT_LEAST_1,
    EQUAL_ON_SUPPORT,
    LAW,
    LAWS,
    MOMENTS_SEMIDEFINITE,
    UNIT_ON_SUPPORT,
    expectation,
    support,
)
from verify.papers.dkbhl20.power_sums import norm_power
from verify.papers.dkbhl20.regularity_proofs import (
    cubes_dominate,
    equality_in_cauchy_schwarz,
    expectations_of_traces,
    flat_where_alpha_is_1,
    norms_at_alpha_1,
    sum_of_products,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectra import EQUALITY, SPECTRA, flatness
from verify.vocabulary import Entries

Part = tuple[dict[str, Any], Array, Array]
CARRIED = (LAW, MOMENTS_SEMIDEFINITE, UNIT_ON_SUPPORT)
EQUAL = (*CARRIED, EQUAL_ON_SUPPORT)


# Definition 3 -------------------------------------------------------------------------------------
def dominance(scene: ChainScene) -> Entries:
    """E Tr M^3 - E Tr diag(M^2)^2."""
    cubes = expectation(scene, scene.trace_of_cube)
    return scene.compare(cubes, expectation(scene, scene.square_diagonal))


CONSTANT = Claim(
    "dkbhl20.def3.a",
    Kind.DEFINITION,
    printed("Definition 3, eq. (46)"),
    "regularity constant",
    r"$\nu$ a distribution over $H\in\mathcal H$; $\alpha=\mathbb E_{H\sim\nu}[\mathrm{Tr}"
    r"(\mathrm{diag}(M(H)^2)^2)]/\mathbb E_{H\sim\nu}[\mathrm{Tr}(M(H)^3)]$.",
)

DOMINATES = Claim(
    "dkbhl20.def3.b",
    Kind.INEQUALITY,
    printed("Appendix E, before Definition 3"),
    "the trace of the cube dominates",
    r"In expectation $\mathrm{Tr}(M(H)^3)$ dominates $\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)$: "
    r"$\mathbb E_{H\sim\nu}\mathrm{Tr}(M(H)^3)\ge\mathbb E_{H\sim\nu}\mathrm{Tr}"
    r"(\mathrm{diag}(M(H)^2)^2)$ for a distribution $\nu$ over $\mathcal H$ (here of finite "
    r"support; a single matrix is one).",
    CARRIED,
    measure=dominance,
    pool=LAWS,
    proof=cubes_dominate,
)


# Example 11 ---------------------------------------------------------------------------------------
def unevenness(scene: ChainScene) -> Entries:
    """|M^2 Tr M - M Tr M^2|_F^2 at each support point, the sum over the eigenvalues of
    (l^2 sum l - l sum l^2)^2: 0 exactly where those that are not 0 are equal."""
    parts = []
    for number, matrix, _ in support(scene):
        square = matrix @ matrix
        first, second = scene.trace(matrix), scene.trace(square)
        difference = scene.scaled(square, first) - scene.scaled(matrix, second)
        parts.append(({"row": number}, scene.frobenius_squared(difference), scene.constant(0)))
    return scene.parts(parts)


def _fourth_power(matrix: Array) -> Array:
    """|lambda|_2^4."""
    square = norm_power(matrix, 2)
    return square * square


def trace_expectations(scene: ChainScene) -> Entries:
    """Both equations of (83), the second one times d."""
    cubes = expectation(scene, scene.trace_of_cube)
    squares = scene.share(expectation(scene, scene.square_diagonal), scene.width)
    thirds = expectation(scene, partial(norm_power, power=3))
    return scene.parts(
        [
            ({"part": "cube"}, cubes, thirds),
            ({"part": "diagonal"}, squares, expectation(scene, _fourth_power)),
        ]
    )


def norms_slack(scene: ChainScene, *, equality: bool) -> Entries:
    """d |l|_3^3 against |l|_2^4, and d against |l|_1, at each support point; equality: (86) in
    place of (84)."""
    parts: list[Part] = []
    for number, matrix, _ in support(scene):
        fourth, cube = _fourth_power(matrix), scene.share(norm_power(matrix, 3), scene.width)
        apart = norm_power(matrix, 1) - scene.constant(scene.width)
        if equality:
            parts.append(({"part": "norms", "row": number}, fourth, cube))
            parts.append(({"part": "trace", "row": number}, apart, scene.constant(0)))
        else:
            parts.append(({"part": "norms", "row": number}, fourth, cube))
            label = {"part": "trace", "row": number}
            parts.append((label, scene.constant(0), apart * apart))
    return scene.parts(parts)


def products_slack(scene: ChainScene) -> Entries:
    """(85), squared where it has a root: (sum l_i l_j)(sum l_i^3 l_j^3) - |l|_2^8, the equality
    behind it, and both ends |l|_1 |l|_3^3 - |l|_2^4."""
    lam = scene["lam"]
    square, size = (lam * lam).sum(1), abs(lam)
    first, third = lam.sum(1), (lam * lam * lam).sum(1)
    ends = size.sum(1) * (size * size * size).sum(1)
    fourth, inside = square * square, first * first * third * third
    apart = inside - ends * ends
    return scene.parts(
        [
            ({"part": "bound"}, inside, fourth * fourth),
            ({"part": "norms"}, scene.constant(0), apart * apart),
            ({"part": "ends"}, ends, fourth),
        ]
    )


FLAT = Claim(
    "dkbhl20.ex11.a",
    Kind.IDENTITY,
    printed("Example 11"),
    "all non-zero eigenvalues are equal",
    r"Suppose the support of $\nu$ contains only matrices $H\in\mathcal H$ for which all rows of "
    r"$M(H)$ have the same norm. If the regularity constant of $\nu$ is greater than or equal to "
    r"one, then all non-zero eigenvalues of $M(H)$ are equal.",
    (*EQUAL, ALPHA_AT_LEAST_1),
    ("dkbhl20.prop8.e", "dkbhl20.ex11.d", "dkbhl20.ex11.e.only"),
    unevenness,
    LAWS,
    exact_only=True,
    proof=flat_where_alpha_is_1,
)

TRACES = Claim(
    "dkbhl20.ex11.b@BBB",
    Kind.IDENTITY,
    printed("details of Example 11, eq. (83)"),
    "expectations of the traces",
    r"$\mathbb E[\mathrm{Tr}(M(H)^3)]=\lVert\lambda\rVert^3$, "
    r"$\mathbb E[\mathrm{diag}(M(H)^2)^2]=\lVert\lambda\rVert_2^4/d$.",
    EQUAL,
    ("dkbhl20.prop8.a@BA",),
    trace_expectations,
    LAWS,
    "BBB",
    r"the left side of the second equation is the trace; $\lVert\lambda\rVert^3$ is "
    r"$\lVert\lambda\rVert_3^3$; the right sides are taken in expectation",
    exact_only=True,
    proof=expectations_of_traces,
)

BOUND = Claim(
    "dkbhl20.ex11.c",
    Kind.INEQUALITY,
    printed("details of Example 11, eq. (84)"),
    "cubes are at most the fourth power over d",
    r"If the regularity constant of $\nu$ is at least one, $\lVert\lambda\rVert_3^3\le"
    r"\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/\lVert\lambda\rVert_1$.",
    (*EQUAL, ALPHA_AT_LEAST_1),
    ("dkbhl20.ex11.b@BBB",),
    partial(norms_slack, equality=False),
    LAWS,
    exact_only=True,
    proof=partial(norms_at_alpha_1, "norms_slack(equality=False)"),
)

PRODUCTS = Claim(
    "dkbhl20.ex11.d",
    Kind.INEQUALITY,
    printed("details of Example 11, eq. (85)"),
    "the fourth power is at most the product of two norms",
    r"$\lVert\lambda\rVert_2^4=\sum_{i,j}\lambda_i^2\lambda_j^2=\sum_{i,j}(\lambda_i\lambda_j)"
    r"^{1/2}(\lambda_i\lambda_j)^{3/2}\le\sqrt{\big(\sum_{i,j}\lambda_i\lambda_j\big)"
    r"\big(\sum_{i,j}\lambda_i^3\lambda_j^3\big)}=\lVert\lambda\rVert_1\lVert\lambda\rVert_3^3$.",
    (NON_NEGATIVE,),
    measure=products_slack,
    pool=SPECTRA,
    proof=sum_of_products,
)

EQUALITY_AT_1 = Claim(
    "dkbhl20.ex11.e",
    Kind.IDENTITY,
    printed("details of Example 11, eq. (86)"),
    "equality of the norms",
    r"If the regularity constant of $\nu$ is at least one, $\lVert\lambda\rVert_3^3="
    r"\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/\lVert\lambda\rVert_1$.",
    (*EQUAL, ALPHA_AT_LEAST_1),
    ("dkbhl20.ex11.c", "dkbhl20.ex11.d"),
    partial(norms_slack, equality=True),
    LAWS,
    exact_only=True,
    proof=partial(norms_at_alpha_1, "norms_slack(equality=True)"),
)

ONLY_FLAT = Claim(
    "dkbhl20.ex11.e.only",
    Kind.IDENTITY,
    printed("details of Example 11, after eq. (86)"),
    "equality holds only for equal eigenvalues",
    r"$\lVert\lambda\rVert_3^3=\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/"
    r"\lVert\lambda\rVert_1$ is met only when all non-zero eigenvalues are equal.",
    (NON_NEGATIVE, TRACE_D, EQUALITY),
    ("dkbhl20.ex11.d",),
    flatness,
    SPECTRA,
    proof=equality_in_cauchy_schwarz,
)

CLAIMS = (
    CONSTANT,
    DOMINATES,
    FLAT,
    TRACES,
    BOUND,
    PRODUCTS,
    EQUALITY_AT_1,
    ONLY_FLAT,
)
