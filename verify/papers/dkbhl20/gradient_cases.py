"""Instances and hypotheses of Proposition 19: the last layer, its inputs, outputs and targets.

An instance holds H (d, N), the weights V (o, d) and targets Y (o, N). For claims about networks
the first layer W (d, d) and points X (d, N) stand in place of H, with the slope s of the activation
left of 0: H = s Z + (1 - s) max(Z, 0) of Z = W X. Where two columns are compared, these are the
first and the last, with a number c.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from graphs.matrices import rank
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import held, vanishing
from verify.normalised_pool import Rows, chain_pool, rows_of, with_entries, with_rows
from verify.normalised_scene import Chained, ChainScene

OUTPUTS = (("V", ("o", "d")), ("Y", ("o", "N")))


# what is measured ---------------------------------------------------------------------------------
def representation(scene: ChainScene) -> Array:
    """(C, d, N): H, the inputs of the last layer."""
    if "H" in scene.cases[0].arrays:
        return scene["H"]
    before = scene["W"] @ scene["X"]
    flat = before.reshape(-1)
    positive = scene.arithmetic.maximum(flat, flat * 0).reshape(*before.shape)
    return positive + scene.scaled(before - positive, scene["s"])


def error_gradients(scene: ChainScene) -> Array:
    """(C, o, N): the gradients of |z_i - y_i|^2 in the outputs z_i = V h_i, as columns."""
    return scene.share_all(scene["V"] @ representation(scene) - scene["Y"], 2)


# instances ----------------------------------------------------------------------------------------
def small(random: Random) -> Fraction:
    """An integer of at most 2, a third of them 0."""
    return Fraction(random.choice((0, 0, 1, -1, 2, -2)))


def product_rows(height: int, count: int, random: Random, *, least: int = -2) -> Rows:
    """u v^T in small integers, not 0; entries of v at least that."""
    u = [small(random) for _ in range(height)]
    v = [Fraction(random.randint(least, 2)) for _ in range(count)]
    u[random.randrange(height)] = Fraction(1)
    v[random.randrange(count)] = Fraction(1)
    return [[x * y for y in v] for x in u]


def hidden_rows(case: Chained) -> Rows:
    """H of one instance, in rationals."""
    found = representation(Chained.scene([case], RATIONALS))[0]
    return [[as_fraction(x) for x in row] for row in found]


def gradient_rows(case: Chained) -> Rows:
    """The gradients of the losses in the outputs, (o, N)."""
    found = error_gradients(Chained.scene([case], RATIONALS))[0]
    return [[as_fraction(x) for x in row] for row in found]


def moderate(case: Chained, random: Random) -> Chained:
    """Half of the instances with small integers in the last layer and its inputs of rank one."""
    if random.random() < 0.5:
        return case
    for name in ("V", "Y"):
        case = with_entries(case, name, [small(random) for _ in case.arrays[name].entries])
    return of_rank_one(case, random)


def of_rank_one(case: Chained, random: Random) -> Chained:
    """The inputs of the last layer made a product; of a network those of the first, with W = I."""
    height, count = case.lengths["d"], case.lengths["N"]
    if "H" in case.arrays:
        return held(with_rows(case, "H", product_rows(height, count, random)), "H")
    case = held(with_rows(case, "X", product_rows(height, count, random, least=0)), "X")
    if bool(_has_rank_one(Chained.scene([case], RATIONALS))[0]):
        return case
    unit = [[Fraction(i == j) for j in range(height)] for i in range(height)]
    return held(with_rows(case, "W", unit), "W")


LAST_LAYER = chain_pool("H", extras=OUTPUTS, largest=3, last=moderate)
WITH_NUMBER = chain_pool("H", extras=(*OUTPUTS, ("c", ())), largest=3, last=moderate)
WITH_NETWORK = chain_pool("W", "X", extras=(*OUTPUTS, ("s", ())), largest=3, last=moderate)


# hypotheses ---------------------------------------------------------------------------------------
def _has_rank_one(scene: ChainScene) -> np.ndarray:
    return np.array([rank(matrix) == 1 for matrix in _exactly(scene)], dtype=bool)


def _exactly(scene: ChainScene) -> list[np.ndarray]:
    return list(representation(ChainScene(scene.cases, RATIONALS)))


def _to_rank_one(case: Chained, random: Random) -> Chained:
    if bool(_has_rank_one(Chained.scene([case], RATIONALS))[0]):
        return case
    return of_rank_one(case, random)


def _of_another_rank(case: Chained, random: Random) -> Chained:
    """Small integers of rank two or more; 0 where there is one neuron or one input."""
    name = "H" if "H" in case.arrays else "X"
    size = len(case.arrays[name].entries)
    for _ in range(6 if min(case.arrays[name].shape) > 1 else 0):
        found = with_entries(case, name, [small(random) for _ in range(size)])
        if not _has_rank_one(Chained.scene([found], RATIONALS))[0]:
            return found
    return with_entries(case, name, [Fraction(0)] * size)


RANK_ONE = Hypothesis(
    "rank one in the last layer",
    r"$\mathrm{rank}(\widehat H_L)=1$",
    by_scene(_has_rank_one),
    _to_rank_one,
    _of_another_rank,
    thin=True,
)


def _all_wrong(scene: ChainScene) -> np.ndarray:
    """Whether no column of the gradients is 0; that of the squared loss is where the loss is."""
    slopes = error_gradients(scene)
    squares = (slopes * slopes).sum(1)
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(squares), dtype=bool).any(1))


def _shift_targets(case: Chained, random: Random, *, wrong: bool) -> Chained:
    """Targets moved by one where an error is 0, in every component; or in one of each sample."""
    slopes, targets = gradient_rows(case), rows_of(case.arrays["Y"])
    for i in range(len(targets[0])):
        if wrong and any(row[i] for row in slopes):
            continue
        for k in [random.randrange(len(targets))] if wrong else range(len(targets)):
            if not slopes[k][i]:
                targets[k][i] += random.choice((1, -1))
    return with_rows(case, "Y", targets)


def _fit(case: Chained, random: Random, *, whole: bool) -> Chained:
    """One sample fitted exactly, or one of its components."""
    slopes, targets = gradient_rows(case), rows_of(case.arrays["Y"])
    i = random.randrange(len(targets[0]))
    for k in range(len(targets)) if whole else [random.randrange(len(targets))]:
        targets[k][i] += slopes[k][i] / 2
    return with_rows(case, "Y", targets)


ERRORS = Hypothesis(
    "errors are not 0",
    r"$\mathcal L_i\ne0$ for every sample (others are left out)",
    by_scene(_all_wrong),
    lambda case, random: _shift_targets(case, random, wrong=True),
    lambda case, random: _fit(case, random, whole=True),
)


def _all_slopes(scene: ChainScene) -> np.ndarray:
    flat = error_gradients(scene).reshape(len(scene.cases), -1)
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(flat), dtype=bool).any(1))


SLOPES = Hypothesis(
    "no component of the error gradients is 0",
    r"$(\nabla\ell_j)_k\ne0$ for every $j$ and $k$ (others are left out)",
    by_scene(_all_slopes),
    lambda case, random: _shift_targets(case, random, wrong=False),
    lambda case, random: _fit(case, random, whole=False),
)


def _all_columns(scene: ChainScene) -> np.ndarray:
    hidden = representation(scene)
    squares = (hidden * hidden).sum(1)
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(squares), dtype=bool).any(1))


def _fill_columns(case: Chained, random: Random) -> Chained:
    """Columns 0 become the first one that is not."""
    columns = list(zip(*rows_of(case.arrays["H"]), strict=True))
    first = next((c for c in columns if any(c)), tuple(Fraction(1) for _ in columns[0]))
    filled = [c if any(c) else first for c in columns]
    return with_rows(case, "H", [list(row) for row in zip(*filled, strict=True)])


def _empty_column(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["H"])
    i = random.randrange(len(rows[0]))
    for row in rows:
        row[i] = Fraction(0)
    return with_rows(case, "H", rows)


COLUMNS = Hypothesis(
    "no column of the last layer is 0",
    r"$\widehat H_{L,j}\ne0$ for every $j$ (others are left out)",
    by_scene(_all_columns),
    _fill_columns,
    _empty_column,
)


# two columns --------------------------------------------------------------------------------------
def _is_multiple(scene: ChainScene, of: int) -> np.ndarray:
    hidden = scene["H"]
    return vanishing(scene, hidden[:, :, 0] - scene.scaled(hidden[:, :, of], scene["c"]))


def _made_multiple(case: Chained, random: Random) -> Chained:
    """The first column is c times the last; of a single column c = 1."""
    rows, c = rows_of(case.arrays["H"]), case.number("c")
    if len(rows[0]) == 1:
        return held(with_entries(case, "c", [Fraction(1)]), "c", "H")
    for row in rows:
        row[0] = c * row[-1]
    return held(with_rows(case, "H", rows), "H", "c")


def _another_column(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["H"])
    for row in rows:
        row[0] = Fraction(random.randint(-2, 2))
    return with_rows(case, "H", rows)


TWO_COLUMNS = Hypothesis(
    "h_i = c h_j",
    r"$\widehat H_{L,i}=c\,\widehat H_{L,j}$",
    by_scene(lambda scene: _is_multiple(scene, -1)),
    _made_multiple,
    _another_column,
    thin=True,
)
SAME_COLUMN = Hypothesis(
    "h_i = c h_i",
    r"$\widehat H_{L,i}=c\,\widehat H_{L,i}$",
    by_scene(lambda scene: _is_multiple(scene, 0)),
    lambda case, random: held(with_entries(case, "c", [Fraction(1)]), "c"),
    lambda case, random: with_entries(case, "c", [Fraction(random.choice((2, -1, 3)))]),
    thin=True,
)
NOT_ZERO_C = Hypothesis(
    "c is not 0",
    r"$c\in\mathbb R\setminus\{0\}$",
    by_scene(lambda scene: ~np.asarray(scene.arithmetic.may_be_zero(scene["c"]), dtype=bool)),
    lambda case, random: (
        case if case.number("c") else with_entries(case, "c", [Fraction(random.choice((1, -2)))])
    ),
    lambda case, random: with_entries(case, "c", [Fraction(0)]),
)


def _last_slopes(scene: ChainScene) -> np.ndarray:
    last = error_gradients(scene)[:, :, -1]
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(last), dtype=bool).any(1))


def _fit_last(case: Chained, random: Random) -> Chained:
    slopes, targets = gradient_rows(case), rows_of(case.arrays["Y"])
    k = random.randrange(len(targets))
    targets[k][-1] += slopes[k][-1] / 2
    return with_rows(case, "Y", targets)


TWO_SLOPES = Hypothesis(
    "the quotient is defined",
    r"$\nabla\ell_{j,k}\ne0$ for every $k$, so that the quotient is defined",
    by_scene(_last_slopes),
    lambda case, random: _shift_targets(case, random, wrong=False),
    _fit_last,
)


# the activation -----------------------------------------------------------------------------------
LINEAR_OR_RELU = Hypothesis(
    "linear or ReLU",
    r"$\sigma$ is the identity or the ReLU",
    by_scene(
        lambda scene: np.asarray(
            scene.arithmetic.may_be_zero(scene["s"] * (scene["s"] - scene.constant(1))), dtype=bool
        )
    ),
    lambda case, random: held(with_entries(case, "s", [Fraction(random.randint(0, 1))]), "s"),
    lambda case, random: with_entries(case, "s", [Fraction(random.choice((-1, 2, 3)), 4)]),
    thin=True,
)
