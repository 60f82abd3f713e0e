"""Proposition 8: the spectral form of delta_F where all rows of M have the same norm.

Of the second equation of (44) the left side is the trace of the square, as in (43) and (77), and
the norm without index the 2-norm, as in (77). Entries are multiplied by d where the print divides
by it.
"""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import EQUAL_ROWS, SEMIDEFINITE
from verify.normalised_pool import chain_pool
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.power_sums import norm_power, power_sum
from verify.papers.dkbhl20.proposition8_proofs import (
    fourth_powers_of_the_norm,
    powers_of_the_matrix,
    rows_of_the_square,
    spectral_form,
    three_equations,
)
from verify.papers.dkbhl20.sources import printed
from verify.vocabulary import Entries

MOMENTS = chain_pool("M", largest=5)


def fourth_power(scene: ChainScene, left: Array) -> tuple[Array, Array]:
    """Two numbers (C,) that are equal where d times the left side is |lambda|_2^4."""
    square = norm_power(scene["M"], 2)
    return scene.share(left, scene.width), square * square


def equations(scene: ChainScene) -> Entries:
    """The three equations of (44)."""
    moments = scene["M"]
    return scene.parts(
        [
            ({"part": "cube"}, scene.trace_of_cube(moments), norm_power(moments, 3)),
            ({"part": "diagonal"}, *fourth_power(scene, scene.square_diagonal(moments))),
            ({"part": "norm"}, scene.frobenius_squared(moments), norm_power(moments, 2)),
        ]
    )


def change(scene: ChainScene) -> Entries:
    """(45), solved for its last term: (delta_F(M) - 2 d^2 + 2 |lambda|_2^2 + 8 |lambda|_3^3) / 8
    against |lambda|_2^4 / d."""
    moments = scene["M"]
    left = scene.frobenius_change(moments) - scene.constant(2 * scene.width**2)
    left = left + scene.share(norm_power(moments, 2), 2)
    left = scene.share(left, Fraction(1, 8)) + norm_power(moments, 3)
    return scene.parts([({}, *fourth_power(scene, left))])


def powers(scene: ChainScene) -> Entries:
    """Tr M^k - sum lambda_i^k, and sum lambda_i^k - |lambda|_k^k, for k = 2, 3."""
    moments, parts = scene["M"], []
    traces = {2: scene.trace(moments @ moments), 3: scene.trace_of_cube(moments)}
    for k, trace in traces.items():
        total = power_sum(moments, k)
        parts.append(({"part": f"sum {k}"}, trace, total))
        parts.append(({"part": f"norm {k}"}, total, norm_power(moments, k)))
    return scene.parts(parts)


def rows(scene: ChainScene) -> Entries:
    """d sum_k M_ik^2 - |M|_F^2 for each row, and |M|_F^2 - |lambda|_2^2."""
    moments = scene["M"]
    squares, whole = (moments * moments).sum(2), scene.frobenius_squared(moments)
    parts = [
        ({"row": i}, scene.share(squares[:, i], scene.width), whole) for i in range(scene.width)
    ]
    return scene.parts([*parts, ({"part": "norm"}, whole, norm_power(moments, 2))])


def diagonal(scene: ChainScene) -> Entries:
    """Tr diag(M^2)^2 - sum_i (sum_k M_ik^2)^2, and d times the latter - |lambda|_2^4."""
    moments = scene["M"]
    squares = (moments * moments).sum(2)
    middle = (squares * squares).sum(1)
    return scene.parts(
        [
            ({"part": "rows"}, scene.square_diagonal(moments), middle),
            ({"part": "norm"}, *fourth_power(scene, middle)),
        ]
    )


SUPPOSED = (SEMIDEFINITE, EQUAL_ROWS)
THREE = (
    r"Suppose all rows of $M$ have the same norm. Then $\mathrm{Tr}(M^3)=\lVert\lambda\rVert_3^3$, "
    r"$\mathrm{Tr}(\mathrm{diag}(M^2))^2=\lVert\lambda\rVert^4/d$, "
    r"$\lVert M\rVert_F^2=\lVert\lambda\rVert_2^2$."
)


EQUATIONS = Claim(
    "dkbhl20.prop8.a@BA",
    Kind.IDENTITY,
    printed("Proposition 8, eq. (44)"),
    "three functions of the spectrum",
    THREE,
    SUPPOSED,
    ("dkbhl20.prop8.c", "dkbhl20.prop8.d", "dkbhl20.prop8.e"),
    equations,
    MOMENTS,
    "BA",
    r"the left side of the second equation is $\mathrm{Tr}((\mathrm{diag}(M^2))^2)$; the norm "
    "without index is the 2-norm",
    exact_only=True,
    proof=three_equations,
)
CHANGE = Claim(
    "dkbhl20.prop8.b@A",
    Kind.IDENTITY,
    printed("Proposition 8, eq. (45)"),
    "the change of the Frobenius norm as a function of the spectrum",
    r"Suppose all rows of $M$ have the same norm. Then $\delta_F(M)=2d^2"
    r"-2\lVert\lambda\rVert_2^2-8\lVert\lambda\rVert_3^3+8\lVert\lambda\rVert^4/d$.",
    SUPPOSED,
    ("dkbhl20.prop8.a@BA",),
    change,
    MOMENTS,
    "A",
    "the norm without index is the 2-norm",
    exact_only=True,
    proof=spectral_form,
)

STEPS = (
    Claim(
        "dkbhl20.prop8.c",
        Kind.IDENTITY,
        printed("proof of Proposition 8, eq. (75)"),
        "traces of powers",
        r"$\mathrm{Tr}(M^k)=\sum_i\lambda_i^k=\lVert\lambda\rVert_k^k$ for $k=2,3$.",
        SUPPOSED,
        (),
        powers,
        MOMENTS,
        exact_only=True,
        proof=powers_of_the_matrix,
    ),
    Claim(
        "dkbhl20.prop8.d",
        Kind.IDENTITY,
        printed("proof of Proposition 8, eq. (76)"),
        "squares of a row",
        r"$\sum_kM_{ik}^2=\lVert M\rVert_F^2/d=\lVert\lambda\rVert_2^2/d$.",
        SUPPOSED,
        ("dkbhl20.prop8.c",),
        rows,
        MOMENTS,
        exact_only=True,
        proof=rows_of_the_square,
    ),
    Claim(
        "dkbhl20.prop8.e",
        Kind.IDENTITY,
        printed("proof of Proposition 8, eq. (77)"),
        "trace of the squared diagonal",
        r"$\mathrm{Tr}(\mathrm{diag}(M^2)^2)=\sum_i(\sum_kM_{ik}^2)^2=\lVert\lambda\rVert_2^4/d$.",
        SUPPOSED,
        ("dkbhl20.prop8.d",),
        diagonal,
        MOMENTS,
        exact_only=True,
        proof=fourth_powers_of_the_norm,
    ),
)

CLAIMS = (EQUATIONS, CHANGE, *STEPS)
