"""Definitions 4 to 6 and Example 17: unions of subspaces that a set of matrices leaves invariant.

In the plane proper subspaces are lines (and 0), each given by a vector.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import prod
from random import Random

from graphs.arithmetic import Array, rational
from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_pool import with_entries
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

ZERO, ONE = Fraction(0), Fraction(1)
EXAMPLE = {"T": (ZERO, ONE, ONE, ZERO), "v1": (ZERO, ONE), "v2": (ONE, ZERO)}


def moved(scene: ChainScene, vectors: Array) -> Array:
    """(C, p): T v, for v (C, p)."""
    size, length = vectors.shape
    return (scene["T"] @ vectors.reshape(size, length, 1)).reshape(size, length)


def across(one: Array, other: Array) -> Array:
    """(C,): the sum of the squared minors u_i v_j - u_j v_i, 0 exactly where two vectors are on one
    line through 0."""
    total = one[:, 0] * 0
    for i, j in combinations(range(one.shape[1]), 2):
        minor = one[:, i] * other[:, j] - one[:, j] * other[:, i]
        total = total + minor * minor
    return total


# instances ----------------------------------------------------------------------------------------
def _in_the_plane(case: Tensors, random: Random) -> Chained:
    """The same with two coordinates."""
    made = as_chain(case, random)
    arrays = {}
    for name, array in made.arrays.items():
        axes = zip(array.axes, array.shape, strict=True)
        shape = tuple(2 if axis == "p" else length for axis, length in axes)
        count = prod(shape)
        entries = (array.entries * count)[:count]
        arrays[name] = Tensor(array.axes, shape, entries)
    made = Chained(arrays, family=made.family)
    if "v1" in arrays and random.random() < 0.5:
        made = _printed(made, random)
    elif "V" in arrays:
        made = _with_lines(made, random)
    return made


def _printed(case: Chained, random: Random) -> Chained:
    for name, entries in EXAMPLE.items():
        case = with_entries(case, name, list(entries))
    return case


def _with_lines(case: Chained, random: Random) -> Chained:
    """Lines through small integer points."""
    count = len(case.arrays["V"].entries)
    return with_entries(case, "V", [Fraction(random.randint(-1, 1)) for _ in range(count)])


TWO_LINES = TensorPool(
    (("T", ("p", "p")), ("v1", ("p",)), ("v2", ("p",)), ("alpha", ())), (), 2, _in_the_plane
)
LINES = TensorPool((("V", ("k", "p")),), (), 2, _in_the_plane)


# hypotheses ---------------------------------------------------------------------------------------
def _is_printed(case: Chained) -> bool:
    return all(case.arrays[name].entries == entries for name, entries in EXAMPLE.items())


def _another(case: Chained, random: Random) -> Chained:
    """A rotation by a rational point of the circle, or a shear, in place of the swap."""
    matrices = ((3, -4, 4, 3), (1, 1, 0, 1), (0, -1, 1, 1), (2, 0, 0, 1))
    return with_entries(case, "T", [Fraction(x) for x in random.choice(matrices)])


SWAP = Hypothesis(
    "the swap and the axes",
    r"$T=\big(\begin{smallmatrix}0&1\\1&0\end{smallmatrix}\big)$, $v_1=[0,1]$, $v_2=[1,0]$",
    by_case(_is_printed),
    _printed,
    _another,
    thin=True,
)
NOT_ZERO = Hypothesis(
    "alpha is not 0",
    r"$\alpha\ne0$",
    by_case(lambda case: case.number("alpha") != 0),
    lambda case, random: (
        case if case.number("alpha") else with_entries(case, "alpha", [Fraction(1, 2)])
    ),
    lambda case, random: with_entries(case, "alpha", [ZERO]),
)


# measures -----------------------------------------------------------------------------------------
def memberships(scene: ChainScene) -> Entries:
    """alpha T v_1 across v_2 and alpha T v_2 across v_1; and each image across both of the lines,
    multiplied: 0 where it lies in their union."""
    one, other = scene["v1"], scene["v2"]
    images = [scene.scaled(moved(scene, v), scene["alpha"]) for v in (one, other)]
    zero, parts = scene.constant(0), []
    for name, image, target in zip(("first", "second"), images, (other, one), strict=True):
        parts.append(({"part": name}, across(image, target), zero))
        both = across(image, one) * across(image, other)
        parts.append(({"part": f"union, {name}"}, both, zero))
    return scene.parts(parts)


def invariant_family(scene: ChainScene) -> Entries:
    """1 where the swap takes each of the lines through the rows of V, none of them 0, to one of
    them; else 0."""
    found = []
    for case in scene.cases:
        entries = case.arrays["V"].entries
        if case.lengths["p"] != 2:  # the swap acts on the plane
            found.append(ZERO)
            continue
        lines = [entries[k : k + 2] for k in range(0, len(entries), 2)]
        inside = all(any(y * w[1] == x * w[0] for w in lines) for x, y in lines)
        found.append(Fraction(inside and all(map(any, lines))))
    values = scene.numbers(found)
    return scene.compare(values, scene.constant(0))


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
        "memberships",
        ("the swap and the axes",),
        section=32,
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
    Claim(
        "dkbhl20.ex17.a",
        Kind.IDENTITY,
        printed("Example 17"),
        "an invariant union of two lines",
        r"$T=\Big(\begin{bmatrix}0&1\\1&0\end{bmatrix}\Big)$, $V_1=(\mathrm{span}([0,1]))$ with "
        r"$v_1=[0,1]$, $V_2=(\mathrm{span}([1,0]))$ with $v_2=[1,0]$. The union of $V_1$ and $V_2$ "
        r"is invariant with respect to $T$ because $\alpha Tv_1\in V_2$ and $\alpha Tv_2\in V_1$ "
        r"hold for $\alpha\ne0$.",
        (SWAP, NOT_ZERO),
        ("dkbhl20.def4_6",),
        memberships,
        TWO_LINES,
        proof=the_swap_exchanges_them,
    ),
    Claim(
        "dkbhl20.ex17.b",
        Kind.EXISTENCE,
        printed("after Definition 6"),
        "the swap is not strongly irreducible",
        r"$T=\Big(\begin{bmatrix}0&1\\1&0\end{bmatrix}\Big)$ is not strongly irreducible: some "
        r"finite family of lines through $0$ has a union that is invariant with respect to $T$.",
        (),
        ("dkbhl20.def4_6", "dkbhl20.ex17.a"),
        invariant_family,
        LINES,
        negated="no finite family of lines has an invariant union",
        exact_only=True,
    ),
)
