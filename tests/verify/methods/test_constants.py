"""How far constants go: planted inequalities with known best constants, and registered ones."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import reals
from tests.verify.norms import MATRIX, above, measured
from verify.cases.scenes import constant_entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors, tensor, tensors_from_json
from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Evidence, Outcome
from verify.core.verdict import Verdict, decide
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Number,
    Sum,
    Vector,
    card,
    dim,
    examples,
    nu,
    sqrt,
    upto,
)
from verify.methods.constants import constants
from verify.methods.context import Context
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.constants import criticals
from verify.search.constants.constant import UnusableValueError, factor, written
from verify.search.constants.criticals import TooLongError, distances_in, exactly, shortened
from verify.search.constants.downhill import Archive
from verify.search.constants.moves import corners, moved
from verify.search.constants.sight import Sample, Sight, floats, slacks_of
from verify.search.judging import judge_exactly
from verify.statements.stated import stated

CI = Context(replace(budget_named("ci"), longest=inf))  # however busy the machine is
PAIR = TensorPool((("x", ("one",)), ("y", ("one",))), largest=2)


def planted(measure, pool=MATRIX, **more):
    return measured(measure, pool, **more)


def bounds_of(claim, context=CI):
    evidence = constants(claim, context)
    assert evidence.outcome is Outcome.SUPPORTS
    return {bound.place: bound for bound in evidence.bounds}, evidence


def one_bound(claim, start):
    """The bound whose place starts so."""
    (found,) = (b for place, b in bounds_of(claim)[0].items() if place.startswith(start))
    return found


# planted inequalities -----------------------------------------------------------------------------
def norms(scene):
    return scene.frobenius_squared(scene["M"]), scene.norm_squared(scene["M"])


def shorter(scene):
    return min(scene.lengths["rows"], scene.lengths["columns"])


def frobenius_by_rank(scene):
    """min(rows, columns) |M|_2^2 - |M|_F^2: 0 at orthogonal rows."""
    frobenius, norm = norms(scene)
    return scene.compare(scene.share(norm, shorter(scene)), frobenius)


def squares_and_product(scene):
    """x^2 + y^2 - 2 x y: 0 at x = y."""
    x, y = scene["x"][:, 0], scene["y"][:, 0]
    return scene.compare(x * x + y * y, scene.share(x * y, 2))


def squared_sum(scene, bound):
    """bound (x^2 + y^2) - (x + y)^2."""
    x, y = scene["x"][:, 0], scene["y"][:, 0]
    return scene.compare(scene.share(x * x + y * y, bound), (x + y) * (x + y))


def cauchy_schwarz(scene):
    """|x|^2 |y|^2 - (x . y)^2 for vectors."""
    x, y = scene["x"], scene["y"]
    dot = (x * y).sum(1)
    return scene.compare((x * x).sum(1) * (y * y).sum(1), dot * dot)


def unattained(scene):
    """x^2 + 1 - x^2: the factor 1 is the best one, and no x has slack 0."""
    square = scene["x"][:, 0] * scene["x"][:, 0]
    return scene.compare(square + scene.constant(1), square)


def irrational(scene):
    """x^2 + 2 y^2 - x y: the best factor is 2 sqrt(2)."""
    x, y = scene["x"][:, 0], scene["y"][:, 0]
    return scene.compare(x * x + scene.share(y * y, 2), x * y)


def negative_sides(scene):
    """-x^2 + 2 x^2: of sides below 0 the smaller factor is the stronger one."""
    square = scene["x"][:, 0] * scene["x"][:, 0]
    return scene.compare(-square, -scene.share(square, 2))


@pytest.mark.parametrize(
    ("measure", "pool"),
    [
        (frobenius_by_rank, MATRIX),
        (squares_and_product, PAIR),
        (partial(squared_sum, bound=2), PAIR),
        (cauchy_schwarz, TensorPool((("x", ("n",)), ("y", ("n",))))),
    ],
)
def test_sharp_inequalities_are_tight_at_an_exact_case(measure, pool):
    claim = planted(measure, pool)
    found = one_bound(claim, "factor")
    assert (found.printed, found.best, found.tight, found.proposal) == ("1", "1", True, "")
    judgement = judge_exactly(claim, tensors_from_json(found.case))
    assert judgement.touches == 1


def test_a_slack_constant_is_improved_to_the_sharp_one():
    claim = planted(partial(squared_sum, bound=3), PAIR)
    found = one_bound(claim, "bound=3")
    assert (found.printed, found.best, found.tight) == ("3", "2", False)
    assert "with 2 in place of 3" in found.proposal
    assert one_bound(claim, "factor").best == "3/2"
    mended = planted(partial(squared_sum, bound=2), PAIR)
    assert judge_exactly(mended, tensors_from_json(found.case)).touches == 1


def test_a_best_constant_that_no_case_attains():
    found = one_bound(planted(unattained, PAIR), "factor")
    assert (found.tight, found.proposal) == (False, "")
    best = float(found.best.removeprefix("about "))
    assert 1 <= best < 1.001


def test_an_irrational_best_constant_is_approached_from_the_safe_side():
    found = one_bound(planted(irrational, PAIR), "factor")
    best = float(found.best.removeprefix("about "))
    assert not found.tight
    assert best == pytest.approx(8**0.5, rel=1e-4)
    proposed = Fraction(found.proposal.split("with ")[1].split(" in place")[0])
    assert 2.6 < proposed < 8**0.5


def test_sides_below_zero():
    places, _ = bounds_of(planted(negative_sides, PAIR))
    (place,) = (place for place in places if place.startswith("factor"))
    assert place.endswith("from below")
    assert places[place].best == "1/2"


def frobenius_by_square(scene):
    """rows^2 |M|_2^2 - |M|_F^2, one power of rows more than is needed."""
    frobenius, norm = norms(scene)
    return scene.compare(scene.share(norm, scene.lengths["rows"] ** 2), frobenius)


@pytest.mark.parametrize(("measure", "slope"), [(frobenius_by_square, 1), (frobenius_by_rank, 0)])
def test_an_exponent_that_is_too_large_shows_in_the_growth_of_the_factor(measure, slope):
    long = Context(replace(CI.budget, constant_steps=60, constant_width=16))
    _, evidence = bounds_of(planted(measure), long)
    found = float(evidence.figures["exponent of the best factor in rows"])
    assert found == pytest.approx(slope, abs=0.1)


def rank_slack(scene, bound):
    """bound - rank(M), of matrices with two columns at most."""
    ranks = [Fraction(value) for value in map(int, scene.rank("M"))]
    rows = [(k, {}, bound - value) for k, value in enumerate(ranks)]
    return constant_entries(scene, rows)


def two_columns(case, random):
    array = case.arrays["M"]
    rows, columns = array.shape
    kept = [array.entries[i * columns : i * columns + min(2, columns)] for i in range(rows)]
    return Tensors({"M": tensor(("rows", "columns"), kept)})


@pytest.mark.parametrize(("bound", "tight"), [(2, True), (3, False)])
def test_a_measure_without_sides(bound, tight):
    pool = TensorPool((("M", ("rows", "columns")),), adapt=two_columns)
    claim = planted(partial(rank_slack, bound=bound), pool, exact_only=True)
    found = one_bound(claim, f"bound={bound}")
    assert (found.best, found.tight, bool(found.proposal)) == ("2", tight, not tight)


def test_networks():
    """n sum_j nu_j^2 >= (sum_j nu_j)^2, with equality where all values are equal."""
    total = Sum(examples(), lambda j: nu(j))
    says = card(examples()) * Sum(examples(), lambda j: nu(j) ** 2) >= total**2
    claim = stated("planted", Source("planted", "-", "-"), "-", "-", says)
    found = one_bound(claim, "factor")
    assert (found.best, found.tight) == ("1", True)
    assert "network" in found.case


def test_a_violation_is_admitted():
    evidence = constants(CONTROLS["control.inequality.false"][0], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


def test_it_is_for_inequalities():
    assert constants(CONTROLS["control.true"][0], CI) is None


def test_it_is_repeatable():
    claim = planted(partial(squared_sum, bound=3), PAIR)
    one, other = (replace(constants(claim, CI), seconds=0.0) for _ in range(2))
    assert one == other


def test_it_makes_no_verdict_by_itself():
    claim = planted(partial(squared_sum, bound=3), PAIR)
    evidence = constants(claim, CI)
    assert decide(claim, [evidence]).verdict is Verdict.NOT_RUN
    drawn = Evidence("pointwise", Outcome.SUPPORTS, "", figures={"drawn": 5}, instances=5)
    assert decide(claim, [evidence, drawn]) == decide(claim, [drawn])


# the parts ----------------------------------------------------------------------------------------
sizes_of_numbers = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=16)


@given(sizes_of_numbers, sizes_of_numbers)
def test_the_critical_value_of_a_case_is_exact(x, y):
    claim = planted(partial(squared_sum, bound=3), PAIR)
    (constant,) = (c for c in written(claim) if c.place.startswith("bound"))
    case = Tensors({"x": tensor(("one",), [x]), "y": tensor(("one",), [y])})
    found = exactly(constant, case, Fraction(1, 2))
    assert (found.value, found.exact, found.trivial) == ((x + y) ** 2 / (x**2 + y**2), True, False)
    (about,) = distances_in(Sample(claim, [case], "cpu"), constant, Fraction(1, 2)).score
    assert about == pytest.approx(float(3 - found.value))


def test_an_irrational_critical_value_is_approached_from_the_safe_side():
    """|M|_F^2 = 3 and |M|_2^2 = (3 + sqrt(5)) / 2."""
    case = Tensors({"M": tensor(("rows", "columns"), [[1, 1], [0, 1]])})
    found = exactly(factor(measured(above)), case, Fraction(3))
    sharp = 6 / (3 + 5**0.5)
    assert not found.exact
    assert sharp * (1 - 1e-8) < found.value < sharp


def test_a_case_of_zeros_limits_no_constant():
    claim = planted(partial(squared_sum, bound=2), PAIR)
    zeros = Tensors({name: tensor(("one",), [0]) for name in "xy"})
    for constant in [factor(claim), *written(claim)]:
        assert exactly(constant, zeros, 2 * constant.printed) is None
        assert exactly(constant, zeros, constant.printed / 2) is None


def reciprocal(scene, bound):
    """x^2 - y^2 / bound: not affine in the bound."""
    x, y = scene["x"][:, 0], scene["y"][:, 0]
    return scene.compare(x * x, scene.share(y * y, Fraction(1, bound)))


@given(st.fractions(min_value=Fraction(1, 2), max_value=1, max_denominator=12))
def test_the_critical_value_where_the_slack_is_not_affine(ratio):
    claim = planted(partial(reciprocal, bound=4), PAIR)
    (constant,) = (c for c in written(claim) if c.place.startswith("bound"))
    case = Tensors({"x": tensor(("one",), [1]), "y": tensor(("one",), [2 * ratio])})
    found = exactly(constant, case, Fraction(1, 2))
    assert found.exact
    assert found.value == 4 * ratio**2


def hump(scene, bound):
    """(bound - 1) (3 - bound) x^2: 0 at 1, above 0 up to 3."""
    return scene.share(scene["x"][:, 0] * scene["x"][:, 0], (bound - 1) * (3 - bound))


def plateau(scene, bound):
    """min(0, 3 - bound) x^2: 0 up to 3."""
    return scene.share(scene["x"][:, 0] * scene["x"][:, 0], min(Fraction(0), 3 - bound))


@pytest.mark.parametrize("slack", [hump, plateau])
@pytest.mark.parametrize("whole", [False, True])
def test_a_slack_that_does_not_fall_at_once_is_not_tight(slack, whole):
    def measure(scene, bound):
        return constant_entries(scene, [(0, {}, slack(scene, bound)[0])])

    claim = planted(partial(measure, bound=Fraction(1)), PAIR)
    (constant,) = (c for c in written(claim) if c.place.startswith("bound"))
    constant = replace(constant, whole=whole)
    case = Tensors({name: tensor(("one",), [1]) for name in "xy"})
    found = exactly(constant, case, Fraction(5))
    assert not found.exact
    assert abs(found.value - 3) < Fraction(1, 10**6)
    assert found.value <= 3


def far_below(scene):
    """10^30 - (the sum of squares)^2."""
    squares = scene.frobenius_squared(scene["M"])
    return scene.compare(scene.constant(10**30), squares * squares)


def ten_of(claim):
    (ten,) = (one for one in written(claim) if one.printed == 10)
    return ten


@settings(max_examples=8)
@given(st.integers(1, 10**6))
def test_numbers_on_the_way_to_a_critical_value_stay_short(entry):
    # the slack takes the 30th power of the constant, so no digits may add up from step to step
    claim = planted(far_below)
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
    claim = planted(nearly_one)
    (base,) = (one for one in written(claim) if one.printed == Fraction(10, 11))
    case = Tensors({"M": tensor(("rows", "columns"), [[1]])})
    with pytest.raises(TooLongError, match="bits"):
        exactly(base, case, Fraction(1001, 1000))


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


def nearly_one(scene):
    """1 - (10/11)^90000."""
    return scene.compare(scene.constant(1), scene.constant(Fraction(10, 11) ** 90_000))


def twice(scene):
    """2 |M|_F^2 >= |M|^2."""
    larger, smaller = norms(scene)
    return scene.compare(scene.share(larger, 2), smaller)


def test_a_constant_of_long_slacks_is_left_out_and_told(monkeypatch):
    assert "Left out" not in constants(planted(twice), CI).summary
    monkeypatch.setattr(criticals, "BITS", 0)
    evidence = constants(planted(twice), CI)
    assert (evidence.outcome, evidence.bounds) == (Outcome.SUPPORTS, ())
    assert evidence.figures["constants left out"] == 2
    assert "Left out: factor before the right side: a slack of" in evidence.summary


def power(values, exponent):
    result = values
    for _ in range(exponent - 1):
        result = result * values
    return result


def by_loops(scene):
    """(sum of squares + 1)^3 >= (sum of squares)^3."""
    squares = scene.frobenius_squared(scene["M"])
    return scene.compare(power(squares + scene.constant(1), 3), power(squares, 3))


def test_a_number_that_counts_moves_in_whole_numbers():
    bounds, evidence = bounds_of(planted(by_loops))
    found = [bound for place, bound in bounds.items() if place.startswith("3 in by_loops")]
    assert {(bound.printed, bound.best) for bound in found} == {("3", "3")}
    assert "Left out" not in evidence.summary


def only_three(number):
    if number not in (3, 6):
        raise TypeError("three or six of them")
    return number


def by_threes(scene):
    """6 |M|_F^2 >= 3 |M|_F^2, of a number that must be 3 or 6."""
    squares = scene.frobenius_squared(scene["M"])
    return scene.compare(scene.share(squares, 6), scene.share(squares, only_three(3)))


def test_a_measure_that_breaks_with_another_number_is_no_error_of_the_claim():
    (three,) = (one for one in written(planted(by_threes)) if one.place.startswith("3 in by_t"))
    case = Tensors({"M": tensor(("rows", "columns"), [[1]])})
    with pytest.raises(UnusableValueError, match="cannot be 4: three or six of them"):
        exactly(three, case, Fraction(4))
    _, evidence = bounds_of(planted(by_threes))
    assert evidence.figures["constants"] > 1


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
    archive.keep(cases, Sight(np.array([2.0, 1.0, np.inf, 1.0]), np.zeros(4, dtype=bool)))
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

    def measure(scene):
        huge = scene.constant(10**400)
        return scene.compare(huge * 2, huge)

    claim = Claim(
        "huge",
        Kind.INEQUALITY,
        Source("j23", "final", ""),
        "",
        "",
        measure=measure,
        pool=pool(),
        exact_only=True,
        floats=True,
    )
    cases = [claim.pool.draw(Random(1))]
    with np.errstate(invalid="raise"):
        sample = Sample(claim, cases, "cpu")
        seen = slacks_of(claim, "cpu")(cases)
    assert len(sample.printed.values) == 1
    assert np.isinf(sample.printed.values).all()
    assert np.isinf(seen.score).all()
    assert not seen.below.any()
