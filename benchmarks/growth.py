"""What work costs as it grows: CPU seconds and memory over a ladder of sizes, for each kind of work
the order that theory gives it, the exponent that was measured, and whether the two agree.

An exponent is the slope of least squares of log(CPU seconds) in log(size) over the larger half of
the sizes, with its standard error; that of the theory is the slope of its own formula over the same
sizes, so that a factor log n counts. They agree within two standard errors and 0.15. One thread.

Run: python -m benchmarks.growth [--quick] [--only NAME ...] [--output docs/performance.md]
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from ctypes import CDLL
from math import inf, nan, sqrt
from pathlib import Path
from statistics import median
from subprocess import run as run_command
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
import torch

from benchmarks.gradients import others
from benchmarks.growth_page import LEAST_MEMORY, Point, Row, Team, page, write_plots
from benchmarks.growth_works import Curve, Sized, curves, stated

ENOUGH = 0.3  # CPU seconds of a measurement, in as many runs as it takes
ALLOWED = 0.15  # of an exponent, beside two standard errors
QUICK = 4  # sizes of a curve
PROCESSES = (1, 2)


# measuring ----------------------------------------------------------------------------------------
def memory(key: str) -> float:
    """VmRSS or VmHWM of this process in MiB, not a number where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return nan
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(key)), nan)


def measure(sized: Sized) -> Point:
    """CPU seconds, the median of as many runs as are enough; the memory that the first one took."""
    size, work = sized
    gc.collect()
    with suppress(OSError, AttributeError):
        CDLL(None).malloc_trim(0)  # of Linux: what is free goes back to the system
    before = memory("VmRSS")
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the peak so far
    except OSError:
        before = nan
    seconds: list[float] = []
    while sum(seconds) < ENOUGH:
        start = process_time()
        kept = work()
        seconds.append(process_time() - start)
        if len(seconds) == 1:
            peak = memory("VmHWM") - before
        del kept
    first = seconds[1:] or seconds  # the first one also warms up
    return Point(size, median(first), peak)


def slope(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Of log(values) in log(sizes) by least squares, and its standard error.

    >>> slope([1, 2, 4, 8], [3, 12, 48, 192])
    (2.0, 0.0)
    """
    x, y = np.log(np.array(sizes, dtype=float)), np.log(np.array(values, dtype=float))
    x, y = x - x.mean(), y - y.mean()
    fitted = (x @ y) / (x @ x)
    left = ((y - fitted * x) ** 2).sum()
    return float(fitted), sqrt(left / (len(x) - 2) / (x @ x)) if len(x) > 2 else inf


def told(fitted: float, error: float, theory: float) -> str:
    """Whether an exponent is that of the theory."""
    if abs(fitted - theory) <= ALLOWED + 2 * error:
        return "agrees"
    return "less" if fitted < theory else "MORE"


def larger_half(points: Sequence[Point]) -> Sequence[Point]:
    return points[-max(3, (len(points) + 1) // 2) :]


def row(name: str, curve: Curve, points: Sequence[Point]) -> Row:
    """A curve with its fits."""
    fit = larger_half(points)
    sizes = [point.size for point in fit]
    fitted, error = slope(sizes, [point.seconds for point in fit])
    theory, _ = slope(sizes, [curve.order.cost(size) for size in sizes])
    told_memory = [point for point in fit if point.memory > LEAST_MEMORY]
    grows = None
    if len(told_memory) >= 3:
        grows, _ = slope([p.size for p in told_memory], [p.memory for p in told_memory])
    verdict = told(fitted, error, theory)
    return Row(name, curve, tuple(points), theory, fitted, error, grows, verdict)


def team(processes: int, folder: Path, claims: int) -> Team:
    """One command with so many workers: CPU seconds with those of its processes, and seconds."""
    path = stated(folder, claims)
    options = ("--budget", "smoke", "--quiet", "--fresh", "--journal", str(folder / "journal"))
    command = (sys.executable, "-m", "lemmata", "run", "--claims", str(path), *options)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    elsewhere = others()
    run_command(
        (*command, "--workers", str(processes)),
        cwd=Path(__file__).parent.parent,
        check=True,
        capture_output=True,
    )
    seconds, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Team(processes, claims, spent, seconds, others() - elsewhere - spent)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} sizes of each, no workers")
    parser.add_argument("--only", nargs="+", default=[], help="names, or the beginnings of them")
    parser.add_argument("--output", type=Path, default=Path("build/performance.md"))
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    rows, teams = [], []
    with TemporaryDirectory() as folder:
        for name, curve in curves(Path(folder)).items():
            if given.only and not name.startswith(tuple(given.only)):
                continue
            steps = curve.steps[:QUICK] if given.quick else curve.steps
            measure(curve.works(steps[0]))  # compiles, and loads
            rows.append(row(name, curve, [measure(curve.works(step)) for step in steps]))
            print(rows[-1].line(), flush=True)
        if not given.quick and not given.only:
            teams = [team(processes, Path(folder), 64) for processes in PROCESSES]
    given.output.parent.mkdir(parents=True, exist_ok=True)
    write_plots(rows, given.output.parent / "images")
    given.output.write_text(page(rows, teams), encoding="utf-8")
    print(f"page: {given.output}")
    return 0 if all(one.verdict != "MORE" for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
