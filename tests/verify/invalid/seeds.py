"""Valid certificates for the corpus: those worked by hand, and some that the engine finds."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.verify import certificates as c
from verify.admission import Admitted, admit
from verify.drawing import draw
from verify.judging import judge_exactly
from verify.losses import PRESCRIBED
from verify.registry import find

# each found within a tenth of a second or so
FOUND = (
    "j23.prop9.1",
    "dkbhl20.lem5.c",
    "zlb22.eq13-14.ii.first@C",
    "zlb22.thm3.6.width@B",
)


@cache
def seeds() -> dict[str, c.Certificate]:
    """By name."""
    return {**c.VALID, **{name: _found(name) for name in FOUND}}


def _found(name: str) -> c.Certificate:
    """The first violation among some cases that the claim's pool draws."""
    claim, random = find(name), Random(name)
    assert claim.pool is not None
    for k in range(200):
        n = claim.pool.examples[k % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss=PRESCRIBED, large=False).exactly()
        if judge_exactly(claim, case).violations:
            admitted = admit(claim, case, steps=20)
            assert isinstance(admitted, Admitted), admitted
            return admitted.certificate
    raise AssertionError(f"no violation of {name} was found")
