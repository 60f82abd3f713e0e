"""The command `check`: the registered statements on a network of one's own."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.arguments import check_size, parse_point
from lemmata.errors import DIFFERS, FINE, UsageError
from lemmata.reading import read_network
from lemmata.terminal import columns, is_screen
from lemmata.writing import writable_outputs

if TYPE_CHECKING:
    from graphs.network import Network

LAWS_SIZE = 400  # parameters
CURVATURE_SIZE = 500  # likewise
CUTS = 2000  # sets of edges that are looked at for cuts
CURVED_AT = 2  # points that are drawn
DRAWN_SIZE = 400  # edges


def check(options: Namespace) -> int:
    """Check every registered statement on a network; print what was found, write reports."""
    from reports.checked_network import as_html, as_text
    from verify.runs.selection import select

    outputs = writable_outputs(options.output)
    if odd := outputs.keys() - {"html", "json"}:
        raise UsageError(f"--output {min(odd)}: of a network there is html=FILE and json=FILE")
    if not 0 < options.seconds < inf:
        raise UsageError(f"--seconds {options.seconds:g}: give more than 0, and a finite number")
    network, weights = read_network(options.network, options.shape)
    points = []
    for text in options.at:
        points.append(parse_point(text))
        check_size(text, network, points[-1])
    claims = select((), options.paper, options.keyword)
    record = record_of(
        network,
        weights,
        points,
        name=options.network,
        claims=claims,
        seed=options.seed,
        seconds=options.seconds,
        told=None if options.quiet else _progress,
    )
    files = {kind: path for kind, path in outputs.items() if path is not None}
    if files:
        _write_certificates(record, next(iter(files.values())).parent)
    for kind, path in files.items():
        shown = as_html(record) if kind == "html" else json.dumps(record, indent=1)
        path.write_text(shown, encoding="utf-8")
        print(f"{kind}: {path.resolve()}", file=sys.stderr)
    print(as_text(record, width=columns()), end="")
    wrong = (
        row["contradicted"] or (row["certificate"] and not row["accepted"])
        for row in record["statements"]
    )
    return DIFFERS if any(wrong) else FINE


@dataclass(frozen=True)
class Checked:
    """What a check found. record: as in the JSON that the command writes."""

    record: dict[str, Any]

    def __str__(self) -> str:
        """What the command prints."""
        from reports.checked_network import as_text

        return as_text(self.record)


def check_network(
    network: Network,
    weights: Sequence[Fraction] | None = None,
    points: Sequence[Sequence[Fraction]] = (),
    **how: Any,
) -> Checked:
    """Check the registered statements on a network. points: with these inputs and weights alone;
    else with drawn ones. how: name, seed, seconds, claims, as of the command.

    Raises NetworkError where weights or points do not fit.
    """
    return Checked(record_of(network, weights, points, **how))


# the record ---------------------------------------------------------------------------------------
def record_of(
    network: Network,
    weights: Sequence[Fraction] | None = None,
    points: Sequence[Sequence[Fraction]] = (),
    *,
    name: str = "network",
    claims: Sequence[Any] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    told: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """What is found of a network, as strict JSON."""
    from graphs.files import to_json
    from verify.papers.registry import all_claims
    from verify.runs.baseline import known
    from verify.runs.own_networks import SECONDS, Check, about_networks, decided_on_one

    chosen = all_claims() if claims is None else claims
    limit = SECONDS if seconds is None else seconds
    rows = tuple(tuple(Fraction(value) for value in x) for x in points)
    check = Check(network, weights, rows, seed, limit)
    found = check.findings(chosen, *[] if told is None else [told])
    verdicts = (known(None) or {"claims": {}})["claims"]
    statements = []
    for finding in found:
        row = finding.to_json()
        row["known"] = verdicts.get(row["id"], {}).get("verdict", "")
        file = f"certificates/{row['id']}.json" if row["accepted"] else ""
        statements.append(row | {"certificate_file": file})
    about = [claim for claim in chosen if about_networks(claim)]
    late = sum(not decided_on_one(claim) for claim in about)
    others = len(chosen) - len(about)
    return {
        "format": "lemmata-check",
        "version": 1,
        "name": name,
        "title": str(network),
        "network": to_json(network, weights) if network.edge_count <= DRAWN_SIZE else None,
        "points": [[str(value) for value in x] for x in rows],
        "seed": seed,
        "structure": _structure(network, [one["kinds"] for one in check.pieces]),
        "laws": _laws(network, seed),
        "curvature": _curvature(network, weights, rows, seed),
        "statements": statements,
        "seconds": limit,
        "others": {
            "about_no_network": others,
            "about_no_single_network": late,
            "told": f"{others} that are not about one given network with weights and data, "
            f"{late} definitions, witnesses and limits of the flow",
        },
    }


def _structure(network: Network, pairs: Sequence[str]) -> dict[str, Any]:
    from graphs.errors import NetworkError
    from graphs.layers import distance_cuts, layers
    from graphs.paths import count_paths

    widths = [network.depths.count(depth) for depth in range(max(network.depths) + 1)]
    try:
        every = len(layers(network, "B", CUTS)) if network.edge_count <= DRAWN_SIZE else None
    except NetworkError:  # there are too many
        every = None
    return {
        "paths": str(count_paths(network).total),
        "depth": max(network.depths),
        "width": max(widths[1:-1], default=0),
        "widths": widths,
        "cuts": [len(cut) for cut in distance_cuts(network)],
        "all_cuts": every,
        "pieces": ", ".join(dict.fromkeys(pairs)),
    }


def _laws(network: Network, seed: int) -> dict[str, Any]:
    """The conserved quantities, where the network is small enough."""
    if network.parameter_count > LAWS_SIZE:
        why = f"left out, {network.parameter_count} parameters are more than {LAWS_SIZE}"
        return {"told": "", "reason": why, "laws": []}
    from graphs.laws import find_laws
    from graphs.laws.law import text_names

    found, names = find_laws(network, seed=seed), text_names(network)
    rows = [
        {"lemma": law.name, "subject": law.subject, "law": law.as_text(names)} for law in found.laws
    ]
    end = (
        "certified that there is no other of degree 1 or 2"
        if found.all_quadratic
        else ("not certified that there is no other")
    )
    what = "conserved quantity" if len(rows) == 1 else "conserved quantities"
    told = f"{len(rows)} {what} of gradient flow, {end}"
    return {"told": told, "reason": "", "laws": rows}


def _curvature(
    network: Network,
    weights: Sequence[Fraction] | None,
    points: Sequence[Sequence[Fraction]],
    seed: int,
) -> dict[str, Any]:
    """The curvature at the points, or at drawn ones, where that can be told."""
    if network.parameter_count > CURVATURE_SIZE:
        why = f"left out, {network.parameter_count} parameters are more than {CURVATURE_SIZE}"
        return {"told": why, "text": why}
    import numpy as np

    from numerics.curvature.summary import as_text
    from numerics.curvature.summary import curvature as of_network

    random = np.random.default_rng(seed)
    try:
        numbers = None if weights is None else [[float(w) for w in weights]]
        at = [[float(value) for value in x] for x in points]
    except OverflowError:
        why = "left out, there are weights or inputs beyond the range of float64"
        return {"told": why, "text": why}
    drawn = numbers or random.standard_normal((16, network.parameter_count)).tolist()
    at = at or random.standard_normal((CURVED_AT, len(network.free_inputs))).round(3).tolist()
    try:
        found = of_network(network, drawn, at, seed)
    except ValueError as error:
        return {"told": f"left out, {error}", "text": f"left out, {error}"}
    one = found.outputs[0]
    told = f"|H| of {one.name} from {float(one.hessians.lower.min()):.3g} to " + (
        f"{float(one.hessians.upper.max()):.3g}, |grad| from {float(one.gradients.min()):.3g} to "
        f"{float(one.gradients.max()):.3g}, at {len(at)} points" + ("" if numbers else ", 16 draws")
    )
    return {"told": told, "text": as_text(found, [f"({', '.join(map(str, x))})" for x in at])}


def _write_certificates(record: dict[str, Any], folder: Path) -> None:
    from verify.runs.written import written_whole

    for row in record["statements"]:
        if row["certificate_file"]:
            file = folder / row["certificate_file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            written_whole(file, json.dumps(row["certificate"], indent=1))


def _progress(done: int, total: int) -> None:
    if is_screen(sys.stderr):
        line = f"\rstatement {done + 1} of {total}"
        end = "" if done + 1 < total else f"\r{' ' * len(line)}\r"
        print(f"{line}{end}", end="", file=sys.stderr, flush=True)
