"""Files that are no certificates: not accepted, in one short line of text, without delay."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.invalid.texts import ALL, BOMBS, FILES, TEXTS
from verify.checker import restated as checker
from verify.checker.restated import ACCEPT, REJECT, check_content

WHOLE = [name for name in BOMBS if "long" in name or "zeros" in name]


def test_the_texts_are_of_genuine_certificates() -> None:
    assert all(check_content(text.encode()).code == ACCEPT for text in TEXTS.values())
    assert len(FILES) > 250
    assert not set(FILES) & set(BOMBS)
    assert not set(TEXTS.values()) & {content.decode("latin-1") for content in ALL.values()}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_none_is_rejected(name: str) -> None:
    code, message = check_content(FILES[name])
    assert code == REJECT, message
    assert message.isascii()
    assert message.isprintable()
    assert len(message) <= checker.LONGEST_MESSAGE


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_not_accepted(name: str) -> None:
    code, message = check_content(BOMBS[name])
    assert code != ACCEPT
    assert len(message) <= checker.LONGEST_MESSAGE


@pytest.mark.parametrize("name", ["lists that end", "objects", "entry nested in [", "many zeros"])
def test_the_program_survives_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.json"
    path.write_bytes(BOMBS[name])
    command = [sys.executable, "-I", "-S", checker.__file__, str(path)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert finished.returncode in (1, 2)
    assert finished.stderr == ""
    assert finished.stdout.count("\n") == 1
