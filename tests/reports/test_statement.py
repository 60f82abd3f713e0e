"""The page of one printed statement: everything that a reader asks is there, in the right place."""

import re

import pytest

from reports import html
from reports.grades import grade_sentence
from reports.index import Index
from reports.methods import SILENT, found_by, method
from reports.statement import article, decisive
from reports.verdicts import HEADLINES, LOOKS
from tests.reports.markup import Page
from tests.reports.sample_run import sample

SAMPLE = sample()


def markup(name: str, record: dict = SAMPLE) -> str:
    """The article of a statement."""
    found = next(row for row in record["statements"] if row["id"] == name)
    return article(found, Index.of(record, "report-data"))


GRADE = {"cases": 90, "failed": 9, "low": 0.05, "high": 0.18, "scope": ""}
GRADE |= {"corner": True, "corner_only": False, "near": None, "nature": ""}
CORNER = {"failed": 0, "corner_only": True}


def text(name: str, record: dict = SAMPLE) -> str:
    return Page(markup(name, record)).text


@pytest.mark.parametrize("row", SAMPLE["statements"], ids=lambda row: row["id"])
def test_it_tells_print_headline_and_every_claim(row):
    page = Page(markup(row["id"]))
    look = HEADLINES[row["headline"]["word"]]
    assert f"{look.sign} {row['headline']['word']}" in page.text
    assert row["id"] in page.values("id")
    assert f"As printed in {row['paper'].upper()}, Section 4, {row['version']} version" in page.text
    claims = [c for c in SAMPLE["claims"] if c["statement_id"] == row["id"]]
    assert {f"claim-{c['id']}" for c in claims} <= set(page.values("id"))
    claim = decisive(row, Index.of(SAMPLE, "d"))
    assert (claim["command"] in page.text) == (claim["certificate"] is not None)
    for hypothesis in claim["hypotheses"]:
        assert hypothesis["name"] in page.text  # standing or its own
    for piece in claim["evidence"]:
        told = method(piece["method"])
        if piece["outcome"] == "supports":
            assert (told in page.text) == (piece["method"] not in SILENT)
        else:
            assert f"{found_by(piece)}: " in page.text
            assert piece["summary"] in page.text


def test_the_order_of_a_page():
    page = text("j23.thm1")
    order = [
        "× false as printed",
        "mended: a bound on the Jacobian, thm1.fix",
        "As printed",
        "False as printed. Refuted by argument: For",
        "Evaluated by this: The order of a norm",
        "How it is mended",
        "◨ argued j23.thm1.fix An argument by induction.",
        "The smallest counterexample",
        "Hypotheses",
        "Evidence",
        "Everything, claim by claim",
    ]
    found = [page.index(words) for words in order]
    assert found == sorted(found)
    assert "generic cases" not in page  # they are those of a consequence
    assert "docs/" not in page
    assert "(Norms of Gaussian products)" in page


def test_the_changed_clause_is_marked_and_repairs_link_back():
    page = markup("j23.thm1")
    new = [Page(inner).text for inner in re.findall(r"<ins>(.*?)</ins>", page)]
    assert new == ["of norm 1", "norm: ‖x‖=1"]
    assert 'href="#claim-j23.thm1"' in page
    assert 'href="#claim-j23.thm1"' in markup("j23.thm1").split('class="repair"')[1]


def test_that_no_repair_is_known_is_said_only_of_what_is_false():
    assert "No repair is known." in text("j23.rate")
    assert "no repair known" in text("j23.rate")
    assert "repair" not in text("j23.known")


def test_what_it_rests_on_names_lemmas_sections_and_statements():
    page = markup("j23.cor2")
    told = Page(page).text
    assert "Jensen’s inequality (Degrees of at most 1)." in told
    assert "Argued here: Rest." in told
    assert "Lemmas used: ◫ j23.listed." in told
    assert "Not proved, and rested on: × j23.rate." in told
    rests, _, uses = told.partition("In the paper it uses ○ listed.")
    assert "What the verdict rests on" in rests
    assert uses
    assert 'href="#j23.listed"' in page
    assert "In the paper it is used by" in text("j23.listed")


def test_other_readings_and_what_is_not_printed_are_told_apart():
    told = text("j23.thm3")
    assert "Not printed○ supported j23.thm3.wide" in told
    assert "Evidence and other readings" in text("lj22.lemma2b")
    assert "Evidence and other readings" not in text("j23.thm1")
    assert "<h5>Evidence</h5>" in markup("lj22.lemma2b").split("<h5>Other readings</h5>")[1]
    assert "Main reading: The proof reads it so." in text("lj22.lemma2b")
    assert "Restored: The sign in (3), from the proof." in text("lj22.eq3")


def test_power_needs_and_what_was_not_run_are_told():
    told = text("j23.thm3")
    assert "it refutes 3 of 4 changed statements; 900 cases, 700 of them generic" in told
    assert "Not run at this budget: computed gradient flows." in told
    assert "◐ depth" in told
    assert "Dropped, the others kept: ◐ needed, by a case without a certificate." in told
    assert "Beside that: Proved on scope: depth 2." in told
    assert "not run at this budget" in text("j23.known")


def test_the_value_stands_against_what_it_should_be():
    law = text("lj22v1.lemma3b")
    assert "The left side at the vertex u, the vertex v is −1/2, the right side 1/2." in law
    assert "What the statement says is true." in text("lj22.lemma4")
    assert "x = 1, y = −1, slope of the loss = 0" in text("lj22.risk")
    record = sample()
    examples = record["claims"][1]["certificate"]["case"]["examples"]
    examples.append(examples[0])
    table = markup("lj22.risk", record)
    assert table.count('<tr class="mark">') == 1
    assert "slope of the loss</th>" in table


def test_several_parts_are_told_one_by_one_and_the_smallest_counterexample_is_shown():
    record = sample()
    row = next(s for s in record["statements"] if s["id"] == "lj22.risk")
    other = next(c for c in record["claims"] if c["id"] == "lj22.gflow")
    other |= {"statement_id": "lj22.risk", "reason": "another part"}
    row["claims"].append("lj22.gflow")
    page = Page(markup("lj22.risk", record))
    assert page.text.count("× refuted") >= 2
    assert "To × lj22.risk" in page.text
    assert page.tags.count("svg") >= 1
    assert "One flaw with × end of Section 4.3" in page.text


def test_a_long_case_against_a_step_of_a_proof_stays_in_the_folder():
    record = sample()
    row = next(s for s in record["statements"] if s["id"] == "lj22.risk")
    row["rank"] = "supporting"
    drawn = markup("lj22.risk", record)
    assert "<svg" in drawn
    assert "The case in full" not in drawn
    row["rank"] = "step"
    told = markup("lj22.risk", record)
    assert "<svg" not in told
    assert '<a href="report-data/lj22.html#claim-lj22.risk">The case in full</a>' in told
    assert "The left side at example 1 is −1, the right side 0." in Page(told).text


def test_a_network_that_cannot_be_drawn_does_not_stop_the_report():
    record = sample()
    edges = record["claims"][1]["certificate"]["case"]["network"]["edges"]
    edges.append({"tail": "o", "head": "h", "parameter": "back"})
    assert "This network cannot be drawn." in Page(html.render(record)).text


def test_hypotheses_that_many_statements_share_are_told_once():
    record = sample()
    shared = {
        "id": "H9",
        "name": "compact",
        "statement": "the data lie in a compact set",
        "checked": None,
    }
    main = [c for c in record["claims"] if c["role"] == "main" and c["paper"] == "j23"][:4]
    for claim in main:
        claim["hypotheses"] = [*claim["hypotheses"], shared]
    page = html.render(record)
    assert Page(page).text.count(shared["statement"]) == 1
    anchor = re.search(r'<a href="#(h\d+)">compact</a>', page)[1]
    assert f'<li id="{anchor}"><i>compact</i>' in page
    main[0]["hypotheses"].pop()
    assert Page(html.render(record)).text.count(shared["statement"]) == 3


def test_no_name_of_a_field_is_shown():
    record = sample()
    certificate = record["claims"][1]["certificate"]
    certificate["case"]["choice"] = {"gap2": "3", "secret": "7"}
    told = text("lj22.risk", record)
    assert "The left side at example 1 is −1" in told
    assert not re.search("gap2|secret", told)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "It fails in 9 of 90 generic cases; 95 % interval 5 to 18 %."),
        ({"cases": 29}, ""),
        ({"cases": 30}, "It fails in 9 of 30 generic cases; 95 % interval 5 to 18 %."),
        (CORNER, "It fails only at corner cases: in none of 90 generic cases."),
        ({"failed": 0, "corner": True}, "too few to tell whether it holds off corner cases."),
        ({"failed": 0, "corner": False}, "But its counterexample is no corner case: "),
    ],
)
def test_how_often_it_fails(fields, words):
    claim = {"verdict": "refuted", "grade": GRADE | fields}
    told = grade_sentence(claim, "true off corner cases", [claim]).replace("\u00a0", " ")
    assert told.endswith(words) if words.endswith(".") else words in told
    assert bool(told) == bool(words)
    for verdict in ("refuted by argument", "contradicted"):  # the cases are those of a consequence
        assert grade_sentence(claim | {"verdict": verdict}, "false as printed", [claim]) == ""


def test_why_a_statement_is_false_of_which_a_part_fails_at_corners_alone():
    claim = {"verdict": "refuted", "grade": GRADE | CORNER}
    others = {
        "since another part fails otherwise.": {"verdict": "refuted", "grade": GRADE},
        "since another part of it is not settled.": {"verdict": "open", "grade": None},
    }
    for words, other in others.items():
        told = grade_sentence(claim, "false as printed", [claim, other])
        assert told.startswith("It fails only at corner cases")
        assert told.endswith(words)


def test_a_repair_that_is_proposed_is_not_called_unknown():
    record = sample()
    row = next(s for s in record["statements"] if s["id"] == "j23.thm1")
    row["headline"]["mended"] = []
    repair = next(c for c in record["claims"] if c["id"] == "j23.thm1.fix")
    repair["verdict"] = "untested"
    told = text("j23.thm1", record)
    assert "no repair established, one proposed" in told
    assert "No repair is established; one is proposed: – j23.thm1.fix." in told
    assert "Repairs proposed, none established" in told
    assert "No repair is known" not in told


def test_every_verdict_is_shown_with_its_sign_and_meaning():
    page = Page(html.render(SAMPLE))
    signs = [look.sign for look in HEADLINES.values()]
    assert len(set(signs)) == len(HEADLINES)
    for word, look in LOOKS.items():
        assert f"{look.sign} {word}" in page.text
