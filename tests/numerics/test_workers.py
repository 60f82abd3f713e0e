"""Threads that share out work: every piece is done once, errors arrive, nothing waits for ever."""

import threading
from itertools import count

import pytest

from numerics.workers import TRIAL, Workers, available_cores


def dealt(workers: Workers, pieces: int) -> list[int]:
    """Each number below `pieces`, by whichever thread takes it."""
    counter, done = count(), []

    def call():
        for piece in iter(lambda: next(counter), None):
            if piece >= pieces:
                return
            done.append(piece)

    workers.run_together(call)
    return sorted(done)


@pytest.mark.parametrize("helpers", [0, 1, 3])
def test_every_piece_is_done_once(helpers):
    workers = Workers(helpers)
    for pieces in (0, 1, 100):
        assert dealt(workers, pieces) == list(range(pieces))


def test_helpers_work_at_the_same_time():
    meeting = threading.Barrier(2)
    arrived = []

    def call():
        meeting.wait(timeout=30)  # passes only if two threads are here
        arrived.append(threading.get_ident())

    Workers(1).run_together(call)
    assert len(set(arrived)) == 2


def test_an_error_in_a_helper_is_raised_in_the_caller():
    main = threading.get_ident()
    begun = threading.Event()

    def call():
        if threading.get_ident() == main:
            begun.wait(timeout=30)
            return
        begun.set()
        raise ArithmeticError("in the helper")

    with pytest.raises(ArithmeticError, match="in the helper"):
        Workers(1).run_together(call)


def test_an_error_in_the_caller_is_raised_and_the_workers_go_on():
    workers = Workers(2)

    def call():
        raise ArithmeticError("everywhere")

    with pytest.raises(ArithmeticError, match="everywhere"):
        workers.run_together(call)
    assert dealt(workers, 10) == list(range(10))


def test_several_callers_at_once():
    workers = Workers(2)
    results = []
    callers = [
        threading.Thread(target=lambda: results.append(dealt(workers, 200))) for _ in range(6)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(timeout=60)
    assert results == [list(range(200))] * 6


@pytest.mark.parametrize(("helped", "alone"), [(1.0, 2.0), (8.0, 2.0)])
def test_the_faster_way_is_taken_and_the_other_tried_now_and_then(helped, alone, monkeypatch):
    clock, ways = [0.0], []
    workers = Workers(1)

    def spend(way, seconds):
        ways.append(way)
        clock[0] += seconds

    monkeypatch.setattr("numerics.workers.perf_counter", lambda: clock[0])
    monkeypatch.setattr(workers, "run_together", lambda _: spend("helped", helped))
    for _ in range(10 * TRIAL):
        workers.run(lambda: spend("alone", alone), work=3.0)
    slower = "alone" if helped < alone else "helped"
    assert 10 <= ways.count(slower) <= 11
    # and it changes its mind when the machine does
    helped, alone = alone, helped
    ways.clear()
    for _ in range(10 * TRIAL):
        workers.run(lambda: spend("alone", alone), work=3.0)
    assert ways[-TRIAL + 1 :].count(slower) >= TRIAL - 2


def test_there_is_a_core():
    assert available_cores() >= 1
