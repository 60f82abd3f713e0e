"""The integrator in plain torch: all networks of a batch in one program, on CPU or CUDA.

It gives what the compiled one gives, to within the tolerance, with one difference: where several
kinks meet, it says "unresolved" more often.
"""

from __future__ import annotations

import numpy as np
import torch

from numerics.examples import Examples
from numerics.flow.answers import Record
from numerics.flow.batch_balances import MEASURES, Balances
from numerics.flow.fields import Field
from numerics.flow.histories import TABLES, KinkNames, fill
from numerics.flow.lockstep import Lockstep
from numerics.flow.options import Forms, Options
from numerics.flow.positions import Positions
from numerics.flow.program_field import ProgramField
from numerics.flow.tableaus import arrays_of
from numerics.layouts import Layout
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
    """Integrate every network of a program; see `numerics.flow.flow`. start, factors: flat, (P,);
    ends: one for each network."""
    field = ProgramField(
        Layout.of(program.networks),
        examples,
        factors,
        loss,
        options.clock == "loss",
        options.weight_decay,
        program.device,
    )
    weights = field.padded(torch.from_numpy(start).to(program.device))
    return integrate_field(field, weights, ends, options, forms)


def integrate_field(
    field: Field, start: torch.Tensor, ends: np.ndarray, options: Options, forms: Forms
) -> list[Record]:
    """Integrate every instance of a field from `start` (B, P) to its end."""
    sizes = field.tables.sizes.long().tolist()
    names = [KinkNames(field.places(c)) for c in range(len(start))]
    balances = Balances(forms, arrays_of(options.method), start.device)
    run = Lockstep(field, start, torch.from_numpy(ends.copy()).to(start.device), options, balances)
    everything = torch.arange(len(start), device=start.device)
    at_start = balances.values(start, everything).cpu().numpy()
    records: list[Record | None] = [None] * len(start)
    final = torch.zeros_like(start)
    for part in run.run():
        final[part.ids] = part.weights
        for i, c in enumerate(part.ids.tolist()):
            records[c] = _record(part, i, start[c, : sizes[c]], sizes[c], run, c)
    at_end = balances.values(final, everything).cpu().numpy()
    found = [record for record in records if record is not None]
    _fill_patterns(found, run, names)
    for table in TABLES:
        rows = run.history.by_instance(table, len(start))
        for c, record in enumerate(found):
            columns = rows[c]
            if table == "dense" and columns is not None:
                columns = (*columns[:2], *(part[..., : sizes[c]] for part in columns[2:]))
            fill(record, table, columns, names[c])
    _fill_balances(found, run, forms.offsets, at_start, at_end)
    return found


def _record(
    part: Positions, i: int, start: torch.Tensor, size: int, run: Lockstep, c: int
) -> Record:
    return Record(
        status=int(part.status[i]),
        time=float(part.time[i]),
        log_time=float(part.log_time[i]),
        start=start.cpu().numpy().copy(),
        end=part.weights[i, :size].cpu().numpy().copy(),
        log_risks=np.array([float(run.first_log_risk[c]), float(part.log_risk[i])]),
        counts=part.counts[i].cpu().numpy(),
        length=float(part.length[i]),
    )


def _fill_patterns(records: list[Record], run: Lockstep, names: list[KinkNames]) -> None:
    """The sides at the start, by vertex and example."""
    for c, record in enumerate(records):
        record.pattern = np.zeros(names[c].shape, dtype=np.int8)
        kinks, vertices, examples = names[c].all
        record.pattern[vertices, examples] = run.first_sides[c].numpy()[kinks]


def _fill_balances(
    records: list[Record],
    run: Lockstep,
    offsets: np.ndarray,
    at_start: np.ndarray,
    at_end: np.ndarray,
) -> None:
    rows = run.history.by_instance("measures", len(records))
    for c, record in enumerate(records):
        first, last = int(offsets[c]), int(offsets[c + 1])
        count, segments = last - first, len(record.segment_starts)
        record.form_values = np.stack([at_start[first:last], at_end[first:last]])
        table = np.zeros((segments, count, MEASURES))
        written = rows[c]
        if written is not None:
            table = written[1].reshape(-1, count, MEASURES)  # segment after segment, in order
        for column, name in enumerate(("residuals", "bounds", "times", "rates", "rate_scales")):
            setattr(record, f"form_{name}", table[:, :, column])
