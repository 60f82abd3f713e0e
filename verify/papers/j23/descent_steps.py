"""Section 4: the step size of gradient descent and the operator norm of the Hessian.

Near a minimum with Hessian H = G^T G gradient descent is, to first order, the iteration
e -> (I - eta H) e. From e it reaches the minimum (H e -> 0) if and only if eta times the largest
eigenvalue of H on the span of e, H e, H^2 e, ... is below 2.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Fold,
    Matrix,
    Number,
    Vector,
    dim,
    dot,
    eigenvalues,
    frob2,
    implies,
    inverse,
    matrix,
    rank,
    trace,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

G = Matrix("G", "m", "n", meaning="a factor of the Hessian $H=G^TG$")
E = Vector("e", "n", meaning="the start, less the minimum")
ETA = Number("eta", meaning="the step of descent")
H, SIZE = G.T @ G, dim(E)


# what a start meets -------------------------------------------------------------------------------
def power(k: Term) -> Term:
    """H^k, k at least 1."""
    return Fold(upto(k - 1), H, lambda so_far, _: so_far @ H)


def after(k: Term) -> Term:
    """H^(k - 1) e."""
    return Fold(upto(k - 1), E, lambda so_far, _: H @ so_far)


REACHED = matrix(SIZE, SIZE, lambda i, k: after(k)[i])
"""e, H e, H^2 e, ... side by side: the first ones are a basis of their span."""
BASIS = matrix(SIZE, rank(REACHED), lambda i, k: after(k)[i])
ONTO = BASIS @ inverse(BASIS.T @ BASIS) @ BASIS.T
WITHOUT_CONVERGENCE = implies(
    ETA * eigenvalues(H)[1] > 2, ETA * eigenvalues(ONTO @ H @ ONTO)[1] >= 2
)


# cases --------------------------------------------------------------------------------------------
def _positive_step(case: Tensors, random: Random) -> Tensors:
    """The step made positive, and large in many cases; in some the start is an eigenvector."""
    if random.random() < 0.25:
        case = _special(case, random)
    eta = abs(case.number("eta")) + random.choice((Fraction(1, 8), 1, 8))
    return with_entries(case, "eta", (eta,))


def _somewhere(case: Tensors, random: Random) -> Tensors:
    """The start with positive coordinates, and G too, where G e is 0."""
    start, entries = case.arrays["e"].entries, case.arrays["G"].entries
    rows = (entries[k : k + len(start)] for k in range(0, len(entries), len(start)))
    if any(sum(g * x for g, x in zip(row, start, strict=True)) for row in rows):
        return case
    case = with_entries(case, "G", tuple(Fraction(random.randint(1, 9)) for _ in entries))
    return _generic(case, random)


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


NOT_AT_REST = Given(
    "not at rest",
    frob2(H @ E) > 0,
    r"the start $e$ is not at a minimum: $He\ne0$",
    _somewhere,
    lambda case, random: with_entries(case, "e", (Fraction(0),) * len(case.arrays["e"].entries)),
)
GENERIC = Given(  # H, H^2, ... span as many dimensions as H e, H^2 e, ...: by their Gram matrices
    "generic start",
    rank(matrix(SIZE, SIZE, lambda i, k: trace(power(i + k))))
    == rank(matrix(SIZE, SIZE, lambda i, k: dot(H @ after(i), H @ after(k)))),
    r"the start $e$ has a part along every eigenspace of $H$ with an eigenvalue other than $0$",
    _generic,
    _special,
)

CLAIMS = (
    stated(
        "j23.hessian.step@B",
        printed("Section 4, first bullet"),
        "the step size and the Hessian",
        r"$\lVert H\rVert_{op}$ needs to be bounded by $2/\eta$ to have convergence of gradient "
        r"descent with learning rate $\eta$: where it is larger, the iteration "
        r"$e\mapsto(I-\eta H)e$ near a minimum does not lead to it.",
        WITHOUT_CONVERGENCE,
        [NOT_AT_REST, GENERIC],
        pool=pool_with(G, E, ETA, largest=3, adapt=_positive_step),
        reading="B",
        reading_text="from almost every start near the minimum",
        through="near a minimum the steps of gradient descent are, to first order, the linear "
        "iteration that is measured (docs/mathematics/j23.md#descent-near-a-minimum)",
    ),
)
