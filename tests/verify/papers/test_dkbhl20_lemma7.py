"""Definition 1 and Lemma 7: by hand, against sums over all weight matrices, and the engine."""

from fractions import Fraction
from itertools import product

import pytest

from graphs.arithmetic import as_fraction
from graphs.normalised.laws import asymmetric, independent_entries, rademacher, three_points
from graphs.rationals import RATIONALS
from tests.graphs.normalised.expectations import (
    equal_entries,
    mean_frobenius,
    mean_frobenius_series,
    mean_square_series,
    symmetric_matrices,
    weight_matrices,
)
from tests.verify.papers.dkbhl20_cases import case, number_of, says
from verify.checker.restated import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import number, tensor_of
from verify.kinds.normalised.scene import Chained
from verify.language.terms import lifted
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.dkbhl20 import (
    increment_moments,
    increments,
    initialisation,
    lemma7,
    taylor_terms,
)
from verify.papers.dkbhl20.increments import Increments
from verify.papers.dkbhl20.weight_laws import LAWS, Weights
from verify.papers.registry import find
from verify.search.arguments import beside_the_point

CI = Context(budget_named("ci"), 2, "cpu")
AXES = {"M": ("d", "d"), "W": ("d", "d"), "atoms": ("k",), "probs": ("k",)}
WHOLE = {"law", "ties", "shift", "n"}
ROWS = [[Fraction(1), Fraction(1, 3)], [Fraction(1, 3), Fraction(1)]]
NAMES = {law.name: k for k, law in enumerate(LAWS)}
PROVED = [
    *(f"lem7_moments.{part}" for part in "abc"),
    *(f"lem7_T1T2.{part}" for part in ("a", "b", "c.fix", "d")),
    "lem7",
    "lem7.a",
    "lem7.b",
    "def1.b@B",
]


def scene(**arrays):
    made = {
        name: tensor_of(AXES[name], value) if name in AXES else number(value, integer=name in WHOLE)
        for name, value in arrays.items()
    }
    return Chained.scene([Chained(made)], RATIONALS)


def standard(law="W-U3", **more):
    return scene(**{"M": ROWS, "scale": 1, "shift": 0, "ties": 0, "law": NAMES[law], **more})


def by_part(entries):
    return {entries.label(k)["part"]: as_fraction(entries.values[k]) for k in range(len(entries))}


# laws ---------------------------------------------------------------------------------------------
def test_the_blurred_law_by_hand():
    # x/2 + u: variance (1/4) 1 + (9/4)/3, m_3 = (1/8)(3/2)
    assert LAWS[NAMES["W-ASYM blurred"]].moments == (0, 1, Fraction(3, 16), Fraction(749, 320))


def test_moments_of_a_shifted_and_scaled_law():
    # 2 x + 1 of a coin is 3 or -1
    found = Weights(rademacher(), Fraction(2), Fraction(1), 0).moments
    assert found == tuple(Fraction(3**n + (-1) ** n, 2) for n in range(5))


@pytest.mark.parametrize("ties", [0, 1, 2])
def test_means_are_sums_over_all_weight_matrices(ties):
    law = asymmetric()
    drawn = {
        0: lambda: weight_matrices(independent_entries(law, 2), 2),
        1: lambda: weight_matrices(equal_entries(law, 2), 2),
        2: lambda: symmetric_matrices(law, 2),
    }[ties]
    weights = Weights(law, Fraction(1), Fraction(0), ties)
    for places in ([(0, 0)], [(0, 1), (1, 0)], [(0, 0), (0, 1), (0, 1)], [(1, 0), (0, 1)] * 2):
        total = Fraction(0)
        for matrix, mass in drawn():
            term = Fraction(mass)
            for i, k in places:
                term *= matrix[i][k]
            total += term
        assert weights.mean({tuple(sorted(places)): Fraction(1)}) == total, (ties, places)


# increments ---------------------------------------------------------------------------------------
def test_second_moments_by_hand():
    # K_ij,ij = 2 (1 + m^2), K_ij,ii = 2 (2 m), K_ii,ii = 4 (1 + m^2), K_ii,jj = 0 at d = 2
    known = Increments(ROWS, Weights(LAWS[0], Fraction(1), Fraction(0), 0))
    assert known.second_moment((0, 1), (0, 1)) == 2 * Fraction(10, 9)
    assert known.second_moment((0, 1), (0, 0)) == Fraction(4, 3)
    assert known.second_moment((0, 0), (0, 0)) == 4 * Fraction(10, 9)
    assert known.second_moment((0, 0), (1, 1)) == 0
    assert known.mean_increment(0, 0, Fraction(1, 2)) == Fraction(2, 4)
    assert known.mean_increment(0, 1, Fraction(1, 2)) == 0


@pytest.mark.parametrize("law", [asymmetric(), three_points(2), rademacher().shifted(1)])
def test_expansions_are_those_of_exact_means(law):
    rows = [[Fraction(x) for x in row] for row in ((1, "1/2", 0), ("1/2", 1, "1/3"), (0, "1/3", 1))]
    known = Increments(rows, Weights(law, Fraction(1), Fraction(0), 0))
    series = mean_square_series(rows, independent_entries(law, 3), 2)
    for i, j in known.pairs:
        found = [as_fraction(part[i, j]) for part in series]
        assert known.mean_squares(i, j) == found


def test_a_step_without_correlation_by_hand():
    # at M = I: delta_F = 2 d^2 - 2 d - 8 d + 8 d = 2 d (d - 1), printed (73) is 2, T_1 is 0
    one = [[Fraction(i == j) for j in range(3)] for i in range(3)]
    assert increments.frobenius_change(one) == 12
    assert increments.printed_second_term(one, 0, 1) == 2
    assert set(by_part(taylor_terms.mean_change(standard(M=one))).values()) == {0}
    # an exact average agrees: at a small gamma the change is gamma^2 (12 + O(gamma^2))
    rows, gamma = independent_entries(rademacher(), 3), Fraction(1, 1000)
    change = as_fraction(mean_frobenius(one, rows, gamma)) - 3
    assert abs(change / gamma**2 - 12) < Fraction(1, 1000)


def test_lemma_7_against_the_exact_series():
    rows = independent_entries(three_points(2), 2)
    found = [as_fraction(x) for x in mean_frobenius_series(ROWS, rows, 2)]
    assert found == [2 + Fraction(2, 9), 0, increments.frobenius_change(ROWS)]


MEASURES = {
    "moments": increment_moments.mean_increments,
    "K": increment_moments.second_moments,
    "T1": taylor_terms.first_taylor_term,
    "entry": taylor_terms.entry_change,
    "lemma": taylor_terms.mean_change,
}


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_what_each_condition_is_needed_for(name):
    measure = MEASURES[name]

    def fails(**change):
        return any(by_part(measure(standard(gamma=Fraction(1, 4), **change))).values())

    assert not fails()
    for law in ("W-G", "W-T", "W-R", "W-3(2)", "W-ASYM", "W-ASYM blurred"):
        assert not fails(law=law), law  # neither density, symmetry nor bounded support
    assert fails(ties=1)
    assert fails(shift=1)
    assert fails(scale=2)
    assert fails(M=[[2, 1], [1, 1]]) == (name != "K")


def test_second_term_as_printed_by_hand():
    # gamma = 1/2, M = I: T_2 is gamma^2 2 + O(gamma^3), printed is 2
    made = standard(M=[[1, 0], [0, 1]], gamma=Fraction(1, 2))
    printed = by_part(taylor_terms.second_taylor_term(made, mended=False))
    assert set(printed.values()) == {Fraction(1, 2) - 2}
    assert set(by_part(taylor_terms.second_taylor_term(made, mended=True)).values()) == {0}


def test_g_is_not_defined_with_a_zero_on_the_diagonal():
    assert not len(taylor_terms.entry_change(standard(M=[[0, 0], [0, 1]])))


def test_a_taylor_remainder_by_hand():
    # M = I, W the swap: g = 4 c^2/(1 + c^2)^2 at gamma = c, Taylor polynomial 4 c^2
    c = Fraction(1, 12)
    made = case(M=[[1, 0], [0, 1]], W=[[0, 1], [1, 0]], gamma=c)
    left = 4 * c**2 / (1 + c**2) ** 2 - 4 * c**2
    one, two = lifted(1), lifted(2)
    assert number_of(lemma7.remainder(one, two), made) == left
    assert says(find("dkbhl20.lem7.b"), made)


def test_another_taylor_remainder_by_hand():
    # W = [[0, 1], [0, 0]], m = 1/2, gamma = 1/4: dM_ii = 2 gamma m + gamma^2 = 5/16, dM_ij = 1/4
    m, a, b = Fraction(1, 2), Fraction(5, 16), Fraction(1, 4)
    polynomial = m**2 - m**2 * a + 2 * m * b + (m**2 * a**2 + b**2 - 2 * m * a * b)
    made = case(M=[[1, m], [m, 1]], W=[[0, 1], [0, 0]], gamma=Fraction(1, 4))
    found = number_of(lemma7.remainder(lifted(1), lifted(2)), made)
    assert found == (m + b) ** 2 / (1 + a) - polynomial


@pytest.mark.parametrize("m", [Fraction(-1, 2), Fraction(0), Fraction(1)])
def test_the_remainder_at_all_corners_is_below_the_bound(m):
    for w in product((Fraction(-5, 3), Fraction(5, 3)), repeat=4):
        made = case(M=[[1, m], [m, 1]], W=[list(w[:2]), list(w[2:])], gamma=Fraction(1, 12))
        assert says(find("dkbhl20.lem7.b"), made)


@pytest.mark.parametrize("large", [100, 1000])
def test_weights_off_the_cube_leave_a_large_remainder(large):
    made = case(M=ROWS, W=[[1, large], [-large, 1]], gamma=Fraction(1, 24))
    assert not says(find("dkbhl20.lem7.b"), made)


def test_the_sum_by_hand():
    # M_12 = 1/3: both entries are 20/9 - 16/9 + 80/81 - 4/9 = 80/81
    one, two = lifted(1), lifted(2)
    assert number_of(lemma7.change_of_entry(one, two), case(M=ROWS)) == Fraction(80, 81)
    assert says(find("dkbhl20.lem7.a"), case(M=ROWS))
    assert not says(find("dkbhl20.lem7.a"), case(M=[[2, 0], [0, 1]]))


# Definition 1 -------------------------------------------------------------------------------------
def test_the_footnote_by_hand():
    made = scene(law=NAMES["W-U1"])
    found = by_part(initialisation.footnote_laws(made, scaled=False))
    assert found["variance"] == Fraction(-2, 3)
    assert not any(by_part(initialisation.footnote_laws(made, scaled=True)).values())


def test_a_gain_by_hand():
    # scale 2: variance 4, so gamma^2 4 = 8/3 against 2/3
    found = by_part(initialisation.scaled_variances(standard(scale=2, n=3)))
    assert found == {"He": Fraction(2), "Glorot": Fraction(1)}


def test_odd_moments_by_hand():
    made = scene(atoms=[2, Fraction(-1, 2)], probs=[Fraction(1, 5), Fraction(4, 5)])
    assert by_part(initialisation.reflected_moments(made)) == {"moment 1": 0, "moment 3": 3}


# what the engine says -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", PROVED)
def test_arguments_are_whole(name):
    claim = find(f"dkbhl20.{name}")
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


@pytest.mark.parametrize("name", ["def1.b@A", "lem7_T1T2.c"])
def test_refuted_with_certificates(name):
    found = pointwise(find(f"dkbhl20.{name}"), CI)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


def test_what_lemma_7_needs():
    found = necessity(find("dkbhl20.lem7"), CI)
    assert found.figures["needed"] == found.figures["certified"] == 4


def test_a_wrong_formula_is_seen(monkeypatch):
    monkeypatch.setattr(taylor_terms, "printed_second_term", lambda m, i, j: Fraction(1))
    assert any(by_part(taylor_terms.entry_change(standard())).values())
    monkeypatch.setattr(taylor_terms, "frobenius_change", lambda m: Fraction(1))
    assert any(by_part(taylor_terms.mean_change(standard())).values())


def test_an_argument_fails_with_a_wrong_fact(monkeypatch):
    facts = taylor_terms.term_facts
    monkeypatch.setattr(taylor_terms, "term_facts", lambda: [(text, False) for text, _ in facts()])
    assert not taylor_terms.lemma_for_every_width().holds
