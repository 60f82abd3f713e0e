"""Balanced parameters have increasing norms: the displays on it in the proof of Theorem 16.

The norms of the weights are Frobenius norms here: the first display prints them as such, and for
operator norms the sums of the balance equations say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Sum,
    between,
    frob2,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    BALANCED,
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    Index,
    weight,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import stated

PLACE = "proof of Theorem 16, balancedness"
NETWORKS = layered_pool(pool(points=(1,), depths=(2, 2, 3, 3, 4, 5)))
LOWER = r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}"


# norms of the layers ------------------------------------------------------------------------------
BELOW_THE_LAST = upto(DEPTH - 1)


def norms(first: Index, last: Index) -> Term:
    """|W_first|_F^2 + ... + |W_last|_F^2."""
    return Sum(between(first, last), lambda m: frob2(weight(m)))


def lower_average(m: Index) -> Term:
    """The average of the layers 1 to l."""
    return norms(1, m) / m


def _split(m: Term) -> Term:
    shares = norms(1, m) / DEPTH + (DEPTH - m) / DEPTH * lower_average(m)
    return lower_average(m) == shares


INCREASE = Each(BELOW_THE_LAST, lambda m: frob2(weight(m + 1)) >= frob2(weight(m)))
AVERAGES_INCREASE = Each(
    BELOW_THE_LAST, lambda m: norms(m + 1, DEPTH) / (DEPTH - m) >= lower_average(m)
)
SPLIT = Each(BELOW_THE_LAST, _split)
BOUNDED = Each(BELOW_THE_LAST, lambda m: lower_average(m) <= PARAMETER_SQUARE / DEPTH)


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


def _proof(summary: str, steps: tuple[Step, ...], *uses: str) -> Argument:
    return Argument(
        summary,
        steps,
        FINITE,
        uses=uses,
        section="docs/mathematics/j23.md#balancedness",
    )


def increasing_norms() -> Argument:
    """The sum over the neurons of a layer."""
    return _proof(
        "the sum of the balance equations of a layer",
        _Sums().increasing(),
        "fully connected",
        "balanced",
    )


def increasing_averages() -> Argument:
    """By induction on the layers."""
    sums = _Sums()
    return _proof(
        "induction on the layers from increasing norms, in polynomials in the layer and the sums",
        sums.increasing() + sums.averages(),
        "fully connected",
        "balanced",
    )


def shares() -> Argument:
    """Both sides times l L."""
    return _proof("an identity of rational functions in l, L", _Sums().split())


def bounded_averages() -> Argument:
    """From the averages."""
    sums = _Sums()
    return _proof(
        "the average of the lower layers is at most that of all, and biases add to it",
        sums.increasing() + sums.averages() + sums.bound(),
        "fully connected",
        "balanced",
    )


# claims -------------------------------------------------------------------------------------------
def _claim(
    part: str, title: str, statement: str, says: Term, proof: Callable[[], Argument]
) -> Claim:
    balanced = "" if part == "c" else "balanced parameters and "
    supposed = f"For {balanced}$1\\le\\ell<L$: "
    return stated(
        f"j23.balanced.{part}",
        printed(PLACE),
        title,
        supposed + statement,
        says,
        (FULLY_CONNECTED,) if part == "c" else (FULLY_CONNECTED, BALANCED),
        pool=NETWORKS,
        proof=proof,
    )


CLAIMS = (
    _claim(
        "a",
        "the norms of the layers increase",
        r"$\lVert W_{\ell+1}\rVert_F^2\ge\lVert W_\ell\rVert_F^2$.",
        INCREASE,
        increasing_norms,
    ),
    _claim(
        "b",
        "upper layers have the larger average",
        r"$\frac{\lVert W_{\ell+1}\rVert^2+\dots+\lVert W_L\rVert^2}{L-\ell}\ge"
        + LOWER
        + r"\ell$.",
        AVERAGES_INCREASE,
        increasing_averages,
    ),
    _claim(
        "c",
        "the average of the lower layers in two shares",
        f"${LOWER}\\ell={LOWER}L+\\frac{{L-\\ell}}L{LOWER}\\ell$.",
        SPLIT,
        shares,
    ),
    _claim(
        "d",
        "the average of the lower layers is bounded",
        f"${LOWER}\\ell\\le\\frac{{\\lVert\\theta\\rVert^2}}L$.",
        BOUNDED,
        bounded_averages,
    ),
)
