"""Certificates of necessity: what they show, by hand, and what is not accepted for one."""

from fractions import Fraction

import pytest

from tests.verify.corruptions import changed, everywhere
from tests.verify.necessity_certificates import SIDES, STATED
from verify.checker import ACCEPTED, DECLINED, REJECTED, check

TANH = STATED["tanh"]


@pytest.mark.parametrize("name", STATED)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    corrupted = {what: made for what, made in everywhere(STATED[name]) if made != STATED[name]}
    assert not [what for what, broken in corrupted.items() if check(broken).code == ACCEPTED]
    assert len(corrupted) > 60


@pytest.mark.parametrize("name", STATED)
def test_the_same_case_is_no_counterexample(name: str) -> None:
    plain = {key: value for key, value in STATED[name].items() if key != "without"}
    assert check({**plain, "kind": "counterexample"}).code == REJECTED


@pytest.mark.parametrize("name", STATED)
def test_statements_need_what_they_need_by_hand(name: str) -> None:
    for told, by_hand in zip(STATED[name]["value"].values(), SIDES[name], strict=True):
        low, high = (Fraction(end) for end in (told if isinstance(told, list) else (told, told)))
        assert low <= high
        assert float(low) == pytest.approx(by_hand, rel=1e-8)
    assert check(STATED[name]).code == ACCEPTED
    hypotheses = [row["name"] for row in STATED[name]["statement"]["hypotheses"]]
    for other in hypotheses:
        outcome = check({**STATED[name], "without": other})
        assert (outcome.code == ACCEPTED) is (other == STATED[name]["without"])


NEAR = {
    "an enclosure beside it": ["-839/1000", "-838/1000"],
    "an enclosure that ends before it": ["-841/1000", "-840/1000"],
    "an enclosure of its opposite": ["838/1000", "840/1000"],
    "ends in disorder": ["-839/1000", "-840/1000"],
    "a number": "-84/100",
}


@pytest.mark.parametrize("name", NEAR)
def test_near_misses_of_an_enclosure_are_rejected(name: str) -> None:
    assert check(changed(TANH, "value", "left", to=["-1", "-1/2"])).code == ACCEPTED
    outcome = check(changed(TANH, "value", "left", to=NEAR[name]))
    assert outcome.code == REJECTED


@pytest.mark.parametrize(("digits", "code"), [(9, ACCEPTED), (200, DECLINED)])
def test_an_enclosure_that_is_too_narrow_to_be_met_is_declined(digits: int, code: int) -> None:
    flint = pytest.importorskip("flint", reason="the number comes from Arb, in python-flint")
    with flint.ctx.workprec(1000):
        t = flint.arb(1).tanh()
        whole = int((-4 * t * 10**digits).floor().unique_fmpz())
    ends = [f"{whole + k}/{10**digits}" for k in (0, 1)]
    assert check(changed(TANH, "value", "right", to=ends)).code == code


STILL = changed(TANH, "case", "examples", 0, "slope", to="0")
SHOWS_NOTHING = {
    "a spectrum that meets all": (
        changed(STATED["sign"], "case", "arrays", "lam", "entries", to=["2", "0"]),
        "'eigenvalues at least 0' is met",
    ),
    "a spectrum of another sum": (
        changed(STATED["sign"], "case", "arrays", "lam", "entries", to=["3", "-2"]),
        "'trace d' is not met",
    ),
    "all hypotheses hold": (
        changed(TANH, "case", "network", "vertices", 1, "activation", to="relu"),
        "'positively homogeneous activations' is met",
    ),
    "another hypothesis fails as well": (
        changed(TANH, "case", "examples", 0, "x", to=["2"]),
        "'data' is not met",
    ),
    "a weight is 0 as well": (
        changed(TANH, "case", "network", "weights", "w[h->o]", to="0"),
        "'stable signs (Assumption 1)' is not met",
    ),
    "the claim is true without it": (
        {**STILL, "value": {"left": "0", "right": "0"}},
        "what the statement says is true",
    ),
}


@pytest.mark.parametrize("name", SHOWS_NOTHING)
def test_of_statements_what_shows_nothing_is_rejected(name: str) -> None:
    certificate, reason = SHOWS_NOTHING[name]
    outcome = check(certificate)
    assert outcome.code == REJECTED
    assert reason in outcome.message
