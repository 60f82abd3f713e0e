"""The benchmark of laws: both ways agree, on small networks."""

import sys

from benchmarks import laws


def test_the_dense_way_leaves_as_many_laws(monkeypatch, capsys):
    chosen = [row for row in laws.networks(quick=True) if row[1].parameter_count <= 20]
    assert len(chosen) >= 5
    monkeypatch.setattr(laws, "networks", lambda quick: chosen)
    monkeypatch.setattr(sys, "argv", ["laws", "--quick", "--repeats", "1"])
    assert laws.main() == 0
    assert "answers: all agree, all certified" in capsys.readouterr().out


def test_a_disagreement_is_told(monkeypatch, capsys):
    monkeypatch.setattr(laws, "networks", lambda quick: laws_of_one())
    monkeypatch.setattr(laws, "dense", lambda net: (0.1, 99))
    monkeypatch.setattr(sys, "argv", ["laws", "--quick", "--repeats", "1"])
    assert laws.main() == 1
    assert "WRONG" in capsys.readouterr().out


def laws_of_one():
    return [("ReLU", laws.fully_connected([2, 2, 1]))]
