"""The benchmark of growth: a fit recovers an exponent, the page has a row for each kind of work."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from benchmarks import growth
from benchmarks.growth_page import Point, picture_of
from benchmarks.growth_works import CASES, LINEAR, N_LOG_N, SQUARE, Curve, curves
from tests.verify.own_claims import as_before

SIZES = [2.0**k for k in range(4, 12)]


def curve(order):
    return Curve("A group", "things", order, lambda step: (step, lambda: None), (), "why")


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 3.0])
def test_a_fit_recovers_the_exponent_and_its_error(power):
    noise = 0.1 * np.random.default_rng(0).standard_normal((200, len(SIZES)))
    fits = [growth.slope(SIZES, [n**power for n in SIZES * np.exp(one)]) for one in noise]
    found = np.array([fitted for fitted, _ in fits])
    assert found.mean() == pytest.approx(power, abs=0.02 * power)
    assert np.mean([error for _, error in fits]) == pytest.approx(found.std(), rel=0.2)
    assert growth.slope(SIZES, [7 * n**power for n in SIZES]) == pytest.approx((power, 0))


def test_fixed_costs_at_small_sizes_do_not_matter_and_logarithms_count():
    points = [Point(n, 50 + n * np.log(n) if n < 100 else n * np.log(n), 0) for n in SIZES]
    found = growth.row("sorting", curve(N_LOG_N), points)
    assert found.fitted == pytest.approx(found.theory)
    assert found.fitted > 1.1
    assert found.verdict == "agrees"


@pytest.mark.parametrize(
    ("order", "power", "verdict"),
    [(LINEAR, 1.4, "MORE"), (SQUARE, 1.4, "less"), (LINEAR, 1.1, "agrees")],
)
def test_what_grows_otherwise_is_told(order, power, verdict):
    points = [Point(n, n**power, 16 * n) for n in SIZES]
    found = growth.row("work", curve(order), points)
    assert found.verdict == verdict
    assert found.grows == pytest.approx(1)
    assert f"| {verdict} |" in found.line()


def test_a_quick_run_writes_a_page_and_its_plots(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(growth, "ENOUGH", 0.01)
    page = tmp_path / "performance.md"
    names = ["paths counted", "balances", "claims loaded"]
    with as_before():
        growth.main(["--quick", "--only", *names, "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    told = [line for line in text.splitlines() if line.startswith("| ") and " to " in line]
    assert told == capsys.readouterr().out.splitlines()[:-1]
    assert [line.split(" | ")[0].removeprefix("| ") for line in told] == [
        "paths counted",
        "paths counted, by edges",
        "balances of all vertices",
        "claims loaded",
    ]
    picture = ET.fromstring((tmp_path / "images" / picture_of(CASES)).read_text(encoding="utf-8"))
    words = {
        "".join(part.itertext()).strip() for part in picture.iter() if part.tag.endswith("}text")
    }
    assert {"claims", "CPU seconds", "claims loaded"} <= words
    assert f"(images/{picture_of(CASES)})" in text
    assert "metadata" not in (tmp_path / "images" / picture_of(CASES)).read_text(encoding="utf-8")


def test_every_kind_of_work_has_sizes_that_grow(tmp_path):
    """Of the first two steps, without doing the work."""
    with as_before():
        for name, one in curves(tmp_path).items():
            sizes = [one.works(step)[0] for step in one.steps[:2]]
            assert 1.3 < sizes[1] / sizes[0] < 4.5, name
