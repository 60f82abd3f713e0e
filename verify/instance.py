"""What every method asks of an instance of a claim, and of where instances come from.

Two types keep this protocol: `verify.case.Case` (a network with weights and data) and
`verify.tensors.Tensors` (named arrays of rationals). A claim's pool says which one it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from graphs.arithmetic import Arithmetic


class Instance(Protocol):
    """One exact instance of what a claim speaks of.

    family: where it came from, for reports. choice: what the statement lets one choose, as JSON
    data.
    """

    @property
    def family(self) -> str: ...

    @property
    def choice(self) -> Mapping[str, Any]: ...

    @property
    def admissible(self) -> bool:
        """Whether the data is as the papers assume."""
        ...

    @property
    def rational(self) -> bool:
        """Whether all its numbers are rational, so that exact arithmetic judges this very case."""
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


class Supply(Protocol):
    """Where the instances of a claim come from: `verify.pool.Pool` or
    `verify.tensor_pool.TensorPool`. examples, losses: what numbers of examples and what losses to
    ask for in turn."""

    @property
    def examples(self) -> tuple[int, ...]: ...

    @property
    def losses(self) -> tuple[str, ...]: ...

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
