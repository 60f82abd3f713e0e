"""Corollary 1 and its proof (Appendix E), both versions, on solutions known for all times."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import LINEAR, RELU
from graphs.exact import evaluation_at
from verify.cases.case import Case
from verify.cases.flow_observables import LimitObservable
from verify.cases.layer_plans import (
    deep_then_linear,
    relu_layers,
    relu_then_linear,
    wide_then_linear,
)
from verify.cases.pool import RELU_MIX, Pool
from verify.core.claim import Kind
from verify.core.losses import PRESCRIBED
from verify.kinds.solutions.rays import RAY, REST
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.language.building import (
    Each,
    Rate,
    edges,
    examples,
    hidden,
    into,
    loss_slope,
    nu,
    outputs,
    w,
    y,
)
from verify.papers.lj22 import invariances
from verify.papers.lj22.balance_proofs import depth_balance
from verify.papers.lj22.corollary_proofs import norm_grows
from verify.papers.lj22.corollary_terms import (
    DIVERGES,
    EVERY_LAYER_DIVERGES,
    LIMITS_OF_LINEAR,
    OTHERS_BOUNDED,
    OTHERS_OF_LINEAR_BOUNDED,
    RELU_HIDDEN,
    RELU_THEN_LINEAR,
    limits,
    rank_one,
)
from verify.papers.lj22.graph_terms import is_linear, is_relu_or_linear, squares
from verify.papers.lj22.low_rank import ON_A_RAY
from verify.papers.lj22.solutions import (
    NETWORK,
    NO_ZERO_LIMIT,
    RISK_BELOW,
    SEPARABLE,
    SQUARES,
    SUM_BELOW,
    solution,
    supposed,
)
from verify.papers.lj22.sources import both, earlier, final
from verify.statements import network_hypotheses as given
from verify.statements.stated import Given, stated

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

AT_REST = (
    r"$\mathcal R(w(0))<\ell(0)$ allows an example that is classified wrongly, and there are "
    "weights without a zero, on separable data, at which the flow is at rest"
)
ACTIVE_ALONE = (
    "ReLU neurons that are active on different examples turn towards these, so the matrix of a "
    "ReLU layer keeps several singular values of one order"
)
AT_REST_OR_RAY = (
    "at rest nothing changes, and on a ray $s(t)w$ of the flow quotients of norms and singular "
    "vectors do not (docs/mathematics/lj22.md#solutions-that-are-known-for-all-times)"
)

NEITHER = "one of the two limits of (15) is not there, or is another one, for "


# hypotheses of a time -----------------------------------------------------------------------------
def _with_named_kinds(case: Case, random: Random) -> Case:
    net = case.network
    kinds = {v: random.choice((RELU, RELU, LINEAR)) for v in net.inner}
    return case.with_activations(kinds | dict.fromkeys(net.outputs, LINEAR))


def _classified(case: Case, random: Random) -> Case:
    """Labels by the network, slopes of a falling loss; where an output is 0, positive numbers."""
    values = evaluation_at(case.network, case.weights, case.inputs).outputs[0]
    if not all(values):
        weights = tuple(abs(w) or Fraction(1) for w in case.weights)
        rows = tuple(tuple(map(abs, row)) for row in case.inputs)
        rows = tuple(row if any(row) else (Fraction(1), *row[1:]) for row in rows)
        case = replace(case, weights=weights, inputs=rows)
        values = evaluation_at(case.network, case.weights, case.inputs).outputs[0]
    labels = tuple(Fraction(1 if v > 0 else -1) for v in values)
    return replace(case, labels=labels, slopes=tuple(-abs(s) or Fraction(-1) for s in case.slopes))


def _misclassified(case: Case, random: Random) -> Case:
    found = _classified(case, random)
    return replace(found, labels=(-found.labels[0], *found.labels[1:]))


HIDDEN_RELU_OR_LINEAR = Given(
    "hidden neurons ReLU or linear",
    Each(hidden(), is_relu_or_linear) & Each(outputs(), is_linear),
    "hidden neurons are ReLU or linear, the output is linear",
    _with_named_kinds,
)
MARGINS_POSITIVE = Given(
    "margins positive",
    Each(examples(), lambda j: (loss_slope(j) < 0) & (y(j) * nu(j) > 0)),
    r"$\ell'<0$, and $y_i\nu(x_i)>0$ for every example, as $\sum_i\ell(y_i\nu(x_i))<\ell(0)$ gives",
    _classified,
    _misclassified,
)
NORM_GROWS = Rate(SQUARES) >= 0


# claims -------------------------------------------------------------------------------------------
DEEP = SolutionPool(deep_then_linear, (REST,), separable=True, nonzero=True, rarity=0.5)
RAYS = SolutionPool(relu_then_linear, (RAY,), separable=True, nonzero=True, examples=(1, 2, 2))
WIDE = SolutionPool(wide_then_linear, (RAY,), separable=True, nonzero=True, examples=(1, 2, 2))
SHALLOW = SolutionPool(relu_layers, (RAY,), separable=True, nonzero=True, examples=(2, 2, 3))
LAST_LINEAR = supposed(
    "ReLU, then linear",
    RELU_THEN_LINEAR,
    r"fully connected, ReLU before the last $K$ layers, which are linear",
)
HIDDEN_RELU = supposed(
    "fully connected with ReLU", RELU_HIDDEN, r"fully connected, ReLU at the hidden vertices"
)
CONDITIONS = (LAST_LINEAR, *NETWORK, SEPARABLE, RISK_BELOW, NO_ZERO_LIMIT)
TRAINED = (*CONDITIONS, solution(RAY, REST))
EARLIER_TRAINED = (HIDDEN_RELU, *TRAINED[1:])
REPAIRED = (LAST_LINEAR, *NETWORK, SEPARABLE, SUM_BELOW, NO_ZERO_LIMIT, solution(RAY))
STRONGER = r"Instead of $\mathcal R(w(0))<\ell(0)$: $\sum_i\ell(y_i\nu(x_i;w(0)))<\ell(0)$. "

CLAIMS = (
    stated(
        "lj22.cor1",
        final("Corollary 1"),
        "rank one and alignment of the last linear layers",
        FINAL + f"Equation (15) holds for the last $K$ layers: {LIMITS}.$$",
        LIMITS_OF_LINEAR,
        TRAINED,
        kind=Kind.LIMIT,
        depends=("lj22.thm2-15.rank-one@AA", "lj22.thm2-15.alignment@AA", "lj22.cor1-div"),
        pool=DEEP,
        negated=NEITHER + "one of the last $K$ layers",
        through=AT_REST_OR_RAY,
        why=AT_REST,
    ),
    stated(
        "lj22.cor1.fix",
        final("Corollary 1"),
        "the same, every example classified correctly at the start",
        STRONGER + FINAL + f"Equation (15) holds for the last $K$ layers: {LIMITS}.$$",
        LIMITS_OF_LINEAR,
        REPAIRED,
        kind=Kind.LIMIT,
        depends=("lj22.cor1-div.fix",),
        pool=WIDE,
        repairs="lj22.cor1",
        negated=NEITHER + "one of the last $K$ layers",
        observable=LimitObservable(wide_then_linear, "linear layers", ("separable",)),
        through=AT_REST_OR_RAY,
    ),
    stated(
        "lj22.cor1-div",
        both("Appendix E"),
        "the norm of the weights diverges",
        FINAL + r"$\lVert w(t)\rVert_2$ diverges.",
        DIVERGES,
        TRAINED,
        kind=Kind.LIMIT,
        pool=DEEP,
        negated=r"$\lVert w(t)\rVert_2$ does not tend to infinity",
        through="at rest nothing diverges (docs/mathematics/lj22.md#rest)",
        why=AT_REST,
    ),
    stated(
        "lj22.cor1-div.fix",
        both("Appendix E"),
        "the same, every example classified correctly at the start",
        STRONGER + FINAL + r"$\lVert w(t)\rVert_2$ diverges. (Measured at a time, on weights that "
        r"classify every example correctly: $\frac d{dt}\lVert w\rVert_2^2\ge0$.)",
        NORM_GROWS,
        (
            given.FULLY_CONNECTED,
            given.ALL_LEARNABLE,
            given.OWN_PARAMETERS,
            given.BIAS_FREE,
            HIDDEN_RELU_OR_LINEAR,
            MARGINS_POSITIVE,
            *invariances.FLOW,
        ),
        pool=Pool(families=("fully connected",), activations=RELU_MIX, losses=(PRESCRIBED,)),
        repairs="lj22.cor1-div",
        proof=norm_grows,
        observable=LimitObservable(wide_then_linear, "norm", ("separable",)),
        through=r"$\lVert w\rVert_2^2$ grows at the rate $\frac{2L}n\sum_j-\ell'(m_j)m_j$ in the "
        r"margins $m_j$, none of which falls below its bound at the start, so it is unbounded "
        "(docs/mathematics/lj22.md#divergence)",
    ),
    stated(
        "lj22.cor1-sum.constancy@A",
        both("Appendix E"),
        "the sum of the squared Frobenius norms against the last layer",
        f"Invoking Lemma 3 for all $k\\in[L-1]$ and summing up, ${SUM}=D''+\\lVert w(t)"
        r"\rVert_2^2$ where $D''$ is constant in $t$.",
        given.DEPTH * Rate(squares(into(outputs()[1]))) == Rate(squares(edges())),
        (
            given.FULLY_CONNECTED,
            given.ALL_LEARNABLE,
            given.OWN_PARAMETERS,
            given.BIAS_FREE,
            *invariances.FLOW,
        ),
        kind=Kind.LAW,
        pool=Pool(families=("fully connected",), activations=RELU_MIX),
        depends=("lj22.lemma3@A",),
        reading="A",
        reading_text="the middle term has lost an equals sign: the first and the last expression",
        proofs=[depth_balance],
    ),
    stated(
        "lj22.cor1-sum.divergence",
        both("Appendix E"),
        "every layer's norm diverges",
        FINAL + r"thus $\lVert W_j(t)\rVert_F^2$ diverges for all $j\in[L]$.",
        EVERY_LAYER_DIVERGES,
        TRAINED,
        kind=Kind.LIMIT,
        depends=("lj22.cor1-div", "lj22.cor1-sum.constancy@A"),
        pool=DEEP,
        negated=r"$\lVert W_j(t)\rVert_F$ of some layer does not tend to infinity",
        through="at rest nothing diverges (docs/mathematics/lj22.md#rest)",
        why=AT_REST,
    ),
    stated(
        "lj22.cor1-sum.domination",
        both("Appendix E"),
        "the largest singular value of every layer dominates",
        FINAL + r"for all $j\in[L]$ the largest singular value of $W_j$ eventually dominates the "
        "remaining ones, and each matrix converges to its rank-1 approximation.",
        rank_one(),
        TRAINED,
        kind=Kind.LIMIT,
        depends=("lj22.cor1-sum.divergence",),
        pool=RAYS,
        negated=r"$W_j/\lVert W_j\rVert_F$ of some layer does not tend to rank one",
        through=AT_REST_OR_RAY,
        why=ACTIVE_ALONE,
    ),
    stated(
        "lj22.cor1-sum.bounded",
        both("Appendix E"),
        "the sum of all but the largest singular value is bounded",
        FINAL + r"for all $j\in[L]$ the sum of all but the largest singular value of $W_j(t)$ is "
        "bounded.",
        OTHERS_BOUNDED,
        (*CONDITIONS, solution(RAY)),
        kind=Kind.LIMIT,
        depends=("lj22.thm2-13@A",),
        pool=RAYS,
        negated="all but the largest singular value of some layer have a sum that is unbounded",
        through=ON_A_RAY,
        why=ACTIVE_ALONE,
    ),
    stated(
        "lj22.cor1-sum.bounded.fix",
        both("Appendix E"),
        "the same of the last linear layers",
        FINAL + "for each of the last $K$ layers the sum of all but the largest singular value of "
        r"$W_j(t)$ is bounded.",
        OTHERS_OF_LINEAR_BOUNDED,
        (*CONDITIONS, solution(RAY)),
        kind=Kind.LIMIT,
        depends=("lj22.thm2-13.fix",),
        pool=WIDE,
        repairs="lj22.cor1-sum.bounded",
        negated="all but the largest singular value of one of the last $K$ layers have a sum that "
        "is unbounded",
        observable=LimitObservable(wide_then_linear, "linear layers", ("separable",)),
        through=ON_A_RAY,
    ),
    stated(
        "lj22v1.cor1",
        earlier("Corollary 1"),
        "rank one and alignment of every layer of a ReLU network",
        EARLIER + f"Equation (15) holds: {LIMITS}.$$",
        limits(),
        EARLIER_TRAINED,
        kind=Kind.LIMIT,
        depends=("lj22v1.thm2-15.rank-one@AA", "lj22.cor1-div", "lj22.cor1-sum.domination"),
        pool=SHALLOW,
        negated=NEITHER + "one of the layers",
        through=AT_REST_OR_RAY,
        why=ACTIVE_ALONE,
    ),
    stated(
        "lj22v1.abs.cor1@A",
        earlier("end of Appendix B"),
        "the same with absolute values",
        EARLIER + f"Equation (15) holds with $|W|$ for every matrix $W$: {LIMITS}.$$",
        limits(lambda e: abs(w(e))),
        EARLIER_TRAINED,
        kind=Kind.LIMIT,
        depends=("lj22v1.cor1",),
        pool=SHALLOW,
        reading="A",
        reading_text="every matrix is replaced by the matrix of the absolute values of its entries",
        negated=NEITHER + "one of the layers",
        through=AT_REST_OR_RAY,
        why=ACTIVE_ALONE,
    ),
)
