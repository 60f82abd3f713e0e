"""Instances and hypotheses about batch-normalised chains: what pools draw, what repairs and breaks
do, one step against plain NumPy, and by hand."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.kinds.normalised import hypotheses
from verify.kinds.normalised import pool as pools
from verify.kinds.normalised.pool import chain_pool, rows_of
from verify.kinds.normalised.scene import Chained
from verify.language.building import Matrix
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.papers.dkbhl20 import notation

F = Fraction


class Alone:
    """The owner of one entry of one case."""

    owner = np.array([0])


def holds(hypothesis, case):
    return bool(hypothesis.test(Chained.scene([case], RATIONALS), Alone)[0])


def floats(values):
    flat = [float(as_fraction(value)) for value in np.asarray(values).reshape(-1)]
    return np.array(flat).reshape(np.shape(values))


def fractions(values):
    return [as_fraction(value) for value in np.asarray(values).reshape(-1)]


def matrix(rows, name="M", axes=("d", "d")):
    return Chained({name: tensor(axes, rows)})


def law(atoms, probs):
    return Chained({"atoms": tensor(("k",), atoms), "probs": tensor(("k",), probs)})


def drawn(names, count=80, seed=5, **options):
    random, pool = Random(seed), chain_pool(*names, **options)
    return [(pool.draw(random, large=bool(k % 2)), random) for k in range(count)]


# hypotheses ---------------------------------------------------------------------------------------
UNIT = hypotheses.number_between("tau", 0, 1, "")
POSITIVE = hypotheses.positive_number("gamma", "", pools.STRENGTHS)
LAWS = ("atoms", "probs")
PAIRS = [
    (hypotheses.NORMALISED, ("H",)),
    (hypotheses.normalised_rows("X"), ("X",)),
    (hypotheses.SQUARE, ("H",)),
    (hypotheses.SEMIDEFINITE, ("M",)),
    (hypotheses.UNIT_DIAGONAL, ("M",)),
    (hypotheses.TRACE_D, ("lam",)),
    (hypotheses.NON_NEGATIVE, ("lam",)),
    (hypotheses.PROBABILITIES, LAWS),
    (UNIT, ("tau",)),
    (POSITIVE, ("gamma",)),
]
OF_LAWS = [hypotheses.MEAN_ZERO, hypotheses.VARIANCE_ONE, hypotheses.SYMMETRIC_LAW]


@pytest.mark.parametrize(("hypothesis", "names"), PAIRS, ids=lambda value: str(value)[:40])
def test_a_repair_makes_it_hold_and_keeps_what_holds(hypothesis, names):
    for case, random in drawn(names):
        repaired = hypothesis.repair(case, random)
        assert holds(hypothesis, repaired)
        if holds(hypothesis, case):
            assert repaired == case


@pytest.mark.parametrize("hypothesis", OF_LAWS, ids=lambda h: h.name)
def test_a_repair_of_a_law_makes_it_hold(hypothesis):
    for case, random in drawn(LAWS):
        case = hypotheses.PROBABILITIES.repair(case, random)
        assert holds(hypothesis, hypothesis.repair(case, random))


@pytest.mark.parametrize(
    ("hypothesis", "names"),
    [(h, names) for h, names in PAIRS if h.break_] + [(h, LAWS) for h in OF_LAWS],
    ids=lambda value: str(value)[:40],
)
def test_a_break_makes_it_fail_in_most_cases(hypothesis, names):
    outcomes = Counter()
    for case, random in drawn(names):
        if names == LAWS:
            case = hypotheses.PROBABILITIES.repair(case, random)
        repaired = hypothesis.repair(case, random)
        broken = hypothesis.break_(repaired, random)
        if broken != repaired:
            outcomes[holds(hypothesis, broken)] += 1
    assert outcomes[False] > 9 * outcomes[True]
    assert outcomes[False] >= 40


def test_what_is_asked_together_is_repaired_together():
    both = (hypotheses.SEMIDEFINITE, hypotheses.UNIT_DIAGONAL)
    together = 0
    for case, random in drawn(("M",)):
        for _ in range(2):
            for hypothesis in both:
                case = hypothesis.repair(case, random)
        together += all(holds(hypothesis, case) for hypothesis in both)
        assert holds(hypotheses.UNIT_DIAGONAL, case)
    assert together >= 76


def test_hypotheses_by_hand():
    one = [[1, 1], [F(1, 5), F(7, 5)]]  # squared norms 2 and 50/25
    assert holds(hypotheses.NORMALISED, matrix(one, "H", ("d", "N")))
    assert not holds(hypotheses.NORMALISED, matrix([[1, 1], [1, 0]], "H", ("d", "N")))
    assert holds(hypotheses.SQUARE, matrix(one, "H", ("d", "N")))
    assert not holds(hypotheses.SQUARE, matrix([[1, 1]], "H", ("d", "N")))
    for rows, expected in (
        ([[1, 1], [1, 1]], True),
        ([[1, 2], [2, 1]], False),
        ([[1, 1], [0, 1]], False),
        ([[0, 0], [0, 0]], True),
        ([[0, 1], [1, 5]], False),
        ([[-1]], False),
    ):
        assert holds(hypotheses.SEMIDEFINITE, matrix(rows)) is expected
    assert holds(hypotheses.UNIT_DIAGONAL, matrix([[1, 3], [5, 1]]))
    assert not holds(hypotheses.UNIT_DIAGONAL, matrix([[1, 0], [0, 2]]))
    spectrum = Chained({"lam": tensor(("d",), [3, -1, 1])})
    assert holds(hypotheses.TRACE_D, spectrum)
    assert not holds(hypotheses.NON_NEGATIVE, spectrum)
    for value, expected in ((0, True), (1, True), (F(-1, 9), False), (F(10, 9), False)):
        assert holds(UNIT, Chained({"tau": tensor((), value)})) is expected
    for value, expected in ((F(1, 100), True), (0, False), (-1, False)):
        assert holds(POSITIVE, Chained({"gamma": tensor((), value)})) is expected


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
    found = [holds(hypothesis, law(atoms, probs)) for hypothesis in OF_LAWS]
    assert found == [mean, variance, symmetric]
    assert holds(hypotheses.PROBABILITIES, law(atoms, probs))


def test_a_mean_is_taken_away_from_what_is_no_law_yet():
    random = Random(1)
    for probs in ([F(1, 2), 1], [1, -1], [3, 3]):
        repaired = hypotheses.MEAN_ZERO.repair(law([1, 4], probs), random)
        assert holds(hypotheses.MEAN_ZERO, repaired)


def test_what_is_no_law_is_told():
    assert not holds(hypotheses.PROBABILITIES, law([1, 2], [F(1, 2), F(1, 3)]))
    assert not holds(hypotheses.PROBABILITIES, law([1, 2], [F(3, 2), F(-1, 2)]))


# pools --------------------------------------------------------------------------------------------
def test_half_of_the_instances_are_drawn_as_the_paper_speaks_of_them():
    cases = [case for case, _ in drawn(("H", "M", "lam", "gamma", "atoms", "probs"), 300)]
    shares = {
        "rows": sum(holds(hypotheses.NORMALISED, case) for case in cases),
        "moments": sum(
            holds(hypotheses.SEMIDEFINITE, case) and holds(hypotheses.UNIT_DIAGONAL, case)
            for case in cases
        ),
        "spectra": sum(
            holds(hypotheses.TRACE_D, case) and holds(hypotheses.NON_NEGATIVE, case)
            for case in cases
        ),
        "laws": sum(holds(hypotheses.PROBABILITIES, case) for case in cases),
    }
    assert all(90 <= share <= 240 for share in shares.values()), shares
    strengths = Counter(case.number("gamma") for case in cases)
    assert set(pools.STRENGTHS) <= set(strengths)


def test_what_the_pool_draws_has_every_rank_and_differs():
    random = Random(2)
    ranks = Counter(
        np.linalg.matrix_rank(np.array(pools.second_moment_rows(3, random), dtype=float))
        for _ in range(200)
    )
    assert set(ranks) == {1, 2, 3}
    for _ in range(200):
        case = matrix(pools.second_moment_rows(random.randint(1, 4), random))
        assert holds(hypotheses.SEMIDEFINITE, case)
        assert holds(hypotheses.UNIT_DIAGONAL, case)
    for _ in range(200):
        rows = pools.unit_rows(3, random.randint(1, 4), random)
        assert all(sum(x * x for x in row) == len(row) for row in rows)
        spectrum = pools.spectrum(4, random)
        assert sum(spectrum) == 4
        assert min(spectrum) >= 0


@given(st.lists(st.fractions(-3, 3, max_denominator=8), min_size=1, max_size=4))
def test_a_row_goes_onto_the_sphere(row):
    found = pools.onto_sphere(row)
    assert sum(x * x for x in found) == len(row)
    assert pools.onto_sphere(found) == found
    if sum(x * x for x in row) == len(row):
        assert found == row


def test_extras_integers_and_a_last_change_are_drawn():
    pool = chain_pool(
        "H",
        extras=(("G", ("d", "N")),),
        integers=(("l", 0, 1),),
        last=lambda case, random: pools.with_entries(case, "l", [F(1)]),
    )
    case = pool.draw(Random(1))
    assert case.arrays["G"].shape == case.arrays["H"].shape
    assert case.whole("l") == 1
    assert isinstance(case, Chained)


def test_named_laws_have_their_moments():
    for made in (pools.two_points(F(3)), pools.three_points(F(4)), pools.two_points(F(2, 5))):
        assert sum(made[1]) == 1
        assert hypotheses.moment_of(made, 1) == 0
        assert hypotheses.moment_of(made, 2) == 1
    assert hypotheses.moment_of(pools.three_points(F(4)), 4) == 16
    random = Random(3)
    for _ in range(100):
        made = pools.standard_law(random)
        assert hypotheses.moment_of(made, 1) == 0
        assert hypotheses.moment_of(made, 2) == 1
        assert hypotheses.is_symmetric(pools.standard_law(random, True))


# one step, in the notation of the paper -----------------------------------------------------------
M = Matrix("M", "d", "d")
STEP = {
    "second moment": notation.second_moment(notation.H),
    "before": notation.before_norm(notation.H, notation.W, notation.GAMMA),
    "increment": notation.increment(M, notation.W, notation.GAMMA),
}


def shown(term, case):
    """The entries of a matrix."""
    found = Evaluation(Tensors.scene([case], RATIONALS)).column(lowered(term, {}))
    ((_, array),) = found.values.parts.values()
    return array[0]


def test_one_step_is_that_of_numpy():
    for case, _ in drawn(("H", "M", "W", "gamma"), 40):
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
    case = Chained(
        {
            "H": tensor(("d", "N"), [[1, 1], [1, -1]]),
            "W": tensor(("d", "d"), [[0, 1], [1, 0]]),
            "M": tensor(("d", "d"), [[1, 0], [0, 1]]),
            "gamma": tensor((), F(1, 2)),
        }
    )
    assert fractions(shown(STEP["before"], case)) == [F(3, 2), F(1, 2), F(3, 2), F(-1, 2)]
    assert fractions(shown(STEP["second moment"], case)) == [1, 0, 0, 1]
    assert fractions(shown(STEP["increment"], case)) == [F(1, 4), 1, 1, F(1, 4)]


def test_moments_of_a_law_by_hand():
    scene = Chained.scene([law([2, F(-1, 2)], [F(1, 5), F(4, 5)])], RATIONALS)
    assert [fractions(scene.moment(k)) for k in range(5)] == [[1], [0], [1], [F(3, 2)], [F(13, 4)]]
