"""Section 3.3: representations of networks of minimal norm, on functions whose cost is known.

f_i(x) = s_i c_i sigma(x_i) with the ReLU, s_i = 1 or -1, c_i > 0, on a box around 0: R = L sum
c_i^(2/L), from below by the Jacobian at a positive point, from above by one chain for each
coordinate with the weights c_i^(1/L), which is optimal: alpha~_l = c^(l/L) sigma(x) for l >= 2. So
the limit at p is c^p sigma(x), the rest of the network z -> s c^(1-p) z. With c = t^m and p = j / m
everything is rational.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from graphs.arithmetic import rational
from graphs.matrices import rank as rank_of
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Affine
from verify.kinds.costs.corrections import corrections
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.networks import Matrix as Rows
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.language.building import (
    Each,
    Matrix,
    Sum,
    Vector,
    When,
    Whole,
    cols,
    dim,
    implies,
    matrix,
    rank,
    rows,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import a, inside
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, pool_with, stated

WHERE = "Section 3.3"
KNOWN = (
    r"of $c_i\max(x_i,0)$ the cost and the optimal network are known at every depth "
    "(docs/mathematics/j23.md#geodesics)"
)
FAMILY = r"$f_i(x)=\pm c_i\max(x_i,0)$, $c_i>0$, on a box around $0$, with the ReLU"


# making cases -------------------------------------------------------------------------------------
def _positive(array: Tensor) -> Tensor:
    return replace(array, entries=tuple(abs(v) or Fraction(1) for v in array.entries))


def _ones(array: Tensor) -> Tensor:
    return replace(array, entries=(Fraction(1),) * len(array.entries))


def positive_numbers(case: Tensors, random: Random) -> RealTensors:
    """Everything above 0, u mostly 1."""
    arrays = {
        name: array if array.integer else _positive(array) for name, array in case.arrays.items()
    }
    if random.random() < 0.75:
        arrays |= {name: _ones(arrays[name]) for name in ("u",) if name in arrays}
    return RealTensors(arrays, case.choice, case.family)


def _whole(case: Tensors, **values: int) -> Tensors:
    return case.changing(
        **{k: Tensor((), (), (Fraction(v),), integer=True) for k, v in values.items()}
    )


# the cost splits ----------------------------------------------------------------------------------
t, u = Vector("t", "n"), Vector("u", "n", meaning="by what the neurons of layer l are rescaled")
L, cut = Whole("L", 2, 7), Whole("l", 1, 6)


def chain_cost(scale: Callable[[Term], Term], depth: Term) -> Term:
    """R of x -> c sigma(x) at a depth: L sum |c_i|^(2/L)."""
    return depth * Sum(upto(dim(t)), lambda i: (scale(i) ** 2) ** (1 / depth))


def _is_positive(case: Tensors, *names: str) -> bool:
    return all(v > 0 for name in names for v in case.arrays[name].entries)


def _above_0(vector: Term) -> Term:
    return Each(upto(dim(vector)), lambda i: vector[i] > 0)


SPLITS = implies(
    _above_0(t) & _above_0(u),
    chain_cost(lambda i: t[i] ** L, L)
    == chain_cost(lambda i: t[i] ** cut * u[i], cut)
    + chain_cost(lambda i: t[i] ** (L - cut) / u[i], L - cut),
)
"""R(f; Omega, L), and the costs of the parts below and above layer l, with rescaled neurons."""


def _rescaled(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["u"]
    entries = tuple(v * random.choice((2, 3)) for v in array.entries)
    return case.changing(u=replace(array, entries=entries))


OPTIMAL = Given(
    "optimal network",
    Each(upto(dim(u)), lambda i: u[i] == 1),
    r"$\theta$ has minimal norm among the parameters that represent $f$ on $\Omega$: the neurons "
    r"are not rescaled, $u=1$",
    lambda case, random: case.changing(u=_ones(case.arrays["u"])),
    _rescaled,
)
BETWEEN = Given(
    "layers in order",
    cut < L,
    r"$1\le\ell\le L-1$",
    lambda case, random: _whole(case, L=max(3, case.whole("L")), l=1),
)
SPLIT = stated(
    "j23.geodesic.two",
    printed(f"{WHERE}, first displays"),
    "the optimal cost splits at a layer",
    "The pre-activation functions of a network which minimises the parameter norm must satisfy "
    r"$R(f;\Omega,L)=R(\tilde\alpha_\ell;\Omega,\ell)+R(\sigma(\tilde\alpha_\ell)\to f;\Omega,"
    rf"L-\ell)$. ({FAMILY}; $c_i=t_i^L$; neurons rescaled by $u$ are not optimal.)",
    SPLITS,
    (OPTIMAL, BETWEEN),
    depends=("j23.repcost",),
    pool=pool_with(t, u, L, cut, largest=3, adapt=positive_numbers),
    exact_only=True,
    through=KNOWN,
)


# permuted neurons ---------------------------------------------------------------------------------
def permuted(case: Deep, layer: int) -> Deep:
    """The neurons of a hidden layer in reverse order."""
    weight, bias, after = f"W{layer}", f"b{layer}", f"W{layer + 1}"
    columns = case.arrays[after].shape[1]
    arrays = {}
    for name in (weight, bias):
        array = case.arrays[name]
        width = len(array.entries) // array.shape[0]
        rows = [array.entries[i * width : (i + 1) * width] for i in range(array.shape[0])]
        arrays[name] = replace(array, entries=tuple(v for row in rows[::-1] for v in row))
    array = case.arrays[after]
    rows = [array.entries[i * columns : (i + 1) * columns] for i in range(array.shape[0])]
    arrays[after] = replace(array, entries=tuple(v for row in rows for v in row[::-1]))
    return case.changing(**arrays)


def symmetry_residual(scene: DeepScene) -> Entries:
    """Outputs, norm and kernel of the layer, after its neurons are permuted, minus before."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        layer = case.whole("cut")
        if not 1 <= layer < case.depth:
            continue
        old, new = case.exact, permuted(case, layer).exact
        difference = new.outputs[0] - old.outputs[0]
        for at in range(old.count):
            for entry in range(difference.shape[1]):
                rows.append((place, {"point": at, "entry": entry}, difference[at, entry]))
        norm = new.parameter_square[0] - old.parameter_square[0]
        rows.append((place, {"part": "norm"}, norm))
        before, after = old.pre(layer)[0], new.pre(layer)[0]
        kernel = (after @ after.T - before @ before.T).reshape(-1)
        rows += [(place, {"part": "kernel", "entry": k}, v) for k, v in enumerate(kernel)]
    return entries_of(rows)


SYMMETRY = Claim(
    "j23.geodesic.symmetry",
    Kind.IDENTITY,
    printed(WHERE),
    "symmetries of neurons",
    "A representation remains optimal after symmetries of its neurons: a permutation of the "
    r"neurons of layer cut changes neither $f_\theta$ nor $\lVert\theta\rVert^2$, nor the kernel "
    r"$K_\ell(x,y)=\tilde\alpha_\ell(x)^T\tilde\alpha_\ell(y)$.",
    (replace(BREAKABLE, break_=None),),
    ("j23.setup",),
    measure=symmetry_residual,
    pool=pool(depths=(2, 2, 3), whole=(("cut", 1, 2),)),
    exact_only=True,
)


# limits -------------------------------------------------------------------------------------------
def at_ratios(scene: RealScene) -> Iterator[tuple[int, Tensors]]:
    """The numbers of the cases, and the cases, with 0 <= j <= m and t above 0."""
    for place, case in enumerate(scene.cases):
        if 0 <= case.whole("j") <= case.whole("m") and _is_positive(case, "t"):
            yield place, case


def at_ratio(case: Tensors) -> tuple[Rows, Rows, Rows]:
    """c, c^p and c^(1 - p) for c = t^m, p = j / m."""
    t, whole, part = exact(case, "t"), case.whole("m"), case.whole("j")
    return t**whole, t**part, t ** (whole - part)


def determinant(scales: Rows) -> Any:
    """e^(R^(1)) of x -> scales sigma(x): the product of the squares of those that are not 0."""
    found = rational(1)
    for scale in scales:
        found = found * scale * scale if scale != 0 else found
    return found


def limits_residual(scene: RealScene) -> Entries:
    """R^(0)(f) minus those of both parts; e^(R^(1)(f)) minus the product of those of both parts."""
    rows: list[Row] = []
    for place, case in at_ratios(scene):
        whole, first, second = at_ratio(case)
        count, one, two = (rational(int((part != 0).sum())) for part in (whole, first, second))
        rows.append((place, {"part": "first order, to p"}, count - one))
        rows.append((place, {"part": "first order, from p"}, count - two))
        product_ = determinant(first) * determinant(second)
        rows.append((place, {"part": "first correction"}, determinant(whole) - product_))
    return entries_of(rows)


def representation(case: Tensors) -> Affine:
    """The identity on alpha~_p(Omega), a box from 0 to c^p (for a box with upper ends 1)."""
    ends = at_ratio(case)[1]
    corners = [
        [e * bit for e, bit in zip(ends, bits, strict=True)]
        for bits in product((0, 1), repeat=len(ends))
    ]
    size = len(ends)
    unit = RATIONALS.array([int(i == j) for i in range(size) for j in range(size)])
    points = RATIONALS.array(corners)
    return Affine(points, unit.reshape(size, size), points[0] * 0, number(case, "a"))


def identity_residual(scene: RealScene) -> Entries:
    """R^(0) of the identity on alpha~_p(Omega) minus R^(0)(f); its R^(1), where bounds decide."""
    rows: list[Row] = []
    for place, case in at_ratios(scene):
        found = corrections(representation(case))
        if found is None:
            continue
        first_order = found.rank - int((at_ratio(case)[0] != 0).sum())
        rows.append((place, {"part": "first order"}, rational(first_order)))
        if found.lower > 0 or not found.upper > 0:
            value = found.lower if found.lower > 0 else found.upper
            rows.append((place, {"part": "first correction"}, value))
    return entries_of(rows)


def planar_residual(scene: RealScene) -> Entries:
    """The dimension of the span of alpha~_p(Omega) minus k = R^(0)(f)."""
    rows: list[Row] = []
    for place, case in at_ratios(scene):
        k = int((at_ratio(case)[0] != 0).sum())
        rows.append((place, {}, rational(rank_of(representation(case).points) - k)))
    return entries_of(rows)


INSIDE = Hypothesis(
    "p inside (0, 1)",
    r"$p=j/m\in(0,1)$",
    by_case(lambda case: 0 < case.whole("j") < case.whole("m")),
    lambda case, random: _whole(case, m=max(2, case.whole("m")), j=1),
)


def _of_slope(case: Tensors, random: Random) -> RealTensors:
    found = positive_numbers(case, random)
    arrays = {**found.arrays, "a": Tensor((), (), (Fraction(0),))}
    return RealTensors(arrays, found.choice, found.family)


LIMITS = TensorPool((("t", ("n",)), ("a", ())), (("m", 2, 5), ("j", 1, 4)), 3, _of_slope)


def _limit(name: str, title: str, statement: str, measure: Callable[[Any], Entries]) -> Claim:
    return Claim(
        f"j23.geodesic.{name}",
        Kind.IDENTITY,
        printed(WHERE),
        title,
        rf"{statement} ({FAMILY}; $c_i=t_i^m$, $p=j/m$.)",
        (INSIDE,),
        ("j23.geodesic.two", "j23.expansion"),
        measure=measure,
        pool=LIMITS,
        exact_only=True,
        through=KNOWN,
    )


# sigma leaves a continuous representation alone ---------------------------------------------------
Z = Matrix(
    "Z", "N", "n", meaning="points, as rows, of which $\\tilde\\alpha_p(\\Omega)$ is the hull"
)
UNMOVED = Each(
    upto(rows(Z)),
    lambda m: Each(upto(cols(Z)), lambda i: When(Z[m, i] >= 0, Z[m, i], a * Z[m, i]) == Z[m, i]),
)
ITS_SPAN = rank(Z) == rank(matrix(rows(Z), cols(Z), lambda m, i: Z[m, i] - Z[1, i]))
IN_ORTHANT = Each(upto(rows(Z)), lambda m: Each(upto(cols(Z)), lambda i: Z[m, i] >= 0))
"""The hull lies in the orthant, and its span has its own dimension k: then the network of
Proposition 12 with O the projection to the span has norm L k, and no network has less."""


def _raised(case: Tensors, random: Random) -> Tensors:
    """All points at least 0, the first one 0."""
    array = case.arrays["Z"]
    width = array.shape[1]
    entries = tuple(
        Fraction(0) if place < width else abs(v) for place, v in enumerate(array.entries)
    )
    return case.changing(Z=replace(array, entries=entries))


def _lowered(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["Z"]
    return case.changing(Z=replace(array, entries=tuple(-abs(v) - 1 for v in array.entries)))


PREMISE = Given(
    "no first correction",
    IN_ORTHANT & ITS_SPAN,
    r"$R^{(0)}(\sigma(\tilde\alpha_p)\to\tilde\alpha_p;\Omega)=k$ and "
    r"$R^{(1)}(\sigma(\tilde\alpha_p)\to\tilde\alpha_p;\Omega)=0$",
    _raised,
    _lowered,
)
UNBENT = stated(
    "j23.geodesic.cont.b",
    printed(f"{WHERE}, last paragraph"),
    "the activation leaves a continuous representation alone",
    r"(a) implies $\sigma(\tilde\alpha_p(x))=\tilde\alpha_p(x)$ at any $x$ where "
    r"$\mathrm{Rank}Jf(x)=R^{(0)}(f;\Omega)$. ($\tilde\alpha_p(\Omega)$ is the convex hull of the "
    r"rows of $Z$, of dimension $k$; where it is known that $R^{(1)}=0$.)",
    UNMOVED,
    (PREMISE,),
    depends=("j23.geodesic.cont.a", "j23.prop5.if"),
    pool=pool_with(Z, a, largest=3, adapt=inside),
    exact_only=True,
    through=r"where $R^{(1)}=0$ is known by a network in the orthant "
    "(docs/mathematics/j23.md#the-identity-on-bounded-domains)",
)

CLAIMS = (
    SPLIT,
    SYMMETRY,
    _limit(
        "limits",
        "splitting of the first order and the first correction at ratio p",
        r"The limiting representations $\tilde\alpha_p$ must satisfy $R^{(0)}(f;\Omega)="
        r"R^{(0)}(\tilde\alpha_p;\Omega)=R^{(0)}(\sigma(\tilde\alpha_p)\to f;\Omega)$ and "
        r"$R^{(1)}(f;\Omega)=R^{(1)}(\tilde\alpha_p;\Omega)+R^{(1)}(\sigma(\tilde\alpha_p)\to f;"
        r"\Omega)$.",
        limits_residual,
    ),
    _limit(
        "cont.a",
        "a continuous limit",
        r"If the limiting geodesic is continuous at $p$, then $R^{(0)}(\sigma(\tilde\alpha_p)\to"
        r"\tilde\alpha_p;\Omega)=R^{(0)}(f)$ and $R^{(1)}(\sigma(\tilde\alpha_p)\to\tilde\alpha_p;"
        r"\Omega)=0$.",
        identity_residual,
    ),
    UNBENT,
    _limit(
        "cont.c",
        "the identity on a continuous limit",
        r"Thus $R^{(0)}(id;\tilde\alpha_p(\Omega))=R^{(0)}(f;\Omega)$ and "
        r"$R^{(1)}(id;\tilde\alpha_p(\Omega))=0$ if $\mathrm{Rank}Jf(x)=R^{(0)}(f;\Omega)$ for all "
        r"$x\in\Omega$.",
        identity_residual,
    ),
    _limit(
        "planar",
        "planar representations",
        r"At ratios $p$ where the representation geodesics converge continuously, the "
        r"representations $\tilde\alpha_p(\Omega)$ are $k=R^{(0)}(f;\Omega)$-planar.",
        planar_residual,
    ),
)
