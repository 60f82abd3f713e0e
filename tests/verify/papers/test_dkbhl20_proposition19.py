"""Proposition 19 of Daneshmand et al. (2020): gradients of the last layer, by hand and judged."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.arrays import entries_of, violated
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.mutation import mutation
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import proposition19, proposition19_arguments
from verify.statements.stated import true_of

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = looking("ci")
CLAIMS = {claim.id.removeprefix("dkbhl20.prop19."): claim for claim in proposition19.CLAIMS}
AXES = {
    "H": ("d", "N"),
    "X": ("d", "N"),
    "W": ("d", "d"),
    "G": ("o", "N"),
    "E": ("N",),
    "V": ("o", "d"),
    "D": ("o", "d"),
    "h": ("d",),
    "y": ("o",),
    "h_i": ("d",),
    "h_j": ("d",),
    "g_i": ("o",),
    "g_j": ("o",),
}


def case(**arrays):
    return Tensors({name: tensor(AXES.get(name, ()), rows) for name, rows in arrays.items()})


def alone(name):
    """The claim whatever it supposes."""
    return replace(CLAIMS[name], hypotheses=())


def values(name, found):
    return [value for _, value in entries_of(alone(name), found)]


# h_1 = (1, 2), h_2 = -3 h_1; V = I, y = 0, so g_1 = (2, 4) and g_2 = (-6, -12)
LINE = {"H": [[1, -3], [2, -6]]}
ROUND = case(**LINE, G=[[2, -6], [4, -12]], E=[5, 45])
ONE_FITTED = case(**LINE, G=[[2, 0], [4, -12]], E=[5, 36])  # output 1 of sample 2
DEAD = case(H=[[1, 0], [2, 0]], G=[[2, -2]], E=[1, 1])
APART = case(H=[[1, 0], [0, 1]], G=[[2, 2]], E=[1, 1])


@pytest.mark.parametrize(
    ("name", "found", "wrong", "meets"),
    [
        ("a@B", ROUND, False, True),
        # a_1 = (2, 4) is no multiple of a_2 = 0; the quotient is not defined
        ("a@B", ONE_FITTED, True, False),
        ("b", ONE_FITTED, False, True),  # and yet they align
        ("a@B", DEAD, True, True),
        ("a@B.fix", DEAD, True, False),
        ("b", APART, True, False),
        ("e", ROUND, False, True),
        ("e", APART, True, False),
    ],
)
def test_gradients_by_hand(name, found, wrong, meets):
    assert violated(alone(name), found) is wrong
    assert all(true_of(term)(found) for term in CLAIMS[name].terms.given.values()) is meets


def test_minors_by_hand():
    # a_1 = 2 (1, 0) and a_2 = 2 (0, 1): the minor is 4
    assert values("b", APART) == [0, -16, -16, 0]


def test_the_chain_rule_by_hand():
    # V h - y = (-1, 2), h = (1, 2): 2 (-1) 1 is the derivative in V_11
    moved = case(V=[[0, 1], [1, 1]], D=[[1, 0], [0, 0]], h=[1, 2], y=[3, 1])
    assert values("c", moved) == [0]
    assert true_of(proposition19.CHAIN_RULE.args[1] == -2)(moved)


@pytest.mark.parametrize(
    ("columns", "c", "wrong"), [(((3, 6), (1, 2)), 3, False), (((5, 7), (1, 2)), 1, True)]
)
def test_the_step_of_proportional_columns(columns, c, wrong):
    found = case(h_i=columns[0], h_j=columns[1], g_i=[8], g_j=[-4], c=c)
    assert violated(alone("d@B"), found) is wrong


def test_networks_have_the_activation_that_they_name():
    arrays = {"W": [[1, 0], [0, 1]], "X": [[1, -2], [1, -2]], "G": [[2, 1]]}
    for slope, last in ((0, 0), (1, -2), (Fraction(1, 2), -1)):
        wanted = proposition19.ACTIVE[1, 2] == last
        assert true_of(wanted)(case(**arrays, s=slope))
    assert not violated(CLAIMS["f"], case(**arrays, s=0))


@pytest.mark.parametrize(
    ("errors", "slopes", "fits"),
    [
        ([1, 2], [[0, 3]], True),
        ([0, 2], [[0, 3]], True),
        ([0, 2], [[1, 3]], False),  # l >= 0 has a gradient of 0 where it is 0
        ([1, -2], [[0, 3]], False),
    ],
)
def test_values_that_a_loss_has(errors, slopes, fits):
    assert true_of(proposition19.LOSS.holds)(case(H=[[1, 2]], G=slopes, E=errors)) is fits


def test_a_loss_with_these_values_and_gradients():
    value, slope, step = 3.0, -2.0, 1e-6  # E exp(g (z - z_i)/E) at z_i
    ahead, back = (value * math.exp(slope * s / value) for s in (step, -step))
    assert math.isclose((ahead - back) / (2 * step), slope, rel_tol=1e-8)
    assert math.isclose((ahead + back) / 2, value, rel_tol=1e-8)


# verdicts -----------------------------------------------------------------------------------------
def test_refuted_by_a_column_that_is_0():
    evidence = pointwise(CLAIMS["a@B"], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == 0
    rows = evidence.certificate["case"]["arrays"]["H"]["entries"]
    assert any(not any(map(Fraction, column)) for column in zip(*rows, strict=True))


@pytest.mark.parametrize("name", ["a@B.fix", "b", "c", "d@B", "e", "f"])
def test_no_case_speaks_against_it(name):
    claim = CLAIMS[name]
    argued = Outcome.PROVES if name in ("c", "d@B") else Outcome.ARGUES
    assert schema(claim, SMOKE).outcome is argued
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert mutation(claim, CI).figures["survived"] == 0


@pytest.mark.parametrize("name", ["a@B.fix", "b", "d@B", "e", "f"])
def test_what_is_needed_is_certified(name):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    wanted = {"rank one in the last layer"} if name != "d@B" else {"h_i = c h_j"}
    if name == "a@B.fix":
        wanted |= {proposition19_arguments.SLOPES, proposition19_arguments.COLUMNS}
    assert {key for key, need in needs.items() if need.needed} >= wanted
    for key in wanted:
        assert check(needs[key].certificate).code == 0


@pytest.mark.parametrize("name", ["a@B.fix", "b", "e"])
def test_arguments_hear_what_the_ring_says(monkeypatch, name):
    class Forgetful:  # nothing cancels
        def __init__(self, ring):
            self.generators, self.constant = ring.generators, ring.constant

        @staticmethod
        def is_zero(polynomial):
            return False

    plain = proposition19_arguments.ring_of
    monkeypatch.setattr(proposition19_arguments, "ring_of", lambda size: Forgetful(plain(size)))
    assert not CLAIMS[name].proof().holds
