"""A case: one instance of what a claim speaks of, in exact numbers.

Float trials, high-precision replays and exact replays all evaluate the same rational case, so
nothing changes between a suspicion and its proof but the arithmetic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Self

from graphs.network import Network
from graphs.paths import count_paths
from verify.cases import smaller
from verify.cases.prescribing import prescribe
from verify.cases.scenes import PATH_CAP, Scene, scene_of
from verify.cases.tensors import (
    Arrays,
    CaseError,
    arrays_from_json,
    arrays_to_json,
    lengths_of,
    vary,
)
from verify.cases.transformations import with_one_loss
from verify.core.losses import KNOWN, PRESCRIBED, RATIONAL

if TYPE_CHECKING:
    from graphs.activations import Activation
    from graphs.arithmetic import Arithmetic

AXES = ("vertices", "edges", "inputs", "examples")
"""The axes of arrays beside a network that are as long as its lists of these names."""
Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Case:
    """A network with weights, data and a loss, and what else a claim lets one choose.

    weights: one for each parameter. inputs: n rows of d numbers (the free inputs). labels: n
    numbers. loss: squared, logistic, exponential, or prescribed: then `slopes` gives the n
    derivatives `l'(y_j nu(x_j))` (for pairwise different margins a polynomial loss with these
    derivatives exists; equal margins must have equal slopes). choice: what the claim's statement
    lets one choose (layers, dormant vertices, ...), as JSON data. family: where the case came
    from, for reports. arrays: named arrays beside the network; an axis that is called vertices,
    edges, inputs or examples is as long as the network's list of that name (arrays are cut, or
    repeated from their start, until they fit).
    """

    network: Network
    weights: tuple[Fraction, ...]
    inputs: tuple[Point, ...]
    labels: tuple[Fraction, ...]
    loss: str = PRESCRIBED
    slopes: tuple[Fraction, ...] = ()
    choice: Mapping[str, Any] = field(default_factory=dict)
    family: str = field(default="", compare=False)
    arrays: Arrays = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.network.check_weight_count(self.weights)
        if self.loss not in KNOWN:
            raise CaseError(f"unknown loss {self.loss!r}: use one of {', '.join(KNOWN)}")
        if len(self.labels) != len(self.inputs) or not self.inputs:
            raise CaseError(f"{len(self.inputs)} examples with {len(self.labels)} labels")
        width = len(self.network.free_inputs)
        if width == 0:
            raise CaseError("every input of the network is held constant: leave one free")
        for row in self.inputs:
            if len(row) != width:
                raise CaseError(f"an example of {len(row)} numbers for {width} inputs")
        if self.loss == PRESCRIBED and len(self.slopes) != len(self.inputs):
            raise CaseError("a prescribed loss needs one slope for each example")
        if self.arrays:
            lengths = self.lengths
            fitted = {name: array.fitted(lengths) for name, array in self.arrays.items()}
            lengths_of(fitted)
            object.__setattr__(self, "arrays", fitted)

    @property
    def example_count(self) -> int:
        """n, the number of examples."""
        return len(self.inputs)

    @property
    def lengths(self) -> dict[str, int]:
        """How long axes of these names are."""
        net = self.network
        lists = (net.vertex_count, net.edge_count, len(net.inputs), self.example_count)
        return dict(zip(AXES, lists, strict=True))

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """What may move: the weights, the inputs of each example, the prescribed slopes."""
        return (*self.weights, *(value for row in self.inputs for value in row), *self.slopes)

    def with_numbers(self, numbers: Sequence[Fraction]) -> Self:
        """The same case with other `numbers`."""
        width, behind = len(self.network.free_inputs), len(numbers) - len(self.slopes)
        data = numbers[len(self.weights) : behind]
        rows = tuple(tuple(data[k : k + width]) for k in range(0, len(data), width))
        weights = tuple(numbers[: len(self.weights)])
        return replace(self, weights=weights, inputs=rows, slopes=tuple(numbers[behind:]))

    def with_weights(self, weights: Sequence[Fraction]) -> Case:
        """The same case with other weights."""
        return replace(self, weights=tuple(weights))

    def with_activations(self, activations: Mapping[int, Activation]) -> Self:
        """The same case with other activations at some vertices."""
        named = {self.network.names[v]: kind for v, kind in activations.items()}
        return replace(self, network=self.network.with_activations(named))

    def list_of(self, name: str) -> Any:
        """A list that a statement names, of vertices by their names, edges by their ends, or
        numbers; None where the case has none of that name."""
        return self.choice.get(name)

    def choosing(self, **choice: Any) -> Case:
        """The same case with more chosen."""
        return replace(self, choice={**self.choice, **choice})

    @property
    def slopes_at_0(self) -> list[tuple[int | None, int, Fraction]]:
        """The slopes that are chosen at kinks: vertex (None where there is none of that name),
        example from 0, slope."""
        index = self.network.index
        chosen = self.choice.get("slopes_at_0", ())
        return [(index.get(name), j - 1, Fraction(slope)) for name, j, slope in chosen]

    # what methods ask of an instance (verify.core.instance) --------------------------------------
    @property
    def rational(self) -> bool:
        """Whether the loss is rational too."""
        return self.loss in RATIONAL

    @property
    def scene_key(self) -> tuple[Any, ...]:
        """Number of examples, loss, number of steps."""
        return self.example_count, self.loss, len(self.choice.get("eta", ()))

    def exactly(self) -> Case:
        """The case with prescribed slopes, equal ones at equal margins."""
        return with_one_loss(prescribe(self))

    def size(self) -> tuple[int, ...]:
        """How large the case is: see verify.cases.smaller."""
        return smaller.size(self)

    def changes(self) -> Iterator[Case]:
        """Neighbours that are likely to be smaller: see verify.cases.smaller."""
        return smaller.changes(self)

    def varied(self, random: Random) -> Case:
        """The case with one or two weights, slopes or inputs changed."""
        parts: dict[str, Any] = {"weights": self.weights, "slopes": self.slopes}
        parts["inputs"] = self.inputs
        for _ in range(random.randint(1, 2)):
            name = random.choice(sorted(name for name, part in parts.items() if part))
            part = parts[name]
            k = random.randrange(len(part))
            new = vary(part[k], random) if isinstance(part[k], Fraction) else part[k]
            if isinstance(new, tuple):
                place = random.randrange(len(new))
                new = (*new[:place], vary(new[place], random), *new[place + 1 :])
            parts[name] = (*part[:k], new, *part[k + 1 :])
        return replace(self, **parts)

    def plain(self) -> Case:
        """The case with plain names: see verify.cases.smaller."""
        return smaller.renamed(self)

    def to_json(self) -> dict[str, Any]:
        """As the case of a certificate."""
        return case_to_json(self)

    def described(self) -> str:
        """Its size in words."""
        net, n = self.network, self.example_count
        return (
            f"{net.vertex_count} vertices, {net.edge_count} edge{'s' * (net.edge_count > 1)}, "
            f"{n} example{'s' * (n > 1)}"
        )

    @staticmethod
    def scene(cases: Sequence[Case], arithmetic: Arithmetic) -> Scene:
        """The scene of cases with the same number of examples and the same loss."""
        return scene_of(cases, arithmetic)

    @staticmethod
    def batches(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
        """One batch of those whose paths are not too many."""
        yield [case for case in cases if count_paths(case.network).total <= PATH_CAP]

    @property
    def admissible(self) -> bool:
        """Whether the data is as the papers assume: rows of norm at most 1, labels -1 or 1."""
        norms = all(sum(value * value for value in row) <= 1 for row in self.inputs)
        return norms and all(label in (-1, 1) for label in self.labels)

    def weight_map(self) -> dict[str, Fraction]:
        """The weights by parameter name."""
        return dict(zip(self.network.parameter_names, self.weights, strict=True))


def case_to_json(case: Case) -> dict[str, Any]:
    """The case as strict JSON: rationals as "p/q". Raises CaseError for a named loss, which has
    no exact form: prescribe its slopes first."""
    from graphs.files import to_json

    if case.loss not in (PRESCRIBED, "squared"):
        raise CaseError(f"loss {case.loss} is not rational: prescribe its slopes first")
    examples: list[dict[str, Any]] = []
    for j, row in enumerate(case.inputs):
        example: dict[str, Any] = {"x": [str(value) for value in row], "y": str(case.labels[j])}
        if case.loss == PRESCRIBED:
            example["slope"] = str(case.slopes[j])
        examples.append(example)
    found = {
        "network": to_json(case.network, case.weights),
        "examples": examples,
        "choice": json.loads(json.dumps(dict(case.choice), default=str)),
    }
    return found | ({"arrays": arrays_to_json(case.arrays)} if case.arrays else {})


def case_from_json(data: Mapping[str, Any]) -> Case:
    """The case that `case_to_json` wrote (with prescribed slopes). Raises CaseError."""
    from graphs.documents import from_json

    try:
        network, weights = from_json(data["network"])
        examples = data["examples"]
        inputs = tuple(tuple(Fraction(value) for value in e["x"]) for e in examples)
        labels = tuple(Fraction(e["y"]) for e in examples)
        slopes = tuple(Fraction(e["slope"]) for e in examples)
        choice = dict(data.get("choice", {}))
        arrays = arrays_from_json(data.get("arrays", {}))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CaseError(f"not a case: {error}") from error
    if weights is None:
        raise CaseError("the network of a case needs weights")
    data_ = tuple(weights), inputs, labels, PRESCRIBED, slopes, choice
    return Case(network, *data_, arrays=arrays)
