"""What a terminal or a pipe can show."""

import io
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.terminal import COLOUR_OF_WINDOWS, coloured, command_line, in_words, is_screen
from reports.plain import visible
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


STEERING = ["\x1b[2J", "\r", "\x07", "\x9b1m", "\u202e", "\u2028", "\x7f"]


@pytest.mark.parametrize("sign", STEERING, ids=ascii)
def test_no_name_steers_the_terminal(lemmata, tmp_path, sign):
    network = {
        "vertices": [{"name": "x"}, {"name": f"h{sign}", "activation": "relu"}, {"name": "o"}],
        "edges": [
            {"tail": "x", "head": f"h{sign}", "parameter": "a"},
            {"tail": f"h{sign}", "head": "o", "parameter": "b"},
        ],
        "inputs": ["x"],
        "outputs": ["o"],
    }
    (tmp_path / "net.json").write_text(json.dumps({"format": "lemmata-network"} | network))
    for words in (["derive", "net.json"], ["show", sign], ["list", "--paper", sign], [f"a{sign}"]):
        called = lemmata(*words)
        shown = called.out + called.err
        assert visible(shown) == shown, words
        assert shown


def test_streams_are_as_before_after_a_command(lemmata):
    before = sys.stdout, sys.stderr
    lemmata("--version")
    assert (sys.stdout, sys.stderr) == before


def test_words_are_joined_for_the_shell_of_the_system(monkeypatch):
    assert command_line(["lemmata", "a b", "c'd"]) == "lemmata 'a b' 'c'\"'\"'d'"
    monkeypatch.setattr("lemmata.terminal.os.name", "nt")
    assert command_line(["lemmata", "a b"]) == 'lemmata "a b"'


def test_a_console_of_windows_has_colours_where_it_says_so(monkeypatch):
    monkeypatch.setattr("lemmata.terminal.os.name", "nt")
    for name in ("NO_COLOR", *COLOUR_OF_WINDOWS):
        monkeypatch.delenv(name, raising=False)
    assert not coloured(Screen())
    monkeypatch.setenv("WT_SESSION", "1")
    assert coloured(Screen())
