"""What long experiments keep: once for the same arguments, again for others or a broken file."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from verify.core.budgets import budget_named
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.methods.context import Context
from verify.methods.experiment import experiment
from verify.papers.registry import find
from verify.runs.executors import in_process
from verify.runs.tasks import Task


@pytest.fixture
def maker():
    class Maker:
        made = 0

        def __call__(self):
            self.made += 1
            return {"x": np.array([0.1, 2.0]), "words": np.array(["converged"])}

    return Maker()


def test_it_is_made_once_for_the_same_arguments(tmp_path, maker):
    kept = ExperimentStore(tmp_path / "new")
    first, again = (kept.once(__file__, {"seed": 1}, maker) for _ in range(2))
    assert maker.made == 1
    assert first["x"].tolist() == again["x"].tolist()
    assert str(again["words"][0]) == "converged"
    kept.once(__file__, {"seed": 2}, maker)
    kept.once(np.__file__, {"seed": 1}, maker)
    assert maker.made == 3
    assert not list(tmp_path.rglob("*.tmp"))


def test_two_at_once_make_it_once(tmp_path):
    """The second begins while the first is at work, waits, and reads what the first has made."""
    kept, at_work, begun, made = ExperimentStore(tmp_path), Event(), Event(), []

    def first():
        at_work.set()
        begun.wait(60)
        made.append("first")
        return {"x": np.array([1.0])}

    def second():
        begun.set()
        return kept.once(__file__, {}, lambda: made.append("second") or {"x": np.array([2.0])})

    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(kept.once, __file__, {}, first)
        assert at_work.wait(60)
        other = pool.submit(second)
        assert one.result()["x"] == other.result()["x"] == [1.0]
    assert made == ["first"]


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path, maker):
    (tmp_path / "file").write_text("")
    kept = ExperimentStore(tmp_path / "file" / "below")
    assert kept.once(__file__, {}, maker)["x"].tolist() == [0.1, 2.0]
    assert maker.made == 1


def test_a_broken_file_is_made_again(tmp_path, maker):
    kept = ExperimentStore(tmp_path)
    kept.once(__file__, {}, maker)
    (path,) = tmp_path.glob("*.npz")
    for text in (b"", b"PK", path.read_bytes()[:60]):
        path.write_bytes(text)
        assert kept.once(__file__, {}, maker)["x"].tolist() == [0.1, 2.0]
    assert maker.made == 4


def test_a_file_in_which_a_bit_is_another_is_made_again(tmp_path, maker):
    """Also where what holds the arrays would let it pass: one array fewer, say."""
    kept = ExperimentStore(tmp_path)
    kept.once(__file__, {}, maker)
    (path,) = tmp_path.glob("*.npz")
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        found = kept.once(__file__, {}, maker)
        assert maker.made == place + 2
        assert (found["x"].tolist(), found["words"].tolist()) == ([0.1, 2.0], ["converged"])


def test_a_file_under_another_name_is_made_again(tmp_path, maker):
    kept = ExperimentStore(tmp_path)
    kept.once(__file__, {"seed": 1}, maker)
    (path,) = tmp_path.glob("*.npz")
    kept.once(__file__, {"seed": 2}, maker)
    (other,) = set(tmp_path.glob("*.npz")) - {path}
    path.replace(other)
    kept.once(__file__, {"seed": 2}, maker)
    assert maker.made == 3


def test_without_a_folder_nothing_is_kept(maker):
    for _ in range(2):
        ExperimentStore().once(__file__, {}, maker)
    assert maker.made == 2


def test_parts_of_a_figure_have_a_seed_in_common(monkeypatch):
    seen = []

    def look(setting):
        seen.append(setting)
        raise InterruptedError

    for name in ("j23.fig2.a", "j23.fig2.b", "j23.fig1.a"):
        claim = find(name)
        monkeypatch.setitem(claim.__dict__, "experiment", look)
        with pytest.raises(InterruptedError):
            experiment(claim, Context(budget_named("smoke")))
    assert seen[0].common == seen[1].common != seen[2].common
    assert seen[0].seed != seen[1].seed
    assert Setting(5, 0, "cpu").common == 5


def test_the_folder_reaches_the_experiment(monkeypatch, tmp_path):
    claim, seen = find("j23.fig2.a"), []
    monkeypatch.setitem(claim.__dict__, "experiment", lambda setting: seen.append(setting))
    task = Task(claim.id, "experiment", "smoke", 0, "cpu")
    list(in_process([task], kept=tmp_path))
    assert [setting.kept for setting in seen] == [ExperimentStore(tmp_path)]
