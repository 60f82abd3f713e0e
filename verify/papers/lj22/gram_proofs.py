"""Arguments about Gram matrices: of a matrix and its transpose, and of their derivatives for a
single example. Matrices are expanded entry by entry, with a symbol for each."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE, SymbolScene

SQUARES = "a sum of squares of real numbers is 0 only where each of them is"
KERNELS = (
    "the rank is the number of columns less the dimension of the kernel; M and M^T have one rank"
)
ONE_ROW = "a matrix with one row, not 0, has rank 1"
SINGULAR = (
    "the squares of the singular values of M that are not 0 are the eigenvalues of M^T M, or "
)
SINGULAR += "of M M^T, that are not 0, with multiplicity"
BALANCED = "the two Gram matrices are equal at the time at which they are compared"
CHAIN_RULE = (
    "the chain rule, with any slope at each neuron: for one example dw/dt of the edge from u "
)
CHAIN_RULE += "to v is p_u g_v, the value of u times a number of v"
MINORS = "the rank is the largest size of a minor that is not 0"
NEIGHBOURS = (
    "in a fully connected network the neurons of a layer have the same in-neighbours, which are "
    "added one by one (induction)"
)
SHAPES = ((1, 2), (2, 1), (2, 3))


# a matrix and its transpose -----------------------------------------------------------------------
def _scenes() -> list[tuple[str, SymbolScene]]:
    axes = {"M": ("m", "n"), "x": ("n", "one"), "y": ("m", "one")}
    return [(f"{m} x {n}", SymbolScene(axes, {"m": m, "n": n, "one": 1})) for m, n in SHAPES]


def passed_on() -> tuple[Step, ...]:
    """M takes eigenvectors of M^T M to such of M M^T, and M^T takes them back."""
    steps = []
    for shape, scene in _scenes():
        m = scene["M"]
        t = scene.transpose(m)
        forth = scene.equal(m @ (t @ m), (m @ t) @ m)
        back = scene.equal(t @ (m @ t), (t @ m) @ t)
        steps += [
            Step(f"M (M^T M) = (M M^T) M, M of shape {shape}", forth),
            Step(f"M^T (M M^T) = (M^T M) M^T, M of shape {shape}", back),
        ]
    return tuple(steps)


def forms_are_squares() -> tuple[Step, ...]:
    """x^T (M^T M) x = |M x|^2 and y^T (M M^T) y = |M^T y|^2."""
    steps = []
    for shape, scene in _scenes():
        m, x, y = (scene[name] for name in "Mxy")
        t = scene.transpose(m)
        for text, gram, factor, vector in (
            ("x^T (M^T M) x = |M x|^2", t @ m, m, x),
            ("y^T (M M^T) y = |M^T y|^2", m @ t, t, y),
        ):
            form = scene.transpose(vector) @ gram @ vector
            image = (factor @ vector).reshape(-1)
            holds = scene.ring.is_zero(form[0, 0, 0] - (image * image).sum())
            steps.append(Step(f"{text}, M of shape {shape}", holds))
    return tuple(steps)


PASSED_ON = (
    "M takes the eigenvectors of M^T M for an eigenvalue t that is not 0 to eigenvectors of M M^T "
    "for t, and M^T takes these to t times the former: the two have the same eigenvalues but for 0"
)


def equal_singular_values() -> Argument:
    """W_1 W_1^T = W_2^T W_2 has the squares of the singular values of both."""
    return Argument(
        f"both are told by one matrix, $W_2^T W_2 = W_1 W_1^T$; {PASSED_ON}",
        passed_on(),
        (EVERY_SHAPE, SINGULAR, BALANCED),
        ("right side 0",),
        section="docs/mathematics/lj22.md#singular-values-of-neighbouring-layers",
    )


def ranks_along_a_chain() -> Argument:
    """rank W_k = rank W_k W_k^T = rank W_(k+1)^T W_(k+1) = rank W_(k+1), and the last one is 1."""
    return Argument(
        "M x is 0 where (M^T M) x is, so M and both of its Gram matrices have one rank; the Gram "
        "matrices of neighbours are equal, so the rank of the last one, a row, is that of all",
        forms_are_squares(),
        (EVERY_SHAPE, SQUARES, KERNELS, ONE_ROW, BALANCED),
        ("right side 0", "the chain ends in the final layer"),
        section="docs/mathematics/lj22.md#singular-values-of-neighbouring-layers",
    )


# the derivative for a single example --------------------------------------------------------------
def rank_of_derivative() -> Argument:
    """Remark 1: d/dt (W_1 W_1^T) has rank at most 2."""
    return Argument(
        "for one example the rate is a_i b_j + b_i a_j, and every minor of size 3 is 0",
        (*_on_the_way_in(), *_no_minor()),
        (CHAIN_RULE, MINORS, NEIGHBOURS),
        (
            "fully connected",
            "a single example",
            "own parameters",
            "all weights learnable",
            "differentiable loss (Assumption 3)",
        ),
        section="docs/mathematics/lj22.md#one-example",
    )


def _on_the_way_in() -> tuple[Step, ...]:
    """Entry (i, j) of d/dt (W_1 W_1^T) is g_i z_j + g_j z_i, z = W_1 p the pre-activations."""
    ring = ring_of(7)
    w, v, p, g, h, z, y = ring.generators  # weights to i and j, the in-value; g and z of i and j
    return (
        _nothing(ring, g * (z * 0) + h * (z * 0), "no in-neighbour: both sides are 0"),
        _nothing(
            ring,
            (p * g) * v + w * (p * h) - (g * (y + v * p) + h * (z + w * p) - (g * y + h * z)),
            "one more in-neighbour adds (p g_i) w_j + w_i (p g_j) to entry (i, j) of "
            "d/dt (W_1 W_1^T) and to g_i z_j + g_j z_i",
        ),
    )


def _no_minor() -> tuple[Step, ...]:
    """The minors of size 3 of the matrix a_i b_j + b_i a_j, any three rows and columns."""
    ring = ring_of(12)
    a, b, c, d = (ring.generators[k : k + 3] for k in range(0, 12, 3))
    minor = ring.generators[0] * 0
    for order in permutations(range(3)):
        swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        product = ring.generators[0] ** 0
        for i, j in enumerate(order):
            product = product * (a[i] * d[j] + b[i] * c[j])
        minor = minor - product if swaps % 2 else minor + product
    text = "the minor with rows (a_i, b_i) and columns (c_j, d_j) of a_i d_j + b_i c_j is 0"
    return (_nothing(ring, minor, text),)


def _nothing(ring: Ring, polynomial: Any, text: str) -> Step:
    return Step(text, ring.is_zero(polynomial))
