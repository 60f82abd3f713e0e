"""Numbers that remember how they came about, for Rocq source: what the checker computes, in steps.

The checker computes the residual from such numbers. Rocq repeats every step with its own rationals,
and every comparison on the way: those of the hypotheses, and those that decided how to go on. That
the steps are what the claim says is the checker's word here; that they give this number, which is
not 0, is Rocq's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.checker import restated as checker
from verify.rocq.facts import Fact
from verify.rocq.facts import write as write_facts
from verify.rocq.source import NotExported, Source, rational

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
            raise NotExported(f"the power {power} has no Rocq form here")
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
