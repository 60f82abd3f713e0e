"""The curvature of given networks, against cases solved by hand and automatic differentiation."""

from fractions import Fraction

import pytest
import torch

from graphs import activations as known
from graphs.network import network
from numerics.curvature.summary import as_text, curvature


def chain():
    """f = v tanh(w x)."""
    return network(
        [("x", "h"), ("h", "f")], inputs=["x"], outputs=["f"], activations={"h": known.TANH}
    )


def test_a_chain_of_two_weights_by_hand():
    w, v, x = 0.5, -2.0, 1.5
    t = torch.tanh(torch.tensor(w * x, dtype=torch.float64))
    first, second = 1 - t * t, -2 * t * (1 - t * t)
    hessian = torch.tensor([[v * x * x * second, x * first], [x * first, 0.0]]).double()
    found = curvature(chain(), [[w, v]], [[x]])
    (one,) = found.outputs
    assert found.parameters == 2
    assert one.name == "f"
    assert one.values[0, 0] == pytest.approx(float(v * t))
    slopes = torch.stack([v * x * first, t])
    assert one.gradients[0, 0] == pytest.approx(float(torch.linalg.vector_norm(slopes)))
    norm = float(torch.linalg.eigvalsh(hessian).abs().max())
    assert one.hessians.lower[0, 0] <= norm * (1 + 1e-14)
    assert one.hessians.upper[0, 0] >= norm * (1 - 1e-14)
    assert one.hessians.upper[0, 0] - one.hessians.lower[0, 0] < 1e-6
    expected = hessian.abs().tolist()
    assert torch.allclose(one.blocks[0, 0], torch.tensor(expected).double())
    assert one.kernel[0, 0] == pytest.approx(float(slopes.square().sum()))


def test_vertices_of_one_depth_may_have_activations_of_their_own():
    """f = (a softplus(u x) + b tanh(w y)) / sqrt 2, with y held at 3."""
    graph = network(
        [("x", "p"), ("y", "q"), ("p", "f"), ("q", "f")],
        inputs=["x", "y"],
        outputs=["f"],
        activations={"p": known.SOFTPLUS, "q": known.TANH},
        constants={"y": 3},
        scale_squares={"f": Fraction(1, 2)},
    )
    numbers = dict(zip(graph.parameter_names, (0.3, 0.2, -1.0, 2.0), strict=True))

    def value(weights):
        by_name = dict(zip(graph.parameter_names, weights, strict=True))
        p = torch.nn.functional.softplus(by_name["w[x->p]"] * 0.7)
        q = torch.tanh(by_name["w[y->q]"] * 3)
        return (by_name["w[p->f]"] * p + by_name["w[q->f]"] * q) / 2**0.5

    at = torch.tensor(list(numbers.values()), dtype=torch.float64)
    dense = torch.autograd.functional.hessian(value, at)
    (one,) = curvature(graph, [at.tolist()], [[0.7]]).outputs
    assert one.values[0, 0] == pytest.approx(float(value(at)))
    norm = float(torch.linalg.matrix_norm(dense, ord=2))
    assert one.hessians.lower[0, 0] == pytest.approx(norm)
    assert float(one.blocks.amax()) <= norm * (1 + 1e-12)
    assert one.blocks.shape == (1, 1, 3, 3)  # softplus, tanh, output


def test_blocks_have_their_spectral_norms():
    """f = x (v_1 w_1 + v_2 w_2): the block of the w and the v is x times the identity."""
    edges = [("x", "a"), ("x", "b"), ("a", "f"), ("b", "f")]
    linear = dict.fromkeys("ab", known.LINEAR)
    graph = network(edges, inputs=["x"], outputs=["f"], activations=linear)
    (one,) = curvature(graph, [[1.0, 2.0, 3.0, 4.0]], [[-1.5]]).outputs
    expected = torch.tensor([[0.0, 1.5], [1.5, 0.0]]).double()
    assert torch.allclose(one.blocks[0, 0], expected)


def test_an_output_may_have_an_activation():
    """f = tanh(w x): f' = x (1 - f^2), f'' = -2 x^2 f (1 - f^2), not those of w x."""
    graph = network([("x", "f")], inputs=["x"], outputs=["f"], activations={"f": known.TANH})
    (one,) = curvature(graph, [[0.5]], [[2.0]]).outputs
    f = float(torch.tanh(torch.tensor(1.0, dtype=torch.float64)))
    assert one.values[0, 0] == pytest.approx(f)
    assert one.gradients[0, 0] == pytest.approx(2 * (1 - f * f))
    assert one.hessians.lower[0, 0] == pytest.approx(8 * f * (1 - f * f))
    assert one.hessians.upper[0, 0] == pytest.approx(8 * f * (1 - f * f))


def test_draws_and_points_stand_side_by_side():
    points = [[1.0], [-0.5], [2.0]]
    found = curvature(chain(), [[0.5, 1.0], [1.5, -1.0]], points)
    (one,) = found.outputs
    alone = curvature(chain(), [[1.5, -1.0]], [[2.0]]).outputs[0]
    assert one.values.shape == one.hessians.upper.shape == one.kernel.shape == (2, 3)
    assert one.values[1, 2] == pytest.approx(float(alone.values[0, 0]))
    assert one.kernel[:, 0].abs().max() <= one.rounding.max()  # three gradients in the plane
    text = as_text(found, ["(1)", "(-1/2)", "(2)"])
    assert "2 draws" in text
    assert text.count("|H|    ") == 3
    assert "tangent kernel of the 3 points" in text


def test_an_unknown_activation_is_named_with_its_vertex():
    graph = network(
        [("x", "h"), ("h", "f")], inputs=["x"], outputs=["f"], activations={"h": known.ABS}
    )
    with pytest.raises(ValueError, match="vertex 'h' has the activation abs"):
        curvature(graph, [[1.0, 1.0]], [[1.0]])
