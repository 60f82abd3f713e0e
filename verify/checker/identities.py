"""The certificate that a leaf of a statement about networks is an identity of polynomials.

It is for one network, without weights, a number of examples, lists if the case has some, and a
place. The statement is evaluated there by the interpreter, but with a symbol for each parameter,
value of an input that is not held, label, slope of the loss, and for the slope of each activation
that is not linear on each example: post = slope pre. Each case on this network puts numbers for the
symbols, and these do with one another what the symbols do: a leaf whose sides are one polynomial is
true in it, whatever the hypotheses ask. What the network fixes (a weight, an input, the slopes of a
leaky ReLU) is the number that it is. A condition on the way is not asked: the leaf is shown whether
it is met or not.

With signs, a weight is its sign times its absolute value: `expansion`. That no weight is 0 is used
only where it is a hypothesis.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cached_property
from typing import Any

from .arithmetic import rational
from .budget import Budget
from .cases import Case, read_lists
from .enclosures import Rational
from .expansion import SIGN, SIZE, Open, Polynomial, Ring, Symbol, Symbolic
from .interpreter import Environment, Run
from .networks import LONGEST_DESCENT, SMOOTH, Evaluated, Network, asked, read_graph
from .operators import Value
from .outcomes import Declined, Undefined, defined, reject, require, written
from .places import way
from .reading import Registered, called, read
from .records import array, fields, integer, named
from .sorts import INT, NUM
from .terms import Node

NONZERO = ["each", ["edges"], ["ne", ["weight", ["var", 0]], 0]]
"""The hypothesis that no weight is 0."""
WEIGHT = "weight"
LONGEST_NAME = 200  # characters, of a vertex or a parameter: symbols are compared again and again
SHOWN, SHOWN_NAME = 4, 20  # terms, their factors, and letters of a name in a message
_DECIDING = "rank det inverse pdet2 definite eigenvalues singular norm nuclear schatten roots"
UNKNOWN = frozenset(_DECIDING.split())
"""Operators that decide about numbers in more than one way."""


def check_identity(certificate: dict[str, Any], registered: Registered) -> str:
    """What is accepted, in words."""
    keys = ("format", "version", "kind", "statement", "network", "examples", "at")
    top = fields(certificate, "the certificate", keys, ("signed", "steps", "choice"))
    signed = top.get("signed", False)
    require(isinstance(signed, bool), "signed is neither true nor false")
    budget = Budget()
    statement = read(budget, top["statement"])
    require(statement.domain.network, "the statement is not about networks")
    graph, held = read_graph(top["network"])
    statement.domain.of_kind(graph)
    require("weights" not in top["network"], "the network has weights, and is to have none")
    examples = integer(top["examples"], "the number of examples")
    require(examples >= 1, "there are no examples")
    steps = integer(top.get("steps", 0), "the number of steps")
    require(steps >= 0, "there are fewer steps than none")
    if steps > LONGEST_DESCENT:
        raise Declined(f"a descent of more than {LONGEST_DESCENT} steps")
    nonzero = NONZERO in [item["holds"] for item in top["statement"]["hypotheses"]]
    network = _with_symbols(graph, held, examples, Ring(budget, nonzero), signed, steps)
    lists = read_lists(named(top.get("choice", {}), "the choice"), statement.domain, graph)
    at = array(top["at"], "at")
    run = _Run(Case(network, lists), budget)
    try:
        place = way(run, statement.says, at, _unasked)
        leaf = place.leaf
        numbers = all(argument.sort in (INT, NUM) for argument in leaf.arguments)
        require(leaf.operator == "eq" and numbers, "the place is no equation of two numbers")
        left, right = run.values(*place)
    except Undefined:
        reject("what the statement says has no value there")
    difference = run.sub(left, right)
    require(
        rational(difference) and difference == 0,
        f"the sides are not one polynomial: they differ by {shown(difference, graph)}",
    )
    where = f"{len(graph.vertices)} vertices, {len(graph.edges)} edges, {examples} examples"
    of = called(statement.name, top["statement"], registered)
    return (
        f"polynomial identity of {of}: on this network of {where}, both sides at {json.dumps(at)} "
        f"are {shown(left, graph)}"
    )


def _unasked(run: Run, node: Node, environment: Environment) -> None:
    """Of a condition on the way: the leaf is shown without it."""


def _with_symbols(
    graph: Network,
    held: dict[str, Rational],
    examples: int,
    ring: Ring,
    signed: bool,
    steps: int = 0,
) -> Network:
    """The network with its symbols; those of slopes are drawn when they are asked for."""
    for v, kind in graph.kinds.items():
        if kind in SMOOTH:
            raise Declined(f"the activation {kind} at {v!r} is no slope times its argument")
    if any(len(name) > LONGEST_NAME for name in (*graph.kinds, *graph.users)):
        raise Declined(f"a vertex or a parameter has a name of more than {LONGEST_NAME} characters")
    asked(graph, examples)
    ring.budget.items(examples * (len(graph.inputs) + 2 + steps) + 2 * len(graph.users))
    numbers = range(1, examples + 1)
    weights = {
        p: ring.symbol(SIGN, k) * ring.symbol(SIZE, k) if signed else ring.symbol(WEIGHT, k)
        for k, p in enumerate(graph.users)
    }
    place = {v: k for k, v in enumerate(graph.kinds)}
    return replace(
        graph,
        weights=weights,
        xs=[
            {v: held[v] if v in held else ring.symbol("input", place[v], j) for v in graph.inputs}
            for j in numbers
        ],
        labels=[ring.symbol("label", j) for j in numbers],
        loss_slopes=[ring.symbol("loss_slope", j) for j in numbers],
        sizes=tuple(ring.symbol("step_size", k) for k in range(steps)),
        later_slopes=tuple(
            [ring.symbol("loss_slope", j, k) for j in numbers] for k in range(1, steps)
        ),
    )


class _Evaluated(Evaluated):
    """A network whose activations are slopes times their arguments."""

    @cached_property
    def _place(self) -> dict[str, int]:
        return {v: k for k, v in enumerate(self.network.kinds)}

    @cached_property
    def _ring(self) -> Ring:
        return Ring(self._run.budget)

    def _activated(self, v: str, z: Any, j: int) -> tuple[Any, Any]:
        left, right = self.network.slopes[v]
        if left == right:
            return self._run.mul(right, z), right
        later = (self.steps,) if self.steps else ()
        slope = self._ring.symbol("slope", self._place[v], j, *later)
        return self._run.mul(slope, z), slope

    def activation(self, v: str, z: Any) -> Any:
        """Of c m pre(v, j) it is c m post(v, j), for c above 0 and a product m of absolute values;
        of another number as in a case."""
        defined(bool(self.network.into[v]))
        left, right = self.network.slopes[v]
        if left == right:
            return self._run.mul(right, z)
        for j in range(1, len(self.network.xs) + 1):
            times = self._ring.over(z, self.pre(v, j))
            if times is not None:
                return self._run.mul(times, self.post(v, j))
        if not rational(z):
            raise Open("an activation")
        return self._run.mul(left if z < 0 else right, z)


class _Run(Symbolic, Run):
    """The interpreter on symbols."""

    def __init__(self, case: Case, budget: Budget) -> None:
        super().__init__(case, budget, 0)
        assert case.network is not None
        self._reached = [_Evaluated(case.network, self)]

    def value(self, node: Node, environment: Environment) -> Value:
        """The value of a term; Open where symbols do not tell it."""
        if node.operator in UNKNOWN:
            raise Open(node.operator)
        return super().value(node, environment)


def shown(number: Any, graph: Network) -> str:
    """A number, or the first terms of a polynomial, with the names of what symbols are of."""
    if not isinstance(number, Polynomial):
        return written(number)
    parameters, vertices = tuple(graph.users), graph.vertices

    def name(symbol: Symbol) -> str:
        kind, first, *example = symbol
        if kind in (WEIGHT, SIGN, SIZE):
            return f"{kind}({parameters[first][:SHOWN_NAME]})"
        of = vertices[first][:SHOWN_NAME] if kind in ("input", "slope") else first
        return f"{kind}({', '.join(map(str, (of, *example)))})"

    terms = sorted(number.terms.items())
    words = [
        " ".join([written(value), *(f"{name(s)}^{k}" for s, k in monomial[:SHOWN])])
        + (" ..." if len(monomial) > SHOWN else "")
        for monomial, value in terms[:SHOWN]
    ]
    more = len(terms) - len(words)
    return " + ".join(words) + (f" + {more} more terms" if more else "")
