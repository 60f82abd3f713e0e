"""The same work on the CPU and on a CUDA device: gradients of many different networks, flows, chain
steps, norms of Hessians, float trials. For each the seconds, the share of what was measured there
(the rate of float64 matrix products, or the bandwidth of memory, whichever is nearer), and how far
the answers are from each other, which is stated and must hold.

On the CPU seconds are of the processor, as one core takes them, and the engines are the compiled
ones where Numba is installed. Where there is no device, the code that it would run is run on the
CPU instead, and compared; its column stays empty. Batches are as large as half of the free memory
allows, and never larger than asked for.

Run: python -m benchmarks.device [--device cuda] [--quick] [--output docs/gpu.md]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import numpy as np
import torch

from benchmarks import curvature, flows, gradients
from benchmarks.machine import machine, room
from numerics.chains.inputs import full
from numerics.chains.laws import gaussian
from numerics.chains.normalised import run as run_chains
from numerics.chains.observables import FROBENIUS, Plan
from numerics.curvature.lanczos import lanczos
from numerics.curvature.norms import leading, operator_of
from numerics.curvature.passes import at_each_point
from numerics.enclosures import Balls
from numerics.flow import Options, flow
from numerics.losses import LOGISTIC
from numerics.program import compile_networks
from verify.papers.registry import find
from verify.search.drawing import draw
from verify.search.judging import view

CPU = "cpu"
ROUNDS = 3
EXAMPLES = 32
LAYERS = 50  # of a chain; later rounding takes two of them apart
HIDDEN = 300  # neurons a layer of the networks whose Hessians are looked at
COMPILED, PLAIN = "auto", "torch"  # what runs on the CPU: as it comes, or what a device would run


@dataclass(frozen=True)
class Work:
    """Work that is prepared: answers() does it, and gives them on the CPU. operations, traffic:
    floating-point operations, and bytes that must be read or written at least, by the answers."""

    answers: Callable[[], np.ndarray]
    operations: Callable[[np.ndarray], float]
    traffic: float = 0.0


@dataclass(frozen=True)
class Kind:
    """A kind of work. works: from a number of items, the device, and what runs on a CPU. items,
    few: how many, at full size and with --quick. each: bytes that one takes, about. within: how
    far answers may be apart, relative to the largest; counted: how operations are counted."""

    name: str
    works: Callable[[int, str, str], Work]
    items: int
    few: int
    each: float
    within: float
    counted: str


# the works ----------------------------------------------------------------------------------------
def many_gradients(count: int, device: str, backend: str) -> Work:
    problem = gradients.drawn(count, EXAMPLES)
    program = compile_networks(problem.nets, device=device, backend=backend)
    weights = program.weights(problem.weights)
    examples = program.examples(problem.inputs, problem.labels)
    edges = sum(net.edge_count for net in problem.nets)
    inputs = sum(part.size for part in problem.inputs)
    return Work(
        lambda: program.risk_gradient(weights, examples, LOGISTIC).cpu().numpy(),
        lambda _: 6.0 * edges * EXAMPLES,
        8.0 * (2 * edges + inputs),
    )


def many_flows(count: int, device: str, backend: str) -> Work:
    """Answers are the weights at the end, not a number where a flow did not get there."""
    problem = gradients.drawn(count, EXAMPLES)
    program = compile_networks(problem.nets, device=device, backend=backend)
    weights = program.weights(problem.weights)
    examples = program.examples(problem.inputs, problem.labels)
    options, evaluations = Options(**flows.TOLERANCES), [0.0]

    def answers() -> np.ndarray:
        found = flow(program, weights, examples, LOGISTIC, flows.UNTIL, options=options)
        evaluations[0] = sum(
            6.0 * EXAMPLES * one.counts.evaluations * net.edge_count
            for one, net in zip(found, problem.nets, strict=True)
        )
        ends = [one.weights if one.status.complete else one.weights + np.nan for one in found]
        return np.concatenate(ends)

    return Work(answers, lambda _: evaluations[0])


def chain_steps(count: int, device: str, backend: str) -> Work:
    width, plan = 64, Plan(LAYERS, batches=LAYERS)
    start = full(torch.Generator().manual_seed(0), count, width, width)
    run = partial(run_chains, start, gaussian(), gammas=1.0, seeds=range(count), plan=plan)
    return Work(
        lambda: run(device=device, backend=backend).batch_means(FROBENIUS),
        lambda _: 6.0 * width**3 * count * LAYERS,
    )


def hessian_norms(count: int, device: str, backend: str) -> Work:
    networks, points = curvature.case(HIDDEN)
    points = points.repeat(-(-count // len(points)), 1)[:count].to(device)
    networks, steps = networks.to(device), [0]

    def answers() -> np.ndarray:
        operator = operator_of(at_each_point(networks, points))
        generator = torch.Generator().manual_seed(1)
        if backend == PLAIN:
            start = operator.start(generator)
            ritz = lanczos(operator, start, steps=200, tolerance=curvature.TOLERANCE)
        else:
            ritz = leading(operator, generator, tolerance=curvature.TOLERANCE)
        steps[0] = ritz.steps
        return ritz.value.abs().cpu().numpy()

    parameters = networks.architecture.parameter_count
    return Work(answers, lambda _: 8.0 * parameters * count * steps[0])


def float_trials(count: int, device: str, backend: str) -> Work:
    claim, random = find("lj22.lemma2a"), Random(0)
    assert claim.pool is not None
    loss = claim.pool.losses[0]
    cases = [draw(claim, random, n=4, loss=loss, large=True) for _ in range(count)]
    batches = list(type(cases[0]).batches(cases))
    edges = sum(case.network.edge_count for case in cases)

    def answers() -> np.ndarray:
        seen = [view(claim, batch, Balls(device)).entries.values for batch in batches]
        return np.concatenate([entries.to_numpy()[0].ravel() for entries in seen])

    return Work(answers, lambda _: 24.0 * edges * 4)


KINDS = (
    Kind(
        *("gradients of different networks", many_gradients, 4000, 100, 4e5, 1e-12),
        "6 for each edge and example",
    ),
    Kind(
        *("gradient flows of different networks", many_flows, 1000, 10, 2e6, 1e-4),
        "6 for each edge, example and evaluation; tolerances of the flow bound the agreement",
    ),
    Kind(
        *("chain steps, width 64", chain_steps, 512, 8, 64 * 64 * 8 * 12, 1e-9),
        "6 d^3 for each layer and chain: W H, its second moments, their square",
    ),
    Kind(
        *("norms of Hessians, 100,000 parameters", hessian_norms, 256, 4, 2e6, 1e-6),
        "8 for each parameter, point and step of Lanczos, as a plain product takes",
    ),
    Kind(
        *("float trials", float_trials, 1024, 16, 1e6, 1e-9),
        "24 for each edge and example: in balls, a product takes four; there is one way on a CPU",
    ),
)


# measuring ----------------------------------------------------------------------------------------
def timed(work: Callable[[], np.ndarray], device: str) -> tuple[float, np.ndarray]:
    """Seconds, the median of some rounds, and the answers; CPU seconds on the CPU."""
    clock = process_time if device == CPU else perf_counter
    found, seconds = work(), []  # the first one compiles
    for _ in range(ROUNDS):
        wait(device)
        start = clock()
        found = work()
        wait(device)
        seconds.append(clock() - start)
    return median(seconds), found


def wait(device: str) -> None:
    if device != CPU:
        torch.cuda.synchronize(device)


@dataclass(frozen=True)
class Limits:
    """Float64 operations a second of matrix products, and bytes a second of copies."""

    rate: float
    bandwidth: float

    def share(self, work: Work, found: np.ndarray, seconds: float) -> float:
        """Of the limit that is nearer."""
        operations = work.operations(found) / self.rate
        return max(operations, work.traffic / self.bandwidth) / seconds


def limits(device: str, size: int) -> Limits:
    """Measured now, with matrices of this size, and copies of sixteen of them."""
    one = torch.rand(size, size, dtype=torch.float64, device=device)
    long = torch.rand(16 * size * size, dtype=torch.float64, device=device)
    product, place = torch.empty_like(one), torch.empty_like(long)
    nothing = np.zeros(0)

    def multiply() -> np.ndarray:
        torch.mm(one, one, out=product)
        return nothing

    def copy() -> np.ndarray:
        place.copy_(long)
        return nothing

    return Limits(
        2.0 * size**3 / timed(multiply, device)[0],
        16.0 * long.numel() / timed(copy, device)[0],
    )


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference relative to the largest number, where both are numbers."""
    both = np.isfinite(one) & np.isfinite(other)
    if not both.any():
        return np.inf
    return float(np.abs(one - other)[both].max() / np.abs(one[both]).max())


@dataclass(frozen=True)
class Row:
    """A kind of work, measured. there, share_there: of the device, None where there is none."""

    kind: Kind
    items: int
    here: float
    share: float
    there: float | None
    share_there: float | None
    apart: float

    @property
    def agrees(self) -> bool:
        return self.apart <= self.kind.within

    def line(self) -> str:
        """As a row of the table."""
        far = ("not measured", "–", "–")
        if self.there is not None and self.share_there is not None:
            ratio = self.here / self.there
            far = (f"{self.there:.3g}", f"{100 * self.share_there:.2g} %", f"{ratio:.1f}")
        fine = f"{self.apart:.0e} (at most {self.kind.within:.0e}{'' if self.agrees else ', NO'})"
        cells = (self.kind.name, f"{self.items:,}", f"{self.here:.3g}", f"{100 * self.share:.2g} %")
        return f"| {' | '.join((*cells, *far, fine))} |"


def measured(kind: Kind, device: str, quick: bool, at: dict[str, Limits]) -> Row:
    """The CPU, then the device, or the code that it would run."""
    asked = kind.few if quick else kind.items
    items = max(1, min(asked, int(room(device) * 2**30 / kind.each)))
    work = kind.works(items, CPU, COMPILED)
    here, found = timed(work.answers, CPU)
    share = at[CPU].share(work, found, here)
    if device == CPU:
        one, other = (kind.works(kind.few, CPU, way).answers() for way in (COMPILED, PLAIN))
        return Row(kind, items, here, share, None, None, apart(one, other))
    far = kind.works(items, device, PLAIN)
    there, other = timed(far.answers, device)
    share_there = at[device].share(far, other, there)
    return Row(kind, items, here, share, there, share_there, apart(found, other))


# the page -----------------------------------------------------------------------------------------
def page(rows: Sequence[Row], device: str, at: dict[str, Limits], command: str) -> str:
    """The page, in Markdown."""
    today = datetime.now(UTC).date().isoformat()
    if device == CPU:
        told = (
            "**No device has been measured**: none was there. The CPU's columns are filled; the\n"
            "answers compared are those of the CPU's engine and of the code that a device would\n"
            "run, run on the CPU too, for a few items. What a device gains is unknown."
        )
    else:
        told = f"Measured on {torch.cuda.get_device_name(device)}."
    engines = "compiled" if find_spec("numba") else "plain torch: Numba is not installed"
    measured_limits = "".join(
        f"- {name}: {one.rate / 1e9:,.0f} GFLOP/s of float64 matrix products, "
        f"{one.bandwidth / 1e9:,.0f} GB/s of copies\n"
        for name, one in at.items()
    )
    counted = "".join(f"- *{one.kind.name}*: {one.kind.counted}.\n" for one in rows)
    return f"""# CPU against CUDA

{told}

`{command}`, {today}: {machine()}.
On the CPU seconds are those of one core (engines: {engines}), on a device those of the clock. The
share is that of the nearer limit, as it was measured in the same run:

{measured_limits}
| work | items | CPU seconds | share | device seconds | share | ratio | answers apart |
|---|---|---|---|---|---|---|---|
{"".join(one.line() + chr(10) for one in rows)}
Answers are compared relative to the largest. Operations are counted as

{counted}"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda", help="where there is none: the CPU alone")
    parser.add_argument("--quick", action="store_true", help="few items of each")
    parser.add_argument("--output", type=Path, default=Path("build/gpu.md"))
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    there = given.device != CPU and torch.cuda.is_available()
    device = given.device if there else CPU
    if not there:
        print("no device: the CPU alone")
    size = 512 if given.quick else 2048
    at = {CPU: limits(CPU, size)}
    if there:
        at[device] = limits(device, 2 * size if given.quick else 4 * size)
    rows = []
    for kind in KINDS:
        rows.append(measured(kind, device, given.quick, at))
        print(rows[-1].line(), flush=True)
    words = [f"--device {given.device}", *(["--quick"] if given.quick else [])]
    command = " ".join(["python -m benchmarks.device", *words])
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(page(rows, device, at, command), encoding="utf-8")
    print(f"page: {given.output}")
    return 0 if all(one.agrees for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
