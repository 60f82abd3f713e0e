"""Section 2 of the paper: distances, layers, in-degrees, as terms.

A case is a network. V_input and V_output are as printed, by degrees: beside the output that the
network has there may be other vertices without an edge out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random

from graphs.network import Network, network
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.core.argument import Step
from verify.kinds.dags.pool import GRAPHS
from verify.language.building import (
    Filter,
    Max,
    Min,
    Some,
    When,
    card,
    floor,
    into,
    out_of,
    paths_to,
    tail,
    vertices,
)
from verify.language.statements import Statement
from verify.language.terms import Term, called, written
from verify.papers.zlb22.digraphs import LARGEST, Parents, small_graphs
from verify.statements.stated import Given


# definitions --------------------------------------------------------------------------------------
@written(r"\mathrm{in}({0})")
def indegree(v: Term) -> Term:
    """in(v)."""
    return card(into(v))


V_INPUT = called(r"\mathcal V_{\mathrm{input}}", Filter(vertices(), lambda v: indegree(v) == 0))
V_OUTPUT = called(
    r"\mathcal V_{\mathrm{output}}", Filter(vertices(), lambda v: card(out_of(v)) == 0)
)


def first(path: Term, end: Term) -> Term:
    """Where a path to a vertex starts."""
    return When(card(path) == 0, end, tail(path[1]))


@written(r"p({0})")
def p(v: Term) -> Term:
    """Definition 2.1: the maximum length of all paths that start in V_input and end at v."""
    starting = Filter(paths_to(v), lambda path: indegree(first(path, v)) == 0)
    return floor(Max(starting, lambda path: card(path)))  # a whole number, as the language sees it


DEPTH = called("L", floor(Max(vertices(), lambda v: p(v))))


@written(r"\mathcal V_{{0}}")
def layer(number: Term | int) -> Term:
    """(4): the vertices at this distance."""
    return Filter(vertices(), lambda v: p(v) == number)


@written(r"\mathcal A({0})")
def with_ancestors(v: Term) -> Term:
    """v and the vertices from which a path leads to it."""
    return Filter(vertices(), lambda u: Some(paths_to(v), lambda path: first(path, v) == u))


WIDTH = called("m", Min(Filter(vertices(), lambda v: p(v) >= 2), lambda v: indegree(v)))
"""m, the width: the words of Definition 2.7."""


# cases --------------------------------------------------------------------------------------------
def on_graph(parents: Parents) -> Network:
    """The network on a DAG whose edges run from smaller to larger numbers; its output is the last
    vertex with a parent. There is an edge."""
    names = [str(v) for v in range(len(parents))]
    return network(
        [(names[u], names[v]) for v, above in enumerate(parents) for u in above],
        inputs=[names[v] for v, above in enumerate(parents) if not above],
        outputs=[names[max(v for v, above in enumerate(parents) if above)]],
    )


MOST = 7


def _often_any_graph(case: Case, random: Random) -> Case:
    """In two of three cases the network of a small DAG: unlayered, layered, chains with skips,
    DenseNets, with an output in an inner layer, several outputs, or vertices apart."""
    if random.random() < 1 / 3:
        return case
    count = random.randint(2, MOST)
    made = GRAPHS[random.choice(sorted(GRAPHS))](count, random)
    parents: list[list[int]] = [[] for _ in range(count)]
    for v, u in sorted(made):
        parents[v].append(u)
    net = on_graph(tuple(map(tuple, parents)))
    return Pool(examples=(1,)).fill(net, random, n=1, loss=case.loss, family="any DAG")


NETWORKS = Pool(largest=4, examples=(1,), adapt=_often_any_graph)


# every small graph --------------------------------------------------------------------------------
def on_small_graphs(says: Term, *given: Given) -> tuple[Step, ...]:
    """For each number of vertices, that what is said of graphs is true on every such graph that
    meets the hypotheses."""
    counts = range(2, LARGEST + 1)
    return on_graphs({f"{count} vertices": small_graphs(count) for count in counts}, says, *given)


def on_graphs(
    graphs: Mapping[str, Iterable[Parents]], says: Term, *given: Given
) -> tuple[Step, ...]:
    """For each name, that what is said is true on all of its graphs that meet the hypotheses."""
    statement = Statement("graphs", says, {one.name: one.holds for one in given})
    steps = []
    for name, listed in graphs.items():
        cases = [plain_case(on_graph(parents)) for parents in listed if any(parents)]
        scene = Case.scene(cases, RATIONALS)
        for hypothesis in statement.given:
            met = statement.hypothesis(hypothesis)(scene)
            kept = [case for case, yes in zip(cases, met, strict=True) if yes]
            cases, scene = kept, Case.scene(kept, RATIONALS)
        values = statement.truths(scene).values
        if len(values):  # two vertices have a single layer of weights
            text = f"{name}: {len(values)} entries on {len(scene.cases)} graphs are true"
            steps.append(Step(text, not any(bool(x != 0) for x in values)))
    return tuple(steps)


def plain_case(net: Network) -> Case:
    """A case on a network, all its numbers 1."""
    one = Fraction(1)
    weights, data = (one,) * net.parameter_count, (one,) * len(net.free_inputs)
    return Case(net, weights, (data,), (one,), slopes=(one,))
