"""The section on conserved quantities: numbers as in the record, gaps told, nothing injected."""

from copy import deepcopy

import pytest

from reports.html import render
from reports.json_report import RecordError, validate
from reports.laws import in_short, laws
from tests.reports.markup import Page
from tests.reports.sample_run import sample

ROW = {
    "family": "fully connected",
    "network": "3-4-2",
    "activations": "linear",
    "parameters": 20,
    "linear": 0,
    "quadratic": 10,
    "all_quadratic": True,
    "named": {"lj22.lemma2a": 4, "lj22.lemma2b": 6},
    "independent": 10,
    "bound": 10,
    "complete": True,
    "seconds": 0.01,
}
GAP = {
    **ROW,
    "network": "1-4-1",
    "named": {"unnamed": 10},
    "bound": 12,
    "complete": False,
    "linear": 2,
    "all_quadratic": False,
}


@pytest.fixture
def record():
    return {**deepcopy(sample()), "laws": [dict(ROW), dict(GAP)]}


def test_the_section_tells_counts_names_and_gaps(record):
    text = Page(laws(record)).text
    assert "in 2 networks" in text
    assert "For 1 of them there is no other conserved quantity of any kind" in text
    assert "for all but 1 it is proved" in text
    assert "1 have laws that no statement" in text
    assert "4 vertex (Lemma 2), 6 pair (Lemma 2)" in text
    assert "10 unnamed" in text
    assert "12 (gap)" in text
    assert "10 and 2 linear at least" in text


def test_the_terminal_has_one_line(record):
    (line,) = in_short(record)
    assert "2 networks, 1 with a certified count" in line


@pytest.mark.parametrize("rows", [None, []])
def test_nothing_is_said_where_no_table_was_made(record, rows):
    record["laws"] = rows
    assert laws(record) == ""
    assert in_short(record) == []
    assert 'id="laws"' not in render(record)


def test_the_report_holds_the_section_once(record):
    assert Page(render(record)).values("id").count("laws") == 1


def test_names_are_escaped(record):
    record["laws"][0]["network"] = "<b>&"
    assert "&lt;b&gt;&amp;" in laws(record)


def test_a_record_with_a_broken_row_is_refused(record):
    validate(record)
    del record["laws"][1]["bound"]
    with pytest.raises(RecordError, match=r"laws\[1\]"):
        validate(record)
