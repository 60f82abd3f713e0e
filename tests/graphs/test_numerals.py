"""Which numbers files may hold, and that they are read exactly."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.documents import from_json
from graphs.errors import WeightError
from graphs.files import load, parse_json
from tests.graphs.sample_network import document


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_of_python_are_read_exactly(number):
    for value in (number, number.hex()):
        written = document()
        written["weights"]["w[x->h]"] = value
        _, weights = from_json(written)
        assert weights[0] == Fraction(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_decimal_in_json_is_what_is_written(number):
    written = document()
    written["weights"]["w[x->h]"] = number
    _, weights = from_json(parse_json(json.dumps(written)))
    assert weights[0] == Fraction(repr(number))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("6/4", Fraction(3, 2)),
        ("-7", Fraction(-7)),
        (12, Fraction(12)),
        (0.1, Fraction(0.1)),
        ("0x1.8p+1", Fraction(3)),
        ("-0x.1p4", None),
        ("0x0.0000000000000000000000000000001p0", Fraction(1, 16**31)),
        ("-0X1P-1074", Fraction(-1, 2**1074)),
        ("1/0", None),
        ("0x1p99999", None),
        ("0x1p999999999999", None),
        ("0.5", Fraction(1, 2)),
        ("-.7", Fraction(-7, 10)),
        ("1e3", Fraction(1000)),
        ("1e400", Fraction(10**400)),
        ("1e401", None),
        ("1e-99999999", None),
        ("1e99999999999999999999", None),
        ("0." + "1" * 10**6, None),
        ("1.5/2", None),
        (Decimal("0.7"), Fraction(7, 10)),
        (Decimal("1e-99999999"), None),
        ("nan", None),
        ("inf", None),
        ("", None),
        ("1/-2", None),
        ("1/2 ", Fraction(1, 2)),
        ("\u0661", None),
        ("9" * 10**4, None),
        (float("nan"), None),
        (float("inf"), None),
        (None, None),
        (True, None),
        ([1, 2], None),
    ],
)
def test_which_numbers_are_weights(written, value):
    spoiled = document()
    spoiled["weights"]["w[h->o]"] = written
    if value is None:
        with pytest.raises(WeightError, match=r"weight of 'w\[h->o\]' is .*: give a finite number"):
            from_json(spoiled)
    else:
        assert from_json(spoiled)[1][1] == value


def test_json_infinities_are_refused_by_name(tmp_path):
    path = tmp_path / "net.json"
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        path.write_text(json.dumps(document()).replace('"-2/3"', text))
        with pytest.raises(WeightError, match=r"net.json: weight of 'w\[x->h\]' is"):
            load(path)
