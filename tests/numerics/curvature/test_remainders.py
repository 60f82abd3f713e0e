"""Remainders of linearisations: by hand, by quadratic forms, and by what is known of ReLU."""

import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import fully_connected
from numerics.curvature.balls import Vertex
from numerics.curvature.networks import draw, draw_masks
from numerics.curvature.norms import hessian_norms
from numerics.curvature.products import hessians
from numerics.curvature.remainders import (
    hessian_change,
    kink_moves,
    largest_remainder,
    linearisation,
    on_sphere,
)
from tests.numerics.curvature.drawn import generator, networks_of, plain, points_of


def drawn_moves(networks, seed=5):
    draws = torch.randn(networks.flat().shape, generator=generator(seed)).double()
    return networks.with_flat(draws).flat()


@pytest.mark.parametrize("dropped", [False, True])
def test_the_remainder_is_that_of_autograd(dropped):
    networks = networks_of("dense", dropped=dropped)
    points = points_of(networks, 1)
    linear = linearisation(networks, Vertex(points, vertex=1))
    moves = drawn_moves(networks)
    rest, slope = linear.remainder(moves)
    for seed in range(2):

        def remainder(move, seed=seed):
            flat = networks.flat()[seed]
            value = plain(networks, seed, flat, points[seed])[0, 1]
            there = plain(networks, seed, flat + move, points[seed])[0, 1]
            return there - value - linear.slope[seed] @ move

        move = moves[seed].clone().requires_grad_()
        expected = remainder(move)
        assert_close(rest[seed], expected.detach())
        first = torch.autograd.grad(expected, move)[0]
        assert_close(slope[seed], networks.with_flat(first.expand(2, -1)).flat()[seed])


def test_of_a_quadratic_network_it_is_half_the_norm_times_the_square_of_the_radius():
    # f = v u x / sqrt m is quadratic in the weights: the supremum is |H| R^2 / 2
    networks = draw(fully_connected([3, 10, 1], "linear"), 4, generator(1))
    target = Vertex(torch.tensor([[1.0, -1.0, 0.5]], dtype=torch.float64))
    linear = linearisation(networks, target)
    best, place = largest_remainder(linear, 0.7, [drawn_moves(networks)], steps=200)
    norms = hessian_norms(target.at(networks), generator()).upper[:, 0]
    assert_close(best, norms * 0.7**2 / 2, rtol=1e-6, atol=0)
    assert_close(linear.remainder(place)[0].abs(), best)
    assert_close(torch.linalg.vector_norm(place, dim=1), torch.full((4,), 0.7).double())


def test_moves_across_kinks_reach_what_relu_allows():
    # f = sum v relu(u) / sqrt m: crossing neuron i by as much again gains |v_i| |u_i| / sqrt m
    networks = draw(fully_connected([1, 400, 1], "relu"), 3, generator(2))
    target = Vertex(torch.ones(1, 1, dtype=torch.float64))
    linear = linearisation(networks, target)
    up, down = kink_moves(linear, 1.0)
    u, v = networks.weights[0][:, :, 0], networks.weights[1][:, 0]
    for moves, sign in ((up, 1.0), (down, -1.0)):
        assert bool((torch.linalg.vector_norm(moves, dim=1) <= 1).all())
        steps = moves[:, :400]
        assert bool((steps != 0).any(dim=1).all())
        assert bool(((v * sign > 0) | (steps == 0)).all())
        after = u + steps
        gain = torch.where(u < 0, after.clamp(min=0), (-after).clamp(min=0))
        expected = sign * (v.abs() * gain).sum(dim=1) / 20
        assert_close(linear.remainder(moves)[0], expected)
    random = largest_remainder(linear, 1.0, [drawn_moves(networks)])[0]
    across = largest_remainder(linear, 1.0, [up, down])[0]
    assert bool((across > 1.2 * random).all())


def test_moves_across_kinks_keep_to_the_edges_and_take_every_hidden_layer():
    shape = fully_connected([3, 12, 9, 1], "relu")
    masks = draw_masks(shape, 2, 0.6, generator(4))
    networks = draw(shape, 2, generator(3), masks=masks)
    linear = linearisation(networks, Vertex(torch.ones(1, 3, dtype=torch.float64)))
    moves = kink_moves(linear, 1.0)
    assert len(moves) == 4
    for move in moves:
        assert_close(networks.with_flat(move).flat(), move)
    touched = torch.stack([move.abs().sum(dim=0) > 0 for move in moves])
    assert bool(touched[:2, :36].any())
    assert not bool(touched[:2, 36:].any())
    assert bool(touched[2:, 36:144].any())
    assert not bool(touched[2:, :36].any())


def test_the_change_of_the_hessian_is_that_of_dense_ones():
    networks = networks_of("dense", dropped=True)
    target = Vertex(points_of(networks, 1), vertex=1)
    moved = networks.with_flat(networks.flat() + 0.3 * drawn_moves(networks))
    found = hessian_change(networks, moved, target, generator(), steps=400)
    dense = hessians(target.at(moved)) - hessians(target.at(networks))
    norms = torch.linalg.matrix_norm(dense[:, 0], ord=2)
    assert_close(found, norms, rtol=1e-6, atol=0)
    rough = hessian_change(networks, moved, target, generator(1))
    assert bool(((rough <= norms * (1 + 1e-12)) & (rough > 0.9 * norms)).all())


def test_on_the_sphere():
    moves = torch.tensor([[3.0, 4.0], [0.0, 0.0]], dtype=torch.float64)
    assert on_sphere(moves, 10.0).tolist() == [[6.0, 8.0], [0.0, 0.0]]
