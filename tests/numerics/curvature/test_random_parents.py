"""Random parents by hand: whose in-degree is the width, and who gives up a parent."""

import torch

from numerics.curvature.families import _take_a_place, random_dag


def test_the_first_vertex_of_layer_2_has_the_width_as_in_degree():
    for seed in range(4):
        wiring = random_dag(16, 3, torch.Generator().manual_seed(seed), most=2)
        assert wiring.degrees(2)[:, 0].tolist() == [16] * 3
        assert wiring.degrees(2).max() > 16


def test_a_reader_keeps_the_one_vertex_it_has_of_the_layer_before():
    """An input, layers of two and two vertices; two readers, of (0, 3) and of (3, 4). Vertex 1 has
    no reader, 3 and 4 have two each: the second reader gives up 3, although the first comes first,
    since 3 is all that the first one has of the layer before."""
    mask = torch.tensor([[1.0, 0, 0, 1, 0], [0, 0, 0, 1, 1]], dtype=torch.float64)
    out = torch.tensor([1.0, 0, 1, 2, 2, 0, 0], dtype=torch.float64)
    _take_a_place(1, [mask], out, [1, 2, 2, 2])
    assert mask.tolist() == [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1]]
    assert out.tolist() == [1, 1, 1, 1, 2, 0, 0]
