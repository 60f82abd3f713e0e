"""One criterion on several settings: all of them judged, or others beside one and not judged.

Where the criterion fails outside the setting that a figure speaks of, what is printed is seen to
need it; where it holds, it reaches further than it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from verify.core.experiment import Measured
from verify.core.plots import Plot


def beside(
    shown: Measured,
    others: Mapping[str, Measured],
    line: str,
    plots: Sequence[Plot] = (),
    where: str = "Outside its setting",
) -> Measured:
    """What was measured, with what other settings have given.

    others: by what is changed; line: what these ran, for the scope; where: how they differ.
    """
    holds = [name for name, one in others.items() if one.agrees]
    fails = [name for name, one in others.items() if not one.agrees]
    parts = [f"is met with {'; '.join(holds)}"] * bool(holds)
    parts += [f"is not met with {'; '.join(fails)}"] * bool(fails)
    told = f"{where}, and not judged, the criterion {', and '.join(parts)}."
    figures = dict(shown.figures)
    for one in others.values():
        figures |= one.figures
    return replace(
        shown,
        summary=f"{shown.summary} {told}" if others else shown.summary,
        scope=(*shown.scope, f"beside it, not judged: {line}") if others else shown.scope,
        figures=figures,
        plots=(*shown.plots, *plots),
    )


def together(parts: Mapping[str, Measured]) -> Measured:
    """What several data sets have given, all of which must agree; each can exclude. One alone as it
    is."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    return Measured(
        all(one.agrees for one in parts.values()),
        " ".join(f"On {name}: {one.summary}" for name, one in parts.items()),
        tuple(dict.fromkeys(line for one in parts.values() for line in one.scope)),
        {
            f"{name}, {key}": text
            for name, one in parts.items()
            for key, text in one.figures.items()
        },
        tuple(
            replace(plot, title=f"{plot.title}, {name}")
            for name, one in parts.items()
            for plot in one.plots
        ),
        sum(one.instances for one in parts.values()),
        any(one.excluded for one in parts.values()),
    )
