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

from graphs.arithmetic import as_fraction
from verify.cases.tensors import Tensor, Tensors
from verify.language.building import (
    Each,
    Matrix,
    Some,
    Vector,
    When,
    Whole,
    cols,
    dim,
    eye,
    frob2,
    implies,
    rank,
    row,
    rows,
    smaller,
    upto,
    vector,
)
from verify.language.building import diag as diagonal_matrix
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import projection
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, true_of

LARGEST = 2  # the dimension of a quotient that is known


C, S, V = Matrix("C", "q", "m"), Matrix("S", "m", "n"), Matrix("V", "n", "v")
D, X = Matrix("D", "q", "n"), Matrix("X", "N", "n", meaning="points, as rows")
kind = Whole("kind", 1, 2)
POINTS = upto(rows(X))
OFF = eye(rows(V)) - projection(V)
"""P."""


def value(x: Term) -> Term:
    """f(x)."""
    inside = S @ (OFF @ x)
    bent = vector(dim(inside), lambda i: When(kind == 1, abs(inside[i]), inside[i] ** 2))
    return C @ bent + D @ x


def slope(x: Term) -> Term:
    """Jf(x) of the absolute value, with the slope 1 at 0."""
    inside = S @ (OFF @ x)
    signs = vector(dim(inside), lambda i: When(inside[i] < 0, -1, 1))
    return C @ diagonal_matrix(signs) @ S @ OFF + D


DIMENSION = rank(OFF)
"""Of the quotient, up to LARGEST."""
AT_MOST = implies(
    (DIMENSION <= LARGEST) & (kind == 1),
    Each(POINTS, lambda n: rank(slope(row(X, n))) <= DIMENSION),
) & implies(
    (DIMENSION <= LARGEST) & (kind == 2),
    Each(
        POINTS,
        lambda n: frob2(value(2 * row(X, n)) + value(0 * row(X, n)) - 2 * value(row(X, n))) <= 0,
    ),
)
"""What is known of Rank_BN with piecewise linear maps: it is at least the rank of a Jacobian, and
there is no such number where f(2 x) + f(0) - 2 f(x) is not 0 for a quadratic f."""


def _invariant(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["D"]
    return case.changing(D=replace(array, entries=(Fraction(0),) * len(array.entries)))


def _tilted(case: Tensors, random: Random) -> Tensors:
    """D is not 0."""
    array = case.arrays["D"]
    return case.changing(D=replace(array, entries=tuple(v or Fraction(1) for v in array.entries)))


INVARIANT = Given(
    "invariant function",
    frob2(D) == 0,
    r"$f(g\cdot x)=f(x)$ for the group of the translations along $V$ and $x\mapsto-x$: $D=0$",
    _invariant,
    _tilted,
)
PIECEWISE = Given(
    "piecewise linear function",
    kind == 1,
    r"$f$ is an FPLF: kind is $1$",
    lambda case, random: with_value(case, "kind", 1),
    lambda case, random: with_value(case, "kind", 2).changing(
        V=replace(case.arrays["V"], entries=(Fraction(0),) * len(case.arrays["V"].entries)),
    ),
)
FAMILY = (
    r"$f(x)=C\phi(SPx)+Dx$, $P$ the projection off the columns of $V$, $\phi$ the absolute value "
    "(kind 1) or the square (kind 2) of each entry"
)


SYMMETRIC_RANK = stated(
    "j23.symrank@B",
    printed("Sections 1 and 5"),
    "symmetries and the Bottleneck rank",
    r"A function $f:\Omega\to\mathbb R^{d_{out}}$ with symmetry group $G$ can be defined as "
    r"mapping $\Omega$ to an embedding of $\Omega/G$ and then to the outputs; thus "
    r"$\mathrm{Rank}_{BN}(f;\Omega)\le\dim(\Omega/G)$.",
    AT_MOST,
    (INVARIANT, PIECEWISE),
    depends=("j23.bnrank@B",),
    pool=pool_with(C, S, V, D, X, kind, largest=3),
    reading="B",
    reading_text=f"the functions are finite piecewise linear; {FAMILY}",
    exact_only=True,
    through="the rank of a Jacobian, which is at most the Bottleneck rank, is compared "
    "(docs/mathematics/j23.md#the-bottleneck-rank)",
)


# the data of the first experiment -----------------------------------------------------------------
U, b, outer = Matrix("U", "m", "d"), Vector("b", "m"), Matrix("V", "q", "m")
Z = Matrix("Z", "N", "d", meaning="points $z$, as rows")


def jacobian(z: Term) -> Term:
    """Jh(z) = V D U."""
    inside = U @ z + b
    return outer @ diagonal_matrix(vector(dim(b), lambda i: When(inside[i] > 0, 1, 0))) @ U


MOST = smaller(rank(U), rank(outer))
"""What Rank_BN(h) is at most."""


def _latent(case: Tensors, random: Random) -> Tensors:
    """Two latent coordinates."""
    hidden, count = len(case.arrays["b"].entries), case.arrays["Z"].shape[0]
    draw = [Fraction(random.randint(-4, 4), 2) for _ in range(2 * (hidden + count))]
    inner = case.arrays["U"]
    if inner.shape[1] != 2:
        inner = Tensor(("m", "d"), (hidden, 2), tuple(draw[: 2 * hidden]))
    points = Tensor(("N", "d"), (count, 2), tuple(draw[2 * hidden :]))
    return case.changing(U=inner, Z=points)


_HAS_RANK_2 = Some(upto(rows(Z)), lambda n: rank(jacobian(row(Z, n))) >= 2)
_MET = true_of(_HAS_RANK_2)


def _to_rank_2(case: Tensors, random: Random) -> Tensors:
    """All hidden neurons are active at the first point, with other weights where that is not
    enough."""
    for redrawn in (False, True):
        if _MET(case):
            break
        if redrawn:
            case = case.changing(**{name: _other(case.arrays[name], random) for name in "UV"})
        at = case.matrix("U") @ case.matrix("Z")[0]
        raised = tuple(1 - as_fraction(z) for z in at)
        case = case.changing(b=replace(case.arrays["b"], entries=raised))
    return case


def _other(array: Tensor, random: Random) -> Tensor:
    return replace(array, entries=tuple(Fraction(random.randint(-4, 4), 2) for _ in array.entries))


TWO_LATENT = Given("two latent coordinates", cols(U) == 2, r"$z\in\mathbb R^2$", built_in=True)
RANK_2 = Given(
    "Jacobian of rank 2",
    _HAS_RANK_2,
    r"$h$ depends on both $z_1$ and $z_2$: $Jh$ has rank 2 at one of the points $Z$",
    _to_rank_2,
    lambda case, random: case.changing(
        U=replace(case.arrays["U"], entries=(Fraction(0),) * len(case.arrays["U"].entries))
    ),
)


DATA = stated(
    "j23.appE.rank",
    printed("Appendix E"),
    "Bottleneck rank of the data",
    r"$h:\mathbb R^2\to\mathbb R^{20}$ is a random function given by a shallow network with random "
    r"parameters. Assuming that $g$ is injective, the function $f^*=h\circ g^{-1}$ which maps $x$ "
    r"to $y$ has BN-rank 2. ($h(z)=V\sigma(Uz+b)$ with the ReLU.)",
    MOST == 2,
    (TWO_LATENT, RANK_2),
    depends=("j23.bnrank@B",),
    through="as $g$ is injective, the BN-rank is that of $h$, which lies between the rank of a "
    "Jacobian and those of both matrices (docs/mathematics/j23.md#ranks-of-the-data)",
    pool=pool_with(U, b, outer, Z, largest=4, adapt=_latent),
    exact_only=True,
)


CLAIMS = (
    SYMMETRIC_RANK,
    DATA,
)
