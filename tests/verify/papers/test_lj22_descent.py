"""Appendix F by hand: gradient descent, the identities (72) to (85)."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, net_of, seen, value_of, values_of
from verify.checker import ACCEPTED, REJECTED
from verify.checker.statements import check
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.expanded import EXAMPLES
from verify.methods.schema import schema
from verify.methods.symbolic import stated_residuals
from verify.papers.registry import all_claims, find
from verify.search.certificates import certificate_of
from verify.search.drawing import draw
from verify.search.judging import judge_exactly
from verify.search.shrinking import shrink

PAIR = {"pair": ["u", "v"]}
NET = net_of("x>u x>v u>o v>o")
WEIGHTS = {"x>u": 1, "x>v": 2, "u>o": 1, "v>o": 1}
# nu = 3 x at x = 1, l' = 1: d = (1, 1, 1, 2) in the order of the weights; one step of size 1/2
# leads to (1/2, 3/2, 1/2, 0)
CASE = case_of(NET, WEIGHTS, [([1], 1, 1)], eta=["1/2"])
TURNED = case_of(NET, WEIGHTS | {"x>v": -2}, [([1], 1, 1)], eta=["1/2"])
BENT = case_of(
    net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU}),
    WEIGHTS | {"x>v": -2},
    [([1], 1, 1)],
    eta=["1/2"],
)


def value(name, case=CASE, **label):
    return value_of(find(f"lj22v1.gd-{name}"), case, **label)


def test_one_step_by_hand():
    for number in ("75.73", "75.74", "75.75", "76"):
        assert values_of(find(f"lj22v1.gd-{number}"), CASE) == [0, 0, 0, 0]
    assert values_of(find("lj22v1.gd"), CASE.choosing(loss=["0", "1"])) == [0, 0, 0, 0]
    assert values_of(find("lj22v1.gd"), CASE.choosing(loss=["0", "2"])) == []  # l' is 1


def test_path_sums_and_signs():
    # w d = -2 on the edge x > v of TURNED, and mu' has the derivative -1 there: -|-2| 1
    for case in (CASE, TURNED):
        assert value("77@B1", case, step=0, edge=["x", "v"]) == 0
        for name in ("79@B1", "80@BB1", "80.b@B"):
            assert value(name, case, vertex="v") == 0


def test_pairs_lose_the_factor_two():
    # (81): 3/4 - 2 - 1/4 = -3/2; (82): -2 (1/2) (2 + 1) = -3; out-edges: 0 - 1 - 1/2 = -3/2
    assert value("82", **PAIR) == Fraction(3, 2)
    assert value("82.fix", **PAIR) == 0
    assert value("84.b", **PAIR) == 0
    assert value("85@B", **PAIR) == Fraction(-3, 2)
    assert value("85@B.fix", **PAIR) == 0
    assert value("85.b@B", **PAIR) == 0


def test_jagged_paths_lose_the_sign():
    # cross terms -2 + 1 = -1, so (82) is 1; jagged: |-2| 1 - 1 1 = 1, so (83) is -1
    assert value("83@AB1", TURNED, **PAIR) == 2
    assert value("83@AB1.fix", TURNED, **PAIR) == 0
    # out-edges: d_uo = 1, d_vo = -2, cross -2 + 1; both out-weights are positive
    assert value("84@BB1", TURNED, **PAIR) == 0
    away = case_of(NET, WEIGHTS | {"v>o": -1}, [([1], 1, 1)], eta=["1/2"])
    # d_uo = 1, d_vo = 2: cross -1 + 2 = 1; jagged by B: 1 |-1| - 2 |1| = -1
    assert value("84@BB1", away, **PAIR) == 2
    assert value("84@BB1.fix", away, **PAIR) == 0
    assert value("83@AB1", **PAIR) == value("84@BB1", **PAIR) == 0


def test_unequal_patterns_keep_in_and_out_apart():
    # v is inactive: d = (1, 0, 1, 0); in: -2 (1/2) (-2) = 2, out: -2 (1/2) 1 = -1
    assert value("84.b", BENT, **PAIR) == 3
    assert values_of(find("lj22v1.gd-84.b.fix"), BENT) == []
    assert values_of(find("lj22v1.gd-85.b@B.fix"), BENT) == []
    # (81): (1/2) (-2) + 2 - 0 = 1; (85): (1/2) 1 - 1 = -1/2
    assert value("85.b@B", BENT, **PAIR) == Fraction(3, 2)


def test_later_steps_count():
    # two steps of the linear loss l(z) = z: w(1) as above, d(w(1)) = (1/2, 0, 1/2, 3/2)
    twice = CASE.choosing(eta=["1/2", "1"], slopes=[["1"]])
    assert value("82.fix", twice, **PAIR) == 0
    # w(2) = (0, 3/2, 0, -3/2): (81) is 0 - 2 - 1/4 - 0 = -9/4; cross terms 3/2 + 1 (3/2)(1/2)
    assert value("82", twice, **PAIR) == Fraction(-9, 4) + 2 * Fraction(9, 4)
    assert values_of(find("lj22v1.gd-76"), twice) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ({"eta": []}, "no step"),
        ({"eta": ["-1"]}, "a negative step"),
        ({"eta": ["1/2", "1/2"]}, "no slopes at the second step"),
        ({"eta": ["0", "1/2"], "slopes": [["2"]]}, "two slopes at one margin"),
    ],
)
def test_what_is_no_descent_is_not_admitted(choice, why):
    case = CASE.choosing(**choice)
    assert values_of(find("lj22v1.gd-76"), case) == [], why


def test_kinks_and_zero_weights_on_the_way_are_not_admitted():
    bent = net_of("x>h h>o", {"h": RELU})
    # d_xh = 1, so the second point has pre-activation and weight 0
    case = case_of(bent, {"x>h": 1, "h>o": 1}, [([1], 1, 1)], eta=["1", "1"], slopes=[["2"]])
    assert values_of(find("lj22v1.gd-76"), case) == []
    flat = case_of(net_of("x>h h>o"), {"x>h": 1, "h>o": 1}, [([1], 1, 1)], eta=["1"])
    assert values_of(find("lj22v1.gd-79@B1"), flat) == [0]
    assert values_of(find("lj22v1.gd-79@B1"), flat.choosing(eta=["1", "1"], slopes=[["2"]])) == []


# mutants ------------------------------------------------------------------------------------------
FALSE = ["82", "83@AB1", "84@BB1", "84.b", "85@B", "85.b@B"]
TRUE = [
    claim
    for claim in all_claims()
    if claim.id.startswith(("lj22v1.gd-7", "lj22v1.gd-80", "lj22v1.gd-82", "lj22v1.gd-83"))
    or claim.id.startswith(("lj22v1.gd-84", "lj22v1.gd-85"))
    if claim.id.removeprefix("lj22v1.gd-") not in FALSE
]


def doubled(claim):
    """The claim with its left side doubled."""

    def measure(scene):
        entries = claim.measure(scene)
        return replace(entries, values=entries.values + entries.left)

    return replace(claim, measure=measure)


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.id)
def test_true_claims_hold_and_their_mutants_do_not(claim):
    random = Random(claim.id)
    held = broken = 0
    for number in range(30):
        case = draw(claim, random, n=1 + number % 2, loss="prescribed", large=False)
        found = judge_exactly(claim, case)
        assert found.violations == ()
        held += found.admitted
        broken += len(judge_exactly(doubled(claim), case).violations)
        if held and broken:
            break
    assert held
    assert broken


@pytest.mark.parametrize("name", ["80.b@B", "82.fix", "79@B1", "83@AB1.fix", "82", "83@AB1"])
def test_symbols_tell_true_claims_from_false_ones(name):
    claim = find(f"lj22v1.gd-{name}")
    net = net_of("x1>u x1>v u>o v>o", {"u": RELU, "v": RELU})
    found = stated_residuals(claim.terms, net, EXAMPLES)
    vanishing = [scene.symbols.is_zero(residual) for residual, _, scene in found]
    assert vanishing
    assert all(vanishing) is (name not in FALSE)


def test_arguments_hold_and_are_about_their_claims():
    context = Context(budget_named("smoke"))
    proved = [c for c in all_claims() if c.id.startswith("lj22v1.gd") and c.proof is not None]
    assert len(proved) >= 14
    for claim in proved:
        assert schema(claim, context).outcome.value == "argues", claim.id


# the checker --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", FALSE)
def test_the_checker_accepts_violations_and_nothing_near_them(name):
    claim = find(f"lj22v1.gd-{name}")
    random = Random(name)
    found = ()
    while not found:
        case = draw(claim, random, n=1, loss="prescribed", large=False)
        found = judge_exactly(claim, case).violations
    certificate = certificate_of(claim, shrink(claim, found[0], 400))
    told = check(certificate)
    assert told.code == ACCEPTED, told.message
    sides = certificate["value"]
    other = sides | {"left": str(Fraction(sides["left"]) + 1)}
    assert check(certificate | {"value": other}).code == REJECTED
    choice = certificate["case"]["choice"]
    for wrong in (
        {"eta": []},
        {"eta": ["-1"]},
        {"eta": [*choice["eta"], "1", "1"]},
        {"beta": ["1"]},
    ):
        changed = certificate["case"] | {"choice": choice | wrong}
        assert check(certificate | {"case": changed}).code == (2 if "beta" in wrong else REJECTED)


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.id)
def test_the_checker_finds_true_claims_true(claim):
    random = Random(f"checker {claim.id}")
    for _ in range(60):
        case = draw(claim, random, n=2, loss="prescribed", large=False).exactly()
        if judge_exactly(claim, case).admitted:
            break
    entries = [label for label, _, admitted in seen(claim, case)[:3] if admitted]
    assert entries
    for label in entries:
        told = check(claim.terms.certificate("counterexample", case, label["at"]))
        assert told.code == REJECTED
        assert "what the statement says is true there" in told.message
