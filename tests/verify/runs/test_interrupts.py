"""Interrupts: noted, raised at once or where the work asks, and never dropped."""

import gc
import os
import signal
import threading

import pytest

from verify.runs.interrupts import INTERRUPTS, noted_interrupts


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(autouse=True)
def hangups_are_not_ignored():
    """As they are under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def test_an_interrupt_arrives_at_once():
    with pytest.raises(KeyboardInterrupt), noted_interrupts(at_once=bool):
        interrupt()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # made on purpose
def test_an_interrupt_that_python_drops_is_remembered():
    def hook(phase, info):
        gc.callbacks.remove(hook)
        interrupt()
        for _ in range(10):  # the handler runs between two steps
            pass

    def work():
        with noted_interrupts(at_once=bool) as check:
            check()
            gc.callbacks.append(hook)
            gc.collect()  # what a hook raises, Python reports and forgets
            with pytest.raises(KeyboardInterrupt):
                check()

    with pytest.raises(KeyboardInterrupt):  # and at the end, where nobody asked
        work()


@pytest.mark.parametrize("number", INTERRUPTS, ids=lambda number: number.name)
def test_it_waits_until_the_work_asks(number):
    def work():
        with noted_interrupts() as check:
            check()
            os.kill(os.getpid(), number)
            reached.append(number)
            with pytest.raises(KeyboardInterrupt):
                check()

    reached = []
    with pytest.raises(KeyboardInterrupt):  # and at the end, where nobody asked
        work()
    assert reached == [number]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_the_second_one_may_be_the_one_that_is_raised():
    def work():
        with noted_interrupts(at_once=lambda count: count > 1):
            for number in range(3):
                interrupt()
                reached.append(number)

    reached = []
    with pytest.raises(KeyboardInterrupt):
        work()
    assert reached == [0]


def test_one_within_another_is_seen_by_the_inner_one_alone():
    with noted_interrupts(at_once=bool) as outer:
        with pytest.raises(KeyboardInterrupt), noted_interrupts():
            interrupt()
        outer()


def test_what_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with noted_interrupts() as check:
            os.kill(os.getpid(), signal.SIGHUP)
            check()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    with noted_interrupts(at_once=bool):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(ValueError, match="anything"), noted_interrupts(at_once=bool):
        raise ValueError("anything")
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_nothing_is_handled():
    seen = []

    def work():
        with noted_interrupts(at_once=bool) as check:
            check()
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
