"""What is printed, what is coded, and what is known of it: `list` and `show`."""

import json
import re

import pytest

from lemmata.showing import _show_known
from reports.plain import plain, shown_width
from verify.core.grade import Grade
from verify.core.ledger import papers, statements
from verify.papers.registry import all_claims, find
from verify.runs.baseline import OF_CLAIMS
from verify.runs.controls import CONTROLS
from verify.runs.fingerprint import claim_fingerprint

CLAIMS = all_claims()
REPAIRS = [claim for claim in CLAIMS if claim.repairs is not None]


@pytest.fixture
def baseline(tmp_path):
    """A baseline that knows everything to be open, but of one statement."""
    known = dict.fromkeys(OF_CLAIMS, "") | {
        "verdict": "open",
        "reason": "undecided",
        "scope": "n=1",
        "grade": None,
        "power": None,
    }
    data = {
        "format": "lemmata-baseline",
        "version": 2,
        "budget": "ci",
        "claims": {claim.id: known for claim in CLAIMS}
        | {"lj22.risk": known | {"verdict": "proved"}},
        "statements": {name: {"headline": "open", "detail": ""} for name in statements()}
        | {"lj22.risk": {"headline": "true", "detail": "proved for all"}},
    }
    path = tmp_path / "claims.lock.json"
    path.write_text(json.dumps(data))
    return path


# list --------------------------------------------------------------------------------------------
def test_list_is_one_line_a_statement(lemmata):
    called = lemmata("list")
    assert called.code == 0
    rows = list(statements().values())
    lines = called.out.splitlines()
    assert [line.split()[0] for line in lines] == [row.id for row in rows]
    for line, row in zip(lines, rows, strict=True):
        if "$" not in row.title + row.place and "\\" not in row.title + row.place:
            assert line.endswith(f"  {row.title}")
            assert f"  {row.place[:30]}" in line


def test_list_tells_headlines_where_a_baseline_is_here_or_named(lemmata, baseline, tmp_path):
    lines = lemmata("list", "--paper", "lj22").out.splitlines()
    assert all(re.search(r"  (open|true)  ", line) for line in lines)
    (line,) = (line for line in lines if line.startswith("lj22.risk "))
    assert "  true  " in line
    other = baseline.rename(tmp_path / "other.json")
    assert "  true  " not in lemmata("list", "--paper", "lj22").out
    assert lemmata("list", "--paper", "lj22", "--known", other).out.splitlines() == lines
    assert "no baseline at none.json" in lemmata.refused("list", "--known", "none.json")


def test_list_finds_ids_titles_and_places(lemmata):
    papers_ = [lemmata("list", "--paper", paper).out for paper in papers()]
    assert "".join(papers_) == lemmata("list").out
    found = lemmata("list", "-k", "ITEM 6").out.splitlines()
    wanted = [
        row.id
        for row in statements().values()
        if any("item 6" in text.lower() for text in (row.id, row.title, row.place))
    ]
    assert [line.split()[0] for line in found] == wanted
    assert "lj22.thm1-6" in wanted
    by_id = lemmata("list", "--paper", "j23", "-k", "THM").out.splitlines()
    assert by_id
    assert all(line.startswith("j23.") for line in by_id)


def test_list_tells_claims_with_verdicts(lemmata, baseline):
    lines = lemmata("list", "--claims").out.splitlines()
    assert [line.split()[0] for line in lines] == [claim.id for claim in CLAIMS]
    assert all(re.search(r"  (open|proved)  ", line) for line in lines)
    found = lemmata("list", "--claims", "-k", "item 6").out.splitlines()
    assert any(line.startswith("lj22.thm1-6") for line in found)
    assert len(found) < len(lines)


# show --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [*[claim.id for claim in CLAIMS[::50]], *CONTROLS])
def test_show_has_all_of_a_claim(lemmata, name):
    called = lemmata("show", name)
    claim = CONTROLS[name][0] if name in CONTROLS else find(name)
    assert called.code == 0
    shown = called.out
    assert f"{claim.id}: {claim.title}\n" in shown
    texts = [claim.statement, claim.reading_text or "", claim.why]
    texts += [hypothesis.statement for hypothesis in claim.hypotheses]
    parts = [*map(plain, texts), claim.source.reference, claim.kind.value, *claim.depends]
    parts += [hypothesis.name for hypothesis in claim.hypotheses]
    parts += [claim.repairs or "", claim_fingerprint(claim)[:16]]
    parts += [claim.through, claim.quantity.rstrip(","), *claim.trusted]
    parts += [] if name in CONTROLS else [claim.role.value, claim.ledger_id]
    assert [part for part in parts if part not in shown] == []


@pytest.mark.parametrize("name", list(statements())[::50])
def test_show_has_all_of_a_statement(lemmata, name):
    row = statements()[name]
    shown = lemmata("show", name).out
    assert shown.startswith(f"{name}: ")
    parts = [row.place, row.section, row.rank.value]
    parts += map(plain, (row.printed, row.because, row.restored))
    assert [part for part in parts if part not in shown] == []
    for claim in CLAIMS:
        if claim.ledger_id == name:
            assert re.search(
                rf"^  {claim.role.value} +{re.escape(claim.id)}($|;)", shown, re.MULTILINE
            )


def test_show_says_what_is_known(lemmata, baseline):
    shown = lemmata("show", "lj22.risk").out
    assert "  known: true; proved for all\n" in shown
    assert "  main     lj22.risk: proved" in shown
    assert "  known: proved (n=1): undecided\n" in shown  # of the claim of the same id
    assert "  the code changed since: write the baseline again\n" in shown
    assert "known" not in lemmata("show", "control.true").out


def test_show_says_what_stands_near_a_false_statement(capsys):
    near = ({"rule": "sign", "change": "$w$ should be $-w$"},)
    row = {"verdict": "refuted", "scope": "", "reason": "here", "code": "c"}
    grade = Grade(1000, 900, 0.88, 0.92, corner=False, scope="", near=near).to_json()
    _show_known({**row, "grade": grade}, "c")
    told = capsys.readouterr().out.splitlines()
    assert told[1:] == ["  near it: one change away", "    stands: w should be -w"]
    _show_known({**row, "grade": None}, "c")
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_show_says_how_a_statement_is_mended(lemmata):
    repair = REPAIRS[0]
    shown = lemmata("show", repair.ledger_id).out
    assert f"{repair.id}; mends {repair.repairs}: " in shown


def test_show_says_which_examples_meet_a_definition(lemmata):
    claim = next(claim for claim in CLAIMS if claim.examples is not None)
    shown = lemmata("show", claim.id).out
    met = sum(example.meets for example in claim.examples())
    assert f"{met} of {len(claim.examples())} examples meet it: " in shown


def test_show_takes_an_id_with_parts_or_readings(lemmata):
    front = next(
        front
        for front in dict.fromkeys(claim.id.split("@")[0] for claim in CLAIMS if "@" in claim.id)
        if front not in statements() and front not in {claim.id for claim in CLAIMS}
    )
    shown = lemmata("show", front).out
    for claim in CLAIMS:
        if claim.id.startswith((f"{front}@", f"{front}.")):
            assert f"{claim.id}: {claim.title}\n" in shown


def test_list_as_json(lemmata, baseline):
    rows = json.loads(lemmata("list", "--json", "--paper", "lj22").out)
    own = [row for row in statements().values() if row.paper == "lj22"]
    assert [row["id"] for row in rows] == [row.id for row in own]
    assert [row["title"] for row in rows] == [row.title for row in own]  # formulas as they are
    assert {row["headline"] for row in rows} == {"open", "true"}
    (row,) = json.loads(lemmata("list", "--json", "--claims", "-k", "lj22.pullback").out)
    assert row["verdict"] == "open"
    baseline.unlink()
    assert json.loads(lemmata("list", "--json", "-k", "lj22.risk").out)[0]["headline"] is None


@pytest.mark.parametrize("width", [40, 80, 250])
def test_a_screen_of_any_width(lemmata, baseline, monkeypatch, width):
    piped = {words: lemmata(*words).out for words in (("list",), ("show", "lj22.risk"))}
    monkeypatch.setattr("lemmata.showing.is_screen", lambda stream: True)
    monkeypatch.setenv("COLUMNS", str(width))
    listed = lemmata("list").out.splitlines()
    assert len(listed) == len(piped["list",].splitlines())
    assert max(map(shown_width, listed)) <= width
    assert all(line.split()[0] in statements() for line in listed)
    shown = lemmata("show", "lj22.risk").out
    whole = piped["show", "lj22.risk"]
    assert "".join(shown.split()) == "".join(whole.split())  # folded, nothing is lost
    assert max(map(len, shown.splitlines())) <= min(width, 100)
