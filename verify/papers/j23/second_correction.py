"""Propositions 4 and 14, parts 1 and 2, for linear maps in deep linear networks.

There R^(0)(A) = Rank A, R^(1)(A) = 2 log |A|_+ and R^(2)(A) = |log_+ A^T A|^2 / 2, in the Frobenius
norm, from the closed form L sum_i s_i^(2/L) (`linear`). A case is made of one or two matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Change, Hypothesis, by_case
from verify.cases.real_arrays import as_real
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.networks import Matrix, tensor_of
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.rows import exact
from verify.papers.j23.sources import printed
from verify.statements.quantities import PROPORTION
from verify.statements.sides import Side, by_numbers

TURNS = tuple((Fraction(a, c), Fraction(b, c)) for a, b, c in ((3, 4, 5), (4, 3, 5), (5, 12, 13)))
ATTEMPTS = 8
SIZES = tuple(map(Fraction, ("1", "1", "1/2", "1/4")))
LINEAR = (
    r"Here $f$ and $g$ are linear maps in deep linear networks, where $R^{(0)}(A)=\mathrm{Rank}A$, "
    r"$R^{(1)}(A)=2\log|A|_+$, $R^{(2)}(A)=\frac12\lVert\log_+A^TA\rVert_F^2$."
)

CLOSED = (
    "of linear maps the corrections are those of $L\\sum_is_i^{2/L}$; of other functions nothing "
    "is "
    "computed (docs/mathematics/j23.md#linear-maps)"
)


def square_logs(matrix: Matrix) -> Any:
    """The sum of (log lambda)^2 over the eigenvalues lambda of A^T A that are not 0."""
    logs = [reals.log(value) for value in reals.squared_singular_values(matrix)]
    return sum((x * x for x in logs), rational(0))


def second(matrix: Matrix) -> Any:
    """R^(2)(A)."""
    return square_logs(matrix) * rational(Fraction(1, 2))


def pseudo_determinants_multiply(one: Matrix, other: Matrix, whole: Matrix) -> bool:
    """Whether R^(1) adds: |C|_+ = |A|_+ |B|_+, by their squares."""
    parts = [reals.pseudo_determinant_squared(matrix) for matrix in (one, other, whole)]
    return bool(parts[0] * parts[1] == parts[2])


def with_matrices(case: Tensors, **matrices: Any) -> Tensors:
    """The case with these matrices, of whatever shape, with the axes that it has."""
    return case.changing(
        **{
            name: tensor_of(
                case.arrays[name].axes, np.vectorize(as_fraction, otypes=[object])(entries)
            )
            for name, entries in matrices.items()
        }
    )


# compositions -------------------------------------------------------------------------------------
Predicate = Callable[[Tensors], bool]


def unless(met: Predicate, change: Change) -> Change:
    """The change, made only where a predicate fails."""
    return lambda case, random: case if met(case) else change(case, random)


PAIRS = TensorPool((("A", ("m", "n")), ("B", ("n", "d"))), largest=3, adapt=as_real)
SHARED = TensorPool((*PAIRS.arrays, ("p", ())), largest=3, adapt=as_real)


def factors(case: Tensors) -> tuple[Matrix, Matrix, Matrix]:
    """f = A, g = B, f after g = A B."""
    outer, inner = exact(case, "A"), exact(case, "B")
    return outer, inner, outer @ inner


def _equal_ranks(case: Tensors) -> bool:
    return len({rank(matrix) for matrix in factors(case)}) == 1


def _logs_add(case: Tensors) -> bool:
    return pseudo_determinants_multiply(*factors(case))


def _aligned(case: Tensors, random: Random) -> Tensors:
    """B becomes A^T M, or A becomes M B^T where B is too narrow: Im B = Im A^T."""
    outer, inner, whole = factors(case)
    narrow = rank(outer) > inner.shape[1]
    for _ in range(ATTEMPTS):
        mixing: Matrix = RATIONALS.array(
            [[random.randint(-1, 2) for _ in range(whole.shape[1])] for _ in range(whole.shape[0])]
        )
        if narrow:
            found = with_matrices(case, A=mixing @ inner.T)
        else:
            found = with_matrices(case, B=outer.T @ mixing)
        if _equal_ranks(found):
            break
    return found


def _unused_direction(case: Tensors, random: Random) -> Tensors:
    """A scales a direction that B does not use by the cosine that B loses."""
    cos, sin = random.choice(TURNS)
    size = random.choice(SIZES)
    return with_matrices(
        case, A=[[cos, 0, 0], [0, cos, 0]], B=[[cos * size], [Fraction(0)], [sin * size]]
    )


def _turned_away(case: Tensors, random: Random) -> Tensors:
    """Of rank 1: the row A is not along the column B."""
    cos, sin = random.choice(TURNS)
    return with_matrices(case, A=[[cos, sin]], B=[[random.choice(SIZES)], [Fraction(0)]])


EQUAL_RANKS = Hypothesis(
    "equal ranks of the matrices",
    r"$R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$",
    by_case(_equal_ranks),
    unless(_equal_ranks, _aligned),
    _unused_direction,
    thin=True,
)
LOGS_ADD = Hypothesis(
    "first corrections of the factors add",
    r"$R^{(1)}(f\circ g)=R^{(1)}(f)+R^{(1)}(g)$",
    by_case(_logs_add),
    unless(_logs_add, _aligned),
    _turned_away,
    thin=True,
)


def root_slack(case: Tensors) -> Iterator[Side]:
    """sqrt R^(2)(A) + sqrt R^(2)(B) - sqrt R^(2)(A B)."""
    outer, inner, whole = (reals.sqrt(second(matrix)) for matrix in factors(case))
    yield {}, outer + inner, whole


def shared_slack(case: Tensors) -> Iterator[Side]:
    """R^(2)(B) / p + R^(2)(A) / (1 - p) - R^(2)(A B)."""
    p = exact(case, "p").reshape(-1)[0]
    if p in (0, 1):
        return
    outer, inner, whole = (second(matrix) for matrix in factors(case))
    yield {}, inner * (1 / p) + outer * (1 / (1 - p)), whole


COMPOSITION = Claim(
    "j23.prop4.1.linear",
    Kind.INEQUALITY,
    printed("Proposition 4 (Proposition 14), part 1"),
    "second correction of a composition, linear maps",
    r"If $R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$ and $R^{(1)}(f\circ g)=R^{(1)}(f)+R^{(1)}(g)$, "
    r"then $\sqrt{R^{(2)}(f\circ g)}\le\sqrt{R^{(2)}(f)}+\sqrt{R^{(2)}(g)}$. " + LINEAR,
    (EQUAL_RANKS, LOGS_ADD),
    ("j23.linexp.b",),
    measure=by_numbers(root_slack),
    pool=PAIRS,
    exact_only=True,
    proof=proofs.roots_of_compositions,
    through=CLOSED,
)

INEQUALITY_1 = Claim(
    "j23.prop4.eq1.linear",
    Kind.INEQUALITY,
    printed("proof of Proposition 14, eq. (1)"),
    "inequality (1) at every ratio, linear maps",
    r"$R^{(2)}(f\circ g)\le\frac1{1-p}R^{(2)}(f)+\frac1pR^{(2)}(g)$ for every $p\in(0,1)$. "
    + LINEAR,
    (EQUAL_RANKS, LOGS_ADD, PROPORTION),
    ("j23.linexp.b",),
    measure=by_numbers(shared_slack),
    pool=SHARED,
    exact_only=True,
    proof=proofs.shares_of_compositions,
    through=CLOSED,
)

TAIL = Claim(
    "j23.prop4.tail.second",
    Kind.INEQUALITY,
    printed("end of the proof of Proposition 14, second display"),
    "second corrections below and above a representation, linear maps",
    r"$\frac1pR^{(2)}(\alpha)+\frac1{1-p}R^{(2)}(\alpha\to f)\ge R^{(2)}(f)$ for an intermediate "
    r"representation $\alpha$ of $f$, as in (1), and $p\in(0,1)$. "
    + LINEAR
    + r" Here $\alpha(x)=Bx$ and $f(x)=ABx$.",
    (EQUAL_RANKS, LOGS_ADD, PROPORTION),
    ("j23.linexp.b",),
    measure=by_numbers(shared_slack),
    pool=SHARED,
    exact_only=True,
    proof=proofs.shares_of_compositions,
    through=CLOSED,
)

# sums ---------------------------------------------------------------------------------------------
SUMMANDS = TensorPool((("A", ("m", "n")), ("B", ("m", "n"))), largest=3, adapt=as_real)


def summands(case: Tensors) -> tuple[Matrix, Matrix, Matrix]:
    """f = A, g = B, f + g."""
    one, other = exact(case, "A"), exact(case, "B")
    return one, other, one + other


def _ranks_add(case: Tensors) -> bool:
    one, other, whole = map(rank, summands(case))
    return whole == one + other


def _determinants_multiply(case: Tensors) -> bool:
    return pseudo_determinants_multiply(*summands(case))


def _apart(case: Tensors, random: Random) -> Tensors:
    """B becomes the part of B that maps the complement of Im A^T to that of Im A."""
    one, other, _ = summands(case)
    left = other - reals.image_projection(one) @ other
    return with_matrices(case, B=left - left @ reals.image_projection(one.T))


def _product_is_sum(case: Tensors, random: Random) -> Tensors:
    """Two numbers a, b with a + b = a b."""
    a = random.choice((Fraction(2), Fraction(3), Fraction(3, 2)))
    return with_matrices(case, A=[[a]], B=[[a / (a - 1)]])


def _leaning(case: Tensors, random: Random) -> Tensors:
    """Two matrices of rank 1 whose images are not orthogonal."""
    cos, sin = random.choice(TURNS)
    return with_matrices(case, A=[[1, 0], [0, 0]], B=[[0, cos], [0, sin]])


RANKS_ADD = Hypothesis(
    "ranks of the summands add",
    r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$",
    by_case(_ranks_add),
    unless(_ranks_add, _apart),
    _product_is_sum,
    thin=True,
)
SUM_LOGS_ADD = Hypothesis(
    "first corrections of the summands add",
    r"$R^{(1)}(f+g)=R^{(1)}(f)+R^{(1)}(g)$",
    by_case(_determinants_multiply),
    unless(_determinants_multiply, _apart),
    _leaning,
    thin=True,
)


def sum_slack(case: Tensors) -> Iterator[Side]:
    """R^(2)(A) + R^(2)(B) - R^(2)(A + B)."""
    one, other, whole = (second(matrix) for matrix in summands(case))
    yield {}, one + other, whole


SUM = Claim(
    "j23.prop4.2.linear",
    Kind.INEQUALITY,
    printed("Proposition 4 (Proposition 14), part 2"),
    "second correction of a sum, linear maps",
    r"If $R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$ and $R^{(1)}(f+g)=R^{(1)}(f)+R^{(1)}(g)$, then "
    r"$R^{(2)}(f+g)\le R^{(2)}(f)+R^{(2)}(g)$. " + LINEAR,
    (RANKS_ADD, SUM_LOGS_ADD),
    ("j23.linexp.b",),
    measure=by_numbers(sum_slack),
    pool=SUMMANDS,
    exact_only=True,
    proof=proofs.sums,
    through=CLOSED,
)


CLAIMS = (
    INEQUALITY_1,
    COMPOSITION,
    SUM,
    TAIL,
)
