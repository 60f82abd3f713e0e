"""Valid certificates for the corpus: those worked by hand, and some that the engine finds."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.verify import certificates as c
from verify.admission import Admitted, admit
from verify.judging import judge_exactly
from verify.methods.context import repair
from verify.registry import find

# each found within a tenth of a second or so
FOUND = (
    "lj22v1.thm1-4",
    "lj22.lemma9",
    "lj22.claim1.last",
    "lj22.rem-sign",
    "lj22.def12",
    "j23.prop9.1",
)


@cache
def seeds() -> dict[str, c.Certificate]:
    """By name."""
    return {**c.VALID, **{name: _found(name) for name in FOUND}}


def _found(name: str) -> c.Certificate:
    """The first violation among some cases that the claim's pool draws."""
    claim, random = find(name), Random(name)
    for k in range(40):
        case = claim.pool.draw(random, n=2 - k % 2, loss="squared", large=False)
        case = repair(claim, case, random).exactly()
        if judge_exactly(claim, case).violations:
            admitted = admit(claim, case, steps=20)
            assert isinstance(admitted, Admitted), admitted
            return admitted.certificate
    raise AssertionError(f"no violation of {name} was found")
