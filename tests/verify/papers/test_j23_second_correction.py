"""Second corrections of linear maps: by hand, against numpy, and what the engine says."""

from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest

from tests.verify.language.values import case, worth
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.methods.necessity import necessity
from verify.papers.j23 import operator_norm
from verify.papers.j23 import second_correction as linear
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.operator_norm import second_correction
from verify.papers.registry import find
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

CI = looking("ci", 2)
CORRECTION = second_correction(linear.A)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([[3]], log(9) ** 2 / 2),
        ([[0, 0], [0, 5]], log(25) ** 2 / 2),
        ([[0, 0]], 0),
        # eigenvalues 4 and 1/9: (log 4)^2 + (log 9)^2, halved
        ([[2, 0], [0, Fraction(-1, 3)]], (log(4) ** 2 + log(9) ** 2) / 2),
    ],
)
def test_the_second_correction_by_hand(rows, told):
    assert worth(CORRECTION, case(A=rows)) == pytest.approx(told)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_coefficient_of_the_expansion(seed):
    random = Random(seed)
    rows = [[Fraction(random.randint(-9, 9), 4) for _ in range(3)] for _ in range(2)]
    sizes = np.linalg.svd(np.array(rows, dtype=float), compute_uv=False)
    sizes, depth = sizes[sizes > 1e-9], 1e4
    rest = depth * np.expm1(2 / depth * np.log(sizes)).sum() - 2 * np.log(sizes).sum()
    assert worth(CORRECTION, case(A=rows)) == pytest.approx(depth * rest, rel=1e-2)


def slack(term, **arrays):
    """Of an inequality: the larger side minus the other."""
    one, other = (worth(side, case(**arrays)) for side in term.args)
    return one - other if term.op == "ge" else other - one


def test_compositions_by_hand():
    # 2 after 3: sqrt 2 (log 2 + log 3 - log 6); 2 after 1/2: sqrt 2 (2 log 2)
    assert slack(linear.ROOTS, A=[[2]], B=[[3]]) == pytest.approx(0, abs=1e-12)
    found = slack(linear.ROOTS, A=[[2]], B=[[Fraction(1, 2)]])
    assert found == pytest.approx(8**0.5 * log(2))
    # at p = 1/4: 2 (log 3)^2 / (1/4) + 2 (log 2)^2 / (3/4) - 2 (log 6)^2
    for term in (linear.SHARES, linear.BELOW_AND_ABOVE):
        found = slack(term, A=[[2]], B=[[3]], p=Fraction(1, 4))
        assert found == pytest.approx(8 * log(3) ** 2 + 8 / 3 * log(2) ** 2 - 2 * log(6) ** 2)


def test_sums_by_hand():
    found = slack(linear.ADDED, A=[[2]], B=[[2]])
    assert found == pytest.approx(4 * log(2) ** 2 - 2 * log(4) ** 2)


def test_hypotheses_by_hand():
    rank_one = {"A": [[3, 4]], "B": [[3], [4]]}
    assert worth(linear.EQUAL_RANKS.holds, case(**rank_one))
    assert worth(linear.LOGS_ADD.holds, case(**rank_one))
    assert not worth(linear.LOGS_ADD.holds, case(A=[[3, 4]], B=[[1], [0]]))
    assert not worth(linear.EQUAL_RANKS.holds, case(A=[[1, 0], [0, 1]], B=[[1], [0]]))
    apart = {"A": [[2, 0], [0, 0]], "B": [[0, 0], [0, 3]]}
    assert worth(linear.RANKS_ADD.holds & linear.SUM_LOGS_ADD.holds, case(**apart))
    assert worth(linear.SUM_LOGS_ADD.holds, case(A=[[2]], B=[[2]]))
    assert not worth(linear.RANKS_ADD.holds, case(A=[[2]], B=[[2]]))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["prop4.1.linear", "prop4.2.linear", "prop4.eq1.linear"])
def test_repairs_reach_all_shapes(name, seed):
    claim, random = find(f"j23.{name}"), Random(seed)
    made = repair(claim, claim.pool.draw(random), random)
    judged = judge_exactly(claim, made)
    assert judged.admitted
    assert not judged.violations


@pytest.mark.parametrize(
    "name",
    [
        "prop4.1.linear",
        "prop4.2.linear",
        "prop4.eq1.linear",
        "prop4.tail.second",
    ],
)
def test_what_can_be_broken_is_needed_and_certified(name):
    claim = find(f"j23.{name}")
    found = necessity(claim, CI)
    needed = {need.hypothesis for need in found.needs if need.needed}
    assert needed == {h.name for h in claim.hypotheses if h.break_ is not None}
    assert all(check(n.certificate).code == 0 for n in found.needs if n.needed)


PROVED = [claim for claim in (*linear.CLAIMS, *operator_norm.CLAIMS) if claim.proof is not None]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    from verify.search.arguments import beside_the_point

    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_an_argument_notices_a_wrong_transpose(monkeypatch):
    right = proofs.SymbolScene.transpose
    assert proofs.sums().holds
    monkeypatch.setattr(proofs.SymbolScene, "transpose", lambda s, m: 2 * right(s, m))
    assert not proofs.sums().holds
