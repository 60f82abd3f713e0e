"""Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), Batch normalization provably avoids rank
collapse for randomly initialised deep networks."""

from verify.papers.dkbhl20 import chain, properties, soft_rank, step_bounds, surrogate, whitening

CLAIMS = (
    *chain.CLAIMS,
    *soft_rank.CLAIMS,
    *surrogate.CLAIMS,
    *properties.CLAIMS,
    *step_bounds.CLAIMS,
    *whitening.CLAIMS,
)
