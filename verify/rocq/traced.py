"""A case of any claim about networks as Rocq source: the arithmetic of the checker, step by step.

The checker computes the residual from numbers that remember how they came about. Rocq repeats every
step with its own rationals, and every comparison on the way: those of the hypotheses, and those
that decided how to go on. That the steps are what the claim says is the checker's word here; that
they give this number, which is not 0, is Rocq's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from verify.checker import restated as checker
from verify.rocq.facts import Fact
from verify.rocq.facts import write as write_facts
from verify.rocq.graph import NotExported, read_graph
from verify.rocq.names import at_example, identifier
from verify.rocq.source import Source, rational

MOST_STEPS = 5_000


@dataclass
class Trace:
    """The steps of a computation, as definitions by name in their order, and the comparisons."""

    leaves: dict[str, Fraction] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    known: dict[str, Traced] = field(default_factory=dict)
    comparisons: dict[str, bool] = field(default_factory=dict)

    def leaf(self, name: str, value: Fraction) -> Traced:
        """A given number."""
        self.leaves[name] = value
        return Traced(value, name, self)

    def step(self, expression: str, value: Fraction) -> Traced:
        """The result of an operation; the same expression is the same step."""
        if expression not in self.known:
            if len(self.steps) >= MOST_STEPS:
                raise NotExported(f"more than {MOST_STEPS} steps of arithmetic")
            name = f"step_{len(self.steps)}"
            self.steps[name] = expression
            self.known[expression] = Traced(value, name, self)
        return self.known[expression]


class Traced(Fraction):
    """A rational with the name of its definition. Equal to, and hashed as, the plain one."""

    plain: Fraction
    name: str
    trace: Trace

    def __new__(cls, value: Fraction, name: str, trace: Trace) -> Traced:
        self = super().__new__(cls, value)
        self.plain, self.name, self.trace = Fraction(value), name, trace
        return self

    def _two(
        self, other: Any, symbol: str, rule: Callable[[Fraction, Fraction], Fraction], swap: bool
    ) -> Any:
        if not isinstance(other, int | Fraction):
            return NotImplemented
        one, two = (other, self) if swap else (self, other)
        value = rule(_plain(one), _plain(two))
        return self.trace.step(f"{_shown(one)} {symbol} {_shown(two)}", value)

    def __add__(self, other: Any) -> Any:
        return self if _is(other, 0) else self._two(other, "+", lambda a, b: a + b, swap=False)

    def __radd__(self, other: Any) -> Any:
        return self if _is(other, 0) else self._two(other, "+", lambda a, b: a + b, swap=True)

    def __sub__(self, other: Any) -> Any:
        return self if _is(other, 0) else self._two(other, "-", lambda a, b: a - b, swap=False)

    def __rsub__(self, other: Any) -> Any:
        return self._two(other, "-", lambda a, b: a - b, swap=True)

    def __mul__(self, other: Any) -> Any:
        return self if _is(other, 1) else self._two(other, "*", lambda a, b: a * b, swap=False)

    def __rmul__(self, other: Any) -> Any:
        return self if _is(other, 1) else self._two(other, "*", lambda a, b: a * b, swap=True)

    def __truediv__(self, other: Any) -> Any:
        return self if _is(other, 1) else self._two(other, "/", lambda a, b: a / b, swap=False)

    def __rtruediv__(self, other: Any) -> Any:
        return self._two(other, "/", lambda a, b: a / b, swap=True)

    def __neg__(self) -> Any:
        return self.trace.step(f"- {self.name}", -self.plain)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int) or power < 0:
            return NotImplemented
        if power == 0:
            return Fraction(1)
        result = self
        for _ in range(power - 1):
            result = result * self
        return result

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, int | Fraction):
            return False
        return self._compared(f"Qeq_bool {self.name} {_shown(other)}", self.plain == _plain(other))

    def __hash__(self) -> int:  # type: ignore[override]  # typeshed: Complex has none
        return hash(self.plain)

    def __lt__(self, other: Any) -> bool:
        return not self._at_least(other)

    def __le__(self, other: Any) -> bool:
        return self._compared(f"Qle_bool {self.name} {_shown(other)}", self.plain <= _plain(other))

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return self._at_least(other)

    def __bool__(self) -> bool:
        return self != 0

    def _at_least(self, other: Any) -> bool:
        return self._compared(f"Qle_bool {_shown(other)} {self.name}", _plain(other) <= self.plain)

    def _compared(self, expression: str, outcome: bool) -> bool:
        self.trace.comparisons[expression] = outcome
        return outcome


def _plain(value: Any) -> Fraction:
    return value.plain if isinstance(value, Traced) else Fraction(value)


def _is(value: Any, number: int) -> bool:
    return not isinstance(value, Traced) and isinstance(value, int | Fraction) and value == number


def _shown(value: Any) -> str:
    return value.name if isinstance(value, Traced) else rational(Fraction(value))


def write_point(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The definitions and theorems of a case. Returns the theorems' names."""
    theorems = _write_traced(source, certificate)
    value = rational(Fraction(certificate["value"]))
    for name, statement, lemma in (
        ("residual_value", f"residual == {value}", "Qeq_bool_eq"),
        ("violated", "~ residual == 0", "Qeq_bool_neq"),
    ):
        steps = [f"apply {lemma}", "vm_compute", "reflexivity"]
        source.prove(name, statement, steps, word="Theorem")
    theorems += ["residual_value", "violated"]
    if checker.STATEMENTS[certificate["claim"]].inequality:
        steps = ["vm_compute", "reflexivity"]
        source.prove("negative", "Qle_bool 0 residual = false", steps, word="Theorem")
        theorems.append("negative")
    return theorems


def _write_traced(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The steps of the residual and their comparisons. Returns the theorems' names.

    Raises NotExported where the residual is not computed from the numbers of the case, is not
    rational, or takes too many steps.
    """
    statement = checker.STATEMENTS.get(certificate["claim"])
    if statement is None or isinstance(statement, checker.MatrixStatement):
        raise NotExported(f"no Rocq form of a case of {certificate['claim']} is known here")
    if isinstance(certificate["value"], list):
        raise NotExported("the residual is known by an enclosure alone")
    trace = Trace()
    case = _traced_case(certificate["case"], trace)
    case = replace(case, net=replace(case.net, waived=waived_by(certificate)))
    residual = checker.residual_of(statement, case, certificate["entry"])
    if not isinstance(residual, Traced):
        raise NotExported("the entry is a predicate, its residual is no arithmetic")
    value = Fraction(certificate["value"])
    if residual.plain != value:
        raise NotExported(f"the residual is {residual.plain}, not {value}")
    write_trace(source, trace)
    source.remark("the residual")
    source.define("residual", "", "Q", residual.name)
    return ["hypotheses"] if trace.comparisons else []


def waived_by(certificate: dict[str, Any]) -> frozenset[str]:
    """What a certificate of necessity does without, as the checker names it; else nothing."""
    if certificate["kind"] != "necessity":
        return frozenset()
    return frozenset(checker.WITHOUT[certificate["without"]])


def write_trace(source: Source, trace: Trace) -> None:
    """The given numbers, the steps, and the comparisons."""
    source.remark("given numbers")
    for name, number in trace.leaves.items():
        source.define(name, "", "Q", rational(number))
    source.remark("the steps of the computation")
    for name, expression in trace.steps.items():
        source.define(name, "", "Q", f"Qred ({expression})")
    write_facts(
        source,
        [Fact(text, outcome, "a comparison") for text, outcome in trace.comparisons.items()],
    )


def _traced_case(record: dict[str, Any], trace: Trace) -> checker.Case:
    """The case as the checker reads it, its numbers traced."""
    graph, case = read_graph(record["network"]), checker.read_case(record)
    if case.loss:
        raise NotExported(f"the slopes of the {case.loss} loss are not rational")
    named = {str(graph.edges[e].parameter): name for name, e in graph.weights().items()}
    return replace(
        case,
        weights={key: trace.leaf(named[key], w) for key, w in case.weights.items()},
        xs=[
            {v: trace.leaf(at_example(identifier("x", v), j), value) for v, value in x.items()}
            for j, x in enumerate(case.xs)
        ],
        labels=[trace.leaf(at_example("y", j), y) for j, y in enumerate(case.labels)],
        slopes=[
            trace.leaf(at_example("loss_slope", j), slope) for j, slope in enumerate(case.slopes)
        ],
    )
