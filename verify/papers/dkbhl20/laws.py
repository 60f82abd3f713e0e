"""Laws of finite support, on second moment matrices and on spectra.

A law nu on hidden matrices H enters the statements of Appendix E through M(H) alone: M holds M(H)
for each point of the support, p their probabilities. Of it the regularity constant (Definition 3)
and delta_F (Lemma 7) are made. What is supposed of each matrix is supposed of the whole support.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor as Entries
from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Filter,
    Sum,
    Tensor,
    Vector,
    definite,
    diag,
    diagonal,
    dim,
    eigenvalues,
    frob2,
    matrix,
    row,
    rows,
    trace,
    unfold,
    upto,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import Rows, second_moment_rows, unit_rows
from verify.papers.dkbhl20.second_moments import semidefinite
from verify.statements.quantities import dot
from verify.statements.stated import Given, pool_with, true_of, unless

MOST_POINTS = 2
M = Tensor("M", "s", "d", "d", meaning="$M(H)$ at each point of the support")
P = Vector("p", "s", meaning="the probabilities of these points")
WIDTH = rows(unfold(M, 2))  # d
SUPPORT = upto(dim(P))


# definitions --------------------------------------------------------------------------------------
def moments(k: Term) -> Term:
    """M(H) at a point of the support."""
    return matrix(WIDTH, WIDTH, lambda i, j: unfold(M, 1)[k, (i - 1) * WIDTH + j])


def mean(function: Callable[[Term], Term]) -> Term:
    """E f(M(H))."""
    return Sum(SUPPORT, lambda k: P[k] * function(moments(k)))


def trace_of_cube(a: Term) -> Term:
    """Tr(A^3)."""
    return trace(a @ a @ a)


def square_diagonal(a: Term) -> Term:
    """Tr(diag(A^2)^2)."""
    kept = diag(diagonal(a @ a))
    return trace(kept @ kept)


def frobenius_change(a: Term) -> Term:
    """delta_F(A), (43)."""
    traces = 8 * trace_of_cube(a) - 8 * square_diagonal(a)
    return 2 * rows(a) ** 2 - 2 * frob2(a) - traces


def norm_power(a: Term, k: int) -> Term:
    """|lambda|_k^k, lambda the eigenvalues of a symmetric matrix."""
    return Sum(eigenvalues(a), lambda value: abs(value) ** k)


def nonzero(values: Term) -> Term:
    """Those that are not 0, with multiplicity."""
    return Filter(values, lambda value: value != 0)


CUBES, SQUARES = mean(trace_of_cube), mean(square_diagonal)
ALPHA = SQUARES / CUBES
"""The regularity constant, (46)."""


# cases --------------------------------------------------------------------------------------------
def matrices_of(case: Tensors) -> list[Rows]:
    """The matrices of the support."""
    array = case.arrays["M"]
    size = array.shape[1]
    lines = [list(array.entries[k : k + size]) for k in range(0, len(array.entries), size)]
    return [lines[k : k + size] for k in range(0, len(lines), size)]


def with_matrices(case: Tensors, matrices: list[Rows]) -> Tensors:
    """The case with other matrices, as many."""
    size = len(matrices[0])
    entries = tuple(Fraction(entry) for lines in matrices for line in lines for entry in line)
    shape = (len(matrices), size, size)
    return case.changing(M=Entries(("s", "d", "d"), shape, entries, held=True))


def drawn_for(case: Tensors, draw: Callable[[int, Random], Rows], random: Random) -> Tensors:
    """The case with a matrix that is drawn at each point."""
    return with_matrices(case, [draw(case.lengths["d"], random) for _ in matrices_of(case)])


def of_two_rows(case: Tensors, random: Random) -> Tensors:
    """Where there is one neuron, the case has two: there M = 1, and alpha is 1."""
    if case.lengths["d"] > 1:
        return case
    return with_matrices(case, [second_moment_rows(2, random) for _ in matrices_of(case)])


def correlated(size: int, off: Fraction | int) -> Rows:
    """(1 - c) I + c 1 1^T."""
    return [[Fraction(1 if i == j else off) for j in range(size)] for i in range(size)]


def blocks(size: int, random: Random, *, equal: bool) -> Rows:
    """All-one blocks on the diagonal, with signs: of one size, or of any."""
    width = random.choice([k for k in range(1, size + 1) if size % k == 0])
    places = [i // width if equal else random.randrange(size) for i in range(size)]
    signs = [random.choice((1, -1)) for _ in range(size)]
    return [
        [Fraction(signs[i] * signs[j] * (places[i] == places[j])) for j in range(size)]
        for i in range(size)
    ]


def few_points(case: Tensors) -> Tensors:
    """The case with two points of the support at most."""
    for k in range(case.lengths["s"] - 1, MOST_POINTS - 1, -1):
        case = case.changing(**{name: a.without("s", k) for name, a in case.arrays.items()})
    return case


def drawn_law(case: Tensors, random: Random) -> Tensors:
    """At most two support points; mostly unit-diagonal positive semidefinite matrices."""
    case = few_points(case)
    return drawn_for(case, second_moment_rows, random) if random.random() < 0.75 else case


LAWS = pool_with(M, P, adapt=drawn_law)


# hypotheses ---------------------------------------------------------------------------------------
def to_law(case: Tensors, random: Random) -> Tensors:
    """Probabilities in the proportions of the numbers that are there."""
    shares = [abs(x) or Fraction(1) for x in case.arrays["p"].entries]
    entries = tuple(share / sum(shares) for share in shares)
    return case.changing(p=Entries(("s",), (len(shares),), entries, held=True))


LAW = Given(
    "law of finite support",
    Each(SUPPORT, lambda k: P[k] > 0) & (Sum(SUPPORT, lambda k: P[k]) == 1),
    r"$\nu$ has finite support: the probabilities are above $0$ and sum to $1$",
    to_law,
    lambda case, random: case.changing(
        p=Entries(("s",), (case.lengths["s"],), tuple(2 * x for x in case.arrays["p"].entries))
    ),
    thin=True,
)


def _everywhere(
    name: str,
    text: str,
    holds: Callable[[Term], Term],
    has: Callable[[Rows], bool],
    drawn: Callable[[int, Random], Rows],
    broken: Callable[[int, Random], Rows],
) -> Given:
    """What is supposed of every matrix of the support; matrices that lack it are drawn anew."""

    def repair(case: Tensors, random: Random) -> Tensors:
        size, found = case.lengths["d"], matrices_of(case)
        return with_matrices(case, [rows if has(rows) else drawn(size, random) for rows in found])

    def break_(case: Tensors, random: Random) -> Tensors:
        matrices = matrices_of(case)
        matrices[random.randrange(len(matrices))] = broken(case.lengths["d"], random)
        return with_matrices(case, matrices)

    of_each = Each(SUPPORT, lambda k: holds(moments(k)))
    return Given(name, of_each, text, repair, break_, thin=True)


def equal_rows(lines: Rows) -> bool:
    """Whether all rows have one norm."""
    return len({dot(line, line) for line in lines}) == 1


def _equal(size: int, random: Random) -> Rows:
    """A matrix of the menu whose rows have the same norm."""
    for _ in range(8):
        found = second_moment_rows(size, random)
        if equal_rows(found):
            return found
    return correlated(size, Fraction(random.randint(0, 8), 8))


def _unequal(size: int, random: Random) -> Rows:
    """Blocks of unequal sizes, or any unit vectors; of two rows one is longer."""
    for _ in range(8):
        if random.random() < 0.5:
            found = blocks(size, random, equal=False)
        else:
            lines = unit_rows(size, 3, random)
            found = [[dot(one, other) / 3 for other in lines] for one in lines]
        if not equal_rows(found):
            return found
    return [[Fraction((i == j) * (1 + (i == 0))) for j in range(size)] for i in range(size)]


def _scaled(size: int, random: Random) -> Rows:
    factor = random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    return [[entry * factor for entry in line] for line in _equal(size, random)]


SEMIDEFINITE = _everywhere(
    "semidefinite on the support",
    r"each $M(H)$ is symmetric and positive semidefinite",
    definite,
    semidefinite,
    second_moment_rows,
    lambda size, random: correlated(size, random.choice((2, -2, 3)) if size > 1 else 1),
)
UNIT = _everywhere(
    "unit diagonal on the support",
    r"$\nu$ is carried by $\mathcal H$: each $M(H)$ has $M_{ii}=1$",
    lambda a: Each(upto(WIDTH), lambda i: a[i, i] == 1),
    lambda lines: all(line[i] == 1 for i, line in enumerate(lines)),
    second_moment_rows,
    _scaled,
)
EQUAL_ROWS = _everywhere(
    "equal row norms on the support",
    r"for each $H$ of the support of $\nu$ all rows of $M(H)$ have the same norm",
    lambda a: Each(upto(WIDTH), lambda i: frob2(row(a, i)) == frob2(row(a, 1))),
    equal_rows,
    _equal,
    _unequal,
)
CARRIED = (LAW, SEMIDEFINITE, UNIT)


def _to_at_least_1(case: Tensors, random: Random) -> Tensors:
    """Multiples of projections: blocks, mostly of equal sizes."""
    equal = random.random() < 0.7
    case = to_law(case, random)
    return drawn_for(case, lambda size, random: blocks(size, random, equal=equal), random)


def _to_other(case: Tensors, random: Random) -> Tensors:
    """Other matrices of the menu; 1 is attained by every 1 x 1 matrix."""
    if case.lengths["d"] == 1:
        return case
    at_least_1 = true_of(ALPHA >= 1)
    for _ in range(6):
        found = drawn_for(case, second_moment_rows, random)
        if not at_least_1(found):
            return found
    return drawn_for(case, lambda size, random: correlated(size, Fraction(1, 2)), random)


ALPHA_AT_LEAST_1 = Given(
    "alpha at least 1",
    ALPHA >= 1,
    r"the regularity constant of $\nu$ is at least $1$",
    unless(ALPHA >= 1, _to_at_least_1),
    _to_other,
    thin=True,
)


def _to_below_1(case: Tensors, random: Random) -> Tensors:
    """Matrices of the menu, of two rows or more; equal correlations where alpha is 1, as it is for
    blocks of signs."""
    case, below = of_two_rows(to_law(case, random), random), true_of(ALPHA < 1)
    for _ in range(3):
        if below(case):
            return case
        case = drawn_for(case, second_moment_rows, random)
    off = Fraction(1, random.randint(2, 8))
    return case if below(case) else drawn_for(case, lambda size, _: correlated(size, off), random)


ALPHA_BELOW_1 = Given(
    "alpha of the law below 1",
    ALPHA < 1,
    r"the regularity constant of $\nu$ is $\alpha<1$",
    unless(ALPHA < 1, _to_below_1),
    lambda case, random: drawn_for(
        case, lambda size, random: blocks(size, random, equal=True), random
    ),
)
