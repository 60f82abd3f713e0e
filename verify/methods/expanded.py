"""The expanded engine: the claim's own measure on polynomials, brought to normal form."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from graphs.activations import LINEAR
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.network import Network
from graphs.polynomials import Symbols
from verify.claim import Claim
from verify.corpus import all_small_networks
from verify.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.pairs import equal_neighbourhoods
from verify.vocabulary import Scene

EXAMPLES = 2


def expanded(claim: Claim, context: Context) -> Evidence | None:
    """Expand every entry of the measure on small networks, with free slopes and coefficients.

    Slopes are symbols (for a pair, those of the two vertices are the same symbol: equal patterns),
    so a zero normal form proves the entry for every activation region. None where the measure
    has no polynomial form.
    """
    if not claim.expanded or claim.measure is None:
        return None
    start = time.perf_counter()
    networks = entries = terms = 0
    broken = ""
    for net in _networks(context):
        found = 0
        for residual, label, symbols in residuals(claim, net):
            found += 1
            if not symbols.is_zero(residual):
                broken = broken or f"{label} on {net}"
                terms = max(terms, symbols.term_count(residual))
        networks += bool(found)
        entries += found
    figures: dict[str, Any] = {"networks": networks, "entries": entries}
    scope = (
        (
            f"all networks with 1 or 2 inputs and at most {context.budget.expanded_hidden} hidden "
            f"vertices, and fully connected ones, {EXAMPLES} examples, every activation region"
        ),
    )
    seconds = time.perf_counter() - start
    if broken:
        figures["most terms left"] = terms
        return Evidence(
            "expanded",
            Outcome.SUPPORTS,
            f"not the zero polynomial with free slopes: {broken}",
            scope,
            figures,
            0,
            seconds,
            context.seed,
        )
    return Evidence(
        "expanded",
        Outcome.PROVES_ON_SCOPE if entries else Outcome.INCONCLUSIVE,
        f"{entries} residuals on {networks} networks are the zero polynomial in weights, inputs, "
        "slopes and risk coefficients.",
        scope,
        figures,
        entries,
        seconds,
        context.seed,
    )


def residuals(claim: Claim, net: Network) -> Iterator[tuple[Any, dict[str, Any], Symbols]]:
    """The residual polynomial of every entry, with its label and the symbols it is in."""
    assert claim.measure is not None
    pairs: list[tuple[int, int] | None] = [None]
    if _speaks_of_pairs(claim, net):
        pairs = list(equal_neighbourhoods(net))
    for pair in pairs:
        symbols = Symbols.of(net, EXAMPLES, same_slopes=[] if pair is None else [pair])
        entries = claim.measure(symbolic_scene(net, symbols))
        for k in range(len(entries)):
            if pair is None or tuple(entries.subjects[k]) == pair:
                yield entries.values[k], entries.label(k), symbols


def symbolic_scene(net: Network, symbols: Symbols) -> Scene:
    """The scene of one network whose numbers are the given symbols."""
    return Scene(
        Union.of([net]),
        symbols,
        weights=symbols.edge_weights,
        inputs=symbols.inputs,
        labels=symbols.array([[1] * symbols.examples]),
        kappa=symbols.kappa,
    )


def _speaks_of_pairs(claim: Claim, net: Network) -> bool:
    return any(h.name == "equal neighbourhoods" for h in claim.hypotheses)


def _networks(context: Context) -> Iterator[Network]:
    yield from all_small_networks(context.budget.expanded_hidden)
    yield fully_connected([2, 3, 1])
    yield fully_connected([2, 2, 2, 1])
    yield fully_connected([1, 3, 2, 1], LINEAR)
