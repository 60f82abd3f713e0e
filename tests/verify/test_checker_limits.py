"""The checker on solutions known for all times: hand-made certificates, and corrupted ones."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.corruptions import changed
from tests.verify.ray_certificates import RAYS, A, B
from verify.breaches import gram
from verify.checker.restated import ACCEPT, REJECT, Declined, check, norm_at_most

F = Fraction


@pytest.mark.parametrize("name", RAYS)
def test_hand_made_certificates_are_accepted(name):
    outcome = check(RAYS[name])
    assert outcome.code == ACCEPT, outcome.message


def test_the_norm_of_the_hand_made_ray():
    square = gram([list(A), list(B)])
    assert square == [[1, F(-7, 25)], [F(-7, 25), 1]]


CORRUPTIONS = [
    ("alignment", ("claim",), "lj22.cor1-sum.domination"),  # says nothing of two layers
    ("corollary", ("value",), "8/25"),
    ("corollary", ("entry", "norm"), "31/25"),  # the norm is larger
    ("corollary", ("entry", "layer"), 2),  # a row has rank one
    ("corollary", ("entry", "layer"), 3),
    ("corollary", ("case", "choice", "theta"), ["0", "1"]),
    ("corollary", ("case", "choice", "solution"), "rest"),
    ("corollary", ("case", "examples", 0, "y"), "-1"),
    ("corollary", ("case", "examples", 0, "slope"), "-2"),
    ("corollary", ("case", "examples", 0, "x"), ["3/10", "2/5"]),
    ("corollary", ("case", "choice", "at"), [1]),
    ("corollary", ("claim",), "lj22.cor1.fix"),  # W_1 is no linear layer
    ("alignment", ("entry", "norm"), "33/25"),  # the norm is smaller
    ("alignment", ("entry", "numbers"), [1, 1]),
    ("convolution", ("claim",), "lj22.thm2-13.fix"),  # the factor min(a, b) is 2
    ("convolution", ("claim",), "lj22v1.abs.thm2-13@A"),  # weights are 0
    ("convolution", ("entry", "layer"), 2),
    ("convolution", ("case", "choice", "pieces", 0, "channels"), [1, 1]),
    ("ratio", ("claim",), "lj22.thm2-15.rank-one@AA"),
]


@pytest.mark.parametrize(("name", "path", "to"), CORRUPTIONS)
def test_corrupted_certificates_are_rejected(name, path, to):
    wrong = changed(RAYS[name], *path, to=to)
    assert wrong != RAYS[name]
    assert check(wrong).code == REJECT


NETWORK = RAYS["corollary"]["case"]["network"]


@pytest.mark.parametrize("name", NETWORK["weights"])
def test_a_ray_with_another_weight_is_rejected(name):
    more = str(F(NETWORK["weights"][name]) + F(1, 9))
    outcome = check(changed(RAYS["corollary"], "case", "network", "weights", name, to=more))
    assert outcome.code == REJECT
    assert "margins" in outcome.message or "direction" in outcome.message


def test_matrices_of_long_numbers_are_declined():
    random = Random(1)
    wide = range(24)
    matrix = [
        [F(random.getrandbits(2000), random.getrandbits(2000) | 1) for _ in wide] for _ in wide
    ]
    with pytest.raises(Declined):
        norm_at_most(matrix, F(1))
