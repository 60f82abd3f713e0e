"""What may be chosen about an integration, checked when it is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Any

import numpy as np

from numerics.flow.tableaus import METHODS

CLOCKS = ("time", "loss")

LEAST_RTOL = 1e-14
"""Below, rounding makes up most of the error estimate."""


@dataclass(frozen=True)
class Options:
    """How to integrate.

    method: "dopri5", of order 5, or "dop853", of order 8. rtol, atol: a step is accepted when the
    root mean square over the weights of error / (atol + rtol |w|) is at most 1.

    clock: "time" for dw/dt = -grad R, or "loss" (logistic and exponential loss) for the clock
    dtau = (mean of |l'|) dt, on which dw/dtau = -grad R / mean |l'| does not slow down as the risk
    falls; all times are then values of tau, and logarithms of t come with the answer.

    weight_decay: lambda >= 0 in dw/dt = -grad R - lambda w (clock "time" only). log_risk_below: the
    integration stops at the end of the first step whose log risk is at most this. first_step: 0
    leaves the choice to the integrator; largest_step: a bound on steps. evaluations, events: limits
    for each network. dense: keep an interpolant of every step.

    Raises ValueError, naming the option, its value and what to give.
    """

    method: str = METHODS[0]
    rtol: float = 1e-8
    atol: float = 1e-10
    clock: str = "time"
    weight_decay: float = 0.0
    log_risk_below: float = -inf
    first_step: float = 0.0
    largest_step: float = inf
    evaluations: int = 200_000
    events: int = 10_000
    dense: bool = False

    def __post_init__(self) -> None:
        _check(self.method in METHODS, "method", self.method, f"use one of {', '.join(METHODS)}")
        _check(self.clock in CLOCKS, "clock", self.clock, f"use one of {', '.join(CLOCKS)}")
        _check(
            LEAST_RTOL <= self.rtol < 1.0, "rtol", self.rtol, f"give at least {LEAST_RTOL}, below 1"
        )
        _check(0.0 < self.atol < inf, "atol", self.atol, "give a positive number")
        _check(0.0 <= self.weight_decay < inf, "weight_decay", self.weight_decay, "give 0 or more")
        _check(
            self.weight_decay == 0.0 or self.clock == "time",
            "weight_decay",
            self.weight_decay,
            'give 0 with clock "loss"',
        )
        _check(0.0 <= self.first_step < inf, "first_step", self.first_step, "give 0 or more")
        _check(self.largest_step > 0.0, "largest_step", self.largest_step, "give a positive number")
        _check(self.evaluations >= 1, "evaluations", self.evaluations, "give at least 1")
        _check(self.events >= 0, "events", self.events, "give 0 or more")
        _check(
            not isnan(self.log_risk_below), "log_risk_below", self.log_risk_below, "give a number"
        )


def _check(holds: bool, name: str, value: object, remedy: str) -> None:
    if not holds:
        raise ValueError(f"{name} = {value!r}: {remedy}")


def check_until(until: Any, networks: int) -> np.ndarray:
    """(C,): the end of each network's integration, from one number or one for each.

    Raises ValueError unless all are positive and finite.
    """
    ends = np.asarray(until, dtype=np.float64)
    if ends.shape not in ((), (networks,)):
        raise ValueError(
            f"until has shape {ends.shape}: give one number, or one for each of {networks} networks"
        )
    for c, end in enumerate(ends.reshape(-1)):
        if not (isfinite(end) and end > 0.0):
            raise ValueError(f"until[{c}] = {end}: give a positive, finite end")
    return np.ascontiguousarray(np.broadcast_to(ends, (networks,)))


@dataclass(frozen=True)
class Forms:
    """Quadratic forms of C networks: form f of network c is the sum over its entries (a, b, x) of
    x w_a w_b, with parameters a and b counted within the network.

    offsets: (C + 1,), where the forms of each network begin; starts: (forms + 1,), where the
    entries of each form begin; rows, columns: int64, values: float64, one for each entry.
    """

    offsets: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    @classmethod
    def of(
        cls,
        given: Sequence[Sequence[Sequence[tuple[int, int, Any]]]] | None,
        parameters: Sequence[int] | np.ndarray,
    ) -> Forms:
        """From lists: given[c][f] is the list of entries. parameters: how many each network has.

        Raises ValueError, naming network, form and entry, for a wrong count, a parameter that is
        not there or a coefficient that is not finite.
        """
        if given is None:
            given = [[] for _ in parameters]
        if len(given) != len(parameters):
            raise ValueError(
                f"forms of {len(given)} networks, but the program has {len(parameters)}: give one "
                "list of forms for each network"
            )
        offsets, starts = [0], [0]
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for c, forms in enumerate(given):
            for f, entries in enumerate(forms):
                for a, b, value in entries:
                    if not (0 <= a < parameters[c] and 0 <= b < parameters[c]):
                        raise ValueError(
                            f"form {f} of network {c} has the entry ({a}, {b}, {value}): its "
                            f"parameters are 0 to {parameters[c] - 1}"
                        )
                    if not isfinite(value):
                        raise ValueError(
                            f"form {f} of network {c} has the entry ({a}, {b}, {value}): "
                            "coefficients must be finite"
                        )
                    rows.append(a)
                    columns.append(b)
                    values.append(float(value))
                starts.append(len(rows))
            offsets.append(offsets[-1] + len(forms))
        return cls(
            np.array(offsets, dtype=np.int64),
            np.array(starts, dtype=np.int64),
            np.array(rows, dtype=np.int64),
            np.array(columns, dtype=np.int64),
            np.array(values, dtype=np.float64),
        )
