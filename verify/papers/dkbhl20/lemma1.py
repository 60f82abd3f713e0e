"""Lemma 1 and its proof (Appendix B): r is a lower bound of the rank and, up to (1 - tau)^2, of the
soft rank."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.cases.tensors import Tensor
from verify.core.argument import Argument, Step
from verify.language.building import (
    Count,
    Each,
    Filter,
    Sum,
    When,
    cols,
    dim,
    dot,
    frob2,
    norm,
    rank,
    rows,
    sqrt,
    vector,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import Rows, held, in_roles, rows_of, spectrum
from verify.papers.dkbhl20.notation import LAM, TAU, H, entries, soft_rank, surrogate
from verify.papers.dkbhl20.section2 import LAYERS, LEVELS_TOO, NORMALISED, NOT_ZERO
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.pair_sums import TERM_BY_TERM, variance
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated, unless

SPECTRA = pool_with(LAM, adapt=in_roles("lam"))
SPECTRA_AND_LEVELS = pool_with(LAM, TAU, adapt=in_roles("lam", "tau"))
EIGENVALUES = (
    "M has d real eigenvalues; they sum to Tr M = d, as M_ii = 1, the square of a row over N, "
    "and their squares to |M|_F^2"
)
NOT_0 = (
    "M has as many eigenvalues that are not 0 as the rank of H; all are real, they sum to Tr M, "
    "their squares to |M|_F^2"
)


# hypotheses ---------------------------------------------------------------------------------------
def _with_columns(case: Any, lines: Rows) -> Any:
    """Rows of another length."""
    entries = tuple(entry for line in lines for entry in line)
    return case.changing(H=Tensor(("d", "N"), (len(lines), len(lines[0])), entries))


def _to_square(case: Any, random: Random) -> Any:
    """Rows are cut, or filled with zeros and then repaired by what else is asked of them."""
    size = case.lengths["d"]
    zeros = [Fraction(0)] * size
    return _with_columns(case, [[*line, *zeros][:size] for line in rows_of(case.arrays["H"])])


def _not_square(case: Any, random: Random) -> Any:
    lines = rows_of(case.arrays["H"])
    return _with_columns(case, [[*line, Fraction(random.randint(-2, 2))] for line in lines])


def _to_level(case: Any, random: Random) -> Any:
    return with_entries(case, "tau", [Fraction(random.randint(0, 8), 8)])


def _beyond(case: Any, random: Random) -> Any:
    step = Fraction(random.choice((1, 2, 8)), 8)
    return with_entries(case, "tau", [random.choice((-step, 1 + step))])


def _one_negative(case: Any, random: Random) -> Any:
    first, *others = case.arrays["lam"].entries
    return with_entries(case, "lam", [-abs(first) - 1, *others])


def _to_trace_d(case: Any, random: Random) -> Any:
    values = case.arrays["lam"].entries
    total, size = sum(values), len(values)
    found = [x * size / total for x in values] if total > 0 else spectrum(size, random)
    return held(with_entries(case, "lam", found), "lam")


def _other_trace(case: Any, random: Random) -> Any:
    """All of them times a number (where their sum is 0, it is not d already)."""
    factor = random.choice((Fraction(2), Fraction(3), Fraction(1, 2), Fraction(1, 3)))
    return with_entries(case, "lam", [x * factor for x in case.arrays["lam"].entries])


IN_INTERVAL = (TAU >= 0) & (TAU <= 1)
SQUARE = Given(
    "square", cols(H) == rows(H), r"the matrix is square: $N=d$", _to_square, _not_square
)
LEVEL = Given(
    "tau between 0 and 1", IN_INTERVAL, r"$0\le\tau\le1$", unless(IN_INTERVAL, _to_level), _beyond
)
NON_NEGATIVE = Given(
    "eigenvalues at least 0",
    Each(entries(LAM), lambda i: LAM[i] >= 0),
    r"$\lambda_i\ge0$: they are eigenvalues of a positive semidefinite matrix",
    lambda case, random: with_entries(case, "lam", [abs(x) for x in case.arrays["lam"].entries]),
    _one_negative,
)
TRACE_D = Given(
    "trace d",
    Sum(entries(LAM), lambda i: LAM[i]) == dim(LAM),
    r"$\sum_i\lambda_i=d$",
    _to_trace_d,
    _other_trace,
    thin=True,
)


def _no_eigenvalue(case: Any, random: Random) -> Any:
    return with_entries(case, "lam", [x * 0 for x in case.arrays["lam"].entries])


SOME_EIGENVALUE = Given(
    "M is not 0", frob2(LAM) > 0, r"$\lambda\ne0$, so that $M\ne0$", break_=_no_eigenvalue
)


# the rank -----------------------------------------------------------------------------------------
def sum_of_sizes(indices: Term) -> Term:
    """The sum of |lambda_i| over some indices."""
    return Sum(indices, lambda i: abs(LAM[i]))


SUPPORT = Count(entries(LAM), lambda i: LAM[i] != 0)  # |lambda|_0
SIZE = sum_of_sizes(entries(LAM))  # |lambda|_1
WEIGHTS = vector(dim(LAM), lambda i: When(LAM[i] != 0, 1 / SUPPORT, 0))  # (11)
RANK = rank(H) >= surrogate(H)
RANK_STEPS = (
    (abs(dot(LAM, WEIGHTS)) <= norm(LAM) * norm(WEIGHTS))
    & (norm(LAM) / sqrt(SUPPORT) >= SIZE / SUPPORT)
    & (SIZE / norm(LAM) <= sqrt(SUPPORT))
)


def rank_bounds_the_surrogate() -> Argument:
    """k sum lambda^2 - (sum lambda)^2 is a sum of squares over the k eigenvalues that are not 0."""
    return Argument(
        "Cauchy and Schwarz over the eigenvalues of M that are not 0",
        variance(),
        (TERM_BY_TERM, NOT_0),
        (NOT_ZERO.name,),
        section="docs/mathematics/dkbhl20.md#lemma-1",
    )


def averages_are_bounded() -> Argument:
    """k sum x^2 >= (sum x)^2 for the k numbers that are not 0, x = lambda or |lambda|."""
    return Argument(
        "Cauchy and Schwarz over the numbers that are not 0, or over their absolute values",
        variance(),
        (TERM_BY_TERM, "|lambda|^2 = lambda^2"),
        (SOME_EIGENVALUE.name,),
        section="docs/mathematics/dkbhl20.md#lemma-1",
    )


# the soft rank ------------------------------------------------------------------------------------
COUNT = Count(entries(LAM), lambda i: LAM[i] >= TAU)  # h_tau(lambda), (15)
COUNTED = sum_of_sizes(Filter(entries(LAM), lambda i: abs(LAM[i]) >= TAU))
LESS = SIZE - dim(LAM) * TAU
SOFT_RANK = soft_rank(H, TAU) >= (1 - TAU) ** 2 * surrogate(H)
SOFT_RANK_STEPS = (
    (COUNT * frob2(LAM) >= COUNTED**2) & (COUNTED >= LESS) & (LESS >= (1 - TAU) * SIZE)
)


def rank_bounds() -> tuple[Step, ...]:
    """With s the sum over the h eigenvalues that are at least tau, q that of their squares, t that
    of the others, n = d - h their number, m the sum of tau - lambda over them: s - (1 - tau) d =
    m + tau h, as t = n tau - m and s + t = d."""
    ring = ring_of(5)
    tau, h, n, m, s = ring.generators
    trace = s + n * tau - m  # s + t, which is d = h + n
    bound = s - (h + n) + tau * (h + n) - (m + tau * h)
    square = s * s - (1 - tau) ** 2 * (h + n) ** 2
    factors = (s - (1 - tau) * (h + n)) * (s + (1 - tau) * (h + n))
    return (
        Step(
            "s - (1 - tau) d = m + tau h where s + t = d, so it is at least 0",
            ring.is_zero(bound - (trace - (h + n))),
        ),
        Step(
            "s^2 - (1 - tau)^2 d^2 = (s - (1 - tau) d) (s + (1 - tau) d)",
            ring.is_zero(square - factors),
        ),
    )


def soft_rank_is_bounded() -> Argument:
    """h |lambda|^2 >= h q >= s^2 >= (1 - tau)^2 d^2."""
    return Argument(
        "Cauchy and Schwarz over the eigenvalues that are at least tau; the others sum to at most "
        "d tau",
        (*variance(), *rank_bounds()),
        (TERM_BY_TERM, EIGENVALUES),
        (NORMALISED.name, LEVEL.name),
        section="docs/mathematics/dkbhl20.md#lemma-1",
    )


def sums_are_bounded() -> Argument:
    """s - (s + t - d tau) = m + tau h, and s + t - d tau - (1 - tau)(s + t) = tau (s + t - d), with
    t = n tau - m the sum of the n = d - h numbers below tau."""
    ring = ring_of(5)
    tau, h, n, m, s = ring.generators
    total, width = s + n * tau - m, h + n
    first = s - (total - width * tau) - (m + tau * h)
    second = total - width * tau - (1 - tau) * total - tau * (total - width)
    return Argument(
        "Cauchy and Schwarz over the counted numbers; the others sum to at most n tau; the last "
        "step is an equation where the sum is d",
        (
            *variance(),
            Step("s - (s + t - d tau) = m + tau h, both at least 0", ring.is_zero(first)),
            Step(
                "s + t - d tau - (1 - tau)(s + t) = tau (s + t - d), which is 0",
                ring.is_zero(second),
            ),
        ),
        (TERM_BY_TERM, "numbers that are at least 0 are their own absolute values"),
        (NON_NEGATIVE.name, TRACE_D.name, LEVEL.name),
        section="docs/mathematics/dkbhl20.md#lemma-1",
    )


CLAIMS = (
    stated(
        "dkbhl20.lem1a",
        printed("Lemma 1, first part; Appendix B"),
        "the rank is at least r",
        r"$\mathrm{rank}(H)\ge r(H)$ for an arbitrary matrix $H\in\mathbb R^{d\times d}$.",
        RANK,
        [SQUARE, NOT_ZERO],
        depends=("dkbhl20.def_r.a",),
        pool=LAYERS,
        proof=rank_bounds_the_surrogate,
    ),
    stated(
        "dkbhl20.lem1a.steps",
        printed("eqs. (11)-(14), Appendix B"),
        "steps of the bound on r",
        r"With $w_i=1/\lVert\lambda\rVert_0$ where $\lambda_i\ne0$, else $0$: $|\langle\lambda,w"
        r"\rangle|\le\lVert\lambda\rVert_2\lVert w\rVert_2$, $\lVert\lambda\rVert_1/\lVert\lambda"
        r"\rVert_0\le\lVert\lambda\rVert_2/\lVert\lambda\rVert_0^{1/2}$, $\lVert\lambda\rVert_1/"
        r"\lVert\lambda\rVert_2\le\lVert\lambda\rVert_0^{1/2}$.",
        RANK_STEPS,
        [SOME_EIGENVALUE],
        depends=("dkbhl20.def_r.a",),
        pool=SPECTRA,
        proof=averages_are_bounded,
    ),
    stated(
        "dkbhl20.lem1b",
        printed("Lemma 1, second part; Appendix B"),
        "the soft rank is at least (1 - tau)^2 r",
        r"$\mathrm{rank}_\tau(H_\ell)\ge(1-\tau)^2r(H_\ell)$ for $\tau\in[0,1]$ and $\ell\ge1$.",
        SOFT_RANK,
        [NORMALISED, LEVEL],
        depends=("dkbhl20.def_softrank.a", "dkbhl20.def_r.a"),
        pool=LEVELS_TOO,
        proof=soft_rank_is_bounded,
    ),
    stated(
        "dkbhl20.lem1b.steps",
        printed("eqs. (15)-(20), Appendix B"),
        "steps of the bound on the soft rank",
        r"With $h$ the number of the $\lambda_i\ge\tau$: $\big(\sum_{|\lambda_i|\ge\tau}|\lambda_i|"
        r"\big)^2\le h\lVert\lambda\rVert_2^2$ and $\sum_{|\lambda_i|\ge\tau}|\lambda_i|\ge\lVert"
        r"\lambda\rVert_1-d\tau\ge(1-\tau)\lVert\lambda\rVert_1$.",
        SOFT_RANK_STEPS,
        [NON_NEGATIVE, TRACE_D, LEVEL],
        depends=("dkbhl20.def_softrank.a",),
        pool=SPECTRA_AND_LEVELS,
        proof=sums_are_bounded,
    ),
)
