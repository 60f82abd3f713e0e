"""A run's record of one paper alone."""

import copy

import pytest

from reports.json_report import RecordError, validate
from reports.narrowed import of_paper
from tests.reports.sample_run import sample


def two_papers():
    """The sample, and its first statement and that one's claims in another paper, linked to it."""
    record = sample()
    paper = {**copy.deepcopy(record["papers"][0]), "id": "other"}
    row = copy.deepcopy(record["statements"][0])
    own = [copy.deepcopy(c) for c in record["claims"] if c["id"] in row["claims"]]
    for one in (row, *own):
        one["id"], one["paper"] = f"other.{one['id']}", "other"
    row["claims"], row["uses"] = [c["id"] for c in own], [record["statements"][0]["id"]]
    record["papers"].append(paper)
    record["statements"].append(row)
    record["claims"] += own
    record["changes"] = {
        "statements": [],
        "claims": [
            {"id": f"{begin}.gone", "what": "gone", "before": "open", "after": ""}
            for begin in ("other", record["claims"][0]["id"].split(".")[0])
        ],
    }
    return record


def test_a_record_of_one_paper_has_nothing_of_another():
    record = two_papers()
    run = {"started": "2026", "commit": None, "command": "run", "headlines": {}, "changed": None}
    record["history"] = [run]  # its numbers are of all papers
    validate(record)
    found = of_paper(record, "other")
    validate(found)
    assert [row["id"] for row in found["papers"]] == ["other"]
    assert {row["paper"] for part in ("statements", "claims") for row in found[part]} == {"other"}
    assert found["statements"][0]["uses"] == []
    assert [row["id"] for row in found["changes"]["claims"]] == ["other.gone"]
    assert "history" not in found
    assert found["controls"] == record["controls"]


def test_a_paper_that_the_run_was_not_about():
    with pytest.raises(RecordError, match="--paper lj99: the run is about "):
        of_paper(sample(), "lj99")
