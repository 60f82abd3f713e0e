"""Numbers that remember their steps: equal to plain ones, and their steps give the same."""

from __future__ import annotations

from fractions import Fraction
from operator import add, ge, gt, le, lt, mul, sub, truediv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify import certificates as c
from tests.verify.necessity_certificates import NEEDING
from tests.verify.rocq.reader import Evaluator, Parser, read, sentences
from verify.checker.restated import ACCEPT, check
from verify.rocq import NotExported, export, traced
from verify.rocq.source import rational
from verify.rocq.traced import Trace, Traced

NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=6)
LAWS = [add, sub, mul, truediv]
STEPS = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(LAWS), st.integers(0, 30)), max_size=12
)


def replayed(trace: Trace) -> Evaluator:
    """The trace written out and read back."""
    lines = [f"Definition {name} : Q := {rational(v)}." for name, v in trace.leaves.items()]
    lines += [f"Definition {name} : Q := Qred ({e})." for name, e in trace.steps.items()]
    return Evaluator(read("\n".join(lines) + "\n"))


@given(st.lists(NUMBERS, min_size=1, max_size=4), STEPS)
def test_steps_give_what_plain_numbers_give(numbers, steps):
    trace = Trace()
    plain = list(numbers)
    marked = [trace.leaf(f"a_{k}", number) for k, number in enumerate(numbers)]
    for one, law, two in steps:
        first, second = one % len(plain), two % len(plain)
        if law is truediv and plain[second] == 0:
            continue
        plain.append(law(plain[first], plain[second]))
        # beside traced numbers there are plain ones, on either side
        left, right = [(marked, marked), (plain, marked), (marked, plain)][(one + two) % 3]
        marked.append(law(left[first], right[second]))
    evaluator = replayed(trace)
    for value, number in zip(plain, marked, strict=True):
        assert number == value
        assert hash(number) == hash(value)
        assert isinstance(number, Traced)
        assert number.plain == value
        assert evaluator.named(number.name) == value
        assert -number == -value
        assert abs(number) == abs(value)
        assert number**2 == value**2
        assert number**0 == 1
    for text, outcome in trace.comparisons.items():
        assert evaluator_of(trace, text) is outcome


def evaluator_of(trace: Trace, text: str) -> bool:
    (tokens,) = sentences(f"{text}.\n")
    return bool(replayed(trace).value(Parser(tokens).whole()))


@given(NUMBERS, NUMBERS)
def test_comparisons_are_those_of_plain_numbers_and_recorded(one, two):
    for compare in (lt, le, gt, ge):
        for second in (two, one):
            trace = Trace()
            a, b = trace.leaf("a", one), trace.leaf("b", second)
            assert compare(a, b) is compare(one, second)
            assert compare(one, b) is compare(one, second)
            assert compare(a, second) is compare(one, second)
            assert trace.comparisons
            assert all(evaluator_of(trace, text) is o for text, o in trace.comparisons.items())
    trace = Trace()
    a = trace.leaf("a", one)
    assert bool(a) is bool(one)
    assert (a == two) is (one == two)
    assert a != "a"
    assert len(trace.comparisons) == len({0, two})


def test_the_same_step_is_one_definition():
    trace = Trace()
    a, b = trace.leaf("a", Fraction(2)), trace.leaf("b", Fraction(3))
    assert (a * b).name == (a * b).name
    assert list(trace.steps.values()) == ["a * b"]
    assert (a + 0).name == (1 * a).name == (a / 1).name == a.name


def test_a_computation_may_be_too_long(monkeypatch):
    monkeypatch.setattr(traced, "MOST_STEPS", 3)
    with pytest.raises(NotExported, match="more than 3 steps"):
        export(c.VALID["control.planted.dkbhl20"])


def test_the_steps_begin_with_the_numbers_of_the_case():
    """The numbers of the case are definitions, the value comes out of them."""
    module = read(export(c.VALID["control.planted.dkbhl20"]))
    given_numbers = {"a_lam_to_0": 1, "a_lam_to_1": 1}
    evaluator = Evaluator(module)
    for name, number in given_numbers.items():
        assert evaluator.named(name) == number
    assert module.definitions["residual_low"][1].startswith("step_")
    assert "hypotheses" in module.assumptions


def test_a_certificate_of_necessity_is_replayed_without_its_hypothesis():
    certificate = NEEDING["trace"]
    assert check(certificate).code == ACCEPT
    source = export(certificate)
    assert "necessity of trace d" in source
    assert Evaluator(read(source)).named("residual_low") == -8


def test_what_is_no_power_of_a_whole_number_has_no_form():
    a = Trace().leaf("a", Fraction(2))
    for power in (-1, Fraction(1, 2)):
        with pytest.raises(NotExported, match="has no Rocq form"):
            a**power
