"""Theorem 3, part 3: first corrections of linear maps, and kernels, solved by hand."""

from dataclasses import replace
from fractions import Fraction
from math import isclose, log
from random import Random

import pytest

from graphs.algebraic import Enclosure
from tests.verify.arrays import entries_of
from tests.verify.language import values
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import number, tensor_of
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.j23 import completely_positive as positive
from verify.papers.j23 import kernel_cases as kernels
from verify.papers.j23 import mixed_kernels as mixed
from verify.papers.registry import find
from verify.search.certificates import answer
from verify.search.judging import judge_exactly
from verify.statements.quantities import with_value

SMOKE = looking("smoke", 3)
CI = looking("ci", 3)
F = Fraction
AXES = {"A": ("q", "n"), "X": ("N", "n"), "B": ("p", "n"), "C": ("q", "n")}
EMBEDDED = {"A": ("m", "n"), "Oin": ("i", "n"), "Oout": ("o", "m"), "X": ("N", "n")}
UNIT = [[1, 0], [0, 1]]
TURN = [[F(3, 5), F(4, 5)], [F(-4, 5), F(3, 5)]]
HALF_TURN = [[-1, 0], [0, -1]]


def case(axes=None, integers=(), **arrays):
    axes = AXES if axes is None else axes
    made = {
        name: tensor_of(axes[name], value)
        if name in axes
        else number(value, integer=name in integers)
        for name, value in arrays.items()
    }
    return Tensors(made, {}, "")


def meets(hypothesis, made):
    """Whether a case meets a hypothesis."""
    return values.worth(hypothesis.holds, made)


def on_hull(points, linear, slope=0, **depth):
    return case(integers=tuple(depth), X=points, A=linear, a=slope, **depth)


def measured(claim, made):
    """The entries, hypotheses met or not, as (label, number); a float where the number is real."""
    free = replace(find(claim), hypotheses=())
    return [
        (label, float((value.low + value.high) / 2) if isinstance(value, Enclosure) else value)
        for label, value in entries_of(free, made)
    ]


def correction(points, linear, slope=0):
    """The difference to what is claimed, of the bound from below and of that from above."""
    found = measured("j23.thm3.3@B", on_hull(points, linear, slope))
    return [value for _, value in found]


def bracket(points, linear, depth, slope=0):
    found = measured("j23.thm3.3@B.fix", on_hull(points, linear, slope, L=depth))
    return dict(zip(("below", "above"), [value for _, value in found], strict=True))


# the first correction -----------------------------------------------------------------------------
@pytest.mark.parametrize("slope", [0, F(1, 2), F(-1, 2)])
def test_both_sides_of_0_cost_more(slope):
    # at least log 2 / (1 + |a|): a neuron is steep on one side only
    below, above = correction([[-1], [1]], [[1]], slope)
    assert isclose(below, -log(2 / (1 + abs(slope))))
    assert isclose(above, log(2) + 1)  # by a chain of 2 and the last bias 1
    below, _ = correction([[-1], [1]], [[3]], slope)
    assert isclose(below, -log(2 / (1 + abs(slope))))


def test_a_diagonal_costs_less():
    # on the diagonal x_1 is (x_1 + x_2)/2, of squared length 1/2
    for linear in ([[1, 0]], [[5, 0]]):
        below, above = correction([[0, 0], [1, 1]], linear)
        assert isclose(below, log(2))
        assert isclose(above, -log(2))
    # on the line along (1, 2) it is (x_1 + 2 x_2)/5, of squared length 1/5
    below, above = correction([[0, 0], [1, 2]], [[1, 0]])
    assert isclose(below, log(5))
    assert isclose(above, -log(5))


@pytest.mark.parametrize(
    ("points", "linear"),
    [
        ([[0], [1]], [[3]]),
        ([[0, 0], [1, 0], [0, 1]], UNIT),
        ([[0, 0], [1, 0], [0, 1]], [[2, 1], [0, 1]]),
        ([[0, 0], [3, 4], [-4, 3]], TURN),
        ([[0, 0], [1, 0], [0, 1]], [[0, 0], [0, 0]]),
    ],
)
def test_quadrants_cost_what_is_claimed(points, linear):
    assert all(abs(value) < 1e-12 for value in correction(points, linear))
    assert correction(points, linear)


def test_where_bounds_do_not_decide_nothing_fails():
    below, above = correction([[0, 0], [1, 0], [-1, 1]], [[2, 1], [0, 1]])
    assert below == 0
    assert above > 1


# the repaired theorem -----------------------------------------------------------------------------
def test_the_bracket_by_hand():
    # R = L s^(2/L) = 4 for A = 2, L = 2; L k + 2 log 2 is 2 + log 4, the room (4 + 1/4 - 2)/2
    found = bracket([[0], [1]], [[2]], 2)
    assert isclose(found["below"], 2 - log(4))
    assert isclose(found["above"], log(4) + F(9, 8) - 2)
    # at depth 1: R = 4
    found = bracket([[0], [1]], [[2]], 1)
    assert isclose(found["below"], 3 - log(4))
    assert isclose(found["above"], log(4) + F(9, 4) - 3)


def test_without_its_hypotheses_the_bracket_breaks():
    # R is L 2^(1/L) at least between -1 and 1, L 2^(-1/L) at most on the diagonal
    found = bracket([[-1], [1]], [[1]], 3)
    assert isclose(found["above"], 3 - 3 * 2 ** (1 / 3))
    found = bracket([[0, 0], [1, 1]], [[1, 0]], 3)
    assert isclose(found["below"], 3 * 2 ** (-1 / 3) - 3)


def test_hypotheses_by_hand():
    def true(hypothesis, points, linear):
        return meets(hypothesis, on_hull(points, linear))

    triangle = [[0, 0], [1, 0], [0, 1]]
    assert true(positive.DIMENSIONS, triangle, UNIT)
    assert not true(positive.DIMENSIONS, [[0, 0], [1, 0]], UNIT)
    assert true(positive.DIMENSIONS, [[0, 0], [1, 1]], [[1, 0]])
    assert not true(positive.DIMENSIONS, [[1, 0], [1, 1]], [[1, 0]])
    assert true(positive.ALONG_IMAGE, triangle, [[1, 2]])
    assert not true(positive.ALONG_IMAGE, [[0, 0], [1, 1]], [[1, 0]])
    assert true(positive.ALONG_IMAGE, [[0, 0], [1, 1]], [[2, 2]])
    wide = [[1, 1], [-1, 1]]
    assert true(positive.ACUTE_IN, wide, [[2, 0], [0, 1]])
    assert not true(positive.ACUTE_OUT, wide, [[2, 0], [0, 1]])
    assert not true(positive.ACUTE_IN, [[-1, 0], [1, 1]], [[1, 0]])


@pytest.mark.parametrize("seed", range(10))
def test_hypotheses_are_broken(seed):
    random = Random(seed)
    repaired = find("j23.thm3.3@B.fix")
    made = repaired.pool.draw(random, n=2, loss="", large=False)
    if not any(any(row) for row in made.matrix("A")):
        return
    for hypothesis in (positive.DIMENSIONS, positive.ACUTE_IN, positive.ACUTE_OUT):
        assert not meets(hypothesis, hypothesis.break_(made, random))
    full = positive.ALONG_IMAGE.repair(made, random)
    assert meets(positive.ALONG_IMAGE, full)


# kernels ------------------------------------------------------------------------------------------
def test_means_of_kernels_by_hand():
    made = values.case(B=[[1, 2]], C=[[0, 1], [3, 0]])
    # B^T B + C^T C is 10, 2, 5
    told = [[5, 1], [1, F(5, 2)]]
    assert values.worth(positive.MEAN, made)
    whole = positive.BOTH.T @ positive.BOTH
    assert [[values.worth(whole[i, j] / 2, made) for j in (1, 2)] for i in (1, 2)] == told


def embeddings(linear, inner, outer, points, **integers):
    made = {"A": linear, "Oin": inner, "Oout": outer, "X": points}
    return case(EMBEDDED, tuple(integers), **made, **integers)


def test_embeddings_and_kernels_by_hand():
    made = embeddings([[2, 0], [0, 0]], [[1, 0]], [[1, 0]], [[3, 4]])
    assert values.worth(mixed.ROOTS, made)
    assert values.worth(mixed.BACK, made) == ((1, 2), 1, 0)
    assert values.worth(mixed.OUTER, made) == ((1, 2), 2, 0)
    # O_in doubled: 4 and 1; O_out doubled: 16 and 4, and back 4 and 1
    for inner, outer in ((2, 1), (1, 2)):
        assert not values.worth(mixed.ROOTS, embeddings([[2]], [[inner]], [[outer]], [[3]]))


def test_mixtures_by_hand():
    # p = 1/3: 3 copies of 1/3 and 6 of 2/3
    made = embeddings([[2]], [[1]], [[1]], [[3]], L=3, l=1)
    assert values.worth(mixed.ROOT, made) == ((10, 1), 0, *[F(1, 3)] * 3, *[F(2, 3)] * 6)
    assert values.worth(mixed.ROOT.T @ mixed.ROOT, made) == ((1, 1), 3)  # 1/3 + 2/3 4
    assert not judge_exactly(find("j23.thm3.3.cp.b"), made).violations
    far = embeddings([[2]], [[1]], [[-1]], [[3]], L=1, l=0)
    assert values.worth(mixed.ROOT, far) == ((2, 1), 0, -2)
    assert not values.worth(find("j23.thm3.3.cp.b").terms.says, far)
    assert not meets(mixed.INSIDE, embeddings([[2]], [[1]], [[1]], [[3]], L=1, l=2))


@pytest.mark.parametrize(("depth", "layer"), [(1, 0), (3, 1), (2, 2), (5, 4)])
def test_square_roots_of_kernels(depth, layer):
    random = Random(4)
    for _ in range(6):
        made = kernels.kernel_pool(mixed.L, mixed.layer).draw(random, n=2, loss="", large=False)
        made = with_value(with_value(made, "L", depth), "l", layer)
        share = F(layer, depth)
        wanted = share * (kernels.O_IN.T @ kernels.O_IN)
        wanted += (1 - share) * (kernels.OUTER.T @ kernels.OUTER)
        assert values.worth(wanted == mixed.ROOT.T @ mixed.ROOT, made)


def test_cases_meet_their_hypotheses():
    random = Random(8)
    for _ in range(20):
        made = kernels.kernel_pool().draw(random, n=2, loss="", large=False)
        assert all(meets(hypothesis, made) for hypothesis in kernels.EMBEDDED)
        for hypothesis in kernels.EMBEDDED[:2]:
            assert not meets(hypothesis, hypothesis.break_(made, random))


# what the engine finds ----------------------------------------------------------------------------
def test_the_printed_theorem_is_refuted():
    found = [method(find("j23.thm3.3@B"), CI) for method in (pointwise, search)]
    refutes = [one for one in found if one.outcome is Outcome.REFUTES]
    assert refutes
    assert all(answer(one.certificate)["exit"] == 0 for one in refutes)


@pytest.mark.parametrize("name", ["@B.fix", ".convex", ".cp.a", ".cp.b"])
def test_what_is_true_is_supported(name):
    assert pointwise(find(f"j23.thm3.3{name}"), SMOKE).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("@B.fix", {"directions contain Im A^T"}),
        (".cp.a", {"embedding Oin", "embedding Oout"}),
        (".cp.b", {hypothesis.name for hypothesis in (*kernels.EMBEDDED, mixed.INSIDE)}),
    ],
)
def test_what_is_needed(name, needed):
    found = necessity(find(f"j23.thm3.3{name}"), CI)
    assert {need.hypothesis for need in found.needs if need.needed} == needed
    assert all(answer(need.certificate)["exit"] == 0 for need in found.needs if need.needed)


# a wrong formula would be noticed -----------------------------------------------------------------
def test_a_wrong_root_would_be_noticed():
    made = embeddings([[2]], [[1]], [[1]], [[3]], L=3, l=1)
    exchanged = (1 - mixed.p) * mixed.K_IN + mixed.p * mixed.K_OUT
    assert not values.worth(exchanged == mixed.ROOT.T @ mixed.ROOT, made)
