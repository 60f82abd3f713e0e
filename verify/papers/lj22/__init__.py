"""Le and Jegelka (2022), Training invariances and the low-rank phenomenon: beyond linear networks.

Two versions are coded: `lj22.*` is the final one, `lj22v1.*` the earlier one where it differs.
"""

from verify.papers.lj22 import (
    active_pair,
    blocks,
    calculus,
    chainrule,
    convexity,
    crossings,
    decomposition,
    descent,
    descent_bounds,
    descent_pairs,
    directions,
    earlier,
    invariances,
    jagged,
    matrices,
    noninvariance,
    pathsums,
    preliminaries,
    ranks,
    sharing,
    sketch,
    stacked,
    subderivatives,
    unrolling,
)

CLAIMS = (
    *preliminaries.CLAIMS,
    *decomposition.CLAIMS,
    *invariances.CLAIMS,
    *sketch.CLAIMS,
    *noninvariance.CLAIMS,
    *unrolling.CLAIMS,
    *earlier.CLAIMS,
    *pathsums.CLAIMS,
    *jagged.CLAIMS,
    *active_pair.CLAIMS,
    *subderivatives.CLAIMS,
    *chainrule.CLAIMS,
    *ranks.CLAIMS,
    *convexity.CLAIMS,
    *directions.CLAIMS,
    *crossings.CLAIMS,
    *calculus.CLAIMS,
    *descent.CLAIMS,
    *descent_pairs.CLAIMS,
    *descent_bounds.CLAIMS,
    *blocks.CLAIMS,
    *matrices.CLAIMS,
    *sharing.CLAIMS,
    *stacked.CLAIMS,
)

__all__ = ["CLAIMS"]
