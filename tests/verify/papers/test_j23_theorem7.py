"""Theorem 7, its proof and the Hessian, on networks worked out by hand."""

from fractions import Fraction
from math import exp
from random import Random

import pytest

from graphs.rationals import RATIONALS
from tests.verify.arrays import value_at
from tests.verify.costs.cases import arrays, middle
from tests.verify.costs.cases import values as slacks
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensor
from verify.core.budgets import budget_named
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import (
    balancedness,
    descent_steps,
    hessian,
    hessian_notation,
    theorem7,
    theorem7_counts,
    theorem7_determinants,
    theorem7_powers,
    theorem7_steps,
)
from verify.papers.j23.network_notation import BALANCED
from verify.papers.j23.theorem7_notation import KERNEL_BOUND, SPREAD
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

STEPS = (theorem7_steps, theorem7_determinants, theorem7_powers, theorem7_counts)
MODULES = (balancedness, theorem7, *STEPS, hessian, descent_steps)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}


def network(weights, points, slope=0, biases=None, k=1, gap=0, gap2=0, p="1/2"):
    numbers = {"k": number(k, integer=True), "gap": number(gap), "gap2": number(gap2)}
    return as_network(deep(weights, biases, points, slope, **numbers, p=number(p)))


def chain(*weights, point=1, **options):
    return network([[[w]] for w in weights], [[point]], **options)


def values(claim, case):
    """The slacks and defects of a statement about networks, in order."""
    return [float(v) for v in CLAIMS[claim].measure(case.scene([case], RATIONALS)).values]


def told(claim, case):
    """The entries by label, as floats, of what is measured on arrays."""
    entries = CLAIMS[claim].measure(case.exact)
    labels = [tuple(entries.label(k).values()) for k in range(len(entries))]
    return {label: float(v) for label, v in zip(labels, entries.values, strict=True)}


def test_the_bound_of_theorem_7_of_a_chain():
    # alpha_0 = 3, alpha_1 = 6; Tr = 9 * 4 + 36 = 72 = c L; c_1 = 8 - 2; |Jf| = 4
    assert values("j23.thm7.a@A", chain(2, 2, point=3)) == [pytest.approx(72 * exp(6) / 16 - 45)]


@pytest.mark.parametrize(("p", "slack"), [("1/2", 0 - 1), ("1/16", 1 - 15 / 8)])
def test_the_layers_of_theorem_7_are_counted(p, slack):
    # squares 1 and 4; Tr = 1/4 + 4, c = 1/8 with the gap; c_1 = 17/4 - 2 + gap = 0; |Jf| = 1: the
    # bound is 1/(8 p), below both for p = 1/2, between them for p = 1/16
    case = chain(2, Fraction(1, 2), gap=Fraction(-9, 4), gap2=-4, p=p)
    assert values("j23.thm7.b@A", case) == [slack]


def test_c_1_below_0_leaves_the_constant_at_1():
    case = chain(Fraction(1, 2), Fraction(1, 2))  # c_1 = -3/2
    assert values("j23.thm7.a@A", case) == [(2 * 0.25) / (1 / 16) - 1.25]


def test_the_spread_decides():
    s = Fraction(11, 10)
    case = chain(s, 1 / s)  # the bound fails here, and the first layer is above the average
    left = (1 / float(s) ** 2 + float(s) ** 2) * exp(float((s - 1 / s) ** 2))
    assert values("j23.thm7.spread@A", case) == [pytest.approx(left - 1 - float(s) ** 2)]
    assert left < 1 + float(s) ** 2
    assert not judge_exactly(CLAIMS["j23.thm7.spread@A"], case).admitted
    assert not judge_exactly(CLAIMS["j23.thm7.a@A"], case).admitted


@pytest.mark.parametrize(
    ("name", "integers", "numbers", "slack"),
    [
        ("thm7.steps.amgm@A", "", {"A": [[1, 0], [0, 2]]}, 5 - 2 * 2),  # 2 (2^2)^(1/2)
        ("hessian.step@B", "", {"G": [[1, 0], [0, 2]], "e": [1, 1], "eta": 1}, 4 - 2),
        ("thm7.steps.power.b.real.fix", "klL", {"c": 3, "k": 1, "l": 2, "L": 3}, 1 / 4 - exp(-2)),
    ],
)
def test_matrices_and_numbers_by_hand(name, integers, numbers, slack):
    found = slacks(
        CLAIMS[f"j23.{name}"], arrays({"A": "mn", "G": "mn", "e": "n"}, integers, **numbers)
    )
    assert found == [pytest.approx(slack)]


WIDE = network([[[1, 0], [0, 2]], [[1, 0]]], [[1, 1]])  # J_1 of rank 2, Jf of rank 1


def test_steps_with_a_larger_rank_below():
    # |B P|_+ = 1, |J_1|_+ = 2, |Jf|_+ = 1; the largest singular value of J_1 is 2
    assert values("j23.thm7.steps.quotient.b", WIDE) == [3, 0]
    assert values("j23.thm7.steps.quotient.b.fix", WIDE) == [3 / 4, 0]
    assert values("j23.thm7.steps.rank.a", WIDE) == [0, 0]
    assert values("j23.thm7.steps.rank.b", WIDE) == [0, 0]
    assert values("j23.thm7.steps.amgm.b", WIDE) == [0, 0]


def test_the_projection_leaves_out_what_is_not_reached():
    # J_1 = (1, 1)^T: of B = (1, 0) the half (1/2, 1/2) is left, of (1, -1) nothing, and J_2 is 0
    assert values("j23.thm7.steps.rank.a", network([[[1], [1]], [[1, 0]]], [[1]])) == [1 / 2, 0]
    lost = network([[[1], [1]], [[1, -1]]], [[1]])
    assert values("j23.thm7.steps.rank.a", lost) == [2, 1]
    assert values("j23.thm7.steps.rank.b", lost) == [0, 0]


def test_the_chain_of_bounds():
    case = chain(2, 2)
    # |J_1|^2 = 4 against |J_1| = 2 with the exponent 2/L; mended 4 against 4
    assert values("j23.thm7.steps.schatten.a", case) == [-2, 0]
    assert values("j23.thm7.steps.schatten.a.fix", case) == [0, 0]
    half = chain(Fraction(1, 2), Fraction(1, 2))
    assert values("j23.thm7.steps.schatten.b", half) == [-0.25, 0]
    assert values("j23.thm7.steps.schatten.b.fix", half) == [0, 0]
    assert values("j23.thm7.steps.schatten.c", chain(1, 2)) == [5 / 2 - 1, 0]
    assert values("j23.thm7.steps.schatten.d", chain(2, gap=3)) == [3]


def test_powers():
    case = network([[[2, 0], [0, 2]]], [[1, 1]], k=2)  # c_1 = 8 - 2 = 6, |Jf|_+ = 4
    assert values("j23.thm7.steps.power.a", case) == [pytest.approx(2 - 8 / 7)]
    assert values("j23.thm7.steps.power.a.fix", case) == [0]  # 1 + 6/2 is |J_1|_+
    assert values("j23.thm7.steps.power.b", case) == [pytest.approx(8 / 7 - 8 * exp(-3))]
    assert values("j23.thm7.steps.power.c", case) == [0]
    small = network([[["1/2", 0], [0, "1/2"]]], [[1, 1]], k=2)  # 1 + c_1 = 0 is left out
    assert values("j23.thm7.steps.power.a", small) == []


@pytest.mark.parametrize(("hypothesis", "met"), [(BALANCED, chain(3, 3)), (SPREAD, chain(1, 2))])
def test_hypotheses_by_hand(hypothesis, met):
    assert true_of(hypothesis.holds)(met)
    assert not true_of(hypothesis.holds)(chain(2, 1))
    for seed in range(8):
        broken = hypothesis.break_(met, Random(seed))
        assert not true_of(hypothesis.holds)(broken)
        assert true_of(hypothesis.holds)(hypothesis.repair(broken, Random(seed)))


def test_the_kernel_bound_by_hand():
    case = chain(1, gap2=1)
    assert true_of(KERNEL_BOUND.holds)(case)
    assert not true_of(KERNEL_BOUND.holds)(KERNEL_BOUND.break_(case, Random(0)))


def test_biases_are_balanced_with_the_weights():
    # 3^2 + 4^2 = 5^2
    assert true_of(BALANCED.holds)(network([[[3]], [[5]]], [[1]], biases=[[4], [1]]))
    assert not true_of(BALANCED.holds)(network([[[3]], [[5]]], [[1]], biases=[[3], [1]]))


def differences(claim, case):
    """Left side minus right side of each place."""
    made = as_network(case)
    return [*map(middle, CLAIMS[claim].measure(made.scene([made], RATIONALS)).values)]


def test_hessian_of_a_product():
    # f = w2 w1 x + w2 b1 + b2 at w = 2, 3, x = 1: by (w1, b1, w2, b2) 3, 3, 2, 1
    case = deep([[[2]], [[3]]], None, [[1]], Y=Tensor(("N", "n2"), (1, 1), (Fraction(6),)))
    assert differences("j23.hessian.op@BA", case) == [0]
    assert differences("j23.hessian.trace@AB", case) == [0]
    moved = case.changing(Y=Tensor(("N", "n2"), (1, 1), (Fraction(5),)))
    gram = [[9, 9, 6, 3], [9, 9, 6, 3], [6, 6, 4, 2], [3, 3, 2, 1]]
    gram[0][2] = gram[2][0] = 6 + 1  # the second derivative by w1 and w2 is x, times r = 1
    gram[1][2] = gram[2][1] = 6 + 1
    made = as_network(moved)
    found = Evaluation(made.scene([made], RATIONALS)).column(hessian_notation.HESSIAN).values
    ((_, matrices),) = found.parts.values()
    assert [[int(str(e)) for e in row] for row in matrices[0]] == gram
    assert differences("j23.hessian.trace@AB", moved) == [0]  # also where it does not interpolate


def test_norm_and_trace_of_the_kernel():
    case = deep([[[1], [1]]], None, [[2]])  # Theta = 5 I
    assert differences("j23.hessian.imp", case) == [5 - 20]
    assert differences("j23.hessian.imp.fix", case) == [0]


def test_activations_of_a_chain_on_the_training_set():
    # alpha = 3, 6; Tr Theta = (9 + 1) 4 + (36 + 1) = 77; c_1 = 8 - 2; |Jf|^2 = 16
    bound = 77 * exp(6) / 16
    found = values("j23.hessian.layers.b@A", chain(2, 2, point=3))
    assert found == pytest.approx([bound - 36, bound - 2 * 9])


def test_the_norms_of_a_balanced_chain():
    # |W_1|^2 + b_1^2 = 9 + 16 = |W_2|^2
    case = deep([[[3]], [[5]]], [[4], [0]], [[1]])
    assert true_of(balancedness.BALANCED.holds)(as_network(case))
    assert differences("j23.balanced.a", case) == [25 - 9]
    assert differences("j23.balanced.b", case) == [25 - 9]
    assert differences("j23.balanced.c", case) == [0]
    assert differences("j23.balanced.d", case) == [25 - 9]  # 50 / 2
    assert not true_of(balancedness.BALANCED.holds)(as_network(deep([[[3]], [[4]]], points=[[1]])))


@pytest.mark.parametrize("part", "abcd")
def test_balancedness_is_proved(part):
    assert schema(CLAIMS[f"j23.balanced.{part}"], Context(budget_named("smoke"))).outcome.value == (
        "argues"
    )


REFUTED = {
    "j23.thm7.steps.schatten.a",
    "j23.thm7.steps.schatten.b",
    "j23.thm7.steps.quotient.b",
    "j23.thm7.steps.power.a",
    "j23.thm7.steps.power.b",
    "j23.hessian.imp",
}


@pytest.mark.parametrize("claim", sorted(CLAIMS))
def test_small_cases_decide_as_worked_out(claim):
    found = pointwise(CLAIMS[claim], looking("ci"))
    if claim in REFUTED and found.outcome.value != "refutes":  # more cases tell
        found = pointwise(CLAIMS[claim], looking("ci", draws=200))
    assert (found.outcome.value == "refutes") is (claim in REFUTED), found.summary


def test_a_positive_bound_counts_its_layers():
    claim = CLAIMS["j23.thm7.steps.count"]
    case = claim.pool.draw(Random(1)).changing(
        q=Tensor(("layers",), (2,), (Fraction(2), Fraction(0))), B=number(1), p=number("1/2")
    )
    assert value_at(claim, case) == 0  # one of two layers has q = B / p
    none = case.changing(q=Tensor(("layers",), (2,), (Fraction(0),) * 2), B=number(0))
    assert not judge_exactly(claim, none).admitted
