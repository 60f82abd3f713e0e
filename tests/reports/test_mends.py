"""How a statement is mended, in half a line."""

import pytest

from reports.mends import mend, title

REFUTED = {"hypotheses": [], "statement": "for all $x$ it is at most $a_1$, and so on"}


def repair(**fields):
    return REFUTED | {"title": "a bound, repaired"} | fields


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"title": "a bound, off the origin"}, "a bound, off the origin"),
        ({"title": "a bound, repaired for the ReLU"}, "a bound, for the ReLU"),
        ({"title": "(p.2), repaired: at most one"}, "(p.2), at most one"),
        ({"hypotheses": [{"name": "$n>1$", "statement": "."}]}, "with the hypothesis $n>1$"),
        (
            {"hypotheses": [{"name": name, "statement": name} for name in ("in order", "finite")]},
            "with the hypotheses “in order”, “finite”",
        ),
        ({"statement": "for all $x$ it is at most $2a_1$, and so on"}, "$2a_1$ instead of $a_1$"),
        ({"statement": "for all $x$ it is at most $a_1$"}, "without “and so on”"),
        ({"statement": "Repaired: for all $x\\ge0$ it is at least $a_1$, and so on"}, ""),
        ({"statement": "for all $x$ it is at most " + "$a_1$ or " * 20 + "$a_1$, and so on"}, ""),
    ],
)
def test_what_changes_is_told_where_the_title_says_nothing(fields, told):
    assert mend(repair(**fields), REFUTED) == told


def test_a_title_does_not_say_that_it_is_a_repair():
    assert title(repair()) == "a bound"
    assert mend(repair(), None) == ""
