"""The command `curvature`: Hessians and the tangent kernel of a network."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lemmata.arguments import check_size, parse_point
from lemmata.errors import FINE, UsageError
from lemmata.reading import read_network

if TYPE_CHECKING:
    from graphs.network import Network

MOST = 10_000_000  # weights that are drawn
DEPTH = 500  # layers; the passes through deeper networks take minutes


def curvature(options: Namespace) -> int:
    """Print how curved the function of a network is at points."""
    from graphs.numerals import shown
    from numerics.curvature.summary import as_json, as_text
    from numerics.curvature.summary import curvature as of_network

    network, weights = read_network(options.network, options.shape)
    if (depth := max(network.depths)) > DEPTH:
        raise UsageError(
            f"{options.network}: {depth} layers one after the other, curvature takes at most "
            f"{DEPTH}: give a shallower network"
        )
    points = []
    for text in options.at:
        x = parse_point(text)
        check_size(text, network, x)
        points.append(_floats(x, f"--at {shown(text)}"))
    drawn = _weights(options, network, weights)
    try:
        found = of_network(network, drawn, points, options.seed)
    except ValueError as error:
        raise UsageError(f"{options.network}: {error}") from error
    if options.format == "json":
        print(json.dumps({"points": points} | as_json(found), indent=1))
    else:
        print(as_text(found, [f"({text})" for text in options.at]), end="")
    return FINE


def _floats(numbers: Sequence[Fraction], what: str) -> list[float]:
    """Raises UsageError for a number beyond float64."""
    try:
        return [float(number) for number in numbers]
    except OverflowError as error:
        raise UsageError(
            f"{what} is beyond float64, in which curvature computes: give smaller numbers"
        ) from error


def _weights(
    options: Namespace, network: Network, weights: Sequence[Fraction] | None
) -> Sequence[Sequence[float]]:
    """Those of the file, or as many standard normal draws as are asked for."""
    import numpy as np

    if options.draws is None:
        if weights is None:
            raise UsageError(f"{options.network} has no weights: add them, or give --draws 16")
        return [_floats(weights, f"{options.network}: a weight")]
    if options.draws < 1:
        raise UsageError(f"--draws {options.draws}: give at least 1")
    size = len(network.parameter_names)
    if options.draws * size > MOST:
        raise UsageError(
            f"--draws {options.draws}: with {size} weights each, give at most {MOST // size}"
        )
    drawn: list[list[float]] = (
        np.random.default_rng(options.seed).standard_normal((options.draws, size)).tolist()
    )
    return drawn
