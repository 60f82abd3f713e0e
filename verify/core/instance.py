"""What every method asks of an instance of a claim, and of where instances come from.

Two types keep this protocol: `verify.cases.case.Case` (a network with weights and data) and
`verify.cases.tensors.Tensors` (named arrays of rationals). A claim's pool says which one it speaks
of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from graphs.arithmetic import Arithmetic


class Instance(Protocol):
    """One exact instance of what a claim speaks of."""

    @property
    def family(self) -> str:
        """Where it came from, for reports."""
        ...

    @property
    def choice(self) -> Mapping[str, Any]:
        """What the statement lets one choose, as JSON data."""
        ...

    @property
    def admissible(self) -> bool:
        """Whether the data is as the papers assume."""
        ...

    @property
    def rational(self) -> bool:
        """Whether all its numbers are rational, so that exact arithmetic judges this very case."""
        ...

    @property
    def scene_key(self) -> tuple[Any, ...]:
        """What cases have in common that make a scene."""
        ...

    def exactly(self) -> Any:
        """The same with rational numbers: itself, or a neighbour."""
        ...

    def size(self) -> tuple[int, ...]:
        """How large it is, for comparison: shapes before numbers."""
        ...

    def changes(self) -> Iterator[Any]:
        """Neighbours that are likely to be smaller, the boldest first."""
        ...

    def varied(self, random: Random) -> Any:
        """A neighbour with some numbers changed."""
        ...

    def plain(self) -> Any:
        """The same with plain names."""
        ...

    def to_json(self) -> dict[str, Any]:
        """As the case of a certificate."""
        ...

    def described(self) -> str:
        """Its size in words."""
        ...

    @staticmethod
    def scene(cases: Sequence[Any], arithmetic: Arithmetic) -> Any:
        """A batch of such cases in one arithmetic, as measures see it."""
        ...

    @staticmethod
    def batches(cases: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """Cases sorted into batches that make scenes; those too large for a scene are left out."""
        ...


class Movable(Instance, Protocol):
    """An instance whose numbers may be changed one and all: what is differentiated in."""

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers that may move; labels, integers and choices stay."""
        ...

    def with_numbers(self, numbers: Sequence[Fraction]) -> Any:
        """The same with other `numbers`."""
        ...


class Supply(Protocol):
    """Where instances come from: `verify.cases.pool.Pool` or
    `verify.cases.tensor_pool.TensorPool`."""

    @property
    def examples(self) -> tuple[int, ...]:
        """What numbers of examples to ask for, in turn."""
        ...

    @property
    def losses(self) -> tuple[str, ...]:
        """What losses to ask for, in turn."""
        ...

    def draw(self, random: Random, *, n: int, loss: str, large: bool = True) -> Any:
        """One random instance."""
        ...

    def drawn(self) -> SearchStrategy[Any]:
        """Small instances for the guided search."""
        ...

    def named(self, random: Random) -> Iterator[Any]:
        """Instances that have a name in the field."""
        ...

    def scope(self) -> tuple[str, ...]:
        """Lines that say what random draws cover."""
        ...

    def functions(self) -> dict[str, Any]:
        """The functions that the pool uses beside its data, by what they are for."""
        ...
