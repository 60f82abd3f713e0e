"""The laws that graphs.laws finds, along computed flows: named ones and those without a name."""

import numpy as np
import pytest

from graphs.activations import LINEAR, RELU, TANH
from graphs.composition import compose, linear_head
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.laws import find_laws
from graphs.residual import residual_block
from numerics.flow import Options, flow
from numerics.losses import LOGISTIC
from numerics.program import compile_networks

pytest.importorskip("numba", reason="the integrator of this backend is compiled")

OPTIONS = Options(rtol=1e-6, atol=1e-8)
BLOCK = residual_block("identity", 2, 3, inner=RELU, outer=LINEAR)
NETWORKS = {
    "filter and head of one size": linear_head(convolution(4, (1, 2), 2)),
    "circular": linear_head(convolution(3, (1, 2), 3, 1, 1, mode="circular")),
    "ReLU channels": linear_head(convolution(5, (2, 2), 3, activation=RELU)),
    "stream": compose(fully_connected([3, 2]), BLOCK, BLOCK, fully_connected([2, 1])),
    "around tanh": fully_connected([2, 3, 2, 2, 1], [RELU, TANH, LINEAR]),
    "linear layers": fully_connected([3, 3, 2, 1], LINEAR),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_found_laws_hold_to_rounding_and_one_that_is_changed_does_not(name):
    net = NETWORKS[name]
    laws = [law for law in find_laws(net).laws if not law.linear]
    forms = [[(e, f, float(c)) for e, f, c in law.terms] for law in laws]
    changed = [(e, f, x * (1.001 if k else 1.0)) for k, (e, f, x) in enumerate(forms[-1])]
    random = np.random.default_rng(3)
    program = compile_networks(net, backend="numba")
    inputs = random.standard_normal((6, len(net.free_inputs)))
    examples = program.examples([inputs], [random.choice([-1.0, 1.0], 6)])
    weights = 0.7 * random.standard_normal(net.parameter_count)
    found = flow(
        program, weights, examples, LOGISTIC, 2.0, options=OPTIONS, forms=[[*forms, changed]]
    )[0]
    assert found.distance > 1e-2  # it moved
    *balances, wrong = found.balances
    assert len(balances) == len(laws) > 1
    for balance in balances:
        assert max(balance.residuals / np.maximum(balance.bounds, 1e-300)) < 1.0
    assert max(wrong.residuals / np.maximum(wrong.bounds, 1e-300)) > 100.0
