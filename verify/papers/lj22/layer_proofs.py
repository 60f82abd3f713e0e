"""Arguments about the graphs of layers: residual blocks as matrices, and matrices as cuts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from graphs.residual import VARIANTS, residual_block
from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE

NEURON = "a neuron applies its activation to the sum over its in-edges of weight times value"
INSIDE = "the inner neurons and heads of a piece have no in-edges but those of the piece"
TELESCOPE = "along a path the differences of the sides add up to that of its ends"
THROUGH = (
    "every vertex lies on a path from an input to the output, which begins at side 0 and ends "
)
THROUGH += "at side 1; without the edges between the sides nothing connects these"
SHAPES = ((2, 1), (1, 2), (2, 3))
Edge = tuple[str, str]


# residual blocks ----------------------------------------------------------------------------------
class SymbolBlock:
    """A residual block with a symbol for each input, each value of an inner neuron, each entry of Y
    and U and each entry of a c x a matrix, c = a; the activations are not looked into."""

    def __init__(self, variant: str, a: int, b: int) -> None:
        self.net = residual_block(variant, a, b, a)
        self.names = {
            "x": [self.net.names[v] for v in self.net.inputs],
            "h": [self.net.names[v] for v in self.net.inner if v not in self.net.outputs],
            "o": [self.net.names[v] for v in self.net.outputs],
        }
        ends = [("x", "h"), ("h", "o"), ("x", "o")]
        edges = [(s, t) for one, two in ends for s in self.names[one] for t in self.names[two]]
        labels: list[Any] = [*self.names["x"], *self.names["h"], *edges]
        self.ring: Ring = ring_of(len(labels))
        self.symbol = dict(zip(labels, self.ring.generators, strict=True))
        self.none = self.ring.constant(Fraction(0))

    def summed(self, head: str, weights: Mapping[Edge, Any]) -> Any:
        """The sum over the in-edges of a neuron in the graph; symbols where no weight is given."""
        total = self.none
        for e in self.net.in_edges[self.net.index[head]]:
            tail = self.net.names[self.net.tails[e]]
            fixed = self.net.fixed[e]
            weight = weights.get((tail, head), self.symbol[tail, head])
            total = (
                total + (weight if fixed is None else self.ring.constant(fixed)) * self.symbol[tail]
            )
        return total

    def skip(self, variant: str) -> dict[Edge, Any]:
        """The entries of the skip of a variant: of the identity, of diag(D), of Z."""
        pairs = [(s, t) for s in self.names["x"] for t in self.names["o"]]
        if variant == "free":
            return {pair: self.symbol[pair] for pair in pairs}
        one = self.ring.constant(Fraction(1))
        kept = set(zip(self.names["x"], self.names["o"], strict=True))
        return {
            pair: (one if variant == "identity" else self.symbol[pair])
            if pair in kept
            else self.none
            for pair in pairs
        }

    def by_matrices(self, head: str, skip: Mapping[Edge, Any]) -> Any:
        """(Y x)_h of an inner neuron, (U i + S x)_o of a head, i the values of the inner ones."""
        if head in self.names["h"]:
            terms = [self.symbol[x, head] * self.symbol[x] for x in self.names["x"]]
        else:
            terms = [self.symbol[h, head] * self.symbol[h] for h in self.names["h"]]
            terms += [skip[x, head] * self.symbol[x] for x in self.names["x"]]
        return sum(terms, self.none)


def blocks_by_matrices() -> Argument:
    """Every neuron of a block sums what its row of the matrices says."""
    steps = []
    for variant in VARIANTS:
        for a, b in SHAPES:
            block = SymbolBlock(variant, a, b)
            skip = block.skip(variant)
            same = all(
                block.ring.is_zero(block.summed(name, {}) - block.by_matrices(name, skip))
                for name in (*block.names["h"], *block.names["o"])
            )
            steps.append(
                Step(f"ResNet{variant.capitalize()}, a = c = {a}, b = {b}: Y x, U i + S x", same)
            )
    return Argument(
        "the inner neurons of the graph sum Y x, its heads U i + S x, i the values of the inner "
        "neurons and S the identity, diag(D) or Z",
        tuple(steps),
        (NEURON, INSIDE, EVERY_SHAPE),
        ("residual block",),
        section="docs/mathematics/lj22.md#blocks",
    )


def wider_blocks() -> Argument:
    """The next wider variant with the matrices of a block sums the same in every neuron."""
    steps = []
    for variant, wider in (("identity", "diagonal"), ("diagonal", "free")):
        for a, b in SHAPES:
            block, other = SymbolBlock(variant, a, b), SymbolBlock(wider, a, b)
            other.symbol, other.ring, other.none = block.symbol, block.ring, block.none
            skip = block.skip(variant)
            same = all(
                block.ring.is_zero(block.summed(name, {}) - other.summed(name, skip))
                for name in (*block.names["h"], *block.names["o"])
            )
            text = (
                f"ResNet{variant.capitalize()} in ResNet{wider.capitalize()}, a = c = {a}, b = {b}"
            )
            steps.append(Step(text, same))
    return Argument(
        "with D the identity, or Z = diag(D), the neurons of the graph of the wider variant have "
        "the same sums",
        tuple(steps),
        (NEURON, INSIDE, EVERY_SHAPE),
        ("residual block", "square skip"),
        section="docs/mathematics/lj22.md#blocks",
    )


# matrices as cuts ---------------------------------------------------------------------------------
def crossing_edges(side: Mapping[str, int], edges: Mapping[str, Edge]) -> dict[str, int]:
    """How far the side rises along the edges of each kind."""
    return {kind: side[head] - side[tail] for kind, (tail, head) in edges.items()}


EDGES: dict[str, Edge] = {
    "before": ("tails", "tails"),  # and what lies before them
    "T": ("tails", "heads"),
    "Y": ("tails", "inner"),
    "U": ("inner", "heads"),
    "Z": ("tails", "heads"),
    "after": ("heads", "heads"),  # and what lies behind them
}
KINDS = {  # for each matrix the kinds of edges of its piece, and those whose weights it holds
    "T of a convolution": (("T",), ("T",)),
    "[U Z] of a block": (("Y", "U", "Z"), ("U", "Z")),
    "Y over Z of a block": (("Y", "U", "Z"), ("Y", "Z")),
}


def side_of(matrix: str) -> dict[str, int]:
    """0 for what lies before the edges of a matrix, 1 for what lies behind them."""
    return {"tails": 0, "inner": int(matrix.startswith("Y")), "heads": 1}


def cuts(kinds: Mapping[str, Any] = KINDS) -> Argument:
    """The edges of a matrix are those between two sides of the graph, and all lead one way.

    So a path has at most one of them; one from an input to the output has one; and without them
    the sides are not connected, in either direction.
    """
    steps = []
    for matrix, (inside, held) in kinds.items():
        rises = crossing_edges(side_of(matrix), EDGES)
        for kind in ("before", *inside, "after"):
            text = f"{matrix}: the side rises by {int(kind in held)} along edges {kind}"
            steps.append(Step(text, rises[kind] == int(kind in held)))
    return Argument(
        "the edges of the matrix are those from what lies before it to what lies behind it, "
        "and no edge leads back: no path has two of them, and without them the sides are apart",
        tuple(steps),
        (INSIDE, TELESCOPE, THROUGH),
        ("chain", "feedforward, one output"),
        section="docs/mathematics/lj22.md#cuts",
    )
