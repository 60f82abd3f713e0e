"""How far a run is: what is done, what runs now, about how long is left."""

import io

import pytest

from lemmata.progress import Progress, spoken, typical
from verify.runs.tasks import METHODS, Task


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def tasks(count: int, method: str = "search") -> list[Task]:
    return [Task(f"lj22.claim{k}", method, "smoke", 0, "cpu") for k in range(count)]


def go_through(stream: io.StringIO, seconds: float, count: int = 100) -> str:
    """What is written of so many tasks, each of which takes so long."""
    clock = Clock()
    progress = Progress(2, stream, clock)
    planned = tasks(count)
    for done, task in enumerate(planned, start=1):
        clock.now += seconds
        progress(done, count, task, lambda done=done: planned[done:])
    return stream.getvalue()


def test_elsewhere_than_on_a_screen_there_are_few_lines():
    lines = go_through(io.StringIO(), 0.5).splitlines()
    assert 8 <= len(lines) <= 11  # of 50 seconds
    assert lines[-1] == "100 of 100 tasks, 50 s"
    assert lines[0] == (
        "10 of 100 tasks, 5 s, about 45 s left: lj22.claim10 search, lj22.claim11 search"
    )
    assert go_through(io.StringIO(), 0.001).splitlines() == ["100 of 100 tasks, 0 s"]


def test_it_is_told_that_no_task_is_left():
    stream = io.StringIO()
    Progress(2, stream).gathered()
    assert stream.getvalue() == "putting together what is known\n"


def test_on_a_screen_the_line_is_written_again_in_its_place(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "50")
    text = go_through(Screen(), 0.5)
    assert text.count("\n") == 1
    assert text.endswith("\n")
    parts = text.rstrip("\n").split("\r")[1:]
    assert len(parts) == 100
    assert {len(part) for part in parts} == {49}  # so that nothing of the last one stays


def test_a_terminal_that_cannot_go_back_is_not_asked_to(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert "\r" not in go_through(Screen(), 0.5)


def test_what_is_left_counts_by_what_is_to_be_done():
    progress = Progress(1, io.StringIO(), Clock())
    for _ in range(10):
        progress(1, 20, tasks(1, "pointwise")[0], list)
    quick = progress.line(10, 20, 10.0, tasks(10, "pointwise"))
    slow = progress.line(10, 20, 10.0, tasks(10, "experiment"))
    assert "about 10 s left" in quick
    assert "about 7 min left" in slow
    assert "left" not in progress.line(10, 20, 1.0, tasks(10))  # too early to tell
    assert "left" not in progress.line(10, 99, 10.0, tasks(89, "experiment"))  # too little to go by


@pytest.mark.parametrize("method", METHODS)
def test_every_method_takes_some_time(method):
    assert 0 < typical(tasks(1, method)[0]) < 10


def test_times_in_words():
    assert [spoken(s) for s in (0.2, 89, 90, 5399, 5400, 36000)] == [
        "0 s",
        "89 s",
        "2 min",
        "90 min",
        "1.5 h",
        "10.0 h",
    ]
