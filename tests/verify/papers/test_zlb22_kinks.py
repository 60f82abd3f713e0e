"""Networks with kinks along a segment: pieces, jumps, and Taylor's theorem without smoothness."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.rationals import RATIONALS
from graphs.univariate import univariate, value
from tests.verify.dag_cases import chain, dag
from verify.cases.tensors import tensor
from verify.kinds.dags.scene import DagScene
from verify.papers.registry import find
from verify.papers.zlb22.kinks import (
    TWICE,
    jumps,
    jumps_of_derivatives,
    kinks_of,
    outputs_in_pieces,
    pieces_along,
    roots_inside,
)
from verify.papers.zlb22.segments import along_segment, moved_to
from verify.papers.zlb22.taylor_remainder import without_common_point
from verify.search.certificates import answer, necessity_certificate
from verify.search.judging import judge_exactly
from verify.search.weakened import without

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def bent(case, kinks):
    """kinks: rows of K by vertex."""
    width = max(map(len, kinks.values()))
    rows = [list(kinks.get(v, ())) for v in range(case.lengths["n"])]
    return case.changing(K=tensor(("n", "b"), [r + [0] * (width - len(r)) for r in rows]))


def size_of(term, weight=-1, move=2):
    """x -> h -> o with h = z^term |z| and z = weight + t move."""
    case = chain([weight, 1], {1: (0, 0)}, moves={(1, 0): move})
    return bent(case, {1: [0] * term + [1]})


def missing(case):
    return list(without_common_point(DagScene([case], RATIONALS)).values)


def test_pieces_by_hand():
    (pieces,) = outputs_in_pieces(size_of(0)).values()  # |2t - 1|
    assert pieces == [(ZERO, univariate([1, -2])), (HALF, univariate([-1, 2]))]
    (pieces,) = outputs_in_pieces(size_of(1)).values()  # (2t - 1)|2t - 1|
    assert pieces == [(ZERO, univariate([-1, 4, -4])), (HALF, univariate([1, -4, 4]))]


@pytest.mark.parametrize(("term", "squares"), [(0, 4**2), (1, 16**2), (2, 0)])
def test_jumps_by_hand(term, squares):
    """phi' of |2t - 1| goes from -2 to 2; phi'' of (2t - 1)|2t - 1| from -8 to 8."""
    (pieces,) = outputs_in_pieces(size_of(term)).values()
    assert jumps(pieces) == squares
    entries = jumps_of_derivatives(DagScene([size_of(term)], RATIONALS))
    assert list(entries.values) == [squares]
    assert entries.label(0) == {"neuron": 2}


def test_taylor_fails_for_the_absolute_value_alone():
    """|2t - 1|: phi(1) - phi(0) - phi'(0) = 1 - 1 + 2, and phi'' = 0. Of (2t - 1)|2t - 1| it is
    1 + 1 - 4 = -2, where phi''/2 is -4 or 4. Of the third one, with (2t - 1)^3 and its opposite, it
    is 1 - 1 + 6 = 6, and phi''/2 runs through 12 |2t - 1|."""
    assert missing(size_of(0)) == [1]
    assert missing(size_of(1)) == [1]
    assert missing(size_of(2)) == [0]
    assert missing(size_of(0, weight=1, move=1)) == [0]  # no sign changes: a line


def test_without_terms_it_is_the_polynomial_of_before():
    random = Random(1)
    pool = find("zlb22.cor3.7.bound").pool
    for _ in range(20):
        case = pool.draw(random)
        plain = along_segment(case)
        assert [[(ZERO, p)] for p in plain] == pieces_along(case)


def test_pieces_are_values_of_the_network():
    """Against the network itself at points of the segment."""
    random, looked_at = Random(3), 0
    pool = find("zlb22.eq9").pool
    for _ in range(60):
        case = pool.draw(random)
        found = pieces_along(case)
        if found is None or not any(map(any, kinks_of(case))):
            continue
        looked_at += 1
        for k in range(9):
            t = Fraction(k, 8)
            assert [_at(pieces, t) for pieces in found] == _forward(moved_to(case, t))
    assert looked_at > 5


def _at(pieces, t):
    return value([p for start, p in pieces if start <= t][-1], t)


def _forward(case):
    count, width = case.lengths["n"], case.lengths["k"]
    edges, weights, rows = (case.arrays[name].entries for name in "EWA")
    kinks = kinks_of(case)
    found = []
    for v in range(count):
        parents = [u for u in range(v) if edges[v * count + u] == 1]
        z = sum((weights[v * count + u] * found[u] for u in parents), ZERO)
        total = sum((c * z**j for j, c in enumerate(rows[v * width : (v + 1) * width])), ZERO)
        total += sum((c * z**j * abs(z) for j, c in enumerate(kinks[v])), ZERO)
        found.append(total if parents else case.arrays["X"].entries[v])
    return found


def test_roots():
    assert roots_inside(univariate([-1, 2]), ZERO, ONE) == [HALF]
    assert roots_inside(univariate([2, -9, 9]), ZERO, ONE) == [Fraction(1, 3), Fraction(2, 3)]
    assert roots_inside(univariate([-1, 0, 2]), ZERO, ONE) is None  # 1/sqrt(2)
    assert roots_inside(univariate([-1, 0, 0, 8]), ZERO, ONE) is None  # degree 3
    assert roots_inside(univariate([1, 0, 0, 8]), ZERO, ONE) == []
    assert roots_inside((), ZERO, ONE) == []


def test_nothing_is_said_without_a_gradient_or_a_rational_cut():
    assert outputs_in_pieces(size_of(0, weight=0, move=1)) is None
    assert missing(size_of(0, weight=0, move=1)) == []
    deep = dag(
        {(1, 0): 1, (2, 1): 1, (3, 2): 1},
        {1: (-HALF, 0, 1), 2: (0, 0)},
        [1, 0, 0, 0],
        moves={(1, 0): -1},
    )
    assert outputs_in_pieces(bent(deep, {2: [1]})) is None  # (1 - t)^2 = 1/2


def test_breaking_smoothness_is_seen_and_mended():
    random = Random(5)
    pool = find("zlb22.eq9.smooth").pool
    seen = 0
    for _ in range(30):
        case = pool.draw(random)
        mended = TWICE.repair(case, random)
        broken = TWICE.break_(mended, random)
        asks = TWICE.test.asks_case
        assert asks(mended)
        assert not asks(broken)
        seen += bool(judge_exactly(without(find("zlb22.eq9.smooth"), TWICE), broken).violations)
    assert seen > 10


@pytest.mark.parametrize("name", ["eq9", "eq9.smooth"])
def test_the_checker_finds_the_same_where_smoothness_is_dropped(name):
    claim = find(f"zlb22.{name}")
    weaker, random, accepted = without(claim, TWICE), Random(11), 0
    drawn = [TWICE.break_(claim.pool.draw(random), random) for _ in range(40)]
    for case in [size_of(0), size_of(1), *drawn]:
        for violation in judge_exactly(weaker, case).violations:
            told = necessity_certificate(claim, TWICE.name, violation)
            assert answer(told)["exit"] == 0, answer(told)
            wrong = told | {"value": str(violation.value + 1)}
            assert answer(wrong)["exit"] == 1
            accepted += 1
    assert accepted > 5


def test_a_smooth_case_shows_no_need():
    claim = find("zlb22.eq9.smooth")
    (violation,) = judge_exactly(without(claim, TWICE), size_of(0)).violations
    smooth = replace(violation, case=size_of(2))
    reply = answer(necessity_certificate(claim, TWICE.name, smooth))
    assert reply["exit"] == 1
