"""Arguments for the identities of Section 2 and of the proofs of Proposition 13 and Theorems 15, 16
and 18: one layer at a time, matrices expanded entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE, Matrices, SymbolScene

LAYERS = "induction: what holds of the first layer, and of each with the one before it, holds"
PIECE = (
    "near a point where no hidden pre-activation is 0 the D_l are constant, so there the layers "
)
PIECE += "above a neuron are an affine function of its pre-activation"
SMOOTH_POINT = "smooth at the points"
SIZES = ((1, 2, 1), (2, 1, 2), (2, 2, 3))


def _scenes(axes: Matrices) -> Iterator[tuple[str, SymbolScene]]:
    """The matrices in several shapes; "one" is an axis of length 1."""
    names = sorted({axis for pair in axes.values() for axis in pair} - {"one"})
    for sizes in SIZES if len(names) == 3 else product((1, 2), repeat=len(names)):
        lengths = dict(zip(names, sizes, strict=True))
        words = ", ".join(f"{name} = {size}" for name, size in lengths.items())
        yield words, SymbolScene(axes, {**lengths, "one": 1})


def _each(text: str, axes: Matrices, sides: Any) -> tuple[Step, ...]:
    """The text as a step for each shape; sides: two matrices from a scene."""
    return tuple(
        Step(f"{text}, {words}", scene.equal(*sides(scene))) for words, scene in _scenes(axes)
    )


# Section 2 ----------------------------------------------------------------------------------------
def jacobian_is_a_product() -> Argument:
    """f(x + u) - f(x) = W_L D_(L-1) ... D_1 W_1 u for small u, layer by layer."""
    first = _each(
        "the first layer: (W (x + u) + b) - (W x + b) = W u",
        {"W": ("m", "n"), "b": ("m", "one"), "x": ("n", "one"), "u": ("n", "one")},
        lambda s: (
            s["W"] @ (s["x"] + s["u"]) + s["b"] - (s["W"] @ s["x"] + s["b"]),
            s["W"] @ s["u"],
        ),
    )
    onwards = _each(
        "a layer above, where z has moved by P u: (W D (z + P u) + b) - (W D z + b) = (W D P) u",
        {
            "W": ("m", "n"),
            "b": ("m", "one"),
            "d": ("n", "one"),
            "z": ("n", "one"),
            "P": ("n", "k"),
            "u": ("k", "one"),
        },
        lambda s: (
            s["W"] @ (s["d"] * (s["z"] + s["P"] @ s["u"])) - s["W"] @ (s["d"] * s["z"]),
            s["W"] @ (s["d"] * s["P"]) @ s["u"],
        ),
    )
    return Argument(
        "while the D_l are constant each layer is affine, and a small step u moves it by the "
        "product of the matrices so far times u",
        (*first, *onwards),
        (PIECE, LAYERS, EVERY_SHAPE),
        ("fully connected", "slope inside (-1, 1)", SMOOTH_POINT),
        section="docs/mathematics/j23.md#derivatives-without-limits",
    )


def homogeneous_ones_match() -> Argument:
    """c = q, a = r/q where |r| < |q|; s = -1, c = -r, a = q/r where |q| < |r|."""
    ring = ring_of(2)
    one, other = ring.generators  # the larger of the two, and the quotient
    steps = (
        Step(
            "q^2 - r^2 = (q - r)(q + r): |q| = |r| only where q = r or q = -r",
            ring.is_zero(one * one - other * other - (one - other) * (one + other)),
        ),
        Step(
            "|r| < |q|: s = 1, c = q, a = r/q; c sigma_a(1) = q and c sigma_a(-1) = -c a = -r",
            ring.is_zero(one * (-other) + other * one),
        ),
        Step(
            "|q| < |r|: s = -1, c = -r, a = q/r; c sigma_a(1) = -r and c sigma_a(-1) = -c a = q",
            ring.is_zero((-one) * (-other) - other * one),
        ),
    )
    return Argument(
        "both sides are linear on each half line, so they agree if they do at 1 and -1: two "
        "equations, solved by the quotient of the smaller of q and r by the larger, which lies "
        "inside (-1, 1)",
        steps,
        (
            "a quotient of numbers of different size, the smaller above, lies inside (-1, 1)",
            "functions that are linear on each half line are equal where they are at 1 and -1",
        ),
        (
            "homogeneous",
            "not proportional to the identity",
            "not proportional to the absolute value",
        ),
        section="docs/mathematics/j23.md#homogeneous-nonlinearities",
    )


# the tangent kernel -------------------------------------------------------------------------------
def _one_layer(bias: bool) -> tuple[Step, ...]:
    """The derivatives of J (W p + b) + c by the entries of W (and b), and their squares."""
    axes = {"J": ("m", "n"), "W": ("n", "k"), "b": ("n", "one"), "p": ("k", "one")}
    steps = []
    for words, s in _scenes(axes):
        values = s["J"] @ (s["W"] @ s["p"] + s["b"])
        names, derivatives = s.ring.generators, []
        numbers = [*s["W"].flat, *(s["b"].flat if bias else ())]
        for value, number in product(values.flat, numbers):
            derivatives.append(s.ring.derivative(value, names.index(number)))
        squares = sum(derivative * derivative for derivative in derivatives)
        size = (s["p"] * s["p"]).sum() + int(bias)
        held = s.ring.is_zero(squares - size * (s["J"] * s["J"]).sum())
        what = "|p|^2 + 1" if bias else "|p|^2"
        steps.append(
            Step(f"the squares of d(J (W p + b)) have the sum ({what}) |J|_F^2, {words}", held)
        )
    return tuple(steps)


def trace_of_the_kernel(*, biases: bool) -> Argument:
    """Tr Theta is the sum of the squares of all derivatives, layer by layer."""
    return Argument(
        "as a function of the parameters of layer l alone f is J (W p + b) + c, where J is the "
        "Jacobian of the layers above and p the activations below; its derivatives are J_ij p_k"
        + (" and J_ij" if biases else ""),
        _one_layer(biases),
        (
            PIECE,
            EVERY_SHAPE,
            "the trace of Theta(x, x) is the sum of the squares of all derivatives",
        ),
        ("fully connected", SMOOTH_POINT),
        section="docs/mathematics/j23.md#the-trace-of-the-kernel",
    )


def mixed_derivative() -> Argument:
    """The terms of the kernel are products of affine functions of x and of y."""
    axes = {"P": ("m", "n"), "c": ("m", "one"), "u": ("n", "one")}
    steps = []
    for words, s in _scenes(axes):
        move = s["P"] @ s["u"]

        def form(one: int, other: int, s: SymbolScene = s, move: Any = move) -> Any:
            return ((s["c"] + move * one) * (s["c"] + move * other)).sum()

        second = form(1, 1) - form(1, 0) - form(0, 1) + form(0, 0)
        held = s.ring.is_zero(second - (move * move).sum())
        steps.append(
            Step(f"<c + s P u, c + t P u> has the coefficient |P u|^2 at s t, {words}", held)
        )
    moved = _each(
        "d (W a + b) - d (W e + b) = d W (a - e), at two points with the slopes d",
        {
            "W": ("m", "n"),
            "d": ("m", "one"),
            "b": ("m", "one"),
            "a": ("n", "one"),
            "e": ("n", "one"),
        },
        lambda s: (
            s["d"] * (s["W"] @ s["a"] + s["b"]) - s["d"] * (s["W"] @ s["e"] + s["b"]),
            s["d"] * (s["W"] @ (s["a"] - s["e"])),
        ),
    )
    both = _each(
        "u^T (W^T d) (d W) u and |d W u|^2 are the same, and so for v^T W",
        {"W": ("m", "n"), "d": ("m", "one"), "u": ("n", "one")},
        lambda s: (
            s.transpose(s["u"]) @ s.transpose(s["W"]) @ (s["d"] * s["d"] * (s["W"] @ s["u"])),
            s.transpose(s["d"] * (s["W"] @ s["u"])) @ (s["d"] * (s["W"] @ s["u"])),
        ),
    )
    return Argument(
        "the kernel is a sum over the layers of <alpha(x), alpha(y)> (plus 1 for biases) times "
        "J J^T with J the same at both points, and alpha moves by D ... D_1 W_1 u from x to x + u",
        (*moved, *steps, *both),
        (
            EVERY_SHAPE,
            "a neuron is its slope times its pre-activation, layer by layer from the inputs",
            "Theta(x, y) sums (<alpha(x), alpha(y)> + 1) J(x) J(y)^T over the layers",
        ),
        ("fully connected", "constant slopes"),
        section="docs/mathematics/j23.md#the-trace-of-the-kernel",
    )


# Proposition 13 -----------------------------------------------------------------------------------
def difference_telescopes() -> Argument:
    """One more layer on top adds W (D(x) - D(y)) M(x) and puts W D(y) before the terms so far."""
    steps = _each(
        "W D M - W E N = W (D - E) M + W E (M - N)",
        {"W": ("m", "n"), "d": ("n", "one"), "e": ("n", "one"), "M": ("n", "k"), "N": ("n", "k")},
        lambda s: (
            s["W"] @ (s["d"] * s["M"]) - s["W"] @ (s["e"] * s["N"]),
            s["W"] @ ((s["d"] - s["e"]) * s["M"]) + s["W"] @ (s["e"] * (s["M"] - s["N"])),
        ),
    )
    ring = ring_of(1)
    (one,) = ring.generators
    return Argument(
        "with one layer both sides are 0, and a layer on top adds the same to both",
        (Step("one layer: W - W is the empty sum", ring.is_zero(one - one)), *steps),
        (LAYERS, EVERY_SHAPE),
        ("fully connected",),
        section="docs/mathematics/j23.md#proposition-13",
    )
