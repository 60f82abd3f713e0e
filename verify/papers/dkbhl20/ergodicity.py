"""Averages along the chain (footnote 11; Appendices D, E).

Judged on the chains of signs (verify.papers.dkbhl20.sign_states): where the invariant law is unique
this is the whole chain, on finitely many states.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import MEAN_ZERO, PROBABILITIES, VARIANCE_ONE
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.invariance import POSITIVE, UNIQUE, law_pool
from verify.papers.dkbhl20.invariant_laws_proofs import one_finite_chain
from verify.papers.dkbhl20.sign_states import sign_chain_of
from verify.papers.dkbhl20.sources import printed

ZERO = Fraction(0)
LAWS = law_pool(bounded=False)


def measures_of_invariant_sets(scene: ChainScene) -> Entries:
    """nu(A)(1 - nu(A)), the largest over the closed classes A, for the mean nu of all extreme
    invariant laws."""
    found = []
    for case in scene.cases:
        chain = sign_chain_of(case)
        laws = () if chain is None else chain.laws
        shares = [
            sum((m for law in laws for m, inside in zip(law, a, strict=True) if inside), ZERO)
            / len(laws)
            for a in laws
        ]
        found.append(max((share * (1 - share) for share in shares), default=ZERO))
    return scene.compare(scene.numbers(found), scene.constant(0))


def averages_of_indicators(scene: ChainScene) -> Entries:
    """The largest difference of the limit of an average of g, from any start in {-1, 1}^d, and the
    mean of g under an invariant law, g the indicator of a state. The limit is the mean of g under
    the law of the closed class that is reached."""
    found = []
    for case in scene.cases:
        chain = sign_chain_of(case)
        laws = () if chain is None else chain.laws
        gaps = (abs(x - y) for a in laws for b in laws for x, y in zip(a, b, strict=True))
        found.append(max(gaps, default=ZERO))
    return scene.compare(scene.numbers(found), scene.constant(0))


# claims -------------------------------------------------------------------------------------------
LAW = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, POSITIVE)
IF_UNIQUE = r"the chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits a unique invariant distribution"

ERGODIC = Claim(
    "dkbhl20.ergodic.a",
    Kind.IDENTITY,
    printed("footnote 11; eqs. (32), (40), (49)"),
    "uniqueness implies ergodicity",
    rf"If {IF_UNIQUE} $\nu_\gamma$, then the chain is ergodic: $\nu_\gamma(A)\in\{{0,1\}}$ for "
    r"every set $A$ that it does not leave.",
    (*LAW, UNIQUE),
    ("dkbhl20.hyp_unique.c",),
    measures_of_invariant_sets,
    LAWS,
    exact_only=True,
    proof=partial(one_finite_chain, "measures_of_invariant_sets"),
)
AVERAGES = Claim(
    "dkbhl20.ergodic.b",
    Kind.IDENTITY,
    printed("eqs. (32), (40), (49), (61)"),
    "averages along the chain",
    rf"If {IF_UNIQUE} $\nu_\gamma$, and so is ergodic, then $\lim_{{L\to\infty}}\frac1L\sum_{{\ell"
    r"=1}^Lg(H_\ell^{(\gamma)})=\mathbb E_{H\sim\nu_\gamma}[g(H)]$ holds almost surely for every "
    r"bounded Borel $g:\mathcal H\to\mathbb R$.",
    (*LAW, UNIQUE),
    ("dkbhl20.ergodic.a",),
    averages_of_indicators,
    LAWS,
    exact_only=True,
    proof=partial(one_finite_chain, "averages_of_indicators"),
)

CLAIMS = (ERGODIC, AVERAGES)
