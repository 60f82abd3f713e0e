"""Each command: what it prints, what it writes, what it refuses."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from lemmata.commands import check_device
from lemmata.errors import UsageError
from lemmata.main import main
from tests.verify.certificates import STATED
from tests.verify.runs.cheap_methods import CheapMethods
from verify.core.evidence import Outcome
from verify.papers.registry import all_claims, find
from verify.runs.controls import CONTROLS
from verify.runs.fingerprint import claim_fingerprint

QUICK = ("--budget", "smoke", "--workers", "1")
SOME = tuple({c.id: c for c in (find("lj22.risk"), *all_claims()[::15])}.values())
"""In place of every claim; that those are selected: tests/verify/runs/test_selection.py."""


@pytest.fixture
def cheap(cheap) -> CheapMethods:
    """Of which one refutes."""
    cheap.outcomes["lj22.risk"] = Outcome.REFUTES
    cheap.certificates["lj22.risk"] = STATED["risk"]
    return cheap


def test_a_baseline_of_another_budget_is_told_on_stderr(lemmata, cheap):
    lemmata("baseline", *QUICK)
    words = ("run", "lj22.risk", "--baseline", "claims.lock.json", "--workers", "1")
    told = "the baseline is of budget smoke, this run of ci: only contradictions count"
    assert told in lemmata(*words).err
    assert told not in lemmata(*words, "--budget", "smoke").err


@pytest.mark.parametrize("device", ["cuda:2", "cuda:x", "cudas", "cpu:0", ""])
def test_a_device_that_is_not_there_is_refused(device, monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    for there in ("cpu", "cuda", "cuda:1"):
        check_device(there)
    with pytest.raises(UsageError, match=f"--device {device}: not available here"):
        check_device(device)


def test_the_baseline_has_every_claim(lemmata, cheap, tmp_path, monkeypatch):
    monkeypatch.setattr("verify.runs.selection.all_claims", lambda: SOME)
    called = lemmata("baseline", "mine.json", *QUICK)
    data = json.loads((tmp_path / "mine.json").read_text())
    rows, headlines = data["claims"], data["statements"]
    assert called.out == (
        f"{len(headlines)} headlines and {len(SOME)} verdicts written to mine.json\n"
    )
    assert set(headlines) == {claim.ledger_id for claim in SOME}
    assert headlines["lj22.risk"]["headline"] == "false as printed"
    assert set(rows) == {claim.id for claim in SOME}
    assert rows["lj22.risk"]["verdict"] == "refuted"
    assert all(row["code"] == claim_fingerprint(find(name)) for name, row in rows.items())


# repro: certificates that a real run wrote -------------------------------------------------------
@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """The folder of the certificates of a real run."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verify.runs.engine.CONTROLS", {})  # they have tests of their own
        words = ["run", "lj22.gflow", "lj22.eq3", "lj22.risk", *QUICK, "--quiet"]
        words += ["--journal", str(folder / "journal"), "--output", f"json={folder / 'run.json'}"]
        assert main(words) == 0
    return folder / "certificates"


def test_certificates_of_a_run_are_accepted(lemmata, written):
    paths = sorted(written.iterdir())
    names = {"lj22.gflow.json", "lj22.eq3.json", "lj22.risk.json"}
    assert names <= {path.name for path in paths}
    for path in paths:
        called = lemmata("repro", path)
        assert (called.code, called.err) == (0, ""), called
        assert called.out.startswith("accepted: ")
        assert path.stem in called.out
    record = json.loads((written.parent / "run.json").read_text())
    checked = {claim["id"]: claim["checker"] for claim in record["claims"]}
    assert checked["lj22.gflow"]["exit"] == 0


def tampered(path: Path, change) -> Path:
    certificate = json.loads(path.read_text())
    change(certificate)
    target = Path("tampered.json")
    target.write_text(json.dumps(certificate))
    return target


TAMPERINGS = {
    "value": lambda c: c["value"].update(left=str(Fraction(c["value"]["left"]) + 1)),
    "value 0": lambda c: c["value"].update(left="0", right="0"),
    "weight": lambda c: c["case"]["network"]["weights"].update(
        dict.fromkeys(c["case"]["network"]["weights"], "0")
    ),
    "label": lambda c: c["case"]["examples"][0].update(y="2"),
    "no case": lambda c: c.pop("case"),
    "edge": lambda c: c.update(at=[7]),
    "claim": lambda c: c["statement"].update(says=["each", ["edges"], ["eq", 1, 1]]),  # a true one
    "format": lambda c: c.update(format="another"),
}


@pytest.mark.parametrize("how", TAMPERINGS)
def test_tampered_certificates_are_rejected(lemmata, written, how):
    called = lemmata("repro", tampered(written / "lj22.gflow.json", TAMPERINGS[how]))
    assert (called.code, called.err) == (1, ""), called
    assert called.out.startswith("rejected: ")


@pytest.mark.parametrize(
    "change",
    [{"kind": "hearsay"}, {"version": 99}],
    ids=lambda change: next(iter(change)),
)
def test_certificates_of_unknown_kinds_are_declined(lemmata, written, change):
    called = lemmata("repro", tampered(written / "lj22.risk.json", lambda c: c.update(change)))
    assert (called.code, called.err) == (2, ""), called
    assert called.out.startswith("declined: ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe\x00", b"null", b"[" * 10**5])
def test_what_is_no_certificate_is_rejected(lemmata, tmp_path, content):
    (tmp_path / "junk.json").write_bytes(content)
    called = lemmata("repro", "junk.json")
    assert (called.code, called.err) == (1, ""), called
    assert called.out.startswith("rejected: ")
    assert len(called.out.splitlines()) == 1


# selftest ----------------------------------------------------------------------------------------
def test_selftest_shows_controls_and_versions(lemmata, cheap, tmp_path):
    called = lemmata("selftest")
    assert called.code == 0
    lines = called.out.splitlines()
    for name in (*CONTROLS, "control.tampered"):
        (line,) = (line for line in lines if f" {name} " in line)
        assert line.startswith("ok ")
    assert any(line.split()[0] == "torch" for line in lines)
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_a_selftest_that_fails_is_1(lemmata, cheap):
    cheap.outcomes["control.true"] = Outcome.REFUTES
    called = lemmata("selftest")
    assert called.code == 1
    (line,) = (line for line in called.out.splitlines() if " control.true " in line)
    assert line.startswith("FAILED ")
    assert "expected proved on scope" in line
    assert "observed refuted" in line
