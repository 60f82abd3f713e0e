"""Appendix F by hand: gradient descent, the inequalities (86) to (90)."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.verify.drawn_cases import case_of, net_of, seen, value_of, values_of
from verify.cases.smoothness import resloped, with_its_steps
from verify.checker import ACCEPTED, REJECTED
from verify.checker.statements import check
from verify.papers.registry import all_claims
from verify.search.certificates import certificate_of
from verify.search.drawing import draw
from verify.search.judging import judge_exactly
from verify.search.shrinking import shrink

CLAIMS = {
    claim.id.removeprefix("lj22v1.gd-"): claim
    for claim in all_claims()
    if claim.id.startswith(("lj22v1.gd-86", "lj22v1.gd-87", "lj22v1.gd-88", "lj22v1.gd-89"))
    or claim.id.startswith("lj22v1.gd-90")
}
EDGE = net_of("x>o")
STEP = {"step": 0}
SAME = {"edges": [["x", "o"], ["x", "o"]]}


def single(weight, loss, beta, **choice):
    """nu = w x at x = 1, y = 1, so R(w) = l(w)."""
    case = case_of(EDGE, {"x>o": weight}, [([1], 1, 0)], loss=loss, beta=beta, **choice)
    return resloped(case if choice.get("eta") else with_its_steps(case))


def changed(case, **choice):
    """The case with more chosen, and the steps and slopes that it then has."""
    case = case.choosing(**choice)
    return resloped(case if "eta" in choice else with_its_steps(case))


# R = w^4 - w at w = 1/4: |w| <= 1/4 has R'' <= 3/4, so eta = 1; d = 1/16 - 1 = -15/16, the next
# weight is 19/16, outside of the ball
ESCAPE = single("1/4", ["0", "-1", "0", "0", "1"], ["3/4"])
# R = (1 - w)^2 at w = 1/2: R'' = 2, eta = 1/2, d = -1; the next weight is 1, R falls from 1/4 to 0
PARABOLA = single("1/2", ["1", "-2", "1"], ["2"], squares=[["1", "-1"]])


def test_a_step_out_of_the_ball_may_climb():
    risks = [Fraction(1, 256) - Fraction(1, 4), Fraction(19, 16) ** 4 - Fraction(19, 16)]
    square = Fraction(225, 256)
    right = -square + Fraction(3, 8) * square
    assert value_of(CLAIMS["86"], ESCAPE, **STEP) == right - (risks[1] - risks[0]) < 0
    assert value_of(CLAIMS["88.b"], ESCAPE, **STEP) == -square / 2 - (risks[1] - risks[0]) < 0
    for repaired in ("86.fix", "88.b.fix"):
        assert values_of(CLAIMS[repaired], ESCAPE) == []  # beta does not hold where the step leads
        assert values_of(CLAIMS[repaired], single("1/4", ["0", "-1", "0", "0", "1"], ["3"])) == []
        [slack] = values_of(CLAIMS[repaired], single("1/4", ["0", "-1", "0", "0", "1"], ["4"]))
        assert slack >= 0


def test_a_parabola_meets_all_of_it():
    assert value_of(CLAIMS["86"], PARABOLA, **STEP) == 0  # -1/2 + 1/4 against 0 - 1/4
    assert value_of(CLAIMS["86.fix"], PARABOLA, **STEP) == 0
    assert value_of(CLAIMS["87"], PARABOLA, **STEP) == 0
    assert value_of(CLAIMS["88.a"], PARABOLA, **STEP) == 0
    assert value_of(CLAIMS["88.b"], PARABOLA, **STEP) == 0  # -1/2 (1/2) against -1/4
    assert value_of(CLAIMS["89"], PARABOLA, **STEP) == Fraction(1, 4) - Fraction(1, 8)
    # eta^2 d^2 = 1/4: half of it is too little, the risk 1/4 is just enough
    assert value_of(CLAIMS["90.a"], PARABOLA, **SAME) == Fraction(-1, 8)
    assert value_of(CLAIMS["90.b"], PARABOLA, **SAME) == 0
    assert values_of(CLAIMS["90.a.fix"], PARABOLA) == values_of(CLAIMS["90.b.fix"], PARABOLA) == []


def test_flat_risks_take_full_steps_and_the_right_side_is_below_its_value():
    flat = single("1/2", ["0", "1"], ["1/2"])  # R = w: beta = 1/2 will do, eta = 1, d = 1
    assert value_of(CLAIMS["87"], flat, **STEP) == Fraction(-3, 4) + Fraction(1, 2)
    assert value_of(CLAIMS["87.fix"], flat, **STEP) == Fraction(1, 4)
    assert value_of(CLAIMS["86"], flat, **STEP) == Fraction(1, 4)
    assert values_of(CLAIMS["86"], changed(flat, beta=["0"])) == []  # 1/beta is not there
    # R(w(1)) = -1/2: a loss that takes negative values
    assert value_of(CLAIMS["88.a"], flat, **STEP) == Fraction(-1, 2)
    assert values_of(CLAIMS["88.a.fix"], flat) == []


def test_other_step_sizes_constants_and_slopes_are_not_admitted():
    assert values_of(CLAIMS["87"], changed(PARABOLA, eta=["1"])) == []
    assert values_of(CLAIMS["87"], changed(PARABOLA, eta=["1/2"])) == [0]
    assert values_of(CLAIMS["86"], changed(PARABOLA, beta=["3/2"])) == []
    assert values_of(CLAIMS["87"], changed(PARABOLA, beta=["3/2"])) == []
    assert values_of(CLAIMS["89"], changed(PARABOLA, beta=["3/2"])) != []
    assert values_of(CLAIMS["87"], replace(PARABOLA, slopes=(Fraction(1),))) == []
    assert values_of(CLAIMS["88.a.fix"], PARABOLA.choosing(squares=[["2", "-1"]])) == []
    deep = case_of(
        net_of("x>h h>o"), {"x>h": 1, "h>o": 1}, [([1], 1, 0)], loss=["1"], beta=["1"], eta=["1"]
    )
    assert values_of(CLAIMS["86"], deep) == [0]
    skip = case_of(
        net_of("x>h h>o x>o"),
        {"x>h": 1, "h>o": 1, "x>o": 1},
        [([1], 1, 0)],
        loss=["1"],
        beta=["1"],
        eta=["1"],
    )
    assert values_of(CLAIMS["86"], skip) == []


FALSE = ["86", "87", "88.a", "88.b", "90.a", "90.b"]


def violation(name, tries=1500):
    claim, random = CLAIMS[name], Random(f"bounds {name}")
    for _ in range(tries):
        case = draw(claim, random, n=1, loss="prescribed", large=False)
        found = judge_exactly(claim, case).violations
        if found:
            return found[0]
    raise AssertionError(f"{name}: nothing found")


@pytest.mark.parametrize("name", FALSE)
def test_the_pool_finds_violations_that_the_checker_accepts(name):
    small = shrink(CLAIMS[name], violation(name), 400)
    assert (small.case.network.edge_count, small.case.example_count) == (1, 1)
    certificate = certificate_of(CLAIMS[name], small)
    told = check(certificate)
    assert told.code == ACCEPTED, told.message
    sides = certificate["value"]
    other = sides | {"right": str(Fraction(sides["right"]) - 1)}
    assert check(certificate | {"value": other}).code == REJECTED
    case, choice = certificate["case"], certificate["case"]["choice"]
    none = choice | {"beta": ["0"] * len(choice["beta"])}
    for wrong in (none, choice | {"loss": ["1"]}, choice | {"eta": ["7"]}):
        assert check(certificate | {"case": case | {"choice": wrong}}).code == REJECTED
    weak = changed(small.case, beta=[str(Fraction(b) / 1000) for b in choice["beta"]])
    assert not judge_exactly(CLAIMS[name], weak).admitted or not _curved(small.case)
    repaired = CLAIMS[f"{name}.fix"]
    if repaired.terms.domain.to_json() == CLAIMS[name].terms.domain.to_json():
        assert not [v for _, v, admitted in seen(repaired, small.case) if admitted and v < 0]


def _curved(case):
    """Whether the risk of a case with one weight has a second derivative."""
    return any(Fraction(c) for c in case.choice["loss"][2:])


@pytest.mark.parametrize("name", [n for n in CLAIMS if n not in FALSE])
def test_repaired_claims_hold_and_their_mutants_do_not(name):
    claim, random = CLAIMS[name], Random(f"repaired {name}")

    def measure(scene):
        entries = claim.measure(scene)
        less = entries.values - abs(entries.left) if len(entries) else entries.values
        return replace(entries, values=less - scene.arithmetic.array([Fraction(1, 10**6)]))

    mutant = replace(claim, measure=measure)
    held = broken = 0
    for number in range(12):
        case = draw(claim, random, n=1 + number % 2, loss="prescribed", large=False).exactly()
        found = judge_exactly(claim, case)
        assert found.violations == ()
        held += found.admitted
        broken += len(judge_exactly(mutant, case).violations)
        label = next((label for label, _, admitted in seen(claim, case) if admitted), None)
        if label is not None and held < 6:
            told = check(claim.terms.certificate("counterexample", case, label["at"]))
            assert told.code == REJECTED
            assert "what the statement says is true there" in told.message
    assert held
    assert broken
