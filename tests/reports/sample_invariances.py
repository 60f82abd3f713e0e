"""Claims of a run record written by hand: what stays the same along the flow.

The statements are those of a paper; the exact values of the counterexamples were computed by hand.
"""

from __future__ import annotations

from tests.reports.sample_parts import (
    HOMOGENEOUS,
    REPLAYED,
    Record,
    claim,
    counterexample,
    evidence,
    example,
    fork,
    network,
    skipping,
)
from tests.verify.certificates import STATED, WITNESS
from tests.verify.corruptions import changed
from verify.papers.registry import find

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


TRIANGLE = network(
    {("x", "h"): "1", ("h", "o"): "1", ("x", "o"): "1"},
    inputs=["x"],
    activations={"h": "relu", "o": "linear"},
    weights=False,
    title="triangle",
)


def identical(claim_id: str, net: Record, at: list[str]) -> Record:
    """The certificate that both sides of a statement are one polynomial at a place."""
    statement = find(claim_id).terms
    assert statement is not None
    return {
        "format": "lemmata-statement",
        "version": 1,
        "kind": "polynomial",
        "statement": statement.to_json(),
        "network": net,
        "examples": 2,
        "at": at,
    }


def invariances() -> list[Record]:
    """Of the weights along the flow."""
    learnable = ("H4", "learnable", "all edges incident to $v$ are learnable")
    same = ("H6", "equal patterns", "$u$ and $v$ have equal activation on each example")
    pair = ["u", "v"]
    balanced = identical("lj22.lemma2a", TRIANGLE, ["h"])
    witness = WITNESS
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
                evidence("schema", "proves", "Every inner vertex balances.", vertices=5210),
                evidence("trials", "supports", "Defects within rounding.", instances=1000),
            ),
            scope="all feedforward networks of the families listed, of any size",
            worst="2.2e−16",
            trusted=("the chain rule along arcs for definable functions (cited)",),
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
            cert=changed(STATED["lemma2b@A asleep"], "statement", "id", to="lj22.lemma2b@B"),
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
                [],
                layers=[[["x2", "h"]], [["x1", "h"], ["x1", "o"]]],
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
                [3],
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
            "not run",
            "Not part of this budget.",
            statement=r"(6) for $W_1$ convolutional, flattened to $\mathbb R^{c\times(a\times b)}$,"
            r" and $W_2$ adjacent convolutional, flattened to $\mathbb R^{(d\times e)\times c}$.",
        ),
    ]
