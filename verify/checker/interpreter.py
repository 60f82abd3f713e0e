"""The value of a term in a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from .arithmetic import Arithmetic, rational
from .budget import Budget
from .cases import Case
from .enclosures import Rational
from .matrices import Matrix, Vector, entrywise, matrix
from .networks import Evaluated
from .operators import LISTS, MATRICES, NETWORKS, NUMBERS, Value
from .outcomes import defined
from .rates import Moving, speed, still
from .sorts import BINDERS
from .terms import Node

Environment = tuple[Value, ...]  # of the variables, from the outermost


class Mode(IntEnum):
    """How a term is looked at: as it stands; with its derivatives, within `rate`; and within `rate`
    as a condition, or where nothing moves: what is bound carries derivatives that do not matter."""

    STANDING = 0
    MOVING = 1
    CONDITION = 2


class Run(Arithmetic):
    """One evaluation in one precision."""

    def __init__(self, case: Case, budget: Budget, precision: int) -> None:
        super().__init__(budget, precision)
        self._case, self._mode = case, Mode.STANDING
        self._fields: dict[str, Value] = {}
        self._unfoldings: dict[tuple[str, int, bool], Matrix] = {}
        self._kept: dict[tuple[int, int, Mode, int], tuple[Node, Environment, Value]] = {}
        self._steps = 0
        self._reached = [Evaluated(case.network, self)] if case.network else []

    @property
    def network(self) -> Evaluated:
        """The network of the case, after as many steps as are asked for."""
        assert self._reached, "reading a term has seen that there is one"
        return self._reached[self._steps]

    @contextmanager
    def after(self, steps: int) -> Iterator[None]:
        """Within it, the network is the one after so many steps of gradient descent."""
        defined(0 <= steps <= len(self.network.network.sizes))
        while len(self._reached) <= steps:
            self._reached.append(self._reached[-1].stepped())
        before, self._steps = self._steps, steps
        try:
            yield
        finally:
            self._steps = before

    def of_one_loss(self) -> bool:
        """Whether the slopes of the loss, at all steps, are those of one."""
        slopes, enclosed = dict[Any, Rational](), list[tuple[Any, Any]]()
        for steps in range(max(1, len(self.network.network.sizes))):
            with self.after(steps):
                if not self.network.of_one_loss(slopes, enclosed):
                    return False
        return True

    @property
    def moving(self) -> bool:
        """Whether values are to carry their derivatives."""
        return self._mode is Mode.MOVING

    def value(self, node: Node, environment: Environment) -> Value:
        """The value of a term; Undefined if it has none, Undecided if this precision is too low."""
        self.budget.node()
        if node.operator in LONG:
            return self._kept_value(node, environment)
        if self._mode is Mode.MOVING and node.arguments and not node.moves:
            return self._standing(node, environment)
        return RULES[node.operator](self, node, environment)

    def _standing(self, node: Node, environment: Environment) -> Value:
        """The value, of which no derivatives are asked."""
        with self.looking(Mode.CONDITION):
            return RULES[node.operator](self, node, environment)

    def _kept_value(self, node: Node, environment: Environment) -> Value:
        """The value, computed anew only where one of the variables in it is another one. With more
        variables around it a node may say something else: of one that it binds elsewhere."""
        key = id(node), len(environment), self._mode, self._steps
        if key in self._kept:
            _, before, value = self._kept[key]
            outside = (k for k in node.free if k < len(environment))
            if all(before[k] is environment[k] for k in outside):
                return value
        standing = self._mode is Mode.MOVING and not node.moves
        rule = Run._standing if standing else RULES[node.operator]
        value = rule(self, node, environment)
        self._kept[key] = node, environment, value
        return value

    def values(self, node: Node, environment: Environment) -> list[Value]:
        """Those of the arguments."""
        return [self.value(argument, environment) for argument in node.arguments]

    def each(self, node: Node, environment: Environment) -> Iterator[tuple[Value, Value]]:
        """The elements of the list of a binder, each with the value of the last argument there."""
        for element in self.value(node.arguments[0], environment):
            yield element, self.value(node.arguments[-1], (*environment, element))

    def made(self, elements: list[Value]) -> tuple[Value, ...]:
        """A list."""
        self.budget.items(len(elements))
        return tuple(elements)

    @contextmanager
    def looking(self, mode: Mode) -> Iterator[None]:
        """Within it, terms are looked at in this way."""
        before, self._mode = self._mode, mode
        try:
            yield
        finally:
            self._mode = before

    def condition(self, node: Node, environment: Environment) -> bool:
        """Whether a condition is met; where it moves to is of no account."""
        if self._mode is Mode.STANDING:
            return bool(self.value(node, environment))
        with self.looking(Mode.CONDITION):
            return bool(self.value(node, environment))

    def variable(self, node: Node, environment: Environment) -> Value:
        """What is bound."""
        found = environment[int(node.literal)]
        return self._still(found) if self._mode is Mode.CONDITION and node.moves else found

    def _still(self, value: Value) -> Value:
        """A value without derivatives."""
        self.budget.items(1)
        self.budget.steps(1, 0)
        return type(value)(map(self._still, value)) if isinstance(value, tuple) else still(value)

    def field(self, node: Node) -> Value:
        """An array of the case, with its velocity where values are to carry theirs."""
        name = str(node.literal)
        found = self._case.arrays[name]
        if not self.moving or name not in self._case.flow:
            return found
        if name not in self._fields:
            with self.looking(Mode.STANDING):
                velocity = self.value(self._case.flow[name], ())
            if rational(found):
                self._fields[name] = Moving(found, velocity)
            else:
                self._fields[name] = entrywise(Moving, found, velocity)
        return self._fields[name]

    def unfolding(self, node: Node) -> Matrix:
        """Of a tensor, which is always a field; each is made once."""
        tensor, k = node.arguments[0], int(node.literal)
        key = (str(tensor.literal), k, self.moving)
        if key not in self._unfoldings:
            found = self.field(tensor)
            self.budget.items(len(found.entries))
            self._unfoldings[key] = found.unfolded(k)
        return self._unfoldings[key]


# operators that see their arguments as terms ------------------------------------------------------
def _literal(run: Run, node: Node, environment: Environment) -> Value:
    return node.literal


def _item(run: Run, node: Node, environment: Environment) -> Value:
    return run.value(node.arguments[0], environment)[int(node.literal) - 1]


def _if(run: Run, node: Node, environment: Environment) -> Value:
    condition, yes, no = node.arguments
    return run.value(yes if run.condition(condition, environment) else no, environment)


def _unless(decided: bool, otherwise: bool) -> Callable[[Run, Node, Environment], bool]:
    """The first argument decides if it has this truth; else it is the second that does."""

    def rule(run: Run, node: Node, environment: Environment) -> bool:
        if run.value(node.arguments[0], environment) == decided:
            return otherwise
        return bool(run.value(node.arguments[1], environment))

    return rule


def _rate(run: Run, node: Node, environment: Environment) -> Value:
    with run.looking(Mode.MOVING):
        return speed(run.value(node.arguments[0], environment))


def _after(run: Run, node: Node, environment: Environment) -> Value:
    with run.after(run.value(node.arguments[0], environment)):
        return run.value(node.arguments[1], environment)


def _sum(run: Run, node: Node, environment: Environment) -> Value:
    total: Value = None
    for _, value in run.each(node, environment):
        total = value if total is None else NUMBERS["add"](run, total, value)
    defined(total is not None or node.sort.name == "num")
    return 0 if total is None else total


def _prod(run: Run, node: Node, environment: Environment) -> Value:
    product: Value = 1
    for _, value in run.each(node, environment):
        product = run.mul(product, value)
    return product


def _extreme(wanted: int) -> Callable[[Run, Node, Environment], Value]:
    """The largest (1) or smallest (-1) value."""

    def rule(run: Run, node: Node, environment: Environment) -> Value:
        numbers = [value for _, value in run.each(node, environment)]
        defined(bool(numbers))
        best = numbers[0]
        for number in numbers[1:]:
            best = run.extreme(best, number, wanted)
        return best

    return rule


def _argmax(run: Run, node: Node, environment: Environment) -> Value:
    """The first element with the largest value."""
    pairs = list(run.each(node, environment))
    defined(bool(pairs))
    best = pairs[0]
    for pair in pairs[1:]:
        if run.compare(pair[1], best[1]) > 0:
            best = pair
    return best[0]


def _until(stop: bool) -> Callable[[Run, Node, Environment], Value]:
    """Whether no element, from the left, has the truth that ends the search."""

    def rule(run: Run, node: Node, environment: Environment) -> Value:
        many, body = node.arguments
        for element in run.value(many, environment):
            if run.value(body, (*environment, element)) is stop:
                return stop
        return not stop

    return rule


def _where(run: Run, node: Node, environment: Environment) -> tuple[Value, ...]:
    return run.made([element for element, met in run.each(node, environment) if met])


def _the(run: Run, node: Node, environment: Environment) -> Value:
    found = _where(run, node, environment)
    defined(len(found) == 1)
    return found[0]


def _map(run: Run, node: Node, environment: Environment) -> tuple[Value, ...]:
    return run.made([value for _, value in run.each(node, environment)])


def _vector(run: Run, node: Node, environment: Environment) -> Vector:
    size = run.value(node.arguments[0], environment)
    defined(size >= 1)
    run.budget.items(size)
    body = node.arguments[1]
    return Vector(run.value(body, (*environment, i)) for i in range(1, size + 1))


def _matrix(run: Run, node: Node, environment: Environment) -> Matrix:
    m, n = (run.value(argument, environment) for argument in node.arguments[:2])
    defined(m >= 1 and n >= 1)
    run.budget.items(m * n)
    body = node.arguments[2]
    return matrix(
        [run.value(body, (*environment, i, j)) for j in range(1, n + 1)] for i in range(1, m + 1)
    )


def _let(run: Run, node: Node, environment: Environment) -> Value:
    bound = run.value(node.arguments[0], environment)
    return run.value(node.arguments[1], (*environment, bound))


def _fold(run: Run, node: Node, environment: Environment) -> Value:
    elements, so_far = (run.value(argument, environment) for argument in node.arguments[:2])
    for element in elements:
        so_far = run.value(node.arguments[2], (*environment, so_far, element))
    return so_far


def _along(run: Run, node: Node, environment: Environment) -> Value:
    """Where the body speaks of the path, it is asked of each path, the longest ones first; else
    once of each vertex, in their order."""
    v, body = run.value(node.arguments[0], environment), node.arguments[1]
    net = run.network.network
    defined(net.sizes_to[v] is not None)
    found: dict[Value, Value] = {}
    if node.literal:
        for path in reversed(NETWORKS["paths_to"](run, v)):
            at = net.edges[path[0]].tail if path else v
            before = run.made([found[e, *path] for e in net.into[at]])
            found[path] = run.value(body, (*environment, at, path, before))
        return found[()]
    needed, waiting = {v}, [v]
    while waiting:
        tails = {net.edges[e].tail for e in net.into[waiting.pop()]} - needed
        needed |= tails
        waiting += tails
    for at in (u for u in net.order if u in needed):
        before = run.made([found[net.edges[e].tail] for e in net.into[at]])
        found[at] = run.value(body, (*environment, at, (), before))
    return found[v]


def _strict(function: Callable[..., Value]) -> Callable[[Run, Node, Environment], Value]:
    """An operator that has no value where an argument has none."""

    def rule(run: Run, node: Node, environment: Environment) -> Value:
        value, arguments = run.value, node.arguments
        if len(arguments) == 2:
            one, other = arguments
            return function(run, value(one, environment), value(other, environment))
        return function(run, *[value(argument, environment) for argument in arguments])

    return rule


LONG = frozenset(BINDERS) - {"let", "each", "some"} | {"rate", "into", "out_of", "matmul", "det"}
"""Operators whose values are kept."""
RULES: dict[str, Callable[[Run, Node, Environment], Value]] = {
    **{
        operator: _strict(function)
        for operator, function in {**NUMBERS, **LISTS, **MATRICES, **NETWORKS}.items()
    },
    "literal": _literal,
    "var": Run.variable,
    "field": lambda run, node, environment: run.field(node),
    "item": _item,
    "unfold": lambda run, node, environment: run.unfolding(node),
    "if": _if,
    "and": _unless(False, False),
    "or": _unless(True, True),
    "implies": _unless(False, True),
    "rate": _rate,
    "after": _after,
    "sum": _sum,
    "prod": _prod,
    "maximum": _extreme(1),
    "minimum": _extreme(-1),
    "argmax": _argmax,
    "count": lambda run, node, environment: len(_where(run, node, environment)),
    "each": _until(False),
    "some": _until(True),
    "filter": _where,
    "the": _the,
    "map": _map,
    "vector": _vector,
    "matrix": _matrix,
    "let": _let,
    "fold": _fold,
    "along": _along,
}
