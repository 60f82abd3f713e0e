"""Corollary 1 and its proof (Appendix E), both versions, on solutions known for all times."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from random import Random

import numpy as np

from graphs.balance import Balanced
from graphs.network import Network
from verify.breaches import Breach, excess, grows, misaligned, of_cases, off_rank_one
from verify.case import Case
from verify.claim import Claim, Kind
from verify.network_hypotheses import ALL_LEARNABLE, BIAS_FREE, FULLY_CONNECTED, OWN_PARAMETERS
from verify.papers.lj22.invariances import FLOW
from verify.papers.lj22.solutions import (
    NETWORK,
    NO_ZERO_LIMIT,
    RELU_HIDDEN,
    RELU_THEN_LINEAR,
    RISK_BELOW,
    SEPARABLE,
    SUM_BELOW,
    linear_layers,
    matrices,
    solution,
)
from verify.papers.lj22.sources import both, earlier, final
from verify.plans import deep_then_linear, relu_layers, relu_then_linear
from verify.pool import RELU_MIX, Pool
from verify.rays import RAY, REST
from verify.solution_pool import SolutionPool
from verify.structure import Decided
from verify.vocabulary import Entries, Scene
from verify.watch import Watch

SUPPOSED = (
    r"trained with linearly separable data under logistic loss $\ell$, under the assumptions that "
    r"$\mathcal R(w(0))<\ell(0)$ and the limiting direction of the weight vector has no $0$ entries"
)
FINAL = (
    r"For fully-connected networks with ReLU activations where the last $K$ layers are linear "
    f"layers, {SUPPOSED}, "
)
EARLIER = f"For fully-connected networks with ReLU activations, {SUPPOSED}, "
LIMITS = (
    r"$$\Big\lVert\frac{W_j}{\lVert W_j\rVert_F}-u_jv_j^\top\Big\rVert_F\to0,\qquad"
    r"|\langle v_{j+1},u_j\rangle|\to1"
)
SUM = r"L\lVert W_L(t)\rVert_F^2=D''+\sum_{j=1}^L\lVert W_j(t)\rVert_F^2"

NEITHER = "one of the two limits of (15) is not there, or is another one, for "


# measures -----------------------------------------------------------------------------------------
def _limits(
    case: Case, *, every: bool, absolute: bool = False, alignment: bool = True
) -> list[Breach]:
    """(15) for every layer, or for the last linear ones. alignment: with the second limit."""
    layers = matrices(case, absolute=absolute)
    first = 1 if every else len(layers) - linear_layers(case) + 1
    chosen = [j for j in range(first, len(layers) + 1) if any(map(any, layers[j - 1]))]
    single = [off_rank_one(layers[j - 1], {"layer": j}) for j in chosen]
    pairs = [
        misaligned(layers[j - 1], layers[j], {"numbers": [j, j + 1]})
        for j in chosen
        if alignment and j + 1 in chosen
    ]
    return single + pairs


def _divergence(case: Case, *, what: str) -> list[Breach]:
    """1 where the weights are at rest."""
    return [({"predicate": what}, Fraction(not grows(case)))]


def _middle_product(case: Case) -> list[Breach]:
    """On a ray s w the difference is s^2 times a constant minus s^4 times these numbers."""
    squares = [sum((v * v for row in m for v in row), Fraction(0)) for m in matrices(case)]
    return [
        ({"layer": k}, sum(squares, Fraction(0)) * square if grows(case) else Fraction(0))
        for k, square in enumerate(squares, start=1)
    ]


def _others(case: Case, *, every: bool) -> list[Breach]:
    """||W_j||_F^2 - ||W_j||_2^2 at w, or less, for every layer or the last linear ones: on a ray
    all singular values grow like s, so the sum of the others is bounded where this is 0."""
    layers = matrices(case)
    first = 1 if every else len(layers) - linear_layers(case) + 1
    chosen = [j for j in range(first, len(layers) + 1) if any(map(any, layers[j - 1]))]
    return [excess(layers[j - 1], 1, {"layer": j}) for j in chosen] if grows(case) else []


def sum_defect(scene: Scene) -> Entries:
    """d/dt of L ||W_L||_F^2 minus d/dt of sum_j ||W_j||_F^2, one entry for each network."""
    rate = scene.weights * scene.velocity
    rate = rate + rate
    depths = scene.arithmetic.array([max(net.depths) for net in scene.union.networks])
    last = scene.into(rate)[scene.union.outputs]
    count = len(scene.union.networks)
    left = last * depths
    owner = np.arange(count)
    nothing = np.zeros(count, dtype=np.int64)
    whole = scene.arithmetic.sum_at(rate, scene.union.edge_owner, count)
    entry = {"predicate": "the sum is constant"}
    return Entries(left - whole, left, owner, "case", nothing, nothing - 1, lambda k: entry)


def sum_identity(network: Network, random: Random) -> list[Decided]:
    """The potential -k at the vertices of layer k < L: on edges to layer k < L it grows by -1, and
    by L - 1 to the output. None where the network is not fully connected."""
    depth = network.depths
    counts = [depth.count(d) for d in range(max(depth) + 1)]
    ends = zip(network.tails, network.heads, strict=True)
    steps = all(depth[head] == depth[tail] + 1 for tail, head in ends)
    full = network.edge_count == sum(a * b for a, b in pairwise(counts))
    own = all(map(network.own_parameter, range(network.edge_count)))
    if not (steps and full and own) or network.has_bias or len(network.outputs) != 1:
        return []
    potential = {v: -depth[v] for v in network.inner}
    return [({"predicate": "the sum is constant"}, Balanced(potential))]


def limits(
    *, every: bool, absolute: bool = False, alignment: bool = True
) -> Callable[[Scene], Entries]:
    """(15), one entry for each layer and, with alignment, each pair of adjacent ones."""
    return of_cases(partial(_limits, every=every, absolute=absolute, alignment=alignment))


def divergence(what: str) -> Callable[[Scene], Entries]:
    """A norm goes to infinity."""
    return of_cases(partial(_divergence, what=what))


# claims -------------------------------------------------------------------------------------------
DEEP = SolutionPool(deep_then_linear, (REST,), separable=True, nonzero=True, rarity=0.5)
RAYS = SolutionPool(relu_then_linear, (RAY,), separable=True, nonzero=True, examples=(1, 2, 2))
SHALLOW = SolutionPool(relu_layers, (RAY,), separable=True, nonzero=True, examples=(2, 2, 3))
CONDITIONS = (RELU_THEN_LINEAR, *NETWORK, SEPARABLE, RISK_BELOW, NO_ZERO_LIMIT)
TRAINED = (*CONDITIONS, solution(RAY, REST))
REPAIRED = (RELU_THEN_LINEAR, *NETWORK, SEPARABLE, SUM_BELOW, NO_ZERO_LIMIT, solution(RAY))
STRONGER = r"Instead of $\mathcal R(w(0))<\ell(0)$: $\sum_i\ell(y_i\nu(x_i;w(0)))<\ell(0)$. "

CLAIMS = (
    Claim(
        "lj22.cor1",
        Kind.LIMIT,
        final("Corollary 1"),
        "rank one and alignment of the last linear layers",
        FINAL + f"Equation (15) holds for the last $K$ layers: {LIMITS}.$$",
        TRAINED,
        ("lj22.thm2-15.rank-one@AA", "lj22.thm2-15.alignment@AA", "lj22.cor1-div"),
        measure=limits(every=False),
        pool=DEEP,
        exact_only=True,
        negated=NEITHER + "one of the last $K$ layers",
    ),
    Claim(
        "lj22.cor1.fix",
        Kind.LIMIT,
        final("Corollary 1"),
        "the same, every example classified correctly at the start",
        STRONGER + FINAL + f"Equation (15) holds for the last $K$ layers: {LIMITS}.$$",
        REPAIRED,
        ("lj22.cor1-div.fix",),
        measure=limits(every=False),
        pool=RAYS,
        repairs="lj22.cor1",
        exact_only=True,
        negated=NEITHER + "one of the last $K$ layers",
        watch=Watch(relu_then_linear, "linear layers", ("separable",)),
    ),
    Claim(
        "lj22.cor1-div",
        Kind.LIMIT,
        both("Appendix E"),
        "the norm of the weights diverges",
        FINAL + r"$\lVert w(t)\rVert_2$ diverges.",
        TRAINED,
        measure=divergence("the weights diverge"),
        pool=DEEP,
        exact_only=True,
        negated=r"$\lVert w(t)\rVert_2$ does not tend to infinity",
    ),
    Claim(
        "lj22.cor1-div.fix",
        Kind.LIMIT,
        both("Appendix E"),
        "the same, every example classified correctly at the start",
        STRONGER + FINAL + r"$\lVert w(t)\rVert_2$ diverges.",
        REPAIRED,
        measure=divergence("the weights diverge"),
        pool=RAYS,
        repairs="lj22.cor1-div",
        exact_only=True,
        negated=r"$\lVert w(t)\rVert_2$ does not tend to infinity",
        watch=Watch(relu_then_linear, "norm", ("separable",)),
    ),
    Claim(
        "lj22.cor1-sum.constancy@A",
        Kind.LAW,
        both("Appendix E"),
        "the sum of the squared Frobenius norms against the last layer",
        f"Invoking Lemma 3 for all $k\\in[L-1]$ and summing up, ${SUM}=D''+\\lVert w(t)"
        r"\rVert_2^2$ where $D''$ is constant in $t$.",
        (FULLY_CONNECTED, ALL_LEARNABLE, OWN_PARAMETERS, BIAS_FREE, *FLOW),
        ("lj22.lemma3@A",),
        measure=sum_defect,
        pool=Pool(families=("fully connected",), activations=RELU_MIX),
        reading="A",
        reading_text="the equality of the first and the last expression",
        identities=sum_identity,
    ),
    Claim(
        "lj22.cor1-sum.constancy@B",
        Kind.LIMIT,
        both("Appendix E"),
        "the middle expression as it stands",
        f"${SUM}\\,\\lVert W_k\\rVert_F^2$ where $D''$ is constant in $t$ ($k$ any index).",
        (RELU_THEN_LINEAR, *NETWORK, SEPARABLE, RISK_BELOW, NO_ZERO_LIMIT, solution(RAY)),
        measure=of_cases(_middle_product),
        pool=RAYS,
        reading="B",
        reading_text="the middle expression as it stands, with $k$ any index",
        exact_only=True,
        negated="the difference of the two sides is not constant in $t$",
    ),
    Claim(
        "lj22.cor1-sum.divergence",
        Kind.LIMIT,
        both("Appendix E"),
        "every layer's norm diverges",
        FINAL + r"thus $\lVert W_j(t)\rVert_F^2$ diverges for all $j\in[L]$.",
        TRAINED,
        ("lj22.cor1-div", "lj22.cor1-sum.constancy@A"),
        measure=divergence("every layer diverges"),
        pool=DEEP,
        exact_only=True,
        negated=r"$\lVert W_j(t)\rVert_F$ of some layer does not tend to infinity",
    ),
    Claim(
        "lj22.cor1-sum.domination",
        Kind.LIMIT,
        both("Appendix E"),
        "the largest singular value of every layer dominates",
        FINAL + r"for all $j\in[L]$ the largest singular value of $W_j$ eventually dominates the "
        "remaining ones, and each matrix converges to its rank-1 approximation.",
        TRAINED,
        ("lj22.cor1-sum.divergence",),
        measure=limits(every=True, alignment=False),
        pool=RAYS,
        exact_only=True,
        negated=r"$W_j/\lVert W_j\rVert_F$ of some layer does not tend to rank one",
    ),
    Claim(
        "lj22.cor1-sum.bounded",
        Kind.LIMIT,
        both("Appendix E"),
        "the sum of all but the largest singular value is bounded",
        FINAL + r"for all $j\in[L]$ the sum of all but the largest singular value of $W_j(t)$ is "
        "bounded.",
        (*CONDITIONS, solution(RAY)),
        ("lj22.thm2-13@A",),
        measure=of_cases(partial(_others, every=True)),
        pool=RAYS,
        exact_only=True,
        negated="all but the largest singular value of some layer have a sum that is unbounded",
    ),
    Claim(
        "lj22.cor1-sum.bounded.fix",
        Kind.LIMIT,
        both("Appendix E"),
        "the same of the last linear layers",
        FINAL + "for each of the last $K$ layers the sum of all but the largest singular value of "
        r"$W_j(t)$ is bounded.",
        (*CONDITIONS, solution(RAY)),
        ("lj22.thm2-13.fix",),
        measure=of_cases(partial(_others, every=False)),
        pool=RAYS,
        repairs="lj22.cor1-sum.bounded",
        exact_only=True,
        negated="all but the largest singular value of one of the last $K$ layers have a sum that "
        "is unbounded",
    ),
    Claim(
        "lj22v1.cor1",
        Kind.LIMIT,
        earlier("Corollary 1"),
        "rank one and alignment of every layer of a ReLU network",
        EARLIER + f"Equation (15) holds: {LIMITS}.$$",
        (RELU_HIDDEN, *NETWORK, SEPARABLE, RISK_BELOW, NO_ZERO_LIMIT, solution(RAY, REST)),
        ("lj22v1.thm2", "lj22.cor1-div", "lj22.cor1-sum.domination"),
        measure=limits(every=True),
        pool=SHALLOW,
        exact_only=True,
        negated=NEITHER + "one of the layers",
    ),
    Claim(
        "lj22v1.abs.cor1@A",
        Kind.LIMIT,
        earlier("end of Appendix B"),
        "the same with absolute values",
        EARLIER + f"Equation (15) holds with $|W|$ for every matrix $W$: {LIMITS}.$$",
        (RELU_HIDDEN, *NETWORK, SEPARABLE, RISK_BELOW, NO_ZERO_LIMIT, solution(RAY, REST)),
        ("lj22v1.cor1",),
        measure=limits(every=True, absolute=True),
        pool=SHALLOW,
        reading="A",
        reading_text="every matrix is replaced by the matrix of the absolute values of its entries",
        exact_only=True,
        negated=NEITHER + "one of the layers",
    ),
)
