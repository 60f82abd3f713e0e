"""`lemmata repro --rocq` and `lemmata rocq`: what they write, and what they refuse."""

import json

import pytest

from lemmata.errors import DIFFERS, FINE, NOTHING, USAGE
from tests.verify.certificates import STATED
from tests.verify.checker_proofs.proved import record_of
from tests.verify.corruptions import changed
from verify.rocq import batch, compiled, export_statement


@pytest.fixture
def without_rocq(monkeypatch) -> None:
    monkeypatch.setattr(compiled.shutil, "which", lambda _: None)


def write(path, certificate) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(certificate), "utf-8")


def test_an_accepted_certificate_is_written(lemmata, tmp_path):
    write(tmp_path / "c.json", STATED["eq3"])
    called = lemmata("repro", "c.json", "--rocq", "new/out.v")
    assert called.code == FINE
    assert "out.v" in called.err
    assert (tmp_path / "new/out.v").read_text("ascii") == export_statement(STATED["eq3"])


def test_a_rejected_certificate_is_not_written(lemmata, tmp_path):
    write(tmp_path / "c.json", changed(STATED["eq3"], "value", "left", to="7"))
    assert lemmata("repro", "c.json", "--rocq", "out.v").code == 1
    assert not (tmp_path / "out.v").exists()


def test_a_claim_without_a_form_and_a_folder_as_file_are_refused(lemmata, tmp_path):
    write(tmp_path / "c.json", record_of("lj22.eq16@B"))
    called = lemmata("repro", "c.json", "--rocq", "out.v")
    assert called.code == USAGE
    assert "no Rocq form of a proof about networks" in called.err
    write(tmp_path / "d.json", STATED["eq3"])
    called = lemmata("repro", "d.json", "--rocq", str(tmp_path))
    assert called.code == USAGE
    assert "choose another file" in called.err


def test_a_folder_is_exported_and_the_rest_is_counted(lemmata, tmp_path, without_rocq):
    write(tmp_path / "in/control.json", STATED["eq3"])
    write(tmp_path / "in/stated.json", STATED["risk"])
    write(tmp_path / "in/network.json", record_of("lj22.eq16@B"))
    write(tmp_path / "in/proof.json", record_of("lj22.weyl.a"))
    write(tmp_path / "in/later.json", changed(STATED["eq3"], "version", to=99))
    called = lemmata("rocq", "in", "out")
    assert called.code == FINE
    assert "3 certificates exported" in called.out
    assert "1 not exported: no Rocq form of these claims" in called.out
    assert "1 not exported: the checker declines it" in called.out
    assert "3 not compiled: no coqc here" in called.out
    assert len(list((tmp_path / "out").glob("*.v"))) == 3


def test_a_certificate_that_the_checker_rejects_fails_the_command(lemmata, tmp_path, without_rocq):
    write(tmp_path / "in/stated.json", STATED["risk"])
    write(tmp_path / "in/wrong.json", changed(STATED["eq3"], "value", "left", to="5"))
    called = lemmata("rocq", "in", "out")
    assert called.code == DIFFERS
    assert "FAILED    wrong: rejected: the left side is" in called.out
    assert "1 certificate exported" in called.out
    assert "1 failed" in called.out
    assert len(list((tmp_path / "out").glob("*.v"))) == 1


@pytest.mark.parametrize("accepted", [True, False])
def test_what_the_compiler_refuses_fails_the_command(lemmata, tmp_path, monkeypatch, accepted):
    answer = compiled.Answer(accepted, "said so")
    monkeypatch.setattr(batch, "lacking", lambda _: None)
    monkeypatch.setattr(batch, "compile_source", lambda _: answer)
    write(tmp_path / "in/false.json", STATED["eq3"])
    called = lemmata("rocq", "in", "out")
    assert called.code == (FINE if accepted else DIFFERS)
    assert ("ok" if accepted else "FAILED") in called.out
    assert "said so" in called.out


def test_a_folder_that_is_not_there_is_refused(lemmata):
    called = lemmata("rocq", "nowhere", "out")
    assert called.code == USAGE
    assert "no folder nowhere" in called.err


def test_a_folder_without_certificates_is_not_green(lemmata, tmp_path):
    (tmp_path / "in").mkdir()
    called = lemmata("rocq", "in", "out")
    assert called.code == NOTHING
    assert "no certificates in in: nothing is exported" in called.err
    assert not (tmp_path / "out").exists()
