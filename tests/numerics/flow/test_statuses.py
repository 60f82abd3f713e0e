from math import inf, nan

import numpy as np
import pytest

from graphs.activations import RELU, leaky_relu
from graphs.network import network
from numerics.flow import Forms, Options, Status, flow
from numerics.flow.options import check_until
from numerics.losses import EXPONENTIAL, HINGE, LOGISTIC, SQUARED
from numerics.program import compile_networks
from tests.numerics.flow.problems import Drawn, affine, chain, flow_of

pytest.importorskip("numba", reason="the integrator of this backend is compiled")


def line():
    return network([("x", "o")], inputs=["x"], outputs=["o"])


def test_the_limit_of_evaluations_leaves_a_partial_solution():
    options = Options(rtol=1e-10, atol=1e-12, evaluations=60)
    found = flow_of(chain(), [0.1, 0.1], [[1.0]], [1.0], 5.0, options=options)
    assert found.status is Status.EVALUATIONS_SPENT
    assert 0.0 < found.time < 5.0
    assert 60 <= found.counts.evaluations < 90
    whole = flow_of(chain(), [0.1, 0.1], [[1.0]], [1.0], found.time)
    assert found.weights == pytest.approx(whole.weights, rel=1e-8)


def test_steps_held_down_by_stability_are_called_stiff():
    # R'' = 2e4: stability holds steps below 3.3e-4, accuracy does not
    options = Options(evaluations=3000)
    found = flow_of(line(), [0.0], [[100.0]], [1.0], 1e3, options=options)
    assert found.status is Status.STIFF
    assert found.counts.stiff > 100
    assert found.weights[0] == pytest.approx(0.01, abs=1e-6)


def test_the_loss_is_reached():
    options = Options(log_risk_below=-4.0)
    found = flow_of(chain(), [0.5, 0.5], [[1.0]], [1.0], 100.0, options=options)
    assert found.status is Status.LOSS_REACHED
    assert found.log_risks[1] <= -4.0 < found.record.step_log_risks[-2]
    again = flow_of(chain(), found.weights.tolist(), [[1.0]], [1.0], 1.0, options=options)
    assert (again.status, again.time) == (Status.LOSS_REACHED, 0.0)


def test_overflow_is_not_finite():
    found = flow_of(line(), [-8.0], [[100.0]], [1.0], 1.0, EXPONENTIAL, Options())
    assert found.status is Status.NOT_FINITE
    assert found.time == 0.0
    assert np.array_equal(found.weights, found.start)


def test_a_step_too_small():
    # uphill the chain blows up after a finite time
    found = flow_of(chain(), [2.0, 2.0], [[1.0]], [1.0], 10.0, factors=[-1.0, -1.0])
    assert found.status is Status.STEP_TOO_SMALL
    assert 0.0 < found.time < 1.0
    assert np.isfinite(found.weights).all()
    assert found.weights[0] > 1e3


def test_the_limit_of_events():
    drawn = Drawn(10, seed=7)
    found = drawn.flows(3.0, options=Options(events=1))
    spent = [f for f in found if f.status is Status.EVENTS_SPENT]
    assert spent
    assert all(f.counts.events == 2 and 0.0 < f.time < 3.0 for f in spent)


def test_kinks_that_cannot_be_told_apart_are_unresolved_not_wrong():
    # on z1 = 0 the flow would slide, with slopes of p and of the u behind it that depend on each
    # other and are not solved for
    net = network(
        [("x", "p"), ("c", "p"), ("p", "u"), ("p", "o"), ("u", "o")],
        inputs=["x", "c"],
        outputs=["o"],
        constants={"c": 1},
        activations={"p": leaky_relu("1/5"), "u": RELU},
        fixed={("p", "u"): 1, ("p", "o"): 1, ("u", "o"): "1/10"},
    )
    found = flow_of(net, [0.5, 0.5], [[-1.0], [2.0]], [-1.0, 1.0], 1.0)
    assert found.status is Status.UNRESOLVED
    assert found.time == 0.0
    assert "move the starting point" in found.status.text
    beside = flow_of(net, [0.5, 0.6], [[-1.0], [2.0]], [-1.0, 1.0], 1.0)
    assert beside.status is Status.UNRESOLVED
    assert beside.time > 0.0


def test_an_equilibrium_is_finished_without_effort():
    found = flow_of(line(), [1.0], [[1.0]], [1.0], 1e9, SQUARED)
    assert found.status is Status.FINISHED
    assert found.counts.accepted < 5
    assert (found.length, found.distance) == (0.0, 0.0)


def test_every_status_says_something_of_its_own():
    texts = [status.text for status in Status]
    assert len(set(texts)) == len(texts) == 10
    assert [s for s in Status if s.complete] == [
        Status.FINISHED,
        Status.SLIDING,
        Status.LOSS_REACHED,
    ]


# batches -------------------------------------------------------------------------------------
def test_a_network_does_not_see_its_company():
    drawn = Drawn(7, seed=13, examples=9)
    options = Options(rtol=1e-7, atol=1e-9, dense=True)
    alone = [drawn.some([c]).flows(2.0, options=options, threads=1)[0] for c in range(7)]
    for order, threads in (([0, 1, 2, 3, 4, 5, 6], 3), ([5, 2, 6, 0, 3, 1, 4], 1)):
        together = drawn.some(order).flows(2.0, options=options, threads=threads)
        for c, found in zip(order, together, strict=True):
            for name, value in vars(alone[c].record).items():
                assert np.array_equal(getattr(found.record, name), value, equal_nan=True), name


def test_an_easy_network_beside_a_stiff_one_costs_no_more_than_alone():
    nets = [line(), line()]
    program = compile_networks(nets, backend="numba")
    examples = program.examples([[[1.0]], [[300.0]]], [[1.0], [1.0]])
    both = flow(program, [0.0, 0.0], examples, SQUARED, [1.0, 1.0])
    easy = flow_of(line(), [0.0], [[1.0]], [1.0], 1.0, options=Options())
    assert both[0].counts == easy.counts
    assert both[1].counts.evaluations > 100 * easy.counts.evaluations


def test_ends_may_differ():
    nets = [chain(), chain()]
    program = compile_networks(nets, backend="numba")
    examples = program.examples([[[1.0]], [[1.0]]])
    found = flow(program, [0.1, 0.1, 0.1, 0.1], examples, SQUARED, [1.0, 2.0])
    assert [f.time for f in found] == [1.0, 2.0]
    assert found.weights.shape == (4,)
    assert found[1].weights[0] > found[0].weights[0]


# misuse --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "rk4"}, "method = 'rk4': use one of dopri5, dop853"),
        ({"rtol": 0.0}, r"rtol = 0.0: give at least 1e-14, below 1"),
        ({"rtol": nan}, "rtol = nan"),
        ({"atol": -1.0}, "atol = -1.0: give a positive number"),
        ({"clock": "sun"}, "clock = 'sun': use one of time, loss"),
        ({"weight_decay": -0.1}, "weight_decay = -0.1: give 0 or more"),
        ({"weight_decay": 0.1, "clock": "loss"}, 'give 0 with clock "loss"'),
        ({"first_step": -1.0}, "first_step = -1.0"),
        ({"largest_step": 0.0}, "largest_step = 0.0"),
        ({"evaluations": 0}, "evaluations = 0: give at least 1"),
        ({"events": -1}, "events = -1"),
        ({"log_risk_below": nan}, "log_risk_below = nan"),
    ],
)
def test_options_name_what_is_wrong(given, message):
    with pytest.raises(ValueError, match=message):
        Options(**given)


def test_arguments_name_what_is_wrong():
    program = compile_networks(affine(), backend="numba")
    examples = program.examples([[[1.0]]])

    def run(weights=(0.1, 0.2), loss=SQUARED, until=1.0, **more):
        return flow(program, list(weights), examples, loss, until, **more)

    for call, message in (
        (lambda: run(weights=[1.0]), r"weights has shape \(1,\): give one flat array of 2"),
        (lambda: run(weights=[1.0, inf]), r"weights\[1\] is inf"),
        (lambda: run(loss=HINGE), "loss 'hinge': use one of logistic, exponential, squared"),
        (lambda: run(options=Options(clock="loss")), "clock \"loss\" with loss 'squared'"),
        (lambda: run(until=-1.0), r"until\[0\] = -1.0: give a positive, finite end"),
        (lambda: run(factors=[1.0]), "factors has shape"),
        (lambda: run(forms=[]), "forms of 0 networks, but the program has 1"),
        (lambda: run(forms=[[[(0, 2, 1.0)]]]), r"form 0 of network 0 has the entry \(0, 2, 1.0\)"),
        (lambda: run(forms=[[[(0, 1, nan)]]]), "coefficients must be finite"),
        (lambda: run().__getitem__(0).at(0.5), "no interpolant"),
        (lambda: run(options=Options(dense=True))[0].at(2.0), "time 2.0: the flow was followed"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="until has shape"):
        check_until([1.0, 2.0], 3)
    assert len(Forms.of(None, [3, 4]).offsets) == 3
    assert run(loss=LOGISTIC)[0].status is Status.FINISHED
