"""Near misses are rejected, for the reason that is theirs; their neighbours are accepted."""

from __future__ import annotations

import json

import pytest

from tests.verify.invalid.near_misses import KEPT, NEAR
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check, check_content


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_is_rejected_for_its_reason(name: str) -> None:
    certificate, reason = NEAR[name]
    code, message = check(certificate)
    assert code == REJECT or (code == DECLINE and not reason), message
    assert reason in message


@pytest.mark.parametrize("name", KEPT)
def test_its_neighbour_is_genuine(name: str) -> None:
    code, message = check(KEPT[name])
    assert code == ACCEPT, message


def test_they_are_many_and_files_of_them_are_judged_alike() -> None:
    assert len(NEAR) >= 200
    for certificate, _ in list(NEAR.values())[::7]:
        text = json.dumps(certificate)
        code = check_content(text.encode()).code
        assert code == check(certificate).code
