"""Balanced parameters have increasing norms: the displays on it in the proof of Theorem 16.

The norms of the weights are Frobenius norms here: the first display prints them as such, and for
operator norms the sums of the balance equations say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from graphs.arithmetic import Array
from graphs.rings import ring_of
from verify.cases.scenes import Entries
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.deep.balanced import BALANCED
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_measures import total

if TYPE_CHECKING:
    from verify.core.claim import Measure

PLACE = "proof of Theorem 16, balancedness"
NETWORKS = pool(points=(1,))
LOWER = r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}"


# measures -----------------------------------------------------------------------------------------
def lower_sum(scene: DeepScene, layer: int) -> Array:
    """(C,): |W_1|_F^2 + ... + |W_l|_F^2."""
    return total([scene.weight_square(k) for k in range(1, layer + 1)])


def lower_average(scene: DeepScene, layer: int) -> Array:
    """(C,): the same divided by l."""
    return scene.share(lower_sum(scene, layer), Fraction(1, layer))


def by_layer(scene: DeepScene, sides: Callable[[int], tuple[Array, Array]]) -> Entries:
    """The entries of the layers 1 to L - 1; of depth 1 an entry 0, since nothing is said."""
    if scene.depth == 1:
        return scene.parts([({"layer": 0}, scene.constant(0), scene.constant(0))])
    return scene.parts([({"layer": layer}, *sides(layer)) for layer in range(1, scene.depth)])


def norms_increase(scene: DeepScene) -> Entries:
    """|W_(l+1)|_F^2 - |W_l|_F^2."""
    return by_layer(
        scene, lambda layer: (scene.weight_square(layer + 1), scene.weight_square(layer))
    )


def averages_increase(scene: DeepScene) -> Entries:
    """The average of the upper layers minus that of the lower ones."""

    def sides(layer: int) -> tuple[Array, Array]:
        above = scene.weights_square - lower_sum(scene, layer)
        upper = scene.share(above, Fraction(1, scene.depth - layer))
        return upper, lower_average(scene, layer)

    return by_layer(scene, sides)


def average_split(scene: DeepScene) -> Entries:
    """The average of the lower layers minus its two shares."""

    def sides(layer: int) -> tuple[Array, Array]:
        average, depth = lower_average(scene, layer), scene.depth
        first = scene.share(lower_sum(scene, layer), Fraction(1, depth))
        return average, first + scene.share(average, Fraction(depth - layer, depth))

    return by_layer(scene, sides)


def average_bound(scene: DeepScene) -> Entries:
    """|theta|^2 / L minus the average of the lower layers."""
    whole = scene.share(scene.parameter_square, Fraction(1, scene.depth))
    return by_layer(scene, lambda layer: (whole, lower_average(scene, layer)))


# proofs -------------------------------------------------------------------------------------------
FINITE = (
    "a Frobenius norm squared is the sum of the squares of the rows, and of the columns",
    "a sum of squares is at least 0",
    "induction on the layers: the polynomials have the number of a layer as a symbol",
)


class _Sums:
    """The symbols of the induction: the layer l, how many n layers lie above it, the squares
    s = |W_l|^2 and t of the last layer so far, the sums A of the squares up to l and B above l,
    and the biases: d of one layer, beta of all."""

    def __init__(self) -> None:
        self.ring = ring_of(8)
        self.layer, self.above, self.s, self.t, self.A, self.B, self.d, self.beta = (
            self.ring.generators
        )

    def step(self, text: str, difference: Any) -> Step:
        """A polynomial that must vanish."""
        return Step(text, self.ring.is_zero(difference))

    def increasing(self) -> tuple[Step, ...]:
        """Summed over the neurons of a layer."""
        row, bias, column = self.s, self.d, self.t
        balance = row + bias - column
        return (
            self.step(
                "the balance equations of a layer summed: |W_l|^2 + |b_l|^2 = |W_(l+1)|^2, so the "
                "difference of the norms is |b_l|^2",
                (column - row) - bias + balance,
            ),
        )

    def averages(self) -> tuple[Step, ...]:
        """l B >= (L - l) A by two inductions."""
        one = self.ring.constant(Fraction(1))
        layer, above, s, t, A, B, d = (
            self.layer,
            self.above,
            self.s,
            self.t,
            self.A,
            self.B,
            self.d,
        )
        return (
            self.step("l = 1: l s_l - A = 0 where A = s_l", one * s - s),
            self.step(
                "l s_l >= A goes on: (l + 1) (s_l + d) - (A + s_l + d) = (l s_l - A) + l d",
                (layer + one) * (s + d) - (A + s + d) - ((layer * s - A) + layer * d),
            ),
            self.step(
                "n layers above with sum B >= n s_l: one more, of square t >= s_l, leaves it so",
                (B + t - (above + one) * s) - ((B - above * s) + (t - s)),
            ),
            self.step(
                "l B - n A = l (B - n s_l) + n (l s_l - A)",
                layer * B - above * A - (layer * (B - above * s) + above * (layer * s - A)),
            ),
        )

    def bound(self) -> tuple[Step, ...]:
        """l |theta|^2 >= L A."""
        whole = self.A + self.B + self.beta
        depth = self.layer + self.above
        left = self.layer * whole - depth * self.A
        right = (self.layer * self.B - self.above * self.A) + self.layer * self.beta
        return (self.step("l |theta|^2 - L A = (l B - n A) + l beta", left - right),)

    def split(self) -> tuple[Step, ...]:
        """The shares, times l L."""
        depth = self.layer + self.above
        shares = self.layer * self.A + self.above * self.A
        return (self.step("L A = l A + (L - l) A", depth * self.A - shares),)


def _proof(measure: str, summary: str, steps: tuple[Step, ...], *uses: str) -> Argument:
    return Argument(
        summary,
        steps,
        FINITE,
        measure=measure,
        uses=uses,
        section="docs/mathematics/j23.md#balancedness",
    )


def increasing_norms() -> Argument:
    """The sum over the neurons of a layer."""
    return _proof(
        "norms_increase",
        "the sum of the balance equations of a layer",
        _Sums().increasing(),
        "balanced",
    )


def increasing_averages() -> Argument:
    """By induction on the layers."""
    sums = _Sums()
    return _proof(
        "averages_increase",
        "induction on the layers from increasing norms, in polynomials in the layer and the sums",
        sums.increasing() + sums.averages(),
        "balanced",
    )


def shares() -> Argument:
    """Both sides times l L."""
    return _proof("average_split", "an identity of rational functions in l, L", _Sums().split())


def bounded_averages() -> Argument:
    """From the averages."""
    sums = _Sums()
    return _proof(
        "average_bound",
        "the average of the lower layers is at most that of all, and biases add to it",
        sums.increasing() + sums.averages() + sums.bound(),
        "balanced",
    )


# claims -------------------------------------------------------------------------------------------
def _claim(
    part: str, title: str, statement: str, measure: Measure, proof: Callable[[], Argument]
) -> Claim:
    balanced = "" if part == "c" else "balanced parameters and "
    supposed = f"For {balanced}$1\\le\\ell<L$: "
    return Claim(
        f"j23.balanced.{part}",
        Kind.IDENTITY if part == "c" else Kind.INEQUALITY,
        printed(PLACE),
        title,
        supposed + statement,
        () if part == "c" else (BALANCED,),
        measure=measure,
        pool=NETWORKS,
        proof=proof,
    )


CLAIMS = (
    _claim(
        "a",
        "the norms of the layers increase",
        r"$\lVert W_{\ell+1}\rVert_F^2\ge\lVert W_\ell\rVert_F^2$.",
        norms_increase,
        increasing_norms,
    ),
    _claim(
        "b",
        "upper layers have the larger average",
        r"$\frac{\lVert W_{\ell+1}\rVert^2+\dots+\lVert W_L\rVert^2}{L-\ell}\ge"
        + LOWER
        + r"\ell$.",
        averages_increase,
        increasing_averages,
    ),
    _claim(
        "c",
        "the average of the lower layers in two shares",
        f"${LOWER}\\ell={LOWER}L+\\frac{{L-\\ell}}L{LOWER}\\ell$.",
        average_split,
        shares,
    ),
    _claim(
        "d",
        "the average of the lower layers is bounded",
        f"${LOWER}\\ell\\le\\frac{{\\lVert\\theta\\rVert^2}}L$.",
        average_bound,
        bounded_averages,
    ),
)
