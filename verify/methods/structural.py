"""The structural engine: balance identities decided from the graph alone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

from graphs.balance import Balanced, Unbalanced, certificate
from graphs.files import to_json
from graphs.network import Network
from graphs.paths import count_paths
from verify.certificates import answer
from verify.claim import Claim
from verify.corpus import all_small_networks, biased, family_networks
from verify.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.structure import PAIRS, SMALL, disagreement


def structural(claim: Claim, context: Context) -> Evidence | None:
    """Decide the claim's balance identities on all small networks and on the families.

    None where the claim is not a balance. Identities that do not balance are left to the methods
    that look for counterexamples: a path with a non-zero sum is where to look, not yet a case.
    """
    if claim.identities is None:
        return None
    start = time.perf_counter()
    random = context.random(claim, "structural")
    networks = identities = paths = 0
    of_layers = False
    broken: list[tuple[Network, dict[str, Any]]] = []
    sample: dict[str, Any] | None = None
    small, families = _networks(claim, context)
    astray = ""
    named: list[str] = []
    for number, net in enumerate((*small, *families)):
        decided = claim.identities(net, random)
        if net.edge_count <= SMALL and (entry := disagreement(claim, net, decided, random)):
            astray = astray or f"{json.dumps(entry)} on {net}"
        of_layers = of_layers or any("layers" in entry for entry, _ in decided)
        balanced = [(entry, out) for entry, out in decided if isinstance(out, Balanced)]
        broken += [(net, entry) for entry, out in decided if isinstance(out, Unbalanced)]
        networks += bool(balanced)
        if balanced and number >= len(small):
            named.append(net.title)
        identities += len(balanced)
        paths = max(paths, count_paths(net).total)
        if len(balanced) > 1 and net.edge_count < 60:
            sample = certificate(net, claim.id, balanced, to_json(net))
    scope: tuple[str, ...] = (
        f"all networks with 1 or 2 inputs and at most {context.budget.hidden} hidden vertices",
        f"members of the families: {', '.join(named) or 'none'}",
    )
    if of_layers:
        layers = (
            f"all layers of networks of at most {SMALL} edges, up to {PAIRS} random ones of others"
        )
        scope = (*scope, layers)
    seconds = time.perf_counter() - start
    figures: dict[str, Any] = {
        "networks": networks,
        "identities": identities,
        "not balanced": len(broken),
        "most paths": f"{paths:.1e}" if paths > 10**9 else paths,
    }
    if astray:
        return Evidence(
            "structural",
            Outcome.ERROR,
            f"the claim measures something else than its identities: {astray}",
            scope,
            figures,
        )
    if broken:
        net, entry = broken[0]
        return Evidence(
            "structural",
            Outcome.INCONCLUSIVE,
            f"{len(broken)} identities do not balance, the first on {net}: {json.dumps(entry)}",
            scope,
            figures,
            identities,
            seconds,
            context.seed,
        )
    reply = answer(sample) if sample else None
    if reply is not None and reply["exit"] != 0:
        return Evidence(
            "structural",
            Outcome.ERROR,
            f"the checker does not accept the certificate: {reply['message']}",
            scope,
            figures,
        )
    return Evidence(
        "structural",
        Outcome.PROVES_ON_SCOPE if identities else Outcome.INCONCLUSIVE,
        f"{identities} balance identities on {networks} networks hold for all weights, data, "
        "losses and Clarke elements: a potential for each.",
        scope,
        figures,
        identities,
        seconds,
        context.seed,
        sample,
        reply,
    )


def _networks(claim: Claim, context: Context) -> tuple[list[Network], list[Network]]:
    """All small networks, and members of the families; with biases where the claim wants them."""
    assert claim.pool is not None
    reading = claim.pool.bias

    def dressed(nets: Iterable[Network]) -> list[Network]:
        return [net if reading is None else biased(net, reading) for net in nets]

    families = family_networks(context.random(claim, "families"))
    return dressed(all_small_networks(context.budget.hidden)), dressed(families)
