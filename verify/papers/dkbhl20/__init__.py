"""Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), Batch normalization provably avoids rank
collapse for randomly initialised deep networks."""

from verify.papers.dkbhl20 import (
    chain,
    derivatives,
    example9,
    frobenius_bound,
    growing_spectra,
    invariant_lines,
    lemma13_steps,
    properties,
    proposition8,
    rank_one_kept,
    rank_two,
    regularity,
    sequences,
    soft_rank,
    step_bounds,
    surrogate,
    symmetric_rows,
    whitening,
)

CLAIMS = (
    *chain.CLAIMS,
    *soft_rank.CLAIMS,
    *surrogate.CLAIMS,
    *properties.CLAIMS,
    *step_bounds.CLAIMS,
    *whitening.CLAIMS,
    *derivatives.CLAIMS,
    *example9.CLAIMS,
    *growing_spectra.CLAIMS,
    *invariant_lines.CLAIMS,
    *lemma13_steps.CLAIMS,
    *proposition8.CLAIMS,
    *regularity.CLAIMS,
    *sequences.CLAIMS,
    *rank_one_kept.CLAIMS,
    *frobenius_bound.CLAIMS,
    *rank_two.CLAIMS,
    *symmetric_rows.CLAIMS,
)
