"""Valid certificates corrupted in all sorts of places: what is still accepted is genuine."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.verify.certificates import VALID
from tests.verify.invalid.edits import corruptions
from tests.verify.invalid.second_opinion import genuine
from tests.verify.invalid.seeds import FOUND, seeds
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check


@pytest.mark.parametrize("name", [*VALID, *FOUND])
def test_seeds_are_genuine(name: str) -> None:
    assert check(seeds()[name]).code == ACCEPT
    assert genuine(seeds()[name])


@pytest.mark.parametrize("name", [*VALID, *FOUND])
def test_a_corruption_is_rejected_or_another_genuine_certificate(name: str) -> None:
    outcomes: Counter[int] = Counter()
    count = 100 if name in FOUND else 40
    for what, broken in corruptions(seeds()[name], Random(name), count):
        code, message = check(broken)
        outcomes[code] += 1
        if code == ACCEPT:
            assert genuine(broken), (what, message)
        else:
            assert message.isascii()
    assert set(outcomes) <= {ACCEPT, REJECT, DECLINE}
    assert outcomes[REJECT] > outcomes[ACCEPT]
