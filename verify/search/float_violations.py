"""How much entries in plain float64 violate their claim, relative to the larger side."""

from __future__ import annotations

import numpy as np
import torch

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.search.judging import View


def normalised(entries: Entries, kind: Kind) -> torch.Tensor:
    """(K,): the normalised violation of each entry; 0 where both sides are 0.

    Where a measure has no sides it is the violation itself.
    """
    values = entries.values.values
    violation = -values if kind is Kind.INEQUALITY else values.abs()
    if entries.left is None:
        return violation
    left = entries.left.values
    side = torch.maximum(left.abs(), (left - values).abs())
    if kind is not Kind.INEQUALITY and len(side):
        owner = torch.from_numpy(entries.owner).to(side.device)
        cases = side.new_zeros(int(owner.max()) + 1)
        side = cases.scatter_reduce(0, owner, side, reduce="amax")[owner]
    return torch.where(side > 0, violation / torch.where(side > 0, side, 1.0), 0.0)


def largest_violations(claim: Claim, seen: View) -> tuple[torch.Tensor, torch.Tensor]:
    """(C,) each: the largest normalised violation of each case, among the entries that meet the
    hypotheses where one does, and whether one does. A case without entries has none: 0."""
    found = normalised(seen.entries, claim.kind)
    size = np.nan_to_num(found.detach().cpu().numpy(), nan=-np.inf)
    met = seen.admitted & np.isfinite(size)
    chosen = np.full(len(seen.scene.cases), -1)
    owner = seen.entries.owner
    for k in np.lexsort((size, met)):  # the last one to be written is the largest of those met
        chosen[owner[k]] = k
    there = torch.from_numpy(chosen).to(found.device)
    if not len(found):
        return torch.zeros(len(chosen), dtype=torch.float64, device=found.device), there >= 0
    scores = torch.where(there >= 0, found[there.clamp(min=0)], 0.0)
    whether = np.zeros(len(chosen), dtype=bool)
    whether[owner[met]] = True
    return scores, torch.from_numpy(whether).to(found.device)
