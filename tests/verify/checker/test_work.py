"""Limits on the work of the checker."""

import pytest

from verify.checker import restated as checker
from verify.checker.restated import Declined


def test_the_work_of_a_check_adds_up():
    steps = checker.MOST_WORK // 1000

    def work(times):
        for _ in range(times):
            checker.charge(steps, 999)

    enough = 1 + checker.MOST_TOGETHER // (steps * 999)
    work(enough)  # outside of a check nothing is added up
    with checker.metered():
        work(enough - 1)
        with pytest.raises(Declined, match="together"):
            work(1)
    with pytest.raises(Declined, match="takes too long"):
        checker.charge(steps, 1001)
