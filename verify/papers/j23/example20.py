"""Example 20: a function without convergent optimal representations, and its explicit networks.

An instance is made of numbers: the depth L, t = e^epsilon > 0, the slope a of the activation, the
constant c of the function, a point (x1, x2, x3). The networks are those of reading B of the
weights: the four matrices in the order printed, the first and the last L/2 - 1 times, the others
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import RATIONALS, rational
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, RealTensors
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

Side = tuple[dict[str, Any], Any, Any]  # label, left, right
COORDINATES = ("x1", "x2", "x3")
DEEPEST = 10


class Numbers(RealTensors):
    """The numbers of Example 20."""

    def value(self, name: str) -> Any:
        """A number as a rational of graphs.arithmetic."""
        return rational(self.number(name))

    @property
    def point(self) -> np.ndarray:
        """(3,)."""
        return np.array([self.value(name) for name in COORDINATES], dtype=object)


def of_numbers(case: Tensors, random: Random) -> Numbers:
    """t above 0 and the slope inside (-1, 1), whatever was drawn."""
    arrays = dict(case.arrays)
    t, slope = case.number("t"), case.number("a")
    if t <= 0:
        size = abs(t) if t else Fraction(random.choice((2, 3)), 2)
        arrays["t"] = replace(arrays["t"], entries=(size,))
    if not -1 < slope < 1:
        arrays["a"] = replace(arrays["a"], entries=(Fraction(random.choice((0, 1, -1)), 2),))
    return Numbers(arrays, case.choice, case.family)


POOL = TensorPool(
    tuple((name, ()) for name in ("t", "a", "c", *COORDINATES)),
    integers=(("L", 2, DEEPEST),),
    adapt=of_numbers,
)


# hypotheses --------------------------------------------------------------------------------------
def _changed(case: Numbers, **values: Fraction | int) -> Numbers:
    arrays = {
        name: replace(case.arrays[name], entries=(Fraction(value),))
        for name, value in values.items()
    }
    return case.changing(**arrays)


EVEN = Hypothesis(
    "even depth",
    r"$L\ge2$ is even",
    by_case(lambda case: case.whole("L") >= 2 and case.whole("L") % 2 == 0),
    lambda case, random: _changed(case, L=max(2, case.whole("L") // 2 * 2)),
)
SLOPE = Hypothesis(
    "slope inside (-1, 1)",
    r"$\sigma_a$ with $a\in(-1,1)$",
    by_case(lambda case: -1 < case.number("a") < 1),
    of_numbers,
    lambda case, random: _changed(case, a=random.choice((1, -1, 2, -2))),
)
RELU = Hypothesis(
    "ReLU",
    "$a=0$",
    by_case(lambda case: case.number("a") == 0),
    lambda case, random: _changed(case, a=0),
    lambda case, random: _changed(case, a=Fraction(random.choice((1, -1)), 2)),
)
EPSILON = Hypothesis(
    "t above 0",
    r"$t=e^\epsilon$ with $\epsilon$ real",
    by_case(lambda case: case.number("t") > 0),
    of_numbers,
)


def _inside(case: Numbers, low: int | None, high: int | None) -> bool:
    values = [case.number(name) for name in COORDINATES]
    return all((low is None or v >= low) and (high is None or v <= high) for v in values)


def _folded(case: Numbers, random: Random, *, box: bool) -> Numbers:
    values = {name: abs(case.number(name)) for name in COORDINATES}
    if box:
        values = {name: v if v <= 1 else 1 / v for name, v in values.items()}
    return _changed(case, **values)


def _negative(case: Numbers, random: Random) -> Numbers:
    name = random.choice(COORDINATES)
    return _changed(case, **{name: -abs(case.number(name)) - Fraction(random.randint(1, 4), 2)})


ORTHANT = Hypothesis(
    "in the orthant",
    r"$x\in\mathbb R_+^3$",
    by_case(lambda case: _inside(case, 0, None)),
    partial(_folded, box=False),
    _negative,
)
BOX = Hypothesis(
    "in the box",
    r"$x\in\Omega=[0,1]^3$",
    by_case(lambda case: _inside(case, 0, 1)),
    partial(_folded, box=True),
    _negative,
)
READINGS_OF_C: dict[str, tuple[str, Hypothesis | None]] = {
    "A": (r"the constant $a$ of the function is any real number", None),
    "B": (
        "the constant of the function is $1$",
        Hypothesis(
            "constant 1",
            "the constant of the function is $1$",
            by_case(lambda case: case.number("c") == 1),
            lambda case, random: _changed(case, c=1),
            lambda case, random: _changed(case, c=random.choice((0, 2, -1))),
        ),
    ),
    "C": (
        r"the constant of the function is the slope of $\sigma_a$",
        Hypothesis(
            "constant a",
            r"the constant of the function is the slope of $\sigma_a$",
            by_case(lambda case: case.number("c") == case.number("a")),
            lambda case, random: _changed(case, c=case.number("a")),
            lambda case, random: _changed(case, c=case.number("a") + 1),
        ),
    ),
}


# the networks ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Example:
    """The network of a case. m: L/2 - 1, how often the first and the last matrix stand."""

    m: int
    t: Any
    slope: Any

    @classmethod
    def of(cls, case: Numbers) -> Example:
        """Of the numbers of a case with an even depth."""
        return cls(case.whole("L") // 2 - 1, case.value("t"), case.value("a"))

    @property
    def weights(self) -> list[np.ndarray]:
        """W_1 to W_L in reading B."""
        down = self.t ** (-self.m)
        return self._between([[down, -down, 0]], [down**2])

    def mended(self, c: Any) -> list[np.ndarray]:
        """Weights with which the network is the function with a constant c >= 0 for every slope:
        two neurons make max(x - y, 0), sigma(u) + a sigma(-u) = (1 - a^2) max(u, 0)."""
        down = self.t ** (-self.m)
        share = c * down**2 / (1 - self.slope**2)
        return self._between([[down, -down, 0], [-down, down, 0]], [share, self.slope * share])

    def _between(self, bends: list[list[Any]], reads: list[Any]) -> list[np.ndarray]:
        """The first and the last matrices, between them neurons with these weights into and out of
        them."""
        t, one = self.t, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        none = [0] * len(reads)
        return [
            *[matrix([[t, 0, 0], [0, t, 0], [0, 0, t**-2]])] * self.m,
            matrix([*one, *bends]),
            matrix([[1, 0, 0, *none], [0, 1, 0, *none], [0, 0, 1, *reads]]),
            *[matrix([[1 / t, 0, 0], [0, 1 / t, 0], [0, 0, t**2]])] * self.m,
        ]

    def activated(self, z: np.ndarray) -> np.ndarray:
        """The leaky ReLU, entrywise."""
        return np.array([v if v >= 0 else self.slope * v for v in z], dtype=object)

    def forward(self, x: np.ndarray, weights: list[np.ndarray] | None = None) -> list[np.ndarray]:
        """alpha_0 to alpha_(L-1), and alpha~_L; with other weights where they are given."""
        found = [x]
        weights = self.weights if weights is None else weights
        for number, weight in enumerate(weights, start=1):
            z = weight @ found[-1]
            found.append(z if number == len(weights) else self.activated(z))
        return found

    @property
    def square(self) -> Any:
        """|theta|^2."""
        return sum(((w * w).sum() for w in self.weights), rational(0))


def matrix(rows: Sequence[Sequence[Any]]) -> np.ndarray:
    """A matrix of rationals."""
    result: np.ndarray = RATIONALS.array(rows)
    return result


def by_numbers(sides: Callable[[Numbers], Iterator[Side]]) -> Callable[[RealScene], Entries]:
    """A measure that walks case by case."""

    def measure(scene: RealScene) -> Entries:
        labels, left, right, owner = [], [], [], []
        for number, case in enumerate(scene.cases):
            for label, one, other in sides(case):  # type: ignore[arg-type]  # the pool makes these
                labels.append(label)
                left.append(one)
                right.append(other)
                owner.append(number)
        one, other = (_column(values) for values in (left, right))
        nothing = np.zeros(len(owner), dtype=np.int64)
        which = np.array(owner, dtype=np.int64)
        return Entries(one - other, one, which, "case", nothing, nothing - 1, lambda k: labels[k])

    measure.__name__ = getattr(sides, "__name__", getattr(sides, "func", sides).__name__)
    measure.__dict__["__wrapped__"] = sides
    return measure


def _column(values: Sequence[Any]) -> np.ndarray:
    result = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        result[place] = value
    return result


def standing(case: Numbers) -> bool:
    """Whether there is such a network: an even depth, and t other than 0."""
    return case.whole("L") >= 2 and case.whole("L") % 2 == 0 and case.number("t") != 0


# the weights -------------------------------------------------------------------------------------
def one_matrix_each(case: Numbers) -> Iterator[Side]:
    """How many of the printed matrices each layer is given by its label and range, minus one."""
    if not standing(case):
        return
    depth, half = case.whole("L"), case.whole("L") // 2
    ranges = [range(1, half), [half], range(half + 2, depth + 1), range(half + 2, depth + 1)]
    for layer in range(1, depth + 1):
        given = sum(layer in layers for layers in ranges)
        yield {"layer": layer}, rational(given), rational(1)


def activations(case: Numbers, which: str) -> Iterator[Side]:
    """A displayed activation, or the output, minus that of the network."""
    if not standing(case):
        return
    network, x = Example.of(case), case.point
    m, half, up = network.m, case.whole("L") // 2, network.t**network.m
    bend = network.activated(x[:1] - x[1:2])[0]
    shown = {
        "alpha1": (half - 1, [up * x[0], up * x[1], x[2] / up**2]),
        "alpha2": (half, [up * x[0], up * x[1], x[2] / up**2, bend]),
        "alpha3": (half + 1, [up * x[0], up * x[1], (x[2] + bend) / up**2]),
        "f": (case.whole("L"), [x[0], x[1], x[2] + bend]),
    }
    layer, values = shown[which]
    if which == "alpha3" and m == 0:  # the output, which is no activation
        return
    for i, (one, other) in enumerate(zip(network.forward(x)[layer], values, strict=True)):
        yield {"coordinate": i}, one, other


def represents(case: Numbers, mended: bool = False) -> Iterator[Side]:
    """The network (or the mended one) minus the function, at the point."""
    if not standing(case):
        return
    network, x, c = Example.of(case), case.point, case.value("c")
    if mended and network.slope**2 == 1:
        return
    third = x[2] if x[0] <= x[1] else x[2] + c * (x[0] - x[1])
    outputs = network.forward(x, network.mended(c) if mended else None)[-1]
    for i, (one, other) in enumerate(zip(outputs, (x[0], x[1], third), strict=True)):
        yield {"coordinate": i}, one, other


# the norm ----------------------------------------------------------------------------------------
def line(case: Numbers, number: int) -> Any:
    """Line 1 or 2 of the display of the norm; 3 is line 2 with the factors (L - 2)/2."""
    depth, t = case.whole("L"), case.value("t")
    small = t ** (2 - depth)  # e^(-(L - 2) epsilon)
    half = rational(Fraction(depth - 2, 2))
    if number == 1:
        first, last = 2 * t**2 + t**-4, 2 * t**-2 + t**4
        return half * first + (3 + 2 * small) + (3 + small**2) + half * last
    rise = 2 * (t**2 - 1) + (t**-4 - 1)
    fall = 2 * (t**-2 - 1) + (t**4 - 1)
    share = half if number == 3 else rational(1)
    return 3 * depth + share * rise + 2 * small + small**2 + share * fall


def first_line(case: Numbers) -> Iterator[Side]:
    """|theta|^2 minus line 1."""
    if standing(case):
        yield {}, Example.of(case).square, line(case, 1)


def second_line(case: Numbers, number: int) -> Iterator[Side]:
    """Line 1 minus line 2."""
    if standing(case):
        yield {}, line(case, 1), line(case, number)


# the Jacobian, the contradiction ------------------------------------------------------------------
SHEAR = ((1, 0, 0), (0, 1, 0), (1, -1, 1))


def jacobian_values(case: Numbers) -> Iterator[Side]:
    """The Jacobian of f on either side of x = y, minus the printed matrices; the squares of their
    pseudo-determinants minus 1."""
    x, c = case.point, case.value("c")
    if x[0] == x[1]:
        return
    over = x[0] > x[1]
    rows = [[1, 0, 0], [0, 1, 0], [c, -c, 1] if over else [0, 0, 1]]
    told = matrix(SHEAR if over else [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    for i, row in enumerate(matrix(rows)):
        for j, entry in enumerate(row):
            yield {"row": i, "column": j}, entry, told[i, j]
    yield {"part": "determinant"}, reals.pseudo_determinant_squared(told), rational(1)


def above_the_bound(case: Numbers) -> Iterator[Side]:
    """|theta|^2 - 3 L minus C^-2 times the nuclear norm of the difference of the two Jacobians,
    C the largest operator norm of the layers below and above, at a point with x > y."""
    if not standing(case):
        return
    network = Example.of(case)
    difference = matrix(SHEAR) - matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    (value,) = reals.singular_values(difference)
    norm = _lipschitz(network.weights)
    yield {}, network.square - 3 * case.whole("L"), value / (norm * norm)


def _lipschitz(weights: list[np.ndarray]) -> Any:
    """The largest operator norm of W_l ... W_1 and W_L ... W_(l+1): at x in the orthant with x > y
    every neuron is active."""
    below, above = weights[0], weights[-1]
    products = [below, above]
    for weight in weights[1:]:
        below = weight @ below
        products.append(below)
    for weight in weights[-2::-1]:
        above = above @ weight
        products.append(above)
    largest = None
    for product in products:
        norm = reals.singular_values(product)[0]
        largest = norm if largest is None or norm > largest else largest
    return largest


def right_side(case: Numbers) -> Iterator[Side]:
    """The right side of the display times C^2, squared, minus 2: what is added to it by the two
    pseudo-determinants is log 1."""
    one, shear = matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), matrix(SHEAR)
    logs = [reals.log(reals.pseudo_determinant_squared(value)) for value in (one, shear)]
    (norm,) = reals.squared_singular_values(one - shear)
    yield {"part": "logarithms"}, sum(logs, rational(0)), rational(0)
    yield {"part": "nuclear norm"}, norm, rational(2)


# claims ------------------------------------------------------------------------------------------
PROOF = "Example 20, proof (1)"
DISPLAYS = {
    "alpha1": r"$\alpha_{L/2-1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3)^\top$",
    "alpha2": r"$\alpha_{L/2}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3,\sigma(x_1-x_2))^\top$",
    "alpha3": r"$\alpha_{L/2+1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}(x_3+\sigma(x_1-x_2)))^\top$",
    "f": r"$f_\theta(x)=(x_1,x_2,x_3+\sigma(x_1-x_2))^\top$",
}
IN_ORDER = "the four matrices fill the layers in the order printed"


def _weights() -> Iterator[Claim]:
    yield Claim(
        "j23.ex20.weights@A",
        Kind.IDENTITY,
        printed(PROOF),
        "every layer has one matrix",
        r"The printed labels and ranges give each of the layers $1,\dots,L$ one weight matrix.",
        (EVEN,),
        measure=by_numbers(one_matrix_each),
        pool=POOL,
        reading="A",
        reading_text="each matrix belongs to the layers of its label and range",
        exact_only=True,
    )
    for which, text in DISPLAYS.items():
        claim = Claim(
            f"j23.ex20.weights.{which}@B",
            Kind.IDENTITY,
            printed(PROOF),
            "displayed activations",
            f"For all $x\\in\\mathbb R_+^3$: {text}.",
            (EVEN, EPSILON, SLOPE, ORTHANT),
            measure=by_numbers(partial(activations, which=which)),
            pool=POOL,
            reading="B",
            reading_text=IN_ORDER,
            exact_only=True,
        )
        yield claim
        if which in ("alpha3", "f"):
            yield replace(
                claim,
                id=f"{claim.id}.fix",
                title="displayed activations, for the ReLU",
                hypotheses=(EVEN, EPSILON, RELU, ORTHANT),
                repairs=claim.id,
            )
    for letter, (words, constant) in READINGS_OF_C.items():
        yield Claim(
            f"j23.ex20.weights.represents@B{letter}",
            Kind.IDENTITY,
            printed("Example 20, statement and proof (1)"),
            "the networks represent the function",
            r"On $\Omega=[0,1]^3$ the network is the function of the example, $(x,y,z)$ if "
            r"$x\le y$ and $(x,y,z+a(x-y))$ if $x>y$.",
            (EVEN, EPSILON, SLOPE, *([constant] if constant else []), BOX),
            measure=by_numbers(partial(represents, mended=False)),
            pool=POOL,
            reading=f"B{letter}",
            reading_text=f"{IN_ORDER}; {words}",
            exact_only=True,
        )
    one = READINGS_OF_C["B"][1]
    assert one is not None
    yield Claim(
        "j23.ex20.weights.represents@BB.fix",
        Kind.IDENTITY,
        printed("Example 20, statement and proof (1)"),
        "the networks represent the function, for the ReLU",
        r"With the ReLU the network is the function with $a=1$ on $\mathbb R_+^3$, for every $L$ "
        r"and $\epsilon$.",
        (EVEN, EPSILON, RELU, one, ORTHANT),
        measure=by_numbers(partial(represents, mended=False)),
        pool=POOL,
        repairs="j23.ex20.weights.represents@BB",
        reading="BB",
        reading_text=f"{IN_ORDER}; the constant of the function is $1$",
        exact_only=True,
    )


LINE_2 = (
    r"$3L+{0}[2(e^{{2\epsilon}}-1)+(e^{{-4\epsilon}}-1)]+2e^{{-(L-2)\epsilon}}+"
    r"e^{{-2(L-2)\epsilon}}+{0}[2(e^{{-2\epsilon}}-1)+(e^{{4\epsilon}}-1)]$"
)
NORM = (
    Claim(
        "j23.ex20.norm.line1",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 1"),
        "norm of the parameters",
        r"$\lVert\theta\rVert^2=\frac{L-2}2(2e^{2\epsilon}+e^{-4\epsilon})+(3+2e^{-(L-2)\epsilon})+"
        r"(3+e^{-2(L-2)\epsilon})+\frac{L-2}2(2e^{-2\epsilon}+e^{4\epsilon})$.",
        (EVEN, EPSILON),
        measure=by_numbers(first_line),
        pool=POOL,
        exact_only=True,
    ),
    Claim(
        "j23.ex20.norm.line2",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 2"),
        "norm of the parameters, second line",
        f"Line 1 equals {LINE_2.format('')} (without the square brackets).",
        (EVEN, EPSILON),
        measure=by_numbers(partial(second_line, number=2)),
        pool=POOL,
        exact_only=True,
    ),
    Claim(
        "j23.ex20.norm.line2.fix",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 2"),
        "norm of the parameters, second line repaired",
        "Line 1 equals " + LINE_2.format(r"\frac{L-2}2") + ".",
        (EVEN, EPSILON),
        measure=by_numbers(partial(second_line, number=3)),
        pool=POOL,
        repairs="j23.ex20.norm.line2",
        exact_only=True,
    ),
)


def _jacobians() -> Iterator[Claim]:
    for letter, (words, constant) in READINGS_OF_C.items():
        yield Claim(
            f"j23.ex20.jac@{letter}",
            Kind.IDENTITY,
            printed(f"{PROOF}, first sentence"),
            "two values of the Jacobian",
            r"Inside $\mathbb R_+^3$ the Jacobian is $I_3$ or "
            r"$\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)$, with "
            r"$2\log|I_3|_+=0$.",
            (*([constant] if constant else []), ORTHANT),
            measure=by_numbers(jacobian_values),
            pool=POOL,
            reading=letter,
            reading_text=words,
            exact_only=True,
        )


CONTRADICTION = Claim(
    "j23.ex20.lip",
    Kind.IDENTITY,
    printed("Example 20, proof (2), display"),
    "the bound of Proposition 13 for the example",
    r"$\log|I_3|_++\log\left|\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)\right|_+"
    r"=0$ and the nuclear norm of the difference of the two matrices is $\sqrt2$; so the right "
    r"side is $\sqrt2\,C^{-2}>0$ for every $C$.",
    measure=by_numbers(right_side),
    pool=POOL,
    exact_only=True,
)
AT_LEAST_0 = Hypothesis(
    "constant at least 0",
    r"the constant of the function is $c\ge0$",
    by_case(lambda case: case.number("c") >= 0),
    lambda case, random: _changed(case, c=abs(case.number("c"))),
    lambda case, random: _changed(case, c=-abs(case.number("c")) - 1),
)
MENDED = Claim(
    "j23.ex20.network.fix",
    Kind.IDENTITY,
    printed("Example 20, statement"),
    "networks for every slope and every constant of at least 0",
    r"With two neurons $\sigma(u)+a\sigma(-u)=(1-a^2)\max(u,0)$ in the middle the networks are the "
    r"function with the constant $c\ge0$ on $\mathbb R_+^3$, for every slope, $L$ and $\epsilon$.",
    (EVEN, EPSILON, SLOPE, AT_LEAST_0, ORTHANT),
    measure=by_numbers(partial(represents, mended=True)),
    pool=POOL,
    repairs="j23.ex20.weights.represents@BA",
    exact_only=True,
)
LIPSCHITZ = Claim(
    "j23.ex20.lip.networks",
    Kind.INEQUALITY,
    printed("Example 20, proof (2)"),
    "the networks of the example against the bound for Lipschitz representations",
    r"With the ReLU, and $C_L$ the largest Lipschitz constant of the representations of the "
    r"network at a point with $x>y$, $\lVert\theta\rVert^2-3L\ge C_L^{-2}\lVert I_3-J\rVert_*$, "
    r"$J$ the other value of the Jacobian. So $C_L\to\infty$ where $\lVert\theta\rVert^2-3L\to0$.",
    (EVEN, EPSILON, RELU),
    measure=by_numbers(above_the_bound),
    pool=replace(POOL, integers=(("L", 2, 6),)),
    exact_only=True,
)

CLAIMS = (*_weights(), *NORM, *_jacobians(), LIPSCHITZ, CONTRADICTION, MENDED)
