"""All small networks: every graph, activation, weight, input, label and slope up to a size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf
from random import Random

from graphs.activations import ABS, LINEAR, RELU, SMOOTH, Activation, leaky_relu
from graphs.errors import NetworkError
from graphs.families import is_fully_connected
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network
from verify.cases.case import Case, Point
from verify.cases.hypotheses import asks_network
from verify.cases.pool import Pool
from verify.cases.small_networks import biased
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.search.drawing import repair
from verify.search.enumeration.blocks import NetworkBlock, Numbers, changed
from verify.search.enumeration.choices import (
    FITTED,
    GROUPS,
    SELECTIONS,
    Choice,
    choices_on,
    groups_of,
    is_listed,
    parts_of,
    what_is_chosen,
)
from verify.search.enumeration.digraphs import digraphs
from verify.search.enumeration.scopes import Scope, listed

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
SIGNS = (ONE, -ONE)
SMALL = (ONE, -ONE, ZERO)
SIZES = {
    (1, 0): 0,
    (1, 1): 0,
    (2, 0): 0,
    (1, 2): 0,
    (2, 1): 0,
    (1, 3): 20_000,
    (2, 2): 20_000,
    (2, 3): 500_000,
}
"""Numbers of inputs and hidden vertices, and the least budget in which it is worth to list them."""
KINDS = {"linear": LINEAR, "relu": RELU, "leaky_relu": leaky_relu(HALF), "abs": ABS}
KINDS |= {kind: Activation(kind) for kind in SMOOTH}
EXACT_UNIT = 12.0  # a case over the rationals takes so many times what float64 takes
ENCLOSED_UNIT = 100.0
SLIDING_UNIT = 40.0
STEPS_UNIT = 2.0
USED = "one output, every vertex on a path to it"
DRAWN = 2  # choices of a kind that is not listed, for each network


@dataclass(frozen=True)
class Version:
    """What numbers and activations go into the networks of a size.

    labels: of each example. outputs: whether the output has each activation too. few: whether the
    hidden vertices are linear or ReLU alone (where the pool has these).
    """

    weights: Numbers
    inputs: Numbers
    slopes: Numbers = (-ONE,)
    n: int = 1
    labels: Numbers = SIGNS
    outputs: bool = False
    few: bool = False


VERSIONS = (
    (
        Version((*SMALL, 2 * ONE, -2 * ONE), SMALL, (-ONE, -2 * ONE), outputs=True),
        Version(SMALL, SMALL, (-ONE, -2 * ONE), outputs=True),
        Version(SMALL, SMALL),
        Version(SMALL, SIGNS, few=True),
        Version(SMALL, (ONE,), few=True),
        Version(SIGNS, SIGNS, few=True),
        Version(SIGNS, (ONE,), few=True),
        Version(SIGNS, (ONE,), labels=(ONE,), few=True),
    ),
    (
        Version(SMALL, SMALL, (-ONE, -2 * ONE), 2, outputs=True),
        Version(SMALL, SMALL, n=2),
        Version(SMALL, SIGNS, n=2, few=True),
        Version(SIGNS, SIGNS, n=2, few=True),
    ),
)
"""With one example and with two, the largest one first."""


@dataclass(frozen=True)
class Size:
    """What networks of one size a claim is looked at on.

    ends: the numbers of inputs and hidden vertices. chosen: what the claim lets one choose.
    """

    claim: Claim
    pool: Pool
    ends: tuple[int, int]
    graphs: Sequence[Network]
    chosen: frozenset[str]

    def choices(self, graph: Network, n: int) -> tuple[Choice, ...]:
        """All ways to choose what does not depend on the activations."""
        return tuple(choices_on(graph, self.chosen - SELECTIONS, n))

    def most(self, version: Version) -> float:
        """How many cases a version has, before hypotheses and dormant vertices are looked at;
        infinite where a graph has more layers than can be listed."""
        kinds, outputs = _activations(self.pool, version)
        data = len(version.labels) * len(version.slopes)
        try:
            found: float = sum(
                len(kinds) ** len(net.inner)
                * len(outputs)
                * len(version.weights) ** net.parameter_count
                * (len(version.inputs) ** len(net.free_inputs) * data) ** version.n
                * len(self.choices(net, version.n))
                for net in self.graphs
            )
        except NetworkError:
            return inf
        return found


def network_ladder(
    claim: Claim, pool: Pool, random: Random, budget: float
) -> Iterator[Iterator[Scope]]:
    """The scopes of networks, size by size, with one example and then with two; not those that
    hold more cases than the budget before hypotheses are looked at."""
    chosen = what_is_chosen(claim, random)
    for ends in () if chosen & FITTED else [ends for ends in SIZES if SIZES[ends] <= budget]:
        graphs = graphs_for(claim, pool, *ends)
        for versions, part in product(VERSIONS if graphs else (), parts_of(chosen)):
            if versions[0].n in pool.examples:
                yield _rung(Size(claim, pool, ends, graphs, part), versions, random, budget)


def _rung(
    size: Size, versions: Sequence[Version], random: Random, budget: float
) -> Iterator[Scope]:
    for version in versions:
        if size.most(version) <= budget:
            yield _scope(size, version, random)


def _activations(
    pool: Pool, version: Version
) -> tuple[tuple[Activation, ...], tuple[Activation, ...]]:
    """The activations of hidden vertices, and of the output."""
    kinds = tuple(KINDS[name] for name in pool.activations)
    if version.few:
        kinds = tuple(kind for kind in kinds if kind in (LINEAR, RELU)) or kinds[:1]
    return kinds, kinds if version.outputs else (LINEAR,)


def graphs_for(claim: Claim, pool: Pool, inputs: int, hidden: int) -> list[Network]:
    """The graphs of a size that the pool may have and on which the claim may speak of something:
    with biases where it wants them; a pair with equal neighbourhoods where it is about pairs."""
    found: list[Network] = list(digraphs(inputs, hidden))
    if pool.families == ("fully connected",):
        found = list(filter(is_fully_connected, found))
    if _is_about_pairs(claim):
        found = [net for net in found if equal_neighbourhoods(net)]
    return found if pool.bias is None else [biased(net, pool.bias) for net in found]


def _is_about_pairs(claim: Claim) -> bool:
    return any(h.name == "equal neighbourhoods" for h in claim.hypotheses)


def _scope(size: Size, version: Version, random: Random) -> Scope:
    """All cases of one version on graphs of one size."""
    kinds, outputs = _activations(size.pool, version)
    hypotheses = size.claim.hypotheses
    questions = {h.name: asked for h in hypotheses if (asked := asks_network(h)) is not None}
    blocks: list[NetworkBlock] = []
    unmet: set[str] = set()
    for graph in size.graphs:
        plain = [starting(net, version.n) for net in dressed(graph, kinds, outputs)]
        failed = [[name for name, asked in questions.items() if not asked(b)] for b in plain]
        bases = [base for base, names in zip(plain, failed, strict=True) if not names]
        unmet.update(*failed)
        blocks += _blocks(size, graph, bases, version, random)
    only = [name for name in questions if name in unmet]
    words = _words(size, kinds, outputs, version, only)
    return Scope(words, tuple(blocks), drawn=not is_listed(size.chosen))


def starting(net: Network, n: int) -> Case:
    """A valid case with n examples on a network, from which the others are made."""
    row = (ZERO,) * len(net.free_inputs)
    ones = (ONE,) * n
    return Case(
        net, (ONE,) * net.parameter_count, (row,) * n, ones, PRESCRIBED, ones, family="enumerated"
    )


@lru_cache(maxsize=512)
def dressed(
    graph: Network, kinds: tuple[Activation, ...], ends: tuple[Activation, ...]
) -> tuple[Network, ...]:
    """The graph with every choice of activations at its inner vertices and its output."""
    names = [graph.names[v] for v in (*graph.inner, *graph.outputs)]
    ways = product(*[kinds] * len(graph.inner), *[ends] * len(graph.outputs))
    return tuple(graph.with_activations(dict(zip(names, way, strict=True))) for way in ways)


def _blocks(
    size: Size, graph: Network, plain: Sequence[Case], version: Version, random: Random
) -> list[NetworkBlock]:
    """The cases of one graph: those that choose alike together; each dormant vertex apart."""
    groups: dict[tuple[str, ...], list[Case]] = {}
    common = size.choices(graph, version.n)
    for base in plain:
        if is_listed(size.chosen):
            own = list(choices_on(base.network, size.chosen & SELECTIONS, version.n))
            found = [
                changed(base, {"choice": {**one, **other}}) for one, other in product(common, own)
            ]
        else:
            found = _shaped(size.claim, base, version, random)
        for case in found:
            key = (str(case.choice.get("selection", "")), *case.choice.get("direction", ()))
            if case.network is not base.network:
                key = (*key, repr(case.network))
            groups.setdefault(key, []).append(case)
    unit = EXACT_UNIT if size.claim.exact_only else STEPS_UNIT if "eta" in size.chosen else 1.0
    unit = ENCLOSED_UNIT if set(size.pool.activations) & set(SMOOTH) else unit
    unit = SLIDING_UNIT if "sliding" in size.chosen else unit
    return [_block(tuple(bases), version, unit) for bases in groups.values()]


def _block(bases: tuple[Case, ...], version: Version, unit: float) -> NetworkBlock:
    net = bases[0].network
    asleep = bases[0].choice.get("direction", ()) if "dormant" in bases[0].choice else ()
    weights = tuple((ZERO,) if name in asleep else version.weights for name in net.parameter_names)
    points = grid_points(len(net.free_inputs), version.inputs)
    return NetworkBlock(bases, weights, points, version.labels, version.slopes, unit)


def _shaped(claim: Claim, base: Case, version: Version, random: Random) -> list[Case]:
    """The case as the claim's pool and hypotheses shape it, a few times."""
    found = []
    adapt = getattr(claim.pool, "adapt", None)
    for _ in range(DRAWN):
        case = base.with_weights([random.choice(version.weights) for _ in base.weights])
        case = repair(claim, case if adapt is None else adapt(case, random), random)
        if case.example_count == version.n:
            found.append(case)
    return found


def grid_points(width: int, values: Numbers) -> tuple[Point, ...]:
    """All points with these coordinates, made so short by powers of 2 that their norm is at most
    1."""
    found = []
    for row in product(values, repeat=width):
        square, short = sum((value * value for value in row), ZERO), ONE
        while square * short * short > 1:
            short *= HALF
        found.append(tuple(value * short for value in row))
    return tuple(found)


def _words(
    size: Size,
    kinds: tuple[Activation, ...],
    outputs: tuple[Activation, ...],
    version: Version,
    only: Sequence[str],
) -> str:
    """only: the hypotheses on the network that some networks of the size do not meet; these are
    left out, and not counted."""
    inputs, hidden = size.ends
    pairs = " that have two vertices with equal neighbourhoods" * _is_about_pairs(size.claim)
    several = f"{hidden} hidden vertices, in any one order"
    heads = {0: "no hidden vertex", 1: "1 hidden vertex"}.get(hidden, several)
    parts = [f"all networks with {inputs} input{'s' * (inputs > 1)} and {heads}{pairs}", USED]
    if size.pool.families == ("fully connected",):
        parts.append("fully connected ones alone")
    if size.pool.bias is not None:
        biases = "from one input" if size.pool.bias == "A" else "from an input each"
        parts.append(f"with a bias at every hidden vertex and the output, {biases}")
    if only:
        parts.append(f"of these the ones that meet: {', '.join(only)}")
    if hidden:
        parts.append(f"hidden vertices in {listed(kinds)}")
    parts.append(f"output in {listed(outputs)}")
    halved = ", halved where two are not 0" * (inputs > 1)
    parts.append(f"all weights in {listed(version.weights)}")
    parts.append(f"all inputs in {listed(version.inputs)}{halved}")
    parts.append(
        f"labels in {listed(version.labels)}, slopes of the loss in {listed(version.slopes)}"
    )
    if is_listed(size.chosen):
        parts += [GROUPS[group] for group in groups_of(size.chosen)]
    else:
        parts.append(f"{DRAWN} drawn choices of {', '.join(sorted(size.chosen))} for each network")
    return f"{'; '.join(parts)}; n = {version.n}"
