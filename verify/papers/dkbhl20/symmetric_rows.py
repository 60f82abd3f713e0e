"""Lemma 4: rows are symmetric in law under the invariant distribution (Appendices C, D).

Laws are those of the chain on rank one states u v^T (verify.papers.dkbhl20.sign_states): where the
invariant law is unique this is the whole chain.
"""

from __future__ import annotations

from fractions import Fraction

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import (
    MEAN_ZERO,
    PROBABILITIES,
    SYMMETRIC_LAW,
    VARIANCE_ONE,
    held,
)
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.papers.dkbhl20.invariance import INDEPENDENT, POSITIVE, UNIQUE, law_pool
from verify.papers.dkbhl20.rank_two import WIDE
from verify.papers.dkbhl20.sign_states import SignChain, law_of, sign_chain_of
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.symmetric_rows_proofs import (
    products_are_odd,
    the_chain_is_odd,
    the_law_turns,
    the_steps_turn,
)
from verify.statements.derivations.pair_sums import different_indices
from verify.statements.quantities import with_entries

ZERO = Fraction(0)
FACTORS = (Fraction(2), Fraction(1), Fraction(1, 2))
TIED = (("tied", 0, 1),)
LAWS = law_pool(bounded=False, integers=TIED)
SIGNED_LAWS = law_pool(extras=(("S", ("d",)),), bounded=False, integers=TIED)


# hypotheses ---------------------------------------------------------------------------------------
SIGNS = Hypothesis(
    "S of signs",
    r"$S$ is diagonal with entries $\pm1$",
    by_case(lambda case: all(abs(x) == 1 for x in case.arrays["S"].entries)),
    lambda case, random: held(
        with_entries(
            case,
            "S",
            [Fraction(-1 if x < 0 or random.random() < 0.25 else 1) for x in _diagonal(case)],
        ),
        "S",
    ),
    lambda case, random: with_entries(
        case, "S", [*(x * random.choice(FACTORS) for x in _diagonal(case)[:-1]), Fraction(2)]
    ),
    thin=True,
)


def _diagonal(case: Chained) -> list[Fraction]:
    return list(case.arrays["S"].entries)


# measures: laws -----------------------------------------------------------------------------------
def _farthest(case: Tensors, *places: int) -> Fraction:
    """The largest |E prod u_i| over the extreme invariant laws on the states u v^T."""
    chain = sign_chain_of(case)
    if chain is None:
        return ZERO
    return max((abs(chain.mean(law, *places)) for law in chain.laws), default=ZERO)


def means_of_rows(scene: ChainScene) -> Entries:
    """P(H_i = v) - P(H_i = -v) = E u_i for every row i, under the invariant law on the states u v^T
    for which its size is largest; H_i has one of these two values."""
    zero = scene.constant(0)
    parts = []
    for i in range(scene.width):
        found = [_farthest(case, i) for case in scene.cases]
        parts.append(({"row": i}, scene.numbers(found), zero))
    return scene.parts(parts)


def means_of_moments(scene: ChainScene) -> Entries:
    """E M_ij, i < j, under the invariant law on the states u v^T for which its size is largest."""
    zero, parts = scene.constant(0), []
    for i, j in different_indices(scene.width):
        found = [_farthest(case, i, j) for case in scene.cases]
        parts.append(({"entry": [i, j]}, scene.numbers(found), zero))
    return scene.parts(parts)


def laws_of_entries(scene: ChainScene) -> Entries:
    """P((SW)_ij = x) - P(W_ij = x) in row i, for the value x for which its size is largest. What
    is independent in W is so in SW."""
    zero, parts = scene.constant(0), []
    for i in range(scene.width):
        found = [_turned(case, i) for case in scene.cases]
        parts.append(({"row": i}, scene.numbers(found), zero))
    return scene.parts(parts)


def _turned(case: Tensors, i: int) -> Fraction:
    factor = case.arrays["S"].entries[i]
    gaps: dict[Fraction, Fraction] = {}
    for atom, mass in zip(*law_of(case), strict=True):
        gaps[factor * atom] = gaps.get(factor * atom, ZERO) + mass
        gaps[atom] = gaps.get(atom, ZERO) - mass
    return max(map(abs, gaps.values()))


def steps_with_signs(scene: ChainScene) -> Entries:
    """The probabilities that u goes to u' by W and by SWS: the largest difference over u, u'. By
    SWS u goes to u' if Su goes to Su' by W."""
    found = []
    for case in scene.cases:
        chain, signs = sign_chain_of(case), _signs(case)
        found.append(ZERO if chain is None else _unlike(chain, signs))
    return scene.compare(scene.numbers(found), scene.constant(0))


def _signs(case: Tensors) -> list[int]:
    return [-1 if x < 0 else 1 for x in case.arrays["S"].entries]


def _turn(chain: SignChain, signs: list[int]) -> list[int]:
    """The number of S u for each state u."""
    place = {u: k for k, u in enumerate(chain.states)}
    return [place[tuple(s * x for s, x in zip(signs, u, strict=True))] for u in chain.states]


def _unlike(chain: SignChain, signs: list[int]) -> Fraction:
    to, rows = _turn(chain, signs), chain.chain.transition
    size = range(len(to))
    return max(abs(rows[k][n] - rows[to[k]][to[n]]) for k in size for n in size)


def turned_laws(scene: ChainScene) -> Entries:
    """How far from invariant the law of SH is where that of H is an extreme invariant law: the
    largest difference of the probabilities of a state, before and after one step."""
    found = []
    for case in scene.cases:
        chain, signs = sign_chain_of(case), _signs(case)
        found.append(ZERO if chain is None else _moved(chain, signs))
    return scene.compare(scene.numbers(found), scene.constant(0))


def _moved(chain: SignChain, signs: list[int]) -> Fraction:
    to, worst = _turn(chain, signs), ZERO
    for law in chain.laws:
        turned = tuple(law[k] for k in to)
        gaps = zip(chain.after(turned), turned, strict=True)
        worst = max(worst, *(abs(after - before) for after, before in gaps))
    return worst


# claims -------------------------------------------------------------------------------------------
LAW = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, SYMMETRIC_LAW, INDEPENDENT, POSITIVE)
IF_UNIQUE = (
    r"Suppose that the chain (7) admits a unique invariant distribution $\nu_\gamma$ and "
    r"$H\sim\nu_\gamma$"
)
HALVES = (
    r"$H_{1/2}:=H+\gamma SWSH$, $\widetilde H_{1/2}:=SH+\gamma WSH$, $S$ diagonal with entries "
    r"$\pm1$"
)

ROWS = Claim(
    "dkbhl20.lem4.a",
    Kind.IDENTITY,
    printed("Lemma 4, Appendix C"),
    "rows are symmetric in law",
    rf"{IF_UNIQUE}. Then the law of $H_{{i:}}$ equates the law of $-H_{{i:}}$.",
    (*LAW, UNIQUE),
    (),
    means_of_rows,
    LAWS,
    exact_only=True,
    proof=the_chain_is_odd,
)
ENTRIES = Claim(
    "dkbhl20.lem4.b",
    Kind.IDENTITY,
    printed("proof of Lemma 4, Appendix C"),
    "SW has the law of W",
    r"$SW\stackrel d=W$ for $S$ diagonal with entries $\pm1$.",
    (*LAW[:-1], SIGNS),
    (),
    laws_of_entries,
    SIGNED_LAWS,
    exact_only=True,
)
STEPS = Claim(
    "dkbhl20.lem4.c",
    Kind.IDENTITY,
    printed("eq. (22), Appendix C"),
    "the next layer by SWS",
    rf"$H\stackrel d=H_+\stackrel d=(\mathrm{{diag}}(H_{{1/2}}H_{{1/2}}^\top/N))^{{-1/2}}H_{{1/2}}$"
    rf" with {HALVES}.",
    (*LAW, SIGNS),
    ("dkbhl20.lem4.b",),
    steps_with_signs,
    SIGNED_LAWS,
    exact_only=True,
    proof=the_steps_turn,
)
INVARIANT = Claim(
    "dkbhl20.lem4.f",
    Kind.IDENTITY,
    printed("eq. (29), Appendix C"),
    "the law of SH is invariant",
    r"$SH\stackrel d=SH_+\stackrel d=\mathrm{diag}^{-1/2}(\widetilde H_{1/2}\widetilde H_{1/2}^"
    r"\top/N)\widetilde H_{1/2}$, hence the law of $SH$ is invariant where that of $H$ is.",
    (*LAW, SIGNS),
    ("dkbhl20.lem4.d", "dkbhl20.lem4.e.fix"),
    turned_laws,
    SIGNED_LAWS,
    exact_only=True,
    proof=the_law_turns,
)
MOMENTS = Claim(
    "dkbhl20.lem4.g",
    Kind.IDENTITY,
    printed("eq. (31), Appendix D"),
    "means of products of rows vanish",
    rf"{IF_UNIQUE}. Then $\mathbb E[[M(H_\ell^{{(\gamma)}})]_{{ij}}]=-\mathbb "
    r"E[[M(H_\ell^{(\gamma)})]_{ij}]=0$ for $i\ne j$.",
    (WIDE, *LAW, UNIQUE),
    ("dkbhl20.lem4.f",),
    means_of_moments,
    LAWS,
    exact_only=True,
    proof=products_are_odd,
)

CLAIMS = (
    ROWS,
    ENTRIES,
    STEPS,
    INVARIANT,
    MOMENTS,
)
