"""Lemmas K.4, K.7 and K.8: linear forms, matrices and series of matrices of a Gaussian vector.

The frequency with which a bound fails is compared with the printed one where the law is elementary
(verify.papers.zlb22.gaussian_laws), and sampled elsewhere (gaussian_samples). The radius R enters
by inequalities between norms that hold of every displacement: see shifts. Here it is that of the
ball in the limit of small R, or cancels.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.building import (
    Filter,
    Prod,
    Vector,
    When,
    Whole,
    dim,
    exp,
    frob2,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.zlb22.appendix_k import series_as_product
from verify.papers.zlb22.gaussian_laws import (
    ABOVE_0,
    AT_LEAST_0,
    KNOWN_LAW,
    LAW,
    SIZES_DIFFER,
    STANDARD,
    different_sizes,
    fixed,
    largest,
    law_pool,
    made_of_weights,
    own,
    sizes,
    t,
    under_sizes,
)
from verify.papers.zlb22.gaussian_samples import PRODUCT_SAMPLES, SERIES_SAMPLES
from verify.papers.zlb22.gaussian_tails import by_law, chi_tail, normal_tail
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.symbols import TWO_INDICES, same
from verify.statements.stated import stated

CONCENTRATION = (
    "Gaussian concentration: a function f with Lipschitz constant l exceeds E f + s l with "
    "probability at most exp(-s^2/2)"
)
MOMENTS = (
    "E exp(s g) = exp(s^2/2) for a standard normal g, Markov's inequality, and that a.g/|a| is "
    "standard normal for a fixed a"
)
TROPP = (
    "Tropp, An introduction to matrix concentration inequalities (2015), Theorem 4.1.1: the tail "
    "of a matrix Gaussian series"
)


# Lemma K.4 ----------------------------------------------------------------------------------------
a = Vector("a", "n")
FORM_FAILS = made_of_weights(t, When(frob2(a) == 0, 0, by_law(normal_tail, t)))
"""P(|a.w0| > |a| t); for a = w0 that is P(|w0| > t)."""
FORM = 2 * exp(-(t**2) / 2) >= FORM_FAILS


FIXED_VECTOR = fixed("$a$ does not depend on $w_0$", 4)


def chernoff() -> Argument:
    """The exponent -s t + s^2/2 at s = t."""
    ring = ring_of(2)
    s, t = ring.generators
    exponent = s * s - 2 * s * t
    square = same(ring, "2(s^2/2 - s t) = (s - t)^2 - t^2", exponent, (s - t) ** 2 - t * t)
    at_t = Step("which is -t^2 at s = t", ring.is_zero(t * t - 2 * t * t + t * t))
    return Argument(
        "P(g > t) is at most exp(s^2/2 - s t) for every s, so exp(-t^2/2); both sides together "
        "give 2 exp(-t^2/2); |a.(w - w0)| is at most R |a|",
        (square, at_t),
        (MOMENTS,),
        uses=(FIXED_VECTOR.name, STANDARD.name, ABOVE_0.name),
        section="docs/mathematics/zlb22.md#a-gaussian-linear-form",
        cites=("zlb22.lemK.4.sup",),
    )


# Lemma K.7 ----------------------------------------------------------------------------------------
FROBENIUS = sqrt(2 * frob2(sizes))
PRODUCT_FAILS = made_of_weights(1 + t, under_sizes(FROBENIUS + t * largest(sizes)))
"""P(|A w0| > |A|_F + t |A|) for A with the singular values s_i, each twice; for A = w0^T that is
P(|w0| > 1 + t)."""
PRODUCT = 2 * exp(-(t**2) / 2) >= PRODUCT_FAILS


FIXED_MATRIX = fixed("$A$ does not depend on $w_0$", 12)


def norms_concentrate() -> Argument:
    """E |A w|^2 = |A|_F^2, with two rows and two columns of symbols."""
    ring = ring_of(6)
    a, b, c, d, v, w = ring.generators
    square = (a * v + b * w) ** 2 + (c * v + d * w) ** 2
    laplacian = sum((ring.derivative(ring.derivative(square, x), x) for x in (4, 5)), start=a * 0)
    frobenius = a * a + b * b + c * c + d * d
    return Argument(
        "E |A w0| is at most the root of E |A w0|^2 = |A|_F^2, w -> |A w| has the Lipschitz "
        "constant |A|, so |A w0| exceeds |A|_F + t |A| with probability at most exp(-t^2/2): "
        "c = 1/2, without the factor 2; |A (w - w0)| is at most R |A|",
        (same(ring, "the Laplacian of |A w|^2 is 2 |A|_F^2", laplacian, 2 * frobenius),),
        (
            "the mean of a quadratic form of a standard normal vector is half its Laplacian",
            TWO_INDICES,
            CONCENTRATION,
            "Jensen's inequality",
        ),
        uses=(FIXED_MATRIX.name, STANDARD.name, ABOVE_0.name, SIZES_DIFFER.name),
        section="docs/mathematics/zlb22.md#a-gaussian-vector-under-a-matrix",
        cites=("zlb22.lemK.7.shift",),
    )


# Lemma K.8 ----------------------------------------------------------------------------------------
units = Vector("sizes", "n", meaning="what the units of a diagonal are multiplied by")
row, more = Whole("row", 0, 1), Whole("more", 0, 3)


def largest_of_units(x: Term) -> Term:
    """P(max |s_k g_k| > max |s_k| x)."""
    places = Filter(upto(dim(units)), lambda k: units[k] != 0)
    return 1 - Prod(places, lambda k: 1 - normal_tail(x * largest(units) / abs(units[k])))


UNITS_FAIL = When(
    row == 1,
    by_law(lambda x: chi_tail(dim(units), x), t * sqrt(dim(units))),
    by_law(largest_of_units, t),
)
SERIES_FAILS = made_of_weights(t, UNITS_FAIL)
"""P(|Z| > t sqrt(nu)). Units in different places of a diagonal, A_k = s_k E_kk: |Z| is the largest
|s_k g_k|, nu the largest s_k^2. Units of one row: |Z| = |g|, nu = n. For A_k = g_k, numbers:
Z = |g|^2, nu = |g|^2."""
DIMENSIONS = When(own == 1, 2, dim(units) + When(row == 1, 1, dim(units)) + more)
"""d1 + d2."""
SERIES = DIMENSIONS * exp(-(t**2) / 2) >= SERIES_FAILS


FIXED_SERIES = fixed(r"the $A_k$ do not depend on $\gamma$", 6)


def tail_and_shift() -> Argument:
    """The cited tail at the centre, and what the shift adds."""
    shift = series_as_product()
    return Argument(
        "at the centre this is the cited theorem; the shift adds at most R sqrt(nu), whatever "
        f"Delta is: {shift.summary}",
        shift.steps,
        (TROPP, *shift.trusted),
        uses=(FIXED_SERIES.name, STANDARD.name, AT_LEAST_0.name),
        section="docs/mathematics/zlb22.md#shifts",
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    stated(
        "zlb22.lemK.4",
        printed("Lemma K.4, eq. (44)"),
        "linear form of a Gaussian vector",
        r"Given a fixed $a\in\mathbb R^n$ and $w_0\sim\mathcal N(0,I_n)$, with probability at "
        r"least $1-2\exp(-t^2/2)$, for any $w\in\mathsf B(w_0,R)$, $R>0$, $t>0$: "
        r"$|a^Tw|\le\lVert a\rVert(t+R)$. (At every $w$ of the ball at once: the largest $|a^Tw|$ "
        r"is $|a^Tw_0|+R\lVert a\rVert$, so the probability does not depend on $R$.)",
        FORM,
        (LAW, FIXED_VECTOR, STANDARD, ABOVE_0),
        depends=("zlb22.lemK.4.sup",),
        pool=law_pool(a),
        exact_only=True,
        proof=chernoff,
        through=KNOWN_LAW,
    ),
    stated(
        "zlb22.lemK.7",
        printed("Lemma K.7, eq. (47)"),
        "matrix times a Gaussian vector",
        r"For a fixed matrix $A$ and $w_0\sim\mathcal N(0,I)$, for any $w\in\mathsf B(w_0,R)$, "
        r"$R>0$, $t>0$, with probability at least $1-2\exp(-ct^2)$, $c$ an absolute constant: "
        r"$\lVert Aw\rVert\le\lVert A\rVert_F+(t+R)\lVert A\rVert$. Here $c=1/2$; "
        r"exactly for $A$ of the singular values `sizes`, each twice, at the centre of the ball, "
        r"where the left side is as large as $R$ lets it be.",
        PRODUCT,
        (LAW, FIXED_MATRIX, STANDARD, ABOVE_0, SIZES_DIFFER),
        depends=("zlb22.lemK.7.shift",),
        pool=law_pool(sizes, adapt=different_sizes),
        exact_only=True,
        proof=norms_concentrate,
        through=KNOWN_LAW,
        sampled=PRODUCT_SAMPLES,
    ),
    stated(
        "zlb22.lemK.8",
        printed("Lemma K.8, eqs (48) to (50)"),
        "matrix Gaussian series",
        r"Let $A_1,\dots,A_n\in\mathbb R^{d_1\times d_2}$ be fixed, $\gamma_k$ independent "
        r"standard normal and $Z=\sum_k(\gamma_k+\Delta_k)A_k$ with $\Delta$ fixed, "
        r"$\lVert\Delta\rVert\le R$. For any $t\ge0$, with probability at least "
        r"$1-(d_1+d_2)\exp(-t^2/2)$, "
        r"$\lVert Z\rVert\le(t+R)\sqrt\nu$, $\nu=\max(\lVert\sum_kA_kA_k^T\rVert,"
        r"\lVert\sum_kA_k^TA_k\rVert)$. Exactly for $\Delta=0$ and units of a diagonal, or of a "
        r"row (`row`), with $d_1+d_2$ larger by `more`; the shift is zlb22.lemK.8.shift.",
        SERIES,
        (LAW, FIXED_SERIES, STANDARD, AT_LEAST_0),
        depends=("zlb22.lemK.4", "zlb22.lemK.8.shift"),
        pool=law_pool(units, row, more),
        exact_only=True,
        sampled=SERIES_SAMPLES,
        proof=tail_and_shift,
        through=KNOWN_LAW,
    ),
)
