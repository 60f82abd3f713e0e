"""Steps in the proof of Lemma 3 of Daneshmand et al. (2020), by hand and judged."""

from fractions import Fraction

import pytest

from tests.verify.arrays import violated
from tests.verify.papers.dkbhl20_cases import number_of, says
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import frob2
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import lemma3

SMOKE, CI = (Context(budget_named(name), 0, "cpu") for name in ("smoke", "ci"))
F = Fraction
CLAIMS = {claim.id.removeprefix("dkbhl20.lem3."): claim for claim in lemma3.CLAIMS}
AXES = {"F": ("T", "d", "d"), "alpha": ("d",), "v": ("d",), "A": ("k", "d")}


def case(**arrays):
    return Tensors(
        {
            name: tensor(AXES.get(name, ()), rows, integer=name in ("s", "d", "n"))
            for name, rows in arrays.items()
        }
    )


def test_blocks_by_hand():
    one, two = [[0, 1], [0, 0]], [[0, 0], [1, 0]]
    found = case(F=[one, two], gamma=2, s=1)
    product = [[1, 2], [2, 5]]  # (I + 2 W_2)(I + 2 W_1)
    whole = lemma3.block(1, lemma3.COUNT)
    assert [[number_of(whole[i, j], found) for j in (1, 2)] for i in (1, 2)] == product
    assert all(says(CLAIMS["f"], case(F=[one, two, one], gamma=2, s=s)) for s in range(4))


@pytest.mark.parametrize(("n", "distance"), [(1, F(8, 9)), (2, F(2 * 16, 81))])
def test_powers_contract(n, distance):
    # A_n/|A_n| has ones over (1 + 1/2)^n on its diagonal but for the first entry, which is 1
    found = case(gamma=F(1, 2), d=3, n=n)
    gap = lemma3.POWER / (F(3, 2)) ** n - lemma3.CORNER
    assert number_of(frob2(gap), found) == distance
    assert says(CLAIMS["g@A"], found)  # at most 2/(1 + n/2)^2, with equality for n = 1


def test_entries_of_draws():
    assert says(CLAIMS["h"], case(alpha=[1, F(1, 2)], v=[F(3, 5), F(4, 5)]))
    assert not says(CLAIMS["h"], case(alpha=[3, 0], v=[2, 0]))  # 3 is above sqrt 3
    alone = case(alpha=[-1], v=[1])
    assert violated(CLAIMS["h.entries"], alone)
    assert not violated(CLAIMS["h.entries.fix"], alone)
    assert not violated(CLAIMS["h.entries"], case(alpha=[1, 1], v=[1, 0]))  # 1/2


def test_images_of_v():
    assert says(CLAIMS["i.image"], case(v=[F(3, 5), F(4, 5)], alpha=[1, 2], gamma=1))
    assert not says(CLAIMS["i.image"], case(v=[1, 1], alpha=[1, 2], gamma=1))  # |v|^2 = 2


@pytest.mark.parametrize(
    ("v", "gamma", "normals", "free"),
    [
        # v = 0 and the axes: the corner (gamma/2)(1, 1) is on neither
        ([0, 0], F(1, 2), [[1, 0], [0, 1]], True),
        ([0, 1], 0, [[1, 0]], False),  # the cube is the point v
        ([1, 1], F(1, 2), [[0, 0]], False),  # the whole plane
    ],
)
def test_points_off_the_hyperplanes(v, gamma, normals, free):
    assert says(CLAIMS["i.union"], case(v=v, gamma=gamma, A=normals)) is free


def test_the_grid_by_hand():
    found = case(v=[0, 0], gamma=1, A=[[1, 0], [0, 1]])  # values -1, 0, 1
    vectors = [[number_of(lemma3.grid(n)[i], found) for i in (1, 2)] for n in range(9)]
    assert vectors == [[x, y] for y in (-1, 0, 1) for x in (-1, 0, 1)]


@pytest.mark.parametrize("name", ["f", "g@A", "i.union"])
def test_argued_and_no_case_speaks_against_it(name):
    claim = CLAIMS[name]
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert claim.proof().uses == tuple(h.name for h in claim.hypotheses)


@pytest.mark.parametrize("name", ["h", "h.entries.fix", "i.image"])
def test_proofs_are_accepted(name):
    assert check(CLAIMS[name].derivation().record).code == 0


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("g@A", lemma3.STRENGTH.name),
        ("h", "alpha at most 1"),
        ("h", "v is a unit vector"),
        ("i.image", "v is a unit vector"),
        ("i.union", "proper subspaces"),
    ],
)
def test_hypotheses_are_needed(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    assert needs[hypothesis].needed
    assert check(needs[hypothesis].certificate).code == 0
