"""Twins of what is called false: no case tells the terms apart, and in some both fail. If
both compare numbers, these are the same in every case, so where both hold they do for one reason.
"""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from tests.repository import ROOT
from tests.verify.twins.architectures import APART as HYPOTHESES_APART
from tests.verify.twins.architectures import BORROWED
from tests.verify.twins.comparing import FEW, compared, hypothesis_compared
from tests.verify.twins.hypotheses import HYPOTHESES
from verify.core.ledger import Role, statement_id, statements
from verify.papers.registry import all_claims, find

FILES = (
    *("curves", "decomposition", "descent", "invariances", "path_sums"),
    *("theorem1", "weight_sharing", "low_rank", "appendix_d", "examples"),
    *("subdifferentials", "symmetry", "batch_normalisation", "bottlenecks", "linearity"),
    *("hessians", "bottleneck_weights", "forms_of_jacobians", "bounded_kernels"),
    "tangent_kernels",
    *("rank_one_states", "growing_spectra", "linear_families"),
    *("layered_networks", "explicit_network"),
    *("first_orders", "costs_of_affine_maps", "two_pieces"),
)
MODULES = [import_module(f"tests.verify.twins.{file}") for file in FILES]
TWINS = {name: says for module in MODULES for name, says in module.TWINS.items()}
APART = {name: why for module in MODULES for name, why in getattr(module, "APART", {}).items()}
# Why a statement and its twin, of which no case tells the truths apart, compare other numbers.
OTHER_SIDES = {
    "lj22.cor1-sum.bounded": "of a matrix the twin asks the rank, the first term two norms",
    **dict.fromkeys(
        ("lj22v1.gd-88.a", "lj22v1.gd-88.b"),
        "of a descent the twin asks the last step, the first term every one",
    ),
    "dkbhl20.prop19.a@B": "of two gradients the twin asks ranks, the first term squared norms",
    "j23.prop4.ratio.attained": "where both numbers are 0 the twin asks nothing",
    "j23.sandwich.order": "the twin asks the growth alone, no network",
    "j23.thm10.chain.order": "the twin's grids reach the faces of the cube: a step is 1/(n - 1)",
    "zlb22.lemK.2.lipschitz@A": "the twin asks the power of the logarithm too",
}


def called_false() -> set[str]:
    """The claims in the language that say what is printed in the main reading, and are refuted by
    the baseline."""
    verdicts = json.loads((ROOT / "claims.lock.json").read_text(encoding="utf-8"))["claims"]
    return {
        claim.id
        for claim in all_claims()
        if claim.terms is not None
        and verdicts[claim.id]["verdict"].startswith("refuted")
        and statements()[statement_id(claim.id)].role_of(claim.id, claim.repairs) is Role.MAIN
    }


@pytest.mark.parametrize("name", sorted(TWINS.keys() - APART.keys()))
def test_no_case_tells_them_apart(name: str) -> None:
    found = compared(find(name), TWINS[name], FEW)
    if not found.failing or (name in OTHER_SIDES and not found.unlike):  # more cases tell
        found = compared(find(name), TWINS[name])
    assert found.failing
    assert found.apart == []
    assert bool(found.unlike) == (name in OTHER_SIDES)


@pytest.mark.parametrize("name", APART)
def test_what_stays_apart_is_told_apart(name: str) -> None:
    few = compared(find(name), TWINS[name], FEW)
    assert few.apart or compared(find(name), TWINS[name], 3).apart


def test_what_is_called_false_has_a_twin() -> None:
    assert called_false() - TWINS.keys() == set()


@pytest.mark.parametrize(("claim", "name"), sorted(HYPOTHESES.keys() - HYPOTHESES_APART.keys()))
def test_no_case_tells_hypotheses_apart(claim: str, name: str) -> None:
    others = [find(one) for one in BORROWED.get((claim, name), ())]
    asked = find(claim), name, HYPOTHESES[claim, name], others
    both, neither, apart = hypothesis_compared(*asked, FEW)
    if not (both and neither):  # more cases tell
        both, neither, apart = hypothesis_compared(*asked)
    assert both
    assert neither
    assert apart == []


@pytest.mark.parametrize(("claim", "name"), HYPOTHESES_APART)
def test_a_hypothesis_that_stays_apart_is_told_apart(claim: str, name: str) -> None:
    others = [find(one) for one in BORROWED.get((claim, name), ())]
    asked = find(claim), name, HYPOTHESES[claim, name], others
    assert hypothesis_compared(*asked, FEW)[2] or hypothesis_compared(*asked)[2]
