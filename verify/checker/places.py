"""Places: where the way ends that `at` tells, from the outside of what is said to a leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .interpreter import Environment, Run
from .matrices import Vector, matrix
from .operators import contains
from .outcomes import require
from .records import array, fraction, integer, text
from .sorts import BOOL, EDGE, INT, MAT, NUM, PATH, VEC, VERTEX, Sort
from .terms import Node

Condition = Callable[[Run, Node, Environment], None]


class Place(NamedTuple):
    """The leaf that a way ends at, and what is bound there."""

    leaf: Node
    environment: Environment


def required(run: Run, node: Node, environment: Environment) -> None:
    """A condition on the way must be true."""
    require(run.value(node, environment), "a condition on the way is not met")


def way(run: Run, node: Node, at: list[Any], condition: Condition) -> Place:
    """Where the way ends that leads through `each`, `and` and `implies`. condition: asks one of
    `implies`, and rejects where it is not as it has to be."""
    environment: Environment = ()
    steps = iter(at)
    while node.operator in ("each", "and", "implies"):
        first, second = node.arguments
        if node.operator == "implies":
            condition(run, first, environment)
            node = second
            continue
        step = next(steps, None)
        require(step is not None, f"at ends before the way does, at {node.operator}")
        if node.operator == "and":
            number = integer(step, "a step in at")
            require(number in (0, 1), "and has the arguments 0 and 1")
            node = node.arguments[number]
            continue
        element = read_element(step, first.sort.parts[0])
        elements = run.value(first, environment)
        require(contains(run, elements, element), "an element in at is not in its list")
        environment, node = (*environment, element), second
    require(next(steps, None) is None, f"at goes on where the way ends, at {node.operator}")
    return Place(node, environment)


def read_element(value: object, sort: Sort) -> Any:
    """An element of a list as `at` writes it."""
    where = f"an element of sort {sort} in at"
    if sort in (INT, EDGE):
        return integer(value, where)
    if sort == NUM:
        return fraction(value, where)
    if sort == VERTEX:
        return text(value, where)
    if sort == BOOL:
        require(isinstance(value, bool), f"{where} is neither true nor false")
        return value
    items = array(value, where)
    if sort == MAT:
        return matrix(read_element(row, VEC) for row in items)
    if sort == VEC:
        return Vector(fraction(item, where) for item in items)
    if sort.name == "tuple":
        require(len(items) == len(sort.parts), f"{where} has the length {len(items)}")
        return tuple(read_element(i, part) for i, part in zip(items, sort.parts, strict=True))
    element = EDGE if sort == PATH else sort.parts[0]
    return tuple(read_element(item, element) for item in items)
