"""A part of a term is computed anew where a variable in it changes, and only there."""

from tests.verify.checker_statements.statements import array, certificate, f, v, value
from verify.checker import ACCEPTED, check

UP_TO_TWO, UP_TO_THREE = ["range", 1, 2], ["range", 1, 3]


def test_a_part_that_an_outer_variable_changes() -> None:
    """sum_i sum_j sum_k i k over 3, 2 and 2 numbers: 6 * 2 * 3."""
    inner = ["sum", UP_TO_TWO, ["mul", v(0), v(2)]]
    assert value(["sum", UP_TO_THREE, ["sum", UP_TO_TWO, inner]]) == 36


def test_a_part_that_binds_in_one_place_what_is_bound_outside_in_another() -> None:
    """Within i alone it is sum_k k = 3, within i and a number 10 it is sum_k 10 = 20."""
    part = ["sum", UP_TO_TWO, v(1)]
    assert value(["sum", ["range", 1, 1], ["add", part, ["let", 10, part]]]) == 23
    assert value(["sum", ["range", 1, 1], ["add", ["let", 10, part], part]]) == 23


def test_a_part_with_and_without_its_derivative() -> None:
    """y moves with velocity 5: y^2 + (y + y)' where y = 3."""
    twice = ["sum", UP_TO_TWO, f("y")]
    square = ["prod", UP_TO_TWO, f("y")]
    term = ["add", ["mul", twice, ["rate", twice]], ["add", square, ["rate", square]]]
    assert value(term, flow={"y": 5}, y=array("num", 3)) == 6 * 10 + 9 + 2 * 3 * 5


def test_what_rests_on_no_variable_is_no_loop() -> None:
    """100^4 times the same: few evaluations."""
    term = 1
    for _ in range(4):
        term = ["sum", ["range", 1, 100], term]
    wrong = certificate(["lt", term, 1], [], [str(100**4), "1"])
    assert check(wrong).code == ACCEPTED
