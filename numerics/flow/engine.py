"""The way in: checks what is handed in and gives it to what integrates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from numerics.examples import Examples
from numerics.flow.answers import Flows
from numerics.flow.options import Forms, Options, check_until
from numerics.losses import Loss
from numerics.program import Program

SMOOTH_LOSSES = ("logistic", "exponential", "squared")
TAILED_LOSSES = ("logistic", "exponential")


def flow(
    program: Program,
    weights: Any,
    examples: Examples,
    loss: Loss,
    until: Any,
    *,
    options: Options | None = None,
    factors: Any = None,
    forms: Sequence[Sequence[Sequence[tuple[int, int, Any]]]] | None = None,
) -> Flows:
    """Follow dw/dt in -dR(w) from the given weights, for every network of a program by itself.

    weights: flat, (P,), as `Program.weights` gives them. until: the end on the clock of the
    options, one number or one for each network. factors: (P,), multiply the gradient coordinate by
    coordinate (all 1 for gradient flow; others are flows for which laws are expected to break).
    forms: for each network a list of quadratic forms, each a list of (parameter, parameter,
    coefficient); see `Forms` and `Balance`.

    Within a step the activation pattern is fixed; steps end where it changes. Where the flow
    cannot leave a kink to either side it slides along it, with the one slope that keeps it there.
    The result for a network does not depend on its company or on the number of threads.

    Raises ValueError, naming the argument, for wrong shapes and numbers that are not finite, a loss
    that is not logistic, exponential or squared, a clock "loss" with a loss without exponential
    tail, and as `Options` and `Forms.of` do. What happens on the way is a status, not an exception.

    >>> from graphs.network import network
    >>> from numerics.losses import SQUARED
    >>> from numerics.program import compile_networks
    >>> net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    >>> program = compile_networks(net)
    >>> found = flow(program, [1.0, 0.5], program.examples([[[1.0]]]), SQUARED, until=20.0)
    >>> found[0].status.text, round(float(found[0].weights.prod()), 6)
    ('the end was reached', 1.0)
    """
    chosen = Options() if options is None else options
    if loss.name not in SMOOTH_LOSSES:
        raise ValueError(f"loss {loss.name!r}: use one of {', '.join(SMOOTH_LOSSES)}")
    if chosen.clock == "loss" and loss.name not in TAILED_LOSSES:
        raise ValueError(
            f'clock "loss" with loss {loss.name!r}: use it with {" or ".join(TAILED_LOSSES)}'
        )
    total = int(program.parameter_offsets[-1])
    ends = check_until(until, len(program.networks))
    start = _flat("weights", weights, total)
    scales = np.ones(total) if factors is None else _flat("factors", factors, total)
    quadratic = Forms.of(forms, np.diff(program.parameter_offsets))
    if program.backend == "numba":
        from numerics.flow.compiled import integrate  # numba may be missing: only where it is used
    else:
        from numerics.flow.batched import integrate  # in the same way: loads what it needs
    records = integrate(program, start, examples, loss, ends, chosen, scales, quadratic)
    return Flows(program.networks, records)


def _flat(name: str, given: Any, total: int) -> np.ndarray:
    """(total,) float64, a copy; checked."""
    tensor = given.detach().cpu().numpy() if isinstance(given, torch.Tensor) else given
    array = np.array(tensor, dtype=np.float64)
    if array.shape != (total,):
        raise ValueError(f"{name} has shape {array.shape}: give one flat array of {total} numbers")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]}: every number must be finite")
    return array
