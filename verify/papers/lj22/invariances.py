"""Sections 4.1 and 4.2: stable signs, and the invariances at vertices, pairs, layers and biases."""

from graphs.network import Network
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    INCIDENT_LEARNABLE,
    OWN_PARAMETERS,
)
from verify.pair_hypotheses import EQUAL_PATTERNS, PAIR_EXISTS, layers
from verify.papers.lj22.proofs import vertex_balance_by_induction
from verify.papers.lj22.sources import both, final
from verify.point_hypotheses import (
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FLOW_SELECTION,
    STABLE_SIGNS,
)
from verify.pool import Pool
from verify.structure import layer_identities, vertex_identities
from verify.vocabulary import Entries, Scene

FLOW = (FEEDFORWARD, STABLE_SIGNS, DIFFERENTIABLE_LOSS, HOMOGENEOUS, DATA, FLOW_SELECTION)
POINTS = Pool(kinks=True)
LAYERED = Pool(largest=6, kinks=True)


def vertex_defect(scene: Scene) -> Entries:
    """d/dt of sum_in w^2 - sum_out w^2, at each inner vertex."""
    rate = scene.weights * scene.velocity
    rate = rate + rate
    return scene.per_vertex(scene.into(rate), scene.out_of(rate))


def pair_defect(scene: Scene) -> Entries:
    """d/dt of sum_a w_au w_av - sum_b w_ub w_vb, for each pair with equal neighbourhoods."""
    w, v = scene.weights, scene.velocity
    incoming = scene.paired_in(w, v) + scene.paired_in(v, w)
    outgoing = scene.paired_out(w, v) + scene.paired_out(v, w)
    return scene.per_pair(incoming, outgoing)


def layer_defect(scene: Scene) -> Entries:
    """d/dt of sum over F of w^2 minus sum over F' of w^2."""
    rate = scene.weights * scene.velocity
    rate = rate + rate
    return scene.per_layers(scene.over_layer(rate, 0), scene.over_layer(rate, 1))


BIASED = Hypothesis(
    "biases by extra inputs",
    "neurons with bias have an extra in-edge from an extra in-vertex, an input vertex with fixed "
    "input value $1$",
    by_case(
        lambda case: (
            case.network.has_bias and all(value in (None, 1) for value in case.network.constants)
        )
    ),
)


def _one_for_each(case: Case) -> bool:
    network: Network = case.network
    constants = zip(network.inputs, network.constants, strict=True)
    return all(len(network.out_edges[v]) == 1 for v, c in constants if c is not None)


EXTRA_INPUTS = Hypothesis(
    "extra in-vertex (one for each neuron)",
    "extra in-vertices: one for each neuron",
    by_case(_one_for_each),
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


def _layer_claim(reading: str) -> Claim:
    return Claim(
        f"lj22.lemma3@{reading}",
        Kind.LAW,
        final("Lemma 3, (7) (earlier version: Lemma 4)"),
        "edge-wise invariance between two layers",
        LEMMA3,
        (layers(reading), OWN_PARAMETERS, BIAS_FREE, *FLOW),
        ("lj22.ass1", "lj22.ass3", f"lj22.def7@{reading}", "lj22.lemma1"),
        measure=layer_defect,
        pool=LAYERED,
        reading=reading,
        reading_text=LAYER_WORDS[reading],
        identities=layer_identities(reading),
        why=WHY_LAYER[reading],
    )


def _bias_claim(reading: str) -> Claim:
    return Claim(
        f"lj22.bias@B{reading}",
        Kind.LAW,
        both("Significance of Lemma 3"),
        "edge-wise invariance for networks with biases",
        r"The lemma also gives a direct implicit regularisation for networks with biases, by "
        r"treating neurons with bias as having an extra in-edge whose weight is the bias, from an "
        r"extra in-vertex which is an input vertex with fixed input value $1$: for layers $F$, "
        r"$F'$ of the extended graph $$\sum_{e\in F}w_e^2-\sum_{f\in F'}w_f^2=\sum_{e\in F}"
        r"w_e^2(0)-\sum_{f\in F'}w_f^2(0)$$",
        (layers(reading), BIASED, EXTRA_INPUTS, OWN_PARAMETERS, *FLOW),
        (f"lj22.def7@{reading}", f"lj22.lemma3@{reading}"),
        measure=layer_defect,
        pool=Pool(largest=4, bias="B", kinks=True, families=BIAS_FAMILIES),
        reading=f"B{reading}",
        reading_text=f"one extra in-vertex for each neuron with bias; {LAYER_WORDS[reading]}",
        identities=layer_identities(reading),
        why=WHY_LAYER[reading],
    )


BIAS_FAMILIES = ("fully connected", "random DAG", "layered DAG", "tree", "dropped edges")

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
    Claim(
        "lj22.lemma2a",
        Kind.LAW,
        final("Lemma 2, first part, (4) (earlier version: Lemma 3)"),
        "vertex-wise invariance",
        r"Under Assumptions 1 and 3, for all $v\in V\setminus\{I\cup O\}$ such that all edges "
        r"incident to $v$ have learnable weights, for a.e. time $t\ge0$, $$\sum_{u\in\mathrm{IN}_v}"
        r"w_{uv}^2(t)-\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(t)=\sum_{u\in\mathrm{IN}_v}w_{uv}^2(0)-"
        r"\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(0)$$",
        (INCIDENT_LEARNABLE, BIAS_FREE, *FLOW),
        ("lj22.ass1", "lj22.ass3", "lj22.lemma1"),
        measure=vertex_defect,
        pool=POINTS,
        expanded=True,
        identities=vertex_identities,
        proof=vertex_balance_by_induction,
    ),
    Claim(
        "lj22.lemma2b@A",
        Kind.LAW,
        final("Lemma 2, second part, (5) and (50)"),
        "invariance for pairs of vertices with equal patterns",
        LEMMA2B,
        (PAIR_EXISTS, EQUAL_PATTERNS, INCIDENT_LEARNABLE, BIAS_FREE, *FLOW),
        ("lj22.ass1", "lj22.ass3", "lj22.lemma2a"),
        measure=pair_defect,
        pool=POINTS,
        reading="A",
        reading_text=NO_LEAKY,
        why="a ReLU neuron with preactivation $0$ counts as active, while the flow may move it "
        "with any slope between $0$ and $1$: two neurons with equal patterns then move differently",
    ),
    Claim(
        "lj22.lemma2b@A.fix",
        Kind.LAW,
        final("Lemma 2, second part, (5) and (50)"),
        "invariance for pairs, at points of differentiability",
        LEMMA2B + " Repaired: at every time at which the network is differentiable at $w(t)$ on "
        "every example.",
        (
            PAIR_EXISTS,
            EQUAL_PATTERNS,
            INCIDENT_LEARNABLE,
            BIAS_FREE,
            DIFFERENTIABLE,
            *(h for h in FLOW if h is not FLOW_SELECTION),
        ),
        ("lj22.ass1", "lj22.ass3", "lj22.lemma2a"),
        measure=pair_defect,
        pool=Pool(),
        reading="A",
        reading_text=NO_LEAKY,
        repairs="lj22.lemma2b@A",
        expanded=True,
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
