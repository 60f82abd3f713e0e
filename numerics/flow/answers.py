"""What an integration returns: for each network its end, segments, balances and interpolant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from graphs.network import Network
from numerics.flow.status import Status

"""The sides of a pattern. AT_ZERO: there is no kink at this vertex, or all that arrives there is 0
(behind dead vertices, or behind one that slides), so that its slope does not matter."""


_numbers = partial(np.zeros, 0)
_integers = partial(np.zeros, 0, dtype=np.int64)
_table = partial(np.zeros, (0, 0))


@dataclass
class Record:
    """All that a backend found out about one network, as arrays. P parameters, V vertices, n
    examples, F forms, S segments; "time" is that of the clock that was chosen.

    status: a Status. time: where the integration ended; log_time: log of the true time there.
    start, end: (P,) weights; log_risks: (2,), at the start and at the end. counts: see Counts.
    length: of the path, from step to step.
    step_times, step_log_risks, step_log_times: (accepted + 1,).
    pattern: (V, n) int8, the sides at the start; segment_starts: (S,); a change (four arrays) is a
    vertex and an example that have a new side from the start of a segment on.
    slide_*: for each segment and each (vertex, example) that slides in it the least and the
    largest slope. sign_*: when a weight got a new sign, and which.
    form_values: (2, F), at the start and at the end; form_residuals, form_bounds, form_times,
    form_rates, form_rate_scales: (S, F), see Balance.
    dense_starts, dense_steps: (accepted,); dense_weights: (accepted, P); dense_coefficients:
    (accepted, D, P), see Dense.
    """

    status: int
    time: float
    log_time: float
    start: np.ndarray
    end: np.ndarray
    log_risks: np.ndarray
    counts: np.ndarray
    length: float
    step_times: np.ndarray = field(default_factory=_numbers)
    step_log_risks: np.ndarray = field(default_factory=_numbers)
    step_log_times: np.ndarray = field(default_factory=_numbers)
    pattern: np.ndarray = field(default_factory=partial(np.zeros, (0, 0), dtype=np.int8))
    segment_starts: np.ndarray = field(default_factory=_numbers)
    change_segments: np.ndarray = field(default_factory=_integers)
    change_vertices: np.ndarray = field(default_factory=_integers)
    change_examples: np.ndarray = field(default_factory=_integers)
    change_sides: np.ndarray = field(default_factory=_integers)
    slide_segments: np.ndarray = field(default_factory=_integers)
    slide_vertices: np.ndarray = field(default_factory=_integers)
    slide_examples: np.ndarray = field(default_factory=_integers)
    slide_least: np.ndarray = field(default_factory=_numbers)
    slide_largest: np.ndarray = field(default_factory=_numbers)
    sign_times: np.ndarray = field(default_factory=_numbers)
    sign_parameters: np.ndarray = field(default_factory=_integers)
    sign_values: np.ndarray = field(default_factory=_integers)
    form_values: np.ndarray = field(default_factory=partial(np.zeros, (2, 0)))
    form_residuals: np.ndarray = field(default_factory=_table)
    form_bounds: np.ndarray = field(default_factory=_table)
    form_times: np.ndarray = field(default_factory=_table)
    form_rates: np.ndarray = field(default_factory=_table)
    form_rate_scales: np.ndarray = field(default_factory=_table)
    dense_starts: np.ndarray = field(default_factory=_numbers)
    dense_steps: np.ndarray = field(default_factory=_numbers)
    dense_weights: np.ndarray = field(default_factory=_table)
    dense_coefficients: np.ndarray = field(default_factory=partial(np.zeros, (0, 0, 0)))


@dataclass(frozen=True)
class Counts:
    """evaluations: of the velocity (each trial of slopes on a slide is one). accepted, rejected:
    steps; rejected ones failed the tolerance. events: points where the activation pattern changed;
    relocated: steps repeated to end at an event. slides: how many kinks began to slide. stiff:
    accepted steps that stability held down. choices: events at which another flow goes on as well
    (a kink that is touched and pushes away on its far side, or at which the flow may rest and
    leave): the one that was followed is a solution, not the only one.
    """

    evaluations: int
    accepted: int
    rejected: int
    relocated: int
    events: int
    slides: int
    stiff: int
    choices: int


@dataclass(frozen=True)
class Slide:
    """A kink along which the flow slides in a segment, and the range of its slope there."""

    vertex: int
    example: int
    least: float
    largest: float


@dataclass(frozen=True)
class Segment:
    """The times [start, stop] of one activation pattern. sides: (V, n) int8, see LEFT, AT_ZERO,
    RIGHT, SLIDING; slides: the kinks that slide."""

    start: float
    stop: float
    sides: np.ndarray
    slides: tuple[Slide, ...]


@dataclass(frozen=True)
class Signs:
    """The times [start, stop] in which no weight changes its sign; signs: (P,) int8."""

    start: float
    stop: float
    signs: np.ndarray


@dataclass(frozen=True)
class Balance:
    """How a quadratic form Q behaved. All arrays: (S,), by segment.

    start, stop: Q at both ends; drift: their difference. A step from w to w' with stages w_i and
    velocities k_i has Q(w') - Q(w) = 2h sum_i b_i w_i^T Q k_i + h^2 sum_ij m_ij k_i^T Q k_j with
    the numbers m of the method. residuals: the largest |Q(w') - Q(w) - h^2 sum ...| of a step of
    the segment, which is rounding alone where w^T Q velocity = 0; bounds: an estimate of the
    rounding in that step; times: where that step starts. rates: the largest |2 w_i^T Q k_i| at a
    stage; rate_scales: there, the sum of the absolute values of the terms of 2 w_i^T Q k_i.
    """

    start: float
    stop: float
    residuals: np.ndarray
    bounds: np.ndarray
    times: np.ndarray
    rates: np.ndarray
    rate_scales: np.ndarray

    @property
    def drift(self) -> float:
        """Q at the end minus Q at the start."""
        return self.stop - self.start

    @property
    def worst(self) -> int:
        """The segment whose residual is largest against its bound."""
        return int(np.argmax(self.residuals / np.maximum(self.bounds, np.finfo(float).tiny)))


@dataclass(frozen=True)
class Dense:
    """The interpolants of all steps: between times[i] and times[i] + steps[i] the weights are
    weights[i] + sum_p coefficients[i, p] x^(p + 1) with x in [0, 1]."""

    times: np.ndarray
    steps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray

    def at(self, times: Any) -> np.ndarray:
        """(..., P): the weights at these times.

        Raises ValueError for a time that was not reached.
        """
        wanted = np.asarray(times, dtype=np.float64)
        flat = wanted.reshape(-1)
        first, last = float(self.times[0]), float(self.times[-1] + self.steps[-1])
        outside = flat[~((first <= flat) & (flat <= last))]
        if len(outside):
            raise ValueError(f"time {outside[0]}: the flow was followed from {first} to {last}")
        step = np.clip(np.searchsorted(self.times, flat, side="right") - 1, 0, None)
        x = np.minimum((flat - self.times[step]) / self.steps[step], 1.0)
        result = np.zeros((len(flat), self.weights.shape[1]))
        for p in reversed(range(self.coefficients.shape[1])):
            result = (result + self.coefficients[step, p]) * x[:, None]
        return (self.weights[step] + result).reshape(*wanted.shape, -1)


class Flow:
    """The flow of one network."""

    def __init__(self, network: Network, record: Record) -> None:
        self.network = network
        self.record = record

    @property
    def status(self) -> Status:
        """How it ended."""
        return Status(self.record.status)

    @property
    def time(self) -> float:
        """Where it ended, on the clock that was chosen."""
        return float(self.record.time)

    @property
    def log_time(self) -> float:
        """The logarithm of the true time at the end."""
        return float(self.record.log_time)

    @property
    def start(self) -> np.ndarray:
        """(P,): the weights at the start."""
        return self.record.start

    @property
    def weights(self) -> np.ndarray:
        """(P,): the weights at the end."""
        return self.record.end

    @property
    def log_risks(self) -> tuple[float, float]:
        """The logarithm of the risk at the start and at the end."""
        return float(self.record.log_risks[0]), float(self.record.log_risks[1])

    @property
    def counts(self) -> Counts:
        """What it took."""
        return Counts(*(int(number) for number in self.record.counts))

    @property
    def length(self) -> float:
        """The length of the path, from step to step."""
        return float(self.record.length)

    @property
    def distance(self) -> float:
        """Between the start and the end."""
        return float(np.linalg.norm(self.record.end - self.record.start))

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The intervals of constant activation pattern, in order."""
        record = self.record
        sides = record.pattern.copy()
        stops = [*record.segment_starts[1:], record.time]
        found = []
        for s, (start, stop) in enumerate(zip(record.segment_starts, stops, strict=True)):
            here = record.change_segments == s
            sides = sides.copy()
            sides[record.change_vertices[here], record.change_examples[here]] = record.change_sides[
                here
            ]
            sliding = np.flatnonzero(record.slide_segments == s)
            slides = tuple(
                Slide(
                    int(record.slide_vertices[i]),
                    int(record.slide_examples[i]),
                    float(record.slide_least[i]),
                    float(record.slide_largest[i]),
                )
                for i in sliding
            )
            found.append(Segment(float(start), float(stop), sides, slides))
        return tuple(found)

    @cached_property
    def sign_intervals(self) -> tuple[Signs, ...]:
        """The intervals in which no weight changes its sign, in order."""
        record = self.record
        signs = np.sign(record.start).astype(np.int8)
        found, start = [], 0.0
        for time, parameter, value in zip(
            record.sign_times, record.sign_parameters, record.sign_values, strict=True
        ):
            if time > start:
                found.append(Signs(start, float(time), signs))
                start = float(time)
            signs = signs.copy()
            signs[parameter] = value
        found.append(Signs(start, self.time, signs))
        return tuple(found)

    @cached_property
    def balances(self) -> tuple[Balance, ...]:
        """One for each quadratic form that was handed in."""
        record = self.record
        return tuple(
            Balance(
                float(record.form_values[0, f]),
                float(record.form_values[1, f]),
                record.form_residuals[:, f],
                record.form_bounds[:, f],
                record.form_times[:, f],
                record.form_rates[:, f],
                record.form_rate_scales[:, f],
            )
            for f in range(record.form_values.shape[1])
        )

    @property
    def dense(self) -> Dense:
        """The interpolant. Raises ValueError where it was not kept, or no step was taken."""
        record = self.record
        if not len(record.dense_starts):
            raise ValueError(
                "no interpolant: integrate with Options(dense=True), and a step must have been "
                f"taken (this flow ended so: {self.status.text})"
            )
        return Dense(
            record.dense_starts,
            record.dense_steps,
            record.dense_weights,
            record.dense_coefficients,
        )

    def at(self, times: Any) -> np.ndarray:
        """(..., P): the weights at these times. Raises ValueError as `dense` and `Dense.at`."""
        return self.dense.at(times)


class Flows(Sequence[Flow]):
    """The flows of all networks of a program."""

    def __init__(self, networks: Sequence[Network], records: Sequence[Record]) -> None:
        self._flows = [Flow(net, record) for net, record in zip(networks, records, strict=True)]

    def __len__(self) -> int:
        return len(self._flows)

    def __getitem__(self, c: Any) -> Any:
        """The flow of network c; a slice gives a list."""
        return self._flows[c]

    def __iter__(self) -> Iterator[Flow]:
        return iter(self._flows)

    @property
    def statuses(self) -> list[Status]:
        """The status of each network."""
        return [flow.status for flow in self._flows]

    @property
    def weights(self) -> np.ndarray:
        """(P,): the weights of all networks at the end, as `Program` takes them."""
        return np.concatenate([flow.weights for flow in self._flows])
