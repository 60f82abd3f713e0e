"""The compiled integrator, called from Python: network after network, in several threads."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from numerics.compiled import LOSS_CODES, CompiledBackend, data_of
from numerics.examples import Examples
from numerics.flow.answers import Record
from numerics.flow.balances import Quadratic
from numerics.flow.constants import BOUND, RATE, RATE_SCALE, RESIDUAL, TIME
from numerics.flow.integrate import Settings
from numerics.flow.integrate import integrate as integrate_one
from numerics.flow.options import CLOCKS, Forms, Options
from numerics.flow.tableaus import arrays_of
from numerics.losses import Loss
from numerics.program import Program


def integrate(
    program: Program,
    start: np.ndarray,
    examples: Examples,
    loss: Loss,
    ends: np.ndarray,
    options: Options,
    factors: np.ndarray,
    forms: Forms,
) -> list[Record]:
    """One record for each network; see numerics.flow.engine.flow for the arguments."""
    backend = program.implementation
    if not isinstance(backend, CompiledBackend):
        raise TypeError(f"a program with backend {backend.name!r}: this is for the compiled one")
    tables, data = backend.tables, data_of(examples)
    tableau = arrays_of(options.method)
    counter = itertools.count()
    records: list[Any] = [None] * len(program.networks)

    def work() -> None:
        while (c := next(counter)) < len(records):
            own = slice(int(program.parameter_offsets[c]), int(program.parameter_offsets[c + 1]))
            settings = _settings(options, LOSS_CODES[loss.name], float(ends[c]))
            given = start[own], factors[own], _forms_of(forms, c)
            found = integrate_one(tables, data, c, tableau, settings, *given)
            records[c] = _record(start[own], found, int(data.counts[c]), int(data.strides[c]))

    backend.workers.run_together(work)
    return records


def _settings(options: Options, loss: int, until: float) -> Settings:
    return Settings(
        loss=loss,
        clock=CLOCKS.index(options.clock),
        until=until,
        rtol=float(options.rtol),
        atol=float(options.atol),
        decay=float(options.weight_decay),
        log_risk_below=float(options.log_risk_below),
        first_step=float(options.first_step),
        largest_step=float(options.largest_step),
        evaluations=int(options.evaluations),
        events=int(options.events),
        dense=int(options.dense),
    )


def _forms_of(forms: Forms, c: int) -> Quadratic:
    """The forms of network c."""
    starts = forms.starts[forms.offsets[c] : forms.offsets[c + 1] + 1]
    entries = slice(int(starts[0]), int(starts[-1]))
    parts = (forms.rows[entries], forms.columns[entries], forms.values[entries])
    return Quadratic(starts - starts[0], *parts)


def _record(start: np.ndarray, found: tuple, count: int, stride: int) -> Record:
    status, time, log_time, end, length, sides, values, counts, *tables = found
    steps, changes, slides, segments, signs, measures, dense = tables
    parameters, forms = len(start), values.shape[1]
    clock_is_time = np.isneginf(log_time) and time > 0.0
    moves = dense[:, 2 + parameters :].reshape(len(dense), -1, parameters) if len(dense) else None
    by_segment = measures.reshape(len(segments), forms, 5)
    return Record(
        status=int(status),
        time=float(time),
        log_time=float(np.log(time)) if clock_is_time else float(log_time),
        start=start.copy(),
        end=end,
        log_risks=steps[[0, -1], 1],
        counts=counts,
        length=float(length),
        step_times=steps[:, 0],
        step_log_risks=steps[:, 1],
        step_log_times=steps[:, 2],
        pattern=sides.reshape(-1, stride)[:-1, :count].astype(np.int8),
        segment_starts=segments[:, 0],
        **_columns("change", changes, ("segments", "vertices", "examples", "sides")),
        **_columns("slide", slides, ("segments", "vertices", "examples")),
        slide_least=slides[:, 3],
        slide_largest=slides[:, 4],
        sign_times=signs[:, 0],
        **_columns("sign", signs[:, 1:], ("parameters", "values")),
        form_values=values,
        form_residuals=by_segment[:, :, RESIDUAL],
        form_bounds=by_segment[:, :, BOUND],
        form_times=by_segment[:, :, TIME],
        form_rates=by_segment[:, :, RATE],
        form_rate_scales=by_segment[:, :, RATE_SCALE],
        dense_starts=dense[:, 0],
        dense_steps=dense[:, 1],
        dense_weights=dense[:, 2 : 2 + parameters],
        dense_coefficients=np.zeros((0, 0, 0)) if moves is None else moves,
    )


def _columns(prefix: str, table: np.ndarray, names: tuple[str, ...]) -> dict[str, Any]:
    return {f"{prefix}_{name}": table[:, k].astype(np.int64) for k, name in enumerate(names)}
