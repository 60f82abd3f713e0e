"""Appendix F: the matrix variance that the argument on bottleneck neurons bounds, on families of
linear networks.

Given all layers below, the Hessian of f is a Gaussian series sum_i w_i H_i / sqrt(m_k) over its
incoming neurons i, with H_i their Hessians; its matrix variance is |sum_i H_i^2| / m_k. n
bottlenecks with |H_i| of order 1 add n/m_k to it, where m_k - n others add 1/m: with n = o(m_k)
that is o(1), and of order 1/m only for n = O(m_k/m). The bottlenecks that reach it share a matrix:
those that hang on one neuron do, so that nothing cancels in the sum.

The mean of |sum_i H_i^2| / m_k is counted as that of |H_f|^2 is, along walks from the output, of
which the first step only chooses i; from above it is the same (verify.papers.zlb22.group_orders).
"""

from __future__ import annotations

from functools import partial
from random import Random

from verify.language.building import Each, card, implies
from verify.papers.zlb22.bottleneck_hypotheses import (
    FEW_AMONG,
    INCOMING,
    OTHERS,
    SPLIT,
    narrow,
    narrow_parents,
    others,
)
from verify.papers.zlb22.group_notation import degree, e, width
from verify.papers.zlb22.group_orders import DEEP, VARIANCE
from verify.papers.zlb22.profile import Profile
from verify.papers.zlb22.profile_hypotheses import PROFILE
from verify.papers.zlb22.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import WIDTHS, argument
from verify.papers.zlb22.widths import TRUSTED
from verify.statements.stated import Given, stated

OF_ORDER_1_IN_M = implies(card(DEEP) > 0, width(OTHERS) <= -VARIANCE)


# hypotheses -------------------------------------------------------------------------------------
def _too_many(case: Profile) -> list[tuple[int, int]]:
    """The bottleneck groups that are more than O(m_k/m) among incoming neurons of others, and how
    large they may be."""
    shape, small, wide = case.shape, set(narrow(case)), others(case)
    least = min((shape.degrees[g] for g in wide), default=0)
    return [
        (h, max(0, shape.degrees[g] - least))
        for g in wide
        for h in shape.parents[g]
        if h in small and shape.sizes[h] > shape.degrees[g] - least
    ]


def _fewer(case: Profile, random: Random) -> Profile:
    while found := _too_many(case):
        case = case.of(case.shape.sized(*found[0]))
    return case


def _more(case: Profile, random: Random) -> Profile:
    """One more power of M of some bottlenecks that others read."""
    shape = case.shape
    read = [h for g in others(case) for h in shape.parents[g] if h in set(narrow(case))]
    if not read:
        return case
    chosen = random.choice(read)
    return case.of(shape.sized(chosen, shape.sizes[chosen] + 1))


SHARE_OF_WIDTH = Given(
    "bottlenecks as few as 1 in m",
    Each(OTHERS, lambda g: Each(narrow_parents(g), lambda h: e[h] <= degree(g) - width(OTHERS))),
    r"of the $m_k$ incoming neurons of each neuron that is no bottleneck (outside of the input "
    r"layer and the first layer) $O(m_k/m)$ are bottleneck neurons",
    _fewer,
    _more,
)


# claims -----------------------------------------------------------------------------------------
FEWER = (PROFILE, SPLIT, SHARE_OF_WIDTH, INCOMING)
POOL = profile_pool(("w", 1, 2))
NU = (
    r"$\nu=\frac1{m_k}\big\lVert\sum_i(\sigma'(\tilde f_i))^2H_{\tilde f_i}^2\big\rVert$, the sum "
    r"over the incoming neurons $i$ of $f_k$"
)
SAID = (
    r"Neurons of small in-degree among the $m_k$ incoming ones may have $\|G\|$ of larger order, "
    r"$O(1)$; as long as their number is not too large, $o(m_k)$, the order of the sum is not "
    f"affected, and the desired bound for the matrix variance is the same: {NU}."
)
JUDGED = (
    "judged on families of linear networks, with the exponent that the variance has, from below "
    "and from above"
)
NEGATED = "the variance falls with a smaller power of M, with a probability that does not fall"
THROUGH = (
    r"on a family of linear networks the order of $\nu$ is counted by walks from the output, whose "
    "first step chooses the incoming neuron (docs/mathematics/zlb22.md#the-matrix-variance)"
)

CLAIMS = (
    stated(
        "zlb22.appF.b.variance@B",
        printed("Appendix F"),
        "the matrix variance with o(m) bottleneck neurons among incoming neurons",
        SAID,
        OF_ORDER_1_IN_M,
        (PROFILE, SPLIT, FEW_AMONG, INCOMING),
        depends=("zlb22.lemK.8", "zlb22.lemK.9@A"),
        pool=POOL,
        reading="B",
        reading_text=r"$\nu=\tilde O(1/m)$, the bound without bottlenecks (Lemma K.9), with $m$ "
        rf"the least in-degree of the neurons that are no bottlenecks; {JUDGED}",
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        through=THROUGH,
        why=r"$n$ bottlenecks with $\|G\|$ of order 1 add $n/m_k$ to the variance, where the "
        r"others give $1/m$: for $n=o(m_k)$ that is $o(1)$, and not $\tilde O(1/m)$.",
    ),
    stated(
        "zlb22.appF.b.variance.fix",
        printed("Appendix F"),
        "the matrix variance with O(m_k/m) bottleneck neurons among incoming neurons",
        r"As long as the number of bottleneck neurons among the $m_k$ incoming ones is $O(m_k/m)$, "
        r"the desired bound for the matrix variance is the same, $\nu=\tilde O(1/m)$: "
        f"{NU}; {JUDGED}.",
        OF_ORDER_1_IN_M,
        FEWER,
        depends=("zlb22.appF.b.variance@B",),
        pool=POOL,
        repairs="zlb22.appF.b.variance@B",
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        proof=partial(argument, OF_ORDER_1_IN_M, FEWER, WIDTHS, variance=True),
        through=THROUGH,
    ),
)
