"""Paths, parameters, neurons and positions, against counting by hand."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.convolutions import convolution
from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.paths import count_paths
from tests.verify.arrays import entries_of, integers, value_of, violated
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.search import search
from verify.papers.lj22.counting import (
    CLAIMS,
    L,
    M,
    P,
    S,
    edges,
    is_layer,
    neurons,
    number_of_paths,
    parameters,
)
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
CI = looking("ci")
VERDICTS = {
    "lj22.rho@B": Outcome.SUPPORTS,
    "lj22.def11": Outcome.SUPPORTS,
    "lj22.conv-count.a": Outcome.REFUTES,
    "lj22.conv-count.b": Outcome.SUPPORTS,
    "lj22.alexnet": Outcome.REFUTES,
    "lj22.alexnet.fix": Outcome.SUPPORTS,
}


def layer(**values):
    """One dimension, one channel, unless told otherwise; nothing changed."""
    usual = {"d": 1, "n": 5, "k": 3, "a": 1, "c": 1, "s": 1, "p": 0}
    found = {**usual, **values}
    return integers(**{"t": found["s"], "q": found["p"], **found})


@given(st.integers(1, 4), st.integers(1, 8))
def test_the_number_of_paths_is_a_power_of_the_width(m, layers):
    case = integers(m=m, L=layers)
    assert worth(number_of_paths(M, L), case) == m**layers
    found = [value for _, value in entries_of(find("lj22.rho@B"), case)]
    assert found == ([] if m == 1 else [m ** (layers + 1) - 2 * m**layers])


@given(st.integers(1, 3), st.integers(1, 4))
def test_it_is_the_number_of_paths_of_the_graph(m, layers):
    counted = count_paths(fully_connected([m] * layers + [1])).total
    assert worth(number_of_paths(M, L), integers(m=m, L=layers)) == counted


def test_tripling_is_refuted_at_width_2():
    tripled = Statement("tripled", number_of_paths(M, L + 1) >= 3 * number_of_paths(M, L))
    mutant = replace(find("lj22.rho@B"), measure=tripled.measure, terms=tripled, proof=None)
    assert violated(mutant, integers(m=2, L=1))
    assert not violated(mutant, integers(m=3, L=1))


def counts(case):
    """Neurons, edges, parameters; None where there is no such layer."""
    if not worth(is_layer(S, P), case):
        return None
    return tuple(worth(count(S, P), case) for count in (neurons, edges, parameters))


def test_convolutions_by_hand():
    # a filter of 3 on 5 places stands at 3, with 9 edges; on a square at 9, with 81
    assert counts(layer()) == (3, 9, 3)
    assert counts(layer(d=2)) == (9, 81, 9)
    assert counts(layer(c=2, a=3, s=2)) == (4, 36, 18)
    # with padding 1 at 5, two of them with one place on the padding
    assert counts(layer(p=1)) == (5, 13, 3)
    assert counts(layer(n=1)) is None  # the filter does not fit
    assert counts(layer(n=1, k=1, p=1)) is None  # an output sees the padding alone


@pytest.mark.parametrize("seed", range(60))
def test_they_are_the_counts_of_the_graph(seed):
    case = find("lj22.def11").pool.draw(Random(seed))
    d, n, k, a, c, s, p = (case.whole(name) for name in "dnkacsp")
    try:
        net = convolution((n,) * d, (a, c), k, s, p)
    except NetworkError:
        assert counts(case) is None
    else:
        assert counts(case) == (len(net.outputs), net.edge_count, net.parameter_count)


def test_what_lies_on_the_padding_everywhere_has_no_parameter():
    case = layer(n=1, k=3, p=1)
    tensor, same = find("lj22.def11"), find("lj22.conv-count.b")
    assert value_of(replace(tensor, hypotheses=()), case, at=[]) == 1 - 3
    assert entries_of(tensor, case) == []
    assert value_of(tensor, layer(n=3, k=3, p=1), at=[]) == 0
    changed = layer(n=1, k=3, p=1, t=1, q=2)
    assert value_of(replace(same, hypotheses=()), changed, at=[]) == 1 - 3
    assert entries_of(same, changed) == []


def test_neurons_and_edges_against_parameters():
    claim = find("lj22.conv-count.a")
    assert value_of(claim, layer(), at=[0]) == -1  # 3 against 3: not more
    assert value_of(claim, layer(), at=[1]) == 9 - 3
    assert entries_of(claim, layer(n=3)) == []  # one position: nothing is shared
    wide = layer(n=4, a=3)  # 2 neurons and 18 edges against 9 parameters
    assert value_of(claim, wide, at=[0]) == 2 - 9
    assert value_of(claim, wide, at=[1]) == 18 - 9


def test_a_change_of_the_stride():
    claim = find("lj22.conv-count.c@B")
    assert value_of(claim, layer(t=2), at=[]) == 1  # 3 and 2 positions: a witness
    assert value_of(claim, layer(t=3, s=4), at=[]) == 0  # 1 and 1
    assert entries_of(claim, layer()) == []


def test_alexnet_by_hand():
    # 217/4 against 54 along each side
    claim = find("lj22.alexnet")
    case = integers(n=224, k=11, s=4, c=96)
    difference = Fraction(217, 4) ** 2 - 54**2
    assert value_of(claim, case, at=[0]) == difference == Fraction(433, 16)
    assert value_of(claim, case, at=[1]) == 96 * difference
    assert entries_of(claim, integers(n=225, k=11, s=4, c=96)) == []


def test_an_integer_stays_one():
    claim = find("lj22.alexnet")
    case = integers(n=224, k=11, s=4, c=96)
    good = claim.terms.certificate("counterexample", case, [0])
    assert check(good).code == 0
    good["case"]["arrays"]["c"]["entries"] = "193/2"
    assert check(good).code == 1


@pytest.mark.parametrize(
    ("name", "case", "at"),
    [
        ("lj22.rho@B", integers(m=1, L=1), []),
        ("lj22.alexnet", integers(n=223, k=11, s=4, c=96), [0]),
        ("lj22.def11", layer(n=1, p=1), []),
        ("lj22.conv-count.b", layer(n=1, p=1, q=2), []),
        ("lj22.conv-count.a", layer(n=3), [0]),
    ],
)
def test_a_case_that_breaks_a_hypothesis_is_rejected(name, case, at):
    outcome = check(find(name).terms.certificate("counterexample", case, at))
    assert outcome.code == 1
    assert "is not met" in outcome.message


@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 5))
def test_the_positions_are_counted(n, k, s):
    claim = find("lj22.alexnet.fix")
    counted = sum(1 for start in range(0, n, s) if start + k <= n) ** 2
    case = integers(n=n, k=k, s=s, c=2)
    found = [value for _, value in entries_of(claim, case)]
    assert found == ([0, 0] if k <= n else [])
    printed = replace(find("lj22.alexnet"), hypotheses=claim.hypotheses)
    wanted = Fraction(n - (k - s), s) ** 2 - counted
    assert [value for _, value in entries_of(printed, case)] == (
        [wanted, 2 * wanted] if k <= n else []
    )


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name):
    claim = find(name)
    evidence = pointwise(claim, CI)
    assert evidence.outcome is VERDICTS[name]
    assert evidence.instances
    if evidence.outcome is Outcome.REFUTES:
        assert check(evidence.certificate).code == 0
        assert check({**evidence.certificate, "at": [1 - evidence.certificate["at"][0]]}).code == 1
    if claim.proof is not None:
        assert schema(claim, SMOKE).outcome is Outcome.ARGUES


def test_some_change_changes():
    evidence = search(find("lj22.conv-count.c@B"), SMOKE)
    assert evidence.outcome is Outcome.PROVES
    assert evidence.checker["exit"] == 0
    assert {claim.id for claim in CLAIMS} == {*VERDICTS, "lj22.conv-count.c@B"}


def test_repairs_and_breaks():
    random = Random(1)
    for claim in CLAIMS:
        for hypothesis in claim.hypotheses:
            if hypothesis.name == "a network":  # the domain has no other case
                continue
            alone = replace(claim, hypotheses=(hypothesis,))
            for _ in range(6):
                case = hypothesis.repair(claim.pool.draw(random), random)
                broken = hypothesis.break_(case, random)
                assert entries_of(alone, case), (claim.id, hypothesis.name)
                assert entries_of(alone, broken) == [], (claim.id, hypothesis.name)
