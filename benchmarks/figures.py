"""The two figures of Jacot (2023) at the printed size, or another, with all numbers on disk.

Writes one JSON file a claim, with the criterion, the raw numbers and the curves, and a page with
the curves. What was trained is kept beside them, network by network, so that an interrupted run
goes on; with `--minutes 8` none is begun later than that, and the exit code 3 says to run it again.
Sizes: `large` is the printed one (width 200, depths to 30 and 25), for a GPU.

Run: python -m benchmarks.figures --device cuda [--size smoke|ci|full|large] [--seed S]
     [--only fig1] [--minutes M] [--into FOLDER]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.pieces import GO_ON, Pieces, TimeIsUp
from reports.plots import plot
from verify.core.experiment import Measured, Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.j23 import depth_ladder, learned_symmetry
from verify.papers.j23 import experiments as shown

SCALES = ("smoke", "ci", "full", "large")
FIGURES: dict[str, tuple[Callable[..., Measured], Any]] = {
    "fig1.a": (shown.norm_against_depth, depth_ladder),
    "fig1.b": (shown.bottleneck_through_depth, depth_ladder),
    "fig2.a": (shown.two_outliers, learned_symmetry),
    "fig2.b": (shown.paths_that_do_not_cross, learned_symmetry),
    "fig2.c": (shown.collapsed_orbits, learned_symmetry),
}


def record(
    name: str, size: str, seed: int, device: str, kept: ExperimentStore | None = None
) -> dict[str, Any]:
    """One part of a figure: what came out, as JSON can hold it. kept: trained networks, for the
    other parts and for a run that was interrupted."""
    run, module = FIGURES[name]
    sizes = module.LARGE if size == "large" else module.SIZES[SCALES.index(size)]
    begun = perf_counter()
    found = run(
        Setting(seed, min(SCALES.index(size), 2), device, kept=kept or ExperimentStore()), sizes
    )
    return {
        "version": 1,
        "claim": f"j23.{name}",
        "seed": seed,
        "device": device,
        "size": size,
        "seconds": round(perf_counter() - begun, 1),
        "agrees": found.agrees,
        "summary": found.summary,
        "scope": list(found.scope),
        "figures": dict(found.figures),
        "plots": [one.to_json() for one in found.plots],
    }


def page(records: Sequence[dict[str, Any]]) -> str:
    """All curves, drawn as in a report."""
    style = (Path(__file__).parent.parent / "reports" / "style.css").read_text(encoding="utf-8")
    parts = [
        f"<h2>{one['claim']}</h2><p>{one['summary']}</p>" + "".join(map(plot, one["plots"]))
        for one in records
    ]
    return f"<!doctype html><meta charset=utf-8><style>{style}</style><body>{''.join(parts)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--size", choices=SCALES, default="large")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names that start so, as fig1 or fig2.a")
    parser.add_argument("--minutes", type=float, help="no network is begun after them")
    parser.add_argument("--into", type=Path, default=Path("build/figures"))
    given = parser.parse_args(arguments)
    given.into.mkdir(parents=True, exist_ok=True)
    records = []
    kept = Pieces.within(given.into / "parts", given.minutes)
    for name in (name for name in FIGURES if name.startswith(given.only)):
        try:
            records.append(record(name, given.size, given.seed, given.device, kept))
        except TimeIsUp:
            print(f"{name}: the time is up, the same command goes on", flush=True)
            return GO_ON
        text = json.dumps(records[-1], indent=1, allow_nan=False)
        (given.into / f"{name}.json").write_text(text, encoding="utf-8")
        told = "agrees" if records[-1]["agrees"] else "is left open"
        print(f"{name} {told} ({records[-1]['seconds']} s): {records[-1]['summary']}", flush=True)
    (given.into / "figures.html").write_text(page(records), encoding="utf-8")
    return 0 if records else 1


if __name__ == "__main__":
    sys.exit(main())
