"""The history of runs: what a line holds, and that lines are only added."""

import json
from importlib import resources

import jsonschema
import pytest

from reports.history import HistoryError, add, before, check, entry
from tests.reports.sample_run import sample, void_sample
from tests.reports.test_troubles import fine

SCHEMA = json.loads(resources.files("reports").joinpath("history.schema.json").read_text())


@pytest.mark.parametrize("record", [sample(), void_sample(), fine() | {"changes": None}])
def test_a_line_is_what_its_schema_says(record):
    jsonschema.validate(entry(record, "0.9.0", None), SCHEMA)


def test_a_line_counts_what_the_run_found():
    record = sample()
    line = entry(record, "0.9.0", "abc")
    assert sum(line["headlines"].values()) == len(record["statements"])
    assert sum(line["verdicts"].values()) == len(record["claims"])
    headlines = [{"id": "lj22.eq3", "before": "true", "after": "false as printed"}]
    assert line["changed"] == {"headlines": headlines, "claims": 4}
    assert (line["lemmata"], line["commit"], line["as_expected"]) == ("0.9.0", "abc", False)
    assert entry(fine(), "0.9.0", None)["as_expected"] is True


def test_lines_are_added_also_behind_one_that_was_cut_off(tmp_path):
    path = tmp_path / "h.jsonl"
    check(path)  # that it is not there is fine
    add(path, entry(fine(), "1", None))
    first = path.read_text()
    check(path)
    with path.open("a") as file:
        file.write('{"format": "lemm')
    add(path, entry(fine(), "2", None))
    lines = path.read_text().splitlines()
    assert lines[0] + "\n" == first
    assert [json.loads(line)["lemmata"] for line in (lines[0], lines[2])] == ["1", "2"]


@pytest.mark.parametrize(
    "text", ['{"format": "lemmata-run"}\n', "[]", "notes\n", '"x"', "[" * 9**6]
)
def test_another_file_is_left_alone(tmp_path, text):
    (tmp_path / "x").write_text(text)
    with pytest.raises(HistoryError, match="is no history of runs: name another file"):
        check(tmp_path / "x")


def test_the_lines_before_are_read_without_what_is_none(tmp_path):
    path = tmp_path / "h.jsonl"
    assert before(path) == []
    lines = [entry(fine(), number, None) for number in "12"]
    for line in lines:
        add(path, line)
    with path.open("a") as file:
        file.write('{"format": "lemm\n[[]]\n{"format": "lemmata-history", "version": 1}\n')
    assert before(path) == lines
