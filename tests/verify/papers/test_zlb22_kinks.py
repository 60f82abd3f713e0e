"""Networks with kinks along a segment: pieces, jumps, and Taylor's theorem without smoothness."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.univariate import univariate, value
from tests.verify.arrays import worth_in
from tests.verify.dag_cases import chain, dag
from tests.verify.without import without
from verify.cases.tensors import tensor
from verify.kinds.dags.pool import edges_of
from verify.papers.registry import find
from verify.papers.zlb22.kinks import ALL_PIECES, CUTS, NO_JUMPS, TWICE, kinks_of
from verify.papers.zlb22.taylor_remainder import WITH_COMMON_POINT
from verify.search.certificates import answer, necessity_certificate
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

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


def pieces_of(case):
    """Where each piece begins and ends, and on each piece the polynomial of each vertex."""
    cuts, pieces = worth_in(CUTS, case), worth_in(ALL_PIECES, case)
    found = [[univariate(map(as_fraction, p[1:])) for p in piece] for piece in pieces]
    return [as_fraction(t) for t in cuts], found


def test_pieces_by_hand():
    cuts, pieces = pieces_of(size_of(0))  # |2t - 1|
    assert cuts == [ZERO, HALF, ONE]
    assert [piece[2] for piece in pieces] == [univariate([1, -2]), univariate([-1, 2])]
    _, pieces = pieces_of(size_of(1))  # (2t - 1)|2t - 1|
    assert [piece[2] for piece in pieces] == [univariate([-1, 4, -4]), univariate([1, -4, 4])]


def test_where_no_sign_changes_there_is_one_piece():
    for weight, move in ((1, 1), (0, 1), (1, -1), (0, 0)):
        cuts, pieces = pieces_of(size_of(0, weight, move))
        assert cuts == [ZERO, ONE]
        assert len(pieces) == 1


@pytest.mark.parametrize(("term", "smooth"), [(0, False), (1, False), (2, True)])
def test_jumps_by_hand(term, smooth):
    """phi' of |2t - 1| goes from -2 to 2; phi'' of (2t - 1)|2t - 1| from -8 to 8."""
    assert true_of(NO_JUMPS)(size_of(term)) == smooth
    assert true_of(TWICE.holds)(size_of(term)) == smooth


def test_taylor_fails_for_the_absolute_value_alone():
    """|2t - 1|: phi(1) - phi(0) - phi'(0) = 1 - 1 + 2, and phi'' = 0. Of (2t - 1)|2t - 1| it is
    1 + 1 - 4 = -2, where phi''/2 is -4 or 4. Of the third one, with (2t - 1)^3 and its opposite, it
    is 1 - 1 + 6 = 6, and phi''/2 runs through 12 |2t - 1|."""
    holds = true_of(WITH_COMMON_POINT)
    assert not holds(size_of(0))
    assert not holds(size_of(1))
    assert holds(size_of(2))
    assert holds(size_of(0, weight=1, move=1))  # no sign changes: a line


def test_nothing_is_said_where_there_is_no_gradient_at_the_start():
    """|w + t| + |2t - 1| has a slope at t = 0 where w is not 0."""
    for weight, holds in ((0, True), (1, False)):
        edges = {(1, 0): weight, (2, 0): -1, (3, 1): 1, (3, 2): 1}
        case = dag(edges, {1: (0, 0), 2: (0, 0)}, [1, 0, 0, 0], moves={(1, 0): 1, (2, 0): 2})
        assert true_of(WITH_COMMON_POINT)(bent(case, {1: [1], 2: [1]})) == holds


def test_pieces_are_values_of_the_network():
    """Against the network itself at points of the segment."""
    random, looked_at = Random(3), 0
    pool = find("zlb22.eq9").pool
    for _ in range(40):
        case = pool.draw(random)
        if case.lengths["k"] > 3 or not any(map(any, kinks_of(case))):
            continue
        looked_at += 1
        cuts, pieces = pieces_of(case)
        for k in range(9):
            t = Fraction(k, 8)
            (piece, *_) = [p for p, end in zip(pieces, cuts[1:], strict=True) if t <= end]
            assert [value(p, t) for p in piece] == _forward(case, t)
    assert looked_at > 3


def _forward(case, t):
    count, width = case.lengths["n"], case.lengths["k"]
    weights, moves, rows = (case.arrays[name].entries for name in "WVA")
    found = []
    for v, kinks in enumerate(kinks_of(case)):
        parents = [u for u in range(v) if (v, u) in edges_of(case)]
        line = {u: weights[v * count + u] + t * moves[v * count + u] for u in parents}
        z = sum((line[u] * found[u] for u in parents), ZERO)
        total = sum((c * z**j for j, c in enumerate(rows[v * width : (v + 1) * width])), ZERO)
        total += sum((c * z**j * abs(z) for j, c in enumerate(kinks)), ZERO)
        found.append(total if parents else case.arrays["X"].entries[v])
    return found


def test_breaking_smoothness_is_seen_and_mended():
    random = Random(5)
    claim = find("zlb22.eq9.smooth")
    (twice,) = [given for given in claim.hypotheses if given.name == TWICE.name]
    weaker, seen = without(claim, twice), 0
    for _ in range(30):
        mended = twice.repair(claim.pool.draw(random), random)
        broken = twice.break_(mended, random)
        assert twice.test.asks_case(mended)
        seen += not twice.test.asks_case(broken) and bool(judge_exactly(weaker, broken).violations)
    assert seen > 10


@pytest.mark.parametrize("name", ["eq9", "eq9.smooth"])
def test_the_checker_finds_the_same_where_smoothness_is_dropped(name):
    claim = find(f"zlb22.{name}")
    (twice,) = [given for given in claim.hypotheses if given.name == TWICE.name]
    weaker = without(claim, twice)
    for case in (size_of(0), size_of(1)):
        (violation,) = judge_exactly(weaker, case).violations
        told = necessity_certificate(claim, TWICE.name, violation)
        assert answer(told)["exit"] == 0, answer(told)
        smooth = replace(violation, case=size_of(2))
        assert answer(necessity_certificate(claim, TWICE.name, smooth))["exit"] == 1
