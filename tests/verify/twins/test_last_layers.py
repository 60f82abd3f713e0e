"""Twins of Theorem 2 on more architectures than those of which solutions of the flow are known."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from tests.verify.twins.chains import drawn
from tests.verify.twins.comparing import failures
from tests.verify.twins.low_rank import TWINS
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.papers.registry import find
from verify.search.certificates import case_of
from verify.search.mutants.draws import batches

DRAWS = 75


@cache
def architectures() -> list[Any]:
    """Drawn once."""
    random = Random(20)
    return [drawn(random) for _ in range(DRAWS)]


def apart(name: str, says: Term) -> tuple[int, int, int]:
    """In how many architectures both fail, neither does, one does. Hypotheses are not asked."""
    claim = find(name)
    assert claim.terms is not None
    twin = Statement(f"twin of {name}", says, {}, claim.terms.flow)
    counts = np.zeros(3, dtype=int)
    for batch in batches([case_of(claim, one) for one in architectures()]):
        scene = type(batch[0]).scene(batch, RATIONALS)
        mine, other = (failures(one, claim, scene) for one in (claim.terms, twin))
        counts += [(mine & other).sum(), (~mine & ~other).sum(), (mine != other).sum()]
    both, neither, one = counts
    return int(both), int(neither), int(one)


@pytest.mark.parametrize("name", [name for name in TWINS if "thm2-1" in name])
def test_no_architecture_tells_them_apart(name: str) -> None:
    both, neither, one = apart(name, TWINS[name])
    assert both
    assert neither
    assert not one
