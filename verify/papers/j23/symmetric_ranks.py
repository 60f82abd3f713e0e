"""The Bottleneck rank of functions with symmetries (Sections 1 and 5), and of the data of the first
experiment (Appendix E).

f(x) = C phi(S P x) + D x with P the projection off the span of the columns of V and phi the
absolute value or the square of each entry: for D = 0 invariant under translations along V and
x -> -x. With r the rank of P the quotient is R^r / +-1, of dimension r for r <= 2 (a point, a
half-line, a cone).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.rows import Row, entries_of, exact
from verify.papers.j23.sources import printed

LARGEST = 2  # the dimension of a quotient that is known


def off(case: Tensors) -> Matrix:
    """P."""
    along = reals.image_projection(exact(case, "V"))
    size = len(along)
    unit = RATIONALS.array([int(i == j) for i in range(size) for j in range(size)])
    return np.asarray(unit.reshape(size, size) - along)


def value(case: Tensors, x: Matrix) -> Matrix:
    """f(x)."""
    inside = exact(case, "S") @ off(case) @ x
    bent = abs(inside) if case.whole("kind") == 1 else inside * inside
    return np.asarray(exact(case, "C") @ bent + exact(case, "D") @ x)


def slope(case: Tensors, x: Matrix) -> Matrix:
    """Jf(x), with the slope 1 of the absolute value at 0."""
    rows = exact(case, "S") @ off(case)
    inside = rows @ x
    one = rational(1)
    factors = np.where(inside < 0, inside * 0 - one, inside * 0 + one)
    if case.whole("kind") != 1:
        factors = inside * 2
    return np.asarray((exact(case, "C") * factors) @ rows + exact(case, "D"))


def piecewise_linear_slack(scene: RealScene) -> Entries:
    """dim(Omega / G) minus what is known of Rank_BN with piecewise linear maps: at least the rank
    of a Jacobian, and no number at all where f(2 x) + f(0) - 2 f(x) is not 0 for a quadratic f."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        dimension, points = rank(off(case)), exact(case, "X")
        if dimension > LARGEST or case.whole("kind") not in (1, 2):
            continue
        if case.whole("kind") != 1:
            bends = [value(case, 2 * x) + value(case, 0 * x) - 2 * value(case, x) for x in points]
            rows.append((place, {}, -sum((b * b).sum() for b in bends)))
        else:
            found = max(rank(slope(case, x)) for x in points)
            rows.append((place, {}, rational(dimension - found)))
    return entries_of(rows)


def _invariant(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["D"]
    return case.changing(D=replace(array, entries=(Fraction(0),) * len(array.entries)))


def _tilted(case: Tensors, random: Random) -> Tensors:
    """D is not 0."""
    array = case.arrays["D"]
    return case.changing(D=replace(array, entries=tuple(v or Fraction(1) for v in array.entries)))


INVARIANT = Hypothesis(
    "invariant function",
    r"$f(g\cdot x)=f(x)$ for the group of the translations along $V$ and $x\mapsto-x$: $D=0$",
    by_case(lambda case: not any(case.arrays["D"].entries)),
    _invariant,
    _tilted,
)
PIECEWISE = Hypothesis(
    "piecewise linear function",
    r"$f$ is an FPLF: kind is $1$",
    by_case(lambda case: case.whole("kind") == 1),
    lambda case, random: case.changing(kind=Tensor((), (), (Fraction(1),), integer=True)),
    lambda case, random: case.changing(
        kind=Tensor((), (), (Fraction(2),), integer=True),
        V=replace(case.arrays["V"], entries=(Fraction(0),) * len(case.arrays["V"].entries)),
    ),
)
SYMMETRIC = TensorPool(
    (
        ("C", ("q", "m")),
        ("S", ("m", "n")),
        ("V", ("n", "v")),
        ("D", ("q", "n")),
        ("X", ("N", "n")),
    ),
    (("kind", 1, 2),),
    largest=3,
    adapt=as_real,
)
FAMILY = (
    r"$f(x)=C\phi(SPx)+Dx$, $P$ the projection off the columns of $V$, $\phi$ the absolute value "
    "(kind 1) or the square (kind 2) of each entry"
)


SYMMETRIC_RANK = Claim(
    "j23.symrank@B",
    Kind.INEQUALITY,
    printed("Sections 1 and 5"),
    "symmetries and the Bottleneck rank",
    r"A function $f:\Omega\to\mathbb R^{d_{out}}$ with symmetry group $G$ can be defined as "
    r"mapping $\Omega$ to an embedding of $\Omega/G$ and then to the outputs; thus "
    r"$\mathrm{Rank}_{BN}(f;\Omega)\le\dim(\Omega/G)$.",
    (INVARIANT, PIECEWISE),
    ("j23.bnrank@B",),
    measure=piecewise_linear_slack,
    pool=SYMMETRIC,
    reading="B",
    reading_text=f"the functions are finite piecewise linear; {FAMILY}",
    exact_only=True,
    through="the rank of a Jacobian, which is at most the Bottleneck rank, is compared "
    "(docs/mathematics/j23.md#the-bottleneck-rank)",
)


# the data of the first experiment -----------------------------------------------------------------
def data_rank_residual(scene: RealScene) -> Entries:
    """What is known of Rank_BN(h) minus 2: at most the ranks of both matrices, at least the rank of
    Jh at the points."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        inner, outer = exact(case, "U"), exact(case, "V")
        most = min(rank(inner), rank(outer))
        at = exact(case, "Z") @ inner.T + exact(case, "b")
        least = max(rank((outer * (row > 0)) @ inner) for row in at)
        if most < 2 or least >= 2:
            rows.append((place, {}, rational(min(most, max(least, most)) - 2)))
    return entries_of(rows)


def _has_rank_2(case: Tensors) -> bool:
    inner, outer = exact(case, "U"), exact(case, "V")
    at = exact(case, "Z") @ inner.T + exact(case, "b")
    return any(rank((outer * (row > 0)) @ inner) >= 2 for row in at)


def _latent(case: Tensors, random: Random) -> Tensors:
    """Two latent coordinates."""
    hidden, count = len(case.arrays["b"].entries), case.arrays["Z"].shape[0]
    draw = [Fraction(random.randint(-4, 4), 2) for _ in range(2 * (hidden + count))]
    inner = case.arrays["U"]
    if inner.shape[1] != 2:
        inner = Tensor(("m", "d"), (hidden, 2), tuple(draw[: 2 * hidden]))
    points = Tensor(("N", "d"), (count, 2), tuple(draw[2 * hidden :]))
    return as_real(case.changing(U=inner, Z=points), random)


def _to_rank_2(case: Tensors, random: Random) -> Tensors:
    """All hidden neurons are active at the first point, with other weights where that is not
    enough."""
    for redrawn in (False, True):
        if _has_rank_2(case):
            break
        if redrawn:
            case = case.changing(**{name: _other(case.arrays[name], random) for name in "UV"})
        at = exact(case, "U") @ exact(case, "Z")[0]
        raised = tuple(1 - as_fraction(z) for z in at)
        case = case.changing(b=replace(case.arrays["b"], entries=raised))
    return case


def _other(array: Tensor, random: Random) -> Tensor:
    return replace(array, entries=tuple(Fraction(random.randint(-4, 4), 2) for _ in array.entries))


RANK_2 = Hypothesis(
    "Jacobian of rank 2",
    r"$h$ depends on both $z_1$ and $z_2$: $Jh$ has rank 2 at one of the points $Z$",
    by_case(_has_rank_2),
    _to_rank_2,
    lambda case, random: case.changing(
        U=replace(case.arrays["U"], entries=(Fraction(0),) * len(case.arrays["U"].entries))
    ),
)


DATA = Claim(
    "j23.appE.rank",
    Kind.IDENTITY,
    printed("Appendix E"),
    "Bottleneck rank of the data",
    r"$h:\mathbb R^2\to\mathbb R^{20}$ is a random function given by a shallow network with random "
    r"parameters. Assuming that $g$ is injective, the function $f^*=h\circ g^{-1}$ which maps $x$ "
    r"to $y$ has BN-rank 2. ($h(z)=V\sigma(Uz+b)$ with the ReLU.)",
    (RANK_2,),
    ("j23.bnrank@B",),
    measure=data_rank_residual,
    through="as $g$ is injective, the BN-rank is that of $h$, which lies between the rank of a "
    "Jacobian and those of both matrices (docs/mathematics/j23.md#ranks-of-the-data)",
    pool=TensorPool(
        (("U", ("m", "d")), ("b", ("m",)), ("V", ("q", "m")), ("Z", ("N", "d"))),
        largest=4,
        adapt=_latent,
    ),
    exact_only=True,
)


CLAIMS = (
    SYMMETRIC_RANK,
    DATA,
)
