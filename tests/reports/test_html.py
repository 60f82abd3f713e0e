"""The HTML report: one light file and its folder, nothing fetched, nothing injected, all linked."""

import base64
import hashlib
import json
import re
import urllib.parse
from pathlib import Path

import pytest

from reports import html
from reports.annex import annex
from reports.json_report import RecordError
from tests.reports.markup import Page
from tests.reports.sample_run import sample, void_sample

UP = ".."  # out of a folder

SAMPLE = sample()
TEXT = html.render(SAMPLE)
PAGE = Page(TEXT)
PAGES = {"report.html": TEXT} | {
    f"report-data/{name}": text
    for name, text in annex(SAMPLE, "report.html").items()
    if name.endswith(".html")
}


def test_it_is_one_whole_page_with_landmarks():
    assert TEXT.startswith("<!DOCTYPE html>\n")
    for tag in ("html", "head", "body", "style", "script", "header", "main", "footer"):
        assert PAGE.tags.count(tag) == 1
    assert TEXT[: TEXT.index("</head>")].count("<title>") == 1  # drawings have titles too
    assert "nav" in PAGE.tags
    assert '<a class="skip" href="#main">' in TEXT


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_fetched_and_only_what_stands_there_is_applied(name):
    text = PAGES[name]
    page = Page(text)
    assert not re.search(r"https?:|//\w+\.|@import|url\(| src=|<link|<iframe", text)
    assert "style" not in {attribute for _, attribute, _ in page.attributes}
    assert not [attribute for _, attribute, _ in page.attributes if attribute.startswith("on")]
    policy = next(value for value in page.values("content") if "default-src" in value)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        inner = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digests = [
            base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inner
        ]
        assert re.findall(rf"{tag}-src 'sha256-([^']*)'", policy) == digests


@pytest.mark.parametrize("name", PAGES)
def test_ids_are_unique_and_every_link_arrives(name):
    ids = {place: Page(text).values("id") for place, text in PAGES.items()}
    assert len(ids[name]) == len(set(ids[name]))
    for link in Page(PAGES[name]).values("href"):
        place, _, fragment = urllib.parse.unquote(link).partition("#")
        there = str(Path("/x", Path(name).parent, place or Path(name).name).resolve())
        if there.endswith(".jsonl"):
            continue
        page = there.removeprefix("/x/")
        assert page in PAGES
        assert not fragment or fragment in ids[page]


def test_every_statement_and_every_claim_has_its_place():
    ids = PAGE.values("id")
    assert {row["id"] for row in SAMPLE["statements"]} <= set(ids)
    assert {f"claim-{claim['id']}" for claim in SAMPLE["claims"]} <= set(ids)
    for paper in SAMPLE["papers"]:
        there = Page(PAGES[f"report-data/{paper['id']}.html"]).values("id")
        own = {f"claim-{c['id']}" for c in SAMPLE["claims"] if c["paper"] == paper["id"]}
        assert own <= set(there)


def test_a_link_to_a_statement_leads_inside_its_fold():
    """So that the browser unfolds it, without a script."""
    for row in SAMPLE["statements"]:
        before = TEXT[: TEXT.index(f'id="{row["id"]}"')]
        assert before.rindex("<details>") > before.rindex("<article")
        assert before.rindex("</summary>") > before.rindex("<details>")


def test_formulas_are_typeset_and_carry_their_latex():
    assert PAGE.tags.count("math") > 50
    assert "Not typeset" not in PAGE.text
    assert not re.search(r"\\|\$", "".join(PAGE.words).replace("\\u", ""))
    assert any(r"\mathcal" in latex for latex in PAGE.values("alttext"))


def test_a_formula_that_cannot_be_typeset_does_not_stop_the_report():
    record = sample()
    record["statements"][0]["printed"] = r"Let $\foo x$ be."
    record["statements"][0]["title"] = r"a $\foo$"
    page = Page(html.render(record))
    assert r"Let $\foo x$ be." in page.text
    assert "typeset" not in page.text
    assert "latex2mathml" not in page.text


def test_a_command_that_runs_into_the_next_letter_is_typeset_all_the_same():
    record = sample()
    glued = r"Then $\lVert P\rVert\gek\,x$, and $s\les_k$, $\sum_\ells_k$."
    record["claims"][0]["statement"] = record["statements"][0]["printed"] = glued
    files = annex(record, "report.html") | {"main.html": html.render(record)}
    for name in ("main.html", "lj22.html"):
        page = Page(files[name])
        assert r"\lVert P\rVert\ge k\,x" in page.values("alttext")
        assert not re.search(r"\\(gek|les|ells)", page.text)
        assert "typeset" not in page.text


def test_a_void_run_says_so_in_front_of_everything():
    text = html.render(void_sample())
    page = Page(text)
    assert text.index("This run is void") < text.index("<header>") < text.index("main results")
    assert "control.false: expected refuted, observed supported" in page.text
    assert "This run is void" not in PAGE.text
    assert "4 claims whose verdict is known beforehand: all as expected." in PAGE.text


def test_nothing_is_injected():
    evil = '<script>alert("x")</script><img src=x onerror=y> & "quoted"'
    record = sample()
    for row in record["statements"]:
        row |= dict.fromkeys(
            ("place", "section", "title", "printed", "because", "restored", "version"), evil
        )
        row["headline"]["detail"] = evil
    for claim in record["claims"]:
        claim |= dict.fromkeys(
            ("title", "statement", "reason", "scope", "through", "why", "beside", "command"), evil
        )
        claim["rests_on"]["trusted"] = [evil]
        for piece in claim["evidence"]:
            piece |= {"summary": evil, "figures": {evil: evil}, "method": evil}
    case = record["claims"][1]["certificate"]["case"]
    case["choice"] = {"at": {evil: [evil]}, evil: evil, "dormant": [evil]}
    record["papers"][0] |= {"title": evil, "authors": [evil], "citation": evil}
    record["papers"][0]["letters"]["at"] = evil
    record["run"] |= {"command": evil, "device": evil, "id": evil}
    record["findings"][0]["why"] = record["controls"][0]["title"] = evil
    files = annex(record, "report.html") | {"main.html": html.render(record)}
    for name, text in files.items():
        if name.endswith(".html"):
            page = Page(text)
            assert page.tags.count("script") == (name == "main.html")
            assert "img" not in page.tags
    assert Page(files["main.html"]).text.count("<script>alert(") > 50


def test_a_record_that_breaks_its_schema_is_refused():
    record = sample()
    del record["claims"][0]["verdict"]
    with pytest.raises(RecordError, match=r"claims\[0\]: 'verdict' is a required property"):
        html.render(record)
    with pytest.raises(RecordError, match=r"claims\[0\]: 'verdict' is a required property"):
        html.write(record, "nowhere/report.html")


def test_a_run_without_statements_is_a_page():
    record = sample() | {"papers": [], "statements": [], "claims": [], "findings": []}
    record["changes"] = None
    assert "No statements" in Page(html.render(record)).text


def test_main_file_and_folder_are_written(tmp_path):
    html.write(SAMPLE, tmp_path / "a run.html")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a run-data", "a run.html"]
    text = (tmp_path / "a run.html").read_text(encoding="utf-8")
    assert text == html.render(SAMPLE, "a run-data")
    assert 'href="a%20run-data/lj22.html#' in text
    names = {"lj22.html", "j23.html", "_run.html", "mathematics.html"}
    lines = {"evidence", "certificates", "mutants", "needs", "bounds", "joint_cases"}
    folder = tmp_path / "a run-data"
    assert {file.name for file in folder.iterdir()} == names | {f"{n}.jsonl" for n in lines}
    assert f'<a href="{UP}/a%20run.html' in (folder / "lj22.html").read_text(encoding="utf-8")
    rows = [json.loads(row) for row in (folder / "needs.jsonl").read_text().splitlines()]
    assert [(row["claim"], row["hypothesis"]) for row in rows] == [("j23.thm3", "depth")]


@pytest.mark.parametrize("place", ["", "other"])
def test_commands_name_the_way_from_the_report_to_its_certificates(tmp_path, place):
    record = sample()
    claim = next(c for c in record["claims"] if c["id"] == "lj22.risk")
    claim["command"] = f"lemmata repro {tmp_path / place}/certificates/lj22.risk.json"
    html.write(record, tmp_path / "report.html")
    way = str(Path(place, "certificates/lj22.risk.json"))
    for name in ("report.html", "report-data/lj22.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert f"<code>lemmata repro {way}</code>" in text
        assert str(tmp_path) not in text
    claim["command"] = "an 'unfinished command"
    html.write(record, tmp_path / "report.html")


def test_nothing_is_replaced_when_writing_fails(tmp_path):
    html.write(SAMPLE, tmp_path / "report.html")
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    record = sample()
    record["run"]["id"] = "another"
    (tmp_path / "report-data" / "needs.jsonl.part").mkdir()  # where a file is to be written
    with pytest.raises(OSError, match=r"needs\.jsonl\.part"):
        html.write(record, tmp_path / "report.html")
    after = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert after == before


def test_no_path_of_the_record_is_followed(tmp_path):
    record = sample()
    record["papers"][0]["id"] = f"{UP}/{UP}/evil"
    with pytest.raises(RecordError, match=r"id: '\.\./\.\./evil' does not match"):
        html.write(record, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []
