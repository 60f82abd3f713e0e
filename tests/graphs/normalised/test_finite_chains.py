"""Invariant laws of finite chains: by hand, and kernels of the right size."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from graphs.matrices import kernel, rank
from graphs.normalised.finite_chains import (
    Chain,
    closed_classes,
    extreme_laws,
)
from graphs.rationals import RATIONALS

F = Fraction


def stationary_space(chain):
    """A basis over Q of the signed measures with v P = v; its length is the number of invariant
    laws that are extreme. They vanish on the states from which a zero row can be met."""
    rows = [[p - int(k == n) for n, p in enumerate(row)] for k, row in enumerate(chain.transition)]
    return kernel(list(zip(*rows, strict=True)))


def defect(chain, law):
    """The largest |(v P - v)_k|: 0 if and only if the law is invariant."""
    after = [
        sum((v * row[k] for v, row in zip(law, chain.transition, strict=True)), F(0))
        for k in range(len(law))
    ]
    return max(abs(a - v) for a, v in zip(after, law, strict=True))


@st.composite
def chains(draw):
    """Chains on up to five states, some steps impossible."""
    size = draw(st.integers(1, 5))
    rows = []
    for k in range(size):
        counts = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        counts[k] += not any(counts)
        rows.append(tuple(F(n, sum(counts)) for n in counts))
    return Chain(tuple(range(size)), tuple(rows), (F(0),) * size)


@given(chains())
def test_as_many_extreme_laws_as_the_kernel_has_dimensions(chain):
    laws = extreme_laws(chain)
    assert len(laws) == len(closed_classes(chain)) == len(stationary_space(chain)) >= 1
    for law in laws:
        assert sum(law) == 1
        assert min(law) >= 0
        assert defect(chain, law) == 0


def test_classes_and_kernel_of_a_chain_by_hand():
    half = F(1, 2)
    chain = Chain(
        ("a", "b", "c", "e"),
        (
            (F(1), F(0), F(0), F(0)),
            (F(0), half, half, F(0)),
            (F(0), F(1), F(0), F(0)),
            (half, half, F(0), F(0)),
        ),
        (F(0),) * 4,
    )
    assert closed_classes(chain) == [(0,), (1, 2)]
    assert extreme_laws(chain) == [(1, 0, 0, 0), (0, F(2, 3), F(1, 3), 0)]
    assert len(stationary_space(chain)) == 2


@given(
    st.lists(st.lists(st.integers(-2, 2).map(F), min_size=3, max_size=3), min_size=3, max_size=3)
)
def test_the_kernel_is_a_kernel_of_the_right_size(matrix):
    basis = kernel(matrix)
    assert len(basis) == 3 - rank(RATIONALS.array(matrix))
    for v in basis:
        assert any(v)
        assert all(sum(v[i] * matrix[j][i] for i in range(3)) == 0 for j in range(3))
    if basis:
        assert rank(RATIONALS.array([list(v) for v in basis])) == len(basis)
