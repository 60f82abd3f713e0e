"""Hypotheses about one step of the batch-normalised chain that several sections share."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array
from graphs.matrices import rank
from verify.hypotheses import Hypothesis, by_case, by_scene
from verify.normalised_hypotheses import at_least_zero
from verify.normalised_pool import rows_of, with_entries, with_rows
from verify.normalised_scene import Chained, ChainScene
from verify.tensors import Tensor


# what is divided by ---------------------------------------------------------------------------
def zero_rows(scene: ChainScene, rows: Array) -> np.ndarray:
    """(C, d) boolean: which rows of matrices (C, d, N) are (or may be) 0."""
    squares = (rows * rows).sum(2)
    flat = np.asarray(scene.arithmetic.may_be_zero(squares.reshape(-1)))
    return flat.reshape(len(scene.cases), -1)


def _all_rows(scene: ChainScene) -> np.ndarray:
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    return np.asarray(~zero_rows(scene, before).any(1))


def _fill_rows(case: Chained, random: Random) -> Chained:
    """Where a row vanishes: ones in place of a zero row of H, and no weights."""
    if _has_all_rows(case):
        return case
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    weightless = with_entries(case, "W", [Fraction(0)] * len(case.arrays["W"].entries))
    return with_rows(weightless, "H", rows)


def _has_all_rows(case: Chained) -> bool:
    return bool(_all_rows(Chained.scene([case], RATIONALS))[0])


def _empty_row(case: Chained, random: Random) -> Chained:
    """A row of H that is 0, and of the weights."""
    hidden, weights = rows_of(case.arrays["H"]), rows_of(case.arrays["W"])
    place = random.randrange(len(hidden))
    hidden[place] = [Fraction(0)] * len(hidden[place])
    weights[place] = [Fraction(0)] * len(weights[place])
    return with_rows(with_rows(case, "H", hidden), "W", weights)


DEFINED = Hypothesis(
    "no row is 0 before BN",
    r"no row of $H+\gamma WH$ is $0$, so that $\mathrm{diag}(M)^{-1/2}$ is defined",
    by_scene(_all_rows),
    _fill_rows,
    _empty_row,
)


def _moved_rows(scene: ChainScene) -> np.ndarray:
    return np.asarray(~zero_rows(scene, scene["W"] @ scene["H"]).any(1))


def _move_rows(case: Chained, random: Random) -> Chained:
    if bool(_moved_rows(Chained.scene([case], RATIONALS))[0]):
        return case
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    size = len(rows)
    weights = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    return with_rows(with_rows(case, "H", rows), "W", weights)


MOVED = Hypothesis(
    "no row of WH is 0",
    r"no row of $WH$ is $0$, so that $\mathrm{BN}(WH)$ is defined",
    by_scene(_moved_rows),
    _move_rows,
    _empty_row,
)


# the layer and the operator ----------------------------------------------------------------
LATER = Hypothesis(
    "layer above 0",
    r"$\ell>0$",
    by_case(lambda case: case.whole("l") >= 1),
    lambda case, random: with_entries(case, "l", [Fraction(1)]),
    lambda case, random: with_entries(case, "l", [Fraction(0)]),
)


def _constant(name: str, value: int, statement: str) -> Hypothesis:
    def changed(case: Chained, random: Random) -> Chained:
        entries = list(case.arrays[name].entries)
        place = random.randrange(len(entries))
        entries[place] += random.choice((1, -1, 2))
        return with_entries(case, name, entries)

    return Hypothesis(
        f"{name} is {value}",
        statement,
        by_case(lambda case: all(x == value for x in case.arrays[name].entries)),
        lambda case, random: with_entries(
            case, name, [Fraction(value)] * len(case.arrays[name].entries)
        ),
        changed,
        thin=True,
    )


NO_SHIFT = _constant("alpha", 0, r"$\alpha=0$")
NO_SCALE = _constant("beta", 1, r"$\beta=\mathbf 1_d$")


# the input --------------------------------------------------------------------------------------
def _not_zero(scene: ChainScene) -> np.ndarray:
    return np.asarray(~zero_rows(scene, scene["H"]).all(1))


NOT_ZERO = Hypothesis(
    "H is not 0",
    r"$H\ne0$, so that $\lVert M(H)\rVert_F\ne0$",
    by_scene(_not_zero),
    lambda case, random: (
        case
        if any(case.arrays["H"].entries)
        else with_entries(case, "H", [Fraction(1)] * len(case.arrays["H"].entries))
    ),
    lambda case, random: with_entries(case, "H", [Fraction(0)] * len(case.arrays["H"].entries)),
)


def _bent(case: Chained, random: Random) -> Chained:
    """Another slope; mostly behind an input of rank one, the multiples of its first row."""
    bent = with_entries(case, "s", [Fraction(random.choice((0, 0, -1, 2)), 2)])
    if random.random() < 0.3:
        return bent
    first = rows_of(case.arrays["H"])[0]
    factors = [Fraction(random.choice((-2, -1, 1, 3))) for _ in range(case.lengths["d"])]
    return with_rows(bent, "H", [[factor * x for x in first] for factor in factors])


SOME_EIGENVALUE = Hypothesis(
    "M is not 0",
    r"$\lambda\ne0$, so that $M\ne0$",
    by_case(lambda case: any(case.arrays["lam"].entries)),
    lambda case, random: (
        case
        if any(case.arrays["lam"].entries)
        else with_entries(case, "lam", [Fraction(1)] * len(case.arrays["lam"].entries))
    ),
    lambda case, random: with_entries(case, "lam", [Fraction(0)] * len(case.arrays["lam"].entries)),
)

LINEAR = Hypothesis(
    "linear network",
    r"there is no non-linearity between the layers: the slope of the activation left of $0$ is $1$",
    by_case(lambda case: case.number("s") == 1),
    lambda case, random: with_entries(case, "s", [Fraction(1)]),
    _bent,
    thin=True,
)


def _before(case: Chained) -> np.ndarray:
    """H + gamma W H."""
    scene = Chained.scene([case], RATIONALS)
    found: np.ndarray = scene.before_norm(scene["H"], scene["W"], scene["gamma"])[0]
    return found


def _of_full_rank(case: Chained) -> bool:
    return rank(_before(case)) == case.lengths["d"]


def _to_full_rank(case: Chained, random: Random) -> Chained:
    """No weights where they do harm; an identity beside H where H is of lower rank."""
    if _of_full_rank(case):
        return case
    case = with_entries(case, "W", [Fraction(0)] * len(case.arrays["W"].entries))
    if _of_full_rank(case):
        return case
    rows = rows_of(case.arrays["H"])
    wide = [[*row, *(Fraction(i == j) for j in range(len(rows)))] for i, row in enumerate(rows)]
    array = Tensor(("d", "N"), (len(wide), len(wide[0])), tuple(x for row in wide for x in row))
    return case.changing(H=array)


INVERTIBLE = Hypothesis(
    "invertible before BN",
    r"$M(H+\gamma WH)$ is invertible",
    by_case(_of_full_rank),
    _to_full_rank,
    _empty_row,
)


# the strength ---------------------------------------------------------------------------------
def _small(scene: ChainScene) -> np.ndarray:
    product = scene["gamma"] * scene["B"] * scene.constant(8 * scene.width)
    return at_least_zero(scene, scene.constant(1) - product)


def _to_small(case: Chained, random: Random) -> Chained:
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    if case.number("gamma") <= threshold and case.number("B") >= 0:
        return case
    share = Fraction(random.choice((1, 1, 1, 2, 3)), random.choice((4, 4, 8)))
    return with_entries(case, "gamma", [threshold * min(share, Fraction(1))])


def _larger(case: Chained, random: Random) -> Chained:
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    return with_entries(case, "gamma", [threshold * random.choice((2, 8, 16, 64))])


SMALL = Hypothesis(
    "gamma at most 1/(8Bd)",
    r"$\gamma\le1/(8Bd)$",
    by_scene(_small),
    _to_small,
    _larger,
)
