"""A run as Markdown: what is told, in which order, and in how much room."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.markdown import escaped, render
from tests.reports.sample_run import sample, void_sample
from tests.reports.test_troubles import change, fine


def cells(line: str) -> list[str]:
    """The cells of a row of a table, where `\\|` is no border."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_every_main_result_has_a_row_the_worst_of_a_paper_first():
    record = fine()
    rows = [cells(line) for line in render(record).splitlines() if line.startswith("| ")]
    told = {row[3].strip("`"): row[2] for row in rows if len(row) == 4}
    for row in record["statements"]:
        if row["rank"] == "main":
            assert told[row["id"]].startswith(row["headline"]["word"])
    ids = [name for name in told if name.startswith("lj22")]
    words = {row["id"]: row["headline"]["word"] for row in record["statements"]}
    assert words[ids[0]] == "false as printed"


def test_it_says_how_the_run_stands():
    assert "All is as the baseline says." in render(fine())
    assert "There was no baseline to compare with." in render(fine() | {"changes": None})
    text = render(void_sample())
    assert "places ask for attention" in text
    assert "- the run is void: control.false: expected refuted, observed supported" in text


def test_what_changed_stands_before_the_results_headlines_first():
    lines = render(sample()).splitlines()
    start = lines.index("### Against the baseline")
    first = [line for line in lines[start:] if line.startswith("| ")][2]
    assert cells(first) == ["headline", "`lj22.eq3`", "true → false as printed"]
    assert start < lines.index("### Training invariances")


def test_what_does_not_count_is_told_apart():
    record = fine()
    record["changes"]["claims"] = [change("code", counts=False)]
    text = render(record)
    assert "All is as the baseline says." in text
    assert "Told, and no reason to fail" in text


def test_a_budget_is_a_text_as_any_other():
    record = fine()
    record["run"]["budget"] = "<img src=x>"
    assert "Budget \\<img src=x\\>, seed" in render(record)


@pytest.mark.parametrize("mark", list("|*_<>[]`~#"))
def test_no_text_breaks_a_table(mark):
    record = fine()
    row = next(row for row in record["statements"] if row["rank"] == "main")
    row["title"] = f"a {mark} b\nc"
    line = next(x for x in render(record).splitlines() if f"`{row['id']}`" in x)
    assert len(cells(line)) == 4
    assert f"a \\{mark} b c" in line
    assert escaped(mark) == f"\\{mark}"


@given(st.integers(0, 4000))
def test_it_takes_no_more_room_than_there_is(limit):
    record = sample()
    whole, text = render(record), render(record, limit=limit)
    assert len(text.encode()) <= limit
    if len(whole.encode()) <= limit:
        assert text == whole
    elif text:
        *kept, empty, told, _ = text.split("\n")
        assert (kept, empty) == (whole.split("\n")[: len(kept)], "")
        left = len(whole.splitlines()) - len(kept)
        assert told == f"{left} more lines have no room here."
