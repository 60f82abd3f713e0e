"""Some of the entries of a measure: those of which something is said."""

from __future__ import annotations

import numpy as np

from verify.cases.scenes import Entries


def kept(entries: Entries, good: np.ndarray) -> Entries:
    """The entries of which that is said. good: (K,) boolean."""
    if good.all():
        return entries
    places = np.flatnonzero(good)
    left = None if entries.left is None else entries.left[places]
    return Entries(
        entries.values[places],
        left,
        entries.owner[places],
        entries.what,
        entries.subjects[places],
        entries.examples[places],
        lambda place: entries.label(int(places[place])),
    )
