"""Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), Batch normalization provably avoids rank
collapse for randomly initialised deep networks."""

from verify.papers.dkbhl20 import chain

CLAIMS = (*chain.CLAIMS,)
