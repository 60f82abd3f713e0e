"""What is alike in a statement is read as one node, and nothing else is."""

from __future__ import annotations

from verify.checker.budget import Budget
from verify.checker.sorts import EDGE, NUM, VERTEX, seq
from verify.checker.terms import Node, Reader

V0, V1 = ["var", 0], ["var", 1]
OUTPUT = ["at", ["outputs"], 1]


def reader() -> Reader:
    return Reader(Budget(), {"c": NUM}, network=True, flowing=())


def test_equal_parts_are_one_node() -> None:
    square = ["mul", ["field", "c"], ["field", "c"]]
    node = reader().read(["add", square, ["neg", square]], "a term")
    assert node.arguments[1].arguments[0] is node.arguments[0]


def test_numbers_and_truths_that_python_takes_for_equal_are_not() -> None:
    node = reader().read(["list", ["eq", 1, 1], True], "a term")
    one, truth = node.arguments[0].arguments[0], node.arguments[1]
    assert one.literal is not True
    assert truth.literal is True
    assert reader().read(["list", "1", 1], "a term").arguments[0].sort == NUM


def test_what_moves_is_not_taken_for_what_rests() -> None:
    edge = ["at", ["edges"], 1]
    for first in (True, False):
        made = {}
        read = reader().read
        for moves in (first, not first):
            made[moves] = read(["let", ["weight", edge] if moves else "2", V0], "a term")
        assert made[True].arguments[1].moves
        assert not made[False].arguments[1].moves


def test_whether_a_recursion_speaks_of_the_path_hangs_on_where_it_stands() -> None:
    """The variable 1 is the path where nothing is bound outside, else what is bound there."""
    outside = (Node("var", (), 0, VERTEX, False), Node("var", (), 1, seq(EDGE), False))
    for first in (True, False):
        read = reader().read
        for alone in (first, not first):
            term = ["along", OUTPUT, ["card", V1]]
            node = read(term, "a term", scope=() if alone else outside)
            assert node.literal == int(alone)
