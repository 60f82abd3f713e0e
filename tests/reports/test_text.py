"""The table of verdicts for a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.text import plain, render
from reports.verdicts import LOOKS, attention, closing_line, counts
from tests.reports.sample_run import sample, void_sample

SAMPLE = sample()


@given(st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal(width):
    *body, closing = render(SAMPLE, width=width).splitlines()
    assert max(map(len, body)) <= width
    assert closing == closing_line(SAMPLE)


@given(st.integers(40, 200))
def test_every_claim_has_its_row(width):
    rows = render(SAMPLE, width=width).splitlines()
    for claim in SAMPLE["claims"]:
        start = f"{LOOKS[claim['verdict']].sign} {claim['verdict']}"
        found = [row for row in rows if row.startswith(start) and claim["id"] in row.split()]
        assert len(found) == 1


def test_attention_comes_before_the_table_and_the_sum_last():
    text = render(void_sample())
    headings = ["THIS RUN IS VOID", "! Errors (1)", "! Changes", "! Void controls (1)"]
    headings += ["× Refuted as printed (8)", "∅ Vacuous (1)", "? Inconclusive (1)", "≔ definition"]
    found = [text.index(heading) for heading in headings]
    assert found == sorted(found)
    assert text.endswith("; 1 changed against the baseline. THE RUN IS VOID.\n")


def test_there_is_room_for_titles_and_worst_figures_on_a_wide_terminal():
    assert "Lemma 1: decomposition ν=μ∘h" in render(SAMPLE, width=120)
    assert "3.1e−16" in render(SAMPLE, width=120)
    assert "Lemma 1" not in render(SAMPLE, width=44)


def test_colour_only_where_it_is_asked_for():
    coloured = render(SAMPLE, colour=True)
    assert "\x1b[31m× refuted" in coloured
    assert "\x1b" not in render(SAMPLE)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(SAMPLE)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"decomposition $\nu=\mu\circ h$", "decomposition ν=μ∘h"),
        (r"$v\in V\setminus\{I\cup O\}$", "v∈V∖{I∪O}"),
        (r"$\mathcal R(w)$ in $\mathbb R^d$", "R(w) in R^d"),
        (r"$$a=b\tag{4}$$", "a=b (4)"),
        ("two\nlines", "two lines"),
        (r"$\foo$", r"\foo"),
    ],
)
def test_formulas_in_a_line_of_text(text, shown):
    assert plain(text) == shown


def test_a_run_without_claims():
    record = sample() | {"claims": [], "changes": None}
    assert render(record) == "no claims\n\n0 claims.\n"


def test_counts_and_closing_line_count_every_claim():
    assert sum(counts(SAMPLE).values()) == len(SAMPLE["claims"])
    assert list(counts(SAMPLE)) == [v for v in LOOKS if v in counts(SAMPLE)]
    assert closing_line(SAMPLE).startswith("19 claims: 1 error, 8 refuted, 1 vacuous")
    one = sample() | {"claims": SAMPLE["claims"][:1], "changes": []}
    assert closing_line(one) == "1 claim: 1 definition; none changed against the baseline."


def test_attention_holds_every_claim_that_asks_for_it_once():
    asking = {"error", "refuted", "vacuous", "inconclusive"}
    expected = sorted(c["id"] for c in SAMPLE["claims"] if c["verdict"] in asking)
    groups = [group for group in attention(SAMPLE) if group.title != "Changes against the baseline"]
    assert sorted(item.claim_id for group in groups for item in group.items) == expected


def test_changes_that_come_and_go_are_told():
    record = sample()
    record["changes"] = [
        {"id": "new", "before": None, "after": "proved"},
        {"id": "old", "before": "proved", "after": None},
    ]
    text = render(record)
    assert "new: not there → proved" in text
    assert "old: proved → gone" in text
