"""The expanded engine: the claim's own measure on polynomials, brought to normal form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphs.activations import LINEAR, RELU
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.files import to_json
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network
from graphs.polynomials import Symbols
from verify.certificates import FORMAT, VERSION, answer
from verify.claim import Claim
from verify.corpus import all_small_networks
from verify.evidence import Evidence, Outcome
from verify.hypotheses import PAIR_EXISTS, equal_patterns
from verify.methods.context import Context, Inquiry
from verify.methods.signed import SignedScene
from verify.vocabulary import Scene

EXAMPLES = 2
DECLINED = 2  # the checker knows no polynomial form of the claim
SAMPLE_EDGES = 6  # the largest network of which one entry goes to the checker too


def expanded(claim: Claim, context: Context) -> Evidence | None:
    """Expand every entry of the measure on small networks, with free slopes and coefficients.

    Slopes are symbols (for a pair, those of the two vertices are the same symbol: equal patterns),
    so a zero normal form proves the entry for every activation region. None where the measure
    has no polynomial form.
    """
    if claim.measure is None or not (claim.expanded or claim.signed):
        return None
    inquiry = Inquiry("expanded", context, scope=(_scope(context),))
    networks = entries = 0
    broken = ""
    sample: dict[str, Any] | None = None
    for net in _networks(context):
        found = 0
        for residual, label, scene in residuals(claim, net):
            found += 1
            if not claim.signed and net.edge_count <= SAMPLE_EDGES:
                sample = polynomial_certificate(claim, net, label)
            if not _vanishes(scene, residual):
                broken = broken or f"{label} on {net}"
        networks += bool(found)
        entries += found
    inquiry.figures = {"networks": networks, "entries": entries}
    if broken:
        return inquiry.finds(
            Outcome.INCONCLUSIVE, f"not the zero polynomial with free slopes: {broken}"
        )
    reply = answer(sample) if sample else None
    if reply is not None and reply["exit"] == DECLINED:
        sample = reply = None
    elif reply is not None and reply["exit"] != 0:
        refusal = f"the checker does not accept a certificate: {reply['message']}"
        return inquiry.finds(Outcome.ERROR, refusal)
    inquiry.instances = entries
    weights = "signs and absolute values of the weights" if claim.signed else "weights"
    return inquiry.finds(
        Outcome.PROVES_ON_SCOPE if entries else Outcome.INCONCLUSIVE,
        f"{entries} residuals on {networks} networks are the zero polynomial in {weights}, inputs, "
        "slopes and risk coefficients.",
        certificate=sample,
        checker=reply,
    )


def _scope(context: Context) -> str:
    return (
        f"all networks with 1 or 2 inputs and at most {context.budget.expanded_hidden} hidden "
        f"vertices, and fully connected ones, {EXAMPLES} examples, every activation region"
    )


def polynomial_certificate(claim: Claim, net: Network, label: dict[str, Any]) -> dict[str, Any]:
    """The certificate that one entry is the zero polynomial on one network; the checker expands
    it again by itself."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "polynomial",
        "claim": claim.id,
        "network": to_json(net),
        "examples": EXAMPLES,
        "entry": label,
    }


def residuals(claim: Claim, net: Network) -> Iterator[tuple[Any, dict[str, Any], Scene]]:
    """The residual polynomial of every entry, with its label and the scene it is in."""
    assert claim.measure is not None
    pairs: list[tuple[int, int] | None] = [None]
    if _speaks_of_pairs(claim):
        pairs = list(equal_neighbourhoods(net))
    for pair in pairs:
        shared = pair if equal_patterns("A") in claim.hypotheses else None
        scene = SignedScene(net, EXAMPLES) if claim.signed else symbolic_scene(net, shared)
        entries = claim.measure(scene)
        for k in range(len(entries)):
            if pair is None or tuple(entries.subjects[k]) == pair:
                yield entries.values[k], entries.label(k), scene


def _vanishes(scene: Scene, residual: Any) -> bool:
    if isinstance(scene, SignedScene):
        return scene.is_zero(residual)
    assert isinstance(scene.arithmetic, Symbols)
    return scene.arithmetic.is_zero(residual)


def symbolic_scene(net: Network, pair: tuple[int, int] | None = None) -> Scene:
    """The scene of one network whose numbers are symbols. pair: vertices with equal slopes."""
    symbols = Symbols.of(net, EXAMPLES, same_slopes=[] if pair is None else [pair])
    return Scene(
        Union.of([net]),
        symbols,
        weights=symbols.edge_weights,
        inputs=symbols.inputs,
        labels=symbols.array([[1] * symbols.examples]),
        kappa=symbols.kappa,
    )


def _speaks_of_pairs(claim: Claim) -> bool:
    return PAIR_EXISTS in claim.hypotheses


def _networks(context: Context) -> Iterator[Network]:
    """The output has a symbol for its slope, too: a linear one is the case that it is 1."""
    nets = (
        *all_small_networks(context.budget.expanded_hidden),
        fully_connected([2, 3, 1]),
        fully_connected([2, 2, 2, 1]),
        fully_connected([1, 3, 2, 1], LINEAR),
    )
    for net in nets:
        yield net.with_activations({net.names[v]: RELU for v in net.outputs})
