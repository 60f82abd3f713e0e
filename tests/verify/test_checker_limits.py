"""The checker on solutions known for all times: hand-made certificates, and corrupted ones."""

from copy import deepcopy
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.corruptions import DELETED, changed
from tests.verify.ray_certificates import RAYS, SIDES
from verify.checker import check
from verify.papers.registry import find

F = Fraction
ACCEPT, REJECT, DECLINE = 0, 1, 2


@pytest.mark.parametrize("name", RAYS)
def test_hand_made_certificates_are_accepted(name):
    outcome = check(RAYS[name])
    assert outcome.code == ACCEPT, outcome.message
    for side, by_hand in zip(RAYS[name]["value"].values(), SIDES[name], strict=True):
        low, high = side if isinstance(side, list) else (side, side)
        assert F(low) <= by_hand <= F(high)


def of_another(name, claim):
    return changed(RAYS[name], "statement", to=find(claim).terms.to_json())


CORRUPTIONS = [
    ("corollary", ("value", "left"), "1"),
    ("others", ("value", "right"), ["31/25", "63/50"]),
    ("corollary", ("at",), [0, 2]),  # a row has rank one
    ("corollary", ("at",), [0, 3]),
    ("corollary", ("at",), [0, 0]),
    ("alignment", ("at",), [1, 2]),
    ("corollary", ("case", "choice", "theta"), ["0", "1"]),
    ("corollary", ("case", "choice", "theta"), ["-1", "0"]),
    ("corollary", ("case", "choice", "theta"), ["1"]),
    ("corollary", ("case", "choice", "theta"), ["1", "0", "0"]),
    ("corollary", ("case", "examples", 0, "y"), "-1"),
    ("corollary", ("case", "examples", 0, "slope"), "-2"),  # equal margins have one slope
    ("corollary", ("case", "examples", 0, "x"), ["3/10", "2/5"]),
    ("convolution", ("at",), [2]),
    ("convolution", ("case", "examples", 0, "slope"), "1"),
    ("ratio", ("at",), [1, 1]),  # the ratio is at most 1
]


@pytest.mark.parametrize(("name", "path", "to"), CORRUPTIONS)
def test_corrupted_certificates_are_rejected(name, path, to):
    wrong = changed(RAYS[name], *path, to=to)
    assert wrong != RAYS[name]
    assert check(wrong).code == REJECT


OTHERS = [
    ("corollary", "lj22.cor1.fix", "a condition on the way is not met"),  # W_1 is no linear layer
    ("convolution", "lj22.thm2-13.fix", "the left side is 1/2, not 1"),  # min(a, b) is 2
    ("convolution", "lj22v1.abs.thm2-13@A", "'no zero weight' is not met"),
]


@pytest.mark.parametrize(("name", "claim", "reason"), OTHERS)
def test_they_refute_no_claim_that_says_less(name, claim, reason):
    outcome = check(of_another(name, claim))
    assert outcome.code == REJECT
    assert reason in outcome.message


NETWORK = RAYS["corollary"]["case"]["network"]
SOLUTION = "'gradient flow, Assumptions 1 and 3' is not met"


@pytest.mark.parametrize("hair", [F(1, 9), F(1, 10**12), F(1, 10**60)])
@pytest.mark.parametrize("name", NETWORK["weights"])
def test_a_ray_with_another_weight_is_rejected(name, hair):
    more = str(F(NETWORK["weights"][name]) + hair)
    outcome = check(changed(RAYS["others"], "case", "network", "weights", name, to=more))
    assert outcome.code == REJECT
    assert SOLUTION in outcome.message


# what is said of the layers is held against the graph ---------------------------------------------
def corrupted_lists(certificate):
    """Certificates in which a list of layers is not so."""
    for name, value in certificate["case"]["choice"].items():
        if name == "theta":
            continue
        yield f"no {name}", changed(certificate, "case", "choice", name, to=DELETED)
        yield f"{name} is empty", changed(certificate, "case", "choice", name, to=[])
        if value:
            yield f"{name} less", changed(certificate, "case", "choice", name, to=value[:-1])
            more = [*value, value[0]]
            yield f"{name} twice", changed(certificate, "case", "choice", name, to=more)
        if len(value) > 1 and value[0] != value[-1]:
            yield f"{name} turned", changed(certificate, "case", "choice", name, to=value[::-1])


# of the last layer, which is dense, P and Q tell nothing; W is a set
UNASKED = {"P less", "P twice", "Q less", "Q twice", "W twice", "W turned"}


@pytest.mark.parametrize("name", RAYS)
def test_other_layers_are_not_accepted(name):
    broken = dict(corrupted_lists(RAYS[name]))
    accepted = {what for what, wrong in broken.items() if check(wrong).code == ACCEPT}
    assert accepted <= UNASKED
    assert len(broken) > 3


JUNK = [None, True, -1, 10**40, 0.5, "", "x", "1/3", [], {}, [[]], {"x": 1}, [10**12], [-1], [0]]


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(RAYS)))
def test_junk_in_the_lists_never_breaks_the_checker(random, name):
    for _ in range(5):
        certificate = deepcopy(RAYS[name])
        place = certificate["case"]["choice"]
        key = random.choice(sorted(place))
        while isinstance(place[key], (dict, list)) and place[key] and random.random() < 0.8:
            place = place[key]
            key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place[key] = random.choice(JUNK)
        outcome = check(certificate)
        assert outcome.code in (ACCEPT, REJECT, DECLINE)
        assert "\n" not in outcome.message
