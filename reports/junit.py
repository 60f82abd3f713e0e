"""A run as JUnit XML: one test case for each printed statement, and one for each control.

A case fails where the run differs from its baseline, is an error where a check broke, and is
skipped where the headline is known from the baseline alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from reports.plain import plain
from reports.troubles import BREAKS, Trouble, What, of_statements, troubles
from reports.verdicts import Record, detail
from verify.runs.written import written_whole

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def render(record: Record) -> str:
    """The XML text of a run's record: a suite for each paper, and one for the run itself."""
    found = of_statements(troubles(record))
    whole = ElementTree.Element("testsuites", name="lemmata")
    rows = {row["id"]: row for row in record["statements"]}
    names = [*rows, *(name for name in found if name and name not in rows)]  # those that are gone
    papers = {name: rows[name]["paper"] if name in rows else name.split(".")[0] for name in names}
    for paper in dict.fromkeys(papers.values()):
        suite = _suite(whole, record, paper)
        for name in names:
            if papers[name] == paper:
                _statement(suite, record, name, rows.get(name), found.get(name, ()))
    suite = _suite(whole, record, "lemmata")
    _told(ElementTree.SubElement(suite, "testcase", _case("lemmata", "run")), found.get("", ()))
    for control in record["controls"]:
        case = ElementTree.SubElement(suite, "testcase", _case("lemmata", control["id"]))
        if not control["ok"]:
            text = f"expected {control['expected']}, observed {control['observed']}"
            _told(case, [Trouble(What.VOID, control["id"], "", plain(text))])
    for suite in [*whole, whole]:
        cases = suite.findall(".//testcase")
        suite.set("tests", str(len(cases)))
        for tag, many in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(many, str(sum(case.find(tag) is not None for case in cases)))
        suite.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")
    ElementTree.indent(whole)
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=False) + "\n"


def write(record: Record, path: str | os.PathLike[str]) -> None:
    """Writes the file, at once or not at all. Raises OSError."""
    declared = '<?xml version="1.0" encoding="UTF-8"?>\n'
    written_whole(Path(path), declared + render(record))


def _suite(whole: ElementTree.Element, record: Record, name: str) -> ElementTree.Element:
    """A suite with the facts of the run as its properties."""
    run = record["run"]
    started = run["started"].removesuffix("Z")
    suite = ElementTree.SubElement(whole, "testsuite", name=_fit(name), timestamp=started)
    facts = {"command": run["command"], "budget": run["budget"], "seed": str(run["seed"])}
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in {**facts, **run["versions"]}.items():
        ElementTree.SubElement(properties, "property", name=_fit(key), value=_fit(value))
    return suite


def _case(paper: str, name: str, seconds: float = 0.0) -> dict[str, str]:
    return {"classname": _fit(paper), "name": _fit(name), "time": f"{seconds:.3f}"}


def _statement(
    suite: ElementTree.Element,
    record: Record,
    name: str,
    row: Record | None,
    found: Sequence[Trouble],
) -> None:
    """The case of one printed statement, with what is known of it as its output."""
    own = [claim for claim in record["claims"] if claim["statement_id"] == name]
    seconds = sum(piece["seconds"] for claim in own for piece in claim["evidence"])
    case = ElementTree.SubElement(suite, "testcase", _case(suite.get("name", ""), name, seconds))
    _told(case, found)
    if row is None:
        return
    if not found and row["headline"]["from_baseline"]:
        ElementTree.SubElement(case, "skipped", message="not run at this budget")
    headline = row["headline"]
    lines = [f"{row['place']}: {row['title']}", f"{headline['word']}; {detail(headline)}"]
    lines += [f"{claim['id']}: {claim['verdict']}: {claim['reason']}" for claim in own]
    output = ElementTree.SubElement(case, "system-out")
    output.text = _fit("\n".join(plain(text).rstrip("; ") for text in lines))


def _told(case: ElementTree.Element, found: Sequence[Trouble]) -> None:
    """What is wrong, in one element: readers of JUnit take the first."""
    if not found:
        return
    broken = any(trouble.what in BREAKS for trouble in found)
    kind = found[0].what
    message = found[0].text if len(found) == 1 else f"{found[0].line} (and {len(found) - 1} more)"
    tag = "error" if broken else "failure"
    told = ElementTree.SubElement(case, tag, message=_fit(message), type=kind.value)
    told.text = _fit("\n".join(trouble.line for trouble in found))


def _fit(text: str) -> str:
    """The text without what XML cannot hold."""
    return NO_XML.sub("�", text)
