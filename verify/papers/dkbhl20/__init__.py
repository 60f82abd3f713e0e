"""Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), Batch normalization provably avoids rank
collapse for randomly initialised deep networks."""
