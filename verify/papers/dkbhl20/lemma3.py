"""Steps in the proof of Lemma 3 (b), Appendix F: random lengths, (93), (94) and footnote 16.

(f) is about the same factors on both sides, which gives the equality in law: two blocks are enough.
(g) measures how far A_n/|A_n| is from the matrix e_1 e_1^T of rank one, by a bound that tends to 0.
In (h) the entries of a draw have to lie in [-sqrt 3, sqrt 3]. (i) says that no finite union of
proper subspaces holds all M_alpha v; each is in a hyperplane, a row of A its normal vector, and a
grid of k + 1 values of each alpha_i is enough for k of them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Some,
    Sum,
    Tensor,
    Vector,
    When,
    Whole,
    between,
    dim,
    dot,
    eye,
    floor,
    frob2,
    norm,
    outer,
    row,
    rows,
    sqrt,
    unfold,
    upto,
    vector,
)
from verify.language.building import matrix as matrix_of
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term, lifted
from verify.papers.dkbhl20.drawing import held, in_roles, rows_of
from verify.papers.dkbhl20.notation import GAMMA, entries, no_row_vanishes
from verify.papers.dkbhl20.sign_changes import STRENGTH
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum import Numbers, at_most_total, below_root
from verify.statements.derivations.matrix_words import EVERY_SIZE, matrix
from verify.statements.quantities import dot as product
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, pool_with, stated

PLACE = "proof of Lemma 3, Appendix F"
NULLSTELLENSATZ = (
    "a polynomial of degree at most k in each variable that vanishes on a grid of k + 1 numbers in "
    "each is 0"
)
F, S = Tensor("F", "T", "d", "d", meaning="the draws $W_1,\\dots,W_T$"), Whole("s", 0, 3)
D, N = Whole("d", 1, 6), Whole("n", 1, 8)
ALPHA, V, A = Vector("alpha", "d"), Vector("v", "d"), Matrix("A", "k", "d")


# products -----------------------------------------------------------------------------------------
def factor(k: Term) -> Term:
    """I + gamma W_k."""
    size = rows(unfold(F, 2))
    drawn = matrix_of(size, size, lambda i, j: unfold(F, 1)[k, (i - 1) * size + j])
    return eye(size) + GAMMA * drawn


def block(first: Any, last: Term) -> Term:
    """The product of these factors, later ones on the left."""
    one = eye(rows(unfold(F, 2)))
    return Fold(between(first, last), one, lambda made, k: factor(k) @ made)


COUNT = rows(unfold(F, 1))
CUT = When(S <= COUNT, S, COUNT)  # m_1
BLOCKS = block(CUT + 1, COUNT) @ block(1, CUT) == block(1, COUNT)
FIRST = vector(D, lambda i: When(i == 1, 1, 0))
CORNER = outer(FIRST, FIRST)  # e_1 e_1^T
POWER = Fold(upto(N), eye(D), lambda made, _: made @ (eye(D) + GAMMA * CORNER))  # A_n
CONTRACTS = frob2(POWER / norm(POWER) - CORNER) <= (D - 1) / (1 + N * GAMMA) ** 2


# draws --------------------------------------------------------------------------------------------
def each_entry(says: Any) -> Term:
    """What is said of |alpha_i v_j/d|, an entry of sum_i alpha_i e_i v^T/d in size."""
    return Each(
        entries(ALPHA), lambda i: Each(entries(V), lambda j: says(abs(ALPHA[i] * V[j] / dim(V))))
    )


def moved(alpha: Term) -> Term:
    """M_alpha v - v as (94) has it."""
    return GAMMA / dim(V) * alpha


IMAGE = (eye(dim(V)) + GAMMA / dim(V) * outer(ALPHA, V)) @ V == V + moved(ALPHA)


def grid(number: Term) -> Term:
    """The vectors of entries 2t/k - 1, t = 0, ..., k, one after another: (k + 1)^d of them."""
    count = rows(A)
    return vector(
        dim(V),
        lambda i: 2 * (floor(number / (count + 1) ** (i - 1)) % (count + 1)) / count - 1,
    )


UNION = Some(
    between(0, floor((rows(A) + 1) ** dim(V)) - 1),
    lambda n: Each(upto(rows(A)), lambda k: dot(row(A, k), V + moved(grid(n))) != 0),
)


# hypotheses ---------------------------------------------------------------------------------------
def _to_unit(case: Any, random: Random) -> Any:
    """The reflection of a basis vector in the hyperplane orthogonal to v."""
    v = list(case.arrays["v"].entries)
    square, base = product(v, v), [Fraction(0)] * len(v)
    base[random.randrange(len(v))] = Fraction(random.choice((1, -1)))
    if square == 1:
        return case
    if square:
        times = 2 * product(v, base) / square
        base = [b - times * x for b, x in zip(base, v, strict=True)]
    return held(with_entries(case, "v", base), "v")


def _unit(square: Term) -> Given:
    """square: |v|^2, as a proof has it."""
    return Given(
        "v is a unit vector",
        square == 1,
        r"$\lVert v\rVert=1$",
        _to_unit,
        lambda case, random: with_entries(
            case, "v", [x * random.choice((2, 3, 8)) for x in case.arrays["v"].entries]
        ),
        thin=True,
    )


UNIT, UNIT_BY_ENTRIES = _unit(dot(V, V)), _unit(Sum(entries(V), lambda j: V[j] ** 2))


def _too_large(case: Any, random: Random) -> Any:
    first, *others = (x * random.choice((1, 8)) for x in case.arrays["alpha"].entries)
    return with_entries(case, "alpha", [first + (2 if first >= 0 else -2), *others])


BOUNDED = Given(
    "alpha at most 1",
    Each(entries(ALPHA), lambda i: abs(ALPHA[i]) <= 1),
    r"$|\alpha_i|\le1$",
    lambda case, random: with_entries(
        case,
        "alpha",
        [max(Fraction(-1), min(Fraction(1), x)) for x in case.arrays["alpha"].entries],
    ),
    _too_large,
)


def _to_normals(case: Any, random: Random) -> Any:
    lines = rows_of(case.arrays["A"])
    for line in lines:
        if not any(line):
            line[random.randrange(len(line))] = Fraction(1)
    return with_rows(case, "A", lines)


def _no_normal(case: Any, random: Random) -> Any:
    lines = rows_of(case.arrays["A"])
    k = random.randrange(len(lines))
    lines[k] = [Fraction(0)] * len(lines[k])
    return with_rows(case, "A", lines)


NORMALS = Given(
    "proper subspaces",
    no_row_vanishes(A),
    r"the subspaces are proper: each is in a hyperplane, whose normal vector is not $0$",
    _to_normals,
    _no_normal,
)
DRAWN = (UNIT_BY_ENTRIES, BOUNDED)


# proofs -------------------------------------------------------------------------------------------
def by_sign(p: Proof, x: Term, prove: Callable[[Fact, Fact, int], Fact]) -> Fact:
    """What is proved from s x >= 0 and |x| = s x, for s = 1 and s = -1."""

    def below(known: Fact) -> Fact:
        turned = p.algebra(x <= 0, {known: 1})
        return prove(turned, p.lemma("absolute of a negative", turned, x=x)[0], -1)

    def above(known: Fact) -> Fact:
        return prove(known, p.lemma("absolute", known, x=x)[0], 1)

    return p.cases(x >= 0, above, below)


def square_at_most_one(p: Proof, a: Term, bounded: Fact) -> Fact:
    """a^2 <= 1 from |a| <= 1."""

    def on_side(known: Fact, size: Fact, sign: int) -> Fact:
        below = p.algebra(1 - sign * a >= 0, {bounded: 1, size: 1})
        return p.algebra(a**2 <= 1, {below: 1, (known, below): 1})

    return by_sign(p, a, on_side)


def within_one(p: Proof) -> Fact:
    """|a v|/d <= 1: 1 - 1/d and (1 - |a v|)/d are at least 0, as a^2 and v^2 are at most 1."""
    (i, j), (first, second) = p.elements, p.way
    a, v, size = ALPHA[i], V[j], dim(V)
    small = square_at_most_one(p, a, p.at(p.given[BOUNDED.name], first))

    def square(member: Fact) -> Fact:
        number = V[member.term.args[0]]
        return p.algebra(number**2 >= 0, {}, [number])

    squares = Numbers(entries(V), lambda k: V[k] ** 2, square)
    most = at_most_total(p, squares, j, second)
    short = p.algebra(v**2 <= 1, {most: 1, p.given[UNIT_BY_ENTRIES.name]: -1})
    value = p.goal.args[0].args[0]
    (nonzero,) = p.lemma("divisor", p.defined(value), a=a * v, b=size)
    (inverse,) = p.lemma("reciprocal", nonzero, b=size)
    low, high, _ = p.lemma("in a range", second, a=1, b=size, k=j)
    share, least = Fraction(1) / size, p.algebra(size >= 1, {low: 1, high: 1})
    some = p.algebra(size >= 0, {least: 1}, [1])
    positive = p.algebra(share >= 0, {inverse: -share}, [(1, share, some)])

    def at_most(sign: int) -> Fact:
        half = Fraction(1, 2)
        rest = p.algebra(1 - sign * a * v >= 0, {small: half, short: half}, [(half, a - sign * v)])
        return p.algebra(
            sign * value <= 1, {(positive, least): 1, inverse: -1, (positive, rest): 1}
        )

    def on_side(_: Fact, own: Fact, sign: int) -> Fact:
        return p.algebra(abs(value) <= 1, {at_most(sign): 1, own: -1})

    return by_sign(p, value, on_side)


def within_root(p: Proof) -> None:
    """... and 1 <= sqrt 3."""
    one, three = lifted(1), lifted(3)
    below = below_root(p, one, three, p.algebra(one**2 <= three, {}, [(2, 1)]))
    p.algebra(p.goal, {within_one(p): 1, below: 1})


def image(p: Proof) -> None:
    """alpha v^T v = alpha."""
    turned = p.same(dot(V, V) * ALPHA == ALPHA, [p.given[UNIT.name]])
    p.algebra(p.goal, {turned: GAMMA / dim(V)})


def longer_products() -> Argument:
    """(W_4 W_3)(W_2 W_1) = W_4 W_3 W_2 W_1, and the lengths have a law."""
    one, two, three, four = (matrix(f"W{k}") for k in range(1, 5))
    whole = four @ three @ two @ one
    halves = [Fraction(1, 2**k) for k in range(1, 12)]
    partial_sums = all(1 - sum(halves[:k]) == Fraction(1, 2**k) for k in range(12))
    return Argument(
        "a product of blocks is the product of all factors, of which there are m_1 + ... + m_k; "
        "the factors are independent of one law, so that it does not matter which they are",
        (
            Step(
                "blocks of two and of one and three factors",
                ((four @ three) @ (two @ one) - whole).is_zero
                and ((four @ three @ two) @ one - whole).is_zero
                and not (one @ two - two @ one).is_zero,
            ),
            Step("1 - (1/2 + ... + 2^-k) = 2^-k for k up to 11", partial_sums),
        ),
        (
            EVERY_SIZE,
            "matrix products are associative",
            "factors that are independent of one law have the same joint law in any numbering",
        ),
        (),
        section="docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3",
    )


def bernoulli() -> Argument:
    """(1 + gamma)^n >= 1 + n gamma, by induction."""
    ring = ring_of(2)
    gamma, n = ring.generators
    one = ring.constant(Fraction(1))
    step = (one + n * gamma) * (one + gamma) - (one + (n + one) * gamma) - n * gamma * gamma
    return Argument(
        "A_n is diagonal with entries (1 + gamma)^n, 1, ..., 1; the squared distance is (d - 1)/Q "
        "with Q = (1 + gamma)^(2n) >= (1 + n gamma)^2",
        (Step("(1 + n gamma)(1 + gamma) = 1 + (n + 1) gamma + n gamma^2", ring.is_zero(step)),),
        (
            "induction on n",
            "e_1 e_1^T has entries in the support",
            "the support of the law of Y holds all products of matrices in that of I + gamma W",
        ),
        (STRENGTH.name,),
        section="docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3",
    )


def cube_leaves_hyperplanes() -> Argument:
    """The product of the k linear functions is a polynomial that is not 0."""
    ring = ring_of(7)
    a, b, v, w, x, y, rate = ring.generators
    function = a * (v + rate * x) + b * (w + rate * y)
    return Argument(
        "a . (v + (gamma/d) alpha) has the derivative (gamma/d) a_i in alpha_i, one of which is "
        "not 0; the product of k such functions is not the polynomial 0 and has degree at most k "
        "in each alpha_i, so it is not 0 on all of a grid of k + 1 numbers in each coordinate",
        (
            Step(
                "the derivatives are (gamma/d) a_i",
                ring.is_zero(ring.derivative(function, 4) - rate * a)
                and ring.is_zero(ring.derivative(function, 5) - rate * b),
            ),
        ),
        (
            "products of polynomials that are not 0 are not 0",
            NULLSTELLENSATZ,
            "every proper subspace is in a hyperplane",
            "an invariant union of subspaces holds all images of each of its vectors",
        ),
        (STRENGTH.name, NORMALS.name),
        section="docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3",
    )


# claims -------------------------------------------------------------------------------------------
DRAWS = pool_with(ALPHA, V)


def _entries(id_: str, title: str, said: str, says: Any, **others: Any) -> Claim:
    return stated(
        f"dkbhl20.lem3.h.entries{id_}",
        printed("footnote 16"),
        f"entries {title}",
        rf"The entries of $\frac1d\sum_i\alpha_ie_iv^\top$ are {said} in absolute value.",
        each_entry(says),
        DRAWN,
        pool=DRAWS,
        **others,
    )


CLAIMS = (
    stated(
        "dkbhl20.lem3.f",
        printed(PLACE),
        "products of random lengths are products",
        r"$p(m=k)=2^{-k}$, $Y=\prod_{k=1}^m\widehat W_k$, $\widehat W_k=I+\gamma W_k$: "
        r"$C_k:=Y_k\cdots Y_2Y_1$ is distributed as $B_{\ell_k}:=\widehat W_{\ell_k}\cdots"
        r"\widehat W_2\widehat W_1$, $\ell_k=\sum_{i\le k}m_i$.",
        BLOCKS,
        pool=pool_with(GAMMA, F, S, largest=3, adapt=in_roles("gamma")),
        proof=longer_products,
    ),
    stated(
        "dkbhl20.lem3.g@A",
        printed(PLACE),
        "the support is contracting",
        r"$A_n:=(I+\gamma e_1e_1^\top)^n\in T_{\mu'}$, and $A_n/\lVert A_n\rVert$ converges to a "
        r"rank one matrix: $\lVert A_n/\lVert A_n\rVert-e_1e_1^\top\rVert_F^2\le"
        r"(d-1)/(1+n\gamma)^2$.",
        CONTRACTS,
        [STRENGTH],
        depends=("dkbhl20.def4_6",),
        pool=pool_with(GAMMA, D, N, adapt=in_roles("gamma")),
        reading="A",
        reading_text="the spectral norm",
        proof=bernoulli,
    ),
    stated(
        "dkbhl20.lem3.h",
        printed(f"eq. (93), {PLACE}"),
        "draws that turn a unit vector",
        r"$v$ a unit vector, $|\alpha_i|\le1$: $M_\alpha=I+\frac\gamma d\sum_i\alpha_ie_iv^\top\in "
        r"T_{\mu'}$, the entries of $\frac1d\sum_i\alpha_ie_iv^\top$ lying in $[-\sqrt3,\sqrt3]$.",
        each_entry(lambda size: size <= sqrt(3)),
        DRAWN,
        pool=DRAWS,
        proofs=[within_root],
    ),
    _entries("", "below one in absolute value", "less than $1$", lambda size: size < 1),
    _entries(
        ".fix",
        "at most one in absolute value, repaired",
        "at most $1$",
        lambda size: size <= 1,
        repairs="dkbhl20.lem3.h.entries",
        proofs=[within_one],
    ),
    stated(
        "dkbhl20.lem3.i.image",
        printed(f"eq. (94), {PLACE}"),
        "the image of the unit vector",
        r"$M_\alpha v=v+\frac\gamma d\sum_i\alpha_ie_i$ for a unit vector $v$.",
        IMAGE,
        [UNIT],
        depends=("dkbhl20.lem3.h",),
        pool=pool_with(GAMMA, ALPHA, V, adapt=in_roles("gamma")),
        proofs=[image],
    ),
    stated(
        "dkbhl20.lem3.i.union",
        printed(f"after eq. (94), {PLACE}"),
        "no finite union of subspaces holds all images",
        r"$\{v+\frac\gamma d\sum_i\alpha_ie_i:|\alpha_i|\le1\}$ is not contained in any union of "
        r"finitely many proper linear subspaces of $\mathbb R^d$, hence $T_{\mu'}$ is strongly "
        r"irreducible.",
        UNION,
        [STRENGTH, NORMALS],
        depends=("dkbhl20.def4_6", "dkbhl20.lem3.i.image"),
        pool=pool_with(GAMMA, A, V, largest=3, adapt=in_roles("gamma")),
        proof=cube_leaves_hyperplanes,
    ),
)
