"""Why a run is not as it should be: nothing is left out, and what does not count is apart."""

import pytest

from reports.history import entry
from reports.markdown import render
from reports.troubles import What, asides, of_statements, troubles
from tests.reports.sample_run import sample, void_sample


def fine():
    """The sample run without what is wrong with it."""
    record = sample()
    record["changes"] = {"statements": [], "claims": []}
    for claim in record["claims"]:
        if claim["verdict"] == "error":
            claim["verdict"] = "open"
    return record


def change(what: str, before="a", after="b", **more):
    return {"id": "lj22.eq3", "what": what, "before": before, "after": after, **more}


def test_a_run_as_it_should_be_has_none():
    assert troubles(fine()) == asides(fine()) == []
    assert troubles(fine() | {"changes": None}) == []


def test_what_breaks_a_run_comes_first_then_headlines():
    record = void_sample()
    found = troubles(record)
    assert [trouble.what.value for trouble in found] == [
        "the run is void",
        "a check broke",
        "headline",
        "verdict",
        "code",
        "new",
        "gone",
    ]
    lines = [trouble.line for trouble in found]
    assert lines[0] == "control.false: expected refuted, observed supported"
    assert lines[2:4] == ["lj22.eq3: true → false as printed", "lj22.eq3: supported → refuted"]
    assert lines[5:] == ["lj22.lemma4: not in the baseline → proved", "lj22.lost: proved → gone"]


@pytest.mark.parametrize("what", ["verdict", "scope", "code", "new", "gone"])
def test_each_change_of_a_claim_is_one_and_aside_where_it_does_not_count(what):
    record = fine()
    record["changes"]["claims"] = [change(what)]
    (one,) = troubles(record)
    assert (one.what, one.about, one.statement) == (What(what), "lj22.eq3", "lj22.eq3")
    assert asides(record) == []
    record["changes"]["claims"] = [change(what, counts=False)]
    assert troubles(record) == []
    assert asides(record) == [one]


def test_a_run_about_nothing_is_one():
    (one,) = troubles(fine() | {"statements": [], "claims": []})
    assert one.what is What.EMPTY


def test_the_claims_of_a_statement_are_told_with_it():
    record = fine()
    name = next(c["id"] for c in record["claims"] if c["id"] != c["statement_id"])
    owner = next(c["statement_id"] for c in record["claims"] if c["id"] == name)
    record["changes"] = {
        "statements": [{"id": owner, "before": "true", "after": "open"}],
        "claims": [change("verdict") | {"id": name}],
    }
    groups = of_statements(troubles(record))
    assert {key: [t.about for t in told] for key, told in groups.items()} == {owner: [owner, name]}


def test_a_run_that_was_stopped_is_not_as_it_should_be():
    record = fine()
    record["run"]["left"] = 3
    (found,) = troubles(record)
    assert (found.what, found.line) == (What.STOPPED, "stopped with 3 tasks left")
    assert "All is as the baseline says" not in render(record)
    assert entry(record, "1.0", None)["as_expected"] is False
