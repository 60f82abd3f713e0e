"""Steps in the proof of Lemma 3 of Daneshmand et al. (2020), by hand and judged."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from verify.checker.restated import ACCEPT, check
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import lemma3_proofs, lemma3_steps
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
F = Fraction
CLAIMS = {claim.id.removeprefix("dkbhl20.lem3."): claim for claim in lemma3_steps.CLAIMS}
AXES = {"F": ("T", "d", "d"), "alpha": ("d",), "v": ("d",), "A": ("k", "d")}


def case(**arrays):
    return Chained(
        {
            name: tensor(AXES.get(name, ()), rows, integer=name in ("s", "d", "n"))
            for name, rows in arrays.items()
        }
    )


def values(name, found):
    return [float(x) for x in CLAIMS[name].measure(Chained.scene([found], RATIONALS)).values]


def violated(name, found):
    return bool(judge_exactly(CLAIMS[name], found).violations)


def test_blocks_by_hand():
    one, two = [[0, 1], [0, 0]], [[0, 0], [1, 0]]
    for split in range(4):
        assert values("f", case(F=[one, two, one], gamma=2, s=split)) == [0] * 4
    scene = Chained.scene([case(F=[one, two, one], gamma=2, s=1)], RATIONALS)
    factors = [scene.identity + scene.scaled(scene["F"][:, k], scene["gamma"]) for k in range(3)]
    assert [[float(x) for x in row] for row in (factors[1] @ factors[0])[0]] == [[1, 2], [2, 5]]


def test_blocks_in_the_wrong_order_are_noticed(monkeypatch):
    plain = lemma3_steps.reduce
    calls = []

    def turned(function, items, start):  # the first product alone, that of all factors
        calls.append(1)
        whole = len(calls) == 1
        return plain(function, items[::-1] if whole else items, start)

    monkeypatch.setattr(lemma3_steps, "reduce", turned)
    one, two = [[0, 1], [0, 0]], [[0, 0], [1, 0]]
    assert any(values("f", case(F=[one, two], gamma=1, s=1)))


@pytest.mark.parametrize("gamma", [0.1, 0.9])
@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("d", [1, 4])
def test_powers_contract(gamma, n, d):
    matrix = np.eye(d)
    matrix[0, 0] += gamma
    power = np.linalg.matrix_power(matrix, n)
    one = np.zeros((d, d))
    one[0, 0] = 1
    found = case(gamma=F(str(gamma)), n=n, d=d)
    least, root = (1 + n * gamma) ** 2, (1 + gamma) ** n
    spectral = np.linalg.norm(power / np.linalg.norm(power, 2) - one) ** 2
    assert values("g@A", found)[0] == pytest.approx(
        ((d - 1) / least - spectral) * least * root**2, abs=1e-9
    )


def test_entries_of_draws():
    assert values("h", case(alpha=[1, F(1, 2)], v=[F(3, 5), F(4, 5)])) == pytest.approx(
        [3 - 0.09, 3 - 0.16, 3 - 0.0225, 3 - 0.04]
    )
    alone = case(alpha=[-1], v=[1])
    assert violated("h.entries", alone)
    assert not violated("h.entries.fix", alone)
    assert not violated("h.entries", case(alpha=[1, 1], v=[1, 0]))  # 1/2


def test_images_of_v():
    tilted = {"alpha": [1, 2], "gamma": 1}
    assert values("i.image", case(v=[F(3, 5), F(4, 5)], **tilted)) == [0, 0]
    # |v|^2 = 2: (1/2) alpha_i (2 - 1)
    assert values("i.image", case(v=[1, 1], **tilted)) == [0.5, 1]


def test_points_off_the_hyperplanes():
    # v = 0 and the axes: the corner (gamma/2)(1, 1) is on neither
    assert values("i.union", case(v=[0, 0], gamma=F(1, 2), A=[[1, 0], [0, 1]])) == [0]
    # without gamma the cube is the point v, which is on the first
    assert values("i.union", case(v=[0, 1], gamma=0, A=[[1, 0]])) == [1]
    assert values("i.union", case(v=[1, 1], gamma=F(1, 2), A=[[0, 0]])) == [1]  # the whole plane


@pytest.mark.parametrize("name", ["f", "g@A", "h", "h.entries.fix", "i.image", "i.union"])
def test_argued_and_no_case_speaks_against_it(name):
    claim = CLAIMS[name]
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert claim.proof().uses == tuple(h.name for h in claim.hypotheses)


def test_the_footnote_is_refuted_with_a_certificate():
    evidence = pointwise(CLAIMS["h.entries"], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == ACCEPT


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("g@A", lemma3_proofs.INSIDE),
        ("h", "alpha at most 1"),
        ("h", "v is a unit vector"),
        ("i.image", "v is a unit vector"),
        ("i.union", "proper subspaces"),
    ],
)
def test_hypotheses_are_needed(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    assert needs[hypothesis].needed
    assert check(needs[hypothesis].certificate).code == ACCEPT


def test_arguments_hear_what_the_ring_says(monkeypatch):
    class Forgetful:  # nothing cancels
        def __init__(self, ring):
            self.generators, self.constant = ring.generators, ring.constant
            self.derivative = ring.derivative

        @staticmethod
        def is_zero(polynomial):
            return False

    plain = lemma3_proofs.ring_of
    monkeypatch.setattr(lemma3_proofs, "ring_of", lambda size: Forgetful(plain(size)))
    for argument in (
        lemma3_proofs.entries_at_most_one,
        lemma3_proofs.draws_are_in_the_support,
        lemma3_proofs.cube_leaves_hyperplanes,
        lemma3_proofs.bernoulli,
    ):
        assert not argument().holds
