"""The runs before this one, as the report draws and tells them."""

import pytest

from reports.html import render
from reports.runs_so_far import runs_so_far
from tests.reports.markup import Page
from tests.reports.sample_run import sample


def run(day: int, true: int, open_: int = 0, command: str = "run", **more) -> dict:
    headlines = {"true": true} | ({"open": open_} if open_ else {})
    started = f"2026-01-{day:02}T10:00:00Z"
    return {
        "started": started,
        "commit": "0123456789abcdef",
        "command": command,
        "headlines": headlines,
        "changed": None,
    } | more


def record(*runs: dict) -> dict:
    return {"run": {"command": "run"}, "history": list(runs)}


@pytest.mark.parametrize(
    "one", [{"run": {"command": "run"}}, record(), record(run(1, 2), run(2, 2, command="run x"))]
)
def test_a_first_run_of_a_command_has_none_before_it(one):
    assert runs_so_far(one) == ""


def test_runs_are_drawn_and_told():
    section = runs_so_far(record(run(1, 3, 1), run(2, 9, command="run x"), run(3, 3), run(4, 5)))
    told = Page(section).apart
    assert "3 runs of this command, from 2026-01-01 to 2026-01-04." in told
    assert "■ true 5, since this run; before 3" in told
    assert "0, since 2 runs; before 1" in told
    opened, true = (part.split('"')[0] for part in section.split('points="')[1:])
    assert true == "0.0,21.0 60.0,21.0 120.0,3.0"  # upwards is more
    assert opened == "0.0,3.0 60.0,21.0 120.0,21.0"
    assert "None of them was compared with a baseline." in told
    none = {"headlines": [], "claims": 0}
    compared = Page(runs_so_far(record(run(1, 3), run(2, 3, changed=none)))).apart
    assert "In none of them a headline differed" in compared


def test_the_last_change_is_named():
    old = {"headlines": [{"id": "p.old", "before": "open", "after": "true"}], "claims": 1}
    new = {"headlines": [{"id": "p.one", "before": "true", "after": None}], "claims": 2}
    none = {"headlines": [], "claims": 0}
    runs = [run(1, 2, changed=old), run(2, 2, changed=new, commit=None), run(3, 2, changed=none)]
    told = Page(runs_so_far(record(*runs))).apart
    assert "2 in each run" in told
    assert "Headlines last differed from the baseline on 2026-01-02: p.one true → not there" in told
    assert "p.old" not in told


def test_texts_are_escaped():
    row = {"id": "<x>", "before": "<y>", "after": "<z>"}
    one = run(1, 2, started="<a>", commit="<p>", changed={"headlines": [row], "claims": 1})
    section = runs_so_far(record(one, one))
    assert not {tag for tag in ("<x>", "<y>", "<z>", "<a>") if tag in section}
    assert "<p>Headlines last differed from the baseline on &lt;a&gt;, at &lt;p&gt;:" in section


def test_the_report_has_them():
    whole = sample()
    whole["history"] = [run(day, day, command=whole["run"]["command"]) for day in (1, 2)]
    assert "Runs so far" in render(whole)
    assert "Runs so far" not in render(sample())
