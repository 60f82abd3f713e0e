"""The structural engine: balance identities decided from the graph alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graphs.balance import Balanced, Unbalanced, certificate
from graphs.files import to_json
from graphs.network import Network
from graphs.paths import count_paths
from verify.certificates import answer
from verify.claim import Claim
from verify.corpus import all_small_networks, biased, family_networks
from verify.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.pool import Pool
from verify.structure import PAIRS, SMALL, disagreement

SAMPLE_EDGES = 60  # the largest network whose certificate is kept

PATHS = (
    "the path theorem: with positively homogeneous activations w dnu/dw is a sum of one term for "
    "each path through the edge (docs/mathematics.md, 1 and 2)"
)
KINKS = "at kinks, limits and convex combinations of gradients obey what gradients obey"
OURS = "the potentials are the engine's alone: the checker knows no balance of this claim"
PATH_THEOREM = (PATHS, KINKS)
"""What balance identities rest on beside the potentials."""


@dataclass
class Tally:
    """What the engine has decided so far.

    named: members of the families on which something was decided. broken: identities that do not
    balance. astray: an identity that is not what the claim measures. refused: what the checker
    said of a network whose identities it did not accept. declined: networks on which it knows no
    balance of the claim. sample: a certificate that it accepted.
    """

    networks: int = 0
    identities: int = 0
    most_paths: int = 0
    of_layers: bool = False
    named: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    astray: str = ""
    refused: str = ""
    declined: int = 0
    sample: dict[str, Any] | None = None
    reply: dict[str, Any] | None = None


def structural(claim: Claim, context: Context) -> Evidence | None:
    """Decide the claim's balance identities on all small networks and on the families, and have
    the checker replay every one of them.

    None where the claim is not a balance. Identities that do not balance are left to the methods
    that look for counterexamples: a path with a non-zero sum is where to look, not yet a case.
    """
    if claim.identities is None:
        return None
    inquiry = Inquiry("structural", context)
    random = context.random(claim, "structural")
    tally = Tally()
    small, families = _networks(claim, context)
    for net in small:
        _decide(claim, net, random, tally)
    for net in families:
        if _decide(claim, net, random, tally):
            tally.named.append(net.title)
    inquiry.scope = _scope(tally, context)
    inquiry.instances = tally.identities
    inquiry.figures = {
        "networks": tally.networks,
        "identities": tally.identities,
        "not balanced": len(tally.broken),
        "most paths": f"{tally.most_paths:.1e}" if tally.most_paths > 10**9 else tally.most_paths,
    }
    if tally.astray:
        wrong = f"the claim measures something else than its identities: {tally.astray}"
        return inquiry.finds(Outcome.ERROR, wrong)
    if tally.broken:
        count, first = len(tally.broken), tally.broken[0]
        return inquiry.finds(
            Outcome.INCONCLUSIVE, f"{count} identities do not balance, the first on {first}"
        )
    if tally.refused:
        refusal = f"the checker does not accept the identities of {tally.refused}"
        return inquiry.finds(Outcome.ERROR, refusal)
    told = (
        f"{tally.identities} balance identities on {tally.networks} networks hold for all weights, "
        "data, losses and Clarke elements: a potential for each"
    )
    if tally.declined or not tally.identities:
        outcome = Outcome.ARGUES_ON_SCOPE if tally.identities else Outcome.INCONCLUSIVE
        return inquiry.finds(outcome, f"{told}.", rests_on=(*PATH_THEOREM, OURS), section=2)
    return inquiry.finds(
        Outcome.PROVES_ON_SCOPE,
        f"{told}, replayed by the checker.",
        certificate=tally.sample,
        checker=tally.reply,
        rests_on=PATH_THEOREM,
        section=2,
    )


def _decide(claim: Claim, net: Network, random: Random, tally: Tally) -> bool:
    """Add the identities of one network to the tally; whether one of them balances."""
    assert claim.identities is not None
    decided = claim.identities(net, random)
    if net.edge_count <= SMALL and (entry := disagreement(claim, net, decided, random)):
        tally.astray = tally.astray or f"{json.dumps(entry)} on {net}"
    balanced = [(entry, out) for entry, out in decided if isinstance(out, Balanced)]
    tally.broken += [
        f"{net}: {json.dumps(entry)}" for entry, out in decided if isinstance(out, Unbalanced)
    ]
    tally.of_layers = tally.of_layers or any("layers" in entry for entry, _ in decided)
    tally.networks += bool(balanced)
    tally.identities += len(balanced)
    tally.most_paths = max(tally.most_paths, count_paths(net).total)
    if balanced:
        _replay(net, certificate(net, claim.id, balanced, to_json(net)), tally)
    return bool(balanced)


def _replay(net: Network, replayed: dict[str, Any], tally: Tally) -> None:
    """Have the checker replay the identities of one network."""
    from verify.checker.restated import has_balance

    if not has_balance(replayed["claim"]):
        tally.declined += 1
        return
    reply = answer(replayed)
    if reply["exit"] != 0:
        tally.refused = tally.refused or f"{net}: {reply['message']}"
    elif len(replayed["identities"]) > 1 and net.edge_count < SAMPLE_EDGES:
        tally.sample, tally.reply = replayed, reply


def _scope(tally: Tally, context: Context) -> tuple[str, ...]:
    lines = [
        f"all networks with 1 or 2 inputs and at most {context.budget.hidden} hidden vertices",
        f"members of the families: {', '.join(tally.named) or 'none'}",
    ]
    if tally.of_layers:
        lines.append(
            f"all layers of networks of at most {SMALL} edges, up to {PAIRS} random ones of others"
        )
    return tuple(lines)


def _networks(claim: Claim, context: Context) -> tuple[list[Network], list[Network]]:
    """All small networks, and members of the families; with biases where the claim wants them."""
    assert isinstance(claim.pool, Pool)  # identities are about networks
    reading = claim.pool.bias

    def dressed(nets: Iterable[Network]) -> list[Network]:
        return [net if reading is None else biased(net, reading) for net in nets]

    families = family_networks(context.random(claim, "families"))
    return dressed(all_small_networks(context.budget.hidden)), dressed(families)
