import torch
from hypothesis import given

from numerics.deep.families import gaussian, low_rank
from numerics.deep.frames import frames_above, frames_below
from numerics.deep.passes import layers, lower_jacobians, upper_jacobians, with_slopes
from tests.numerics.deep.drawn import drawn_networks


@given(drawn_networks())
def test_frames_span_the_images(case):
    networks, points = case
    found = layers(networks, points)
    below, above = frames_below(networks, found), frames_above(networks, found)
    lower = lower_jacobians(networks, found)
    upper = with_slopes(upper_jacobians(networks, found), found)
    for frame, jacobian in zip(below.z, lower, strict=True):
        image = jacobian[:, 0]
        torch.testing.assert_close(frame @ (frame.mT @ image), image, rtol=1e-8, atol=1e-10)
    for frame, jacobian in zip(above.z, upper, strict=True):
        image = jacobian[:, 0].mT
        torch.testing.assert_close(frame @ (frame.mT @ image), image, rtol=1e-8, atol=1e-10)


@given(drawn_networks())
def test_singular_values_are_those_of_the_jacobian(case):
    networks, points = case
    found = layers(networks, points)
    above = frames_above(networks, found)
    wanted = torch.linalg.svdvals(lower_jacobians(networks, found)[-1][:, 0])
    error = (above.log_values.exp() - wanted).abs().amax(dim=1)
    assert bool((error <= 1e-9 * wanted[:, 0] + 1e-300).all())
    assert above.rank.tolist() == torch.isfinite(above.log_values).sum(dim=1).tolist()


def test_a_deep_rank_is_decided_where_the_product_has_lost_it():
    generator = torch.Generator().manual_seed(2)
    networks = gaussian([4] * 60, 5, generator, slopes=0.1)
    found = layers(networks, torch.randn(1, 4, generator=generator))
    above = frames_above(networks, found)
    assert above.rank.tolist() == [4] * 5
    spread = above.log_values[:, 0] - above.log_values[:, -1]
    assert bool((spread > 40).all())  # below 1e-17 of the largest: rounding in a formed product


def test_zero_networks_have_rank_0():
    generator = torch.Generator().manual_seed(2)
    networks = low_rank([3, 4, 2], 2, generator, rank=1, biases=0.0)
    dead = type(networks)(
        (networks.weights[0] * 0, networks.weights[1]), networks.biases, networks.slopes
    )
    above = frames_above(dead, layers(dead, torch.ones(1, 3)))
    assert above.rank.tolist() == [0, 0]
    assert above.schatten(0.5).tolist() == [0, 0]
    assert above.log_pseudo_determinant.tolist() == [0, 0]
