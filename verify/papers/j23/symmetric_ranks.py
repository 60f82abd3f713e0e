"""The Bottleneck rank of functions with symmetries (Sections 1 and 5), and of the data of the first
experiment (Appendix E).

f(x) = C phi(S P x) + D x with P the projection off the span of the columns of V and phi the
absolute value or the square of each entry: for D = 0 invariant under translations along V and
x -> -x. With r the rank of P the quotient is R^r / +-1, of dimension r for r <= 2 (a point, a
half-line, a cone).
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import RATIONALS, as_fraction, rational
from graphs.matrices import rank
from verify.claim import Claim, Kind
from verify.deep import Matrix
from verify.deep_scene import RealScene, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.rows import Row, entries_of, exact
from verify.papers.j23.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

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


def any_maps_slack(scene: RealScene) -> Entries:
    """dim(Omega / G) minus Rank_BN with any maps: 0 of a constant, else 1 (R^n and R have the same
    cardinality)."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        dimension = rank(off(case))
        if dimension <= LARGEST and case.whole("kind") in (1, 2):
            points = exact(case, "X")
            origin = value(case, points[0] * 0)
            varies = any((value(case, x) != origin).any() for x in points)
            rows.append((place, {}, rational(dimension - int(varies))))
    return entries_of(rows)


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


def _symmetric(letter: str, measure: Any, *more: Hypothesis, repaired: bool = False) -> Claim:
    name = f"j23.symrank@{letter}"
    maps = {"A": "any maps", "B": "finite piecewise linear maps"}[letter]
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.INEQUALITY,
        printed("Sections 1 and 5"),
        "symmetries and the Bottleneck rank" + (", repaired" if repaired else ""),
        r"A function $f:\Omega\to\mathbb R^{d_{out}}$ with symmetry group $G$ can be defined as "
        r"mapping $\Omega$ to an embedding of $\Omega/G$ and then to the outputs; thus "
        r"$\mathrm{Rank}_{BN}(f;\Omega)\le\dim(\Omega/G)$"
        + (r" for finite piecewise linear $f$." if repaired else "."),
        (INVARIANT, *more),
        (f"j23.bnrank@{letter}",),
        measure=measure,
        pool=SYMMETRIC,
        reading=letter,
        reading_text=f"the factors of the Bottleneck rank are {maps}; {FAMILY}",
        repairs=name if repaired else None,
        exact_only=True,
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
    pool=TensorPool(
        (("U", ("m", "d")), ("b", ("m",)), ("V", ("q", "m")), ("Z", ("N", "d"))),
        largest=4,
        adapt=_latent,
    ),
    exact_only=True,
)


# injectivity --------------------------------------------------------------------------------------
def increasing(case: Tensors) -> Any:
    """The least slope of w . g over the pieces of g(z) = V sigma(u z + b), z in R; above 0 it shows
    that g is injective."""
    u, b, outer = exact(case, "u"), exact(case, "b"), exact(case, "V")
    weights = (exact(case, "w") @ outer) * u
    kinks = sorted({-s / r for r, s in zip(u, b, strict=True) if r != 0}, key=float)
    inside = [(low + high) / 2 for low, high in itertools.pairwise(kinks)]
    places = [kinks[0] - 1, *inside, kinks[-1] + 1] if kinks else [rational(0)]
    return min((weights * (u * z + b > 0)).sum() for z in places)


def injective_witness(scene: RealScene) -> Entries:
    """That slope where it is above 0, else 0."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        found = increasing(case)
        rows.append((place, {}, found if found > 0 else rational(0)))
    return entries_of(rows)


INJECTIVE = Claim(
    "j23.appE.injective",
    Kind.EXISTENCE,
    printed("Appendix E"),
    "an injective shallow network",
    r"$g$ is given by a shallow network with random parameters and is injective (which it is with "
    r"high probability): here some $g(z)=V\sigma(uz+b)$, $z\in\mathbb R$, with the ReLU, such that "
    r"$w\cdot g$ increases on every linear piece.",
    measure=injective_witness,
    pool=TensorPool(
        (("u", ("m",)), ("b", ("m",)), ("V", ("q", "m")), ("w", ("q",))), largest=4, adapt=as_real
    ),
    negated="no such network is injective",
    exact_only=True,
)

CLAIMS = (
    _symmetric("A", any_maps_slack),
    _symmetric("B", piecewise_linear_slack),
    _symmetric("B", piecewise_linear_slack, PIECEWISE, repaired=True),
    DATA,
    INJECTIVE,
)
