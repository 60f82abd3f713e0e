"""Definition 1 and Lemma 7: by hand, against sums over all weight matrices, and the engine."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
import sympy

from graphs.arithmetic import as_fraction
from graphs.normalised.laws import asymmetric, rademacher, three_points
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import (
    equal_entries,
    mean_frobenius,
    mean_frobenius_series,
    mean_square_series,
    symmetric_matrices,
    weight_matrices,
)
from tests.verify.papers.dkbhl20_cases import case, number_of, says
from tests.verify.papers.looking import looking
from verify.core.evidence import Outcome
from verify.language.terms import lifted
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.dkbhl20 import increment_moments, lemma7, taylor_terms
from verify.papers.dkbhl20 import lemma7_derivatives as derivatives
from verify.papers.dkbhl20.increments import SIZE, M, correlation, means, moved_square
from verify.papers.dkbhl20.laws import frobenius_change
from verify.papers.dkbhl20.weight_laws import LAWS, MEAN, VARIANCE, linear_mean, quadratic_mean
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.certificates import answer

CI = looking("ci", 2)
ROWS = [[Fraction(1), Fraction(1, 3)], [Fraction(1, 3), Fraction(1)]]
THREE = [[1, Fraction(1, 2), 0], [Fraction(1, 2), 1, Fraction(1, 3)], [0, Fraction(1, 3), 1]]
NAMES = {law.name: k for k, law in enumerate(LAWS)}
ONE, TWO = lifted(1), lifted(2)
PROVED = [
    *(f"lem7_moments.{part}" for part in "abc"),
    *(f"lem7_T1T2.{part}" for part in ("a", "b", "c.fix", "d")),
    "lem7",
    "lem7.a",
    "lem7.b",
    "def1.b@B",
]


def standard(law="W-U3", **more):
    return case(**{"M": ROWS, "scale": 1, "shift": 0, "ties": 0, "law": NAMES[law], **more})


# laws ---------------------------------------------------------------------------------------------
def test_the_blurred_law_by_hand():
    # x/2 is 1 or -1/4, u is uniform on [-3/2, 3/2]: E u^2 = 3/4, E u^4 = 81/80
    half = [Fraction(1, 5) + Fraction(4, 5) * Fraction(-1, 4) ** k for k in range(5)]
    even = [1, 0, Fraction(3, 4), 0, Fraction(81, 80)]
    moments = [sum(comb(n, k) * half[k] * even[n - k] for k in range(n + 1)) for n in range(5)]
    assert (1, *LAWS[NAMES["W-ASYM blurred"]].moments) == tuple(moments)


def test_moments_of_a_shifted_and_scaled_law():
    # 2 x + 1 of a coin is 3 or -1; 2 x + 1 of a uniform number of [-1, 1]
    coin, uniform = (standard(law, scale=2, shift=1) for law in ("W-R", "W-U1"))
    assert [number_of(term, coin) for term in (MEAN, VARIANCE)] == [1, 4]
    assert [number_of(term, uniform) for term in (MEAN, VARIANCE)] == [1, Fraction(4, 3)]


def weights_at(*places):
    """The product of these entries of a matrix."""
    return lambda w: prod((w[place] for place in places), start=lifted(1))


@pytest.mark.parametrize("ties", [0, 1, 2])
def test_means_are_sums_over_all_weight_matrices(ties):
    law = asymmetric().shifted(1)
    drawn = {
        0: lambda: weight_matrices(independent_entries(law, 2), 2),
        1: lambda: weight_matrices(equal_entries(law, 2), 2),
        2: lambda: symmetric_matrices(law, 2),
    }[ties]
    made = standard("W-ASYM", shift=1, ties=ties)

    def mean(*places):
        total = Fraction(0)
        for matrix, mass in drawn():
            term = Fraction(mass)
            for i, k in places:
                term *= matrix[i - 1][k - 1]
            total += term
        return total

    places = list(product((1, 2), repeat=2))
    for one, other in product(places, repeat=2):
        assert number_of(linear_mean(SIZE, weights_at(one)), made) == mean(one)
        found = quadratic_mean(SIZE, weights_at(one, other))
        assert number_of(found, made) == mean(one, other), (one, other)


# increments ---------------------------------------------------------------------------------------
def test_second_moments_by_hand():
    # K_ij,ij = 2 (1 + m^2), K_ij,ii = 2 (2 m), K_ii,ii = 4 (1 + m^2), K_ii,jj = 0 at d = 2
    made = standard(gamma=Fraction(1, 2))
    found = [
        number_of(correlation(*places), made)
        for places in increment_moments.pairs_of_places(ONE, TWO)
    ]
    assert found == [2 * Fraction(10, 9), Fraction(4, 3), 4 * Fraction(10, 9), 0]
    assert number_of(increment_moments.mean_increment(ONE, ONE), made) == Fraction(2, 4)
    assert number_of(increment_moments.mean_increment(ONE, TWO), made) == 0


def mean_of_square(i, j):
    return means(lambda w: moved_square(w, lifted(i), lifted(j)))


@pytest.mark.parametrize(
    ("name", "shift", "law"),
    [
        ("W-ASYM", 0, asymmetric()),
        ("W-3(2)", 0, three_points(2)),
        ("W-R", 1, rademacher().shifted(1)),
    ],
)
def test_expansions_are_those_of_exact_means(name, shift, law):
    made = standard(name, M=THREE, shift=shift)
    series = mean_square_series(THREE, independent_entries(law, 3), 2)
    for i, j in ((1, 2), (1, 3), (3, 2)):
        exact = [as_fraction(part[i - 1, j - 1]) for part in series]
        assert [number_of(part, made) for part in mean_of_square(i, j)] == exact


def test_a_step_without_correlation_by_hand():
    # at M = I: delta_F = 2 d^2 - 2 d - 8 d + 8 d = 2 d (d - 1), printed (73) is 2
    one = [[Fraction(i == j) for j in range(3)] for i in range(3)]
    made = standard(M=one)
    assert number_of(frobenius_change(M), made) == 12
    assert number_of(taylor_terms.printed_second_term(ONE, TWO), made) == 2
    assert says(find("dkbhl20.lem7"), made)
    # an exact average agrees: at a small gamma the change is gamma^2 (12 + O(gamma^2))
    rows, gamma = independent_entries(rademacher(), 3), Fraction(1, 1000)
    change = as_fraction(mean_frobenius(one, rows, gamma)) - 3
    assert abs(change / gamma**2 - 12) < Fraction(1, 1000)


def test_lemma_7_against_the_exact_series():
    rows = independent_entries(three_points(2), 2)
    found = [as_fraction(x) for x in mean_frobenius_series(ROWS, rows, 2)]
    assert found == [2 + Fraction(2, 9), 0, number_of(frobenius_change(M), standard())]


@pytest.mark.parametrize(
    "name", ["lem7_moments.a", "lem7_moments.c", "lem7_T1T2.b", "lem7_T1T2.d", "lem7"]
)
def test_what_each_condition_is_needed_for(name):
    def holds(**change):
        return says(find(f"dkbhl20.{name}"), standard(gamma=Fraction(1, 4), **change))

    assert holds()
    for law in ("W-G", "W-T", "W-R", "W-3(2)", "W-ASYM", "W-ASYM blurred"):
        assert holds(law=law), law  # neither density, symmetry nor bounded support
    assert not holds(ties=1)
    assert not holds(shift=1)
    assert not holds(scale=2)
    assert holds(M=[[2, 1], [1, 1]]) == (name == "lem7_moments.c")


@pytest.mark.parametrize("change", [{}, {"ties": 1}, {"ties": 2}, {"shift": 1}, {"scale": 2}])
def test_expansions_hold_whatever_the_weights(change):
    for rows in (ROWS, [[2, 1], [1, 1]], THREE):
        assert says(find("dkbhl20.lem7_moments.b"), standard(M=rows, **change))
        assert says(find("dkbhl20.lem7_T1T2.a"), standard(M=rows, **change))


def test_second_term_as_printed_by_hand():
    # gamma = 1/2, M = I: T_2 is gamma^2 2 + O(gamma^3), printed is 2
    made = standard(M=[[1, 0], [0, 1]], gamma=Fraction(1, 2))
    assert number_of(taylor_terms.taylor_2(ONE, TWO), made) == 2
    assert not says(find("dkbhl20.lem7_T1T2.c"), made)
    assert says(find("dkbhl20.lem7_T1T2.c.fix"), made)
    assert says(find("dkbhl20.lem7_T1T2.c"), standard(gamma=1))  # where gamma^2 is 1


def test_terms_by_hand_where_the_diagonal_is_not_one():
    # M = diag(2, 1): g = 0, T_2 = (2/(2 1)) K_ij,ij/2 = (4 + 1)/2
    made = standard(M=[[2, 0], [0, 1]], gamma=1)
    assert number_of(taylor_terms.taylor_2(ONE, TWO), made) == Fraction(5, 2)
    # M = ((2, 1), (1, 1)): g = 1/2, T_1 = -g (E dM_ii/2 + E dM_jj), each mean gamma^2 3
    made = standard(M=[[2, 1], [1, 1]], gamma=1)
    found = [number_of(part, made) for part in taylor_terms.taylor_1(ONE, TWO)]
    assert found == [0, 0, -Fraction(1, 2) * (Fraction(3, 2) + 3)]


def test_derivatives_are_those_of_sympy():
    entries = sympy.symbols("ii ij jj", positive=True)
    g = entries[1] ** 2 / (entries[0] * entries[2])
    assert derivatives.square(*entries) == g
    first, second = derivatives.first_derivatives, derivatives.second_derivatives
    assert list(first(*entries)) == [sympy.diff(g, one) for one in entries]
    expected = [[sympy.diff(g, one, other) for other in entries] for one in entries]
    assert [list(line) for line in second(*entries)] == expected


def test_g_is_not_defined_with_a_zero_on_the_diagonal():
    assert says(find("dkbhl20.lem7_T1T2.d"), standard(M=[[0, 0], [0, 1]])) is None


def test_a_taylor_remainder_by_hand():
    # M = I, W the swap: g = 4 c^2/(1 + c^2)^2 at gamma = c, Taylor polynomial 4 c^2
    c = Fraction(1, 12)
    made = case(M=[[1, 0], [0, 1]], W=[[0, 1], [1, 0]], gamma=c)
    left = 4 * c**2 / (1 + c**2) ** 2 - 4 * c**2
    assert number_of(lemma7.remainder(ONE, TWO), made) == left
    assert says(find("dkbhl20.lem7.b"), made)


def test_another_taylor_remainder_by_hand():
    # W = [[0, 1], [0, 0]], m = 1/2, gamma = 1/4: dM_ii = 2 gamma m + gamma^2 = 5/16, dM_ij = 1/4
    m, a, b = Fraction(1, 2), Fraction(5, 16), Fraction(1, 4)
    polynomial = m**2 - m**2 * a + 2 * m * b + (m**2 * a**2 + b**2 - 2 * m * a * b)
    made = case(M=[[1, m], [m, 1]], W=[[0, 1], [0, 0]], gamma=Fraction(1, 4))
    found = number_of(lemma7.remainder(ONE, TWO), made)
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
    assert number_of(lemma7.change_of_entry(ONE, TWO), case(M=ROWS)) == Fraction(80, 81)
    assert says(find("dkbhl20.lem7.a"), case(M=ROWS))
    assert not says(find("dkbhl20.lem7.a"), case(M=[[2, 0], [0, 1]]))


# Definition 1 -------------------------------------------------------------------------------------
def test_the_footnote_by_hand():
    # the variance of W-U1 is 1/3; W-R has no density, W-ASYM blurred is not symmetric
    found = {
        name: [says(find(f"dkbhl20.def1.b@{reading}"), case(law=k)) for reading in "AB"]
        for name, k in NAMES.items()
    }
    assert found["W-U1"] == [False, True]
    assert found["W-G"] == found["W-U3"] == found["W-T"] == [True, True]
    assert found["W-R"] == found["W-ASYM blurred"] == [False, False]


def test_a_gain_by_hand():
    # scale 2: variance 4, so gamma^2 4 = 8/3 against 2/3; W-U1 with scale 2 has variance 4/3
    claim = find("dkbhl20.def1.c")
    assert says(claim, standard(n=3))
    assert not says(claim, standard(scale=2, n=3))
    assert not says(claim, standard("W-U1", scale=2, n=3))


def test_odd_moments_by_hand():
    # 2 and -1/2 with 1/5 and 4/5 have the third moment 3/2
    claim = find("dkbhl20.def1.d")
    assert not says(claim, case(atoms=[2, Fraction(-1, 2)], probs=[Fraction(1, 5), Fraction(4, 5)]))
    assert says(
        claim, case(atoms=[2, 0, -2], probs=[Fraction(1, 8), Fraction(3, 4), Fraction(1, 8)])
    )


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
    assert answer(dict(found.certificate))["exit"] == 0


def test_what_lemma_7_needs():
    found = necessity(find("dkbhl20.lem7"), CI)
    needed = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(needed) == {
        "independent weights",
        "centred weights",
        "weights of variance one",
        "unit diagonal",
    }
    assert all(answer(dict(certificate))["exit"] == 0 for certificate in needed.values())


def test_an_argument_fails_with_a_wrong_fact(monkeypatch):
    facts = taylor_terms.term_facts
    monkeypatch.setattr(taylor_terms, "term_facts", lambda: [(text, False) for text, _ in facts()])
    assert not taylor_terms.lemma_for_every_width().holds
