"""Definitions 4 to 6 and Example 17: unions of subspaces that a set of matrices leaves invariant.

In the plane proper subspaces are lines (and 0), each given by a vector.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random
from typing import Any

from graphs.arithmetic import rational
from graphs.rings import ring_of
from verify.cases.tensors import Tensor
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Some,
    Vector,
    cols,
    dim,
    frob2,
    row,
    rows,
    upto,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.notation import entries
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

ZERO, ONE = Fraction(0), Fraction(1)
EXAMPLE = {"T": (ZERO, ONE, ONE, ZERO), "v1": (ZERO, ONE), "v2": (ONE, ZERO)}
T, V1, V2 = Matrix("T", "p", "p"), Vector("v1", "p"), Vector("v2", "p")
ALPHA, LINES = Number("alpha"), Matrix("V", "k", "p")


def on_one_line(one: Term, other: Term) -> Term:
    """Whether all minors u_i v_j - u_j v_i are 0: u is in the span of v, if this is not 0."""

    def minor(i: Term, j: Term) -> Term:
        return one[i] * other[j] == one[j] * other[i]

    return Each(entries(one), lambda i: Each(entries(one), lambda j: minor(i, j)))


def stays(image: Term, other: Term) -> Term:
    """alpha T v is in the other line, and so in the union of both."""
    return on_one_line(image, other) & (on_one_line(image, V1) | on_one_line(image, V2))


INVARIANT = stays(ALPHA * (T @ V1), V2) & stays(ALPHA * (T @ V2), V1)


def swapped_into(one: Term, other: Term) -> Term:
    """Whether the swap takes a vector of the plane to the line through another one."""
    return one[2] * other[2] == one[1] * other[1]


FAMILY = (cols(LINES) == 2) & Each(
    upto(rows(LINES)),
    lambda k: (
        (frob2(row(LINES, k)) > 0)
        & Some(upto(rows(LINES)), lambda m: swapped_into(row(LINES, k), row(LINES, m)))
    ),
)


# instances ----------------------------------------------------------------------------------------
def in_the_plane(case: Any, random: Random) -> Any:
    """The same with two coordinates."""
    arrays = {}
    for name, array in case.arrays.items():
        axes = zip(array.axes, array.shape, strict=True)
        shape = tuple(2 if axis == "p" else length for axis, length in axes)
        count = prod(shape)
        arrays[name] = Tensor(array.axes, shape, (array.entries * count)[:count])
    made = type(case)(arrays, family=case.family)
    if "v1" in arrays and random.random() < 0.5:
        return _printed(made, random)
    if "V" in arrays:  # lines through small integer points
        found = [Fraction(random.randint(-1, 1)) for _ in arrays["V"].entries]
        return with_entries(made, "V", found)
    return made


def _printed(case: Any, random: Random) -> Any:
    for name, found in EXAMPLE.items():
        case = with_entries(case, name, list(found))
    return case


# hypotheses ---------------------------------------------------------------------------------------
def _another(case: Any, random: Random) -> Any:
    """A rotation by a rational point of the circle, or a shear, in place of the swap."""
    matrices = ((3, -4, 4, 3), (1, 1, 0, 1), (0, -1, 1, 1), (2, 0, 0, 1))
    return with_entries(case, "T", [Fraction(x) for x in random.choice(matrices)])


SWAP = Given(
    "the swap and the axes",
    (dim(V1) == 2)
    & Each(upto(2), lambda i: Each(upto(2), lambda j: T[i, j] == (i - j) ** 2))
    & ((V1[1] == 0) & (V1[2] == 1) & (V2[1] == 1) & (V2[2] == 0)),
    r"$T=\big(\begin{smallmatrix}0&1\\1&0\end{smallmatrix}\big)$, $v_1=[0,1]$, $v_2=[1,0]$",
    _printed,
    _another,
    thin=True,
)
NOT_ZERO = Given(
    "alpha is not 0",
    ALPHA != 0,
    r"$\alpha\ne0$",
    lambda case, random: (
        case if case.number("alpha") else with_entries(case, "alpha", [Fraction(1, 2)])
    ),
    lambda case, random: with_entries(case, "alpha", [ZERO]),
)


def the_swap_exchanges_them() -> Argument:
    """alpha T v_1 = alpha v_2 and alpha T v_2 = alpha v_1, with a symbol alpha."""
    ring = ring_of(1)
    (alpha,) = ring.generators
    steps = []
    for name, other in (("v1", "v2"), ("v2", "v1")):
        x, y = EXAMPLE[name]
        a, b, c, d = EXAMPLE["T"]
        image = [alpha * rational(a * x + b * y), alpha * rational(c * x + d * y)]
        target = EXAMPLE[other]
        minor = image[0] * rational(target[1]) - image[1] * rational(target[0])
        steps.append(Step(f"alpha T {name} is on the line of {other}", ring.is_zero(minor)))
    return Argument(
        "the swap exchanges the two axes",
        tuple(steps),
        ("a point of a line is a multiple of the vector that spans it",),
        (SWAP.name,),
        section="docs/mathematics/dkbhl20.md#steps-of-lemma-13",
    )


CLAIMS = (
    Claim(
        "dkbhl20.def4_6",
        Kind.DEFINITION,
        printed("Definitions 4, 5, 6, Appendix F"),
        "contracting, invariant union, strongly irreducible",
        r"$T$ a set of $d\times d$ matrices. It is contracting if there is a sequence "
        r"$\{M_n\in T,n\ge0\}$ such that $M_n/\lVert M_n\rVert$ converges to a rank one matrix. "
        r"For a finite family of proper linear subspaces $V_1,\dots,V_k\subset\mathbb R^d$, their "
        r"union is invariant with respect to $T$ if $Mv\in V_1\cup\dots\cup V_k$ for all $v\in "
        r"V_1\cup\dots\cup V_k$ and all $M\in T$. $T$ is strongly irreducible if there is no "
        r"finite family of proper linear subspaces of $\mathbb R^d$ whose union is invariant with "
        r"respect to $T$.",
    ),
    stated(
        "dkbhl20.ex17.a",
        printed("Example 17"),
        "an invariant union of two lines",
        r"$T=\Big(\begin{bmatrix}0&1\\1&0\end{bmatrix}\Big)$, $V_1=(\mathrm{span}([0,1]))$ with "
        r"$v_1=[0,1]$, $V_2=(\mathrm{span}([1,0]))$ with $v_2=[1,0]$. The union of $V_1$ and $V_2$ "
        r"is invariant with respect to $T$ because $\alpha Tv_1\in V_2$ and $\alpha Tv_2\in V_1$ "
        r"hold for $\alpha\ne0$.",
        INVARIANT,
        [SWAP, NOT_ZERO],
        depends=("dkbhl20.def4_6",),
        pool=pool_with(T, V1, V2, ALPHA, largest=2, adapt=in_the_plane),
        proof=the_swap_exchanges_them,
    ),
    stated(
        "dkbhl20.ex17.b",
        printed("after Definition 6"),
        "the swap is not strongly irreducible",
        r"$T=\Big(\begin{bmatrix}0&1\\1&0\end{bmatrix}\Big)$ is not strongly irreducible: some "
        r"finite family of lines through $0$ has a union that is invariant with respect to $T$.",
        FAMILY,
        kind=Kind.EXISTENCE,
        depends=("dkbhl20.def4_6", "dkbhl20.ex17.a"),
        pool=pool_with(LINES, largest=2, adapt=in_the_plane),
        negated="no finite family of lines has an invariant union",
    ),
)
