"""Arguments about paths: their number, the derivatives of their products, sums over them.

A path is built up edge by edge. Signs are looked at one by one, sizes are symbols.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step

PRODUCT = (
    "an entry of h is x times a product with one factor for each edge of the path; here it is told "
    "as x, the factor of one edge and the product of the others, whatever the length"
)
BUILT_UP = "a path is built up edge by edge (induction on its length)"
ORDER = "the vertices of an acyclic graph can be numbered so that the number rises along every edge"
TREE = (
    "in the tree of the decomposition an edge has the sign of its weight; in that of Lemma 1 the "
    "edge at each input has the product of the signs along the path"
)
ONE_GRADIENT = (
    "a pre-activation of the tree is a positive multiple of that of the same neuron in the "
    "network, so where none of these is 0 the tree is differentiable, and its subdifferentials "
    "hold the derivative alone"
)
CHAIN_RULE = (
    r"$\nu_x=\mu\circ h_x$ (Lemma 1), $\nu_x=\mu'\circ h'_x$ (Lemma 5), and the chain rule at "
    "points of differentiability"
)
SINGLETON = "the subdifferential of a function that is differentiable near a point is its gradient"
ACYCLIC = "feedforward, one output"


def _sign(ring: Ring, sign: int) -> Any:
    return ring.constant(Fraction(sign))


def once() -> tuple[Step, ...]:
    """A path has no edge twice: back at its tail, the number of this would exceed itself."""
    ring = ring_of(2)
    start, rise = ring.generators  # not negative: the number of the tail, the rise after the edge
    beyond = (start + _sign(ring, 1) + rise) - start
    terms = ring.terms(beyond)
    positive = all(c > 0 for c in terms.values()) and (0, 0) in terms
    return (
        Step("from the tail of an edge on, over its head, the number rises by 1 or more", positive),
    )


# degrees and numbers ------------------------------------------------------------------------------
def degrees() -> Argument:
    """The degree of w_e in the product along a path is 1 where e is on it, else 0."""
    ring = ring_of(3)
    x, earlier, w = ring.generators  # the input, a weight of the path so far, one more
    ((before, _),), ((after, _),) = (ring.terms(p).items() for p in (x * earlier, x * earlier * w))
    steps = (
        *once(),
        Step(
            "one more edge: of degree 1 in its weight, as before in the others",
            before == (1, 1, 0) and after == (1, 1, 1),
        ),
    )
    return Argument(
        "no path has an edge twice, and each edge has a weight of its own: an entry of h is a "
        "product of different weights",
        steps,
        (ORDER, BUILT_UP),
        ("own parameters", ACYCLIC),
        section="docs/mathematics/lj22.md#squares-and-entries-of-h",
    )


def paths_by_layers() -> Argument:
    """The paths to a vertex of one layer, times the width of this, are those to one of the next."""
    ring = ring_of(3)
    paths, width, so_far = ring.generators
    none, one = _sign(ring, 0), _sign(ring, 1)
    steps = (
        Step("over no vertex of a layer: no path, and 0 P", ring.is_zero(paths * none)),
        Step(
            "over one more vertex of a layer: P more paths, and (m + 1) P for m P",
            ring.is_zero((so_far + paths) - paths * (width + one) - (so_far - paths * width)),
        ),
    )
    return Argument(
        "by induction over the layers: m P paths reach each vertex behind a layer of m vertices "
        "that P paths reach each; there is one output",
        steps,
        (
            "each vertex is entered from all vertices of the layer before it and from no others",
            "layers are taken one by one, and so are the vertices of each (induction)",
            "a tensor of a shape is told by the number of its entries; h has one for each path",
        ),
        ("fully connected", ACYCLIC),
        section="docs/mathematics/lj22.md#squares-and-entries-of-h",
    )


def positions_along_a_side() -> Argument:
    """With n - k = q s + r and 0 <= r < s the filter fits at 0, s, ..., q s and nowhere else."""
    ring = ring_of(4)
    quotient, more, rest, gap = ring.generators  # not negative
    one = _sign(ring, 1)
    step = rest + one + gap  # the stride s, above the rest r
    room = (quotient + more) * step + rest  # n - k with its quotient q = i + more
    inside = ring.terms(room - quotient * step)
    outside = ring.terms((quotient + more + one) * step - (quotient * step + rest))
    steps = (
        Step("position i <= q: n - k - i s is not negative", all(c >= 0 for c in inside.values())),
        Step(
            "position i > q: i s + k exceeds n",
            all(c > 0 for c in outside.values()) and (0, 0, 0, 0) in outside,
        ),
    )
    return Argument(
        "along each side the filter fits at the positions 0, ..., q with q the whole part of "
        "(n - k)/s, which are q + 1",
        steps,
        (
            "division with remainder",
            "positions in the plane are pairs of positions along the sides",
            "the neurons are c channels at each position",
        ),
        ("the filter fits",),
        section="docs/mathematics/lj22.md#counts",
    )


# derivatives --------------------------------------------------------------------------------------
def product_derivative() -> Argument:
    """The derivative of the coordinate of a path, x times the product of the w_f."""
    ring = ring_of(4)
    x, w, size = ring.generators[:3]  # size: of the product of the others, |w_f| each
    steps = [*once()]
    for sign in (1, -1):  # of the product of the others
        others = _sign(ring, sign) * size
        coordinate, where = x * w * others, f"where the others have the sign {sign:+d}"
        right = ring.is_zero(ring.derivative(coordinate, 1) - x * others)
        nothing = ring.is_zero(ring.derivative(coordinate, 3))  # a weight that is not in it
        steps += [
            Step(f"the derivative in a weight of the path is as displayed, {where}", right),
            Step(f"the derivative in another weight is 0, {where}", nothing),
        ]
    return Argument(
        "no path has an edge twice, so a coordinate is linear in each weight",
        tuple(steps),
        (ORDER, PRODUCT, SINGLETON),
        ("no zero weight", "own parameters", ACYCLIC),
        section="docs/mathematics/lj22.md#squares-and-entries-of-h",
    )


def equal_products(*, absolute: bool) -> Argument:
    """Lemma 8 where differentiable: the derivative of the tree in the input of a path.

    It is the product, from the input on, of the weights of the tree times the slopes.
    """
    ring = ring_of(4)
    signs, slopes, other, slope = ring.generators  # products so far, and one more slope
    steps = []
    for sign in (1, -1):
        s = _sign(ring, sign)
        if absolute:
            text = "the signs and the slopes multiply apart"
            rest = (signs * slopes) * (s * slope) - (signs * s) * (slopes * slope)
        else:
            text = "at the input too, so the slopes alone multiply"
            rest = slopes * s * (s * slope) - slopes * slope
        steps.append(Step(f"one more edge of sign {sign:+d}: {text}", ring.is_zero(rest)))
    alike = (slopes * slope - other * slope) - (slopes - other) * slope
    text = "one more neuron, with one slope on both paths, multiplies their difference by it"
    steps.append(Step(text, ring.is_zero(alike)))
    kind = "the sign of the product of the weights times " * absolute
    return Argument(
        f"the derivative in the input of a path is {kind}the product of the slopes on it, "
        "which are its activations, equal for both paths",
        tuple(steps),
        (TREE, CHAIN_RULE, ONE_GRADIENT, BUILT_UP),
        (
            "ReLU or linear",
            "no zero weight",
            "differentiable",
            ACYCLIC,
            "bias-free",
        ),
        section="docs/mathematics/lj22.md#path-sums",
    )


# active paths -------------------------------------------------------------------------------------
def zero_or_one() -> Argument:
    """The derivative in the input of a path: the product of slopes that are 0 or 1."""
    ring = ring_of(1)
    (slope,) = ring.generators
    one, zero = ring.constant(Fraction(1)), ring.constant(Fraction(0))
    steps = (
        Step("active so far, and one more that is active: 1", ring.is_zero(one * one - one)),
        Step("active so far, and one more that is not: 0", ring.is_zero(one * zero)),
        Step("some of them inactive, and one more: 0", ring.is_zero(zero * slope)),
    )
    return Argument(
        "the product of the slopes along a path is 1 where each of them is, else 0",
        steps,
        (
            BUILT_UP,
            "the slope of a linear neuron is 1, that of a ReLU 1 where it is active, else 0",
        ),
        ("ReLU or linear", "differentiable"),
        section="docs/mathematics/lj22.md#path-sums",
    )
