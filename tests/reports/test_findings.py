from copy import deepcopy

import pytest

from reports.details import details
from reports.findings import findings, in_short, share_killed, sign_of
from reports.html import render
from reports.text import render as render_text
from tests.reports.sample_run import sample

NEED = {"hypothesis": "data", "needed": True, "text": "an exact case", "case": {}}
BOUND = {
    "place": "the factor",
    "printed": "8",
    "best": "4",
    "tight": False,
    "touches": 0,
    "case": None,
    "proposal": "4 in the place of 8",
}


def mutant(fate: str, rule: str = "sign", change: str = "a + b for a - b") -> dict:
    return {"rule": rule, "change": change, "fate": fate, "by": ""}


@pytest.fixture
def record():
    return deepcopy(sample())


def known(record):
    return {claim["id"]: claim for claim in record["claims"]}


def first(record):
    """The first claim with evidence, and the place for findings in it."""
    claim = next(claim for claim in record["claims"] if claim["evidence"])
    return claim, claim["evidence"][0]


def test_nothing_found_takes_no_room(record):
    for claim in record["claims"]:
        for piece in claim["evidence"]:
            for kind in ("needs", "bounds", "mutants", "meetings"):
                piece.pop(kind, None)
    assert findings(record, known(record)) == ""


def test_constants_with_room_come_first_and_tight_ones_are_counted(record):
    _claim, piece = first(record)
    tight = {
        **BOUND,
        "place": "the other",
        "best": "8",
        "tight": True,
        "touches": 3,
        "proposal": "",
    }
    piece["bounds"] = [tight, BOUND]
    text = findings(record, known(record))
    assert "1 of 2 seem to have room" in text
    assert "1 is tight" in text
    assert text.index("the factor") < text.index("the other")
    assert "tight, 3 cases" in text
    assert "4 in the place of 8" in text


def test_the_matrix_tells_certified_needs_from_others(record):
    _claim, piece = first(record)
    piece["needs"] = [
        {**NEED, "hypothesis": "one", "certificate": {"kind": "necessity"}},
        {**NEED, "hypothesis": "two"},
        {**NEED, "hypothesis": "three", "needed": False, "text": "none found in 7 cases"},
        {**NEED, "hypothesis": "four", "needed": False, "text": "not tried"},
    ]
    text = findings(record, known(record))
    assert "2 of 4 times" in text
    assert "1 with a certificate" in text
    row = text[text.index('scope="row"') :].split("</tr>")[0]
    signs = [cell[0] for cell in row.split("<td>")[1:]]
    columns = [name.split("<")[0] for name in text.split('scope="col"><span>')[1:]]
    assert dict(zip(columns, signs, strict=True)) == {
        "one": "●",
        "two": "◐",
        "three": "·",
        "four": "–",
    }


def test_weak_checks_are_named_with_their_survivors(record):
    _claim, piece = first(record)
    piece["mutants"] = [
        mutant("killed"),
        mutant("survived", change="3 for 2"),
        mutant("not told apart"),
        mutant("passed", rule="rewrite"),
        mutant("killed", rule="rewrite"),
    ]
    assert share_killed(piece["mutants"]) == (1, 2)
    text = findings(record, known(record))
    assert "of 2 changed statements" in text
    assert "1 of 2" in text
    assert "3 for 2" in text
    piece["mutants"] = [mutant("killed")] * 10
    assert "none of 1 claims" in findings(record, known(record))


def test_versions_show_the_verdicts_side_by_side(record):
    one, two = record["claims"][:2]
    record["versions"] = [
        {
            "paper": one["paper"],
            "subject": "A lemma",
            "change": "the final one supposes more",
            "earlier": [one["id"]],
            "final": [two["id"], "not.in.the.run"],
        },
        {"paper": one["paper"], "subject": "B", "change": "", "earlier": [one["id"]], "final": []},
    ]
    text = render(record)
    part = text[text.index('<section id="versions">') :]
    row = part[part.index("<tbody>") :].split("</tr>")[0]
    assert "The final one supposes more." in row
    cells = row.split("<td>")
    assert one["verdict"] in cells[2]
    assert two["verdict"] in cells[3]
    assert "not.in.the.run" not in row
    assert "no such statement" in part


def test_each_finding_is_folded_away_in_its_claim(record):
    claim, piece = first(record)
    piece["needs"] = [NEED]
    piece["bounds"] = [BOUND]
    piece["mutants"] = [mutant("killed")]
    piece["meetings"] = [{"hypotheses": ["data", "labels"], "text": "3 vertices", "case": {}}]
    text = render(record)
    part = text[text.index(f'id="claim-{claim["id"]}"') :].split("</article>")[0]
    for summary in (
        "Which hypotheses it needs: 1 of 1",
        "How far its constants go: 0 tight, 1 with room",
        "1 of 1 changed statements are refuted",
        "Its hypotheses can be met",
    ):
        assert summary in part
    piece["meetings"][0]["case"] = None
    assert "Can its hypotheses be met?" in render(record)


def test_what_would_refute_a_claim_stands_below_its_verdict(record):
    for claim in record["claims"]:
        claim["negation"] = "It would be refuted by one case."
    text = render(record)
    standing = [c for c in record["claims"] if c["verdict"] != "refuted"]
    assert text.count("It would be refuted by one case.") == len(standing)


def test_hypotheses_that_never_meet_are_listed(record):
    record["conflicts"] = [
        {"paper": "p", "hypotheses": ["one", "two"], "text": "never in 40 cases"}
    ]
    text = findings(record, known(record))
    assert "one <b>and</b> two" in text
    assert "Never in 40 cases." in text


def test_what_slopes_say_is_counted_apart_from_cases(record):
    claim, piece = first(record)
    beyond = {**NEED, "hypothesis": "radius", "measured": True}
    within = {**beyond, "hypothesis": "depth", "needed": False, "text": "none found: it falls"}
    piece["needs"] = [NEED, beyond, within]
    lines = in_short({**record, "claims": [claim]})
    assert "Hypotheses: 1 of 1 shown to be needed, 0 of them with a certificate." in lines
    assert (
        "Hypotheses dropped along ladders: 1 of 2 times a slope leaves the predicted side." in lines
    )
    assert [sign_of(need) for need in piece["needs"]] == ["◐", "◑", "·"]
    text = findings(record, known(record))
    assert "Along ladders of widths: 1 of 2 times a slope leaves the predicted side." in text
    assert "◑ a slope leaves the predicted side" in text
    assert "2 of 3 seen to be" in details(claim)
    piece["needs"] = [NEED]
    assert "◑" not in findings(record, known(record))
    piece["needs"] = [beyond, within]
    text = findings(record, known(record))
    assert "kept: 1 of 2 times a slope leaves the predicted side, along ladders of widths." in text


def test_in_short_for_a_terminal(record):
    claim, piece = first(record)
    assert in_short({**record, "claims": []}) == []
    piece["bounds"] = [BOUND]
    piece["mutants"] = [mutant("killed"), mutant("survived")]
    piece["needs"] = [NEED, {**NEED, "certificate": {"kind": "necessity"}}]
    lines = in_short({**record, "claims": [claim]})
    assert lines == [
        f"Constants: 0 tight; with room: {claim['id']}.",
        "Hypotheses: 2 of 2 shown to be needed, 1 of them with a certificate.",
        f"Mutants: 1 of 2 noticed (50.0%); below 90%: {claim['id']}.",
    ]
    assert all(line in render_text(record, width=200) for line in lines)
