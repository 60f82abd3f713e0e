"""Lemma K.1 and what displacements add (Lemmas K.3 to K.8), by hand."""

from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import pytest

from tests.verify.arrays import entries_of, violated
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22.appendix_k import CLAIMS, attained

CI = Context(budget_named("ci"), 2, "cpu")
NAMES = [claim.id for claim in CLAIMS]
IDENTITY = [[1, 0], [0, 1]]


def case_of(**arrays):
    """A case of (axes, entries) by name."""
    return Tensors({name: tensor(axes, entries) for name, (axes, entries) in arrays.items()})


def slacks(name, case):
    """The middles of what is left."""
    found = [value for _, value in entries_of(find(f"zlb22.{name}"), case)]
    return [float(v if isinstance(v, Fraction) else (v.low + v.high) / 2) for v in found]


# blocks -------------------------------------------------------------------------------------------
def blocks(matrix, rows, columns):
    return case_of(A=(("m", "n"), matrix), P=(("I", "m"), rows), Q=(("J", "n"), columns))


def test_blocks_by_hand():
    ones = [[1, 1], [1, 1]]
    assert slacks("lemK.1", blocks(ones, IDENTITY, IDENTITY)) == pytest.approx([4 - 2])
    assert slacks("lemK.1", blocks(ones, [[1, 1]], [[1, 1]])) == pytest.approx([0])
    assert slacks("lemK.1", blocks([[3, 4]], [[1]], IDENTITY)) == pytest.approx([7 - 5])


def test_a_missing_block_is_excluded():
    case = blocks([[0, 0], [0, 1]], [[1, 0]], [[1, 1]])
    assert slacks("lemK.1", case) == []
    assert not violated(find("zlb22.lemK.1"), case)
    (need,) = necessity(find("zlb22.lemK.1"), CI).needs
    assert need.certificate is not None


# the largest entry --------------------------------------------------------------------------------
def test_the_norm_by_the_largest_by_hand():
    found = slacks("lemK.3.norm", case_of(f=(("n",), (1, -3, 2))))
    assert found == pytest.approx([3 * sqrt(3) - sqrt(14)])


# displacements ------------------------------------------------------------------------------------
def test_the_largest_form_by_hand():
    vectors = {name: (("n",), v) for name, v in {"a": (3, 4), "w": (-1, 0), "D": (0, -1)}.items()}
    # 3 + 2 * 5 against |-3 - 4|; at D = -2 a/5 it is 3 + 10, times |a| = 5
    assert slacks("lemK.4.sup", case_of(**vectors, R=((), 2))) == pytest.approx([6, 0])


def test_shifts_by_hand():
    two = (("n", "q", "N"), [[[2, 0], [0, 1]], [[0, 0], [1, 0]]])
    case = case_of(A=two, D=(("n", "N"), [[1, 0], [0, 1]]), R=((), 2))
    assert slacks("lemK.6.shift", case) == pytest.approx([2 * 2 - 2])  # columns (2, 0) and (0, 0)
    case = case_of(A=(("n", "p", "q"), [[[1, 0]], [[0, 1]]]), D=(("n",), (3, 4)), R=((), 5))
    assert slacks("lemK.8.shift", case) == pytest.approx([5 * sqrt(2) - 5])
    case = case_of(A=(("m", "n"), [[2, 0]]), D=(("n",), (0, 3)), R=((), 3))
    assert slacks("lemK.7.shift", case) == pytest.approx([6])
    assert slacks("lemK.7.shift", case_of(A=(("m", "n"), [[2]]), D=(("n",), [3]), R=((), 2))) == []


def test_the_bound_on_columns_is_attained():
    """One column alone is moved, along the leading direction of the largest matrix."""
    random, places = Random(0), set()
    pool = find("zlb22.lemK.6.shift").pool
    for _ in range(40):
        case = attained(pool.draw(random), random)
        assert slacks("lemK.6.shift", case) == pytest.approx([0], abs=1e-6)
        parts = np.array([float(x) for x in case.arrays["A"].entries])
        norms = np.linalg.norm(parts.reshape(case.arrays["A"].shape), 2, axis=(1, 2))
        assert sorted(norms)[-1] >= 1
        assert len(norms) == 1 or sorted(norms)[-2] < 1
        places.add((len(norms), int(norms.argmax())))
    assert {(3, 0), (3, 2), (2, 0), (2, 1)} <= places


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_against_them(name):
    claim = find(name)
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS
    proved = claim.derivation is not None
    assert schema(claim, CI).outcome is (Outcome.PROVES if proved else Outcome.ARGUES)
