"""Completion of words in a shell."""

import shutil
import subprocess

import pytest

from lemmata.commands import COMMANDS
from lemmata.completion import commands_of
from lemmata.main import parser
from tests.repository import ROOT

BASH = shutil.which("bash")


def test_every_command_and_option_is_offered():
    found = {command.name: command for command in commands_of(parser())}
    assert set(found) == set(COMMANDS)
    values = {option: words for option, words, _ in found["run"].options}
    assert values["--budget"] == ("smoke", "ci", "full")
    assert "lj22" in values["--paper"]
    assert values["--fresh"] is None
    assert values["--seed"] == ()
    assert found["run"].ids
    assert found["show"].ids
    assert not found["list"].ids
    assert found["completion"].words == ["bash", "zsh", "fish"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(lemmata, shell):
    called = lemmata("completion", shell)
    assert (called.code, called.err) == (0, "")
    assert f"completion for {shell};" in called.out.splitlines()[0]
    assert [name for name in COMMANDS if name not in called.out] == []
    assert "'" + str(ROOT) not in called.out  # in the tests no baseline is known


ASKED = {
    "li": ["list"],
    "run --budget s": ["smoke"],
    "run --gra": ["--graded"],
    "show mine.le": ["mine.lemma1", "mine.lemma2@A"],
    "show mine.lemma2@": ["mine.lemma2@A"],
    "show l": ["lj22.a"],
    "report net": [],  # the shell's own turn
}


@pytest.mark.skipif(BASH is None, reason="no bash to complete in")
def test_bash_completes(lemmata, tmp_path, monkeypatch):
    rows = "".join(
        f'  "mine.{name}": {{\n   "verdict": "open"\n  }},\n' for name in ("lemma1", "lemma2@A")
    )
    (tmp_path / "claims.lock.json").write_text(' "claims": {\n' + rows)
    (tmp_path / "brought.json").write_text('  "lj22.a": {\n  "mine.lemma1": {\n')
    monkeypatch.setattr("verify.runs.baseline.SHIPPED", tmp_path / "brought.json")
    script = lemmata("completion", "bash").out
    for asked in ASKED:
        script += (
            f"COMP_WORDS=(lemmata {asked}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _lemmata\n"
        )
        script += 'echo "${COMPREPLY[*]}"\n'
    done = subprocess.run(
        [BASH, "--norc", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    found = [line.split() for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(ASKED, found, strict=True)) == ASKED
