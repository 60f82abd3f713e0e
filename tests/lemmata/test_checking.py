"""The command `check`: registered statements on a network of one's own."""

import json
import runpy
import sys
from pathlib import Path

import networkx
import pytest

from lemmata import check, from_networkx
from lemmata.reading import read_network
from tests.repository import ROOT
from verify.papers.registry import find

SKIP = ROOT / "examples" / "skip.json"
MODULE = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1))
class Wants(nn.Module):
    def __init__(self, width):
        super().__init__()
"""


def test_what_is_found_is_written_and_its_certificates_are_accepted(lemmata):
    called = lemmata("check", SKIP, "-k", "lemma 2", "--output", "html=a/b.html,json=a/b.json")
    assert called.code == 0, called
    lines = called.out.splitlines()
    assert len(lines) <= 40
    assert "  paths 4, depth 2, width 2" in lines
    record = json.loads(Path("a/b.json").read_text())
    assert (record["format"], record["version"]) == ("lemmata-check", 1)
    by_id = {row["id"]: row for row in record["statements"]}
    assert by_id["lj22.lemma2a"]["outcome"] == "holds"
    assert [row["lemma"] for row in record["laws"]["laws"]] == ["lj22.lemma2a"] * 2
    violated = by_id["lj22.eq31"]
    assert (violated["outcome"], violated["accepted"]) == ("violated", True)
    assert lemmata("repro", Path("a") / violated["certificate_file"]).code == 0
    page = Path("a/b.html").read_text()
    assert "<svg" in page
    assert "lj22.lemma2a" in page


def test_a_torch_module_of_a_file(lemmata):
    Path("own.py").write_text(MODULE)
    net, weights = read_network("own.py:net")
    assert (net.edge_count, len(weights)) == (7, 7)
    called = lemmata("check", "own.py:net", "-k", "lemma2a", "--at", "1/2")
    assert called.code == 0, called
    assert "own.py:net: Sequential, at inference (5 vertices, 7 edges, 7 parameters)" in called.out
    assert lemmata("check", "own.py:net", "-k", "lemma2a", "--at", "1/2").out == called.out


def test_a_file_may_have_dataclasses_and_names_of_other_modules(tmp_path, monkeypatch):
    """A file `json.py` beside it, and dataclasses, which ask for the module that they stand in."""
    head = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    made = "@dataclass\nclass Sizes:\n    width: int = 1\n"
    monkeypatch.chdir(tmp_path)
    Path("json.py").write_text(head + MODULE + made)
    net, _ = read_network("json.py:net")
    assert net.edge_count == 7
    assert sys.modules["json"] is json


def test_weights_beyond_float64_are_told():
    graph = networkx.DiGraph()
    graph.add_edge("x", "h", weight="1e390")
    graph.add_edge("h", "o", weight="1")
    record = check(*from_networkx(graph), claims=[find("lj22.lemma2a")]).record
    assert "beyond the range of float64" in record["curvature"]["told"]
    assert [row["outcome"] for row in record["statements"]] == ["holds"]


def test_the_example_of_torch(capsys):
    runpy.run_path(str(ROOT / "examples" / "from_torch.py"))
    assert "3 laws: 0 linear, 3 quadratic (3 lj22.lemma2a)" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["draw", "laws", "derive"])
def test_every_command_on_networks_reads_modules_of_torch(lemmata, command):
    Path("own.py").write_text(MODULE + "def made(): return net\n")
    called = lemmata(command, "own.py:made", "--shape", "1")
    assert called.code == 0, called
    assert "Sequential, at inference (5 vertices, 7 edges" in called.out
    assert "own.py: name a torch.nn.Module of it, as own.py:NAME" in lemmata.refused(
        command, "own.py"
    )
    assert "which tells its inputs" in lemmata.refused(command, SKIP, "--shape", "2")


def test_curvature_of_a_module(lemmata):
    Path("own.py").write_text(MODULE)
    assert "7 weights" in lemmata("curvature", "own.py:net", "--at", "1/2").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("C:\\net.json",), "C:\\net.json: No such file"),
        (("own.py:other",), "own.py has no other"),
        (("nowhere.py:net",), "there is no module nowhere.py"),
        (("no_such_module:net",), "there is no module no_such_module"),
        ((SKIP, "--at", "1"), "give one number for each of the inputs x1, x2"),
        ((SKIP, "--seconds", "0"), "--seconds 0: give more than 0"),
        ((SKIP, "--seconds", "nan"), "--seconds nan: give more than 0, and a finite number"),
        ((SKIP, "--seconds", "inf"), "--seconds inf: give more than 0, and a finite number"),
        (("broken.py:net",), "broken.py fails with SyntaxError"),
        (("own.py:Wants",), "Wants() fails with TypeError"),
        (("a/b:net",), "a/b is neither a file nor the name of a module"),
        (("own.py:net", "--shape", "wide"), "--shape 'wide': give whole numbers"),
        ((SKIP, "--output", "md=a"), "html=FILE and json=FILE"),
    ],
)
def test_bad_options_are_named(lemmata, words, told):
    Path("own.py").write_text(MODULE)
    Path("broken.py").write_text("net = (")
    assert told in lemmata.refused("check", *words)


def test_from_python():
    graph = networkx.DiGraph([("x", "h"), ("h", "o")])
    found = check(*from_networkx(graph), claims=[find("lj22.lemma2a")], name="a chain")
    assert str(found).startswith("a chain: network (3 vertices, 2 edges, 2 parameters)\n")
    assert [row["outcome"] for row in found.record["statements"]] == ["holds"]
    assert found.record["curvature"]["told"].endswith("16 draws")


def test_what_is_too_large_is_said(monkeypatch):
    monkeypatch.setattr("lemmata.checking.LAWS_SIZE", 1)
    monkeypatch.setattr("lemmata.checking.CURVATURE_SIZE", 1)
    net, _ = from_networkx(networkx.DiGraph([("x", "h"), ("h", "o")]))
    record = check(net, claims=[]).record
    assert record["laws"] == {
        "told": "",
        "reason": "left out, 2 parameters are more than 1",
        "laws": [],
    }
    assert record["curvature"]["told"] == "left out, 2 parameters are more than 1"
    assert record["structure"]["paths"] == "1"
