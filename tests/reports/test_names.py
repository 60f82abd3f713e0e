"""Numbers and names as they are written."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.names import (
    minus,
    minuses,
    name_html,
    name_svg,
    number_text,
    power_text,
    split_name,
    square_root,
)


@given(st.integers(-999, 999), st.integers(1, 999))
def test_a_short_rational_is_written_exactly(numerator, denominator):
    number = Fraction(numerator, denominator)
    assert Fraction(number_text(str(number)).replace("−", "-")) == number


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6))
def test_a_rounded_number_says_so(number):
    written = number_text(str(number), limit=5)
    if len(str(number)) > 5:
        assert written.startswith("≈ ")
        assert float(written[2:]) == pytest.approx(float(number), rel=1e-3)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0x1.8p+1", "3"),
        ("0x1.999999999999ap-4", "≈ 0.1"),
        (-2, "−2"),
        ("-1/2", "−1/2"),
        ("1/0", "1/0"),
        ("a word that is long", "a word t…"),
        (0.5, "0.5"),
    ],
)
def test_numbers_of_all_forms(value, text):
    assert number_text(value) == text


def test_only_numbers_get_a_minus_sign():
    assert minus("-3.5e-2") == "−3.5e-2"
    assert minus("-x") == "-x"
    assert minus("3-2") == "3-2"


def test_roots():
    assert square_root("4/9") == "2/3"
    assert square_root("1/3") == "√(1/3)"
    assert square_root("a half") == "√(a half)"


@pytest.mark.parametrize(
    ("name", "parts"),
    [("x1", ("x", "1")), ("h_12", ("h", "12")), ("o", ("o", "")), ("bias", ("bias", ""))],
)
def test_names_have_their_number_as_a_subscript(name, parts):
    assert split_name(name) == parts
    letters, digits = parts
    assert digits in name_html(name)[name_html(name).index(letters) :]
    assert letters in name_svg(name)
    assert name_html("x1") == "<i>x</i><sub>1</sub>"
    assert name_html("a<b") == "a&lt;b"


def test_subscripts_and_powers_are_characters():
    assert name_svg("x12") == 'x<tspan class="up">₁₂</tspan>'
    assert name_svg("bias") == '<tspan class="up">bias</tspan>'
    assert power_text("10", -12) == "10⁻¹²"


def test_minus_signs_within_words():
    assert (
        minuses("slope -0.4 to -.3, m^(-1/2), a-b, 3-2") == "slope −0.4 to −.3, m^(−1/2), a-b, 3-2"
    )
