"""The benchmark of Lemma 7: all ways give one answer, and refuse a wrong one."""

import pytest

from benchmarks import lemma7


def test_it_runs(capsys):
    assert lemma7.main(["--quick"]) == 0
    assert "answers agree: True" in capsys.readouterr().out


def test_a_wrong_statement_fails_the_benchmark(monkeypatch):
    right = lemma7.plain_change
    monkeypatch.setattr(lemma7, "plain_change", lambda width, cube=8: right(width, 15 - cube))
    assert lemma7.main(["--quick"]) == 1


@pytest.mark.parametrize("way", [lemma7.by_polynomials, lemma7.by_index_sums])
def test_ours_written_out_is_the_change(way):
    answer, right, wrong = way(3)
    assert (right, wrong) == (True, False)
    assert lemma7.written_out(answer, 3) == lemma7.plain_change(3)
