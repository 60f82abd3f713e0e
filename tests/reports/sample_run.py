"""A run record written by hand: every verdict, every kind of certificate, every kind of entry.

The statements are those of a paper; the exact values of the counterexamples were computed by hand.
"""

from __future__ import annotations

import json
from typing import Any

Record = dict[str, Any]

PATH_SUM = r"\sum_{p\in\mathcal P}Z_p(x;w)\prod_{e\in p}w_e"
LEMMA_2A = r"""Under Assumptions 1 and 3, for all $v\in V\setminus\{I\cup O\}$ such that all edges
incident to $v$ have learnable weights, for a.e. time $t\ge0$,
$$\sum_{u\in\mathrm{IN}_v}w_{uv}^2(t)-\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(t)
=\sum_{u\in\mathrm{IN}_v}w_{uv}^2(0)-\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(0).\tag{4}$$"""
LEMMA_2B = r"""If in addition $\mathrm{IN}_u=\mathrm{IN}_v=\mathrm{IN}$,
$\mathrm{OUT}_u=\mathrm{OUT}_v=\mathrm{OUT}$, and for each training example $u$ and $v$ have the
same activation pattern as each other, then
$$\sum_{a\in\mathrm{IN}}w_{au}(t)w_{av}(t)-\sum_{b\in\mathrm{OUT}}w_{ub}(t)w_{vb}(t)
=\sum_{a\in\mathrm{IN}}w_{au}(0)w_{av}(0)-\sum_{b\in\mathrm{OUT}}w_{ub}(0)w_{vb}(0)\tag{5}$$
for a.e. $t\ge0$ if the patterns agree throughout $[0,t]$."""
LEMMA_3 = r"""Under Assumptions 1 and 3, for all layers $F$ and $F'$ that contain all learnable
weights, for a.e. time $t\ge0$,
$$\sum_{e\in F}w_e^2-\sum_{f\in F'}w_f^2=\sum_{e\in F}w_e^2(0)-\sum_{f\in F'}w_f^2(0).\tag{7}$$"""
STABLE_SIGNS = ("H1", "stable signs", r"the signs of all $w_e$ are constant on $[0,t]$")
HOMOGENEOUS = (
    "H3",
    "homogeneity",
    r"$\sigma_v(\lambda z)=\lambda\sigma_v(z)$ for $\lambda>0$ at every vertex",
)


def network(
    edges: dict[tuple[str, str], str],
    *,
    inputs: list[str],
    activations: dict[str, str],
    fixed: tuple[tuple[str, str], ...] = (),
    shared: dict[tuple[str, str], str] | None = None,
    constants: dict[str, str] | None = None,
    weights: bool = True,
    title: str = "",
) -> Record:
    """A network as in certificates. edges: weight by edge; activations: `kind` or `kind slope`."""
    names = list(dict.fromkeys([*inputs, *activations]))
    vertices = []
    for name in names:
        kind, _, slope = activations.get(name, "linear").partition(" ")
        vertices.append({"name": name, "activation": kind} | ({"slope": slope} if slope else {}))
    shared = shared or {}
    entries, values = [], {}
    for (tail, head), weight in edges.items():
        parameter = shared.get((tail, head), f"w[{tail}->{head}]")
        own = {"fixed": weight} if (tail, head) in fixed else {"parameter": parameter}
        entries.append({"tail": tail, "head": head, **own})
        if (tail, head) not in fixed:
            values[parameter] = weight
    written = {
        "format": "lemmata-network",
        "version": 1,
        "title": title,
        "vertices": vertices,
        "inputs": inputs,
        "outputs": [names[-1]],
        "constants": constants or {},
        "edges": entries,
    }
    return written | ({"weights": values} if weights else {})


def chain(first: str, second: str, activation: str = "relu") -> Record:
    """x -> h -> o with the two weights."""
    return network(
        {("x", "h"): first, ("h", "o"): second},
        inputs=["x"],
        activations={"h": activation, "o": "linear"},
        title="chain",
    )


def fork(weights: list[str] | None, first: str, second: str) -> Record:
    """x -> u, v -> o: one hidden layer of two vertices; without weights the structure alone."""
    ends = [("x", "u"), ("x", "v"), ("u", "o"), ("v", "o")]
    edges = dict(zip(ends, weights or ["1"] * 4, strict=True))
    return network(
        edges,
        inputs=["x"],
        activations={"u": first, "v": second, "o": "linear"},
        weights=weights is not None,
        title="one hidden layer",
    )


def residual_block() -> Record:
    """A circular convolution with two shared weights inside an identity block."""
    edges = {
        ("x1", "h1"): "1",
        ("x2", "h1"): "-1/2",
        ("x1", "h2"): "-1/2",
        ("x2", "h2"): "1",
        ("h1", "r1"): "2/3",
        ("h2", "r1"): "0",
        ("h1", "r2"): "0",
        ("h2", "r2"): "-1",
        ("x1", "r1"): "1",
        ("x2", "r2"): "1",
        ("r1", "o"): "1/2",
        ("r2", "o"): "-2",
    }
    shared = {("x1", "h1"): "k1", ("x2", "h2"): "k1", ("x2", "h1"): "k2", ("x1", "h2"): "k2"}
    return network(
        edges,
        inputs=["x1", "x2"],
        activations=dict.fromkeys(["h1", "h2", "r1", "r2"], "relu") | {"o": "linear"},
        fixed=(("x1", "r1"), ("x2", "r2")),
        shared=shared,
        title="ResNetIdentity block over a circular convolution",
    )


def skipping() -> Record:
    """Two inputs, one hidden vertex, and a skip edge."""
    edges = {
        ("x1", "h"): "1",
        ("x2", "h"): "-2/3",
        ("x1", "o"): "1/2",
        ("h", "o"): "3/2",
    }
    activations = {"h": "linear", "o": "linear"}
    return network(edges, inputs=["x1", "x2"], activations=activations, title="skip edge")


def example(x: list[str], y: str = "1", slope: str = "-1/2") -> Record:
    """One training example; slope is the derivative of the loss at its margin."""
    return {"x": x, "y": y, "slope": slope}


def certificate(kind: str, claim: str, **content: Any) -> Record:
    """A certificate of any kind."""
    return {"format": "lemmata-certificate", "version": 1, "kind": kind, "claim": claim, **content}


def counterexample(
    claim: str, net: Record, examples: list[Record], entry: Record, value: str, **choice: Any
) -> Record:
    """A counterexample to a claim; value is the exact residual at the entry."""
    case = {"network": net, "examples": examples, "choice": choice}
    return certificate("counterexample", claim, case=case, entry=entry, value=value)


def evidence(method: str, outcome: str, summary: str, **figures: Any) -> Record:
    """One piece of evidence."""
    return {
        "method": method,
        "outcome": outcome,
        "summary": summary,
        "scope": ["random layered and unlayered DAGs, 3 to 12 vertices", "n = 1..4"],
        "figures": {name.replace("_", " "): value for name, value in figures.items()},
        "seconds": 0.84,
        "seed": 20220501,
    }


REPLAYED = ("witness", "refutes", "A rational instance violates the statement; replayed exactly.")


def claim(
    claim_id: str,
    reference: str,
    title: str,
    kind: str,
    verdict: str,
    reason: str,
    *,
    statement: str,
    hypotheses: tuple[tuple[str, str, str], ...] = (),
    scope: str = "",
    records: tuple[Record, ...] = (),
    cert: Record | None = None,
    **other: Any,
) -> Record:
    """A claim's record with everything that its caller does not name left empty."""
    base, _, reading = claim_id.partition("@")
    file = f"certificates/{claim_id}.json" if cert else None
    checked = {"exit": 0, "message": f"accepted: {cert['kind']} for {claim_id}"} if cert else None
    return {
        "id": claim_id,
        "paper": base.split(".")[0].removesuffix("v1"),
        "version": "earlier" if "v1" in base else "final",
        "reference": reference,
        "title": title,
        "kind": kind,
        "reading": reading or None,
        "reading_text": None,
        "repairs": None,
        "statement": statement,
        "negation": "It would be refuted by one case.",
        "hypotheses": [dict(zip(("id", "name", "statement"), h, strict=True)) for h in hypotheses],
        "depends": [],
        "ancestors_supported": True,
        "verdict": verdict,
        "scope": scope,
        "reason": reason,
        "trusted": [],
        "worst": None,
        "evidence": list(records),
        "certificate": cert,
        "certificate_file": file,
        "checker": checked,
        "command": f"lemmata repro {file}" if file else f"lemmata run {claim_id}",
        "code": "8f14e45fceea167a5a36dedd4bea2543ca1c2f0f1fd4b6cc3f5cf1b2a9c0d7e1",
    } | other


def _decomposition() -> list[Record]:
    sign = ("H1", "labels", r"$y_i\in\{-1,1\}$")
    relu = ("H1", "ReLU or linear", "every activation is ReLU or linear")
    no_kink = ("H2", "differentiable", r"$\nu$ and the $Z_p$ are differentiable at $w$")
    return [
        claim(
            "lj22.def1",
            "Definition 1",
            "feedforward network",
            "definition",
            "definition",
            "Definitions are not judged; other claims use this one.",
            statement="A network $\\nu$ with graph $G$ is a feedforward network if $G$ is a "
            "directed acyclic graph.",
            ancestors_supported=None,
        ),
        claim(
            "lj22.risk",
            "Section 2, unnumbered display",
            "two expressions of the empirical risk",
            "identity",
            "refuted",
            "A ReLU chain with one example of label −1 tells the two expressions apart.",
            statement=r"$\displaystyle\mathcal R(w)=\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))"
            r"=\frac1n\sum_{i=1}^n\ell(\nu(y_ix_i)).$",
            hypotheses=(sign, ("H2", "homogeneity", r"every $\sigma_v$ is positively homogeneous")),
            records=(
                evidence("trials", "refutes", "Most networks with a label −1 violate it.", n=4000),
                evidence(*REPLAYED, residual="-1"),
            ),
            scope="as printed",
            worst="−1",
            cert=counterexample(
                "lj22.risk", chain("1", "1"), [example(["1"], "-1", "0")], {"example": 0}, "-1"
            ),
        ),
        claim(
            "lj22.eq1.a",
            "equation (1), first part",
            "sum over paths with 0–1 activations",
            "identity",
            "refuted",
            "The displayed sum leaves out the input coordinate of each path.",
            statement=rf"$\displaystyle\nu(x;w)={PATH_SUM},$ where $Z_p(x;w)=1$ iff all ReLUs on "
            r"path $p$ are active and $0$ otherwise.",
            hypotheses=(relu,),
            records=(evidence(*REPLAYED, residual="1/10"),),
            scope="as printed",
            worst="1/10",
            cert=counterexample(
                "lj22.eq1.a",
                residual_block(),
                [example(["3/5", "4/5"])],
                {"example": 0},
                "1/10",
            ),
        ),
        claim(
            "lj22.eq1.b",
            "equation (1), second part",
            "inner product with $h(x;w)$",
            "identity",
            "proved on scope",
            "The residual is the zero polynomial on every activation region of the graphs listed.",
            statement=r"$\nu(x;w)=\big\langle(Z_p(x;w))_{p\in\mathcal P},\,h(x;w)"
            r"\big\rangle_{\mathbb R^\rho}$.",
            hypotheses=(relu,),
            records=(evidence("expanded", "proves on scope", "Normal forms agree.", regions=312),),
            scope="all DAGs with at most 3 hidden vertices",
            depends=["lj22.def4"],
        ),
        claim(
            "lj22.eq3",
            "equation (3)",
            "partial derivative through $Z_p$",
            "identity",
            "refuted",
            "The sum leaves out the factor $x_p$.",
            statement=r"where the derivative exists and in the limit where weight signs are "
            r"constant, $\displaystyle\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,"
            r"e\in p}\Big(w_e\,\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)"
            r"\prod_{f\in p,f\ne e}w_f.$",
            hypotheses=(relu, no_kink, ("H3", "no zero weight", r"$w_e\ne0$ for all $e\in E$")),
            records=(evidence(*REPLAYED, residual="-3/2"),),
            scope="as printed",
            worst="−3/2",
            depends=["lj22.eq1.a"],
            ancestors_supported=False,
            cert=counterexample(
                "lj22.eq3",
                chain("2", "3"),
                [example(["1/2"])],
                {"edge": ["x", "h"], "example": 0},
                "-3/2",
            ),
        ),
        claim(
            "lj22.lemma1",
            "Lemma 1",
            r"decomposition $\nu=\mu\circ h$",
            "existence",
            "supported",
            "No violation in 20,000 random networks.",
            statement=r"Let $\nu:\mathbb R^d\to\mathbb R$ be a feedforward network with $\rho$ "
            r"distinct maximal paths. Then there exists a tree network $\mu:\mathbb R^\rho\to"
            r"\mathbb R$ such that $\nu=\mu\circ h$; all weights in $\mu$ are either $-1$ or $+1$.",
            hypotheses=(HOMOGENEOUS,),
            records=(
                evidence(
                    "trials",
                    "supports",
                    "Every residual lies within its rounding bound.",
                    instances=20000,
                    worst_residual="3.1e-16",
                    violation_rate="at most 1.5e-4 (95 %)",
                ),
            ),
            scope="random DAGs with at most 2,000 paths; linear, ReLU, leaky ReLU",
            worst="3.1e−16",
            trusted=["IEEE 754 rounding of the platform's multiply and add"],
        ),
        claim(
            "lj22.eq16@A",
            "(16)",
            "pre- and post-activation in the appendix",
            "identity",
            "refuted",
            "The sum as displayed multiplies by the vertex's own post-activation.",
            statement=r"$(G[\mathrm{PRE}](v))(x)=x_j$ if $v\equiv i_j^G$ for some $j\in[d]$, and "
            r"$\sum_{u\in\mathrm{IN}_v}\mathrm{POST}_v(x)\,w_{uv}$ otherwise.",
            reading_text="the sum as displayed in (16)",
            records=(evidence(*REPLAYED, residual="-6"),),
            scope="as printed",
            worst="−6",
            cert=counterexample(
                "lj22.eq16@A",
                chain("2", "3"),
                [example(["1/2"])],
                {"vertex": "o", "example": 0},
                "-6",
            ),
        ),
        claim(
            "lj22.lemma5-iter@A2B2",
            "proof of Lemma 5",
            "invariants of the iteration",
            "identity",
            "vacuous",
            "No network meets the hypotheses: in this reading the edges carry no weight.",
            statement=r"$M_G[w](\pi_kq)=\mathrm{sgn}(G[w](e_{\pi_k}))$ for all $k\le j$.",
            reading_text="paths as sets of vertices, edges by the proof of Lemma 6",
            hypotheses=(("H1", "tree", "$T_G$ is a tree"),),
        ),
        claim(
            "lj22.hg",
            "Appendix B, notation",
            "paths from all vertices",
            "identity",
            "inconclusive",
            "The budget ended after 1,200 of 4,096 graphs; --budget full would settle it.",
            statement=r"if $G$ has more than 2 vertices then $\mathcal H_G\supset\mathcal P_G$.",
            records=(evidence("structural", "inconclusive", "Enumeration unfinished.", n=1200),),
            scope="1,200 graphs with at most 5 vertices",
        ),
    ]


def _invariances() -> list[Record]:
    learnable = ("H4", "learnable", "all edges incident to $v$ are learnable")
    same = ("H6", "equal patterns", "$u$ and $v$ have equal activation on each example")
    pair = {"pair": ["u", "v"]}
    balanced = certificate(
        "balance",
        "lj22.lemma2a",
        network=network(
            {("x", "h"): "1", ("h", "o"): "1", ("x", "o"): "1"},
            inputs=["x"],
            activations={"h": "relu", "o": "linear"},
            weights=False,
            title="triangle",
        ),
        identities=[{"entry": {"vertex": "h"}, "potential": {"h": "1"}}],
    )
    expanded = certificate(
        "polynomial",
        "lj22.lemma2b@A",
        network=fork(None, "relu", "relu"),
        examples=2,
        entry=pair,
    )
    witness = certificate(
        "witness",
        "lj22.lemma4",
        case={
            "network": fork(["1", "-1", "1", "1"], "relu", "relu"),
            "examples": [example(["1"])],
            "choice": {},
        },
        entry=pair,
        value="1",
    )
    return [
        claim(
            "lj22.lemma2a",
            "Lemma 2, first part, (4)",
            "vertex-wise invariance",
            "law",
            "proved",
            "The balance of each inner vertex follows from the graph alone.",
            statement=LEMMA_2A,
            hypotheses=(STABLE_SIGNS, HOMOGENEOUS, learnable),
            records=(
                evidence("structural", "proves", "Every inner vertex balances.", vertices=5210),
                evidence("trials", "supports", "Defects within rounding.", instances=1000),
            ),
            scope="all feedforward networks of the families listed, of any size",
            worst="2.2e−16",
            trusted=["the chain rule along arcs for definable functions (cited)"],
            cert=balanced,
        ),
        claim(
            "lj22.lemma2b@A",
            "Lemma 2, second part, (5)",
            "invariance for pairs of vertices",
            "law",
            "proved",
            "The defect is the zero polynomial on every pattern.",
            statement=LEMMA_2B,
            reading_text="leaky ReLU neurons are outside the claim",
            hypotheses=(STABLE_SIGNS, HOMOGENEOUS, same),
            records=(evidence("expanded", "proves", "Zero in normal form.", patterns=64),),
            scope="one hidden layer, up to 2 inputs, 3 hidden vertices, 2 examples",
            depends=["lj22.lemma2a"],
            cert=expanded,
        ),
        claim(
            "lj22.lemma2b@B",
            "Lemma 2, second part, (5)",
            "invariance for pairs of vertices",
            "law",
            "refuted",
            "Two leaky ReLUs of different slopes count as equal patterns below 0, and differ.",
            statement=LEMMA_2B,
            reading_text="a leaky neuron has activation $1$ for nonnegative and $0$ for negative "
            "preactivation",
            hypotheses=(STABLE_SIGNS, HOMOGENEOUS, same),
            records=(
                evidence("search", "refutes", "Shrunk from 9 vertices to 4.", steps=212),
                evidence(*REPLAYED, residual="-1/5"),
            ),
            scope="as printed, reading B",
            worst="−1/5",
            depends=["lj22.lemma2a"],
            cert=counterexample(
                "lj22.lemma2b@B",
                fork(["-1", "-2", "1", "1"], "leaky_relu 1/2", "leaky_relu 1/10"),
                [example(["1"])],
                pair,
                "-1/5",
            ),
        ),
        claim(
            "lj22v1.lemma3b",
            "Lemma 3, second part, (5)",
            "pairs of vertices without a condition on patterns",
            "law",
            "refuted",
            "One active and one inactive ReLU: the defect is −1.",
            statement=LEMMA_2B.replace("If in addition", "If we also have"),
            hypotheses=(STABLE_SIGNS, HOMOGENEOUS),
            records=(evidence(*REPLAYED, residual="-1"),),
            scope="as printed",
            worst="−1",
            depends=["lj22.lemma2a"],
            cert=counterexample(
                "lj22v1.lemma3b",
                fork(["1", "-1", "1", "1"], "relu", "relu"),
                [example(["1"])],
                pair,
                "-1",
            ),
        ),
        claim(
            "lj22.lemma3@A",
            "Lemma 3, (7)",
            "edge-wise invariance",
            "law",
            "refuted",
            "Each set of out-edges of an input is a layer in this reading; two of them differ.",
            statement=LEMMA_3,
            reading_text="disconnected: the underlying undirected graph has more than one "
            "connected component",
            hypotheses=(STABLE_SIGNS, HOMOGENEOUS),
            records=(evidence(*REPLAYED, residual="-2"),),
            scope="as printed, reading A",
            worst="−2",
            depends=["lj22.lemma1"],
            cert=counterexample(
                "lj22.lemma3@A",
                skipping(),
                [example(["3/5", "4/5"])],
                {"layers": [[["x2", "h"]], [["x1", "h"], ["x1", "o"]]]},
                "-2",
            ),
        ),
        claim(
            "lj22.bias@AA",
            "text after Lemma 3",
            "networks with biases",
            "law",
            "error",
            "The check stopped: ZeroDivisionError in the slope of the loss.",
            statement="The lemma also gives a direct implicit regularisation for networks with "
            "biases, by treating neurons with bias as having an extra in-edge whose weight is the "
            "bias, from an extra in-vertex which is an input vertex with fixed input value 1.",
            records=(evidence("pointwise", "error", "ZeroDivisionError: Fraction(1, 0)"),),
            ancestors_supported=False,
        ),
        claim(
            "lj22.gflow",
            "end of Section 4.3",
            "risk derivative and velocity in the sketch",
            "identity",
            "refuted",
            "The flow descends: the velocity is minus the derivative.",
            statement=r"“We use the definition of gradient flow to obtain $\partial\mathcal R(w)/"
            r"\partial w_e=dw_e(t)/dt$ and integrate with respect to time.”",
            records=(evidence(*REPLAYED, residual="-11/60"),),
            scope="as printed",
            worst="−11/60",
            cert=counterexample(
                "lj22.gflow",
                skipping(),
                [
                    example(["3/5", "4/5"], "1", "-1/2"),
                    example(["-3/5", "0"], "-1", "-1/4"),
                ],
                {"edge": ["h", "o"]},
                "-11/60",
            ),
        ),
        claim(
            "lj22.gflow.fix",
            "end of Section 4.3",
            "risk derivative and velocity, with the sign of the flow",
            "identity",
            "supported",
            "No violation in 4,000 random networks.",
            statement=r"$\partial\mathcal R(w)/\partial w_e=-dw_e(t)/dt$.",
            repairs="lj22.gflow",
            records=(evidence("trials", "supports", "Residuals 0.", instances=4000),),
            scope="random DAGs",
        ),
        claim(
            "lj22.lemma4",
            "Lemma 4, (12)",
            "noninvariance in ReLU layers",
            "existence",
            "proved",
            "An exact witness exists.",
            statement=r"there are networks and times with $\frac{d}{dt}(W_1W_1^\top)\ne"
            r"\frac{d}{dt}(W_2^\top W_2)$.",
            records=(evidence("witness", "proves", "A witness was found.", entry="1"),),
            scope="existence: one witness is enough",
            cert=witness,
        ),
        claim(
            "lj22.thm1-2",
            "Theorem 1, item 2",
            "convolutional layers",
            "law",
            "unchecked",
            "Not part of this budget.",
            statement=r"(6) for $W_1$ convolutional, flattened to $\mathbb R^{c\times(a\times b)}$,"
            r" and $W_2$ adjacent convolutional, flattened to $\mathbb R^{(d\times e)\times c}$.",
            ancestors_supported=None,
        ),
    ]


def sample() -> Record:
    """A fresh record, for a test to change as it likes."""
    record = {
        "format": "lemmata-run",
        "version": 1,
        "run": {
            "id": "2026-11-20-7c1e",
            "started": "2026-11-20T17:00:00Z",
            "seconds": 84.3,
            "budget": "ci",
            "seed": 0,
            "command": "lemmata run --paper lj22 --budget ci",
            "device": "cpu, 2 threads",
            "versions": {"lemmata": "0.1.0", "python": "3.11.7", "torch": "2.13.0"},
            "void": False,
            "void_reasons": [],
        },
        "controls": [
            control("control.true", "a true lemma", "proved", "proved"),
            control("control.false", "a false lemma", "refuted", "refuted"),
            control("control.undecidable", "beyond the methods", "inconclusive", "inconclusive"),
            control("control.lj22.planted", "a planted false lemma", "refuted", "refuted"),
        ],
        "changes": [{"id": "lj22.eq3", "before": "supported", "after": "refuted"}],
        "claims": _decomposition() + _invariances(),
    }
    fresh: Record = json.loads(json.dumps(record))  # no two places share a list
    return fresh


def control(control_id: str, title: str, expected: str, observed: str) -> Record:
    """One control of a run."""
    return {
        "id": control_id,
        "title": title,
        "expected": expected,
        "observed": observed,
        "ok": expected == observed,
    }


def void_sample() -> Record:
    """A run whose controls misbehaved."""
    record = sample()
    record["controls"][1] |= {"observed": "supported", "ok": False}
    record["run"] |= {
        "void": True,
        "void_reasons": ["control.false: expected refuted, observed supported"],
    }
    return record
