"""Appendix E: the share of random shallow networks g: R^8 -> R^20 that are injective.

g(z) = V sigma(U z + b) with m hidden neurons, the ReLU, U with entries of variance 2 / 8, V
Gaussian; weights are rounded to 1 / 256. Almost surely in V, g is injective exactly where sigma(U z
+ b) is: differences of its values lie on cones of dimension 2 * 8 + 1 at most, which the kernel of
V, of codimension min(m, 20), avoids (for m <= 20 V is injective itself). That map is injective on
an open convex domain exactly where at every z the rows of the neurons above 0 span R^8. Rows in
general position, as they are almost surely, span it where there are 8.

So a draw is injective where sets of rows that each have, at every z, a row above 0 share the rows
so that they count for more than 7; and is not where a point has fewer than 8 rows above 0 and none
at 0. Both are found by linear programs in floats and then checked over the rationals; where neither
is found the draw is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Curve, Plot
from verify.papers.j23.sources import printed

LATENT = 8
GRID = 256  # weights are multiples of 1 / 256
ROUNDS, COVERS = 60, 4  # of sets of rows, and how many in each
SAFE = 1 - Fraction(1, 10**9)  # shares in floats may add up to a little more than 1
ATTEMPTS = 4  # searches for a point with few rows above 0
REWEIGHTED = 6
DOMAINS = {
    "R^8, without biases": (False, False),
    "R^8, biases of deviation 1/2": (True, False),
    "[-1, 1]^8, biases of deviation 1/2": (True, True),
}
LIKELY = 0.9  # a share that counts as a high probability
HIDDEN = ((16, 100), (16, 100), (8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 100, 200, 400))
DRAWS = (1, 3, 12)


@dataclass(frozen=True)
class Rows:
    """The rows (u_i, b_i) of a hidden layer as multiples of 1 / 256: u (m, d), b (m,) of int64;
    box: whether z is in [-1, 1]^d, or else anywhere."""

    u: np.ndarray
    b: np.ndarray
    box: bool

    def above(self, z: Sequence[Fraction]) -> list[int]:
        """1, 0 or -1 for each row: the sign of u . z + b."""
        values = [
            sum((int(w) * at for w, at in zip(row, z, strict=True)), Fraction(int(shift)))
            for row, shift in zip(self.u, self.b, strict=True)
        ]
        return [(value > 0) - (value < 0) for value in values]


def draw_rows(hidden: int, biases: bool, box: bool, draw: np.random.Generator) -> Rows:
    """A hidden layer at random."""
    u = draw.standard_normal((hidden, LATENT)) * (2 / LATENT) ** 0.5
    b = draw.standard_normal(hidden) / 2 * biases
    return Rows(np.rint(u * GRID).astype(np.int64), np.rint(b * GRID).astype(np.int64), box)


# injective ----------------------------------------------------------------------------------------
def covers(rows: Rows, chosen: Sequence[int], weights: Sequence[float]) -> bool:
    """Whether some positive combination of these rows shows that one of them is above 0 at every z
    (other than 0 without biases). The weights are those in floats; off the box those over the
    rationals are solved for."""
    if rows.box:
        exact = [Fraction(weight) for weight in weights]
        sums = [
            abs(_combined(exact, rows.u[list(chosen), k].tolist())) for k in range(rows.u.shape[1])
        ]
        least = _combined(exact, rows.b[list(chosen)].tolist()) - sum(sums, Fraction(0))
        return least > 0 <= min(exact)
    found = null_vector([[Fraction(int(v)) for v in rows.u[i]] for i in chosen])
    if found is None or min(found) <= 0:
        return False
    if not rows.b.any():
        return len(chosen) == int(rows.u.shape[1]) + 1  # and of full rank, as found is the only one
    return _combined(found, rows.b[list(chosen)].tolist()) > 0


def _combined(weights: Sequence[Fraction], values: Sequence[int]) -> Fraction:
    return sum((w * value for w, value in zip(weights, values, strict=True)), Fraction(0))


def null_vector(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The combination of the rows that is 0, up to its scale, its first entry above 0. None where
    there is none or more than one, or where its first entry is 0."""
    count = len(rows)
    table = [[row[k] for row in rows] for k in range(len(rows[0]))]  # an equation in each line
    pivots: list[int] = []
    for column in range(count):
        at = len(pivots)
        line = next((k for k in range(at, len(table)) if table[k][column]), None)
        if line is None:
            continue
        table[at], table[line] = table[line], table[at]
        head = table[at][column]
        table[at] = [value / head for value in table[at]]
        for k, other in enumerate(table):
            if k != at and other[column]:
                table[k] = [v - other[column] * w for v, w in zip(other, table[at], strict=True)]
        pivots.append(column)
    free = [column for column in range(count) if column not in pivots]
    if len(free) != 1:
        return None
    found = [Fraction(0)] * count
    found[free[0]] = Fraction(1)
    for line, column in enumerate(pivots):
        found[column] = -table[line][free[0]]
    if not found[0]:
        return None
    return [value / found[0] for value in found]


Cover = tuple[list[int], list[float]]  # rows, of which one is above 0 at every z, and weights


def seven_are_exceeded(rows: Rows, draw: np.random.Generator) -> bool:
    """Whether more than 7 rows were shown to be above 0 at every z: sets of rows that each have
    one, with shares of at most 1 for all sets of a row together, and of more than 7 for all sets.
    New sets have rows that the shares leave room for."""
    from scipy.optimize import linprog

    count, size = rows.u.shape
    if not rows.box and count < (LATENT - 1) * (size + 1):  # a set has 9 rows off the box
        return False
    found: list[list[int]] = []
    room = np.ones(count)
    for _ in range(ROUNDS):
        made = [_cover(rows, room, draw) for _ in range(COVERS)]
        found += [chosen for chosen, weights in made if chosen and covers(rows, chosen, weights)]
        if not found:
            continue
        holds = np.zeros((count, len(found)))
        for number, chosen in enumerate(found):
            holds[chosen, number] = 1
        solved = linprog(-np.ones(len(found)), A_ub=holds, b_ub=np.ones(count), method="highs")
        shares = [Fraction(float(share)) * SAFE for share in solved.x.clip(min=0)]
        if sum(shares) > LATENT - 1 and _fit(shares, found, count):
            return True
        room = -solved.ineqlin.marginals
    return False


def _fit(shares: Sequence[Fraction], found: Sequence[Sequence[int]], count: int) -> bool:
    """Whether the shares of the sets of a row add up to at most 1, for each row."""
    totals = [Fraction(0)] * count
    for share, chosen in zip(shares, found, strict=True):
        for row in chosen:
            totals[row] += share
    return max(totals) <= 1


def _cover(rows: Rows, prices: np.ndarray, draw: np.random.Generator) -> Cover:
    """A vertex of the combinations of rows, with weights of sum 1, that do not depend on z (on the
    box: beside its walls), where its least value is above 0; no rows where not. Biases are cheaper
    the larger they are, now and then."""
    from scipy.optimize import linprog

    u, b, d = rows.u / GRID, rows.b / GRID, rows.u.shape[1]
    price = (prices + 0.02) * draw.uniform(0.5, 1.5, len(u)) - draw.choice((0, 0.05, 0.2)) * b
    equal = np.vstack([u.T, np.ones(len(u))])
    if rows.box:  # z_k <= 1 and -z_k <= 1
        walls = np.vstack([np.hstack([np.eye(d), -np.eye(d)]), np.zeros((1, 2 * d))])
        equal, price = np.hstack([equal, walls]), np.append(price, [draw.uniform(0, 0.3)] * (2 * d))
    solved = linprog(price, A_eq=equal, b_eq=[0.0] * d + [1.0], method="highs-ds")
    if solved.status != 0:
        return [], []
    weights = solved.x[: len(u)]
    if rows.b.any() and weights @ b <= solved.x[len(u) :].sum():
        return [], []
    used = np.flatnonzero(weights > 1e-12)
    return used.tolist(), weights[used].tolist()


# not injective ------------------------------------------------------------------------------------
def has_thin_point(rows: Rows, draw: np.random.Generator) -> bool:
    """Whether a point was found with fewer than 8 rows above 0 and no row at 0: linear programs
    that minimise what lies above a margin, with weights that grow where little does."""
    for _ in range(ATTEMPTS):
        weights = draw.exponential(size=len(rows.u))
        for _ in range(REWEIGHTED):
            z, above = _pressed(rows, weights)
            exact = [Fraction(float(value)) for value in z]
            inside = not rows.box or all(-1 < value < 1 for value in exact)
            signs = rows.above(exact)
            if inside and 0 not in signs and signs.count(1) < LATENT:
                return True
            weights = 1 / (above + 0.05)
    return False


def _pressed(rows: Rows, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """z (d,), and by how much each row is above minus a margin there (m,)."""
    from scipy.optimize import linprog

    u, b = rows.u / GRID, rows.b / GRID
    count, d = u.shape
    margin, reach = (1e-6, 1 - 1e-9) if rows.box else (1.0, None)
    solved = linprog(
        np.concatenate([np.zeros(d), weights]),
        A_ub=np.hstack([u, -np.eye(count)]),
        b_ub=-b - margin,
        bounds=[(None if reach is None else -reach, reach)] * d + [(0, None)] * count,
        method="highs",
    )
    return solved.x[:d], solved.x[d:]


# the share ----------------------------------------------------------------------------------------
def decided(rows: Rows, draw: np.random.Generator) -> bool | None:
    """Whether the hidden layer is injective; None where that was not decided."""
    if seven_are_exceeded(rows, draw):
        return True
    return False if has_thin_point(rows, draw) else None


def share_of_injective(setting: Setting) -> Measured:
    """The share of draws that are injective against the number of hidden neurons."""
    hidden, draws = HIDDEN[setting.scale], DRAWS[setting.scale]
    figures: dict[str, int | float | str] = {}
    curves, likely, said = [], [], []
    for number, (name, (biases, box)) in enumerate(DOMAINS.items()):
        shares = []
        for m in hidden:
            draw = np.random.default_rng([setting.seed, number, m])
            found = [decided(draw_rows(m, biases, box, draw), draw) for _ in range(draws)]
            yes, no = found.count(True), found.count(False)
            figures[f"{name}, {m} neurons"] = (
                f"{yes} injective, {no} not, {draws - yes - no} undecided"
            )
            shares.append(yes / draws)
        curves.append(Curve(name, tuple(map(float, hidden)), tuple(shares)))
        likely.append(dict(zip(hidden, shares, strict=True))[100])
        first = next((m for m, share in zip(hidden, shares, strict=True) if share >= LIKELY), None)
        said.append(f"{name}: from {first} neurons on" if first else f"{name}: at no number")
    return Measured(
        min(likely) >= LIKELY,
        f"with 100 hidden neurons, as in the data of Figure 1 here, {100 * min(likely):.0f} % of "
        f"the draws are injective where that is least (criterion: {100 * LIKELY:.0f} %). The share "
        f"reaches {100 * LIKELY:.0f} % on {'; '.join(said)}.",
        (f"{draws} draws each, hidden neurons {', '.join(map(str, hidden))}", *DOMAINS),
        figures,
        (Plot("Share of injective draws", "hidden neurons", "share", tuple(curves)),),
        instances=draws * len(hidden) * len(DOMAINS),
    )


SHARE = Claim(
    "j23.appE.share",
    Kind.EXPERIMENT,
    printed("Appendix E"),
    "the share of injective shallow networks",
    r"$g:\mathbb R^8\to\mathbb R^{20}$ is given by a shallow network with random parameters, and "
    r"is injective with high probability.",
    experiment=share_of_injective,
)
CLAIMS = (SHARE,)
