"""The folder beside a report: evidence, constants, hypotheses, weak checks, tables of the run."""

import json

import pytest

from reports.annex import annex
from reports.findings import constants, matrix, share_killed, sign_of, weak_checks
from reports.tables import conflicts, laws, versions
from tests.reports.markup import Page
from tests.reports.sample_run import sample

NEED = {"hypothesis": "data", "needed": True, "text": "an exact case", "case": {}}
BOUND = {
    "place": "the factor in norm_slack, verify.papers.x line 3",
    "printed": "8",
    "best": "4",
    "tight": False,
    "touches": 0,
    "case": None,
    "proposal": "4 in the place of 8",
}
LAW = {
    "family": "fully connected",
    "network": "3-4-2",
    "activations": "linear",
    "parameters": 20,
    "linear": 2,
    "quadratic": 10,
    "all_quadratic": False,
    "named": {"lj22.lemma2a": 4, "unnamed": 6},
    "independent": 10,
    "bound": 12,
    "complete": False,
    "seconds": 0.01,
}


def mutant(fate: str, rule: str = "sign", change: str = "a + b for a - b") -> dict:
    return {"rule": rule, "change": change, "fate": fate, "by": ""}


def of_one(**found: list) -> dict:
    """Claims: one, whose evidence holds these."""
    return {"one": {"id": "one", "evidence": [found]}}


def test_nothing_found_takes_no_room():
    assert constants(of_one()) == matrix(of_one()) == weak_checks(of_one()) == ""
    assert versions({"statements": []}, "p") == conflicts({}) == laws({"laws": None}) == ""


def test_constants_with_room_come_first_without_places_of_code():
    tight = BOUND | {"place": "another", "tight": True, "touches": 3, "proposal": ""}
    told = Page(constants(of_one(bounds=[tight, BOUND]))).apart
    assert "1 of 2 seem to have room" in told
    assert "1 is tight" in told
    assert told.index("the factor") < told.index("another")
    assert "tight, 3 cases" in told
    assert "verify" not in told


def test_the_matrix_tells_certified_needs_from_others():
    needs = [
        NEED | {"hypothesis": "one", "certificate": {"kind": "necessity"}},
        NEED | {"hypothesis": "two"},
        NEED | {"hypothesis": "three", "needed": False, "text": "none found in 7 cases"},
        NEED | {"hypothesis": "four", "needed": False, "text": "not tried"},
        NEED | {"hypothesis": "five", "measured": True},
    ]
    assert [sign_of(need) for need in needs] == ["●", "◐", "·", "–", "◑"]
    text = matrix(of_one(needs=needs))
    assert "3 of 5 are needed" in text
    row = text[text.index('scope="row"') :].split("</tr>")[0]
    signs = [cell[0] for cell in row.split("<td>")[1:]]
    columns = [name.split("<")[0] for name in text.split('scope="col"><span>')[1:]]
    expected = {"one": "●", "two": "◐", "three": "·", "four": "–", "five": "◑"}
    assert dict(zip(columns, signs, strict=True)) == expected


def test_weak_checks_are_named_with_their_survivors():
    mutants = [
        mutant("killed"),
        mutant("survived", change="3 for 2"),
        mutant("not told apart"),
        mutant("passed", rule="rewrite"),
        mutant("killed", rule="rewrite"),
    ]
    assert share_killed(mutants) == (1, 2)
    told = Page(weak_checks(of_one(mutants=mutants))).apart
    assert "of 2 changed statements" in told
    assert "1 of 2 3 for 2" in told
    assert "none of 1 claims" in weak_checks(of_one(mutants=[mutant("killed")] * 10))


def printed(name: str, word: str, *claims: str) -> dict:
    headline = {"word": word, "detail": "", "mended": []}
    return {"id": name, "place": f"Lemma {name}", "headline": headline, "claims": list(claims)}


def test_versions_stand_side_by_side_with_their_headlines():
    row = {"paper": "p", "subject": "A lemma", "change": "supposes more"}
    record = {
        "statements": [
            printed("1", "false as printed", "old", "older"),
            printed("2", "true", "new"),
            printed("3", "false as printed", "new.b"),
        ],
        "versions": [
            row | {"earlier": ["old", "older"], "final": ["new"]},
            row | {"earlier": ["old"], "final": ["new", "new.b"]},
            row | {"earlier": ["old"], "final": []},
            row | {"earlier": ["old"], "final": ["elsewhere"]},
            row | {"paper": "another", "earlier": ["old"], "final": []},
        ],
    }
    page = versions(record, "p")
    told = Page(page).apart
    assert "2 statements or groups of them stand in both versions: 1 with something false" in told
    assert "nothing in the final one, 0 the other way" in told
    assert "Supposes more. × false as printed Lemma 1 ■ true Lemma 2" in told
    assert "× false as printed Lemma 1 × false as printed Lemma 3 ■ true Lemma 2" in told
    assert (told.count("no such statement"), told.count("not selected")) == (1, 1)
    assert page.count('href="#1"') == 4
    assert versions(record, "q") == ""


def test_laws_and_conflicts():
    told = Page(laws({"laws": [LAW, LAW | {"complete": True, "named": {}}]})).apart
    assert "in 2 networks" in told
    assert "For 1 of them there is no other conserved quantity of any kind" in told
    assert "1 have laws that no statement explains" in told
    assert "10 and 2 linear at least 4 lj22.lemma2a, 6 unnamed 10 12 (gap)" in told
    pair = {"paper": "p", "hypotheses": ["one", "two"], "text": "never in 40 cases"}
    assert "one and two Never in 40 cases." in Page(conflicts({"conflicts": [pair]})).apart


@pytest.fixture(scope="module")
def files():
    record = sample()
    claim = next(c for c in record["claims"] if c["id"] == "lj22.lemma1")
    piece = claim["evidence"][0]
    piece["needs"], piece["bounds"] = [NEED], [BOUND]
    piece["mutants"] = [mutant("killed"), mutant("survived")]
    piece["joint_cases"] = [{"hypotheses": ["data", "labels"], "text": "3 vertices", "case": {}}]
    curve = {"name": "this law", "x": [1.0, 2.0], "y": [1.0, 3.0]}
    piece["plots"] = [
        {
            "title": "Drift",
            "x": "time",
            "y": "drift",
            "x_log": False,
            "y_log": False,
            "curves": [curve],
        }
    ]
    part = {"name": r"H1 $\sup|\sigma'|$", "value": r"$\infty$", "holds": False}
    claim["examples"] = [{"name": "$z^2$", "meets": False, "parts": [part]}]
    long = next(c for c in record["claims"] if (c["certificate"] or {}).get("kind") == "polynomial")
    long["certificate"]["at"] *= 30000
    return annex(record, "report.html"), record


def test_a_claim_is_told_whole(files):
    text = files[0]["lj22.html"]
    start = text.index('<article class="claim" id="claim-lj22.lemma1"')
    article = Page(text[start : text.index("</article>", start) + len("</article>")])
    for words in (
        "instances 20,000",
        "Hypotheses: 1 of 1 shown to be needed",
        "1 of 2 changed statements are refuted.",
        "Changed statements that are not refuted: 1",
        "Its hypotheses can be met",
        "Examples: 0 of 1 meet it",
        "✗",
        "this law",
    ):
        assert words in article.apart
    assert "figcaption" in article.tags
    assert "infty" not in article.apart


def test_certificates_are_shown_and_the_longest_left_to_their_file(files):
    written, record = files
    text = Page(written["lj22.html"]).text
    short = [
        c for c in record["claims"] if c["certificate"] and len(c["certificate"].get("at", ())) < 9
    ]
    for claim in short:
        assert f'"id": "{claim["id"]}"' in text
        assert claim["checker"]["message"] in text
    assert "characters of JSON: read them in the file" in text


def test_the_same_is_there_as_lines_of_json(files):
    written, record = files
    rows = {
        name: [json.loads(line) for line in text.splitlines()]
        for name, text in written.items()
        if name.endswith(".jsonl")
    }
    certificates = [c["certificate"] for c in record["claims"] if c["certificate"]]
    assert rows["certificates.jsonl"] == certificates
    assert len(rows["evidence.jsonl"]) == sum(len(c["evidence"]) for c in record["claims"])
    assert {row["claim"] for row in rows["mutants.jsonl"]} == {"lj22.lemma1"}
    assert [row["fate"] for row in rows["mutants.jsonl"]] == ["killed", "survived"]
    assert rows["bounds.jsonl"] == [{"claim": "lj22.lemma1", **BOUND}]
