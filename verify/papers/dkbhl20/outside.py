"""What an experiment shows outside the setting that a figure speaks of: beside it, and not judged.

Where the criterion fails there, what is printed is seen to need its setting; where it holds, it
reaches further than it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from verify.experiment import Measured
from verify.plots import Plot


def beside(
    shown: Measured, others: Mapping[str, Measured], line: str, plots: Sequence[Plot] = ()
) -> Measured:
    """What was measured, with what other settings have given.

    others: by what is changed; line: what these ran, for the scope.
    """
    holds = [name for name, one in others.items() if one.agrees]
    fails = [name for name, one in others.items() if not one.agrees]
    parts = [f"is met with {'; '.join(holds)}"] * bool(holds)
    parts += [f"is not met with {'; '.join(fails)}"] * bool(fails)
    told = f"Outside its setting, and not judged, the criterion {', and '.join(parts)}."
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
