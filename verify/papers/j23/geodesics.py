"""Section 3.3: representations of networks of minimal norm, on functions whose cost is known.

f_i(x) = s_i c_i sigma(x_i) with the ReLU, s_i = 1 or -1, c_i > 0, on a box around 0: R = L sum
c_i^(2/L), from below by the Jacobian at a positive point, from above by one chain for each
coordinate with the weights c_i^(1/L), which is optimal: alpha~_l = c^(l/L) sigma(x) for l >= 2. So
the limit at p is c^p sigma(x), the rest of the network z -> s c^(1-p) z. With c = t^m and p = j / m
everything is rational.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Count,
    Each,
    Fold,
    Let,
    Map,
    Matrix,
    Prod,
    Sum,
    Vector,
    When,
    Whole,
    activation,
    card,
    cols,
    dim,
    dot,
    edge,
    element,
    examples,
    eye,
    implies,
    matrix,
    post,
    rank,
    rows,
    subsets,
    upto,
    vector,
    w,
    z,
)
from verify.language.terms import Term
from verify.papers.j23.affine_costs import Affine
from verify.papers.j23.matrix_notation import a, inside
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    SLOPE,
    Index,
    from_held,
    neurons,
    point,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
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


def positive_numbers(case: Tensors, random: Random) -> Tensors:
    """Everything above 0, u mostly 1."""
    arrays = {
        name: array if array.integer else _positive(array) for name, array in case.arrays.items()
    }
    if random.random() < 0.75:
        arrays |= {name: _ones(arrays[name]) for name in ("u",) if name in arrays}
    return case.changing(**arrays)


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
CUT = Whole("cut", 1, 2)


def _order(m: Index) -> Term:
    """The neurons of a layer; those of layer cut in reverse order."""
    backwards = Map(upto(width(m)), lambda k: neurons(m)[width(m) + 1 - k])
    return When(m == CUT, backwards, neurons(m))


def _pre(h: Term, m: Term) -> Term:
    """alpha~_l of the network with the rows of one layer and the columns of the next one permuted,
    from its alpha_(l-1)."""

    def of(v: Term) -> Term:
        below = _order(m - 1)
        return Sum(upto(width(m - 1)), lambda j: w(edge(below[j], v)) * h[j]) + w(from_held(v))

    return vector(width(m), lambda i: of(_order(m)[i]))


def _post(last: Term, p: Index) -> Term:
    """alpha_l(x) of that network."""

    def layer(h: Term, m: Term) -> Term:
        def of(pre: Term) -> Term:
            return vector(width(m), lambda i: activation(_order(m)[i], pre[i]))

        return Let(_pre(h, m), of)

    return Fold(upto(last), point(p), layer)


def _square(of: Callable[[Index], Term]) -> Term:
    """|theta|^2 of a network with these lists of neurons."""

    def entering(v: Term, below: Term) -> Term:
        return w(from_held(v)) ** 2 + Sum(below, lambda u: w(edge(u, v)) ** 2)

    return Sum(ALL, lambda m: Sum(of(m), lambda v: entering(v, of(m - 1))))


SAME_OUTPUTS = Each(
    examples(),
    lambda p: Each(upto(width(DEPTH)), lambda i: post(neurons(DEPTH)[i], p) == _post(DEPTH, p)[i]),
)


def _same_kernel(p: Term, q: Term) -> Term:
    """K_l(x, y) at the layer."""
    one, other = (_pre(_post(CUT - 1, k), CUT) for k in (p, q))
    return dot(one, other) == Sum(neurons(CUT), lambda v: z(v, p) * z(v, q))


SAME_KERNEL = Each(examples(), lambda p: Each(examples(), lambda q: _same_kernel(p, q)))
SYMMETRIC = SAME_OUTPUTS & (_square(_order) == _square(neurons)) & SAME_KERNEL


SYMMETRY = stated(
    "j23.geodesic.symmetry",
    printed(WHERE),
    "symmetries of neurons",
    "A representation remains optimal after symmetries of its neurons: a permutation of the "
    r"neurons of layer cut changes neither $f_\theta$ nor $\lVert\theta\rVert^2$, nor the kernel "
    r"$K_\ell(x,y)=\tilde\alpha_\ell(x)^T\tilde\alpha_\ell(y)$.",
    implies((CUT >= 1) & (CUT < DEPTH), SYMMETRIC),
    (FULLY_CONNECTED, SLOPE),
    depends=("j23.setup",),
    pool=layered_pool(pool(depths=(2, 2, 3), whole=(("cut", 1, 2),))),
    exact_only=True,
)


# limits -------------------------------------------------------------------------------------------
m, j = Whole("m", 2, 5), Whole("j", 1, 4)


def scales(exponent: Term) -> Term:
    """The powers of t: c is t^m, c^p is t^j."""
    return vector(dim(t), lambda i: t[i] ** exponent)


def order(some: Term) -> Term:
    """R^(0) of x -> some sigma(x)."""
    return Count(upto(dim(some)), lambda i: some[i] != 0)


def determinant(some: Term) -> Term:
    """e^(R^(1)) of x -> some sigma(x)."""
    return Prod(upto(dim(some)), lambda i: When(some[i] == 0, 1, some[i] ** 2))


FIRST_ORDER = order(scales(m))
PARTS = (
    (order(scales(j)) == FIRST_ORDER)
    & (order(scales(m - j)) == FIRST_ORDER)
    & (determinant(scales(m)) == determinant(scales(j)) * determinant(scales(m - j)))
)


def _corners(some: Term) -> Term:
    """Of a box from 0."""
    count = dim(some)
    return Let(
        subsets(upto(count)),
        lambda which: matrix(
            card(which), count, lambda k, i: When(element(i, which[k]), some[i], 0)
        ),
    )


IDENTITY = Affine(eye(dim(t)), vector(dim(t), lambda i: 0), _corners(scales(j)))
"""The identity on alpha~_p(Omega), a box from 0 to c^p (for a box with upper ends 1)."""
NOTHING_LOST = (
    (IDENTITY.order == FIRST_ORDER)
    & (IDENTITY.correction_at_least() <= 0)
    & (IDENTITY.correction_at_most() >= 0)
)
PLANAR = rank(IDENTITY.points) == FIRST_ORDER

INSIDE = Given(
    "p inside (0, 1)",
    (j > 0) & (j < m),
    r"$p=j/m\in(0,1)$",
    lambda case, random: _whole(case, m=max(2, case.whole("m")), j=1),
)


def _of_relu(case: Tensors, random: Random) -> Tensors:
    return with_value(positive_numbers(case, random), "a", 0)


def _limit(name: str, title: str, text: str, says: Term, *slope: Term) -> Claim:
    return stated(
        f"j23.geodesic.{name}",
        printed(WHERE),
        title,
        rf"{text} ({FAMILY}; $c_i=t_i^m$, $p=j/m$.)",
        implies(_above_0(t), says),
        (INSIDE,),
        depends=("j23.geodesic.two", "j23.expansion"),
        pool=pool_with(t, *slope, m, j, largest=3, adapt=_of_relu if slope else positive_numbers),
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
        PARTS,
    ),
    _limit(
        "cont.a",
        "a continuous limit",
        r"If the limiting geodesic is continuous at $p$, then $R^{(0)}(\sigma(\tilde\alpha_p)\to"
        r"\tilde\alpha_p;\Omega)=R^{(0)}(f)$ and $R^{(1)}(\sigma(\tilde\alpha_p)\to\tilde\alpha_p;"
        r"\Omega)=0$.",
        NOTHING_LOST,
        a,
    ),
    UNBENT,
    _limit(
        "cont.c",
        "the identity on a continuous limit",
        r"Thus $R^{(0)}(id;\tilde\alpha_p(\Omega))=R^{(0)}(f;\Omega)$ and "
        r"$R^{(1)}(id;\tilde\alpha_p(\Omega))=0$ if $\mathrm{Rank}Jf(x)=R^{(0)}(f;\Omega)$ for all "
        r"$x\in\Omega$.",
        NOTHING_LOST,
        a,
    ),
    _limit(
        "planar",
        "planar representations",
        r"At ratios $p$ where the representation geodesics converge continuously, the "
        r"representations $\tilde\alpha_p(\Omega)$ are $k=R^{(0)}(f;\Omega)$-planar.",
        PLANAR,
    ),
)
