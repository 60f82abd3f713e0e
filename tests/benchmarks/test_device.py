"""The benchmark of devices: without one, it fills the columns of the CPU and says so."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch

from benchmarks import chains, device, figures, flows, linearity
from benchmarks.device import CPU, KINDS, PLAIN, Kind, Limits, Work
from benchmarks.pieces import GO_ON, Pieces, TimeIsUp
from tests.numerics.curvature.second_device import DEVICE, TwoDevices


@pytest.fixture(autouse=True)
def little_work(monkeypatch):
    """Flows end after a two-hundredth of their time, chains after 32 layers, Hessians are of small
    networks, and nothing is timed twice."""
    monkeypatch.setattr(flows, "UNTIL", flows.UNTIL / 200)
    monkeypatch.setattr(device, "LAYERS", 32)
    monkeypatch.setattr(device, "HIDDEN", 40)
    monkeypatch.setattr(device, "ROUNDS", 1)


LIMITS = {CPU: Limits(rate=1e9, bandwidth=1e9)}
LITTLE = [replace(kind, few=min(kind.few, 3)) for kind in KINDS]


def test_without_a_device_the_page_says_that_none_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(device, "KINDS", KINDS[:1])
    page = tmp_path / "gpu.md"
    assert device.main(["--quick", "--output", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "**No device has been measured**" in text
    (row,) = [line for line in text.splitlines() if line.startswith("| gradients")]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1] == "100"
    assert float(cells[2]) > 0
    assert 0 < float(cells[3].removesuffix(" %")) < 100
    assert cells[4:7] == ["not measured", "–", "–"]


@pytest.mark.parametrize("kind", LITTLE, ids=lambda kind: kind.name)
def test_what_a_device_would_run_agrees_with_the_cpu(kind):
    found = device.measured(kind, CPU, True, LIMITS)
    assert found.agrees
    assert found.here > 0
    assert found.share > 0


def test_a_disagreement_is_told():
    def works(count, place, backend):
        answers = np.ones(count) * (1.001 if backend == PLAIN else 1.0)
        return Work(lambda: answers, lambda _: 1.0)

    found = device.measured(Kind("wrong", works, 4, 4, 8.0, 1e-6, ""), CPU, True, LIMITS)
    assert not found.agrees
    assert "1e-03 (at most 1e-06, NO)" in found.line()


def test_the_share_is_that_of_the_nearer_limit():
    at, found = Limits(rate=100.0, bandwidth=10.0), np.zeros(0)
    assert at.share(Work(lambda: found, lambda _: 50.0), found, 2.0) == 0.25
    assert at.share(Work(lambda: found, lambda _: 50.0, traffic=10.0), found, 2.0) == 0.5


def test_pieces_that_are_there_are_read_when_the_time_is_up(tmp_path):
    made = []

    def make():
        made.append(1)
        return {"x": np.arange(3)}

    Pieces.within(tmp_path, None).once(device.__file__, {"n": 1}, make)
    late = Pieces.within(tmp_path, -1.0)
    assert late.once(device.__file__, {"n": 1}, make)["x"].tolist() == [0, 1, 2]
    with pytest.raises(TimeIsUp):
        late.once(device.__file__, {"n": 2}, make)
    assert made == [1]


@pytest.mark.parametrize(
    "run",
    [
        lambda into, *more: figures.main(["--size", "smoke", "--only", "fig1.a", *into, *more]),
        lambda into, *more: linearity.main(
            ["--only", "fcn, L = 3", "--widths", "4", "8", "--seeds", "2", *into, *more]
        ),
    ],
    ids=["figures", "linearity"],
)
def test_a_long_experiment_goes_on_from_what_it_has(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(linearity, "ProcessPoolExecutor", lambda n, **_: ThreadPoolExecutor(1))
    into = ["--into", str(tmp_path)]
    assert run(into, "--minutes", "-1") == GO_ON
    assert "the same command goes on" in capsys.readouterr().out
    assert run(into) == 0
    assert run(into, "--minutes", "-1") == 0  # all of it is there


def test_more_chains_are_averaged():
    alone, together = (chains.experiment([8], 2000, CPU, count) for count in (1, 8))
    assert alone == pytest.approx(together, rel=0.2)
    assert alone != together


@pytest.mark.parametrize("kind", LITTLE, ids=lambda kind: kind.name)
def test_no_tensor_of_a_kind_is_on_the_wrong_device(kind):
    """Seen without a second device: see second_device.py."""
    wanted = kind.works(kind.few, CPU, PLAIN).answers()
    with TwoDevices():
        found = kind.works(kind.few, str(DEVICE), PLAIN).answers()
    assert device.apart(wanted, found) <= kind.within
