"""The activations a vertex may have.

The piecewise-linear ones are positively 1-homogeneous: `a(cz) = c a(z)` for `c > 0`. On the real
line those are exactly the functions with one slope left of 0 and one right of it, which is why two
rationals describe them completely. The smooth ones are there for the claims that need them (and as
violators of homogeneity).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from graphs.errors import ActivationError
from graphs.numerals import parse_number, shown

PIECEWISE_LINEAR = ("linear", "relu", "leaky_relu", "abs")
SMOOTH = ("tanh", "softplus", "sigmoid")
_WORDS = {  # other names of them, in lower case without spaces, dashes and underscores
    **{kind.replace("_", ""): kind for kind in PIECEWISE_LINEAR + SMOOTH},
    **dict.fromkeys(("identity", "id", "none"), "linear"),
    **dict.fromkeys(("rectifier", "rectifiedlinear"), "relu"),
    **dict.fromkeys(("lrelu", "leakyrectifier"), "leaky_relu"),
    **dict.fromkeys(("absolute", "absolutevalue", "modulus"), "abs"),
    **dict.fromkeys(("hyperbolictangent",), "tanh"),
    **dict.fromkeys(("logistic", "expit"), "sigmoid"),
}


@dataclass(frozen=True, slots=True)
class Activation:
    """An activation function R -> R.

    `kind` is one of linear, relu, leaky_relu, abs, tanh, softplus, sigmoid; `slope` is the slope
    left of 0 and is given for leaky_relu alone.

    Raises ActivationError for an unknown kind, or a slope given where there is none (or not given
    where there is one).
    """

    kind: str
    slope: Fraction | None = None

    def __post_init__(self) -> None:
        if self.kind not in PIECEWISE_LINEAR + SMOOTH:
            known = ", ".join(PIECEWISE_LINEAR + SMOOTH)
            raise ActivationError(f"unknown activation {shown(self.kind)}: use one of {known}")
        if self.kind == "leaky_relu" and self.slope is None:
            raise ActivationError(
                "activation 'leaky_relu' without a slope: leaky_relu needs a slope, the factor "
                "left of 0, such as 1/100"
            )
        if self.kind != "leaky_relu" and self.slope is not None:
            raise ActivationError(
                f"activation {self.kind!r} with slope {self.slope}: leaky_relu needs a slope, the "
                "others have none"
            )
        if self.slope is not None:
            object.__setattr__(self, "slope", Fraction(self.slope))

    @property
    def homogeneous(self) -> bool:
        """Whether the activation is positively 1-homogeneous."""
        return self.kind in PIECEWISE_LINEAR

    @property
    def slopes(self) -> tuple[Fraction, Fraction]:
        """The slopes left and right of 0. Raises ActivationError for a smooth activation."""
        if self.kind == "linear":
            return Fraction(1), Fraction(1)
        if self.kind == "relu":
            return Fraction(0), Fraction(1)
        if self.kind == "abs":
            return Fraction(-1), Fraction(1)
        if self.slope is not None:
            return self.slope, Fraction(1)
        raise ActivationError(
            f"activation {self.kind!r} is not piecewise linear: "
            f"exact arithmetic needs one of {', '.join(PIECEWISE_LINEAR)}"
        )

    def __str__(self) -> str:
        return self.kind if self.slope is None else f"leaky_relu({self.slope})"


LINEAR = Activation("linear")
RELU = Activation("relu")
ABS = Activation("abs")
TANH = Activation("tanh")
SOFTPLUS = Activation("softplus")
SIGMOID = Activation("sigmoid")


def leaky_relu(slope: Fraction | int | str) -> Activation:
    """Leaky ReLU, `max(z, slope * z)` for a slope in (0, 1).

    >>> leaky_relu("1/10").slopes
    (Fraction(1, 10), Fraction(1, 1))
    """
    return Activation("leaky_relu", Fraction(slope))


def activation_named(name: str, slope: object = None) -> Activation:
    """The activation that people call so, whatever capitals, spaces and dashes they write.

    slope: left of 0, for leaky ReLU; it may stand in the name. Raises ActivationError.

    >>> print(activation_named("ReLU"), activation_named("Leaky-ReLU", "0.1"))
    relu leaky_relu(1/10)
    """
    word, _, inside = name.partition("(") if slope is None else (name, "", "")
    number = inside.removesuffix(")") if inside else slope
    kind = _WORDS.get(re.sub(r"[\s_-]", "", word).lower(), name)
    value = None if number is None else parse_number(number, "slope", ActivationError)
    return Activation(kind, value)
