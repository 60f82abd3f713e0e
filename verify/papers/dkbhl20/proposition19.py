"""Proposition 19: stochastic gradients of the last layer where its input has rank one (Appendix H).

The last layer has weights V = W_(L+1) (o, d) and inputs H (d, N); the loss is any l(y, z) >= 0 that
is differentiable. Numbers E_i and vectors g_i are its values and gradients at the outputs z_i of
some instance exactly where E_i >= 0, and g_i = 0 where E_i = 0 (a minimum): E_i exp(g_i . (z -
z_i)/E_i), or 0, has them, and a loss may differ from target to target. Row k of dL_i/dV is
g_ik h_i, which is (97), looked at for the squared loss.

The factor of (96) is some real number, for all samples at which its quotient is defined. Of step
(d), printed as h_i = c h_i, the right side is h_j.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Kind
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Rate,
    Vector,
    When,
    cols,
    column,
    dim,
    dot,
    frob2,
    implies,
    matrix,
    norm,
    outer,
    rank,
    rows,
    upto,
)
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.dkbhl20 import proposition19_arguments as arguments
from verify.papers.dkbhl20.drawing import Rows, held, in_roles
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import listed, rows_of, with_entries, with_rows, with_value
from verify.statements.stated import Given, pool_with, stated, true_of, unless

H = Matrix("H", "d", "N", meaning="the inputs of the last layer, a column for each sample")
G = Matrix("G", "o", "N", meaning="the gradients of the losses in the outputs, as columns")
E = Vector("E", "N", meaning="the values of the losses")
W, X, S = Matrix("W", "d", "d"), Matrix("X", "d", "N"), Number("s")
SAMPLES, NEURONS = upto(cols(G)), upto(rows(G))
_Z = W @ X
ACTIVE = matrix(rows(W), cols(X), lambda i, j: When(_Z[i, j] > 0, _Z[i, j], S * _Z[i, j]))
"""sigma(W X), s the slope of sigma left of 0."""


# what is said -------------------------------------------------------------------------------------
def of_pairs(says: Callable[[Term, Term], Term], hidden: Term = H) -> Term:
    """What is said of the gradients of L_i and L_j in row k of V, for all k, i, j."""
    return Each(
        NEURONS,
        lambda k: Each(
            SAMPLES,
            lambda i: Each(
                SAMPLES,
                lambda j: says(G[k, i] * column(hidden, i), G[k, j] * column(hidden, j)),
            ),
        ),
    )


def aligned(a: Term, b: Term) -> Term:
    """a and b lie on one line through 0."""
    return dot(a, b) ** 2 == frob2(a) * frob2(b)


def equal_but_for_sign(a: Term, b: Term) -> Term:
    """a/|a| is b/|b| or its negative."""
    one, other = a / norm(a), b / norm(b)
    return (one == other) | (one == -other)


def multiple(a: Term, b: Term) -> Term:
    """a is a real number times b."""
    return implies(frob2(b) == 0, frob2(a) == 0) & aligned(a, b)


# cases --------------------------------------------------------------------------------------------
def _small(random: Random) -> Fraction:
    """An integer of at most 2, a third of them 0."""
    return Fraction(random.choice((0, 0, 1, -1, 2, -2)))


def _product(height: int, count: int, random: Random, *, least: int = -2) -> Rows:
    """u v^T in small integers, not 0; entries of v at least that."""
    u = [_small(random) for _ in range(height)]
    v = [Fraction(random.randint(least, 2)) for _ in range(count)]
    u[random.randrange(height)] = Fraction(1)
    v[random.randrange(count)] = Fraction(1)
    return [[x * y for y in v] for x in u]


def _with_identity(case: Tensors) -> Tensors:
    """W = I."""
    size = range(case.lengths["d"])
    return with_rows(case, "W", [[Fraction(i == j) for j in size] for i in size])


def _of_rank_one(case: Tensors, random: Random) -> Tensors:
    """The inputs of the last layer made a product; of a network those of the first, with W = I."""
    height, count = case.lengths["d"], case.lengths["N"]
    if "H" in case.arrays:
        return held(with_rows(case, "H", _product(height, count, random)), "H")
    case = held(with_rows(case, "X", _product(height, count, random, least=0)), "X")
    return case if true_of(rank(ACTIVE) == 1)(case) else held(_with_identity(case), "W")


def _drawn(*names: str) -> Callable[[Tensors, Random], Tensors]:
    roles = in_roles(*names)

    def moderate(case: Tensors, random: Random) -> Tensors:
        """Half of the cases with small integers in place of what the pool drew, and the inputs of
        the last layer of rank one."""
        case = roles(case, random)
        if random.random() < 0.5:
            return case
        for name in ("G", "E"):
            if name in case.arrays:
                signs = random.random() < 0.5
                case = with_entries(
                    case,
                    name,
                    [
                        Fraction(random.choice((1, -1))) if signs else _small(random)
                        for _ in case.arrays[name].entries
                    ],
                )
        return _of_rank_one(case, random)

    return moderate


LAST_LAYER = pool_with(H, G, largest=3, adapt=_drawn("H"))
WITH_ERRORS = pool_with(H, G, E, largest=3, adapt=_drawn("H"))
WITH_NETWORK = pool_with(G, W, X, S, largest=3, adapt=_drawn("W", "X"))


# hypotheses ---------------------------------------------------------------------------------------
def _of_another_rank(case: Tensors, random: Random) -> Tensors:
    """Small numbers, the first two columns (1, 0, ...) and (0, 1, ...), W = I; 0 where there is one
    neuron or one input."""
    name = "H" if "H" in case.arrays else "X"
    case = _with_identity(case) if name == "X" else case
    height, count = case.arrays[name].shape
    if min(height, count) == 1:
        return with_entries(case, name, [Fraction(0)] * (height * count))
    lines = [
        [Fraction(i == j) if j < 2 else abs(_small(random)) for j in range(count)]
        for i in range(height)
    ]
    return with_rows(case, name, lines)


def rank_one(hidden: Term) -> Given:
    """That the inputs of the last layer have rank one."""
    return Given(
        "rank one in the last layer",
        rank(hidden) == 1,
        r"$\mathrm{rank}(\widehat H_L)=1$",
        unless(rank(hidden) == 1, _of_rank_one),
        _of_another_rank,
        thin=True,
    )


def _fill_columns(case: Tensors, random: Random) -> Tensors:
    """Columns 0 become the first one that is not."""
    columns = list(zip(*rows_of(case, "H"), strict=True))
    first = next((c for c in columns if any(c)), tuple(Fraction(1) for _ in columns[0]))
    filled = [c if any(c) else first for c in columns]
    return with_rows(case, "H", list(zip(*filled, strict=True)))


def _empty_column(case: Tensors, random: Random) -> Tensors:
    lines = rows_of(case, "H")
    i = random.randrange(len(lines[0]))
    return with_rows(case, "H", [[x * (j != i) for j, x in enumerate(line)] for line in lines])


def _parts(case: Tensors) -> tuple[Rows, list[Fraction]]:
    """The gradients, and the errors; of cases without errors all 1."""
    lines = rows_of(case, "G")
    return lines, listed(case, "E") if "E" in case.arrays else [Fraction(1)] * len(lines[0])


def _of_parts(case: Tensors, lines: Rows, errors: list[Fraction]) -> Tensors:
    case = with_rows(case, "G", lines)
    return with_entries(case, "E", errors) if "E" in case.arrays else case


def _to_a_loss(case: Tensors, random: Random) -> Tensors:
    """Errors without sign; those of 0 become 1 where the gradient is not 0."""
    lines, errors = _parts(case)
    moving = [any(line[i] for line in lines) for i in range(len(errors))]
    return _of_parts(
        case, lines, [abs(e) or Fraction(m) for e, m in zip(errors, moving, strict=True)]
    )


def _not_a_loss(case: Tensors, random: Random) -> Tensors:
    """One error below 0, or 0 with a gradient that is not."""
    lines, errors = _parts(case)
    i = random.randrange(len(errors))
    errors[i] = -abs(errors[i] or Fraction(1))
    if random.random() < 0.5:
        errors[i], lines[random.randrange(len(lines))][i] = Fraction(0), Fraction(1)
    return _of_parts(case, lines, errors)


def _to_errors(case: Tensors, random: Random) -> Tensors:
    lines, errors = _parts(case)
    return _of_parts(case, lines, [e or Fraction(1) for e in errors])


def _fit(case: Tensors, random: Random) -> Tensors:
    """One sample fitted exactly."""
    lines, errors = _parts(case)
    i = random.randrange(len(errors))
    errors[i] = Fraction(0)
    for line in lines:
        line[i] = Fraction(0)
    return _of_parts(case, lines, errors)


def _move(case: Tensors, random: Random) -> Tensors:
    """Components of 0 become 1 or -1, and errors of 0 become 1."""
    lines, errors = _parts(case)
    moved = [[x or Fraction(random.choice((1, -1))) for x in line] for line in lines]
    return _of_parts(case, moved, [e or Fraction(1) for e in errors])


def _stop(case: Tensors, random: Random) -> Tensors:
    """One component becomes 0."""
    lines, errors = _parts(case)
    lines[random.randrange(len(lines))][random.randrange(len(errors))] = Fraction(0)
    return _of_parts(case, lines, errors)


RANK_ONE = rank_one(H)
COLUMNS = Given(
    "no column of the last layer is 0",
    Each(SAMPLES, lambda j: frob2(column(H, j)) > 0),
    r"$\widehat H_{L,j}\ne0$ for every $j$ (others are left out)",
    _fill_columns,
    _empty_column,
)
LOSS = Given(
    "values and gradients of a loss",
    Each(SAMPLES, lambda i: (E[i] >= 0) & implies(E[i] == 0, frob2(column(G, i)) == 0)),
    r"$\ell\ge0$ is differentiable: $\mathcal L_i\ge0$, and $\nabla\ell_i=0$ where "
    r"$\mathcal L_i=0$",
    _to_a_loss,
    _not_a_loss,
)
ERRORS = Given(
    "errors are not 0",
    Each(SAMPLES, lambda i: E[i] != 0),
    r"$\mathcal L_i\ne0$ for every sample (others are left out)",
    _to_errors,
    _fit,
)
SLOPES = Given(
    "no component of the error gradients is 0",
    Each(NEURONS, lambda k: Each(SAMPLES, lambda j: G[k, j] != 0)),
    r"$(\nabla\ell_j)_k\ne0$ for every $j$ and $k$ (others are left out)",
    _move,
    _stop,
)
LINEAR_OR_RELU = Given(
    "linear or ReLU",
    (S == 0) | (S == 1),
    r"$\sigma$ is the identity or the ReLU",
    lambda case, random: held(with_value(case, "s", random.randint(0, 1)), "s"),
    lambda case, random: with_value(case, "s", Fraction(random.choice((-1, 2, 3)), 4)),
    thin=True,
)


# (97), and the step behind it ---------------------------------------------------------------------
V, D, LAST, TARGET = (
    Matrix("V", "o", "d"),
    Matrix("D", "o", "d"),
    Vector("h", "d"),
    Vector("y", "o"),
)
ERROR = V @ LAST - TARGET
CHAIN_RULE = Rate(frob2(ERROR)) == dot(outer(2 * ERROR, LAST), D)


def by_the_chain_rule(proof: Proof) -> None:
    """V_kp moves output k alone, at the rate h_p."""
    proof.algebra(proof.goal, {proof.rate(frob2(ERROR), 2 * dot(ERROR, D @ LAST)): 1})


ONE, OTHER, C = Vector("h_i", "d"), Vector("h_j", "d"), Number("c")
SLOPE, DIVISOR = Vector("g_i", "o"), Vector("g_j", "o")
PROPORTIONAL = Given(
    "h_i = c h_j",
    ONE == C * OTHER,
    r"$\widehat H_{L,i}=c\,\widehat H_{L,j}$",
    thin=True,
)
NOT_ZERO_C = Given("c is not 0", C != 0, r"$c\in\mathbb R\setminus\{0\}$")
QUOTIENT = Given(
    "the quotient is defined",
    Each(upto(dim(DIVISOR)), lambda k: DIVISOR[k] != 0),
    r"$\nabla\ell_{j,k}\ne0$ for every $k$, so that the quotient is defined",
)
STEP = Each(
    upto(dim(SLOPE)),
    lambda k: SLOPE[k] * ONE == C * (SLOPE[k] / DIVISOR[k]) * (DIVISOR[k] * OTHER),
)


def divided(proof: Proof) -> None:
    """g_i h_i = g_i c h_j, and g_j/g_j is 1."""
    (k,) = proof.elements
    quotient = SLOPE[k] / DIVISOR[k]
    (apart,) = proof.lemma("divisor", proof.defined(quotient), a=SLOPE[k], b=DIVISOR[k])
    (unit,) = proof.lemma("reciprocal", apart, b=DIVISOR[k])
    moved = proof.same(SLOPE[k] * ONE == SLOPE[k] * C * OTHER, [proof.given[PROPORTIONAL.name]])
    factor, named = proof.name(C * quotient * DIVISOR[k])
    plain = proof.algebra(factor == SLOPE[k] * C, {named: 1, unit: SLOPE[k] * C})
    scaled = proof.same(SLOPE[k] * ONE == factor * OTHER, [plain], moved)
    proof.same(proof.goal, [named], scaled)


# claims -------------------------------------------------------------------------------------------
PLACE = "Proposition 19, Appendix H"
FACTOR = (
    r"Consider a network with rank one hidden representations in the last layer; then for any "
    r"neuron $k$ and any two datapoints $i,j$ with non-zero errors $\mathcal L_i$ and "
    r"$\mathcal L_j$, "
    r"$\nabla_{W_{L+1,[k,:]}}\mathcal L_i(\mathbf W)=\frac{c(\nabla\ell_i)_k}{(\nabla\ell_j)_k}"
    r"\nabla_{W_{L+1,[k,:]}}\mathcal L_j(\mathbf W)$, the factor being a real number"
)
FACTORS, LINES, UNITS = map(of_pairs, (multiple, aligned, equal_but_for_sign))
ACTIVE_LINES = of_pairs(aligned, ACTIVE)

CLAIMS = (
    stated(
        "dkbhl20.prop19.a@B",
        printed(f"eq. (96), {PLACE}"),
        "gradients of one neuron are multiples of each other",
        f"{FACTOR}.",
        FACTORS,
        (RANK_ONE, LOSS, ERRORS, SLOPES),
        kind=Kind.IDENTITY,
        pool=WITH_ERRORS,
        depends=("dkbhl20.prop19.c", "dkbhl20.prop19.d@B"),
        reading="B",
        reading_text=r"$c$ is some real number, and the quotient is defined; $\ell$ is any "
        r"differentiable loss, given by its values and gradients at the samples",
        why=r"The column $\widehat H_{L,j}$ of a rank one $\widehat H_L$ can be $0$; then the "
        r"right side is $0$ whatever $c$ is, and $(\nabla\ell_i)_k\widehat H_{L,i}$ is not.",
    ),
    stated(
        "dkbhl20.prop19.a@B.fix",
        printed(f"eq. (96), {PLACE}"),
        "gradients of one neuron are multiples of each other, repaired",
        FACTOR + r", where $(\nabla\ell_j)_k\ne0$ and $\widehat H_{L,j}\ne0$.",
        FACTORS,
        (RANK_ONE, SLOPES, COLUMNS),
        kind=Kind.IDENTITY,
        pool=LAST_LAYER,
        depends=("dkbhl20.prop19.c", "dkbhl20.prop19.d@B"),
        reading="B",
        reading_text=r"$c$ is some real number; $\ell$ is any differentiable loss",
        repairs="dkbhl20.prop19.a@B",
        proof=arguments.some_factor_exists,
    ),
    stated(
        "dkbhl20.prop19.b",
        printed(f"after eq. (96), {PLACE}"),
        "gradients of one neuron align",
        r"Under the hypotheses of (96) all stochastic gradients of neuron $k$ in the final "
        r"classification layer align along one single direction in $\mathbb R^d$, whatever "
        r"differentiable loss $\ell$.",
        LINES,
        (RANK_ONE, LOSS, ERRORS),
        pool=WITH_ERRORS,
        depends=("dkbhl20.prop19.c",),
        proof=arguments.minors_vanish,
    ),
    stated(
        "dkbhl20.prop19.c",
        printed("eq. (97), proof of Proposition 19"),
        "the gradient of the last layer",
        r"$\frac{\partial\mathcal L_i}{\partial W_{L+1}}=\nabla_{W_{L+1}\widehat H_{L,i}}"
        r"\ell(y_i,W_{L+1}\widehat H_{L,i})\,(\widehat H_{L,i})^\top$, whose row $k$ is "
        r"$(\nabla\ell_i)_k\widehat H_{L,i}$, for a differentiable loss $\ell$ (here the squared "
        r"one).",
        CHAIN_RULE,
        flow={"V": D},
        proofs=[by_the_chain_rule],
    ),
    stated(
        "dkbhl20.prop19.d@B",
        printed("after eq. (97), proof of Proposition 19"),
        "rows of the gradients of proportional columns",
        r"If $\widehat H_{L,i}=c\,\widehat H_{L,j}$ with $c\in\mathbb R\setminus\{0\}$, row $k$ of "
        r"$\partial\mathcal L_i/\partial W_{L+1}$ is "
        r"$c\,\frac{\nabla\ell_{i,k}}{\nabla\ell_{j,k}}$ times row $k$ of "
        r"$\partial\mathcal L_j/\partial W_{L+1}$.",
        STEP,
        (PROPORTIONAL, NOT_ZERO_C, QUOTIENT),
        depends=("dkbhl20.prop19.c",),
        reading="B",
        reading_text=r"$\widehat H_{L,i}=c\,\widehat H_{L,j}$, where the quotient is defined; "
        r"$\ell$ is any differentiable loss",
        proofs=[divided],
    ),
    stated(
        "dkbhl20.prop19.e",
        printed("Section 3.2, implications of rank collapse"),
        "unit gradients agree up to sign",
        r"Under the hypotheses of (96), for gradients divided by their norms, "
        r"$\nabla_{W_{L+1,k}}\mathcal L_i=\mp\nabla_{W_{L+1,k}}\mathcal L_j$ for any $i,j$, "
        r"whatever differentiable loss.",
        UNITS,
        (RANK_ONE, SLOPES, COLUMNS),
        pool=LAST_LAYER,
        depends=("dkbhl20.prop19.b",),
        proof=arguments.cosines_are_one,
    ),
    stated(
        "dkbhl20.prop19.f",
        printed("Section 3.2 and Appendix H"),
        "gradients align in linear and ReLU networks",
        r"With rank one hidden representations $\widehat H_L=\sigma(WX)$ in the last layer, the "
        r"stochastic gradients $(\nabla\ell_i)_k\widehat H_{L,i}$ of any neuron $k$ in the last "
        r"linear layer align, for $\sigma$ the identity and for $\sigma$ the ReLU, whatever "
        r"differentiable loss $\ell$.",
        ACTIVE_LINES,
        (rank_one(ACTIVE), LINEAR_OR_RELU),
        pool=WITH_NETWORK,
        depends=("dkbhl20.prop19.b",),
        proof=arguments.minors_vanish,
    ),
)
