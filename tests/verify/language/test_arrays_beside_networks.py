"""Statements about networks with arrays of their own: values, shapes, shrinking, certificates."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.activations import LINEAR
from graphs.families import fully_connected
from graphs.rationals import RATIONALS
from verify.cases.case import Case, case_from_json, case_to_json
from verify.cases.tensors import CaseError, Tensor, tensor
from verify.checker import ACCEPTED, REJECTED, check
from verify.core.claim import Source
from verify.core.losses import PRESCRIBED
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Sum,
    Vector,
    card,
    cols,
    edges,
    examples,
    inputs,
    nu,
    upto,
    w,
    x,
)
from verify.language.evaluation import Evaluation
from verify.search.judging import judge_exactly
from verify.search.shrinking import shrink
from verify.statements.stated import stated

c, d, u = Vector("c", "examples"), Number("d"), Vector("u", "edges")
V = Matrix("V", "inputs", "k")

BOWL = stated(
    "own.bowl",
    Source("own", "", "1"),
    "a combination of outputs",
    "at most d",
    Sum(examples(), lambda j: c[j] * nu(j)) <= d**2,
)
ALONG = stated(
    "own.along",
    Source("own", "", "2"),
    "a product with the weights",
    "at least 0",
    Sum(upto(card(edges())), lambda k: u[k] * w(edges()[k])) >= 0,
)


def two_inputs(**arrays: Tensor) -> Case:
    """nu(x) = 2 x_1 - 3 x_2 on (1, 0) and (1/2, 1/2), with arrays."""
    half = Fraction(1, 2)
    return Case(
        fully_connected([2, 1], LINEAR),
        (Fraction(2), Fraction(-3)),
        ((Fraction(1), Fraction(0)), (half, half)),
        (Fraction(1), Fraction(-1)),
        PRESCRIBED,
        (Fraction(-1), Fraction(-2)),
        arrays=arrays,
    )


HELD = two_inputs(
    c=tensor(("examples",), ["5", "4"]),
    d=tensor((), "1/2"),
    u=tensor(("edges",), ["1", "10"]),
    V=tensor(("inputs", "k"), [["1", "2", "3"], ["0", "1", "-1"]]),
)


def test_values_by_hand() -> None:
    by = Evaluation(Case.scene([HELD, HELD], RATIONALS))
    outputs = Sum(examples(), lambda j: c[j] * nu(j))  # 5 * 2 + 4 * (1 - 3/2)
    assert list(by.column(outputs).values) == [8, 8]
    assert list(by.column(2 * d + cols(V)).values) == [4, 4]
    heads = Sum(upto(card(inputs())), lambda i: V[i, 2] * x(inputs()[i], 2))  # 2/2 + 1/2
    assert list(by.column(2 * heads).values) == [3, 3]


def test_cases_of_other_shapes_and_without_the_array_lie_in_one_scene() -> None:
    other = replace(HELD, arrays={"V": tensor(("inputs", "k"), [["7"], ["1"]])})
    none = replace(HELD, arrays={})
    by = Evaluation(Case.scene([HELD, other, none], RATIONALS))
    found = by.column(V[1, 1])
    assert list(found.defined) == [True, True, False]
    assert list(found.values[:2]) == [1, 7]
    assert list(by.column(d).defined) == [True, False, False]


def test_an_axis_of_the_network_has_its_length() -> None:
    assert two_inputs(u=tensor(("edges",), ["1", "2", "3"])).arrays["u"].entries == (1, 2)
    assert two_inputs(u=tensor(("edges",), ["7"])).arrays["u"].entries == (7, 7)
    with pytest.raises(CaseError, match="another length"):
        two_inputs(p=tensor(("k",), ["1"]), q=tensor(("k",), ["1", "2"]))


def test_drawn_cases_hold_what_the_statement_names() -> None:
    assert BOWL.pool is not None
    for seed in range(20):
        case = BOWL.pool.draw(Random(seed), n=3, loss=PRESCRIBED)
        assert set(case.arrays) == {"c", "d"}
        assert case.arrays["c"].shape == (3,)


def test_a_record_reads_back() -> None:
    again = case_from_json(json.loads(json.dumps(case_to_json(HELD))))
    assert again.arrays == HELD.arrays


def test_what_is_dropped_from_the_network_is_dropped_from_its_arrays() -> None:
    """Of u w only the second edge is below 0: the first goes, and with it its number."""
    [violation] = judge_exactly(ALONG, HELD).violations
    small = shrink(ALONG, violation, 400).case
    assert small.network.edge_count == 1
    assert (small.arrays["u"].entries[0] * small.weights[0]) < 0
    assert small.example_count == 1


def test_certificates_are_accepted_and_altered_ones_are_not() -> None:
    assert BOWL.terms is not None
    [violation] = judge_exactly(BOWL, HELD).violations
    good = BOWL.terms.certificate("counterexample", violation.case, violation.entry["at"])
    assert good["value"] == {"left": "8", "right": "1/4"}
    assert set(good["case"]["arrays"]) == {"c", "d"}  # of u and V it does not speak
    assert check(good).code == ACCEPTED
    for name, entries in (("c", ["5"]), ("c", ["5", "4", "0"]), ("c", ["5", "5"]), ("d", "3")):
        bad = json.loads(json.dumps(good))
        bad["case"]["arrays"][name]["entries"] = entries
        assert check(bad).code == REJECTED, entries
    bad = json.loads(json.dumps(good))
    del bad["case"]["arrays"]["d"]
    assert check(bad).code == REJECTED
    bad = json.loads(json.dumps(good))
    bad["case"]["arrays"]["e"] = bad["case"]["arrays"]["d"]
    assert check(bad).code == REJECTED


def test_a_hypothesis_about_an_array_is_asked() -> None:
    says = Each(examples(), lambda j: c[j] * nu(j) >= 0)
    given = Each(examples(), lambda j: c[j] == nu(j))
    by = Evaluation(
        Case.scene([HELD, two_inputs(c=tensor(("examples",), ["2", "-1/2"]))], RATIONALS)
    )
    assert list(by.column(given).values) == [False, True]
    assert list(by.column(says).values) == [False, True]
