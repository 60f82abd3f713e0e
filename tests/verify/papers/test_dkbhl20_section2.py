"""Section 2 and Lemma 1 of Daneshmand et al. (2020): soft rank and surrogate, by hand."""

from fractions import Fraction

import numpy as np
import pytest

from tests.verify.arrays import violated
from tests.verify.papers.dkbhl20_cases import case, number_of, says
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import trace
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import chain, lemma1, section2
from verify.papers.dkbhl20.notation import TAU, H, second_moment, soft_rank, surrogate
from verify.papers.registry import find
from verify.statements.derivations import matrix_words, pair_sums

SMOKE, CI = (Context(budget_named(name), 0, "cpu") for name in ("smoke", "ci"))
F = Fraction


def claim(name):
    return find(f"dkbhl20.{name}")


def diagonal(*roots, tau):
    """H = diag(roots)."""
    rows = [
        [F(root) if i == j else F(0) for j in range(len(roots))] for i, root in enumerate(roots)
    ]
    return case(H=rows, tau=tau)


def test_the_leading_coefficient_by_hand():
    """(H + gamma W H)_11 = 1 + 3 gamma: its square has the coefficient 9 of gamma^2."""
    found = case(H=[[F(1), F(2)], [F(1), F(0)]], W=[[F(2), F(1)], [F(0), F(1)]])
    assert number_of(chain.leading(1, 1), found) == 9


def test_definitions_by_hand():
    # H = diag(2, 1): M = diag(2, 1/2)
    for tau, count in ((F(1, 10), 2), (F(1, 2), 2), (F(3, 4), 1), (2, 1), (3, 0)):
        assert number_of(soft_rank(H, TAU), diagonal(2, 1, tau=tau)) == count
    assert number_of(soft_rank(H, TAU), case(H=[[1], [1]], tau=0)) == 2  # also what is 0
    found = case(H=[[1, 0], [0, 2]])  # M = diag(1/2, 2)
    assert number_of(trace(second_moment(H)), found) == F(5, 2)
    assert number_of(surrogate(H), found) == F(25, 4) / F(17, 4)


@pytest.mark.parametrize("level", [F(-1), F(0), F(1, 2), F(1), F(3, 2)])
def test_soft_ranks_are_those_of_numpy(level):
    random = np.random.default_rng(4)
    for _ in range(20):
        rows = random.integers(-2, 3, (3, random.integers(1, 4)))
        gram = rows @ rows.T / rows.shape[1]
        counted = number_of(soft_rank(H, TAU), case(H=rows.tolist(), tau=level))
        assert counted == np.sum(np.linalg.eigvalsh(gram) >= float(level) - 1e-9)


def test_ties_are_counted_by_the_definition_alone():
    tie = diagonal(2, 1, tau=F(1, 2))
    assert not says(claim("def_softrank.b"), tie)
    assert says(claim("def_softrank.b.fix"), tie)
    assert says(claim("def_softrank.b"), diagonal(2, 1, tau=F(1, 4)))
    assert not says(claim("def_softrank.c"), case(H=[[1], [1]], tau=0))
    assert not violated(claim("def_softrank.c"), case(H=[[1], [1]], tau=0))
    assert says(claim("def_softrank.c"), diagonal(2, 1, tau=1))


def test_bounds_by_hand():
    # rows (1, 1), (1, 1): eigenvalues 2, 0; r = 1
    assert says(claim("lem1b"), case(H=[[1, 1], [1, 1]], tau=F(1, 2)))
    short = case(H=[[F(1, 2), F(1, 2)]], tau=F(1, 2))  # M = 1/4 < tau
    assert not says(claim("lem1b"), short)
    assert not violated(claim("lem1b"), short)
    assert says(claim("lem1a"), case(H=[[1, 0], [0, 2]]))
    spectrum = case(lam=[3, 0, -1])  # |l|_0 = 2, |l|_1 = 4, |l|_2^2 = 10
    assert number_of(lemma1.SUPPORT, spectrum) == 2
    assert number_of(lemma1.SIZE, spectrum) == 4
    assert says(claim("lem1a.steps"), spectrum)
    counted = case(lam=[3, 1, -1], tau=1)
    assert number_of(lemma1.COUNT, counted) == 2
    assert number_of(lemma1.COUNTED, counted) == 5  # |-1| >= 1 too
    assert number_of(lemma1.LESS, counted) == 5 - 3


def test_the_derivative_is_that_of_differences():
    random = np.random.default_rng(1)
    hidden, way = random.integers(-3, 4, (2, 3)), random.integers(-3, 4, (2, 3))

    def r(h):
        m = h @ h.T / h.shape[1]
        return np.trace(m) ** 2 / np.sum(m * m)

    found = case(H=hidden.tolist(), G=way.tolist())
    along = claim("def_r.b").terms.says.args[1]
    numeric = (r(hidden + 1e-5 * way) - r(hidden - 1e-5 * way)) / 2e-5
    assert float(number_of(along, found)) == pytest.approx(numeric, rel=1e-6)
    assert says(claim("def_r.b"), found)


def test_the_rank_jumps_by_hand():
    assert says(claim("def_r.b.rank"), case(H=[[1, 0], [0, 0]], G=[[0, 0], [0, 1]]))
    # H + t G is singular at t = 1, and of full rank at all other t
    assert not says(claim("def_r.b.rank"), case(H=[[1, 0], [0, 1]], G=[[-1, 0], [0, 0]]))


# verdicts -----------------------------------------------------------------------------------------
def test_the_gradient_is_proved():
    proof = claim("def_r.b").derivation()
    assert check(proof.record).code == 0


def test_a_tie_refutes():
    evidence = pointwise(claim("def_softrank.b"), CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == 0


@pytest.mark.parametrize(
    "name", [c.id for module in (section2, lemma1) for c in module.CLAIMS if c.proof is not None]
)
def test_arguments_hold_and_no_case_speaks_against_them(name):
    assert schema(find(name), SMOKE).outcome is Outcome.ARGUES
    assert pointwise(find(name), SMOKE).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("lem1b", "normalised rows"),
        ("lem1b.steps", "eigenvalues at least 0"),
        ("lem1b.steps", "trace d"),
        ("def_softrank.c", "tau above 0"),
    ],
)
def test_hypotheses_that_are_needed_are_shown_to_be(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(claim(name), CI).needs}
    assert needs[hypothesis].needed
    assert check(needs[hypothesis].certificate).code == 0


# arguments ----------------------------------------------------------------------------------------
def test_double_sums_that_differ_are_told():
    assert all(step.holds for step in (*pair_sums.lagrange(), *pair_sums.variance()))
    wrong = pair_sums.equal_double_sums("x y = x^2", 1, lambda x, y: x * y, lambda x, y: x * x)
    assert [step.holds for step in wrong] == [False, True]
    wrong = pair_sums.equal_double_sums(
        "x^2 + y^2 = (x - y)^2 + x y", 1, lambda x, y: x * x + y * y, lambda x, y: (x - y) ** 2
    )
    assert [step.holds for step in wrong] == [False, False]


def test_words_are_multiplied_and_turned_by_hand():
    a, m = matrix_words.matrix("A"), matrix_words.matrix("M", symmetric=True)
    gamma = matrix_words.number("g")
    assert (a @ m).transposed.terms == (m @ a.transposed).terms
    assert a.transposed.transposed.terms == a.terms
    assert (a @ m - m @ a).terms  # they do not commute
    assert (gamma @ a - a @ gamma).is_zero  # numbers do
    assert (a - a).is_zero
    assert (a @ a.transposed @ m).replaced(("A", "A'"), ()).terms == m.terms
    shorter = (a @ a.transposed).replaced(("A", "A'"), ("M",), ("g",))
    assert shorter.terms == (gamma @ m).terms
