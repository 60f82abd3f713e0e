"""Proposition 19 of Daneshmand et al. (2020): gradients of the last layer, by hand and judged."""

import math
from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.checker.restated import ACCEPT, check
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.mutation import mutation
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import gradient_cases, gradient_losses, gradient_proofs, gradients
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
F = Fraction
CLAIMS = {claim.id.removeprefix("dkbhl20.prop19."): claim for claim in gradients.CLAIMS}
AXES = {
    "H": ("d", "N"),
    "X": ("d", "N"),
    "W": ("d", "d"),
    "G": ("o", "N"),
    "E": ("N",),
    "V": ("o", "d"),
    "Y": ("o", "N"),
    "c": (),
    "s": (),
}


def case(**arrays):
    return Chained({name: tensor(AXES[name], rows) for name, rows in arrays.items()})


def values(name, found):
    entries = CLAIMS[name].measure(Chained.scene([found], RATIONALS))
    labels = [entries.label(k) for k in range(len(entries.values))]
    return {
        tuple(str(part) for part in label.values()): as_fraction(value)
        for label, value in zip(labels, entries.values, strict=True)
    }


def violated(name, found):
    return bool(judge_exactly(CLAIMS[name], found).violations)


def meets(hypothesis, name, found):
    scene = Chained.scene([found], RATIONALS)
    return bool(hypothesis.test(scene, CLAIMS[name].measure(scene)).all())


def with_gradients(found):
    """The gradients and values of the squared loss in place of its weights and targets."""
    (slopes,) = gradient_cases.error_gradients(Chained.scene([found], RATIONALS))
    rows = [[as_fraction(x) for x in row] for row in slopes]
    errors = [sum(row[i] ** 2 for row in rows) / 4 for i in range(len(rows[0]))]
    kept = {name: found.arrays[name] for name in found.arrays if name not in ("V", "Y")}
    added = {"G": tensor(AXES["G"], rows), "E": tensor(AXES["E"], errors)}
    return Chained(kept | added)


def without_errors(found):
    return Chained({name: array for name, array in found.arrays.items() if name != "E"})


# h_1 = (1, 2), h_2 = -3 h_1; V = I, so e_1 = (1, 2) - y_1 and e_2 = (-3, -6) - y_2
ON_A_LINE = {"H": [[1, -3], [2, -6]], "V": [[1, 0], [0, 1]]}
SQUARES = case(**ON_A_LINE, Y=[[0, 0], [0, 0]])
ROUND = with_gradients(SQUARES)
# output 1 of sample 2, not its whole error
ONE_FITTED = with_gradients(case(**ON_A_LINE, Y=[[0, -3], [0, 0]]))
OFF_THE_LINE = with_gradients(case(H=[[1, 0], [0, 1]], V=[[1, 1]], Y=[[0, 0]]))


def test_gradients_by_hand():
    found = gradients.Gradients(Chained.scene([ROUND], RATIONALS))
    assert [[as_fraction(x) for x in found.row(k, i)[0]] for k in (0, 1) for i in (0, 1)] == [
        [2, 4],
        [18, 36],
        [4, 8],
        [36, 72],
    ]
    # (96): 2 = c g_11 / g_21 times 18 with c = -1/3, g_11 = 2, g_21 = -6
    assert F(-1, 3) * F(2, -6) * 18 == 2
    assert set(values("a@B", ROUND).values()) == {0}
    assert set(values("c", SQUARES).values()) == {0}


def test_where_a_component_is_fitted_there_is_no_factor():
    found = values("a@B", ONE_FITTED)
    assert found["0", "[0, 1]"] == 4 + 16  # a_1 = (2, 4) is no multiple of a_2 = 0
    assert found["0", "[1, 0]"] == 0  # 0 is one of a_1
    assert found["1", "[0, 1]"] == 0
    assert not violated("a@B", ONE_FITTED)  # the quotient is not defined
    assert not violated("b", ONE_FITTED)  # and yet they align


def test_a_column_that_is_0_has_no_factor_either():
    dead = with_gradients(case(H=[[1, 0], [2, 0]], V=[[1, 0]], Y=[[0, 1]]))  # g = 2, -2
    assert values("a@B", dead)["0", "[0, 1]"] == 20
    assert violated("a@B", dead)
    assert not violated("a@B.fix", without_errors(dead))


def test_columns_off_one_line():
    # a_1 = 2 (1, 0) and a_2 = 2 (0, 1): minor 4
    assert values("b", OFF_THE_LINE) == {
        ("0", "[0, 0]"): 0,
        ("0", "[0, 1]"): 16,
        ("0", "[1, 1]"): 0,
    }
    assert values("e", without_errors(OFF_THE_LINE))["0", "[0, 1]"] == -16
    assert values("a@B", OFF_THE_LINE)["0", "[0, 1]"] == 16
    assert not violated("b", OFF_THE_LINE)  # not of rank one


def test_the_step_of_proportional_columns():
    free = case(H=[[5, 1], [7, 2]], G=[[8, -4]], c=1)  # V = (1, 0), y = (1, 3)
    # a_1 = 8 (5, 7), a_2 = -4 (1, 2): |-4 (40, 56) - 8 (-4, -8)|^2
    assert values("d@B", free) == {("0",): 128**2 + 160**2}
    assert not violated("d@B", free)
    tied = case(H=[[3, 1], [6, 2]], G=[[4, -4]], c=3)
    assert values("d@B", tied) == {("0",): 0}
    assert values("d@B", case(H=[[3, 1], [6, 2]], G=[[4, -4]], c=2))[("0",)] > 0


def test_networks_have_the_activation_that_they_name():
    arrays = {"W": [[1, 0], [0, 1]], "X": [[1, -2], [1, -2]], "G": [[2, 1]]}
    for slope, last in ((0, 0), (1, -2), (F(1, 2), -1)):
        found = case(**arrays, s=slope)
        assert gradient_cases.hidden_rows(found) == [[1, last], [1, last]]
    assert set(values("f", case(**arrays, s=0)).values()) == {0}
    assert violated("f", case(**(arrays | {"X": [[1, -2], [0, 3]]}), s=0)) is False


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
    assert meets(gradient_losses.LOSS, "b", case(H=[[1, 2]], G=slopes, E=errors)) is fits


def test_a_loss_with_these_values_and_gradients():
    value, slope, step = 3.0, -2.0, 1e-6  # E exp(g (z - z_i)/E) at z_i
    ahead, back = (value * math.exp(slope * s / value) for s in (step, -step))
    assert math.isclose((ahead - back) / (2 * step), slope, rel_tol=1e-8)
    assert math.isclose((ahead + back) / 2, value, rel_tol=1e-8)


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_repairs_repair_and_breaks_break(name):
    claim, random = CLAIMS[name], Random(5)
    for hypothesis in claim.hypotheses:
        met = broken = 0
        for _ in range(40):
            drawn = claim.pool.draw(random)
            for change, wanted in ((hypothesis.repair, True), (hypothesis.break_, False)):
                scene = Chained.scene([change(drawn, random)], RATIONALS)
                answer = bool(hypothesis.test(scene, claim.measure(scene)).all())
                met += wanted and answer
                broken += not wanted and not answer
        assert met >= 38, hypothesis.name
        assert broken >= 12, hypothesis.name


# verdicts -----------------------------------------------------------------------------------------
def test_refuted_by_a_column_that_is_0():
    evidence = pointwise(CLAIMS["a@B"], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == ACCEPT
    rows = evidence.certificate["case"]["arrays"]["H"]["entries"]
    assert any(not any(map(F, column)) for column in zip(*rows, strict=True))


@pytest.mark.parametrize("name", ["a@B.fix", "b", "c", "d@B", "e", "f"])
def test_argued_and_no_case_speaks_against_it(name):
    claim = CLAIMS[name]
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert set(claim.proof().uses) <= {h.name for h in claim.hypotheses}
    assert mutation(claim, CI).figures["survived"] == 0


@pytest.mark.parametrize("name", ["a@B.fix", "b", "d@B", "e", "f"])
def test_what_is_needed_is_certified(name):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    wanted = {"rank one in the last layer"} if name != "d@B" else {"h_i = c h_j"}
    if name == "a@B.fix":
        wanted |= {gradient_proofs.SLOPES, gradient_proofs.COLUMNS}
    assert {key for key, need in needs.items() if need.needed} >= wanted
    for key in wanted:
        assert check(needs[key].certificate).code == ACCEPT


def test_a_wrong_gradient_is_noticed(monkeypatch):
    monkeypatch.setattr(
        gradients,
        "error_gradients",
        lambda scene: scene["V"] @ gradient_cases.representation(scene) - scene["Y"],
    )
    assert violated("c", SQUARES)  # of half the square


def test_the_chain_rule_step_fails_for_another_derivative(monkeypatch):
    class Shifted:
        def __init__(self, ring):
            self.ring, self.generators, self.constant = ring, ring.generators, ring.constant
            self.is_zero = ring.is_zero

        def derivative(self, polynomial, generator):
            return self.ring.derivative(polynomial, (generator + 1) % 4)

    plain = gradient_proofs.ring_of
    assert gradient_proofs.chain_rule().holds
    monkeypatch.setattr(gradient_proofs, "ring_of", lambda size: Shifted(plain(size)))
    assert not gradient_proofs.chain_rule().holds


def test_arguments_hear_what_the_ring_says(monkeypatch):
    class Forgetful:  # nothing cancels
        def __init__(self, ring):
            self.generators, self.constant = ring.generators, ring.constant

        @staticmethod
        def is_zero(polynomial):
            return False

    plain = gradient_proofs.ring_of
    monkeypatch.setattr(gradient_proofs, "ring_of", lambda size: Forgetful(plain(size)))
    for argument in (
        gradient_proofs.minors_vanish,
        gradient_proofs.cosines_are_one,
        gradient_proofs.multiples_have_the_factor,
    ):
        assert not argument().holds
