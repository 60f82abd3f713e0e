"""Files that come with Lemmata, by the names that they have in the repository."""

import os

from lemmata.arguments import seen_from
from tests.repository import ROOT


def test_examples_and_the_baseline_are_found_from_anywhere(lemmata, monkeypatch):
    called = lemmata("derive", "examples/skip.json", "--at", "3/5,-4/5")
    assert (called.code, called.err) == (0, "examples/skip.json: the one that Lemmata brings\n")
    monkeypatch.setattr("verify.runs.baseline.SHIPPED", ROOT / "claims.lock.json")
    known = lemmata("list", "--paper", "lj22").out
    assert " true " in known
    named = lemmata("list", "--paper", "lj22", "--known", "claims.lock.json")
    assert named.out == known


def test_a_file_that_is_here_comes_first(lemmata, tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/skip.json").write_text("[")
    assert "examples/skip.json" in lemmata.refused("derive", "examples/skip.json")
    assert "examples/none.json: No such file" in lemmata.refused("derive", "examples/none.json")


def test_every_command_on_networks_finds_the_examples(lemmata):
    called = lemmata("draw", "examples/skip.json")
    assert (called.code, called.err) == (0, "examples/skip.json: the one that Lemmata brings\n")
    called = lemmata("draw", "examples/residual.py:small", "--shape", "1,5")
    assert (called.code, called.err) == (0, "examples/residual.py: the one that Lemmata brings\n")


def test_a_file_on_another_drive_is_named_in_full(monkeypatch, tmp_path):
    assert seen_from(tmp_path / "a" / "b", tmp_path) == os.path.join("a", "b")

    def no_way(path, folder):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr("os.path.relpath", no_way)
    assert seen_from(tmp_path / "a", tmp_path) == str(tmp_path / "a")
