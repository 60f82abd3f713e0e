"""Exponents: seeds and widths are drawn until the slope of a quantity lies on one side of a border.

Each seed has a ladder of its own, independent of the others, and gives one slope by least squares
of the logarithm of the value against that of the width. The slopes are independent draws, so their
mean has an interval of a confidence sequence (verify.kinds.statistics.confidence), and looking
after each round costs nothing. Where seeds alone will not settle it, the next width of the larger
scale's ladder is added; the ladders with and without it share the probability of error, and so do
all families and quantities of a claim.

What is decided is the mean slope along these widths: that it is the exponent of the limit is taken
from its distance to the border. A factor log^k m bends a slope by k / log m, so that what is open,
or beyond a border, is told together with the power of the logarithm that would explain it and the
width from which it would show. So it supports a claim or leaves it open: every ladder ends. Only
where the print speaks of widths such as these (Predicted.along) does an interval that lies wholly
beyond a border contradict the claim; there all intervals of the claim together miss their mean
slopes with probability 10^-3 at most.

Families with one hypothesis dropped (verify.kinds.statistics.contrasts) are measured likewise, with
a probability of error of their own, so that what is said of the claim is the same with and without
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from verify.core.claim import Claim
from verify.core.code_hashes import code_of
from verify.core.evidence import Evidence, Outcome
from verify.core.experiment_store import ExperimentStore
from verify.core.plots import Curve, Plot
from verify.kinds.statistics.contrasts import Seen, in_short, needs_of
from verify.kinds.statistics.exponents import FIRST, Exponents, Family, Predicted
from verify.kinds.statistics.slopes import (
    Ladder,
    Told,
    advice,
    look,
    room,
    seeds_needed,
    slopes_of,
)
from verify.methods.context import Context, Inquiry
from verify.methods.experiment import SCALES

ERROR = 0.01  # the probability that any interval of a claim misses its mean slope
ERROR_CONTRADICTING = 0.001  # the same where an interval may contradict the claim
ERROR_DROPPED = 0.01  # the same of all intervals where a hypothesis is dropped
POWERS = (0, 1, 2)  # of the logarithm, by which values at the ends of a ladder are divided


def exponents(claim: Claim, context: Context) -> Evidence | None:
    """Measure the exponents that a claim predicts. None if it predicts none."""
    if claim.exponents is None:
        return None
    measured, scale = claim.exponents, SCALES[context.budget.name]
    inquiry = Inquiry("exponents", context)
    families = list(measured.families(scale))
    error = error_of(measured) / (len(families) * len(measured.predicted))
    told: list[Told] = []
    for family in families:
        ladder = Ladder(family, list(family.ladders[scale]), _draws(claim, context, family))
        told += settled(measured, ladder, scale, error)
        inquiry.instances += ladder.seeds * len(ladder.widths)
    if missing := {p.quantity for p in measured.predicted} - {one.said.quantity for one in told}:
        raise ValueError(f"no family measures {sorted(missing)[0]!r}")
    inquiry.scope = (*map(_scope, _by_family(told)), *measured.scope)
    inquiry.figures = {key: text for one in told for key, text in figures(one).items()}
    outcome, summary = concluded(told, error_of(measured))
    dropped = contrasted(claim, context)
    plots = drawn(told)
    if dropped:
        plots += drawn([one for _, some in dropped for one in some], "a hypothesis dropped")
    return inquiry.finds(
        outcome, summary + in_short(dropped, ERROR_DROPPED), plots=plots, needs=needs_of(dropped)
    )


def error_of(measured: Exponents) -> float:
    """The probability that any interval of a claim misses its mean slope."""
    return ERROR_CONTRADICTING if any(said.along for said in measured.predicted) else ERROR


def contrasted(claim: Claim, context: Context) -> list[Seen]:
    """The slopes of families with one hypothesis of the claim dropped.

    Raises ValueError where the claim has no such hypothesis, or a family measures nothing that is
    predicted.
    """
    measured, scale = claim.exponents, SCALES[context.budget.name]
    if measured is None or measured.contrasts is None:
        return []
    contrasts = measured.contrasts(scale)
    error = ERROR_DROPPED / (len(contrasts) * len(measured.predicted))
    seen: list[Seen] = []
    for contrast in contrasts:
        family = contrast.family
        if contrast.hypothesis not in {h.name for h in claim.hypotheses}:
            raise ValueError(f"{family.name}: no hypothesis {contrast.hypothesis!r} to drop")
        ladder = Ladder(family, list(family.ladders[scale]), _draws(claim, context, family))
        told = settled(measured, ladder, scale, error, wider=False)
        if not told:
            raise ValueError(f"{family.name} measures nothing that is predicted")
        seen.append((contrast, told))
    return seen


def _draws(
    claim: Claim, context: Context, family: Family
) -> Callable[[int, int, int], Mapping[str, np.ndarray]]:
    """What draws seeds of a family. One that is shared has a generator of its own, not the
    claim's, and is kept."""
    name = f"shared {family.shared}" if family.shared else f"{claim.id}: {family.name}"
    root = context.random_for(name, "exponents").getrandbits(31)
    kept = ExperimentStore(context.kept if family.shared else None)
    code = code_of(family.values) if family.shared else ""

    def draw(width: int, before: int, count: int) -> Mapping[str, np.ndarray]:
        generator = np.random.default_rng([root, width, before])
        make = partial(family.values, width, count, generator)
        parts = {"family": name, "width": width, "before": before, "seeds": count, "root": root}
        parts["code"] = code
        return kept.once(_file(family.values), parts, make) if family.shared else make()

    return draw


def _file(values: Any) -> str:
    """The file of a function, or of one that a partial calls."""
    while isinstance(values, partial):
        values = values.func
    name: str = values.__code__.co_filename
    return name


def settled(
    measured: Exponents, ladder: Ladder, scale: int, error: float, *, wider: bool = True
) -> list[Told]:
    """Draw seeds of a family, and one width more where seeds will not do, until every quantity is
    decided or the budget ends: on the predicted side, or on the other where that contradicts.
    error: of each quantity. wider: whether a width may be added."""
    most, rung = measured.most[scale], _rung(ladder.family, scale) if wider else None

    def stuck(one: Told) -> bool:
        return one.holds is False or seeds_needed(one) > most

    error /= 1 if rung is None else 2
    done: dict[Predicted, Told] = {}
    ladder.more_seeds(min(FIRST, most))
    while True:
        left: list[Told] = []
        for said in measured.predicted:
            if said.quantity in ladder.logs and said not in done:
                one = look(ladder, said, error)
                if one.holds or (one.holds is False and said.along):
                    done[said] = one
                else:
                    left.append(one)
        if left and rung is not None and (ladder.seeds >= most or any(map(stuck, left))):
            ladder.one_wider(rung)
            rung = None
        elif ladder.seeds >= most or all(one.holds is False for one in left):
            break  # none is left, or the budget ends, or more seeds would say the same again
        else:
            ladder.more_seeds(min(ladder.seeds, most - ladder.seeds))
    done |= {one.said: one for one in left}
    return [done[said] for said in measured.predicted if said in done]


def _rung(family: Family, scale: int) -> int | None:
    """The next width of the larger scale's ladder."""
    wider = [w for w in family.ladders[min(scale + 1, 2)] if w > family.ladders[scale][-1]]
    return wider[0] if wider else None


# what is shown -----------------------------------------------------------------------------------
def concluded(told: Sequence[Told], error: float = ERROR) -> tuple[Outcome, str]:
    """The outcome over all families and quantities, and why. error: that any interval misses."""
    bad = [one for one in told if not isfinite(one.slope)]
    against = [one for one in told if one.holds is False]
    if contradicting := [one for one in against if one.said.along]:
        one = min(contradicting, key=room)
        return Outcome.CONTRADICTS, (
            f"{len(contradicting)} of {len(told)} slopes are beyond a border ({one.name}: "
            f"{one.interval}, predicted is {one.said.text()}), with intervals that hold together, "
            f"at all numbers of seeds, with probability {_percent(1 - error)}."
        )
    undecided = [one for one in told if one.holds is None and isfinite(one.slope)]
    if bad:
        return Outcome.INCONCLUSIVE, f"{bad[0].name} is not positive at every width."
    for some, what in ((against, "beyond a border"), (undecided, "not told from a border")):
        if some:
            one = min(some, key=room)
            return Outcome.INCONCLUSIVE, (
                f"{len(some)} of {len(told)} slopes are {what} ({one.name}: {one.interval}, "
                f"predicted is {one.said.text()}): {advice(one)}."
            )
    texts = dict.fromkeys(one.said.text() for one in told)
    return Outcome.SUPPORTS, (
        f"{'the slope lies' if len(told) == 1 else f'all {len(told)} slopes lie'} on the predicted "
        f"side ({'; '.join(texts)}), with intervals that hold together with probability "
        f"{_percent(1 - error)}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def figures(one: Told) -> dict[str, int | float | str]:
    """The slope with its interval, the slopes of the upper end, the spread over seeds, and what is
    left beside the predicted power and powers of the logarithm."""
    if not isfinite(one.slope):
        return {one.name: "not positive at every width"}
    last = [f"{float(slopes_of(one.widths[-n:], one.logs[:, -n:]).mean()):.3f}" for n in (2, 3)]
    means = one.logs.mean(axis=0)
    logs = np.log(np.array(one.widths, dtype=float))
    rest = means - float(one.said.exponent) * logs
    ends = []
    for power in POWERS:
        scaled = np.exp(rest - power * np.log(logs))[[0, -1]]
        over = "" if not power else " over log m" if power == 1 else f" over log^{power} m"
        ends.append(f"{scaled[0]:.3g} to {scaled[1]:.3g}{over}")
    return {
        f"{one.name}, slope": (
            f"{one.interval}; last two widths {last[0]}, last three {last[1]}; {len(one.logs)} "
            f"seeds, spread of the logarithm {one.logs[:, -1].std(ddof=1):.2g}"
        ),
        f"{one.name} over m^({one.said.exponent}), first to last width": ", ".join(ends),
    }


def _by_family(told: Sequence[Told]) -> list[Told]:
    """Of each family what was looked at last."""
    by_name: dict[str, Told] = {}
    for one in told:
        held = by_name.get(one.family)
        if held is None or one.logs.size > held.logs.size:
            by_name[one.family] = one
    return list(by_name.values())


def _scope(one: Told) -> str:
    widths = ", ".join(map(str, one.widths))
    return f"{one.family}: widths {widths}, {len(one.logs)} seeds each"


def drawn(told: Sequence[Told], where: str = "") -> tuple[Plot, ...]:
    """The geometric means over the seeds against the width, and the predicted powers through the
    first point of the first curve of each prediction. where: what all of it has in common."""
    lines: list[Curve] = []
    powers: dict[str, Curve] = {}
    for one in told:
        if not isfinite(one.slope):
            continue
        widths = tuple(map(float, one.widths))
        means = np.exp(one.logs.mean(axis=0))
        lines.append(Curve(one.name, widths, tuple(means.tolist())))
        if not one.said.tends_to_zero:
            line = means[0] * (np.array(widths) / widths[0]) ** float(one.said.exponent)
            name = f"predicted, m^({one.said.exponent})"
            powers.setdefault(name, Curve(name, widths, tuple(line.tolist())))
    if not lines:
        return ()
    curves = (*lines, *powers.values())
    title = "values along the widths" + (f", {where}" if where else "")
    return (Plot(title, "width m", "geometric mean", curves, x_log=True, y_log=True),)
