"""Suprema of derivatives of named activations, exactly, and which readings of the assumptions hold.

Up to a constant the derivatives of tanh, log cosh, sigmoid and softplus are polynomials in t = tanh
z or s = sigmoid z, whose derivatives are 1 - t^2 and s (1 - s); a supremum over the open interval
of t or s is the largest size at its ends and at the roots of the derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

NAMES = (
    "tanh",
    "softplus",
    "sigmoid",
    "sin",
    "log cosh",
    "z",
    "z^2",
    "z^3",
    "|z|^(3/2)",
    "exp",
    "ReLU",
    "leaky ReLU",
    "|z|",
)


@dataclass(frozen=True)
class Bounds:
    """|sigma(0)| and the suprema of |sigma'|, |sigma''| and of the difference quotients of sigma'',
    SymPy numbers or infinity. twice: whether sigma'' exists everywhere."""

    at_zero: Any
    first: Any
    second: Any
    third: Any
    twice: bool = True


@cache
def bounds(name: str) -> Bounds:
    """Of a named activation. Raises KeyError for another name."""
    import sympy

    none, one, infinite = sympy.Integer(0), sympy.Integer(1), sympy.oo
    x = sympy.Symbol("x")
    tanh, logistic = (1 - x**2, (-1, 1)), (x * (1 - x), (0, 1))  # derivative of x, its interval
    table: dict[str, Any] = {
        "tanh": lambda: _in_one(none, 1 - x**2, x, *tanh),
        "log cosh": lambda: _in_one(none, x, x, *tanh),
        "sigmoid": lambda: _in_one(sympy.Rational(1, 2), x * (1 - x), x, *logistic),
        "softplus": lambda: _in_one(sympy.log(2), x, x, *logistic),
        "sin": lambda: Bounds(none, one, one, one),
        "z": lambda: Bounds(none, one, none, none),
        "z^2": lambda: Bounds(none, infinite, sympy.Integer(2), none),
        "z^3": lambda: Bounds(none, infinite, infinite, sympy.Integer(6)),
        "exp": lambda: Bounds(one, infinite, infinite, infinite),
        "|z|^(3/2)": lambda: Bounds(none, infinite, infinite, infinite, twice=False),
        "ReLU": lambda: Bounds(none, one, infinite, infinite, twice=False),
        "leaky ReLU": lambda: Bounds(none, one, infinite, infinite, twice=False),
        "|z|": lambda: Bounds(none, one, infinite, infinite, twice=False),
    }
    found: Bounds = table[name]()
    return found


def _in_one(at_zero: Any, first: Any, x: Any, slope: Any, interval: tuple[int, int]) -> Bounds:
    """sigma' as a polynomial in x, of which the derivative by z is `slope`."""
    import sympy

    suprema = []
    derivative = sympy.expand(first)
    for _ in range(3):
        suprema.append(largest_size(derivative, x, interval))
        derivative = sympy.expand(sympy.diff(derivative, x) * slope)
    return Bounds(at_zero, *suprema)


def largest_size(polynomial: Any, x: Any, interval: tuple[int, int]) -> Any:
    """The supremum of |p| over an open interval, of a polynomial in x over the rationals."""
    import sympy

    places = [sympy.Integer(end) for end in interval]
    slope = sympy.Poly(sympy.diff(polynomial, x), x)
    if slope.degree() > 0:
        places += [root for root in slope.real_roots() if interval[0] < root < interval[1]]
    sizes = [sympy.Abs(polynomial.subs(x, place)) for place in places]
    return sympy.simplify(max(sizes, key=lambda size: sympy.N(size, 50)))


def meets(name: str, reading: str) -> bool:
    """Whether Assumption 3.2 holds of an activation.

    >>> meets("z^2", "A"), meets("z^2", "B")
    (True, False)
    """
    found = bounds(name)
    needed = {"A": (found.second, found.third), "B": (found.first, found.second)}[reading]
    return found.twice and all(bool(value.is_finite) for value in needed)
