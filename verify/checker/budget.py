"""What a check may cost. It is counted, not timed, and asked before the work: the same certificate
has the same outcome on every machine."""

from __future__ import annotations

from .outcomes import Declined

MOST_ITEMS = 1_000_000  # elements of lists and entries of matrices that are made
LONGEST_NUMBER = 200_000  # bits of a number, numerator and denominator together
MOST_WORK = 6 * 10**9  # about nanoseconds
NODE = 1_200  # work of evaluating a term or a part of it, the operation itself not included


class Budget:
    """What is left for one check."""

    def __init__(self) -> None:
        self._items, self._work = MOST_ITEMS, MOST_WORK

    def node(self) -> None:
        """One more evaluation."""
        self._work -= NODE
        if self._work < 0:
            raise Declined("the computation takes too long")

    def items(self, count: int) -> None:
        """So many elements of a list, or entries of a matrix, are to be made."""
        self._items -= count
        if self._items < 0:
            raise Declined(f"it makes more than {MOST_ITEMS} elements of lists and matrices")
        self._work -= 50 * count

    def steps(self, count: int, bits: int, base: int = 1_000) -> None:
        """So many operations with numbers of together so many bits are to be done.

        The cost of one was measured on sums of fractions; base: what it is for short numbers.
        """
        self._work -= count * (base + 2 * bits + bits * bits // 6_000)
        if self._work < 0:
            raise Declined("the computation takes too long")

    def operation(self, one: int, other: int) -> None:
        """One operation with two numbers of so many bits is to be done, as `steps` counts."""
        if one + other > LONGEST_NUMBER:
            self.length(one + other)
        self._work -= 1_000 + 2 * (one + other) + one * other // 1_500
        if self._work < 0:
            raise Declined("the computation takes too long")

    def length(self, bits: int) -> None:
        """A number of at most so many bits is to be made."""
        if bits > LONGEST_NUMBER:
            raise Declined(f"a number may have more than {LONGEST_NUMBER} bits")
