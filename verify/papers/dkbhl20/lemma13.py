"""Lemma 13, and steps (53) to (57) of its proof, on laws of finite support.

What these statements use of invariance and of a small gamma is (52): the expectation of delta_F(M)
is minus the remainder of Lemma 7, which is at most C gamma in size; so it is above -6 d^2 for gamma
below 6 d^2/C. That is the hypothesis here: it asks for less than the print, of a unique invariant
law in particular nothing. What is argued so is argued of every invariant law of finite support.

(54) and (55), as a step from it, are about the spectra alone: of every law of finite support on
these and every alpha < 1. In (56) the double sum is A as it stands, with lambda_i^3 inside the sum
over j, or B with lambda_j^3. The left end of (57) is the number E|M(H)|_F^2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Sum,
    cols,
    dim,
    frob2,
    sqrt,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20 import lemma13_arguments as arguments
from verify.papers.dkbhl20.drawing import spectrum
from verify.papers.dkbhl20.laws import (
    ALPHA,
    ALPHA_BELOW_1,
    CARRIED,
    LAW,
    LAWS,
    SUPPORT,
    WIDTH,
    P,
    correlated,
    drawn_for,
    few_points,
    frobenius_change,
    mean,
    norm_power,
    to_law,
    trace_of_cube,
    with_matrices,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum import LAMBDA as L
from verify.papers.dkbhl20.spectrum import (
    NON_NEGATIVE,
    TRACE_D,
    Numbers,
    below_root,
    cauchy_schwarz,
    of_case,
    power_sum,
    squares_of_sums,
)
from verify.papers.dkbhl20.spectrum import (
    SPECTRA as ONE_SPECTRUM,
)
from verify.statements.stated import Given, pool_with, stated, unless

WIDE = 16  # from about this width on equicorrelated matrices break what (52) asks for

# laws on spectra ----------------------------------------------------------------------------------
SPECTRA = Matrix("lambda", "s", "d", meaning="a spectrum at each of $s$ points of the support")
ANY_ALPHA = Number("alpha")
SIZE = cols(SPECTRA)  # d


def powers(k: Term, power: int) -> Term:
    """sum_i lambda_i^power at a point of the support."""
    return Sum(upto(SIZE), lambda i: SPECTRA[k, i] ** power)


def mean_spectrum(function: Callable[[Term], Term]) -> Term:
    """E f(lambda)."""
    return Sum(SUPPORT, lambda k: P[k] * function(k))


def spectra_of(case: Tensors) -> list[list[Fraction]]:
    """The spectra of the support."""
    array = case.arrays["lambda"]
    starts = range(0, len(array.entries), array.shape[1])
    return [list(array.entries[k : k + array.shape[1]]) for k in starts]


def with_spectra(case: Tensors, spectra: list[list[Fraction]]) -> Tensors:
    """The case with other spectra."""
    entries = tuple(entry for line in spectra for entry in line)
    shape = (len(spectra), len(spectra[0]))
    return case.changing(**{"lambda": Tensor(("s", "d"), shape, entries, held=True)})


def with_alpha(case: Tensors, value: Fraction | int) -> Tensors:
    """The case with another alpha."""
    return case.changing(alpha=Tensor((), (), (Fraction(value),)))


def _drawn(case: Tensors, random: Random) -> Tensors:
    """At most two spectra, often of the menu; alpha in its neighbourhood."""
    case = few_points(case)
    if random.random() < 0.7:
        case = with_spectra(
            case, [spectrum(case.lengths["d"], random) for _ in range(case.lengths["s"])]
        )
    return with_alpha(case, Fraction(random.randint(-2, 9), 10)) if random.random() < 0.7 else case


LAWS_ON_SPECTRA = pool_with(SPECTRA, P, ANY_ALPHA, adapt=_drawn)


def _repaired(case: Tensors, random: Random) -> Tensors:
    """Spectra that are not numbers at least 0 of sum d are scaled, or drawn anew."""
    fixed = []
    for line in spectra_of(case):
        sizes = [abs(entry) for entry in line]
        total = sum(sizes)
        fixed.append(
            [x * len(line) / total for x in sizes] if total else spectrum(len(line), random)
        )
    return with_spectra(case, fixed)


def _changed(case: Tensors, factor: int, random: Random) -> Tensors:
    """A spectrum times a factor, below 0 with its sum kept; often for alpha near 1."""
    if random.random() < 0.5:
        case = with_alpha(case, Fraction(99, 100))
    spectra = spectra_of(case)
    place = random.randrange(len(spectra))
    spectra[place] = [entry * factor for entry in spectra[place]]
    if factor < 0:
        spectra[place][0] += len(spectra[place]) - sum(spectra[place])
    return with_spectra(case, spectra)


_POSITIVE = Each(SUPPORT, lambda k: Each(upto(SIZE), lambda i: SPECTRA[k, i] >= 0))
_TRACES = Each(SUPPORT, lambda k: powers(k, 1) == SIZE)
NOT_NEGATIVE = Given(
    "eigenvalues at least 0 on the support",
    _POSITIVE,
    r"$\lambda_i\ge0$ for each spectrum of the support",
    unless(_POSITIVE, _repaired),
    lambda case, random: _changed(case, -2, random),
    thin=True,
)
TRACES_D = Given(
    "trace d on the support",
    _TRACES,
    r"$\sum_i\lambda_i=d$ for each spectrum of the support",
    unless(_TRACES, _repaired),
    lambda case, random: _changed(case, random.choice((2, 3)), random),
    thin=True,
)
BELOW_1 = Given(
    "alpha below 1",
    ANY_ALPHA < 1,
    r"$\alpha<1$",
    unless(
        ANY_ALPHA < 1, lambda case, random: with_alpha(case, Fraction(random.randint(0, 9), 10))
    ),
    lambda case, random: with_alpha(case, random.choice((1, 2, 3))),
)
SUPPOSED = (LAW, NOT_NEGATIVE, TRACES_D, BELOW_1)


# (54), (55) ---------------------------------------------------------------------------------------
def display_54(sign: int) -> Term:
    """(54); sign 1 as printed, -1 mended."""
    rest = 8 * (1 - ANY_ALPHA)
    inside = mean_spectrum(lambda k: 2 * powers(k, 2) - sign * rest * powers(k, 3))
    return 2 * SIZE**2 - inside >= 0


def _raised(case: Tensors, random: Random, *, sign: int) -> Tensors:
    """alpha so large that (54) with this sign holds, where one below 1 is."""
    case = _repaired(to_law(case, random), random)
    d, weights = case.lengths["d"], case.arrays["p"].entries
    squares, cubes = (
        sum(p * sum(x**k for x in line) for p, line in zip(weights, spectra_of(case), strict=True))
        for k in (2, 3)
    )
    if cubes <= 0 or squares >= d * d:
        case = with_spectra(case, [[Fraction(1)] * d for _ in spectra_of(case)])
        squares = cubes = Fraction(d)
    rest = Fraction(d * d - squares, 4 * cubes)  # 0 for d = 1, where no alpha below 1 will do
    share = random.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 4)))
    return with_alpha(case, 1 - rest * share)


def _display(sign: int) -> Given:
    mark = {1: "-", -1: "+"}[sign]
    return Given(
        "(54)" if sign == 1 else "(54) with the sign mended",
        display_54(sign),
        r"$0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2"
        rf"{mark}8(1-\alpha)\lVert\lambda\rVert_3^3]$",
        unless(display_54(sign), partial(_raised, sign=sign)),
        lambda case, random: with_alpha(case, 1 + sign * random.choice((4, 10, 20))),
    )


def at_point(proof: Proof, k: Term, member: Fact) -> Numbers:
    """The spectrum at a point of the support."""
    positive = proof.at(proof.given[NOT_NEGATIVE.name], member)
    return Numbers(upto(SIZE), lambda i: SPECTRA[k, i], lambda inside: proof.at(positive, inside))


def positive_mean(proof: Proof, power: int) -> Fact:
    """The expectation of a sum of powers is at least 0."""
    law = proof.part(proof.given[LAW.name], 0)

    def point(k: Term, member: Fact) -> Fact:
        numbers, mass = at_point(proof, k, member), proof.at(law, member)

        def one(i: Term, inside: Fact) -> Fact:
            value = numbers.number(i)
            by = (mass, numbers.positive(inside)) if power % 2 else (mass,)
            return proof.algebra(P[k] * value**power >= 0, {}, [(1, value ** (power // 2), *by)])

        return proof.summed(numbers.many, one)

    whole = proof.summed(SUPPORT, point)
    return proof.algebra(mean_spectrum(lambda k: powers(k, power)) >= 0, {whole: 1})


def always_positive(proof: Proof) -> None:
    """(54) as printed: |l|_2^2 is at most d^2, and the cubes count with a factor above 0."""
    law, one = (proof.part(proof.given[LAW.name], part) for part in (0, 1))
    cubes = positive_mean(proof, 3)

    def point(k: Term, member: Fact) -> Fact:
        bound = squares_of_sums(proof, at_point(proof, k, member))
        trace, mass = proof.at(proof.given[TRACES_D.name], member), proof.at(law, member)
        below = proof.algebra(powers(k, 2) <= SIZE**2, {bound: 1, trace: -powers(k, 1) - SIZE})
        return proof.algebra(P[k] * powers(k, 2) <= P[k] * SIZE**2, {(below, mass): 1})

    squares = proof.summed(SUPPORT, point)
    proof.algebra(
        proof.goal,
        {squares: 2, (proof.given[BELOW_1.name], cubes): 8, one: -2 * SIZE**2},
    )


def cubes_from_mended(proof: Proof) -> None:
    """8 (1 - alpha) E |l|_3^3 is at most 2 d^2; divided by 8 (1 - alpha)."""
    below = proof.given[BELOW_1.name]
    rest = 1 - ANY_ALPHA
    share = Fraction(1) / rest
    (nonzero,) = proof.lemma(
        "divisor", proof.defined(proof.goal.args[1].args[1]), a=SIZE**2, b=rest
    )
    (inverse,) = proof.lemma("reciprocal", nonzero, b=rest)
    positive = proof.algebra(share >= 0, {inverse: -share}, [(1, share, below)])
    display = proof.given["(54) with the sign mended"]
    eighth, cubes = Fraction(1, 8), mean_spectrum(lambda k: powers(k, 3))
    proof.algebra(
        proof.goal,
        {
            (display, positive): eighth,
            (positive_mean(proof, 2), positive): 2 * eighth,
            inverse: cubes,
        },
    )


_SPECTRAL = stated(
    "dkbhl20.lem13_53.d",
    printed("proof of Lemma 13, eq. (54)"),
    "the inequality in terms of the spectrum",
    r"$0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2-8(1-\alpha)\lVert\lambda\rVert_3^3]$ (here for "
    r"every law on spectra and every $\alpha<1$).",
    display_54(1),
    SUPPOSED,
    pool=LAWS_ON_SPECTRA,
    proofs=[always_positive],
)
_CUBES = stated(
    "dkbhl20.lem13_53.e.from54",
    printed("proof of Lemma 13, eq. (55)"),
    "bound on the cubes, as a step from (54)",
    r"From (54): $\mathbb E\lVert\lambda\rVert_3^3\le d^2/(1-\alpha)$ (here for every law on "
    r"spectra and every $\alpha<1$).",
    mean_spectrum(lambda k: powers(k, 3)) <= SIZE**2 / (1 - ANY_ALPHA),
    (*SUPPOSED, _display(1)),
    pool=LAWS_ON_SPECTRA,
    depends=("dkbhl20.lem13_53.d",),
)
_CUBES_REPAIRED = stated(
    "dkbhl20.lem13_53.e.from54.fix",
    printed("proof of Lemma 13, eq. (55)"),
    "bound on the cubes, as a step from (54), repaired",
    r"From $0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2+8(1-\alpha)\lVert\lambda\rVert_3^3]$: "
    r"$\mathbb E\lVert\lambda\rVert_3^3\le\frac14d^2/(1-\alpha)$.",
    mean_spectrum(lambda k: powers(k, 3)) <= Fraction(1, 4) * (SIZE**2 / (1 - ANY_ALPHA)),
    (*SUPPOSED, _display(-1)),
    pool=LAWS_ON_SPECTRA,
    depends=("dkbhl20.lem13_53.d",),
    repairs="dkbhl20.lem13_53.e.from54",
    proofs=[cubes_from_mended],
)


# (56) ---------------------------------------------------------------------------------------------
def squares_by_cubes(proof: Proof) -> None:
    """Cauchy and Schwarz: the sum of the l_i l_j (l_i - l_j)^2 is at least 0."""
    numbers = of_case(proof)
    below_root(
        proof, numbers.total(2), numbers.total(1) * numbers.total(3), cauchy_schwarz(proof, numbers)
    )


def trace_is_d(proof: Proof) -> None:
    """The second one is an equality."""
    trace = proof.given[TRACE_D.name]
    one, other = proof.goal.args
    equal = proof.same(one == other, [trace])
    proof.algebra(proof.goal, {equal: -1})


_NORMS = stated(
    "dkbhl20.lem13_53.f@B",
    printed("proof of Lemma 13, eq. (56)"),
    "squares by cubes",
    r"$\lVert\lambda\rVert_2^2=\sum_i\lambda_i^2=\sum_i\lambda_i^{1/2}\lambda_i^{3/2}\le"
    r"\sqrt{\sum_i\lambda_i\sum_j\lambda_j^3}\le\sqrt{d\lVert\lambda\rVert_3^3}$.",
    (power_sum(2) <= sqrt(power_sum(1) * power_sum(3)))
    & (sqrt(power_sum(1) * power_sum(3)) <= sqrt(dim(L) * power_sum(3))),
    (NON_NEGATIVE, TRACE_D),
    pool=ONE_SPECTRUM,
    reading="B",
    reading_text=r"the double sum is $\sum_i\lambda_i\sum_j\lambda_j^3$",
    proofs=[squares_by_cubes, trace_is_d],
)


# (50), (53), (55), (57) ---------------------------------------------------------------------------
_REMAINDER = mean(frobenius_change) >= -6 * WIDTH**2


def _wide_and_correlated(case: Tensors, random: Random) -> Tensors:
    """Equal correlations at a width at which delta_F falls below -6 d^2."""
    lines = correlated(WIDE, Fraction(random.choice((5, 6, 7)), 8))
    return with_matrices(case, [lines] * case.lengths["s"])


def _nearer(case: Tensors, random: Random) -> Tensors:
    """Weakly correlated matrices of the same size."""
    off = Fraction(random.randint(0, 2), 16)
    return drawn_for(case, lambda size, _: correlated(size, off), random)


REMAINDER = Given(
    "remainder of (52)",
    _REMAINDER,
    r"$\mathbb E_{H\sim\nu}\delta_F(M(H))\ge-6d^2$, as (52) says of every invariant $\nu$ for "
    r"$\gamma$ so small that the remainder of Lemma 7 is at most $6d^2$ (more is not asked)",
    unless(_REMAINDER, _nearer),
    _wide_and_correlated,
)
BOUNDED = (*CARRIED, ALPHA_BELOW_1, REMAINDER)
SMALL = (
    r"if $\nu_\gamma$ is invariant, $\alpha<1$ and $\gamma$ is sufficiently small (here for laws "
    "of finite support)"
)
HALVES = Fraction(3, 2)
NORM, END = mean(frob2), WIDTH**HALVES / sqrt(1 - ALPHA)
ROOTS = mean(lambda a: sqrt(WIDTH * norm_power(a, 3)))
ROOT = sqrt(WIDTH * mean(lambda a: norm_power(a, 3)))
BOUND = NORM <= END
CHAIN = (NORM <= ROOTS) & (ROOTS <= ROOT) & (ROOT <= END)
BOUND_ON_CUBES = mean(lambda a: norm_power(a, 3)) <= WIDTH**2 / (1 - ALPHA)
DISPLAY_53 = 2 * WIDTH**2 - mean(lambda a: 2 * frob2(a) - 8 * (1 - ALPHA) * trace_of_cube(a)) >= 0

CLAIMS: tuple[Claim, ...] = (
    stated(
        "dkbhl20.lem13.a",
        printed("Lemma 13, eq. (50)"),
        "bound on the Frobenius norm",
        r"$\mathbb E_{H\sim\nu_\gamma}[\lVert M(H)\rVert_F^2]\le d^{3/2}/\sqrt{1-\alpha}$ "
        + SMALL
        + ".",
        BOUND,
        BOUNDED,
        pool=LAWS,
        depends=("dkbhl20.lem13_53.f@B", "dkbhl20.def3.b"),
        proof=arguments.frobenius_is_bounded,
    ),
    stated(
        "dkbhl20.lem13.b@B",
        printed("proof of Lemma 13, eq. (57)"),
        "chain of bounds",
        r"$\mathbb E_{H\sim\nu_\gamma}[M(H)]=\mathbb E[\lVert\lambda\rVert_2^2]\le\mathbb E"
        r"\sqrt{d\lVert\lambda\rVert_3^3}\le\sqrt{d\,\mathbb E\lVert\lambda\rVert_3^3}\le "
        r"d^{3/2}/\sqrt{1-\alpha}$ " + SMALL + ".",
        CHAIN,
        BOUNDED,
        pool=LAWS,
        depends=("dkbhl20.lem13_53.f@B",),
        reading="B",
        reading_text=r"the left end is the number $\mathbb E\lVert M(H)\rVert_F^2$",
        proof=arguments.chain_is_bounded,
    ),
    stated(
        "dkbhl20.lem13_53.c",
        printed("proof of Lemma 13, eq. (53)"),
        "the inequality with the regularity constant",
        r"$0\le2d^2-\mathbb E_{H\sim\nu_\gamma}[2\lVert M(H)\rVert_F^2-8(1-\alpha)"
        r"\mathrm{Tr}(M(H)^3)]$ for sufficiently small $\gamma$ (here for every law $\nu$ on "
        r"$\mathcal H$ with $\alpha<1$).",
        DISPLAY_53,
        (*CARRIED, ALPHA_BELOW_1),
        pool=LAWS,
        depends=("dkbhl20.def3.b",),
        proof=arguments.sign_makes_it_trivial,
    ),
    _SPECTRAL,
    _CUBES,
    _CUBES_REPAIRED,
    stated(
        "dkbhl20.lem13_53.e",
        printed("proof of Lemma 13, eq. (55)"),
        "bound on the cubes",
        r"$\mathbb E\lVert\lambda\rVert_3^3\le d^2/(1-\alpha)$ " + SMALL + ".",
        BOUND_ON_CUBES,
        BOUNDED,
        pool=LAWS,
        depends=("dkbhl20.def3.b",),
        proof=arguments.cubes_are_bounded,
    ),
    _NORMS,
)
