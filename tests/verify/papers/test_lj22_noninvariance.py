"""Section 4.4 by hand: an entry of the two Gram matrices."""

from random import Random

from graphs.activations import LINEAR, RELU
from graphs.families import fully_connected
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.cases.breaks import opposite_in_weights
from verify.cases.pool import Pool
from verify.core.claim import Kind
from verify.papers.registry import find

GRAM = find("lj22.lemma4")


def pair(u, v, kinds=(RELU, RELU), x=1):
    net = net_of("x>u x>v u>o v>o", dict(zip("uv", kinds, strict=True)))
    return case_of(net, {"x>u": u, "x>v": v, "u>o": 3, "v>o": 5}, [([x], 1, 1)])


def test_one_active_and_one_inactive_neuron():
    assert GRAM.kind is Kind.EXISTENCE
    # u = 1 moves with -3, v = -2 rests; out of u: -1. d/dt of 3 * 5 is 5 * -1, of 1 * -2 it is 6
    assert value_of(GRAM, pair(1, -2), at=[]) == 1
    assert value_of(GRAM, pair(-2, 1), at=[]) == 1


def test_only_such_pairs_count():
    for case in (pair(1, 2), pair(-1, -2), pair(0, -2), pair(1, -2, (LINEAR, RELU))):
        assert not any(values_of(GRAM, case))


def test_the_pool_turns_weights_against_each_other():
    pool = Pool(families=("fully connected",), losses=("prescribed",))
    turned = 0
    for seed in range(40):
        random = Random(seed)
        case = pool.fill(
            fully_connected([2, 2, 1], RELU), random, n=1, loss="prescribed", family="pair"
        )
        changed = opposite_in_weights(case, random)
        weights = changed.weight_map()
        assert all(weights[f"w[x{k}->h1.1]"] == -weights[f"w[x{k}->h1.2]"] for k in (1, 2))
        turned += any(values_of(GRAM, changed))
    assert turned > 20
