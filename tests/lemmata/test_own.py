"""Claims of one's own on the command line, as a new user goes about it."""

import json

import pytest

from lemmata.errors import NOTHING, UsageError
from tests.verify.own_claims import as_before


@pytest.fixture(autouse=True)
def registry_as_before():
    with as_before():
        yield


def test_the_file_to_start_from_is_checked_and_its_certificate_accepted(lemmata, tmp_path):
    assert lemmata("new", "claim").code == 0
    assert lemmata("new", "claim").code == 4  # it is there already
    called = lemmata(
        *("run", "--claims", "claims.py", "--budget", "smoke", "--workers", "1"),
        *("--output", "json=run.json,html=run.html"),
    )
    assert called.code == 0, called.err
    assert "mine.lemma2: refuted" in called.out
    record = json.loads((tmp_path / "run.json").read_text())
    verdicts = {claim["id"]: claim["verdict"] for claim in record["claims"]}
    assert verdicts["mine.lemma2"] == "refuted"
    assert "refuted" not in (verdicts["mine.lemma1"], verdicts["mine.theorem1"])
    replayed = lemmata("repro", "certificates/mine.lemma2.json")
    assert replayed.code == 0
    assert "your statement mine.lemma2" in replayed.out
    report = (tmp_path / "run.html").read_text()
    assert "The left side" in report
    assert "statements that differ in one place and stand" in report


def test_claims_of_ones_own_have_a_baseline(lemmata, tmp_path):
    quick = ("--budget", "smoke", "--workers", "1")
    file = tmp_path / "own.py"
    start = 'from lemmata import *\nA = Matrix("A", "m", "n")\n'
    file.write_text(start + 'claim("o.a", rank(A) >= 0)\nclaim("o.b", rank(A) > 0)\n')
    assert lemmata("baseline", "--claims", "own.py", "own.lock.json", *quick).code == 0
    same = lemmata("run", "--claims", "own.py", "--baseline", "own.lock.json", *quick)
    assert same.code == 0, same.out
    assert "nothing changed" in same.out
    file.write_text(start + 'claim("o.b", rank(A) >= 0)\n')
    called = lemmata("run", "--claims", "own.py", "--baseline", "own.lock.json", *quick)
    assert called.code == 1
    assert "o.b: refuted → " in called.out
    assert "o.a" in called.out  # it is gone


def test_claims_are_listed(lemmata, tmp_path):
    lemmata("new", "claim", "own.py")
    lines = lemmata("list", "--claims", "own.py").out.splitlines()
    assert [line.split()[0] for line in lines] == ["mine.lemma1", "mine.lemma2", "mine.theorem1"]
    assert lines[0].endswith("The rank of AB is at most that of A.")
    found = json.loads(lemmata("list", "--claims", "own.py", "-k", "rate", "--json").out)
    assert [(row["id"], row["verdict"]) for row in found] == [("mine.theorem1", None)]
    assert lemmata("list", "--claims", "own.py", "-k", "convex").code == NOTHING
    assert "none.py: there is no such file" in lemmata.refused("list", "--claims", "none.py")
    (tmp_path / "pyproject.toml").write_text('[tool.lemmata]\nclaims = ["own.py"]\n')
    assert lemmata("list").out.splitlines() == lines
    assert lemmata("list", "--paper", "lj22").out.startswith("lj22.")


def test_a_claim_is_shown_with_its_formula(lemmata):
    lemmata("new", "claim", "own.py")
    called = lemmata("show", "--claims", "own.py", "mine.theorem1")
    assert called.code == 0
    assert "H1 own parameters" in called.out
    assert "as it is checked, given\n    a network" in called.out
    assert "d/dt (∑_{e ∈ in(v)} w_e^2)" in called.out


def test_a_file_that_is_wrong_is_one_line(lemmata, tmp_path):
    (tmp_path / "own.py").write_text("from lemmata import claim, rank\nclaim('a.b', rank(1))\n")
    called = lemmata("run", "--claims", "own.py")
    assert called.code == 4
    assert called.err.splitlines() == ["lemmata: own.py, line 2: rank(int): it takes (mat)"]


def test_a_baseline_that_knows_none_of_them_is_an_error(lemmata, tmp_path, cheap):
    start = 'from lemmata import *\nA = Matrix("A", "m", "n")\n'
    (tmp_path / "own.py").write_text(start + 'claim("o.a", rank(A) >= 0)\n')
    (tmp_path / "other.py").write_text(start + 'claim("p.a", rank(A) >= 0)\n')
    quick = ("--budget", "smoke", "--workers", "1")
    assert lemmata("baseline", "--claims", "other.py", "other.lock.json", *quick).code == 0
    told = lemmata.refused("run", "--claims", "own.py", "--baseline", "other.lock.json", *quick)
    assert "other.lock.json knows none of these claims" in told
    both = ("--claims", "own.py", "--claims", "other.py")
    assert lemmata("baseline", *both, "both.lock.json", *quick).code == 0
    called = lemmata("run", "--claims", "own.py", "--baseline", "both.lock.json", *quick)
    assert called.code == 0
    assert "not looked at, of the baseline: p" in called.err


def test_a_word_selects_among_claims_of_ones_own(lemmata, tmp_path, monkeypatch):
    start = 'from lemmata import *\nA = Matrix("A", "m", "n")\n'
    (tmp_path / "own.py").write_text(
        start + 'claim("o.a", rank(A) >= 0, "A rank.")\nclaim("o.b", rank(A) >= 0, "Another.")\n'
    )
    chosen: list[str] = []

    def seen(found, *_):
        chosen.extend(claim.id for claim in found)
        raise UsageError("enough")

    monkeypatch.setattr("lemmata.commands.perform", seen)
    lemmata("run", "--claims", "own.py", "-k", "rank")
    assert chosen == ["o.a"]
