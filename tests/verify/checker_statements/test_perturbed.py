"""Certificates changed at random: what is still accepted is so by the engine's interpreter too."""

from collections import Counter
from random import Random

import pytest

from benchmarks.perturbed import confirmed, perturbed
from tests.verify.certificates import STATED, WITNESS
from tests.verify.necessity_certificates import STATED as NEEDED
from verify.checker import ACCEPTED, DECLINED, REJECTED, check
from verify.language.frames import TooManyRowsError
from verify.language.terms import TermError

GENUINE = {**STATED, **{f"need of {name}": one for name, one in NEEDED.items()}, "a": WITNESS}


@pytest.mark.parametrize("name", GENUINE)
def test_what_is_accepted_is_genuine(name):
    random, seen = Random(name), Counter()
    assert confirmed(GENUINE[name])
    for _ in range(120):
        made = perturbed(GENUINE[name], random)
        outcome = check(made)
        seen[outcome.code] += 1
        assert outcome.message.isascii()
        assert outcome.message.isprintable()
        if outcome.code != ACCEPTED:
            continue
        try:
            assert confirmed(made), outcome.message
        except (TooManyRowsError, TermError):  # larger than the engine looks at, or of no array
            continue
    assert set(seen) <= {ACCEPTED, REJECTED, DECLINED}
    assert seen[REJECTED] > 40
