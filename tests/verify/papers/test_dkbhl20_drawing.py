"""Cases and hypotheses about batch-normalised chains: what is drawn, what repairs and breaks do,
one step against plain NumPy, and by hand."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.papers.dkbhl20_cases import case as made
from verify.cases.tensors import Tensors
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.papers.dkbhl20 import drawing, finite_laws, lemma1, notation, second_moments, section2
from verify.papers.dkbhl20.drawing import rows_of
from verify.papers.dkbhl20.lemma6_step import POSITIVE
from verify.papers.dkbhl20.notation import GAMMA, LAM, TAU, H, W
from verify.papers.dkbhl20.second_moments import M
from verify.papers.dkbhl20.sign_chain import ATOMS, PROBS
from verify.statements.stated import pool_with, true_of

F = Fraction


def holds(hypothesis, case):
    return true_of(hypothesis.holds)(case)


def floats(values):
    flat = [float(as_fraction(value)) for value in np.asarray(values).reshape(-1)]
    return np.array(flat).reshape(np.shape(values))


def fractions(values):
    return [as_fraction(value) for value in np.asarray(values).reshape(-1)]


def drawn(arrays, count=80, seed=5):
    roles = drawing.in_roles(*(term.args[0].name for term in arrays))
    random, pool = Random(seed), pool_with(*arrays, adapt=roles)
    return [(pool.draw(random, large=bool(k % 2)), random) for k in range(count)]


# hypotheses ---------------------------------------------------------------------------------------
LAWS = (ATOMS, PROBS)
PAIRS = [
    (section2.NORMALISED, (H,)),
    (lemma1.SQUARE, (H,)),
    (second_moments.SEMIDEFINITE, (M,)),
    (second_moments.UNIT_DIAGONAL, (M,)),
    (lemma1.TRACE_D, (LAM,)),
    (lemma1.NON_NEGATIVE, (LAM,)),
    (finite_laws.PROBABILITIES, LAWS),
    (lemma1.LEVEL, (TAU,)),
    (POSITIVE, (GAMMA,)),
]
OF_LAWS = [finite_laws.MEAN_ZERO, finite_laws.VARIANCE_ONE, finite_laws.SYMMETRIC_LAW]
BROKEN = [pair for pair in PAIRS if pair[0].break_] + [(one, LAWS) for one in OF_LAWS]


def names(pairs):
    return [hypothesis.name for hypothesis, _ in pairs]


@pytest.mark.parametrize(("hypothesis", "arrays"), PAIRS, ids=names(PAIRS))
def test_a_repair_makes_it_hold_and_keeps_what_holds(hypothesis, arrays):
    for case, random in drawn(arrays):
        repaired = hypothesis.repair(case, random)
        assert holds(hypothesis, repaired)
        if holds(hypothesis, case):
            assert repaired == case


@pytest.mark.parametrize("hypothesis", OF_LAWS, ids=lambda h: h.name)
def test_a_repair_of_a_law_makes_it_hold(hypothesis):
    for case, random in drawn(LAWS):
        case = finite_laws.to_probabilities(case, random)
        assert holds(hypothesis, hypothesis.repair(case, random))


@pytest.mark.parametrize(
    ("hypothesis", "arrays"),
    BROKEN,
    ids=names(BROKEN),
)
def test_a_break_makes_it_fail_in_most_cases(hypothesis, arrays):
    outcomes = Counter()
    for case, random in drawn(arrays):
        if "atoms" in case.arrays:
            case = finite_laws.to_probabilities(case, random)
        repaired = hypothesis.repair(case, random)
        broken = hypothesis.break_(repaired, random)
        if broken != repaired:
            outcomes[holds(hypothesis, broken)] += 1
    assert outcomes[False] > 9 * outcomes[True]
    assert outcomes[False] >= 40


def test_what_is_asked_together_is_repaired_together():
    both = (second_moments.SEMIDEFINITE, second_moments.UNIT_DIAGONAL)
    together = 0
    for case, random in drawn((M,)):
        for _ in range(2):
            for hypothesis in both:
                case = hypothesis.repair(case, random)
        together += all(holds(hypothesis, case) for hypothesis in both)
        assert holds(second_moments.UNIT_DIAGONAL, case)
    assert together >= 76


def test_hypotheses_by_hand():
    one = [[1, 1], [F(1, 5), F(7, 5)]]  # squared norms 2 and 50/25
    assert holds(section2.NORMALISED, made(H=one))
    assert not holds(section2.NORMALISED, made(H=[[1, 1], [1, 0]]))
    assert holds(lemma1.SQUARE, made(H=one))
    assert not holds(lemma1.SQUARE, made(H=[[1, 1]]))
    for rows, expected in (
        ([[1, 1], [1, 1]], True),
        ([[1, 2], [2, 1]], False),
        ([[1, 1], [0, 1]], False),
        ([[0, 0], [0, 0]], True),
        ([[0, 1], [1, 5]], False),
        ([[-1]], False),
    ):
        assert holds(second_moments.SEMIDEFINITE, made(M=rows)) is expected
        exact = [[F(x) for x in row] for row in rows]
        assert second_moments.semidefinite(exact) is expected
    assert holds(second_moments.UNIT_DIAGONAL, made(M=[[1, 3], [5, 1]]))
    assert not holds(second_moments.UNIT_DIAGONAL, made(M=[[1, 0], [0, 2]]))
    assert holds(lemma1.TRACE_D, made(lam=[3, -1, 1]))
    assert not holds(lemma1.NON_NEGATIVE, made(lam=[3, -1, 1]))
    for value, expected in ((0, True), (1, True), (F(-1, 9), False), (F(10, 9), False)):
        assert holds(lemma1.LEVEL, made(tau=value)) is expected
    for value, expected in ((F(1, 100), True), (0, False), (-1, False)):
        assert holds(POSITIVE, made(gamma=value)) is expected


@pytest.mark.parametrize(
    ("atoms", "probs", "mean", "variance", "symmetric"),
    [
        ([1, -1], [F(1, 2), F(1, 2)], True, True, True),
        ([2, F(-1, 2)], [F(1, 5), F(4, 5)], True, True, False),  # W-ASYM
        ([-4, 0, 4], [F(1, 32), F(15, 16), F(1, 32)], True, True, True),  # W-3(4)
        ([0, 2], [F(1, 2), F(1, 2)], False, True, False),
        ([2, -2], [F(1, 2), F(1, 2)], True, False, True),
        ([1, 1, -1], [F(1, 4), F(1, 4), F(1, 2)], True, True, True),  # an atom named twice
    ],
)
def test_laws_by_hand(atoms, probs, mean, variance, symmetric):
    law = made(atoms=atoms, probs=probs)
    assert [holds(hypothesis, law) for hypothesis in OF_LAWS] == [mean, variance, symmetric]
    assert holds(finite_laws.PROBABILITIES, law)


def test_a_mean_is_taken_away_from_what_is_no_law_yet():
    random = Random(1)
    for probs in ([F(1, 2), 1], [1, -1], [3, 3]):
        repaired = finite_laws.MEAN_ZERO.repair(made(atoms=[1, 4], probs=probs), random)
        assert holds(finite_laws.MEAN_ZERO, repaired)


def test_what_is_no_law_is_told():
    for probs in ([F(1, 2), F(1, 3)], [F(3, 2), F(-1, 2)]):
        assert not holds(finite_laws.PROBABILITIES, made(atoms=[1, 2], probs=probs))


# what is drawn ------------------------------------------------------------------------------------
def test_half_of_the_cases_are_drawn_as_the_paper_speaks_of_them():
    cases = [case for case, _ in drawn((H, M, LAM, GAMMA, ATOMS, PROBS), 300)]
    asked = {
        "rows": [section2.NORMALISED],
        "moments": [second_moments.SEMIDEFINITE, second_moments.UNIT_DIAGONAL],
        "spectra": [lemma1.TRACE_D, lemma1.NON_NEGATIVE],
        "laws": [finite_laws.PROBABILITIES],
    }
    shares = {
        name: sum(all(holds(one, case) for one in hypotheses) for case in cases)
        for name, hypotheses in asked.items()
    }
    assert all(90 <= share <= 240 for share in shares.values()), shares
    strengths = Counter(case.number("gamma") for case in cases)
    assert set(drawing.STRENGTHS) <= set(strengths)


def test_what_is_drawn_has_every_rank_and_differs():
    random = Random(2)
    ranks = Counter(
        np.linalg.matrix_rank(np.array(drawing.second_moment_rows(3, random), dtype=float))
        for _ in range(200)
    )
    assert set(ranks) == {1, 2, 3}
    for _ in range(200):
        case = made(M=drawing.second_moment_rows(random.randint(1, 4), random))
        assert holds(second_moments.SEMIDEFINITE, case)
        assert holds(second_moments.UNIT_DIAGONAL, case)
    for _ in range(200):
        rows = drawing.unit_rows(3, random.randint(1, 4), random)
        assert all(sum(x * x for x in row) == len(row) for row in rows)
        spectrum = drawing.spectrum(4, random)
        assert sum(spectrum) == 4
        assert min(spectrum) >= 0


@given(st.lists(st.fractions(-3, 3, max_denominator=8), min_size=1, max_size=4))
def test_a_row_goes_onto_the_sphere(row):
    found = drawing.onto_sphere(row)
    assert sum(x * x for x in found) == len(row)
    assert drawing.onto_sphere(found) == found
    if sum(x * x for x in row) == len(row):
        assert found == row


def moment_of(law, order):
    return sum(p * a**order for a, p in zip(*law, strict=True))


def test_named_laws_have_their_moments():
    laws = drawing.two_points(F(3)), drawing.three_points(F(4)), drawing.two_points(F(2, 5))
    for law in laws:
        assert [moment_of(law, order) for order in range(3)] == [1, 0, 1]
    assert moment_of(drawing.three_points(F(4)), 4) == 16
    random = Random(3)
    for _ in range(100):
        assert [moment_of(drawing.standard_law(random), order) for order in (1, 2)] == [0, 1]
        atoms, probs = drawing.standard_law(random, True)
        assert holds(finite_laws.SYMMETRIC_LAW, made(atoms=atoms, probs=probs))


# one step, in the notation of the paper -----------------------------------------------------------
STEP = {
    "second moment": notation.second_moment(H),
    "before": notation.before_norm(H, W, GAMMA),
    "increment": notation.increment(M, W, GAMMA),
}


def shown(term, case):
    """The entries of a matrix."""
    found = Evaluation(Tensors.scene([case], RATIONALS)).column(lowered(term, {}))
    ((_, array),) = found.values.parts.values()
    return array[0]


def test_one_step_is_that_of_numpy():
    for case, _ in drawn((H, M, W, GAMMA), 40):
        h, m, w = (np.array(rows_of(case.arrays[name]), dtype=float) for name in "HMW")
        gamma, d = float(case.number("gamma")), len(m)
        pre = h + gamma * w @ h
        close = {
            "second moment": h @ h.T / h.shape[1],
            "before": pre,
            "increment": (np.eye(d) + gamma * w) @ m @ (np.eye(d) + gamma * w).T - m,
        }
        for what, other in close.items():
            one = floats(shown(STEP[what], case))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-7, err_msg=what)


def test_a_step_by_hand():
    # W swaps the rows of H = (1, 1), (1, -1); gamma = 1/2
    case = made(H=[[1, 1], [1, -1]], W=[[0, 1], [1, 0]], M=[[1, 0], [0, 1]], gamma=F(1, 2))
    assert fractions(shown(STEP["before"], case)) == [F(3, 2), F(1, 2), F(3, 2), F(-1, 2)]
    assert fractions(shown(STEP["second moment"], case)) == [1, 0, 0, 1]
    assert fractions(shown(STEP["increment"], case)) == [F(1, 4), 1, 1, F(1, 4)]
