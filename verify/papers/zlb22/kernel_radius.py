"""The smallest eigenvalue of the tangent kernel in a ball, part (c): a radius of order 1/mu.

With mu = lambda_0/2, R = c/mu and |H_f| <= eta/sqrt(m) on the ball, the bound of part (b) is at
least mu from a width on.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.derivations.symbols import same, symbols
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.kernel_in_ball import PLACE
from verify.quantities import each_case, root, with_value
from verify.real_arrays import RealScene, as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries


def radius_slack(scene: RealScene) -> Entries:
    """lambda_0 - s (2 j + s) - mu at R = c / mu, mu = lambda_0 / 2, s = sqrt(n / m) R eta."""

    def values(case: Tensors) -> list[tuple[dict[str, Any], Any]]:
        least = case.number("lam")
        if least <= 0 or case.whole("m") < 1 or case.whole("n") < 1:
            return []
        radius = case.number("c") / (least / 2)
        shrunk = Fraction(case.whole("n"), case.whole("m"))
        s = root(shrunk) * radius * case.number("eta")
        return [({}, least - s * (2 * case.number("j") + s) - least / 2)]

    return each_case(values, scene)


def _not_negative(case: Tensors) -> bool:
    return all(case.number(name) >= 0 for name in ("c", "j", "eta")) and case.number("lam") > 0


def _made_positive(case: Tensors, random: Random) -> Tensors:
    for name in ("c", "j", "eta", "lam"):
        case = with_value(case, name, abs(case.number(name)) or 1)
    for name in ("n", "m"):
        case = with_value(case, name, max(1, case.whole(name)))
    return case


SIGNS = Hypothesis(
    "kernel above 0 at the start",
    r"$\lambda_{\min}(K(\mathbf w_0))=\lambda_0>0$; $c$, $\eta$ and "
    r"$j=\lVert J(\mathbf w_0)\rVert$ are at least $0$",
    by_case(_not_negative),
    _made_positive,
)


def least_width(case: Tensors) -> Fraction:
    """n R^2 eta^2 / min(1, lambda_0 / (4 j + 2))^2: the width from which it holds."""
    least = case.number("lam")
    radius = case.number("c") / (least / 2)
    share = min(Fraction(1), least / (4 * case.number("j") + 2))
    return case.whole("n") * radius**2 * case.number("eta") ** 2 / share**2


def _is_wide(case: Tensors) -> bool:
    return case.whole("m") >= 1 and _not_negative(case) and case.whole("m") >= least_width(case)


def _widened(case: Tensors, random: Random) -> Tensors:
    case = _made_positive(case, random)
    return with_value(case, "m", max(case.whole("m"), -(-least_width(case) // 1)))


WIDE = Hypothesis(
    "wide enough",
    r"$m\ge nR^2\eta^2/\min(1,\frac{\lambda_0}{4j+2})^2$: a sufficiently large width, where "
    r"$\lVert H_f\rVert\le\eta/\sqrt m$ on $\mathsf B(\mathbf w_0,R)$",
    by_case(_is_wide),
    _widened,
    lambda case, random: with_value(case, "m", 1),
)


NUMBERS = TensorPool(
    (("lam", ()), ("c", ()), ("j", ()), ("eta", ())), (("n", 1, 4), ("m", 1, 4096)), 1, as_real
)


def wide_for_any_radius() -> Argument:
    """s <= min(1, lambda_0 / (4 j + 2)) gives s (2 j + s) <= lambda_0 / 2."""
    ring, (s, j) = symbols(2)
    return Argument(
        "s is at most 1 and at most lambda_0 / (4 j + 2); so s (2 j + s) <= s (2 j + 1), which is "
        "at most lambda_0 / 2",
        (
            same(
                ring,
                "s (2 j + 1) - s (2 j + s) = s (1 - s)",
                s * (2 * j + 1) - s * (2 * j + s),
                s * (1 - s),
            ),
            same(ring, "2 (2 j + 1) = 4 j + 2", 2 * (2 * j + 1), 4 * j + 2),
        ),
        (
            "of numbers that are not negative, s^2 <= b^2 gives s <= b",
            "the smallest eigenvalue in the ball is at least lambda_0 - s (2 j + s), part (b)",
        ),
        "radius_slack",
        (SIGNS.name, WIDE.name),
        section=40,
        cites=("zlb22.pl.ball.b",),
    )


CLAIMS = (
    Claim(
        "zlb22.pl.ball.c",
        Kind.INEQUALITY,
        PLACE,
        "a radius of order 1/mu",
        r"$R$ can be set to $O(1/\mu)$ while (b) still holds: with $\mu=\lambda_0/2$ and $R=c/\mu$ "
        r"the bound of (b) is at least $\mu$ for all sufficiently large $m$.",
        (SIGNS, WIDE),
        ("zlb22.pl.ball.b",),
        radius_slack,
        NUMBERS,
        exact_only=True,
        proof=wide_for_any_radius,
        through=r"the $O$ has the constant of the mean-value bound (docs/mathematics.md, 40)",
    ),
)
