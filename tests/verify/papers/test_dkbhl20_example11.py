"""Definition 3 and Example 11 on laws of finite support: by hand, and the engine."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.verify.arrays import entries_of, value_at, violated
from tests.verify.papers.looking import looking
from tests.verify.papers.matrix_laws import law, of_matrices
from verify.cases.tensors import Tensors, tensor
from verify.core.evidence import Outcome
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20.laws import ALPHA, ALPHA_AT_LEAST_1
from verify.papers.registry import find
from verify.search.drawing import repair
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

CI = looking("ci", 2)
HALF = Fraction(1, 2)  # a correlation of 1/2: eigenvalues 1/2 and 3/2
BLOCKS = [[1, 0, 0], [0, 1, 1], [0, 1, 1]]  # eigenvalues 1, 2, 0; squared norms of rows 1, 2, 2


def alone(name):
    """The claim whatever it supposes."""
    return replace(find(f"dkbhl20.{name}"), hypotheses=())


def test_dominance_by_hand():
    # traces of cubes 7/2 and 8 (of ones), diagonals 2 (5/4)^2 and 8
    case = law((HALF, HALF), (HALF, 1))
    assert value_at(find("dkbhl20.def3.b"), case) == (Fraction(7, 2) - Fraction(25, 8)) / 2


def test_equal_eigenvalues_by_hand():
    assert violated(alone("ex11.a"), law((1, HALF)))
    for c in (0, 1):
        assert not violated(find("dkbhl20.ex11.a"), law((1, c)))


def test_display_83_by_hand():
    case = law((HALF, HALF), (HALF, 1))
    assert [value for _, value in entries_of(find("dkbhl20.ex11.b@BBB"), case)] == [0, 0]
    # without rows of one norm: 1 + 4 + 4 against (1 + 4)^2/3
    found = value_at(alone("ex11.b@BBB"), of_matrices([(1, BLOCKS)]), 1)
    assert abs(found) == 9 - Fraction(25, 3)


def test_displays_84_and_86_by_hand():
    # |l|_3^3 = 7/2 and |l|_2^4/d = 25/8
    assert violated(alone("ex11.c"), law((1, HALF)))
    assert violated(alone("ex11.e"), law((1, HALF)))
    # of blocks 9 and 25/3
    assert violated(alone("ex11.e"), of_matrices([(1, BLOCKS)]))
    assert not violated(alone("ex11.e"), law((1, 1)))


def test_display_85_by_hand():
    # sums of powers 3, 5, 9
    case = Tensors({"lambda": tensor(("d",), [1, 2])})
    claim = find("dkbhl20.ex11.d")
    assert not violated(claim, case)
    assert violated(alone("ex11.d"), Tensors({"lambda": tensor(("d",), [1, -2])}))


@pytest.mark.parametrize(
    ("numbers", "differ"), [([0, 2, 2, 0], False), ([1, 3], True), ([2, -2, 0], True)]
)
def test_flat_spectra_by_hand(numbers, differ):
    case = Tensors({"lambda": tensor(("d",), numbers)})
    assert violated(alone("ex11.e.only"), case) is differ


def test_the_regularity_constant_of_blocks_is_one_whatever_their_sizes():
    case = of_matrices([(1, BLOCKS)])
    assert true_of(ALPHA == 1)(case)
    assert true_of(ALPHA_AT_LEAST_1.holds)(case)
    assert violated(alone("ex11.a"), case)


@pytest.mark.parametrize(
    "name", ["def3.b", "ex11.a", "ex11.b@BBB", "ex11.c", "ex11.d", "ex11.e", "ex11.e.only"]
)
def test_no_case_speaks_against_these(name):
    claim = find(f"dkbhl20.{name}")
    proved = name in ("ex11.d", "ex11.e.only")
    assert schema(claim, CI).outcome is (Outcome.PROVES if proved else Outcome.ARGUES)
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize("name", ["ex11.a", "ex11.e", "ex11.e.only"])
def test_repairs_reach_cases(name):
    claim, random = find(f"dkbhl20.{name}"), Random(3)
    judged = [
        judge_exactly(claim, repair(claim, claim.pool.draw(random), random)) for _ in range(30)
    ]
    assert sum(one.admitted for one in judged) >= 15
    assert not any(one.violations for one in judged)


def test_what_is_needed_is_shown_with_a_certificate():
    found = necessity(find("dkbhl20.ex11.a"), CI)
    needed = {need.hypothesis for need in found.needs if need.needed}
    assert {"equal row norms on the support", "alpha at least 1"} <= needed
    assert found.figures["certified"] == found.figures["needed"]
