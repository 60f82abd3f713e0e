"""Residual blocks (Le & Jegelka 2022, Definition 5)."""

from __future__ import annotations

from fractions import Fraction

from graphs.activations import RELU, Activation
from graphs.composition import numbered
from graphs.errors import NetworkError
from graphs.families import full
from graphs.network import Network, network

VARIANTS = ("identity", "diagonal", "free")


def residual_block(
    variant: str,
    a: int,
    b: int | None = None,
    c: int | None = None,
    inner: Activation = RELU,
    outer: Activation = RELU,
) -> Network:
    """A residual block `r(x) = outer(U inner(Y x) + S x)`, from R^a to R^c.

    Y is b x a and learnable (edges `x -> h`), U is c x b and learnable (edges `h -> o`). The skip
    S is, by variant: `identity`, the identity, its weights fixed at 1; `diagonal`, a learnable
    diagonal matrix; `free`, a learnable c x a matrix. b and c are a where they are not given.

    Raises NetworkError for another variant, a size that is not positive, or c != a where the
    variant needs a square skip.

    >>> net = residual_block("identity", 2, 3)
    >>> net.parameter_count, net.edge_count
    (12, 14)
    """
    if variant not in VARIANTS:
        raise NetworkError(f"residual block {variant!r}: use one of {', '.join(VARIANTS)}")
    b = a if b is None else b
    c = a if c is None else c
    if min(a, b, c) < 1:
        raise NetworkError(f"residual block of sizes a={a}, b={b}, c={c}: all must be positive")
    if variant != "free" and c != a:
        raise NetworkError(
            f"residual block {variant!r} with a={a}, c={c}: make c equal to a, or use 'free'"
        )
    x = [f"x{k + 1}" for k in range(a)]
    h = [f"h{k + 1}" for k in range(b)]
    o = numbered("o", c)
    skips = full(x, o) if variant == "free" else list(zip(x, o, strict=True))
    return network(
        full(x, h) + full(h, o) + skips,
        inputs=x,
        outputs=o,
        activations={**dict.fromkeys(h, inner), **dict.fromkeys(o, outer)},
        fixed=dict.fromkeys(skips, Fraction(1)) if variant == "identity" else None,
        title=f"ResNet{variant.capitalize()} block {a}-{b}-{c}",
    )
