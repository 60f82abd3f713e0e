"""Networks of the shape of Theorem 2 in which one layer decides: its matrix has a few ones on the
diagonal, all other weights are 1, so that every other layer has rank 1. They are no solutions of
the flow, which are few and small."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Names = list[str]
SHAPES = ((0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 2), (2, 3))
LARGE, SMALL = (2, 3, 6, 9, 12), (1, 1, 2, 3)


@dataclass
class Architecture:
    """A network that grows layer by layer. matrices: of each layer the parameters, by Definition 8.
    lists: those of a case."""

    random: Random
    vertices: Names = field(default_factory=list)
    edges: dict[tuple[str, str], str] = field(default_factory=dict)
    matrices: list[list[Names]] = field(default_factory=list)
    lists: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in "LMFPQ"})

    def new(self, count: int) -> Names:
        names = [f"v{len(self.vertices) + k + 1}" for k in range(count)]
        self.vertices += names
        return names

    def connected(self, sources: Names, targets: Names) -> list[Names]:
        """The matrix of new edges from all sources to all targets."""
        new = {(u, v): f"w[{u}->{v}]" for v in targets for u in sources}
        self.edges |= new
        return [[new[u, v] for u in sources] for v in targets]

    def ended(self, outputs: Names, matrix: list[Names], **lists: Any) -> None:
        """A layer is complete: its outputs, its matrix and the lists that are not empty."""
        self.matrices.append(matrix)
        self.lists["L"].append(outputs)
        for name in "MFPQ":
            self.lists[name].append(lists.get(name, []))

    def dense(self, width: int, inner: int = 0) -> None:
        """A fully-connected layer, or with inner neurons a block."""
        sources, between = self.lists["L"][-1], self.new(inner)
        self.connected(sources, between)
        outputs = self.new(width)
        self.ended(outputs, self.connected(between + sources, outputs), M=between)

    def convolution(self, channels: list[Names], size: int, width: int) -> list[Names]:
        """One of stride 1 without padding, to as many channels as its width."""
        layer, places = len(self.matrices), range(len(channels[0]) - size + 1)
        windows = [[j + b + 1 for b in range(size)] for j in places]
        outputs = [self.new(len(places)) for _ in range(width)]
        entries = {
            (a, c, b): f"k{layer}[{c},{a},{b}]"
            for a in range(len(channels))
            for c in range(width)
            for b in range(size)
        }
        for (a, c, b), name in entries.items():
            self.edges |= {(channels[a][j + b], outputs[c][j]): name for j in places}
        matrix = [
            [entries[a, c, b] for c in range(width) for b in range(size)]
            for a in range(len(channels))
        ]
        flat = [v for channel in outputs for v in channel]
        self.ended(flat, matrix, F=windows, P=channels, Q=outputs)
        return outputs

    def case(self, inputs: Names, decisive: int) -> dict[str, Any]:
        """The case in which this layer has a few ones on the diagonal."""
        weights = dict.fromkeys(self.edges.values(), "1")
        matrix = self.matrices[decisive]
        ones = self.random.randint(1, min(len(matrix), len(matrix[0])))
        for r, row in enumerate(matrix):
            weights |= {name: str(int(r == s and r < ones)) for s, name in enumerate(row)}
        vertices = [{"name": v, "activation": "linear"} for v in self.vertices]
        edges = [{"tail": u, "head": v, "parameter": p} for (u, v), p in self.edges.items()]
        return {
            "network": {
                "format": "lemmata-network",
                "version": 1,
                "vertices": vertices,
                "inputs": inputs,
                "outputs": self.lists["L"][-1],
                "edges": edges,
                "weights": weights,
            },
            "examples": [{"x": ["1"] * len(inputs), "y": "1", "slope": "-1"}],
            "choice": {**self.lists, "W": list(range(1, len(self.matrices) + 1))},
        }


def drawn(random: Random) -> dict[str, Any]:
    """The case of a random architecture: K convolutions, M dense layers or blocks, then Fin."""
    k, m = random.choice(SHAPES)
    decisive, built = random.choice((0, random.randrange(k + m))), Architecture(random)
    first = LARGE if decisive == 0 else SMALL
    places = random.randint(1, 3) if k else 1
    size = random.choice(first) if k else 1
    channels = [built.new(places + size - 1) for _ in range(random.choice(first))]
    inputs = list(built.vertices)
    built.lists["L"].append(inputs)
    for layer in range(k + m):
        near = layer in (decisive, decisive - 1)
        width = random.choice(LARGE if near and layer >= k else SMALL)
        if layer < k:
            size = size if layer == 0 else random.randint(1, len(channels[0]))
            channels = built.convolution(channels, size, width)
        else:
            built.dense(width, random.choice((0, random.choice(SMALL))))
    built.dense(1)
    return built.case(inputs, decisive)
