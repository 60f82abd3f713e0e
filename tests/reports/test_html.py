"""The HTML report: one whole file, nothing missing, nothing fetched, nothing injected."""

import re
import urllib.parse

import pytest

from reports import html
from reports.json_report import RecordError
from reports.mathml import inline
from reports.verdicts import LOOKS
from tests.reports.markup import Page
from tests.reports.sample_run import sample, void_sample

SAMPLE = sample()
PAGE = Page(html.render(SAMPLE))
IDS = [claim["id"] for claim in SAMPLE["claims"]]


def section_of(text: str, claim_id: str) -> str:
    """The markup of one claim's section."""
    return re.search(
        rf'<article[^>]*id="claim-{re.escape(claim_id)}">.*?</article>', text, re.DOTALL
    )[0]


def test_it_is_one_whole_page():
    text = html.render(SAMPLE)
    assert text.startswith("<!DOCTYPE html>\n")
    for tag in ("html", "head", "title", "body", "style"):
        assert PAGE.tags.count(tag) == 1


def test_nothing_is_fetched():
    text = html.render(SAMPLE)
    assert not re.search(r"https?:|//\w|@import|url\(|src=|<script|<link|<iframe", text)
    assert all(target.startswith("#") for target in PAGE.values("href"))
    assert "default-src 'none'; style-src 'unsafe-inline'" in PAGE.values("content")


def test_ids_are_unique_and_every_link_arrives():
    ids = PAGE.values("id")
    assert len(ids) == len(set(ids))
    targets = {urllib.parse.unquote(target[1:]) for target in PAGE.values("href")}
    assert targets <= set(ids)
    assert {f"claim-{claim_id}" for claim_id in IDS} <= targets


@pytest.mark.parametrize("claim", SAMPLE["claims"], ids=lambda claim: claim["id"])
def test_a_section_says_everything_about_its_claim(claim):
    markup = section_of(html.render(SAMPLE), claim["id"])
    page = Page(markup)
    assert claim["id"] in page.text
    assert claim["command"] in page.text
    assert f"{LOOKS[claim['verdict']].sign} {claim['verdict'].capitalize()}." in page.text
    assert Page(inline(claim["reason"])).text in page.text
    assert (f"Scope: {claim['scope']}." in page.text) == bool(claim["scope"])
    assert page.text.count("Evidence") == bool(claim["evidence"])
    for piece in claim["evidence"]:
        assert piece["summary"] in page.text
    for hypothesis in claim["hypotheses"]:
        assert f"{hypothesis['id']} {hypothesis['name']}" in page.text
    for trusted in claim["trusted"]:
        assert trusted.split("'")[0] in page.text
    certificate = claim["certificate"]
    assert page.tags.count("details") == bool(certificate)
    if certificate:
        assert claim["checker"]["message"] in page.text
        assert f'"claim": "{claim["id"]}"' in page.text
    decided = bool(certificate) and "case" in certificate
    assert (("Counterexample" in page.text) or ("Witness" in page.text)) == decided
    assert ("network" in page.values("class")) == bool(certificate)


def test_statements_are_typeset():
    assert PAGE.tags.count("math") > 50
    assert "Not typeset" not in PAGE.text
    assert "(4)" in PAGE.text
    assert not re.search(r"\\|\$", "".join(PAGE.words).replace("\\u", ""))


def test_a_formula_that_cannot_be_typeset_does_not_stop_the_report():
    record = sample()
    record["claims"][0]["statement"] = r"Let $\foo x$ be."
    record["claims"][0]["title"] = r"a $\foo$"
    page = Page(html.render(record))
    assert r"Let $\foo x$ be." in page.text
    assert r"Not typeset: '\\foo' in the formula '\\foo x'" in page.text


def test_what_needs_attention_comes_first_and_in_order():
    page = Page(html.render(void_sample()))
    order = [
        "This run is void",
        "Errors 1",
        "Changes against the baseline 1",
        "Void controls 1",
        "Refuted as printed 8",
        "Vacuous 1",
        "Inconclusive 1",
        "Counts",
        "All claims",
        "The claims, one by one",
    ]
    found = [page.text.index(words) for words in order]
    assert found == sorted(found)
    assert "control.false: expected refuted, observed supported" in page.text
    assert "This run is void" not in PAGE.text


def test_repairs_that_fail_are_told_apart():
    record = sample()
    repair = next(claim for claim in record["claims"] if claim["repairs"])
    repair["verdict"] = "refuted"
    text = Page(html.render(record)).text
    assert "Refuted as printed 8" in text
    assert "Repairs that are refuted too 1" in text


def test_a_quiet_run_says_so():
    record = sample()
    record["changes"] = []
    record["claims"] = [c for c in record["claims"] if c["verdict"] == "proved"]
    text = Page(html.render(record)).text
    assert "Nothing: no errors, no changes, no void controls, nothing refuted." in text
    record["changes"] = None
    assert "no baseline to compare with" in Page(html.render(record)).text


def test_a_run_without_claims_is_a_page():
    record = sample()
    record["claims"] = []
    record["changes"] = None
    assert "0 claims" in Page(html.render(record)).text


@pytest.mark.parametrize("field", ["title", "reference", "statement", "reason", "scope", "command"])
def test_nothing_is_injected(field):
    record = sample()
    evil = '<script>alert("x")</script><img src=x onerror=y> & "quoted"'
    record["claims"][1][field] = evil
    record["claims"][1]["hypotheses"][0]["name"] = evil
    record["claims"][1]["evidence"][0]["summary"] = evil
    record["claims"][1]["evidence"][0]["figures"] = {evil: evil}
    record["claims"][1]["checker"]["message"] = evil
    record["claims"][1]["certificate"]["case"]["network"]["vertices"][1]["name"] = "h"
    record["claims"][1]["certificate"]["case"]["choice"] = {evil: {evil: [evil]}}
    record["run"]["command"] = record["run"]["device"] = evil
    record["controls"][0]["title"] = evil
    page = Page(html.render(record))
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert page.text.count("<script>alert(") > 5


def test_every_verdict_has_a_word_a_sign_and_a_tone():
    style = html.resources.files("reports").joinpath("style.css").read_text(encoding="utf-8")
    toned = set(re.findall(r"\.([\w-]+)(?=[^{}]*\{ --tone)", style))
    signs = [look.sign for look in LOOKS.values()]
    assert len(set(signs)) == len(LOOKS)
    assert {verdict.replace(" ", "-") for verdict in LOOKS} <= toned
    assert "gradient(" not in style


def test_the_value_stands_against_what_it_should_be():
    text = html.render(SAMPLE)
    law = Page(section_of(text, "lj22v1.lemma3b")).text
    assert "The statement says that the rate of change at the pair (u, v) is 0. It is −1." in law
    witness = Page(section_of(text, "lj22.lemma4")).text
    assert "A value other than 0 is asked for at the pair (u, v). It is 1." in witness
    risk = section_of(text, "lj22.risk")
    assert '<tr class="mark">' in risk


def test_predicates_are_told_as_predicates():
    record = sample()
    record["claims"][1]["certificate"]["entry"] = {"predicate": "tree"}
    text = Page(section_of(html.render(record), "lj22.risk")).text
    assert "The statement says that the predicate tree holds. It does not." in text


def test_long_certificates_stay_in_their_file():
    record = sample()
    certificate = record["claims"][9]["certificate"]
    assert certificate["kind"] == "balance"
    certificate["identities"] *= 3000
    markup = section_of(html.render(record), record["claims"][9]["id"])
    assert len(markup) < 20_000
    assert "characters of JSON: read them in the file" in markup


def test_a_network_that_cannot_be_drawn_does_not_stop_the_report():
    record = sample()
    edges = record["claims"][1]["certificate"]["case"]["network"]["edges"]
    edges.append({"tail": "o", "head": "h", "parameter": "back"})
    assert "Not drawn: a directed cycle among h, o" in Page(html.render(record)).text


def test_a_record_that_breaks_its_schema_is_refused():
    record = sample()
    del record["claims"][0]["verdict"]
    with pytest.raises(RecordError, match=r"claims\[0\] lacks verdict"):
        html.render(record)


def test_it_is_written_at_once(tmp_path):
    html.write(SAMPLE, tmp_path / "report.html")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html.render(SAMPLE)


def test_sentences_of_the_engine_are_set_as_sentences():
    record = sample()
    record["claims"][1]["reason"] = "an exact value, where -2 should be 0"
    record["claims"][1]["version"] = "both"
    record["claims"][1]["evidence"][0]["instances"] = 1234
    text = Page(section_of(html.render(record), "lj22.risk")).text
    assert "× Refuted. An exact value, where −2 should be 0." in text
    assert "lj22, both versions" in text
    assert "instances 1,234 · n 4,000" in text


def test_papers_are_cited_where_the_record_names_them():
    record = sample() | {"papers": {"lj22": "A. Author, *A title*"}}
    assert "lj22 A. Author" in Page(html.render(record)).text
