"""A run as JUnit XML, read again by a parser."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.junit import render, write
from tests.reports.sample_run import void_sample
from tests.reports.test_troubles import change, fine


def cases(record) -> dict[str, ET.Element]:
    """The test cases of a record by `classname.name`."""
    found = ET.fromstring(render(record)).findall("./testsuite/testcase")
    names = [(case.get("classname"), case.get("name")) for case in found]
    assert len(set(names)) == len(names)
    return {name: case for (_, name), case in zip(names, found, strict=True)}


def outcome(case: ET.Element) -> str:
    return next((e.tag for e in case if e.tag != "system-out"), "passed")


def test_each_printed_statement_is_one_case_and_each_control():
    record = fine()
    found = cases(record)
    ids = [row["id"] for row in record["statements"]]
    assert [name for name in found if name in ids] == ids
    assert {name for name in found if name not in ids} == {
        "run",
        *(control["id"] for control in record["controls"]),
    }
    for row in record["statements"]:
        case = found[row["id"]]
        assert case.get("classname") == row["paper"]
        assert row["headline"]["word"] in case.findtext("system-out")
        known = row["headline"]["from_baseline"]
        assert outcome(case) == ("skipped" if known else "passed")


@pytest.mark.parametrize("what", ["verdict", "scope", "code", "new", "gone"])
def test_what_differs_fails_its_statement_alone(what):
    record = fine()
    record["changes"]["claims"] = [change(what)]
    found = cases(record)
    assert [name for name, case in found.items() if outcome(case) == "failure"] == ["lj22.eq3"]
    assert found["lj22.eq3"].find("failure").get("type") == what
    record["changes"]["claims"] = [change(what, counts=False)]
    assert "failure" not in map(outcome, cases(record).values())


def test_a_check_that_broke_is_an_error_whatever_else_is_wrong():
    record = fine()
    row = next(c for c in record["claims"] if c["id"] == "lj22.eq3")
    row |= {"verdict": "error", "reason": "division by zero"}
    record["changes"]["claims"] = [change("verdict")]
    error = cases(record)["lj22.eq3"].find("error")
    assert error.text == "lj22.eq3: division by zero\nlj22.eq3: a → b"
    assert error.get("message") == "lj22.eq3: division by zero (and 1 more)"


def test_what_is_gone_has_a_case_of_its_own():
    record = fine()
    record["changes"]["statements"] = [{"id": "old99.thm1", "before": "true", "after": None}]
    case = cases(record)["old99.thm1"]
    assert case.get("classname") == "old99"
    assert case.find("failure").get("message") == "true → gone"


def test_a_run_that_is_void_or_empty_is_never_green():
    for record in (void_sample(), fine() | {"statements": [], "claims": []}):
        assert outcome(cases(record)["run"]) == "error"
    assert outcome(cases(void_sample())["control.false"]) == "error"


def test_the_sums_are_those_of_the_cases():
    record = void_sample()
    whole = ET.fromstring(render(record))
    for suite in (whole, *whole.findall("testsuite")):
        outcomes = list(map(outcome, suite.iter("testcase")))
        told = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
        counts = [outcomes.count(tag) for tag in ("failure", "error", "skipped")]
        assert told == [str(number) for number in (len(outcomes), *counts)]
        seconds = sum(float(case.get("time")) for case in suite.iter("testcase"))
        assert float(suite.get("time")) == pytest.approx(seconds, abs=1e-3)


@given(
    st.text(st.characters(codec="utf-16-le", exclude_categories=())) | st.just("\x00\x1b]]>&<\"'")
)
def test_whatever_is_said_the_xml_is_well_formed(text):
    record = fine()
    record["statements"][0]["title"] = text
    record["claims"][0] |= {"verdict": "error", "reason": text}
    record["run"]["command"] = text
    ET.fromstring(render(record).encode("utf-8", "strict"))


def test_the_file_declares_its_encoding(tmp_path):
    write(fine(), tmp_path / "r.xml")
    assert (tmp_path / "r.xml").read_bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    assert ET.parse(tmp_path / "r.xml").getroot().tag == "testsuites"
