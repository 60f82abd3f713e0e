"""Appendix A and Section 3.1 of Daneshmand et al. (2020): layers, ranks, whitening, by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.arrays import violated
from tests.verify.papers.dkbhl20_cases import case, met, number_of, says, truth_of
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.core.evidence import Outcome
from verify.language.building import rank
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import appendix_a, chain, section3, step_cases
from verify.papers.dkbhl20.appendix_a import HIDDEN
from verify.papers.dkbhl20.notation import H, batch_normalised, no_row_vanishes, second_moment
from verify.papers.registry import find

SMOKE, CI = (looking(name) for name in ("smoke", "ci"))
F = Fraction


def claim(name):
    return find(f"dkbhl20.{name}")


def layer(rows, weights, gamma, number=1, alpha=0, beta=1):
    size = len(rows)
    return case(H=rows, W=weights, gamma=gamma, alpha=[alpha] * size, beta=[beta] * size, l=number)


def test_normalisation_by_hand():
    # row (3, 1, 1, 1): M = 12/4 = 3 has no rational root; (3, 4, 0, 0): M = 25/4
    found = case(H=[[3, 4, 0, 0]])
    assert number_of(second_moment(H)[1, 1], found) == F(25, 4)
    assert number_of(batch_normalised(H)[1, 2], found) == F(8, 5)
    assert not truth_of(no_row_vanishes(H), case(H=[[1, 0], [0, 0]]))


def test_norms_of_rows_by_hand():
    rows, weights = [[3, 3], [1, -1]], [[0, 0], [1, 0]]  # rows (3, 3), (4, 2) before BN
    plain = layer(rows, [[0, 0], [0, 0]], 1)
    assert says(claim("def_chain.c"), plain)
    assert number_of(HIDDEN[2, 2], plain) == -1
    assert not says(claim("def_chain.c"), layer(rows, [[0, 0], [0, 0]], 1, 0))  # the input itself
    assert not says(claim("def_chain.c"), layer(rows, [[0, 0], [0, 0]], 1, beta=2))
    shifted = layer([[1, 1]], [[0]], 1, alpha=1)
    assert number_of(HIDDEN[1, 1], shifted) == 2
    assert not says(claim("def_chain.c"), shifted)
    assert says(claim("def_chain.c"), layer([[0, 0]], [[5]], 1)) is None  # no layer
    assert not met(claim("def_chain.c"), "no row is 0 before BN", layer([[0, 0]], [[5]], 1))
    assert number_of(step_cases.BEFORE[2, 1], layer(rows, weights, 1)) == 4


def test_cases_of_one_step_have_rational_roots():
    random = Random(2)
    step = claim("def_chain.d")
    for _ in range(40):
        assert says(step, step.pool.draw(random))


def test_properties_by_hand():
    one = case(H=[[1, 1], [-1, -1]])
    assert says(claim("p1p2.a"), one)
    assert says(claim("p1p2.c"), one)
    assert violated(claim("p1p2.b"), one)
    assert says(claim("p1p2.b.fix"), one)
    apart = case(H=[[1, 1], [F(1, 5), F(7, 5)], [1, -1]])  # M_12 = 4/5, M_13 = 0, M_23 = -3/5
    assert says(claim("p1p2.b"), apart)
    long = case(H=[[2, 2]])
    assert not says(claim("p1p2.a"), long)
    assert not violated(claim("p1p2.a"), long)  # no layer
    assert says(claim("def_r.c@A"), case(H=[[1, 1], [1, -1]]))
    assert not says(claim("def_r.c@A"), case(H=[[1, 0], [0, 2]]))


def test_ranks_along_the_chain_by_hand():
    lost = case(H=[[1, 1], [1, -1]], W=[[-1, 1], [0, 0]], gamma=1, s=1)  # both rows are the second
    assert number_of(rank(step_cases.BEFORE), lost) == 1
    assert says(claim("rank_noninc"), lost)
    bent = case(H=[[1, -1], [-1, 1]], W=[[0, 0], [0, 0]], gamma=1, s=0)
    assert not says(claim("rank_noninc"), bent)
    assert not violated(claim("rank_noninc"), bent)  # no linear network


def test_whitening_by_hand():
    # B = ((2, 2), (1, -1)): M = diag(4, 1), R = diag(1/2, 1)
    full = case(H=[[2, 2], [1, -1]], W=[[0, 0], [0, 0]], gamma=1, R=[[F(1, 2), 0], [0, 1]])
    whitening = claim("whitening")
    assert all(met(whitening, given.name, full) for given in whitening.hypotheses)
    assert says(whitening, full)
    other = case(H=[[2, 2], [1, -1]], W=[[0, 0], [0, 0]], gamma=1, R=[[F(-1, 2), 0], [0, 1]])
    assert not met(whitening, "inverse root", other)  # it is not positive semidefinite
    lower = case(H=[[1, 1], [1, 1]], W=[[0, 0], [0, 0]], gamma=1, R=[[1, 0], [0, 1]])
    assert not met(whitening, "invertible before BN", lower)
    random = Random(4)
    for _ in range(20):
        drawn = whitening.pool.draw(random)
        assert all(met(whitening, given.name, drawn) for given in whitening.hypotheses)


# verdicts -----------------------------------------------------------------------------------------
def test_two_equal_rows_refute():
    evidence = pointwise(claim("p1p2.b"), CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == 0


CLAIMS = [c for m in (appendix_a, chain, section3) for c in m.CLAIMS if c.proof is not None]


@pytest.mark.parametrize("argued", CLAIMS, ids=lambda c: c.id)
def test_arguments_hold_and_no_case_speaks_against_them(argued):
    assert schema(argued, SMOKE).outcome is Outcome.ARGUES
    assert pointwise(argued, SMOKE).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("def_chain.c", "layer above 0"),
        ("def_chain.c", "alpha is 0"),
        ("def_chain.c", "beta is 1"),
        ("rank_noninc", "linear network"),
        ("def_r.c@A", "normalised rows"),
        ("p1p2.a", "normalised rows"),
        ("p1p2.b.fix", "normalised rows"),
        ("p1p2.c", "normalised rows"),
    ],
)
def test_hypotheses_that_are_needed_are_shown_to_be(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(claim(name), CI).needs}
    assert needs[hypothesis].needed
    assert check(needs[hypothesis].certificate).code == 0


def test_a_wrong_step_is_no_argument(monkeypatch):
    monkeypatch.setattr(appendix_a, "moments", lambda ring, hidden: hidden @ hidden.T)
    assert not appendix_a.diagonal_is_one().holds
