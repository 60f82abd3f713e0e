"""Near misses are rejected, for the reason that is theirs; their neighbours are accepted."""

from __future__ import annotations

import json

import pytest

from tests.verify.invalid.near_misses import KEPT, NEAR
from verify.checker.__main__ import of_either_format
from verify.checker.restated import ACCEPT, DECLINE, REJECT

pytestmark = pytest.mark.usefixtures("norms")


def judged(certificate: object) -> tuple[int, str]:
    """Exit code and message for a file."""
    code, message = of_either_format(json.dumps(certificate).encode(), {})
    return code, message


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_is_rejected_for_its_reason(name: str) -> None:
    certificate, reason = NEAR[name]
    code, message = judged(certificate)
    assert code == REJECT or (code == DECLINE and not reason), message
    assert reason in message


@pytest.mark.parametrize("name", KEPT)
def test_its_neighbour_is_genuine(name: str) -> None:
    code, message = judged(KEPT[name])
    assert code == ACCEPT, message


def test_they_are_many() -> None:
    assert len(NEAR) >= 200
