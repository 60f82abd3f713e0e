"""What a run record written by hand is made of: networks, certificates, evidence, claims."""

from __future__ import annotations

from typing import Any

from tests.verify.certificates import of_statement

Record = dict[str, Any]

HOMOGENEOUS = (
    "H3",
    "homogeneity",
    r"$\sigma_v(\lambda z)=\lambda\sigma_v(z)$ for $\lambda>0$ at every vertex",
)
REPLAYED = ("witness", "refutes", "A rational instance violates the statement; replayed exactly.")


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


def counterexample(
    claim: str, net: Record, examples: list[Record], at: list[Any], **choice: Any
) -> Record:
    """A counterexample to a claim, false at a place."""
    case = {"network": net, "examples": examples, "choice": choice}
    return of_statement(claim, case, at)


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
    trusted: tuple[str, ...] = (),
    records: tuple[Record, ...] = (),
    cert: Record | None = None,
    **other: Any,
) -> Record:
    """A claim's record with everything that its caller does not name left empty."""
    base, _, reading = claim_id.partition("@")
    file = f"certificates/{claim_id}.json" if cert else None
    checked = {"exit": 0, "message": f"accepted: {cert['kind']} for {claim_id}"} if cert else None
    power = {"tested": True, "why": "", "mutants": 4, "killed": 3, "cases": 900, "generic": 700}
    return {
        "id": claim_id,
        "statement_id": base.removesuffix(".fix"),
        "role": "repair" if "repairs" in other else "other" if reading == "B" else "main",
        "paper": base.split(".")[0].removesuffix("v1"),
        "version": "earlier" if "v1" in base else "final",
        "reference": reference,
        "title": title,
        "kind": kind,
        "reading": reading or None,
        "reading_text": None,
        "repairs": None,
        "mended_by": [],
        "statement": statement,
        "negation": "It would be refuted by one case.",
        "checked": None,
        "hypotheses": [
            {"id": name, "name": words, "statement": text, "checked": None}
            for name, words, text in hypotheses
        ],
        "examples": [],
        "through": "",
        "quantity": "",
        "why": "",
        "depends": [],
        "verdict": verdict,
        "scope": scope,
        "reason": reason,
        "beside": "",
        "rests_on": {"trusted": list(trusted), "section": "", "cites": [], "unproved": []},
        "power": power if verdict == "supported" else None,
        "grade": None,
        "not_run": [],
        "from_baseline": False,
        "worst": None,
        "evidence": list(records),
        "certificate": cert,
        "certificate_file": file,
        "checker": checked,
        "command": f"lemmata repro {file}" if file else f"lemmata run {claim_id}",
        "code": "8f14e45fceea167a5a36dedd4bea2543ca1c2f0f1fd4b6cc3f5cf1b2a9c0d7e1",
    } | other
