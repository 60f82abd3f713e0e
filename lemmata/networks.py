"""The commands `derive` and `laws`: what the algebra gives for a network."""

from __future__ import annotations

import json
from argparse import Namespace

from lemmata.arguments import check_point, parse_point, parse_slopes
from lemmata.errors import FINE
from lemmata.reading import read_network


def derive(options: Namespace) -> int:
    """Print what the algebra gives for a network."""
    from graphs.derivation import derive as derive_all

    slopes = None if options.slopes is None else parse_slopes(options.slopes)
    x = None if options.at is None else parse_point(options.at)
    network, weights = read_network(options.network, options.shape)
    check_point(options.at, options.network, network, weights, x)
    derivation = derive_all(network, slopes=slopes, weights=weights if x is not None else None, x=x)
    if options.format == "json":
        print(json.dumps(derivation.as_json(), indent=1))
    else:
        shown = derivation.as_latex() if options.format == "latex" else derivation.as_text()
        print(shown, end="")
    return FINE


def laws(options: Namespace) -> int:
    """Print the conserved quantities of a network, and how many there can be."""
    from graphs.laws import find_laws
    from graphs.laws.regions import region_at, region_of

    slopes = None if options.slopes is None else parse_slopes(options.slopes)
    x = None if options.at is None else parse_point(options.at)
    network, weights = read_network(options.network, options.shape)
    check_point(options.at, options.network, network, weights, x)
    if x is not None and weights is not None:
        region = region_at(network, weights, x)
        found = find_laws(network, region, point=weights, seed=options.seed)
    else:
        found = find_laws(network, region_of(network, slopes or {}), seed=options.seed)
    if options.format == "json":
        print(json.dumps(found.as_json(), indent=1))
    else:
        print(found.as_latex() if options.format == "latex" else found.as_text(), end="")
    return FINE
