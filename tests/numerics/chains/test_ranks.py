from fractions import Fraction
from math import inf

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphs.laws.modular import ranks
from graphs.matrices import rank as rational_rank
from graphs.rationals import RATIONALS
from numerics.chains import laws
from numerics.chains.ranks import (
    PRIMES,
    Factors,
    numerical_rank,
    product_ranks,
    residue,
    residues,
)

PRIME = PRIMES[0]


def test_numerical_ranks_have_their_thresholds():
    values = torch.tensor([1.0, 5e-7, 3e-7, 1e-12, 1e-17], dtype=torch.float64)
    hidden = torch.diag(values)  # footnote 2: 5e-7 for d = 5, itself not above it
    assert numerical_rank(hidden).item() == 1
    assert numerical_rank(torch.diag(values * torch.tensor([1, 1.1, 1, 1, 1]))).item() == 2
    assert numerical_rank(hidden, "library").item() == 4
    assert numerical_rank(hidden.float(), "library").item() == 1
    assert numerical_rank(torch.zeros(2, 3, 3)).tolist() == [0, 0]
    with pytest.raises(ValueError, match="footnote2 or library"):
        numerical_rank(hidden, "other")


@given(st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=8))
def test_residues_are_those_of_the_fractions(numbers):
    found = residues(np.array(numbers), PRIME)
    assert found.tolist() == [residue(Fraction(number), PRIME) for number in numbers]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 3), st.integers(0, 10**6))
def test_ranks_modulo_a_prime_are_those_over_the_rationals(rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    matrices = rng.integers(-3, 4, (5, rows, rank)) @ rng.integers(-3, 4, (5, rank, columns))
    wanted = [rational_rank(RATIONALS.array(m.tolist())) for m in matrices]
    assert ranks(matrices % PRIME, PRIME).tolist() == wanted


def test_a_prime_can_lower_a_rank():
    assert ranks(np.array([[[7, 0], [0, 1]]]) % 7, 7).tolist() == [1]


def test_factors_are_exact():
    law, gamma = laws.asymmetric(), Fraction(1, 3)
    factors = Factors(law, 2, gamma, [4])
    drawn = factors.drawn(0)
    for i in range(2):
        for j in range(2):
            wanted = Fraction(i == j) + gamma * Fraction(drawn[0, i, j])
            assert factors.modulo(drawn, PRIME)[0, i, j] == residue(wanted, PRIME)


def test_the_rank_of_a_random_product_does_not_fall():
    X = np.random.default_rng(0).standard_normal((5, 3))
    found = product_ranks(laws.gaussian(), 0.5, range(4), inputs=X, layers=(0, 1, 400))
    assert (found == 3).all()  # though all of it is rounding but the first singular value


def test_ranks_of_integer_products_against_exact_ones():
    layers = (1, 2, 3, 4, 5)
    found = product_ranks(laws.rademacher(), inf, range(12), inputs=np.eye(3), layers=layers)
    factors = Factors(laws.rademacher(), 3, inf, range(12))
    for c in range(12):
        product = np.eye(3, dtype=int)
        for place, layer in enumerate(layers):
            product = factors.drawn(layer - 1)[c].astype(int) @ product
            assert found[c, place] == rational_rank(RATIONALS.array(product.tolist()))
    assert found.min() < 3
