"""The thirty false lemmas and the thirty true ones."""

from benchmarks.planted.false_matrices import FALSE_MATRICES
from benchmarks.planted.false_networks import FALSE_NETWORKS
from benchmarks.planted.false_numbers import FALSE_NUMBERS
from benchmarks.planted.true_matrices import TRUE_MATRICES
from benchmarks.planted.true_networks import TRUE_NETWORKS
from benchmarks.planted.true_numbers import TRUE_NUMBERS

FALSE = (*FALSE_MATRICES, *FALSE_NUMBERS, *FALSE_NETWORKS)
TRUE = (*TRUE_MATRICES, *TRUE_NUMBERS, *TRUE_NETWORKS)
