"""A case made of arrays as Rocq source: the arithmetic of the checker, step by step.

Eigenvalues are not computed again by search: between two rationals t lies the largest eigenvalue of
M where the pivots of the symmetric elimination (LDL^T) of t - M are positive, or not negative at
the upper one, and not so at the lower one. Rocq computes these pivots and their signs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.checker import restated as checker
from verify.rocq.names import identifier
from verify.rocq.source import NotExported, Source, rational
from verify.rocq.traced import Trace, Traced, waived_by, write_trace


@dataclass(frozen=True)
class TracedArrays(checker.Arrays):
    """Arrays of traced numbers; of an eigenvalue the enclosure is given, and its pivots traced."""

    trace: Trace = field(default_factory=Trace)

    def largest(self, symmetric: checker.Rows) -> checker.Interval:
        """The largest eigenvalue of a symmetric matrix."""
        plain = [[Fraction(entry) for entry in row] for row in symmetric]
        found = checker.largest_eigenvalue(plain, self.bits)
        low = self._bound(found.low, symmetric)
        if found.low == found.high:
            return checker.Interval(low, low)
        return checker.Interval(low, self._bound(found.high, symmetric))

    def sqrt(self, value: Any) -> checker.Interval:
        """Roots, like the three that follow, have no Rocq form; nor have eigenvalues by number,
        since the checker makes polynomials of plain rationals alone."""
        raise NotExported("roots, logarithms and powers have no Rocq form here")

    log = exp = sqrt

    def power(self, value: Any, exponent: Any) -> checker.Interval:
        """See `sqrt`."""
        return self.sqrt(value)

    def _bound(self, value: Fraction, symmetric: checker.Rows) -> Traced:
        """A given number t, after the pivots of t - M."""
        name = f"bound_{sum(key.startswith('bound_') for key in self.trace.leaves)}"
        t = self.trace.leaf(name, value)
        checker.definiteness(
            [
                [t - m if i == j else 0 * t - m for j, m in enumerate(row)]
                for i, row in enumerate(symmetric)
            ]
        )
        return t


def write_arrays(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The steps of the residual and its theorems. Returns their names. Raises NotExported."""
    statement = checker.STATEMENTS[certificate["claim"]]
    if isinstance(statement, checker.DeepStatement):
        raise NotExported("networks made of arrays have no Rocq form here")
    read = checker.read_arrays(certificate["case"], statement, certificate["entry"])
    claimed = checker.read_value(certificate["value"])
    for bits in checker.PRECISIONS:
        trace = Trace()
        given = {name: _leaves(trace, identifier("a", name), a) for name, a in read.arrays.items()}
        waived = waived_by(certificate)
        arrays = TracedArrays(
            given, read.lengths, read.choice, read.entry, bits, waived, trace=trace
        )
        for hypothesis in checker.supposed(statement.hypotheses, waived):
            hypothesis(arrays)
        found = checker.interval(statement.residual(arrays))
        if claimed.low <= found.low and found.high <= claimed.high:
            return _write(source, trace, found, claimed)
    raise NotExported("the residual is not enclosed so narrowly")


def _leaves(trace: Trace, name: str, value: Any) -> Any:
    """A nested list with names by position."""
    if isinstance(value, list):
        return [_leaves(trace, f"{name}_to_{k}", item) for k, item in enumerate(value)]
    return trace.leaf(name, value)


def _write(
    source: Source, trace: Trace, found: checker.Interval, claimed: checker.Interval
) -> list[str]:
    ends = {"residual_low": found.low, "residual_high": found.high}
    if not any(isinstance(end, Traced) for end in ends.values()):
        raise NotExported("the entry is a count or a predicate, its residual is no arithmetic")
    write_trace(source, trace)
    source.remark("the residual lies between")
    for name, end in ends.items():
        source.define(name, "", "Q", end.name if isinstance(end, Traced) else rational(end))
    negative = claimed.high < 0
    theorems = {
        "not_below": f"Qle_bool {rational(claimed.low)} residual_low = true",
        "not_above": f"Qle_bool residual_high {rational(claimed.high)} = true",
        "violated": f"Qle_bool {'0 residual_high' if negative else 'residual_low 0'} = false",
    }
    for name, statement in theorems.items():
        source.prove(name, statement, ["vm_compute", "reflexivity"], word="Theorem")
    return [*(["hypotheses"] if trace.comparisons else []), *theorems]
