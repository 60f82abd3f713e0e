"""Definition 3, part (b), and Example 11: the regularity constant, for laws of finite support.

In (83) the left side of the second equation is the trace and the norm without index the 3-norm, as
in Proposition 8; its right sides are taken in expectation. (84) and (86) are said of each point of
the support, lambda the eigenvalues of M(H).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from verify.claim import Claim, Kind
from verify.language.building import Each, Sum, card, eigenvalues, sqrt, upto
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.normalised_hypotheses import NON_NEGATIVE as NUMBERS_NOT_NEGATIVE
from verify.normalised_hypotheses import TRACE_D
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
from verify.papers.dkbhl20.spectra import EQUALITY, flatness
from verify.papers.dkbhl20.spectra import SPECTRA as NUMBERS
from verify.papers.dkbhl20.spectrum import (
    LAMBDA,
    NON_NEGATIVE,
    PLACES,
    SPECTRA,
    below_root,
    cauchy_schwarz,
    of_case,
    power_sum,
)
from verify.stated import stated

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


# claims -------------------------------------------------------------------------------------------
CONSTANT = Claim(
    "dkbhl20.def3.a",
    Kind.DEFINITION,
    printed("Definition 3, eq. (46)"),
    "regularity constant",
    r"$\nu$ a distribution over $H\in\mathcal H$; $\alpha=\mathbb E_{H\sim\nu}[\mathrm{Tr}"
    r"(\mathrm{diag}(M(H)^2)^2)]/\mathbb E_{H\sim\nu}[\mathrm{Tr}(M(H)^3)]$.",
)

ONLY_FLAT = Claim(
    "dkbhl20.ex11.e.only",
    Kind.IDENTITY,
    printed("details of Example 11, after eq. (86)"),
    "equality holds only for equal eigenvalues",
    r"$\lVert\lambda\rVert_3^3=\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/"
    r"\lVert\lambda\rVert_1$ is met only when all non-zero eigenvalues are equal.",
    (NUMBERS_NOT_NEGATIVE, TRACE_D, EQUALITY),
    ("dkbhl20.ex11.d",),
    flatness,
    NUMBERS,
    proof=arguments.equality_in_cauchy_schwarz,
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
        proof=partial(arguments.cubes_dominate, DOMINATES),
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
        proof=partial(arguments.flat_where_alpha_is_1, FLAT),
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
        proof=partial(arguments.expectations_of_traces, TRACES),
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
        proof=partial(arguments.norms_at_alpha_1, BELOW),
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
        proof=partial(arguments.norms_at_alpha_1, EQUALITY_AT_1),
    ),
    ONLY_FLAT,
)
