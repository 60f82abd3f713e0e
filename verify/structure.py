"""The balance identities that a claim amounts to on a given network (see graphs.balance)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from graphs.arithmetic import RATIONALS, Array
from graphs.balance import (
    Balanced,
    Unbalanced,
    Unqualified,
    layer_balance,
    layers_entry,
    vertex_balances,
    vertex_entry,
)
from graphs.errors import NetworkError
from graphs.layers import is_layer, layers, random_layer
from graphs.network import Network
from verify.case import Case
from verify.transformations import random_rational
from verify.vocabulary import Scene, scene_of

if TYPE_CHECKING:
    from verify.claim import Claim

Decided = tuple[dict[str, Any], Balanced | Unbalanced | Unqualified]
Identities = Callable[[Network, Random], list[Decided]]
SMALL = 9
PAIRS = 40


def vertex_identities(network: Network, random: Random) -> list[Decided]:
    """The balance at each inner vertex. Complete for the network."""
    decided = vertex_balances(network)
    return [(vertex_entry(network, v), outcome) for v, outcome in decided.items()]


def layer_identities(reading: str, *, last: bool = False) -> Identities:
    """The balance of pairs of layers by a reading of Definition 7.

    On a network of at most SMALL edges all layers, each against one; by transitivity that covers
    all pairs. On a larger one PAIRS random layers, those drawn twice once. last: the one is the set
    of in-edges of the output.
    """

    def identities(network: Network, random: Random) -> list[Decided]:
        own = network.own_parameter
        if network.edge_count <= SMALL:
            found = list(layers(network, reading, 1 << SMALL, only=own))
        else:
            try:
                found = [random_layer(network, reading, random, only=own) for _ in range(PAIRS)]
            except NetworkError:  # the network has no such layer
                found = []
        reference = list(network.in_edges[network.outputs[0]])
        if not last:
            reference = list(found[0]) if found else []
        elif not all(map(own, reference)) or not is_layer(network, reference, reading):
            return []
        return [
            (layers_entry(network, layer, reference), layer_balance(network, layer, reference))
            for layer in dict.fromkeys(found)
            if set(layer) != set(reference)
        ]

    return identities


class FreeScene(Scene):
    """An exact scene of one case whose velocities are free numbers instead of those of the
    gradient flow. free: (E,) rationals."""

    def __init__(self, case: Case, free: list[Any]) -> None:
        base = scene_of([case], RATIONALS)
        super().__init__(
            base.union,
            RATIONALS,
            weights=base.weights,
            inputs=base.inputs,
            labels=base.labels,
            kappa=base.kappa,
            cases=[case],
        )
        self.free = RATIONALS.array(free)

    @property
    def velocity(self) -> Array:
        """(E,): the numbers handed in."""
        return self.free


def disagreement(
    claim: Claim, network: Network, decided: list[Decided], random: Random
) -> dict[str, Any] | None:
    """An identity whose coefficients are not those of the claim's measure, or None.

    With c_e read off the potential, the measure must give 2 sum_e c_e w_e v_e for *any* velocities
    v: it is compared at random rational weights and velocities. Without this a potential would
    prove something, but not necessarily the claim. For networks whose edges all lie on paths.
    """
    assert claim.measure is not None
    for entry, outcome in decided:
        if not isinstance(outcome, Balanced):
            continue
        case = _any_case(network, entry, random)
        scene = FreeScene(case, [random_rational(random) for _ in range(network.edge_count)])
        entries = claim.measure(scene)
        phi = outcome.potential
        ends = zip(network.tails, network.heads, strict=True)
        coefficients = [phi.get(head, 0) - phi.get(tail, 0) for tail, head in ends]
        terms = zip(coefficients, scene.weights, scene.free, strict=True)
        expected = sum((2 * c * w * v for c, w, v in terms), RATIONALS.convert(0))
        measured = [entries.values[k] for k in range(len(entries)) if entries.label(k) == entry]
        if measured != [expected]:
            return entry
    return None


def _any_case(network: Network, entry: dict[str, Any], random: Random) -> Case:
    width = len(network.free_inputs)
    return Case(
        network,
        tuple(random_rational(random) for _ in network.parameter_names),
        (tuple(Fraction(1, width) for _ in range(width)),),
        (Fraction(1),),
        slopes=(Fraction(1),),
        choice={"layers": entry["layers"]} if "layers" in entry else {},
    )
