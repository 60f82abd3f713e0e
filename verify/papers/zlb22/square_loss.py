"""Eq. (16): the gradient of the square loss and the tangent kernel, and what is said of PL*.

An instance holds the Jacobian `J` (n, P) of an output at n data points and the residuals r = f - y,
any numbers. Beside them, `G` (n, P) and `s` (n,) of a second output, which hypotheses put to 0, and
the factor `c` of the loss c sum_i (r_i^2 + s_i^2), which is 1/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.dkbhl20.symbols import SQUARES, same, symbols
from verify.papers.dkbhl20.words import EVERY_SIZE, matrix
from verify.papers.j23.quantities import listed, rows_of, with_entries, with_value
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

RAYLEIGH = "v^T K v is at least lambda_min(K) |v|^2 for a symmetric K"
SECTION = "Section 4, eqs. (15) to (17)"


# measures -----------------------------------------------------------------------------------------
def kernel(scene: RealScene) -> Array:
    """(C, n, n): K."""
    one, other = scene["J"], scene["G"]
    return one @ scene.transpose(one) + other @ scene.transpose(other)


def _gradient_over_2c(scene: RealScene) -> Array:
    """(C, P): J^T r + G^T s."""
    count, n, _ = scene["J"].shape
    first = scene["J"] * scene["r"].reshape(count, n, 1)
    return (first + scene["G"] * scene["s"].reshape(count, n, 1)).sum(1)


def gradient_slack(scene: RealScene) -> Entries:
    """|grad L|^2 - 2 lambda_min(K) L."""
    factor, slope = scene["c"], _gradient_over_2c(scene)
    residuals = (scene["r"] * scene["r"]).sum(1) + (scene["s"] * scene["s"]).sum(1)
    left = scene.share(factor * factor * (slope * slope).sum(1), 4)
    right = scene.share(factor * residuals, 2) * scene.smallest_eigenvalue(kernel(scene))
    return scene.compare(left, right)


def least_eigenvalue(scene: RealScene) -> Entries:
    """lambda_min(K) for K = J J^T."""
    own = scene["J"] @ scene.transpose(scene["J"])
    return scene.compare(scene.smallest_eigenvalue(own), scene.constant(0))


def at_rest_above_zero(scene: RealScene) -> Entries:
    """1 where grad L = 0 while L > 0, so that no mu > 0 serves, else 0."""
    exact = scene.exact
    slope = _gradient_over_2c(exact)  # type: ignore[arg-type]  # sums and products alone
    still = np.array([all(x == 0 for x in row) for row in slope])
    pairs = zip(exact["r"], exact["s"], strict=True)
    fitted = np.array([all(x == 0 for x in (*r, *s)) for r, s in pairs])
    return scene.compare(scene.numbers((still & ~fitted) * 1), scene.constant(0))


# hypotheses ---------------------------------------------------------------------------------------
def _zeros(case: Tensors, *names: str) -> Tensors:
    for name in names:
        case = with_entries(case, name, [Fraction(0)] * len(case.arrays[name].entries))
    return case


def _is_zero(case: Tensors, *names: str) -> bool:
    return not any(entry for name in names for entry in case.arrays[name].entries)


def _opposite(case: Tensors, random: Random) -> Tensors:
    """A second output that moves like the first one, with the opposite residuals."""
    case = with_entries(case, "G", listed(case, "J"))
    return with_entries(case, "s", [-x for x in listed(case, "r")])


ONE_OUTPUT = Hypothesis(
    "one output of the loss",
    r"the network has one output (else $K_{ij}$ and $\mathcal L$ are sums over two)",
    by_case(lambda case: _is_zero(case, "G", "s")),
    lambda case, random: _zeros(case, "G", "s"),
    _opposite,
    thin=True,
)
HALF = Hypothesis(
    "factor 1/2",
    r"$\mathcal L(\mathbf w)=\frac12\sum_i(f(\mathbf w;x_i)-y_i)^2$ (else with another factor: "
    r"$\frac1{2n}$ for the mean, 1 for none)",
    by_case(lambda case: case.number("c") == Fraction(1, 2)),
    lambda case, random: with_value(case, "c", Fraction(1, 2)),
    lambda case, random: with_value(
        case, "c", random.choice((Fraction(1, 2 * max(2, case.lengths["n"])), Fraction(1)))
    ),
    thin=True,
)


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    from graphs.arithmetic import RATIONALS
    from graphs.matrices import rank

    width = len(rows[0])
    found: int = rank(RATIONALS.array([x for row in rows for x in row]).reshape(-1, width))
    return found


def _joined(case: Tensors) -> list[list[Fraction]]:
    """[J G], whose Gram matrix is K."""
    pairs = zip(rows_of(case, "J"), rows_of(case, "G"), strict=True)
    return [[*one, *other] for one, other in pairs]


def _definite(case: Tensors) -> bool:
    return _rank(_joined(case)) == case.lengths["n"]


def _to_definite(case: Tensors, random: Random) -> Tensors:
    """Data points are left out until the others are independent; a row of zeros is replaced."""
    while not _definite(case):
        last = case.lengths["n"] - 1
        if not last:
            return with_entries(case, "J", [Fraction(1)] * len(case.arrays["J"].entries))
        names = ("J", "G", "r", "s")
        case = case.changing(**{name: case.arrays[name].without("n", last) for name in names})
    return case


def _first_at_rest(case: Tensors, random: Random) -> Tensors:
    """The output at the first data point does not depend on the weights, and has a residual."""
    width, rest = case.lengths["P"], [Fraction(0)] * (case.lengths["n"] - 1)
    still = [Fraction(0)] * width
    case = with_entries(case, "J", [*still, *case.arrays["J"].entries[width:]])
    case = with_entries(case, "r", [Fraction(1), *rest])
    return with_entries(case, "G", [*still, *case.arrays["G"].entries[width:]])


DEFINITE = Hypothesis(
    "kernel definite",
    r"$\lambda_{\min}(K(\mathbf w))>0$",
    by_case(_definite),
    _to_definite,
    _first_at_rest,
)


def _printed_loss(case: Tensors, random: Random) -> Tensors:
    """Nearly always the loss as printed, of one output."""
    case = with_value(as_real(case, random), "c", Fraction(1, 2))
    return case if random.random() < 0.1 else _zeros(case, "G", "s")


POOL = TensorPool(
    (("J", ("n", "P")), ("G", ("n", "P")), ("r", ("n",)), ("s", ("n",)), ("c", ())),
    largest=3,
    adapt=_printed_loss,
)
JACOBIANS = TensorPool((("J", ("n", "P")),), largest=4, adapt=as_real)


# arguments ----------------------------------------------------------------------------------------
def by_rayleigh() -> Argument:
    """|J^T r|^2 = r^T K r."""
    jacobian, residual = matrix("J"), matrix("r")
    slope = jacobian.transposed @ residual
    form = residual.transposed @ jacobian @ jacobian.transposed @ residual
    ring, (factor, least, square) = symbols(3)
    return Argument(
        "the gradient is J^T r, whose square is r^T K r; the right side is lambda_min(K) |r|^2",
        (
            Step("|J^T r|^2 = r^T K r", (slope.transposed @ slope - form).is_zero),
            same(
                ring,
                "4 c^2 r^T K r - 2 lambda c |r|^2 = 4 c^2 (r^T K r - lambda |r|^2) "
                "+ 2 c (2 c - 1) lambda |r|^2, of which the last is 0 for c = 1/2",
                4 * factor * factor * square - 2 * factor * least,
                4 * factor * factor * (square - least) + 2 * factor * (2 * factor - 1) * least,
            ),
        ),
        (RAYLEIGH, EVERY_SIZE),
        "gradient_slack",
        (ONE_OUTPUT.name, HALF.name),
        section=40,
    )


def by_squares() -> Argument:
    """v^T K v = |J^T v|^2."""
    jacobian, vector = matrix("J"), matrix("v")
    part = jacobian.transposed @ vector
    form = vector.transposed @ jacobian @ jacobian.transposed @ vector
    return Argument(
        "v^T K v is a sum of squares for every v",
        (Step("v^T K v = |J^T v|^2", (form - part.transposed @ part).is_zero),),
        (SQUARES, EVERY_SIZE, "lambda_min(K) is the least value of v^T K v on unit vectors"),
        "least_eigenvalue",
        (),
        section=40,
    )


def no_rest_above_zero() -> Argument:
    """J^T r = 0 gives r^T K r = 0."""
    jacobian, residual = matrix("J"), matrix("r")
    slope = jacobian.transposed @ residual
    form = residual.transposed @ jacobian @ jacobian.transposed @ residual
    return Argument(
        "|grad L|^2 = r^T K r is at least lambda_min(K) |r|^2 = 2 lambda_min(K) L, so mu = "
        "lambda_min(K) serves, and where grad L = 0 the loss is 0",
        (Step("|J^T r|^2 = r^T K r", (slope.transposed @ slope - form).is_zero),),
        (RAYLEIGH, EVERY_SIZE),
        "at_rest_above_zero",
        (ONE_OUTPUT.name, HALF.name, DEFINITE.name),
        section=40,
    )


CLAIMS = (
    Claim(
        "zlb22.eq16",
        Kind.INEQUALITY,
        printed(SECTION),
        "gradient of the square loss",
        r"$\lVert\nabla_{\mathbf w}\mathcal L(\mathbf w)\rVert^2\ge2\lambda_{\min}(K(\mathbf w))"
        r"\,\mathcal L(\mathbf w)$, where $K=JJ^T$ and $\nabla\mathcal L=J^T(f-y)$.",
        (ONE_OUTPUT, HALF),
        measure=gradient_slack,
        pool=POOL,
        exact_only=True,
        floats=True,
        proof=by_rayleigh,
    ),
    Claim(
        "zlb22.eq16.semidefinite",
        Kind.INEQUALITY,
        printed("Section 4, eq. (17)"),
        "the tangent kernel is positive semi-definite",
        r"$\lambda_{\min}(K(\mathbf w))\ge0$.",
        measure=least_eigenvalue,
        pool=JACOBIANS,
        exact_only=True,
        floats=True,
        proof=by_squares,
    ),
    Claim(
        "zlb22.eq16.pl",
        Kind.IDENTITY,
        printed("Section 4, PL*"),
        "a definite kernel gives PL*",
        r"If $\lambda_{\min}(K(\mathbf w))>0$ the loss satisfies PL$^*$ at $\mathbf w$: some "
        r"$\mu>0$ has $\lVert\nabla\mathcal L(\mathbf w)\rVert^2\ge2\mu\mathcal L(\mathbf w)$, "
        r"that is, $\nabla\mathcal L(\mathbf w)=0$ only where $\mathcal L(\mathbf w)=0$.",
        (ONE_OUTPUT, HALF, DEFINITE),
        ("zlb22.eq16",),
        at_rest_above_zero,
        POOL,
        exact_only=True,
        proof=no_rest_above_zero,
    ),
)
