"""Valid certificates for the corpus: those worked by hand, and some that the engine finds."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.verify import certificates as c
from verify.core.losses import PRESCRIBED
from verify.runs.controls import CONTROLS
from verify.search.admission import Admitted, admit
from verify.search.drawing import draw
from verify.search.judging import judge_exactly

# each found within a tenth of a second or so
FOUND = ("control.planted.j23", "control.planted.dkbhl20", "control.planted.zlb22")


@cache
def seeds() -> dict[str, c.Certificate]:
    """By name."""
    return {**c.VALID, **{name: _found(name) for name in FOUND}}


def _found(name: str) -> c.Certificate:
    """The first violation among some cases that the claim's pool draws."""
    (claim, _), random = CONTROLS[name], Random(name)
    assert claim.pool is not None
    for k in range(200):
        n = claim.pool.examples[k % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss=PRESCRIBED, large=False).exactly()
        if judge_exactly(claim, case).violations:
            admitted = admit(claim, case, steps=20)
            assert isinstance(admitted, Admitted), admitted
            return admitted.certificate
    raise AssertionError(f"no violation of {name} was found")
