"""Section 4: the step size of gradient descent and the operator norm of the Hessian.

Near a minimum with Hessian H = G^T G gradient descent is, to first order, the iteration
e -> (I - eta H) e. From e it reaches the minimum (H e -> 0) if and only if eta times the largest
eigenvalue of H on the span of e, H e, H^2 e, ... is below 2. Measured is that number minus 2 where
eta |H| > 2: it is to be at least 0, so that there is no convergence.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_scene
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.quantities import with_entries
from verify.real_arrays import RealScene, as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries


def _positive_step(case: Tensors, random: Random) -> Tensors:
    """The step made positive, and large in many cases; in some the start is an eigenvector."""
    if random.random() < 0.25:
        case = _special(case, random)
    eta = abs(case.arrays["eta"].entries[0]) + random.choice((Fraction(1, 8), 1, 8))
    return as_real(with_entries(case, "eta", (eta,)), random)


MINIMA = TensorPool(
    (("G", ("m", "n")), ("e", ("n",)), ("eta", ())), largest=3, adapt=_positive_step
)


def start(scene: RealScene) -> Array:
    """(C, n, 1): e as a column."""
    return scene["e"].reshape(len(scene.cases), scene.lengths["n"], 1)


def reached(scene: RealScene) -> Array:
    """(C, n, n): e, H e, ..., H^(n-1) e side by side."""
    hessian, column = scene.gram(scene["G"]), start(scene)
    columns = [column]
    for _ in range(scene.lengths["n"] - 1):
        columns.append(hessian @ columns[-1])
    return scene.beside(*columns)


def not_converging(scene: RealScene) -> Entries:
    """eta times the largest eigenvalue that the start meets, minus 2, where eta |H| is above 2."""
    hessian = scene.gram(scene["G"])
    projection = scene.projection(reached(scene))
    met = scene.largest_eigenvalue(projection @ hessian @ projection)
    entries = scene.compare(met * scene["eta"], scene.constant(2))
    whole = scene.largest_eigenvalue(hessian) * scene["eta"]
    large = scene.arithmetic.is_negative(scene.constant(2) - whole)
    return kept(entries, large)


def _somewhere(case: Tensors, random: Random) -> Tensors:
    """The start with positive coordinates, and G too, where G e is 0."""
    start, entries = case.arrays["e"].entries, case.arrays["G"].entries
    rows = (entries[k : k + len(start)] for k in range(0, len(entries), len(start)))
    if any(sum(g * x for g, x in zip(row, start, strict=True)) for row in rows):
        return case
    case = with_entries(case, "G", tuple(Fraction(random.randint(1, 9)) for _ in entries))
    return _generic(case, random)


def _moves(scene: RealScene) -> np.ndarray:
    square = scene.frobenius_squared(scene.gram(scene["G"]) @ start(scene))
    return np.asarray(scene.arithmetic.is_negative(-square))


NOT_AT_REST = Hypothesis(
    "not at rest",
    r"the start $e$ is not at a minimum: $He\ne0$",
    by_scene(_moves),
    _somewhere,
    break_=lambda case, random: with_entries(
        case, "e", (Fraction(0),) * len(case.arrays["e"].entries)
    ),
)


def _meets_all(scene: RealScene) -> np.ndarray:
    """Whether the start has a part along every eigenspace of H of an eigenvalue other than 0: the
    span of H e, H^2 e, ... has as many dimensions as that of H, H^2, ..."""
    hessian, size = scene.gram(scene["G"]), scene.lengths["n"]
    count = len(scene.cases)
    powers = [hessian]
    for _ in range(size - 1):
        powers.append(powers[-1] @ hessian)
    flat = scene.beside(*(power.reshape(count, size * size, 1) for power in powers))
    own = scene.beside(*(power @ start(scene) for power in powers))
    return np.asarray(scene.rank_of(flat) == scene.rank_of(own))


def _generic(case: Tensors, random: Random) -> Tensors:
    entries = tuple(Fraction(random.randint(1, 16), 8) for _ in case.arrays["e"].entries)
    return with_entries(case, "e", entries)


def _special(case: Tensors, random: Random) -> Tensors:
    """H diagonal with different entries, the start across all but one of its axes; where H has one
    eigenvalue alone, the start at rest."""
    rows, count = case.arrays["G"].shape
    places = range(rows * count)
    diagonal = tuple(Fraction((p // count + 1) * (p // count == p % count)) for p in places)
    case = with_entries(case, "G", diagonal)
    place = random.randrange(min(rows, count)) if min(rows, count) > 1 else count
    return with_entries(case, "e", tuple(Fraction(k == place) for k in range(count)))


GENERIC = Hypothesis(
    "generic start",
    r"the start $e$ has a part along every eigenspace of $H$ with an eigenvalue other than $0$",
    by_scene(_meets_all),
    _generic,
    _special,
)

GENERIC_START = Claim(
    "j23.hessian.step@B",
    Kind.INEQUALITY,
    printed("Section 4, first bullet"),
    "the step size and the Hessian",
    r"$\lVert H\rVert_{op}$ needs to be bounded by $2/\eta$ to have convergence of gradient "
    r"descent with learning rate $\eta$: where it is larger, the iteration "
    r"$e\mapsto(I-\eta H)e$ near a minimum does not lead to it.",
    (NOT_AT_REST, GENERIC),
    measure=not_converging,
    pool=MINIMA,
    reading="B",
    reading_text="from almost every start near the minimum",
    exact_only=True,
    through="near a minimum the steps of gradient descent are, to first order, the linear "
    "iteration that is measured (docs/mathematics.md, 25)",
)

CLAIMS = (GENERIC_START,)
