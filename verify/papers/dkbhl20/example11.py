"""Definition 3, part (b), and Example 11: the regularity constant, for laws of finite support.

In (83) the left side of the second equation is the trace and the norm without index the 3-norm, as
in Proposition 8; its right sides are taken in expectation. (84) and (86) are said of each point of
the support, lambda the eigenvalues of M(H).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.language.building import Each, Filter, Sum, card, dim, eigenvalues, sqrt, upto
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20 import example11_arguments as arguments
from verify.papers.dkbhl20.laws import (
    ALPHA_AT_LEAST_1,
    CARRIED,
    CUBES,
    EQUAL_ROWS,
    LAWS,
    SQUARES,
    SUPPORT,
    WIDTH,
    mean,
    moments,
    nonzero,
    norm_power,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum import (
    LAMBDA,
    NON_NEGATIVE,
    PLACES,
    SPECTRA,
    TRACE_D,
    Numbers,
    at_most_total,
    below_root,
    cauchy_schwarz,
    of_case,
    power_sum,
    with_numbers,
)
from verify.statements.stated import Given, stated

EQUAL = (*CARRIED, EQUAL_ROWS)


def on_support(says: Callable[[Term], Term]) -> Term:
    """What is said of each M(H) of the support."""
    return Each(SUPPORT, lambda k: says(moments(k)))


def all_equal(a: Term) -> Term:
    """All non-zero eigenvalues are equal."""
    values = nonzero(eigenvalues(a))
    return Each(upto(card(values)), lambda i: values[i] == values[1])


def fourth_power(a: Term) -> Term:
    """|lambda|_2^4."""
    return norm_power(a, 2) ** 2


def trace_is_d(a: Term) -> Term:
    """|lambda|_2^4/d = |lambda|_2^4/|lambda|_1."""
    return fourth_power(a) / WIDTH == fourth_power(a) / norm_power(a, 1)


DOMINATES = CUBES >= SQUARES
FLAT = on_support(all_equal)
TRACES = (mean(lambda a: norm_power(a, 3)) == CUBES) & (
    mean(lambda a: fourth_power(a) / WIDTH) == SQUARES
)
BELOW = on_support(lambda a: (norm_power(a, 3) <= fourth_power(a) / WIDTH) & trace_is_d(a))
EQUALITY_AT_1 = on_support(lambda a: (norm_power(a, 3) == fourth_power(a) / WIDTH) & trace_is_d(a))


# (85) ---------------------------------------------------------------------------------------------
def double_sum(power: int) -> Term:
    """sum_ij l_i^k l_j^k."""
    return Sum(PLACES, lambda i: Sum(PLACES, lambda j: LAMBDA[i] ** power * LAMBDA[j] ** power))


INSIDE, ENDS = double_sum(1) * double_sum(3), power_sum(1) * power_sum(3)


def below_product(proof: Proof) -> None:
    """|l|_2^8 is at most (|l|_1 |l|_3^3)^2."""
    squares = power_sum(2)
    bound = cauchy_schwarz(proof, of_case(proof))
    more = proof.algebra(ENDS + squares**2 >= 0, {bound: 1}, [(2, squares)])
    fourth = proof.algebra(squares**4 <= INSIDE, {(bound, more): 1})
    below_root(proof, squares**2, INSIDE, fourth)


def root_of_product(proof: Proof) -> None:
    """The double sums are squares of sums."""
    bound = cauchy_schwarz(proof, of_case(proof))
    positive = proof.algebra(ENDS >= 0, {bound: 1}, [power_sum(2)])
    radicand = proof.algebra(INSIDE >= 0, {}, [ENDS])
    _, square = proof.lemma("root", radicand, x=INSIDE)
    root = sqrt(INSIDE)

    def above(known: Fact) -> Fact:
        more = proof.algebra(root**2 > INSIDE, {(known, known): 1, (known, positive): 2})
        less = proof.algebra(root**2 <= INSIDE, {square: -1})
        return proof.absurd(root <= ENDS, more, less)

    one = proof.cases(root <= ENDS, lambda known: proof.algebra(root <= ENDS, {known: 1}), above)
    squared = proof.algebra(ENDS**2 <= INSIDE, {})
    proof.both(one, below_root(proof, ENDS, INSIDE, squared))


# (86) ---------------------------------------------------------------------------------------------
NOT_0 = Filter(PLACES, lambda i: LAMBDA[i] != 0)


def norm_of_numbers(k: int) -> Term:
    """|lambda|_k^k."""
    return Sum(PLACES, lambda i: abs(LAMBDA[i]) ** k)


FOURTH = norm_of_numbers(2) ** 2


def _flat(case: Tensors, random: Random) -> Tensors:
    """All numbers that are not 0 of one size, which (86) asks for."""
    signs = [(x > 0) - (x < 0) for x in case.arrays["lambda"].entries]
    signs = signs if any(signs) else [1] * len(signs)
    size = Fraction(len(signs), sum(map(abs, signs)))
    return with_numbers(case, [size * sign for sign in signs], held=True)


def _not_flat(case: Tensors, random: Random) -> Tensors:
    first, *others = map(abs, case.arrays["lambda"].entries)
    return with_numbers(case, [first + random.randint(1, 3), *others])


EQUALITY = Given(
    "equality in (86)",
    (norm_of_numbers(3) == FOURTH / dim(LAMBDA))
    & (FOURTH / dim(LAMBDA) == FOURTH / norm_of_numbers(1)),
    r"$\lVert\lambda\rVert_3^3=\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/"
    r"\lVert\lambda\rVert_1$",
    _flat,
    _not_flat,
    thin=True,
)


def equal_where_not_0(proof: Proof) -> None:
    """sum_ij l_i l_j (l_i - l_j)^2 = 2 (sum l sum l^3 - (sum l^2)^2) is 0, and so is each term."""
    numbers, equality = of_case(proof), proof.part(proof.given[EQUALITY.name], 0)

    def without_signs(k: int) -> Fact:
        def one(i: Term, member: Fact) -> Fact:
            (same,) = proof.lemma("absolute", numbers.positive(member), x=LAMBDA[i])
            return proof.same(abs(LAMBDA[i]) ** k == LAMBDA[i] ** k, [same])

        return proof.summed(PLACES, one)

    size = dim(LAMBDA)
    (apart,) = proof.lemma("divisor", proof.defined(FOURTH / size, equality), a=FOURTH, b=size)
    (inverse,) = proof.lemma("reciprocal", apart, b=size)
    told = proof.same(
        power_sum(3) == power_sum(2) ** 2 / size, [without_signs(2), without_signs(3)], equality
    )
    trace = proof.given[TRACE_D.name]
    first, second, third = map(power_sum, (1, 2, 3))
    equal = proof.algebra(
        first * third == second**2, {told: size, inverse: second**2, trace: third}
    )

    def term(i: Term, j: Term) -> Term:
        return LAMBDA[i] * LAMBDA[j] * (LAMBDA[i] - LAMBDA[j]) ** 2

    def term_positive(i: Term, one: Fact, j: Term, other: Fact) -> Fact:
        both = numbers.positive(one), numbers.positive(other)
        return proof.algebra(term(i, j) >= 0, {}, [(1, LAMBDA[i] - LAMBDA[j], *both)])

    def row(i: Term) -> Term:
        return Sum(PLACES, lambda j: term(i, j))

    def row_positive(i: Term, one: Fact) -> Fact:
        each = proof.each(PLACES, lambda j, other: term_positive(i, one, j, other))
        return proof.algebra(row(i) >= 0, {proof.sum(each): 1})

    (i, j), chosen = proof.elements, [proof.filtered(one) for one in proof.way]
    inside, apart_from_0 = ([proof.part(one, k) for one in chosen] for k in (0, 1))
    rows = Numbers(PLACES, row, lambda member: row_positive(member.term.args[0], member))
    entries = Numbers(
        PLACES,
        lambda k: term(i, k),
        lambda member: term_positive(i, inside[0], member.term.args[0], member),
    )
    above = at_most_total(proof, rows, i, inside[0])
    within = at_most_total(proof, entries, j, inside[1])
    at_most_0 = proof.algebra(term(i, j) <= 0, {above: 1, within: 1, equal: -2})
    values = [
        _above_0(proof, LAMBDA[k], numbers.positive(member), other)
        for k, member, other in zip((i, j), inside, apart_from_0, strict=True)
    ]

    def bound(one: Term, other: Term) -> Fact:
        def larger(known: Fact) -> Fact:
            more = proof.algebra(term(i, j) > 0, {(*values, known, known): 1})
            return proof.absurd(one <= other, more, at_most_0)

        return proof.cases(
            one <= other, lambda known: proof.algebra(one <= other, {known: 1}), larger
        )

    proof.both(bound(LAMBDA[i], LAMBDA[j]), bound(LAMBDA[j], LAMBDA[i]))


def _above_0(proof: Proof, value: Term, positive: Fact, apart: Fact) -> Fact:
    """x > 0, where x >= 0 and it is not 0."""

    def not_above(known: Fact) -> Fact:
        at_most = proof.algebra(value <= 0, {known: 1})
        zero = proof.both(at_most, proof.algebra(value >= 0, {positive: 1}))
        return proof.absurd(value > 0, zero, apart)

    return proof.cases(value > 0, lambda known: proof.algebra(value > 0, {known: 1}), not_above)


# claims -------------------------------------------------------------------------------------------
CONSTANT = Claim(
    "dkbhl20.def3.a",
    Kind.DEFINITION,
    printed("Definition 3, eq. (46)"),
    "regularity constant",
    r"$\nu$ a distribution over $H\in\mathcal H$; $\alpha=\mathbb E_{H\sim\nu}[\mathrm{Tr}"
    r"(\mathrm{diag}(M(H)^2)^2)]/\mathbb E_{H\sim\nu}[\mathrm{Tr}(M(H)^3)]$.",
)

CLAIMS = (
    CONSTANT,
    stated(
        "dkbhl20.def3.b",
        printed("Appendix E, before Definition 3"),
        "the trace of the cube dominates",
        r"In expectation $\mathrm{Tr}(M(H)^3)$ dominates $\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)$: "
        r"$\mathbb E_{H\sim\nu}\mathrm{Tr}(M(H)^3)\ge\mathbb E_{H\sim\nu}\mathrm{Tr}"
        r"(\mathrm{diag}(M(H)^2)^2)$ for a distribution $\nu$ over $\mathcal H$ (here of finite "
        r"support; a single matrix is one).",
        DOMINATES,
        CARRIED,
        pool=LAWS,
        proof=arguments.cubes_dominate,
    ),
    stated(
        "dkbhl20.ex11.a",
        printed("Example 11"),
        "all non-zero eigenvalues are equal",
        r"Suppose the support of $\nu$ contains only matrices $H\in\mathcal H$ for which all rows "
        r"of "
        r"$M(H)$ have the same norm. If the regularity constant of $\nu$ is greater than or equal "
        r"to "
        r"one, then all non-zero eigenvalues of $M(H)$ are equal.",
        FLAT,
        (*EQUAL, ALPHA_AT_LEAST_1),
        pool=LAWS,
        depends=("dkbhl20.prop8.e", "dkbhl20.ex11.d", "dkbhl20.ex11.e.only"),
        proof=arguments.flat_where_alpha_is_1,
    ),
    stated(
        "dkbhl20.ex11.b@BBB",
        printed("details of Example 11, eq. (83)"),
        "expectations of the traces",
        r"$\mathbb E[\mathrm{Tr}(M(H)^3)]=\lVert\lambda\rVert^3$, "
        r"$\mathbb E[\mathrm{diag}(M(H)^2)^2]=\lVert\lambda\rVert_2^4/d$.",
        TRACES,
        EQUAL,
        pool=LAWS,
        depends=("dkbhl20.prop8.a@BA",),
        reading="BBB",
        reading_text=r"the left side of the second equation is the trace; $\lVert\lambda\rVert^3$ "
        r"is "
        r"$\lVert\lambda\rVert_3^3$; the right sides are taken in expectation",
        proof=arguments.expectations_of_traces,
    ),
    stated(
        "dkbhl20.ex11.c",
        printed("details of Example 11, eq. (84)"),
        "cubes are at most the fourth power over d",
        r"If the regularity constant of $\nu$ is at least one, $\lVert\lambda\rVert_3^3\le"
        r"\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/\lVert\lambda\rVert_1$.",
        BELOW,
        (*EQUAL, ALPHA_AT_LEAST_1),
        pool=LAWS,
        depends=("dkbhl20.ex11.b@BBB",),
        proof=arguments.norms_at_alpha_1,
    ),
    stated(
        "dkbhl20.ex11.d",
        printed("details of Example 11, eq. (85)"),
        "the fourth power is at most the product of two norms",
        r"$\lVert\lambda\rVert_2^4=\sum_{i,j}\lambda_i^2\lambda_j^2=\sum_{i,j}(\lambda_i\lambda_j)"
        r"^{1/2}(\lambda_i\lambda_j)^{3/2}\le\sqrt{\big(\sum_{i,j}\lambda_i\lambda_j\big)"
        r""
        r"\big(\sum_{i,j}\lambda_i^3\lambda_j^3\big)}=\lVert\lambda\rVert_1\lVert\lambda\rVert_3^3$.",
        (power_sum(2) ** 2 <= sqrt(INSIDE)) & (sqrt(INSIDE) == ENDS),
        (NON_NEGATIVE,),
        pool=SPECTRA,
        proofs=[below_product, root_of_product],
    ),
    stated(
        "dkbhl20.ex11.e",
        printed("details of Example 11, eq. (86)"),
        "equality of the norms",
        r"If the regularity constant of $\nu$ is at least one, $\lVert\lambda\rVert_3^3="
        r"\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/\lVert\lambda\rVert_1$.",
        EQUALITY_AT_1,
        (*EQUAL, ALPHA_AT_LEAST_1),
        pool=LAWS,
        depends=("dkbhl20.ex11.c", "dkbhl20.ex11.d"),
        proof=arguments.norms_at_alpha_1,
    ),
    stated(
        "dkbhl20.ex11.e.only",
        printed("details of Example 11, after eq. (86)"),
        "equality holds only for equal eigenvalues",
        r"$\lVert\lambda\rVert_3^3=\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/"
        r"\lVert\lambda\rVert_1$ is met only when all non-zero eigenvalues are equal.",
        Each(NOT_0, lambda i: Each(NOT_0, lambda j: LAMBDA[i] == LAMBDA[j])),
        (NON_NEGATIVE, TRACE_D, EQUALITY),
        pool=SPECTRA,
        depends=("dkbhl20.ex11.d",),
        proofs=[equal_where_not_0],
    ),
)
