"""Families whose edges share weights (Zhu, Liu and Belkin 2022, Appendix E): Hessians are with
respect to the distinct weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import torch
from torch import Tensor

from numerics.curvature.architectures import Architecture
from numerics.curvature.settings import Kinds, Options, Setting
from numerics.curvature.wirings import Wiring


def shared(
    m: int,
    times: int,
    generator: torch.Generator,
    **options: Unpack[Options],
) -> Wiring:
    """(32) with D = `times` places: each hidden layer has m weight vectors, each used at D
    vertices (vertex k D + t: vector k, place t), which each read an ordered random choice of m
    vertices of the layer before (of all inputs, in random order, in layer 1). What the places of
    vector 0 read is all of it. The outputs read the whole last hidden layer, with weights of
    their own. One graph for all networks."""
    setting = Setting(**options)
    ties, columns = [], setting.inputs
    for number in range(setting.depth - 1):
        degree = columns if number == 0 else m
        scores = torch.rand(m, times, columns, generator=generator, dtype=torch.float64)
        chosen = scores.argsort(dim=2)[..., :degree]
        if number > 0:
            chosen[0] = torch.randperm(columns, generator=generator).view(times, degree)
        vectors = torch.arange(m * degree).view(m, 1, degree).expand(m, times, degree)
        tie = torch.full((m, times, columns), -1).scatter(2, chosen, vectors)
        ties.append(tie.view(1, m * times, columns))
        columns = m * times
    return _tied(setting.connected([columns] * len(ties)), ties)


def conv1d(
    channels: int,
    *,
    window: int = 3,
    length: int = 8,
    input_channels: int = 1,
    **options: Unpack[Kinds],
) -> Wiring:
    """(33): 1-D convolutions of an odd window q, stride 1, zero padding that keeps the length Q;
    `channels` is the width m. Vertex c Q + t: channel c, place t; so are the inputs. The outputs
    read the last hidden layer, with weights of their own. The factors count the zero padding.

    Raises ValueError for an even window, or a length below half of it.
    """
    if window % 2 == 0 or length <= window // 2:
        raise ValueError(f"window {window}, length {length}: odd, and a place for each weight")
    setting = Setting(inputs=input_channels * length, **options)
    read = [channels if number else input_channels for number in range(setting.depth - 1)]
    ties = [_convolution(channels, before, window, length) for before in read]
    whole = setting.connected([channels * length] * len(ties))
    padded = [
        replace(layer, degree=before * window)
        for layer, before in zip(whole.layers[:-1], read, strict=True)
    ]
    return _tied(replace(whole, layers=(*padded, whole.layers[-1])), ties)


def _tied(architecture: Architecture, ties: Sequence[Tensor]) -> Wiring:
    """The edges of hidden layers are those that have a number; the outputs share nothing."""
    masks = [(tie >= 0).to(torch.float64) for tie in ties]
    return Wiring(architecture, (*masks, None), (*ties, None))


def _convolution(channels: int, before: int, window: int, length: int) -> Tensor:
    """(1, channels Q, before Q): which weight of (channels, before, q), by its number, an edge has:
    from place s to place t that of s - t + q // 2, as torch's conv1d counts; -1 is no edge."""
    places = torch.arange(length)
    shift = places[None] - places[:, None] + window // 2  # (t, s)
    numbers = torch.arange(channels * before).view(channels, 1, before, 1) * window
    there = ((shift >= 0) & (shift < window))[None, :, None, :]
    tie = torch.where(there, numbers + shift[None, :, None, :], -1)
    return tie.reshape(1, channels * length, before * length)
