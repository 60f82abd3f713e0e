"""What a terminal or a pipe can show."""

import io
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.terminal import coloured, in_words, is_screen
from reports.text import SIGNS, render
from tests.reports.sample_statements import sample
from tests.repository import ROOT


@given(st.text())
def test_any_text_has_words(text):
    found = in_words(text)
    assert found.isascii()
    assert in_words(found) == found


def test_signs_and_letters_in_words():
    assert in_words("νΣ² → ‖é‖ ≤ ℝ") == "nuSigma2 -> ||e|| <= R"
    words = [in_words(sign) for sign in SIGNS.values()]
    assert len(set(words)) == len(words)  # they can still be told apart
    assert "?" not in set(words) - {in_words("?")}
    assert in_words("層") == "?"


PRINTS = """
import sys
from lemmata.terminal import prepare
prepare()
print(sys.stdin.buffer.read().decode("utf-8"), end="")
"""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8", "shift_jis", "cp437"])
def test_any_encoding_takes_what_a_run_found(encoding):
    shown = render(sample(), width=80)
    done = subprocess.run(
        [sys.executable, "-c", PRINTS],
        cwd=ROOT,
        input=shown.encode(),
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode(encoding)
    assert text.count("\n") == shown.count("\n")
    assert text == shown if encoding == "utf-8" else "false as printed; mended: " in text


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "colours", "goes_back"),
    [
        ({}, True, True),
        ({"NO_COLOR": "1"}, False, True),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_colours_as_the_environment_asks(monkeypatch, variables, colours, goes_back):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert coloured(Screen()) is colours
    assert is_screen(Screen()) is goes_back
    assert not coloured(io.StringIO())
