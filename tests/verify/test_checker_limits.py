"""The checker on solutions known for all times: hand-made certificates, and corrupted ones."""

import copy
from fractions import Fraction
from random import Random

import pytest

from graphs.activations import LINEAR, RELU
from tests.verify import certificates as c
from verify.breaches import gram
from verify.case import Case, case_to_json
from verify.checker.restated import ACCEPT, REJECT, Declined, check, norm_at_most
from verify.rays import is_solution
from verify.structured import Plan, Spec, build
from verify.structured_pool import structured

F = Fraction
A, B = (F(3, 5), F(4, 5)), (F(3, 5), F(-4, 5))


def certificate(claim, case, entry, value):
    assert is_solution(case)
    return {
        "format": "lemmata-certificate",
        "version": 1,
        "kind": "counterexample",
        "claim": claim,
        "case": case_to_json(case),
        "entry": entry,
        "value": str(value),
    }


def case_of(plan, weights, inputs, labels, kind="ray", **choice):
    net, chosen = build(plan)
    slopes = (F(-1),) * len(inputs)
    numbers = tuple(map(F, weights))
    picked = {**chosen, "solution": kind, **choice}
    case = Case(net, numbers, inputs, tuple(map(F, labels)), slopes=slopes, choice=picked)
    return structured(case, plan)


def dense(width, activation=LINEAR):
    return Spec("dense", width, activation=activation)


def corollary():
    """Two ReLU neurons, each on its own example: W_1 has rank two."""
    plan = Plan(2, (dense(2, RELU), dense(1)), (0, 1))
    case = case_of(plan, [*A, *B, 1, 1], (A, B), (1, 1), theta=["1", "0"])
    # W_1 W_1^T has eigenvalues 1 + 7/25 and 1 - 7/25
    return certificate("lj22v1.cor1", case, {"layer": 1, "norm": "32/25"}, F(9, 25))


def alignment():
    """On the same ray v_2 is (1, 1) up to its length, the least singular direction of W_1."""
    found = corollary()
    found["entry"] = {"numbers": [1, 2], "norm": "32/25"}
    found["value"] = str(1 - F(18, 25) / F(32, 25))
    return found


def convolution():
    """A convolution with one position: T is the example itself, a 2 x 2 matrix of rank two."""
    conv = Spec("convolution", 1, size=(2,), kernel=(2,))
    example = (F(3, 5), F(0), F(0), F(4, 5))
    case = case_of(Plan(4, (conv, dense(1)), (0, 1)), [*example, 1], (example,), [1])
    return certificate("lj22.thm2-13@A", case, {"layer": 1, "norm": "16/25"}, F(9, 25))


def ratio():
    found = convolution()
    found["claim"] = "lj22.thm2-14@AB"
    return found


HAND_MADE = {f.__name__: f for f in (corollary, alignment, convolution, ratio)}


@pytest.mark.parametrize("name", HAND_MADE)
def test_hand_made_certificates_are_accepted(name):
    outcome = check(HAND_MADE[name]())
    assert outcome.code == ACCEPT, outcome.message


def test_the_norm_of_the_hand_made_ray():
    square = gram([list(A), list(B)])
    assert square == [[1, F(-7, 25)], [F(-7, 25), 1]]


def changed(found, *path, to):
    result = copy.deepcopy(found)
    place = result
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != to
    place[path[-1]] = to
    return result


CORRUPTIONS = [
    (alignment, ("claim",), "lj22.cor1-sum.domination"),  # says nothing of two layers
    (corollary, ("value",), "8/25"),
    (corollary, ("entry", "norm"), "31/25"),  # the norm is larger
    (corollary, ("entry", "layer"), 2),  # a row has rank one
    (corollary, ("entry", "layer"), 3),
    (corollary, ("case", "choice", "theta"), ["0", "1"]),
    (corollary, ("case", "choice", "solution"), "rest"),
    (corollary, ("case", "examples", 0, "y"), "-1"),
    (corollary, ("case", "examples", 0, "slope"), "-2"),
    (corollary, ("case", "examples", 0, "x"), ["3/10", "2/5"]),
    (corollary, ("case", "choice", "at"), [1]),
    (corollary, ("claim",), "lj22.cor1.fix"),  # W_1 is no linear layer
    (alignment, ("entry", "norm"), "33/25"),  # the norm is smaller
    (alignment, ("entry", "numbers"), [1, 1]),
    (convolution, ("claim",), "lj22.thm2-13.fix"),  # the factor min(a, b) is 2
    (convolution, ("claim",), "lj22v1.abs.thm2-13@A"),  # weights are 0
    (convolution, ("entry", "layer"), 2),
    (convolution, ("case", "choice", "pieces", 0, "channels"), [1, 1]),
    (ratio, ("claim",), "lj22.thm2-15.rank-one@AA"),
]


@pytest.mark.parametrize(("make", "path", "to"), CORRUPTIONS)
def test_corrupted_certificates_are_rejected(make, path, to):
    assert check(changed(make(), *path, to=to)).code == REJECT


@pytest.mark.parametrize("name", [e["parameter"] for e in corollary()["case"]["network"]["edges"]])
def test_a_ray_with_another_weight_is_rejected(name):
    found = corollary()
    weights = found["case"]["network"]["weights"]
    weights[name] = str(F(weights[name]) + F(1, 9))
    outcome = check(found)
    assert outcome.code == REJECT
    assert "margins" in outcome.message or "direction" in outcome.message


def test_the_sum_over_layers_is_about_learnable_weights():
    # 2 a^2 - (a^2 + b^2) with a' = b, b' = 0 held: its derivative is 2 a b = 12
    net = c.network(["x>h", "h>o"], weights=[2, 3])
    entry, examples = {"predicate": "the sum is constant"}, [c.example(1, slope=-1)]
    del net["weights"]["w[x->h]"]
    net["edges"][0] = {"tail": "x", "head": "h", "fixed": "2"}
    found = c.counterexample("lj22.cor1-sum.constancy@A", net, examples, entry, 12)
    code, message = check(found)
    assert code == REJECT
    assert "learnable" in message


def test_matrices_of_long_numbers_are_declined():
    random = Random(1)
    wide = range(24)
    matrix = [
        [F(random.getrandbits(2000), random.getrandbits(2000) | 1) for _ in wide] for _ in wide
    ]
    with pytest.raises(Declined):
        norm_at_most(matrix, F(1))


def test_a_norm_grows_where_every_example_is_classified_correctly():
    # nu = 2 * 3 x at x = 1: half of d/dt (a^2 + b^2) is 2 * 3 + 3 * 2
    net = c.network(["x>h", "h>o"], weights=[2, 3])
    entry = {"predicate": "the norm grows"}
    right = c.counterexample("lj22.cor1-div.fix", net, [c.example(1, slope=-1)], entry, 12)
    assert "nothing is violated" in check(right).message
    wrong = c.counterexample("lj22.cor1-div.fix", net, [c.example(1, y=-1, slope=-1)], entry, -12)
    assert check(wrong).code == REJECT
    assert "margin" in check(wrong).message
