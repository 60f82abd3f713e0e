"""Programs: both backends against exact values, autograd, each other and themselves unbatched."""

import multiprocessing
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import SIGMOID, SOFTPLUS, TANH
from graphs.arithmetic import as_fraction
from graphs.evaluation import Union, evaluate
from graphs.network import network
from graphs.random_graphs import random_dag
from graphs.rationals import RATIONALS
from graphs.strategies import networks
from numerics.losses import EXPONENTIAL, HINGE, LOGISTIC, LOSSES, SQUARED
from numerics.program import compile_networks
from tests.numerics.drawn_batches import (
    BACKENDS,
    assert_within,
    batches,
    drawn_networks,
    output_gradients,
    program_of,
)

each_backend = pytest.mark.parametrize("backend", BACKENDS)
needs_numba = pytest.mark.skipif("numba" not in BACKENDS, reason="Numba is not installed")
needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


def random_batch(seed: int, sizes=((12, 8), (30, 5), (20, 17), (25, 40), (9, 1))):
    """Larger ReLU networks with float weights, and examples that fill blocks of every width."""
    random, generator = Random(seed), np.random.default_rng(seed)
    nets = [random_dag(random, 3, hidden, 0.3) for hidden, _ in sizes]
    weights = [generator.standard_normal(net.parameter_count) for net in nets]
    inputs = [generator.standard_normal((count, 3)) for _, count in sizes]
    labels = [generator.choice([-1.0, 1.0], size=count) for _, count in sizes]
    return nets, weights, inputs, labels


def run(batch, method, *rest, backend, **options):
    """The parts of a program's answer, one for each network of the batch."""
    nets, weights, inputs, labels = batch
    program = compile_networks(nets, backend=backend, **options)
    examples = program.examples(inputs, labels)
    answer = getattr(program, method)(program.weights(weights), examples, *rest)
    if method == "risk":
        return list(answer)
    return program.split(answer) if isinstance(answer, torch.Tensor) else list(answer)


def alone(batch, c):
    return tuple([part[c]] for part in batch)


# against exact values ------------------------------------------------------------------------
@each_backend
@given(batch=batches())
@settings(max_examples=40)
def test_values_and_gradients_lie_in_the_enclosures(backend, batch):
    program, weights, examples = program_of(batch, backend)
    outputs = program.forward(weights, examples)
    pre = program.preactivations(weights, examples)
    gradients = output_gradients(program, weights, examples)
    for c, drawn in enumerate(batch):
        truth = drawn.ball_evaluation()
        assert_within(outputs[c], truth.post[np.array(drawn.net.outputs)])
        assert_within(pre[c], truth.pre)
        for found, ball in zip(gradients[c], drawn.ball_gradients(truth, 0), strict=True):
            assert_within(found, ball)


@each_backend
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@given(batch=batches())
@settings(max_examples=15)
def test_risk_gradients_lie_in_the_enclosures(backend, loss, batch):
    program, weights, examples = program_of(batch, backend)
    parts = program.split(program.risk_gradient(weights, examples, loss))
    for drawn, part in zip(batch, parts, strict=True):
        for found, ball in zip(
            part, drawn.ball_risk_gradient(drawn.ball_evaluation(), loss), strict=True
        ):
            assert_within(found, ball)


@each_backend
@given(data=st.data())
@settings(max_examples=30)
def test_small_dyadic_networks_are_exact(backend, data):
    """Where every number on the way is a short dyadic, no rounding happens at all."""
    nets = networks(max_hidden=3, max_outputs=2, sharing=True)
    drawn = data.draw(drawn_networks(nets.filter(lambda net: "leaky" not in str(net.activations))))
    quarters = [Fraction(round(4 * w), 4) for w in drawn.weights]
    inputs = np.round(4 * drawn.inputs) / 4
    union = Union.of([drawn.net])
    exact = evaluate(
        union,
        RATIONALS,
        RATIONALS.array(drawn.net.edge_weights(quarters)),
        RATIONALS.array(inputs.T.tolist()),
    )
    program = compile_networks(drawn.net, backend=backend)
    weights, examples = program.weights([quarters]), program.examples([inputs], [drawn.labels])
    outputs = program.forward(weights, examples)[0]
    assert outputs.tolist() == [
        [as_fraction(number) for number in exact.post[v]] for v in drawn.net.outputs
    ]
    gradients = output_gradients(program, weights, examples)[0].tolist()
    for p, edges in enumerate(drawn.net.edges_of_parameter):
        sums = exact.edge_gradients[list(edges)].sum(axis=0)
        assert gradients[p] == [as_fraction(number) for number in sums]
    patterns = program.patterns(weights, examples)
    signs = [[(z > 0) - (z < 0) for z in row] for row in exact.pre]
    assert patterns.signs[0].tolist() == signs
    assert patterns.kinks.tolist() == [int(exact.kinks.sum())]


# against autograd ----------------------------------------------------------------------------
def plain_outputs(net, weights, inputs):
    """(outputs, n), vertex by vertex, as one would write it with autograd in mind."""
    apply = {
        "linear": lambda z: z,
        "tanh": torch.tanh,
        "sigmoid": torch.sigmoid,
        "softplus": lambda z: torch.logaddexp(z, torch.zeros_like(z)),
    }
    rows, free = {}, iter(inputs.T)
    for v, constant in zip(net.inputs, net.constants, strict=True):
        held = torch.ones(len(inputs), dtype=torch.float64)
        rows[v] = next(free) if constant is None else held * float(constant)
    for v in range(net.vertex_count):
        if v in rows:
            continue
        total = torch.zeros(len(inputs), dtype=torch.float64)
        for e in net.in_edges[v]:
            p = net.parameter_of[e]
            weight = float(net.fixed[e]) if p < 0 else weights[p]
            total = total + weight * rows[net.tails[e]]
        scale = float(net.scale_squares[v]) ** 0.5
        rows[v] = apply[net.activations[v].kind](scale * total)
    return torch.stack([rows[v] for v in net.outputs])


@each_backend
def test_smooth_networks_agree_with_autograd(backend):
    net = network(
        [
            tuple(ends)
            for ends in ("xa", "ya", "1a", "ab", "xb", "ac", "bc", "bo", "co", "cq", "aq")
        ],
        inputs=["x", "1", "y"],
        outputs=["o", "q"],
        activations={"a": TANH, "b": SIGMOID, "c": SOFTPLUS},
        constants={"1": "1/2"},
        fixed={("a", "c"): "3/4"},
        parameters={("x", "b"): "k", ("b", "c"): "k"},
        scale_squares={"c": "1/2"},
    )
    generator = np.random.default_rng(3)
    inputs, cotangent = generator.standard_normal((21, 2)), generator.standard_normal((2, 21))
    program = compile_networks(net, backend=backend)
    weights = program.weights([generator.standard_normal(net.parameter_count)])
    examples = program.examples([inputs])
    leaf = weights.clone().requires_grad_()
    plain = plain_outputs(net, leaf, torch.from_numpy(inputs))
    assert torch.allclose(program.forward(weights, examples)[0], plain, rtol=1e-14, atol=1e-15)
    (plain * torch.from_numpy(cotangent)).sum().backward()
    found = program.gradient(weights, examples, program.cotangents([cotangent]))
    assert torch.allclose(found, leaf.grad, rtol=1e-13, atol=1e-14)


@each_backend
@pytest.mark.parametrize("loss", [LOGISTIC, EXPONENTIAL, SQUARED], ids=lambda loss: loss.name)
def test_risk_gradients_are_the_gradients_of_the_risk(backend, loss):
    """Directional differences of the risk, whose error falls with the square of the step."""
    nets, weights, inputs, labels = random_batch(5)
    program = compile_networks(nets, backend=backend)
    examples = program.examples(inputs, labels)
    point = program.weights([0.5 * w for w in weights])
    direction = torch.from_numpy(np.random.default_rng(1).standard_normal(len(point)))
    step = 1e-6
    forward = program.risk(point + step * direction, examples, loss)
    back = program.risk(point - step * direction, examples, loss)
    slope = [
        float(torch.dot(g, d))
        for g, d in zip(
            program.split(program.risk_gradient(point, examples, loss)),
            program.split(direction),
            strict=True,
        )
    ]
    assert np.allclose(((forward - back) / (2 * step)).numpy(), slope, rtol=1e-5, atol=1e-7)


# batched and unbatched -----------------------------------------------------------------------
METHODS = [
    ("forward",),
    ("preactivations",),
    ("risk", LOGISTIC),
    ("risk_gradient", LOGISTIC),
    ("risk_gradient", HINGE),
]


@needs_numba
@pytest.mark.parametrize("asked", METHODS, ids=lambda asked: asked[0])
@pytest.mark.parametrize("threads", [1, 2])
def test_batched_equals_unbatched_to_the_last_bit(asked, threads):
    batch = random_batch(7, sizes=((40, 33), (30, 5), (60, 17), (25, 64), (9, 1)) * 9)
    together = run(batch, *asked, backend="numba", threads=threads)
    for c in range(0, len(batch[0]), 4):
        (single,) = run(alone(batch, c), *asked, backend="numba", threads=1)
        assert torch.equal(together[c], single)


@pytest.mark.parametrize("asked", METHODS, ids=lambda asked: asked[0])
def test_batched_equals_unbatched_in_torch(asked):
    batch = random_batch(7)
    together = run(batch, *asked, backend="torch")
    for c in range(len(batch[0])):
        (single,) = run(alone(batch, c), *asked, backend="torch")
        scale = float(single.abs().max()) + 1.0
        assert torch.allclose(together[c], single, rtol=0.0, atol=2.0**-50 * scale)


@needs_numba
@given(batch=batches())
@settings(max_examples=25)
def test_the_backends_agree(batch):
    """Within the bound on the rounding of either, and exactly where there is none."""
    answers = []
    for backend in ("numba", "torch"):
        program, weights, examples = program_of(batch, backend)
        answers.append((program.forward(weights, examples), program.patterns(weights, examples)))
    for c, drawn in enumerate(batch):
        truth = drawn.ball_evaluation()
        rad = truth.post[np.array(drawn.net.outputs)].rad
        difference = (answers[0][0][c] - answers[1][0][c]).abs()
        assert bool(torch.all(difference <= 8 * rad))
        certain = truth.pre.excludes_zero()
        first, second = (answer[1].signs[c] for answer in answers)
        assert torch.equal(first[certain], second[certain])


@needs_cuda
@pytest.mark.parametrize("asked", METHODS, ids=lambda asked: asked[0])
def test_cuda_equals_cpu(asked):
    batch = random_batch(11)
    cpu = run(batch, *asked, backend="torch")
    cuda = run(batch, *asked, backend="torch", device="cuda")
    for one, other in zip(cpu, cuda, strict=True):
        scale = float(one.abs().max()) + 1.0
        assert torch.allclose(one, other.cpu(), rtol=0.0, atol=2.0**-44 * scale)


# losses and outputs --------------------------------------------------------------------------
@each_backend
def test_the_risk_is_that_of_the_first_output(backend):
    net = network([("x", "o"), ("x", "q")], inputs=["x"], outputs=["o", "q"])
    program = compile_networks([net, net], backend=backend)
    examples = program.examples([[[2.0]], [[1.0], [3.0]]], [[1.0], [1.0, -1.0]])
    weights = program.weights([[0.5, 7.0], [-1.0, 9.0]])
    assert program.risk(weights, examples, SQUARED).tolist() == [0.0, (4.0 + 4.0) / 2]
    assert program.risk_gradient(weights, examples, SQUARED).tolist() == [0.0, 0.0, -8.0, 0.0]
    found = output_gradients(program, weights, examples, output=1)
    assert found[1].tolist() == [[0, 0], [1, 3]]


@each_backend
def test_networks_without_edges_or_parameters(backend):
    bare = network([], inputs=["x", "y"], outputs=["y"])
    fixed = network([("x", "o")], inputs=["x"], outputs=["o"], fixed={("x", "o"): "-1/2"})
    for nets in ([bare], [fixed, bare]):
        program = compile_networks(nets, backend=backend)
        inputs = [[[2.0] * len(net.free_inputs)] for net in nets]
        examples = program.examples(inputs)
        values = [float(block[0, 0]) for block in program.forward([], examples)]
        assert values == [-1.0, 2.0][-len(nets) :]
        assert program.risk_gradient([], examples, LOGISTIC).shape == (0,)


@each_backend
def test_exact_zeros_at_kinks_are_counted_and_others_are_not(backend):
    net = network([("x", "h"), ("x", "l"), ("h", "o"), ("l", "o")], inputs=["x"], outputs=["o"])
    net = net.with_activations({"l": net.activations[net.index["o"]]})  # linear
    program = compile_networks([net, net], backend=backend)
    examples = program.examples([[[1.0], [0.0]], [[1.0]]])
    patterns = program.patterns(program.weights([[1, 1, 1, 1], [0, 0, -1, -1]]), examples)
    assert patterns.kinks.tolist() == [1, 1]
    assert patterns.signs[1].tolist() == [[1], [0], [0], [0]]


# what is refused -----------------------------------------------------------------------------
@each_backend
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_non_finite_weights_are_named(backend, bad):
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    program = compile_networks([net, net.titled("second net")], backend=backend)
    examples = program.examples([[[1.0]], [[1.0]]])
    with pytest.raises(ValueError, match=r"weight 'w\[h->o\]' of network 1, second net .* is "):
        program.risk_gradient(torch.tensor([1.0, 1.0, 1.0, bad]), examples, LOGISTIC)
    with pytest.raises(ValueError, match="a weight of second net"):
        program.weights([[1, 1], [1, bad]])


@each_backend
def test_huge_finite_weights_are_allowed(backend):
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    program = compile_networks(net, backend=backend)
    examples = program.examples([[[0.5]]])
    assert program.forward([2.0**1000], examples)[0].tolist() == [[2.0**999]]


@each_backend
def test_wrong_shapes_are_named(backend):
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    program = compile_networks([net], backend=backend)
    examples = program.examples([[[1.0], [2.0]]])
    with pytest.raises(ValueError, match=r"weights have shape \(2,\): give one flat array of 1"):
        program.forward([1.0, 2.0], examples)
    with pytest.raises(ValueError, match=r"cotangents have \[1\] columns, expected \[2\]"):
        program.gradient([1.0], examples, program.cotangents([[[1.0]]]))
    with pytest.raises(ValueError, match="weights of 0 networks"):
        program.weights([])


def test_without_numba_the_programs_are_torch(monkeypatch):
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    assert compile_networks(net).backend == BACKENDS[-1]
    monkeypatch.setattr("numerics.program.find_spec", lambda name: None)
    assert compile_networks(net).backend == "torch"


def test_what_cannot_be_compiled_is_named():
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    with pytest.raises(ValueError, match="no networks"):
        compile_networks([])
    with pytest.raises(ValueError, match="backend 'fortran': use auto, numba or torch"):
        compile_networks(net, backend="fortran")
    with pytest.raises(ValueError, match="threads = 0: give at least 1"):
        compile_networks(net, threads=0)
    with pytest.raises(ValueError, match="on device meta: it runs on the CPU"):
        compile_networks(net, backend="numba", device="meta")
    with pytest.raises(ValueError, match=r"fixed weight of edge x->o .* beyond the range"):
        compile_networks(
            network([("x", "o")], inputs=["x"], outputs=["o"], fixed={("x", "o"): 10**400})
        )


# threads and processes -----------------------------------------------------------------------
def gradient_in_child(batch, threads, queue):
    queue.put(
        [
            part.numpy()
            for part in run(batch, "risk_gradient", LOGISTIC, backend="numba", threads=threads)
        ]
    )


@needs_numba
def test_a_forked_process_computes_the_same():
    batch = random_batch(3, sizes=((60, 32),) * 40)
    here = run(batch, "risk_gradient", LOGISTIC, backend="numba", threads=2)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=gradient_in_child, args=(batch, 2, queue), daemon=True)
    child.start()
    there = queue.get(timeout=60)
    child.join()
    assert all(np.array_equal(a.numpy(), b) for a, b in zip(here, there, strict=True))
