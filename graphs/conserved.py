"""The conserved quantities that the lemmas of LJ22 promise for a network, with their exact defects.

The defect of a quantity Q(w) is its rate of change under gradient flow. Here it is taken for one
example with risk coefficient kappa (for n examples the defects add up): a polynomial in the
weights, the input and one slope for each non-linear vertex. Where it is 0, Q is conserved on every
activation region, for every loss and data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphs.balance import Balanced, Unbalanced, Unqualified, layer_balance, vertex_balances
from graphs.errors import NetworkError
from graphs.exact import parameter_gradients
from graphs.expressions import Expression
from graphs.layers import Layer, distance_cuts, is_layer, layers
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network
from graphs.polynomials import Symbols
from graphs.rings import Polynomial

ANTICHAIN_CAP = 20_000  # sets of edges looked at before the distance cuts are taken instead


@dataclass(frozen=True)
class Law:
    """A quantity, whether a lemma promises that it is conserved, and its defect.

    lemma: the ledger's id. subject: {"vertex": name}, {"pair": [u, v]} or {"layers": [F, F']}, a
    layer as a list of edge names. condition: what must hold for the promise, or "". reason: why it
    is promised, or why not.
    """

    lemma: str
    subject: dict[str, Any]
    quantity: Expression
    promised: bool
    condition: str
    reason: str
    defect: Expression

    @property
    def conserved(self) -> bool:
        """Whether the defect is the zero polynomial."""
        return self.defect.is_zero

    @property
    def title(self) -> str:
        """The subject in words."""
        if "vertex" in self.subject:
            return f"vertex {self.subject['vertex']}"
        if "pair" in self.subject:
            return f"pair {', '.join(self.subject['pair'])}"
        first, second = (", ".join(layer) for layer in self.subject["layers"])
        return f"layers {{{first}}} and {{{second}}}"


def rate_of_change(symbols: Symbols, quantity: Polynomial) -> Polynomial:
    """d/dt of a polynomial in the weights under gradient flow, for the risk of the symbols.

    -sum_p dQ/dw_p sum_j kappa_j dnu(x_j)/dw_p, the symbols being those of one network.
    """
    gradients = parameter_gradients(symbols.evaluation)
    total = symbols.convert(0)
    for generator in symbols.generators:
        if generator.kind != "weight":
            continue
        slope = symbols.derivative(quantity, generator)
        if symbols.is_zero(slope):
            continue
        for j in range(symbols.examples):
            total = total - slope * symbols.kappa[0, j] * gradients[generator.index[0], j]
    return total


def vertex_laws(network: Network) -> list[Law]:
    """Lemma 2 (4): squares on the in-edges minus squares on the out-edges, of each inner vertex."""
    symbols = Symbols.of(network, symbolic_scales=True)
    laws = []
    for v, answer in vertex_balances(network).items():
        into, out_of = network.in_edges[v], network.out_edges[v]
        quantity = squares(symbols, into) - squares(symbols, out_of)
        name = network.names[v]
        promised = isinstance(answer, Balanced)
        if isinstance(answer, Unqualified):
            reason = answer.reason
        else:
            reason = (
                f"the {len(into) + len(out_of)} edges at {name} have learnable weights of their "
                f"own, and a path through {name} has one in-edge and one out-edge of it"
            )
        subject = {"vertex": name}
        laws.append(_law("lj22.lemma2a", subject, symbols, quantity, promised, "", reason))
    return laws


def pair_laws(network: Network) -> list[Law]:
    """Lemma 2 (5): products on common in-neighbours minus products on common out-neighbours.

    Two laws for each pair of inner vertices with equal neighbourhoods: where the two have equal
    slopes, and, unless both are linear, with their slopes free.
    """
    laws = []
    for u, v in equal_neighbourhoods(network):
        names = [network.names[u], network.names[v]]
        subject = {"pair": names}
        reason = _against_pair(network, u, v)
        equal = Symbols.of(network, same_slopes=[(u, v)], symbolic_scales=True)
        laws.append(
            _law(
                "lj22.lemma2b",
                subject,
                equal,
                _products(equal, network, u, v),
                reason is None,
                f"{names[0]} and {names[1]} have the same slope on every example",
                reason or "equal neighbourhoods: each path through one has its like in the other",
            )
        )
        if all(network.activations[w].kind == "linear" for w in (u, v)):
            continue
        free = Symbols.of(network, symbolic_scales=True)
        quantity = _products(free, network, u, v)
        why = reason or f"the slopes of {names[0]} and {names[1]} may differ"
        laws.append(_law("lj22.lemma2b", subject, free, quantity, False, "", why))
    return laws


def layer_laws(network: Network, reading: str = "B", limit: int = 20) -> tuple[list[Law], int]:
    """Lemma 3 (7): squares on a layer minus squares on the first layer.

    reading: of "disconnected" in definition 7, see graphs.layers. limit: the most laws to return.
    Returns them and how many layers were left out. All layers are considered where the network is
    small enough to list them, the distance cuts that are layers elsewhere.
    """
    found = _candidates(network, reading)
    if len(found) < 2:
        return [], 0
    symbols = Symbols.of(network, symbolic_scales=True)
    # one whose weights are all learnable, where there is such a one
    first = min(found, key=lambda layer: not all(map(network.own_parameter, layer)))
    others = [layer for layer in found if layer != first]
    laws = []
    for layer in others[:limit]:
        answer = layer_balance(network, layer, first)
        barred = [e for e in sorted({*layer, *first}) if not network.own_parameter(e)]
        if barred:
            names = ", ".join(map(network.edge_name, barred))
            reason = f"not all weights are learnable and of their own: {names}"
        elif isinstance(answer, Unqualified):
            reason = answer.reason
        elif isinstance(answer, Unbalanced):
            path = "->".join(_vertices(network, answer.path))
            reason = f"both are layers (reading {reading}), but {path} has not one edge of each"
        else:
            reason = "every path from an input to an output has as many edges of one as of other"
        quantity = squares(symbols, layer) - squares(symbols, first)
        subject = {"layers": [[network.edge_name(e) for e in edges] for edges in (layer, first)]}
        promised = not barred and not isinstance(answer, Unqualified)
        laws.append(
            _law(f"lj22.lemma3@{reading}", subject, symbols, quantity, promised, "", reason)
        )
    return laws, len(others) - len(laws)


def _law(
    lemma: str,
    subject: dict[str, Any],
    symbols: Symbols,
    quantity: Polynomial,
    promised: bool,
    condition: str,
    reason: str,
) -> Law:
    defect = rate_of_change(symbols, quantity)
    return Law(
        lemma,
        subject,
        Expression(symbols, quantity),
        promised,
        condition,
        reason,
        Expression(symbols, defect),
    )


def _against_pair(network: Network, u: int, v: int) -> str | None:
    """What speaks against lemma 2 (5) for two vertices with equal neighbourhoods."""
    balances = vertex_balances(network)
    for w in (u, v):
        answer = balances[w]
        if isinstance(answer, Unqualified):
            return answer.reason
    if network.scale_squares[u] != network.scale_squares[v]:
        return f"the scales of {network.names[u]} and {network.names[v]} differ"
    return None


def squares(symbols: Symbols, edges: Iterable[int]) -> Polynomial:
    """The sum of the squares of the weights of some edges."""
    return sum((symbols.edge_weights[e] ** 2 for e in edges), start=symbols.convert(0))


def _products(symbols: Symbols, network: Network, u: int, v: int) -> Polynomial:
    """sum_a w_au w_av - sum_b w_ub w_vb for two vertices with equal neighbourhoods."""
    weights = symbols.edge_weights
    total = symbols.convert(0)
    for e, f in zip(network.in_edges[u], network.in_edges[v], strict=True):
        total = total + weights[e] * weights[f]
    for e, f in zip(network.out_edges[u], network.out_edges[v], strict=True):
        total = total - weights[e] * weights[f]
    return total


def _candidates(network: Network, reading: str) -> list[Layer]:
    try:
        return list(layers(network, reading, ANTICHAIN_CAP))
    except NetworkError:
        return [cut for cut in distance_cuts(network) if is_layer(network, cut, reading)]


def _vertices(network: Network, path: Sequence[int]) -> list[str]:
    ends = [network.tails[path[0]], *(network.heads[e] for e in path)]
    return [network.names[v] for v in ends]
