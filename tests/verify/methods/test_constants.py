"""How far constants go: planted inequalities with known best constants, and registered ones."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import inf
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import reals
from graphs.errors import TooManyPathsError
from verify.cases.tensors import Tensors, tensor, tensors_from_json
from verify.core.budgets import budget_named
from verify.core.claim import Source
from verify.core.evidence import Evidence, Outcome
from verify.core.verdict import Verdict, decide
from verify.language.building import (
    Each,
    Let,
    Matrix,
    Number,
    Sum,
    Vector,
    card,
    cols,
    dim,
    dot,
    eigenvalues,
    examples,
    frob2,
    norm,
    nu,
    rank,
    rows,
    smaller,
    sqrt,
    upto,
    vector,
)
from verify.language.terms import number as num
from verify.methods.constants import constants
from verify.methods.context import Context
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.constants import criticals
from verify.search.constants.constant import UnusableValueError, factor, written
from verify.search.constants.criticals import TooLongError, distances_in, exactly, shortened
from verify.search.constants.downhill import Archive
from verify.search.constants.moves import corners, moved
from verify.search.constants.slacks import Sample, Scores, floats, slacks_of
from verify.search.judging import judge_exactly
from verify.statements.stated import pool_with, stated

CI = Context(replace(budget_named("ci"), longest=inf))  # however busy the machine is
X, Y, M = Number("x"), Number("y"), Matrix("M", "rows", "columns")
FROBENIUS, NORM = frob2(M), norm(M) ** 2


def planted(says, **more):
    return stated("planted", Source("planted", "-", "-"), "-", "-", says, **more)


def pair(x, y):
    return Tensors({"x": tensor((), x), "y": tensor((), y)})


@cache
def evidence_of(claim, context=CI):
    """Looked for once."""
    return constants(claim, context)


def bounds_of(claim, context=CI):
    evidence = evidence_of(claim, context)
    assert evidence.outcome is Outcome.SUPPORTS
    return {bound.place: bound for bound in evidence.bounds}, evidence


def one_bound(claim, start):
    """The bound whose place starts so."""
    (found,) = (b for place, b in bounds_of(claim)[0].items() if place.startswith(start))
    return found


# planted inequalities -----------------------------------------------------------------------------
@cache
def squared_sum(bound):
    """(x + y)^2 is at most twice the sum of the squares."""
    return planted(bound * (X**2 + Y**2) >= (X + Y) ** 2)


V, W = Vector("x", "n"), Vector("y", "n")
FROBENIUS_BY_RANK = planted(smaller(rows(M), cols(M)) * NORM >= FROBENIUS)
"""Equal at orthogonal rows."""
FROBENIUS_BY_SQUARE = planted(rows(M) ** 2 * NORM >= FROBENIUS)
"""One power of the number of rows more than is needed."""
SHARP = {
    "norms": FROBENIUS_BY_RANK,
    "a product": planted(X**2 + Y**2 >= 2 * X * Y),
    "a sum": squared_sum(2),
    "vectors": planted(dot(V, V) * dot(W, W) >= dot(V, W) ** 2),
}


@pytest.mark.parametrize("name", SHARP)
def test_sharp_inequalities_are_tight_at_an_exact_case(name):
    claim = SHARP[name]
    found = one_bound(claim, "factor")
    assert (found.printed, found.best, found.tight, found.proposal) == ("1", "1", True, "")
    judgement = judge_exactly(claim, tensors_from_json(found.case))
    assert judgement.touches == 1


def test_a_slack_constant_is_improved_to_the_sharp_one():
    claim = squared_sum(3)
    found = one_bound(claim, "number 3")
    assert (found.printed, found.best, found.tight) == ("3", "2", False)
    assert "with 2 in place of 3" in found.proposal
    assert one_bound(claim, "factor").best == "3/2"
    assert judge_exactly(squared_sum(2), tensors_from_json(found.case)).touches == 1


def test_a_best_constant_that_no_case_attains():
    """Of x^2 <= x^2 + 1 the factor 1 is the best one, and no x has slack 0."""
    found = one_bound(planted(X**2 + 1 >= X**2), "factor")
    assert (found.tight, found.proposal) == (False, "")
    best = float(found.best.removeprefix("about "))
    assert 1 <= best < 1.001


def test_an_irrational_best_constant_is_approached_from_the_safe_side():
    """Of x y <= x^2 + 2 y^2 it is 2 sqrt(2)."""
    found = one_bound(planted(X**2 + 2 * Y**2 >= X * Y), "factor")
    best = float(found.best.removeprefix("about "))
    assert not found.tight
    assert best == pytest.approx(8**0.5, rel=1e-4)
    proposed = Fraction(found.proposal.split("with ")[1].split(" in place")[0])
    assert 2.6 < proposed < 8**0.5


def test_sides_below_zero():
    """Of sides below 0 the smaller factor is the stronger one."""
    places, _ = bounds_of(planted(-(X**2) >= -2 * X**2))
    (place,) = (place for place in places if place.startswith("factor"))
    assert place.endswith("from below")
    assert places[place].best == "1/2"


@pytest.mark.parametrize(("claim", "slope"), [(FROBENIUS_BY_SQUARE, 1), (FROBENIUS_BY_RANK, 0)])
def test_an_exponent_that_is_too_large_shows_in_the_growth_of_the_factor(claim, slope):
    long = Context(replace(CI.budget, constant_steps=60, constant_width=16))
    _, evidence = bounds_of(claim, long)
    found = float(evidence.figures["exponent of the best factor in rows"])
    assert found == pytest.approx(slope, abs=0.1)


def two_columns(case, random):
    array = case.arrays["M"]
    rows, columns = array.shape
    kept = [array.entries[i * columns : i * columns + min(2, columns)] for i in range(rows)]
    return Tensors({"M": tensor(("rows", "columns"), kept)})


@pytest.mark.parametrize(("bound", "best", "tight"), [(2, "1", True), (3, "3/2", False)])
def test_a_bound_on_a_rank(bound, best, tight):
    """Of matrices with two columns at most."""
    claim = planted(rank(M) <= bound, pool=pool_with(M, adapt=two_columns))
    found = one_bound(claim, "factor")
    assert (found.best, found.tight, bool(found.proposal)) == (best, tight, not tight)


def test_networks():
    """n sum_j nu_j^2 >= (sum_j nu_j)^2, with equality where all values are equal."""
    total = Sum(examples(), lambda j: nu(j))
    says = card(examples()) * Sum(examples(), lambda j: nu(j) ** 2) >= total**2
    found = one_bound(planted(says), "factor")
    assert (found.best, found.tight) == ("1", True)
    assert "network" in found.case


def test_a_violation_is_admitted():
    evidence = constants(CONTROLS["control.inequality.false"][0], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


def test_it_is_for_inequalities():
    assert constants(CONTROLS["control.true"][0], CI) is None


def test_it_is_repeatable():
    claim = squared_sum(3)
    one, other = (replace(of(claim, CI), seconds=0.0) for of in (evidence_of, constants))
    assert one == other


def test_it_makes_no_verdict_by_itself():
    claim = squared_sum(3)
    evidence = evidence_of(claim)
    assert decide(claim, [evidence]).verdict is Verdict.NOT_RUN
    drawn = Evidence("pointwise", Outcome.SUPPORTS, "", figures={"drawn": 5}, instances=5)
    assert decide(claim, [evidence, drawn]) == decide(claim, [drawn])


# the parts ----------------------------------------------------------------------------------------
sizes_of_numbers = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=16)


@given(sizes_of_numbers, sizes_of_numbers)
def test_the_critical_value_of_a_case_is_exact(x, y):
    claim = squared_sum(3)
    (constant,) = (c for c in written(claim) if c.printed == 3)
    case = pair(x, y)
    found = exactly(constant, case, Fraction(1, 2))
    assert (found.value, found.exact, found.trivial) == ((x + y) ** 2 / (x**2 + y**2), True, False)
    (about,) = distances_in(Sample(claim, [case], "cpu"), constant, Fraction(1, 2)).score
    assert about == pytest.approx(float(3 - found.value))


def test_an_irrational_critical_value_is_approached_from_the_safe_side():
    """|M|_F^2 = 3 and |M|_2^2 = (3 + sqrt(5)) / 2."""
    case = Tensors({"M": tensor(("rows", "columns"), [[1, 1], [0, 1]])})
    found = exactly(factor(planted(FROBENIUS >= NORM)), case, Fraction(3))
    sharp = 6 / (3 + 5**0.5)
    assert not found.exact
    assert sharp * (1 - 1e-8) < found.value < sharp


def test_a_case_of_zeros_limits_no_constant():
    claim = squared_sum(2)
    for constant in [factor(claim), *written(claim)]:
        assert exactly(constant, pair(0, 0), 2 * constant.printed) is None
        assert exactly(constant, pair(0, 0), constant.printed / 2) is None


@given(st.fractions(min_value=Fraction(1, 2), max_value=1, max_denominator=12))
def test_the_critical_value_where_the_slack_is_not_affine(ratio):
    claim = planted(X**2 >= Y**2 / 4)
    (constant,) = (c for c in written(claim) if c.printed == 4)
    found = exactly(constant, pair(1, 2 * ratio), Fraction(1, 2))
    assert found.exact
    assert found.value == 4 * ratio**2


SLACKS = {
    "hump": lambda b: (2 * b - 22) * (26 - 2 * b),
    "plateau": lambda b: smaller(0, 26 - 2 * b),
}
"""Of b = 11: 0 there, and above 0 up to 13; 0 up to 13."""


@pytest.mark.parametrize("name", SLACKS)
@pytest.mark.parametrize("whole", [False, True])
def test_a_slack_that_does_not_fall_at_once_is_not_tight(name, whole):
    claim = planted(Let(num(11), SLACKS[name]) * X**2 >= 0)
    (constant,) = (c for c in written(claim) if c.printed == 11)
    constant = replace(constant, whole=whole)
    found = exactly(constant, Tensors({"x": tensor((), 1)}), Fraction(15))
    assert not found.exact
    assert abs(found.value - 13) < Fraction(1, 10**6)
    assert found.value <= 13


FAR_BELOW = planted(num(10) ** 30 >= FROBENIUS**2)


def ten_of(claim):
    (ten,) = (one for one in written(claim) if one.printed == 10)
    return ten


@settings(max_examples=8)
@given(st.integers(1, 10**6))
def test_numbers_on_the_way_to_a_critical_value_stay_short(entry):
    # the slack takes the 30th power of the constant, so no digits may add up from step to step
    claim = FAR_BELOW
    case = Tensors({"M": tensor(("rows", "columns"), [[entry]])})
    found = exactly(ten_of(claim), case, Fraction(1, 1000))
    assert found.value**30 >= entry**4
    assert found.value.denominator.bit_length() < 60


@given(st.fractions(min_value=-(10**20), max_value=10**20), st.integers(1, 10**30))
def test_a_shortened_number_is_near_the_number(number, divisor):
    number = number / divisor
    short = shortened(number)
    assert abs(short - number) * 10**12 <= abs(number)
    assert shortened(short) == short


def test_a_slack_that_is_too_long_is_not_worked_with():
    claim = planted((num(Fraction(10, 11)) ** 9_000) ** 10 * X <= 1)
    (base,) = (one for one in written(claim) if one.printed == Fraction(10, 11))
    with pytest.raises(TooLongError, match="bits"):
        exactly(base, Tensors({"x": tensor((), 1)}), Fraction(1001, 1000))


def test_a_slack_that_is_lost_on_the_way_is_not_worked_with():
    # 0 as printed, without a value for numbers between 1 and 3, below 0 behind them
    c = Number("c")
    says = sqrt((2 * c + 7) ** 2 - 1) <= 0
    claim = stated("mine.root", Source("mine", "", "Lemma 1"), "a root", "$0$", says)
    (seven,) = (one for one in written(claim) if one.printed == 7)
    case = Tensors({"c": tensor((), -3)})
    assert exactly(seven, case, Fraction(10)) is not None  # it falls at once
    case = Tensors({"c": tensor((), -4)})
    with pytest.raises(TooLongError, match="no slack"):
        exactly(seven, case, Fraction(10))


def test_a_slack_is_not_taken_for_another_one_that_is_lost():
    # the second coordinate has a value where the first has none, and never fails
    x, y = Vector("x", "n"), Vector("y", "n")
    says = Each(upto(dim(x)), lambda i: sqrt((2 * x[i] + 7) ** 2 - 1) <= y[i])
    claim = stated("mine.roots", Source("mine", "", "Lemma 2"), "roots", "$0$", says)
    (seven,) = (one for one in written(claim) if one.printed == 7)
    case = Tensors({"x": tensor(["n"], [-4, -3]), "y": tensor(["n"], [0, 100])})
    with pytest.raises(TooLongError, match="no slack"):
        exactly(seven, case, Fraction(10))


TWICE = planted(eigenvalues(M.T @ M)[1] <= 2 * FROBENIUS)


def test_a_constant_of_long_slacks_is_left_out_and_told(monkeypatch):
    assert "Left out" not in constants(TWICE, CI).summary
    monkeypatch.setattr(criticals, "BITS", 0)
    evidence = constants(TWICE, CI)
    assert (evidence.outcome, evidence.bounds) == (Outcome.SUPPORTS, ())
    assert evidence.figures["constants left out"] == 2
    assert "Left out: factor before the right side: a slack of" in evidence.summary


def test_a_number_that_counts_moves_in_whole_numbers():
    """An exponent."""
    bounds, evidence = bounds_of(planted((FROBENIUS + 1) ** 3 >= FROBENIUS**3))
    found = [bound for place, bound in bounds.items() if place.startswith("exponent 3")]
    assert {(bound.printed, bound.best) for bound in found} == {("3", "3")}
    assert "Left out" not in evidence.summary


def test_a_number_that_a_statement_cannot_be_written_with_is_told():
    """The size of a vector is a whole number."""
    claim = planted(frob2(vector(4, lambda i: X)) <= 5 * X**2)
    (size,) = (one for one in written(claim) if one.printed == 4)
    with pytest.raises(UnusableValueError, match="number 4, 1 cannot be"):
        exactly(size, Tensors({"x": tensor((), 1)}), Fraction(9, 2))


@given(st.integers(0, 2**32))
def test_moves_keep_shapes_and_hypotheses(seed):
    random = Random(seed)
    claim = find("lj22.weyl.a")
    for case in corners(claim, random, 8, 4):
        other = moved(claim, case, random)
        assert (other.lengths, other.arrays.keys()) == (case.lengths, case.arrays.keys())
        assert judge_exactly(claim, other).admitted == 1


@given(st.integers(0, 2**32))
def test_whole_numbers_stay_within_their_range(seed):
    random = Random(seed)
    claim = find("lj22.rho@B")
    case = corners(claim, random, 1, 1)[0]
    for _ in range(8):
        case = moved(claim, case, random)
        assert 2 <= case.whole("m") <= 4
        assert 1 <= case.whole("L") <= 20


def test_an_archive_keeps_the_best_case_of_each_shape():
    rows = [[1, 2], [3, 3], [1], [1, -2]]
    cases = [Tensors({"M": tensor(("n",), row)}) for row in rows]
    archive = Archive()
    archive.keep(cases, Scores(np.array([2.0, 1.0, np.inf, 1.0]), np.zeros(4, dtype=bool)))
    assert (archive.looked, archive.met, archive.least) == (4, 3, 1.0)
    assert archive.ranked() == [cases[3]]  # as good as the second, and smaller


# registered claims --------------------------------------------------------------------------------
def by_hand(**arrays):
    axes = {"U": ("c", "b"), "Y": ("b", "a"), "Z": ("c", "a"), "W": ("a", "n")}
    return Tensors({name: tensor(axes[name], rows) for name, rows in arrays.items()})


# |B| = 1 and |A|^2 = 2 with U^T U = Y Y^T; the layer before the block has W W^T = B^T B
BLOCK = by_hand(U=[[1]], Y=[[1, 0]], Z=[[0, 1]])
LAYER = by_hand(U=[[1]], Y=[[1, 0]], Z=[[0, 1]], W=[[1, 0], [0, 1]])
# B = 0, and A is not
ZERO = by_hand(U=[[1]], Y=[[0]], Z=[[0]])


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("lj22.lemma11@B", (BLOCK, ZERO)),
        ("lj22.thm2-84.block@A.fix", (LAYER,)),
    ],
)
def test_nothing_is_proposed_that_a_case_made_by_hand_contradicts(name, cases):
    claim = find(name)
    for place, bound in bounds_of(claim)[0].items():
        if not bound.proposal:
            continue
        value = Fraction(bound.proposal.split("with ")[1].split(" in place")[0])
        made = [factor(claim), *written(claim)]
        (constant,) = (c for c in made if place.startswith(c.place))
        for case in cases:
            assert not judge_exactly(constant.changed(value), case).violations


def test_a_rank_that_takes_two_neurons_is_not_lowered():
    """Of one example the rank is 2, in layers of 2 neurons or more."""
    found = one_bound(find("lj22.remark1.r2@A"), "number 2")
    assert (found.best, found.tight, found.proposal) == ("2", True, "")


def test_the_constants_of_the_repaired_lemma_11():
    found, _ = bounds_of(find("lj22.lemma11@B"))
    eighths = [bound for place, bound in found.items() if place.startswith("number 8")]
    assert [(b.best, b.tight) for b in eighths] == [("8", True)] * 2


def test_the_constants_of_a_statement_in_the_language():
    """The eighths of the repaired (84) for a block, of the norm and of the cost of the switch."""
    found, _ = bounds_of(find("lj22.thm2-84.block@A.fix"))
    eighths = [bound for place, bound in found.items() if place.startswith("number 8")]
    assert {(b.best, b.tight) for b in eighths} == {("8", True)}


def test_a_real_that_no_precision_tells_from_0_is_0():
    nothing = reals.log(Fraction(6)) - reals.log(Fraction(2)) - reals.log(Fraction(3))
    values = np.array([nothing, reals.log(Fraction(3)), Fraction(1, 2)], dtype=object)
    assert floats(values) == pytest.approx([0, np.log(3), 0.5])
    assert floats(values)[0] == 0.0


def test_sides_beyond_the_range_of_floats_say_nothing():
    """The difference of two infinite sides would be no number."""

    claim = planted(2 * X**2 >= X**2)
    cases = [Tensors({"x": tensor((), 10**200)})]
    with np.errstate(invalid="raise"):
        sample = Sample(claim, cases, "cpu")
        seen = slacks_of(claim, "cpu")(cases)
    assert len(sample.printed.values) == 1
    assert np.isinf(sample.printed.values).all()
    assert np.isinf(seen.score).all()
    assert not seen.below.any()


def test_cases_too_large_together_are_looked_at_by_themselves():
    """Exact cases share a scene; a value of the constant for which that is too large asks each."""
    claim = find("dkbhl20.lem13_53.d")
    sample = Sample(claim, corners(claim, Random(0), 12, 2), "cpu")
    batch = max(sample.batches, key=lambda one: len(one.scene.cases))
    assert len(batch.scene.cases) > 1

    def measure(scene):
        if len(scene.cases) > 1:
            raise TooManyPathsError("too many")
        return claim.measure(scene)

    together, alone = batch.slacks(claim.measure), batch.slacks(measure)
    assert alone.values.tolist() == together.values.tolist()
    assert alone.sides.tolist() == together.sides.tolist()
    assert alone.left.tolist() == together.left.tolist()
