"""The kinds of work that `benchmarks.growth` measures: what grows, and what theory says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import curvature, flows, gradients
from graphs.activations import RELU, TANH, Activation
from graphs.balance import vertex_balances
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.laws import find_laws
from graphs.network import Network
from graphs.paths import count_paths, path_table
from graphs.polynomials import Symbols
from numerics.enclosures import Balls
from numerics.flow import Options
from verify.papers.registry import find
from verify.runs import engine
from verify.runs.own_claims import load
from verify.search.drawing import draw
from verify.search.judging import judge_all, view

GRAPHS, PARAMETERS, CASES = "Paths and edges", "Parameters", "Cases and claims"
WIDE = (16, 23, 32, 45, 64, 91, 128, 181)
LAYERS = (16, 23, 32, 45, 64, 91, 128, 181, 256)

Work = Callable[[], Any]
Sized = tuple[float, Work]
"""How large it is, and what does it."""


# the works ----------------------------------------------------------------------------------------
def by_paths(work: Callable[[Network], Any], depth: int) -> Sized:
    """Of a network with two vertices a layer, on copies about which nothing is cached."""
    net = fully_connected([2] * depth + [1])
    return count_paths(net).total, lambda: work(replace(net))


def by_edges(work: Callable[[Network], Any], widths: Callable[[int], list[int]], m: int) -> Sized:
    """Of a fully connected network, on copies about which nothing is cached."""
    net = fully_connected(widths(m))
    return net.edge_count, lambda: work(replace(net))


def six(width: int) -> list[int]:
    return [width] * 6 + [1]


def four(width: int) -> list[int]:
    return [width] * 4 + [1]


def enumerated(net: Network) -> Any:
    return path_table(Union.of([net]), count_paths(net).total)


def path_sum(net: Network) -> Any:
    return Symbols.of(net).evaluation.outputs


def problem(width: int, kind: Activation, count: int = 4, examples: int = 8) -> gradients.Problem:
    """Copies of one fully connected network with different weights, of He's size, and data."""
    net, generator = fully_connected([8, width, width, 1], kind), np.random.default_rng(0)
    sizes = np.sqrt([2 / len(net.in_edges[head]) for head in net.heads])
    return gradients.Problem(
        [net] * count,
        [sizes * generator.standard_normal(net.edge_count) for _ in range(count)],
        [generator.standard_normal((examples, 8)) for _ in range(count)],
        [generator.choice([-1.0, 1.0], size=examples) for _ in range(count)],
    )


def risk_gradient(width: int) -> Sized:
    chosen = problem(width, RELU)
    return chosen.nets[0].edge_count, gradients.ours(chosen, "auto")


def gradient_flow(kind: Activation, width: int) -> Sized:
    chosen = problem(width, kind)
    call, _ = flows.ours(chosen, Options(**flows.TOLERANCES), forms=False)
    return chosen.nets[0].edge_count, call


def hessian(width: int) -> Sized:
    networks, points = curvature.case(width)
    size = networks.architecture.parameter_count
    return size, lambda: curvature.ours(networks, points, "nothing")


def cases(way: Callable[[Any, Sequence[Any]], Any], count: int) -> Sized:
    claim, random = find("lj22.lemma2a"), Random(0)
    assert claim.pool is not None
    loss = claim.pool.losses[0]
    drawn = [draw(claim, random, n=4, loss=loss, large=False) for _ in range(count)]
    return count, lambda: way(claim, drawn)


def in_balls(claim: Any, drawn: Sequence[Any]) -> None:
    for batch in type(drawn[0]).batches(drawn):
        view(claim, batch, Balls("cpu"))


def stated(folder: Path, count: int) -> Path:
    """A file with so many different claims, in place of the one before."""
    path = folder / "claims.py"
    path.write_text(
        "from lemmata import Matrix, claim, rank\n"
        'A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")\n'
        f"for k in range({count}):\n"
        '    claim(f"growing.lemma{k}", rank(A @ B) <= rank(A) + k)\n',
        encoding="utf-8",
    )
    return path


def loaded(folder: Path, count: int) -> Sized:
    return count, partial(load, stated(folder, count))


def checked(folder: Path, count: int) -> Sized:
    """Without the controls, which are as many for any number of claims."""
    found = load(stated(folder, count))

    def work() -> None:
        with patch.dict(engine.CONTROLS, clear=True):
            engine.run(found, engine.Settings(budget="smoke"))

    return count, work


# the curves ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Order:
    """What theory says that work costs, but for a factor."""

    formula: str
    cost: Callable[[float], float]


LOG, LINEAR = Order("log n", log), Order("n", lambda n: n)
N_LOG_N = Order("n log n", lambda n: n * log(n))
SQUARE, CUBE = Order("n^2", lambda n: n**2), Order("n^3", lambda n: n**3)


@dataclass(frozen=True)
class Curve:
    """A kind of work. unit: what its size counts. works: from a step of its ladder the size and the
    work. why: where the order is from."""

    group: str
    unit: str
    order: Order
    works: Callable[[int], Sized]
    steps: Sequence[int]
    why: str


def curves(folder: Path) -> dict[str, Curve]:
    """All of them, by name. folder: where files of claims go."""
    paths, edges = partial(Curve, GRAPHS, "paths"), partial(Curve, GRAPHS, "edges")
    parameters = partial(Curve, PARAMETERS, "parameters")
    cases_grow, claims_grow = partial(Curve, CASES, "cases"), partial(Curve, CASES, "claims")
    doubled = [2**k for k in range(12)]
    return {
        "paths counted": paths(
            *(LOG, partial(by_paths, count_paths), range(8, 21)),
            "one addition an edge, and with two vertices a layer there are 4 log2 n edges for n "
            "paths; nothing is enumerated",
        ),
        "paths listed": paths(
            *(N_LOG_N, partial(by_paths, enumerated), range(11, 20)),
            "the table has a row for each path and a column for each of its log2 n edges. The time "
            "of the program itself grows so; beyond 100,000 paths the system's work on fresh pages "
            "of memory is a third to a half of the whole, and grows faster",
        ),
        "path sum expanded": paths(
            *(N_LOG_N, partial(by_paths, path_sum), range(11, 20)),
            "a term for each path, whose exponents are packed in a row as long as there are "
            "symbols, 6 log2 n",
        ),
        "paths counted, by edges": edges(
            *(LINEAR, partial(by_edges, count_paths, six), WIDE),
            "one addition an edge and a direction, of integers of one word",
        ),
        "balances of all vertices": edges(
            *(LINEAR, partial(by_edges, vertex_balances, six), WIDE),
            "structural: what flows in and out of each vertex is written once for each edge",
        ),
        "risk gradients": parameters(
            *(LINEAR, risk_gradient, LAYERS),
            "two products forward and back for each edge and example",
        ),
        "flow, tanh": parameters(
            *(LINEAR, partial(gradient_flow, TANH), LAYERS),
            "a gradient for each stage of a step; how many steps depends on the curvature, which "
            "does not grow with the width of a layer",
        ),
        "flow, ReLU": parameters(
            *(SQUARE, partial(gradient_flow, RELU), LAYERS[:-2]),
            "at most: besides the gradient an evaluation has n operations for each kink that is "
            "held, and steps begin anew at each kink that is met; both numbers grow like the "
            "vertices, √n, or less",
        ),
        "Hessian norms": parameters(
            *(LINEAR, hessian, (55, 80, 115, 164, 234, 333, 473, 670, 947, 1340)),
            "some twenty products of a Hessian with a vector, each as long as a few gradients. A "
            "step where the weights no longer fit the caches takes part in the slope",
        ),
        "laws": parameters(
            *(CUBE, partial(by_edges, find_laws, four), (4, 6, 8, 11, 16, 23, 30)),
            "one block of the graded system has n unknowns, and its elimination modulo a prime n^3 "
            "operations; the rest grows like n^2",
        ),
        "cases in float balls": cases_grow(
            *(LINEAR, partial(cases, in_balls), doubled[4:]),
            "one batch is one union of networks, and each is measured by itself",
        ),
        "cases judged exactly": cases_grow(
            *(LINEAR, partial(cases, judge_all), doubled[4:11]),
            "the same over the rationals, whose size does not depend on the number of cases",
        ),
        "claims loaded": claims_grow(
            *(LINEAR, partial(loaded, folder), doubled[3:11]),
            "each statement is built and hashed once",
        ),
        "claims run": claims_grow(
            *(LINEAR, partial(checked, folder), doubled[2:8]),
            "the same methods for each claim, and one record of the run",
        ),
    }
