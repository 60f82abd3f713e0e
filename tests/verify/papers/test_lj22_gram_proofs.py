"""Arguments about Gram matrices: what they prove, what they do not, and their steps on numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import matrices
from graphs.matrices import characteristic_polynomial
from graphs.rationals import RATIONALS
from tests.verify.arrays import saying
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Matrix, rank, singular
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.lj22.notation import W1, W2, W3
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
PROVED = [
    *(f"{version}.sig1.{part}" for version in ("lj22", "lj22v1") for part in ("ii@B", "iii")),
]
numbers = st.fractions(-3, 3, max_denominator=3)


@pytest.mark.parametrize("name", PROVED)
def test_they_prove_their_claims_and_no_others(name):
    claim = find(name)
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    other = replace(saying(claim, rank(W1) >= 0), proof=claim.proof)
    assert schema(other, SMOKE).outcome is Outcome.ERROR


def test_statements_that_are_changed_a_little_are_not_proved():
    """Two of three matrices; zeros that count; a matrix with other axes."""
    ranks, equal = (find(name) for name in PROVED[1::-1])
    turned = Matrix("W1", "a", "b")
    for claim, says in (
        (ranks, (rank(W1) == 1) & (rank(W2) == 1)),
        (equal, singular(W1) == singular(W2)),
        (ranks, (rank(turned) == 1) & (rank(W2) == 1) & (rank(W3) == 1)),
    ):
        said = replace(saying(replace(claim, terms=bare(claim)), says), proof=claim.proof)
        assert schema(said, SMOKE).outcome is Outcome.ERROR


def bare(claim):
    """Its statement without hypotheses, which speak of the arrays too."""
    return replace(claim.terms, given={})


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=4))
def test_gram_matrices_of_a_matrix_on_numbers(rows):
    """What the steps give: equal eigenvalues but for 0, and equal ranks."""
    m = RATIONALS.array(rows)
    forth, back = (characteristic_polynomial(gram) for gram in (m @ m.T, m.T @ m))
    shorter = min(len(forth), len(back))
    assert forth[-shorter:] == back[-shorter:]
    assert not any([*forth[:-shorter], *back[:-shorter]])
    rank = matrices.rank
    assert rank(m) == rank(m @ m.T) == rank(m.T @ m)


@given(st.integers(1, 5), st.data())
def test_the_form_of_a_rate_has_rank_2(size, data):
    vectors = st.lists(numbers, min_size=size, max_size=size)
    a, b = (RATIONALS.array(data.draw(vectors)) for _ in "ab")
    assert matrices.rank(np.outer(a, b) + np.outer(b, a)) <= 2
