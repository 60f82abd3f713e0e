"""Sections 4.1 and 4.2: stable signs, and the invariances at vertices, pairs, layers and biases."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from verify.cases.breaks import other_constant, read_twice
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.transformations import copy_in_weights, twin
from verify.core.claim import Claim, Kind, Source
from verify.language.building import (
    Each,
    Rate,
    Some,
    card,
    examples,
    held,
    hidden,
    implies,
    inputs,
    into,
    out_of,
    x,
)
from verify.papers.lj22.balance_proofs import layer_balance, pair_balance, vertex_balance
from verify.papers.lj22.graph_terms import (
    LAYERS_BALANCE,
    equal_patterns,
    of_pairs,
    squares,
    two_layers,
)
from verify.papers.lj22.sources import both, final
from verify.statements.mending import mended
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FEEDFORWARD,
    FLOW_SELECTION,
    HOMOGENEOUS,
    OWN_PARAMETERS,
    STABLE_SIGNS,
    incident_learnable,
)
from verify.statements.stated import Given, stated

SMOOTH_FLOW = (FEEDFORWARD, STABLE_SIGNS, DIFFERENTIABLE_LOSS, HOMOGENEOUS, DATA)
FLOW = (*SMOOTH_FLOW, FLOW_SELECTION)
LAYERED = Pool(largest=6, kinks=True)


def to_pairs(case: Case, random: Random) -> Case:
    """Mostly with a pair of vertices that has the same neighbours and equal activation patterns."""
    return copy_in_weights(copy_in_weights(twin(case, random), random), random)


PAIRED = Pool(kinks=True, adapt=to_pairs)
BIASED = Given(
    "biases by extra inputs",
    Some(inputs(), lambda v: held(v))
    & Each(inputs(), lambda v: implies(held(v), Each(examples(), lambda j: x(v, j) == 1))),
    "neurons with bias have an extra in-edge from an extra in-vertex, an input vertex with fixed "
    "input value $1$",
    break_=other_constant,
)
EXTRA_INPUTS = Given(
    "extra in-vertex (one for each neuron)",
    Each(inputs(), lambda v: implies(held(v), card(out_of(v)) == 1)),
    "extra in-vertices: one for each neuron",
    break_=read_twice,
)
LAYER_WORDS = {
    "A": "disconnected: the underlying undirected graph has more than one component",
    "B": "disconnected: no directed path from I to o remains",
}
WHY_LAYER = {
    "A": "the edges out of a single input are a layer by Definition 7, although paths from other "
    "inputs avoid them, so that not every path is counted",
    "B": "",
}
LEMMA3 = (
    r"Under Assumptions 1 and 3, for all layers $F$ and $F'$ that contain all learnable weights, "
    r"for a.e. time $t\ge0$, $$\sum_{e\in F}w_e^2-\sum_{f\in F'}w_f^2=\sum_{e\in F}w_e^2(0)-"
    r"\sum_{f\in F'}w_f^2(0)$$"
)
NO_LEAKY = "leaky ReLU neurons are outside the claim"
LEMMA2B = (
    r"If in addition $\mathrm{IN}_u=\mathrm{IN}_v=\mathrm{IN}$, $\mathrm{OUT}_u=\mathrm{OUT}_v="
    r"\mathrm{OUT}$, and for each training example $u$ and $v$ have the same activation pattern "
    r"as each other, then for a.e. time $$\frac{d}{dt}\sum_{a\in\mathrm{IN}}w_{au}w_{av}="
    r"\frac{d}{dt}\sum_{b\in\mathrm{OUT}}w_{ub}w_{vb}$$ (differential form (50) of (5)). The "
    r"activation of a neuron is $0$ if it is ReLU activated and has negative preactivation, and "
    r"$1$ if it is linearly activated or has nonnegative preactivation."
)


def of_layers(
    reading: str,
    claim_id: str,
    source: Source,
    title: str,
    text: str,
    given: Sequence[Given],
    **others: Any,
) -> Claim:
    """A claim that two layers balance; by reading B they do."""
    return stated(
        claim_id,
        source,
        title,
        text,
        LAYERS_BALANCE,
        given,
        kind=Kind.LAW,
        reading=reading,
        reading_text=LAYER_WORDS[reading[-1]],
        why=WHY_LAYER[reading[-1]],
        proofs=[layer_balance] if reading[-1] == "B" else [],
        **others,
    )


def _layer_claim(reading: str) -> Claim:
    return of_layers(
        reading,
        f"lj22.lemma3@{reading}",
        final("Lemma 3, (7) (earlier version: Lemma 4)"),
        "edge-wise invariance between two layers",
        LEMMA3,
        (two_layers(reading), OWN_PARAMETERS, BIAS_FREE, *FLOW),
        pool=LAYERED,
        depends=("lj22.ass1", "lj22.ass3", f"lj22.def7@{reading}", "lj22.lemma1"),
    )


def _bias_claim(reading: str) -> Claim:
    claim = of_layers(
        f"B{reading}",
        f"lj22.bias@B{reading}",
        both("Significance of Lemma 3"),
        "edge-wise invariance for networks with biases",
        r"The lemma also gives a direct implicit regularisation for networks with biases, by "
        r"treating neurons with bias as having an extra in-edge whose weight is the bias, from an "
        r"extra in-vertex which is an input vertex with fixed input value $1$: for layers $F$, "
        r"$F'$ of the extended graph $$\sum_{e\in F}w_e^2-\sum_{f\in F'}w_f^2=\sum_{e\in F}"
        r"w_e^2(0)-\sum_{f\in F'}w_f^2(0)$$",
        (two_layers(reading), BIASED, EXTRA_INPUTS, OWN_PARAMETERS, *FLOW),
        pool=Pool(largest=4, bias="B", kinks=True, families=BIAS_FAMILIES),
        depends=(f"lj22.def7@{reading}", f"lj22.lemma3@{reading}"),
    )
    words = f"one extra in-vertex for each neuron with bias; {LAYER_WORDS[reading]}"
    return replace(claim, reading_text=words)


BIAS_FAMILIES = ("fully connected", "random DAG", "layered DAG", "tree", "dropped edges")
EQUAL_PATTERNS = stated(
    "lj22.lemma2b@A",
    final("Lemma 2, second part, (5) and (50)"),
    "invariance for pairs of vertices with equal patterns",
    LEMMA2B,
    of_pairs(equal_patterns),
    (BIAS_FREE, *FLOW),
    kind=Kind.LAW,
    pool=PAIRED,
    depends=("lj22.ass1", "lj22.ass3", "lj22.lemma2a"),
    reading="A",
    reading_text=NO_LEAKY,
    why="a ReLU neuron with preactivation $0$ counts as active, while the flow may move it "
    "with any slope between $0$ and $1$: two neurons with equal patterns then move differently",
)
CLAIMS = (
    Claim(
        "lj22.ass1",
        Kind.ASSUMPTION,
        both("Assumption 1"),
        "stable sign regime",
        r"For some $t_0<t_N\in[0,\infty]$, for all $t\in[t_0,t_N)$, $\mathrm{sgn}(w(t))="
        r"\mathrm{sgn}(w(t_0))$. Used at a point: no learnable weight is $0$ (so that its sign "
        r"stays for a while), or it is $0$ and stays $0$.",
    ),
    Claim(
        "lj22.ass3",
        Kind.ASSUMPTION,
        both("Assumption 3"),
        "differentiable loss",
        r"The loss $\ell:\mathbb R\to\mathbb R$ is differentiable everywhere.",
    ),
    stated(
        "lj22.lemma2a",
        final("Lemma 2, first part, (4) (earlier version: Lemma 3)"),
        "vertex-wise invariance",
        r"Under Assumptions 1 and 3, for all $v\in V\setminus\{I\cup O\}$ such that all edges "
        r"incident to $v$ have learnable weights, for a.e. time $t\ge0$, $$\sum_{u\in\mathrm{IN}_v}"
        r"w_{uv}^2(t)-\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(t)=\sum_{u\in\mathrm{IN}_v}w_{uv}^2(0)-"
        r"\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(0)$$",
        Each(
            hidden(),
            lambda v: implies(
                incident_learnable(v), Rate(squares(into(v))) == Rate(squares(out_of(v)))
            ),
        ),
        (BIAS_FREE, *FLOW),
        kind=Kind.LAW,
        pool=Pool(kinks=True),
        proofs=[vertex_balance],
        depends=("lj22.ass1", "lj22.ass3", "lj22.lemma1"),
    ),
    EQUAL_PATTERNS,
    mended(
        EQUAL_PATTERNS,
        "invariance for pairs, at points of differentiability",
        LEMMA2B + " Repaired: at every time at which the network is differentiable at $w(t)$ on "
        "every example.",
        of_pairs(equal_patterns),
        (BIAS_FREE, DIFFERENTIABLE, *SMOOTH_FLOW),
        pool=Pool(adapt=to_pairs),
        proofs=[pair_balance],
    ),
    *(
        Claim(
            f"lj22.def7@{reading}",
            Kind.DEFINITION,
            final("Definition 7 (earlier version: Definition 6)"),
            "layer of a general network",
            r"Let $F\subset E$ be such that 1) for all $e\ne f\in F$, there is no path that "
            r"contains both $e$ and $f$; and 2) the graph $(V,E\setminus F,w)$ is disconnected. "
            r"Then $F$ is called a layer of $G$.",
            depends=("lj22.def1",),
            reading=reading,
            reading_text=LAYER_WORDS[reading],
        )
        for reading in "AB"
    ),
    *(_layer_claim(reading) for reading in "AB"),
    *(_bias_claim(reading) for reading in "AB"),
)
