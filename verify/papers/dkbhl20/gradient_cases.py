"""Instances of Proposition 19: the inputs of the last layer, and the gradients of the losses.

An instance holds H (d, N) and the gradients G (o, N) of the losses in the outputs, as columns;
where the errors matter their values E (N,) too (which of them a loss has: `gradient_losses`). Of
the squared loss the weights V (o, d) and targets Y (o, N) stand in place of G. For claims about
networks the first layer W (d, d) and points X (d, N) stand in place of H, with the slope s
of the activation left of 0: H = s Z + (1 - s) max(Z, 0) of Z = W X. Where two columns are compared,
these are the first and the last, with a number c.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array, as_fraction
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import held, vanishing
from verify.normalised_pool import Rows, chain_pool, rows_of
from verify.normalised_scene import Chained, ChainScene
from verify.quantities import with_entries, with_rows
from verify.tensor_pool import TensorPool

GRADIENTS = (("G", ("o", "N")),)


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
    """(C, o, N): the gradients of the losses in the outputs z_i, as columns. Of the squared loss,
    |z_i - y_i|^2, z_i = V h_i."""
    arrays = scene.cases[0].arrays
    if "G" in arrays:
        return scene["G"]
    return scene.share_all(scene["V"] @ representation(scene) - scene["Y"], 2)


# instances ----------------------------------------------------------------------------------------
def small(random: Random) -> Fraction:
    """An integer of at most 2, a third of them 0."""
    return Fraction(random.choice((0, 0, 1, -1, 2, -2)))


def _sign(random: Random) -> Fraction:
    return Fraction(random.choice((1, -1)))


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


def moderate(case: Chained, random: Random) -> Chained:
    """Half of the instances with small integers in place of what the pool drew, and the inputs of
    the last layer of rank one."""
    if random.random() < 0.5:
        return case
    for name in ("G", "E", "V", "Y"):
        if name in case.arrays:
            numbers = random.choice((small, _sign))
            case = with_entries(case, name, [numbers(random) for _ in case.arrays[name].entries])
    return of_rank_one(case, random)


def of_rank_one(case: Chained, random: Random) -> Chained:
    """The inputs of the last layer made a product; of a network those of the first, with W = I."""
    height, count = case.lengths["d"], case.lengths["N"]
    if "H" in case.arrays:
        return held(with_rows(case, "H", product_rows(height, count, random)), "H")
    case = held(with_rows(case, "X", product_rows(height, count, random, least=0)), "X")
    if bool(_has_rank_one(Chained.scene([case], RATIONALS))[0]):
        return case
    return held(_with_identity(case), "W")


def _with_identity(case: Chained) -> Chained:
    """W = I."""
    size = case.lengths["d"]
    return with_rows(case, "W", [[Fraction(i == j) for j in range(size)] for i in range(size)])


def _pool(*names: str, extras: Sequence[tuple[str, tuple[str, ...]]] = GRADIENTS) -> TensorPool:
    return chain_pool(*names, extras=extras, largest=3, last=moderate)


LAST_LAYER = _pool("H")
WITH_ERRORS = _pool("H", extras=(*GRADIENTS, ("E", ("N",))))
WITH_NUMBER = _pool("H", extras=(*GRADIENTS, ("c", ())))
WITH_NETWORK = _pool("W", "X", extras=(*GRADIENTS, ("s", ())))
SQUARED = _pool("H", extras=(("V", ("o", "d")), ("Y", ("o", "N"))))


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
    """Small numbers, the first two columns (1, 0, ...) and (0, 1, ...), W = I; 0 where there is one
    neuron or one input."""
    name = "H" if "H" in case.arrays else "X"
    case = _with_identity(case) if name == "X" else case
    height, count = case.arrays[name].shape
    if min(height, count) == 1:
        return with_entries(case, name, [Fraction(0)] * (height * count))
    rows = [
        [Fraction(i == j) if j < 2 else abs(small(random)) for j in range(count)]
        for i in range(height)
    ]
    return with_rows(case, name, rows)


RANK_ONE = Hypothesis(
    "rank one in the last layer",
    r"$\mathrm{rank}(\widehat H_L)=1$",
    by_scene(_has_rank_one),
    _to_rank_one,
    _of_another_rank,
    thin=True,
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
def _is_multiple(scene: ChainScene) -> np.ndarray:
    hidden = scene["H"]
    return vanishing(scene, hidden[:, :, 0] - scene.scaled(hidden[:, :, -1], scene["c"]))


def _made_multiple(case: Chained, random: Random) -> Chained:
    """The first column is c times the last; of a single column c = 1."""
    rows, c = rows_of(case.arrays["H"]), case.number("c")
    if len(rows[0]) == 1:
        return held(with_entries(case, "c", [Fraction(1)]), "c", "H")
    for row in rows:
        row[0] = c * row[-1]
    return held(with_rows(case, "H", rows), "H", "c")


def _another_column(case: Chained, random: Random) -> Chained:
    """The first column is moved; of a single column that is not 0, c."""
    rows, moved = rows_of(case.arrays["H"]), Fraction(random.choice((-2, -1, 1, 2)))
    if len(rows[0]) == 1:
        return with_entries(case, "c", [case.number("c") + moved])
    for row in rows:
        row[0] += moved
    return with_rows(case, "H", rows)


TWO_COLUMNS = Hypothesis(
    "h_i = c h_j",
    r"$\widehat H_{L,i}=c\,\widehat H_{L,j}$",
    by_scene(_is_multiple),
    _made_multiple,
    _another_column,
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
