"""How much a task does, in a number that is the same on a busy machine."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from typing import TypeVar

T = TypeVar("T")


def counted(task: Callable[[], T]) -> tuple[T, int]:
    """What a task gives, and how many calls of functions it makes (some millions in a second)."""
    profile = Profile()
    result = profile.runcall(task)
    return result, sum(entry.callcount for entry in profile.getstats())
