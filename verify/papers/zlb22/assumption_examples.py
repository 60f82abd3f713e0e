"""Which inputs, activations, laws and families of in-degrees meet the assumptions, part by part.

Everything is exact: suprema of derivatives (activation_bounds), limits of sizes along all widths m
by SymPy, moments of laws as rationals, homogeneity by the form b z^r for z > 0 and a |z|^r for
z < 0, and half-line Gaussian moments as Gamma functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verify.core.examples import Example, Part
from verify.papers.zlb22.activation_bounds import NAMES, bounds, meets
from verify.papers.zlb22.half_line import length_moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LADDER = (16, 64, 256)  # widths whose values are shown beside a limit
NONE, ONE = Fraction(0), Fraction(1)
HALF = Fraction(1, 2)


def _text(value: Any) -> str:
    """A SymPy number between dollars."""
    import sympy

    return f"${sympy.latex(value)}$"


def _number(value: Any) -> str:
    """A rational number, or three figures of another one."""
    return str(value) if value.is_rational else f"{float(value):.3g}"


# Assumption 3.1 -----------------------------------------------------------------------------------
def inputs() -> tuple[Example, ...]:
    """The largest entry of inputs along a ladder of widths, and its limit."""
    import sympy

    m = sympy.Symbol("m", positive=True)
    one, infinite = sympy.Integer(1), sympy.oo
    ladders: dict[str, Any] = {
        r"entries $\pm1$": one,
        r"digits, scaled to $[0,1]$": one,
        r"entries $1+1/m$": 1 + 1 / m,
        r"entries $1/\sqrt m$": 1 / sympy.sqrt(m),
        "entries log $m$": sympy.log(m),
        r"entries $\sqrt m$": sympy.sqrt(m),
        r"entries $m$": m,
        r"Gaussian (Assumption 4.1)": infinite,  # P(|x_1| > C) > 0 for every C
    }
    return tuple(_bounded_input(name, size, m) for name, size in ladders.items())


def _bounded_input(name: str, size: Any, m: Any) -> Example:
    import sympy

    limit = size if size is sympy.oo else sympy.limit(size, m, sympy.oo)
    widths = ", ".join(map(str, LADDER))
    values = ", ".join(_number(sympy.sympify(size).subs(m, width)) for width in LADDER)
    shown = f"{values} at $m=$ {widths}; " if limit != size else ""
    # a continuous size with a finite limit is bounded over all widths of at least 1
    finite = bool(limit.is_finite)
    return Example(
        name, (Part("largest entry, over all widths", f"{shown}limit {_text(limit)}", finite),)
    )


# Assumption 3.2 -----------------------------------------------------------------------------------
LATEX = {
    "log cosh": "log cosh",
    "z": "$z$",
    "z^2": "$z^2$",
    "z^3": "$z^3$",
    "|z|^(3/2)": "$|z|^{3/2}$",
    "|z|": "$|z|$",
}


def activations(reading: str) -> tuple[Example, ...]:
    """Smoothness, the two Lipschitz constants of a reading, and the value at 0."""
    first, second = {
        "A": (r"$\sup|\sigma''|$", r"$\mathrm{Lip}(\sigma'')$"),
        "B": (r"$\sup|\sigma'|$", r"$\sup|\sigma''|$"),
    }[reading]
    found = []
    for name in NAMES:
        known = bounds(name)
        sizes = (known.second, known.third) if reading == "A" else (known.first, known.second)
        twice = "yes" if known.twice else "no"
        example = Example(
            LATEX.get(name, name),
            (
                Part("H1 twice differentiable", twice, known.twice),
                Part(f"H2 {first}", _text(sizes[0]), bool(sizes[0].is_finite)),
                Part(f"H3 {second}", _text(sizes[1]), bool(sizes[1].is_finite)),
                Part(r"H4 $|\sigma(0)|$", _text(known.at_zero), bool(known.at_zero.is_finite)),
            ),
        )
        assert example.meets == meets(name, reading), f"{name}: the predicate says otherwise"
        found.append(example)
    return tuple(found)


# Assumption 3.5 -----------------------------------------------------------------------------------
def _families(m: Any) -> Mapping[str, Sequence[Any]]:
    """The largest in-degree of each layer from 1 on, at width m, with four inputs; of every family
    each layer has neurons of one in-degree."""
    import sympy

    two_to = 2**m
    return {
        "fully connected, sizes $m$, $m$": (4, m, m),
        "fully connected, sizes $m$, $m^2$, $m$": (4, m, m**2, m),
        r"fully connected, sizes $m$, $m^{3/2}$": (4, m, m ** sympy.Rational(3, 2)),
        "DenseNet, three hidden layers of $m$": (4, 4 + m, 4 + 2 * m, 4 + 3 * m),
        "one hidden layer of $m$": (4, m),
        r"$m^{a}$ neurons, $a$ the logarithm of $m$, in a hidden layer": (
            4,
            m,
            m ** sympy.log(m),
            m,
        ),
        r"$2^m$ neurons in an inner hidden layer": (4, m, two_to, m),
        r"$2^m$ neurons in the last hidden layer": (4, m, two_to),
        r"$2^m$ inputs": (two_to, m, m),
    }


def in_degrees() -> tuple[Example, ...]:
    """The exponent log(largest in-degree) / log m over the layers from 1 on."""
    import sympy

    m = sympy.Symbol("m", positive=True)
    return tuple(_polynomial(name, row, m) for name, row in _families(m).items())


def _polynomial(name: str, row: Sequence[Any], m: Any) -> Example:
    import sympy

    # the width by the words of Definition 2.7: up to a constant factor m in all these families
    width = min((sympy.sympify(d) for d in row[1:]), key=lambda d: d.subs(m, 1000))
    title = "logarithm of the largest in-degree over that of the width"
    orders = [sympy.limit(sympy.log(d) / sympy.log(width), m, sympy.oo) for d in row]
    limit = max(orders, key=sympy.N)
    values = []
    for number in LADDER[:2]:
        most = max(float(sympy.log(sympy.sympify(d)).subs(m, number)) for d in row)
        values.append(f"{most / float(sympy.log(width).subs(m, number)):.2f}")
    shown = f"{' and '.join(values)} at $m=$ {LADDER[0]} and {LADDER[1]}, limit {_text(limit)}"
    return Example(name, (Part(title, shown, bool(limit.is_finite)),))


# Definition 2.7 -----------------------------------------------------------------------------------
def widths(reading: str) -> tuple[Example, ...]:
    """The width of families by the words (A) or the formula (B), and whether it grows."""
    import sympy

    m = sympy.Symbol("m", positive=True)
    families = {
        "one hidden layer of $m$": (4, m),
        "fully connected, sizes $m$, $m^2$, $m$": (4, m, m**2, m),
        r"fully connected, sizes $m$, $\sqrt m$": (4, m, sympy.sqrt(m)),
        "fully connected, sizes $m$, $2$, $m$": (4, m, 2, m),
        "fully connected, sizes $m$, $m$, $2$": (4, m, m, 2),
        "DenseNet, three hidden layers of $m$": (4, 4 + m, 4 + 2 * m, 4 + 3 * m),
        r"$2^m$ inputs, one hidden layer of $m$": (2**m, m),
    }
    return tuple(_width(name, row, reading, m) for name, row in families.items())


def _width(name: str, row: Sequence[Any], reading: str, m: Any) -> Example:
    import sympy

    spoken_of = row[1:] if reading == "A" else row[1 : len(row) - 1]
    title = "width, growing with $m$"
    if not spoken_of:
        return Example(name, (Part(title, "no such neuron: infinite", False),))
    width = min((sympy.sympify(d) for d in spoken_of), key=lambda d: d.subs(m, 1000))
    grows = sympy.limit(width, m, sympy.oo) == sympy.oo
    return Example(name, (Part(title, _text(width), bool(grows)),))


# Assumption 4.1 -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Law:
    """Independent entries of one law in d_0 dimensions; its mean, and central moments of orders 2,
    4 and 6 (those of odd order are 0)."""

    name: str
    inputs: int
    mean: Fraction
    central: tuple[Fraction, Fraction, Fraction]

    @property
    def normal(self) -> bool:
        """Whether the central moments are those of a normal law of that variance."""
        variance, fourth, sixth = self.central
        return (fourth, sixth) == (3 * variance**2, 15 * variance**3)


def _law(name: str, inputs: int, mean: int, *central: int | Fraction) -> Law:
    second, fourth, sixth = map(Fraction, central)
    return Law(name, inputs, Fraction(mean), (second, fourth, sixth))


LAWS = (
    _law(r"$\mathcal N(0,I)$ in two dimensions", 2, 0, 1, 3, 15),
    _law(r"$\mathcal N(0,4I)$ in two dimensions", 2, 0, 4, 48, 960),
    _law(r"$\mathcal N(1,1)$ in one dimension", 1, 1, 1, 3, 15),
    _law(r"entries $\pm1$ at random", 2, 0, 1, 1, 1),
    _law(r"entries uniform on $[-\sqrt3,\sqrt3]$", 2, 0, 1, Fraction(9, 5), Fraction(27, 7)),
    _law("Laplace entries of variance 1", 2, 0, 1, 6, 90),
    _law("fixed $x=1$ in one dimension", 1, 1, 0, 0, 0),
    _law("fixed $x=(1,1)$", 2, 1, 0, 0, 0),
    _law("fixed $x=0$", 2, 0, 0, 0, 0),
)


def laws() -> tuple[Example, ...]:
    """Mean, covariance, and moments as those of a normal law."""
    found = []
    for law in LAWS:
        variance, fourth, sixth = law.central
        mean = f"${law.mean}$" + (" in each entry" if law.inputs > 1 else "")
        parts = (
            Part("mean $0$", mean, law.mean == 0),
            Part(r"covariance $I_{d_0}$", f"variance ${variance}$", variance == ONE),
            Part(
                "normal: central moments of orders 4 and 6",
                f"${fourth}$ and ${sixth}$",
                law.normal,
            ),
        )
        found.append(Example(law.name, parts))
    return tuple(found)


# Assumption 4.2 -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Power:
    """sigma(z) = scale b z^r for z > 0 and scale a |z|^r for z < 0, with scale squared rational."""

    left: Fraction
    right: Fraction
    degree: Fraction
    scale_squared: Fraction = ONE

    def second_moment(self) -> Any:
        """E sigma(z)^2, z ~ N(0, 1)."""
        sides = (self.left**2 + self.right**2) / 2 * self.scale_squared
        return length_moment(1, 2 * self.degree) * sides


RELU, SQUARE = Power(NONE, ONE, ONE), Power(ONE, ONE, Fraction(2))
ZERO = Power(NONE, NONE, ONE)
NETWORKS: dict[str, tuple[Power, ...]] = {
    "ReLU": (RELU,),
    r"$\sqrt2\,$ReLU": (Power(NONE, ONE, ONE, Fraction(2)),),
    "leaky ReLU, slope $1/10$": (Power(Fraction(-1, 10), ONE, ONE),),
    "$|z|$": (Power(ONE, ONE, ONE),),
    "$z$": (Power(-ONE, ONE, ONE),),
    "$z^2$": (SQUARE,),
    "$z^3$": (Power(-ONE, ONE, Fraction(3)),),
    "$|z|^{1/2}$": (Power(ONE, ONE, HALF),),
    "$|z|^{3/2}$": (Power(ONE, ONE, 3 * HALF),),
    r"$\mathrm{ReLU}(z)^2$": (Power(NONE, ONE, Fraction(2)),),
    r"$\mathrm{ReLU}(z)^{1/2}$": (Power(NONE, ONE, HALF),),
    "ReLU and $z^2$ in one network": (RELU, SQUARE),
    "ReLU, and $0$ at one neuron": (RELU, ZERO),
}


def powers() -> tuple[Example, ...]:
    """Homogeneity for factors of at least 0, one degree, and C_sigma, of networks with these
    activations; beside them two that are homogeneous of no degree."""
    found = [_homogeneous(name, members) for name, members in NETWORKS.items()]
    return (*found, *(_of_no_degree(name) for name in ("tanh", "softplus")))


H1, H2, H3 = r"H1 $\sigma(az)=a^r\sigma(z)$", "H2 one $r$", r"H3 $C_\sigma$"


def _homogeneous(name: str, members: tuple[Power, ...]) -> Example:
    bent = [p for p in members if (p.left, p.right) != (NONE, NONE)]  # 0 is so of every degree
    degrees = sorted({p.degree for p in bent})
    moments = [p.second_moment() for p in members]
    least = min(moments, key=float)
    shown = str(least) if isinstance(least, Fraction) else f"{float(least):.4f}"
    return Example(
        name,
        (
            Part(H1, "yes", True),  # by its form
            Part(H2, "$r=$ " + ", ".join(map(str, degrees)), len(degrees) == 1),
            Part(H3, f"${shown}$", least > 0),
        ),
    )


def _of_no_degree(name: str) -> Example:
    """Homogeneity for a = 2 asks for sigma(1) sigma(4) = sigma(2)^2: an exact SymPy number that is
    not 0 by an enclosure."""
    import sympy

    sigma = {"tanh": sympy.tanh, "softplus": lambda z: sympy.log(1 + sympy.exp(z))}[name]
    at = [sigma(sympy.Integer(z)) for z in (1, 2, 4)]
    gap = at[0] * at[2] - at[1] ** 2
    told = f"$\\sigma(1)\\sigma(4)-\\sigma(2)^2\\approx{sympy.N(gap, 4)}$"
    holds = gap.equals(0) is True
    return Example(
        name,
        (
            Part(H1, told, holds),
            Part(H2, "none", False),
            Part(H3, "above $0$: continuous, and not $0$ at $z=1$", bool(sympy.N(at[0]) > 0)),
        ),
    )
