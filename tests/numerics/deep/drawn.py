"""Networks that Hypothesis draws: with ReLU and other slopes, depths 1 to 6, widths 1 to 5."""

import torch
from hypothesis import strategies as st

from numerics.deep.families import gaussian

WIDTHS = st.lists(st.integers(1, 5), min_size=2, max_size=7)


@st.composite
def drawn_networks(draw, count=5, widths=WIDTHS):
    """A batch, and two points of each network."""
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**20)))
    chosen = draw(widths)
    slopes = torch.rand(count, generator=generator, dtype=torch.float64) * 1.98 - 0.99
    slopes[::2] = 0.0
    biases = draw(st.sampled_from([0.0, 0.3]))
    networks = gaussian(chosen, count, generator, biases=biases, slopes=slopes)
    points = torch.randn(count, 2, chosen[0], generator=generator, dtype=torch.float64)
    return networks, points


def value(networks, number, x):
    """The output of one network at one point, as printed."""
    for layer, (weight, bias) in enumerate(zip(networks.weights, networks.biases, strict=True), 1):
        x = weight[number] @ x + bias[number]
        if layer < networks.depth:
            x = torch.where(x >= 0, x, networks.slopes[number] * x)
    return x
