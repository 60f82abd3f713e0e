"""Layers of the batch-normalised chain, soft rank, surrogate and whitening, solved by hand."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from verify.checker.restated import ACCEPT, check
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.search import search
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import (
    chain,
    conditions,
    layer_proofs,
    pair_sums,
    properties,
    soft_rank,
    surrogate,
    whitening,
    words,
)
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
F = Fraction
MODULES = (chain, soft_rank, surrogate, properties, whitening)
CLAIMS = {claim.id.removeprefix("dkbhl20."): claim for m in MODULES for claim in m.CLAIMS}
AXES = {
    "H": ("d", "N"),
    "G": ("d", "N"),
    "M": ("d", "d"),
    "W": ("d", "d"),
    "lam": ("d",),
    "alpha": ("d",),
    "beta": ("d",),
}


def case(**arrays):
    return Chained(
        {
            name: tensor(AXES.get(name, ()), rows, integer=name == "l")
            for name, rows in arrays.items()
        }
    )


def values(name, found):
    """The entries, by their labels where they have any."""
    entries = CLAIMS[name].measure(Chained.scene([found], RATIONALS))
    labelled = {}
    for k, value in enumerate(entries.values):
        label = entries.label(k)
        key = tuple(tuple(x) if isinstance(x, list) else x for x in label.values())
        labelled[key] = as_fraction(value)
    return labelled


def violated(name, found):
    return bool(judge_exactly(CLAIMS[name], found).violations)


# the chain ----------------------------------------------------------------------------------------
STEP = case(H=[[1, 1], [1, -1]], W=[[0, 1], [1, 0]], gamma=F(1, 2))


def test_the_step_on_moments_by_hand():
    # A = M(H + W H / 2) = ((5/4, 1), (1, 5/4)) = I + Delta M
    assert set(values("def_chain.d", STEP).values()) == {0}
    assert set(values("def_chain.b", case(H=[[1, 2], [3, 4]], W=[[1, 1], [0, 2]])).values()) == {0}


def test_a_step_without_its_last_term_is_noticed(monkeypatch):
    def without(scene, moments, weights, strength):
        once = weights @ moments
        return scene.scaled(once + moments @ scene.transpose(weights), strength)

    monkeypatch.setattr("verify.normalised_scene.ChainScene.increment", without)
    found = values("def_chain.d", STEP)
    assert found["before", (0, 0)] == F(1, 4)
    assert found["before", (0, 1)] == 0
    assert found["after", (0, 1)] == F(1, 1) * 1 * 1 - F(25, 16)


def test_a_limit_without_the_weights_is_noticed(monkeypatch):
    monkeypatch.setattr(
        "verify.normalised_scene.ChainScene.before_norm",
        lambda scene, hidden, weights, strength: hidden + scene.scaled(hidden, strength),
    )
    assert violated("def_chain.b", case(H=[[1, 2]], W=[[3]]))


def layer(rows, weights, gamma, number=1, alpha=0, beta=1):
    size = len(rows)
    return case(H=rows, W=weights, gamma=gamma, alpha=[alpha] * size, beta=[beta] * size, l=number)


def test_norms_of_rows_by_hand():
    rows, weights = [[3, 4], [1, 0]], [[0, 2], [0, 0]]
    assert values("def_chain.c", layer(rows, weights, 1)) == {(0,): 0, (1,): 0}
    # the input itself: 25 - 2 and 1 - 2
    assert values("def_chain.c", layer(rows, weights, 1, 0)) == {(0,): 23, (1,): -1}
    # beta = 2: 4 N - N
    assert values("def_chain.c", layer(rows, weights, 1, beta=2)) == {(0,): 6, (1,): 6}
    # alpha = 1, row (1, 1): (1 + 1)^2 + (1 + 1)^2 - 2
    assert values("def_chain.c", layer([[1, 1]], [[0]], 1, alpha=1)) == {(0,): 6}
    # a row 0 stays 0
    assert values("def_chain.c", layer([[0, 0]], [[5]], 1)) == {(0,): -2}


def test_the_shift_crosses_with_a_root():
    # row (1, 0), M = 1/2: 1 + 2 sqrt(2) + 1 of (sqrt 2 + 1)^2, and 1 of (0 + 1)^2, less 2
    entries = CLAIMS["def_chain.c"].measure(
        Chained.scene([layer([[1, 0]], [[0]], 1, alpha=1)], RATIONALS)
    )
    assert float(entries.values[0]) == pytest.approx(2 + 2 * 2**0.5)


def test_a_zero_row_is_no_layer_and_each_hypothesis_is_needed():
    zero = case(H=[[0, 0]], W=[[5]], gamma=1)
    assert conditions._has_all_rows(case(H=[[1, 0]], W=[[5]], gamma=1))
    assert not conditions._has_all_rows(zero)
    assert not conditions._has_all_rows(case(H=[[1, 0]], W=[[-2]], gamma=F(1, 2)))
    needs = {need.hypothesis: need for need in necessity(CLAIMS["def_chain.c"], CI).needs}
    assert len(needs) == 4
    for need in needs.values():
        assert need.needed
        assert check(need.certificate).code == ACCEPT


# ranks --------------------------------------------------------------------------------------------
def test_ranks_along_the_chain_by_hand():
    lost = case(H=[[1, 0], [0, 1]], W=[[-1, 1], [0, 0]], gamma=1, s=1)  # I + W = ((0, 1), (0, 1))
    assert values("rank_noninc", lost) == {(): 1}
    bent = case(H=[[1, -1], [-1, 1]], W=[[0, 0], [0, 0]], gamma=1, s=0)
    assert values("rank_noninc", bent) == {(): -1}
    assert not violated("rank_noninc", bent)  # no linear network
    straight = case(H=[[1, -1], [-1, 1]], W=[[0, 0], [0, 0]], gamma=1, s=1)
    assert values("rank_noninc", straight) == {(): 0}


def spectrum(*squares, tau):
    """H = diag of roots of N lambda, where these are rational."""
    size = len(squares)
    rows = [[F(0)] * size for _ in range(size)]
    for k, root in enumerate(squares):
        rows[k][k] = F(root)
    return case(H=rows, tau=tau)


def test_soft_ranks_by_hand():
    # H = diag(2, 1): M = diag(2, 1/2)
    for tau, count in ((F(1, 10), 2), (F(1, 2), 2), (F(3, 4), 1), (2, 1), (3, 0)):
        found = Chained.scene([spectrum(2, 1, tau=tau)], RATIONALS)
        assert as_fraction(soft_rank.soft_rank(found, found["H"])[0]) == count
    assert values("def_softrank.b", spectrum(2, 1, tau=F(1, 2))) == {(): 1}  # a tie
    assert values("def_softrank.b.fix", spectrum(2, 1, tau=F(1, 2))) == {(): 0}
    assert values("def_softrank.b", spectrum(2, 1, tau=F(1, 4))) == {(): 0}
    # one column: of two singular values one is 0
    thin = case(H=[[1], [1]], tau=F(1, 10))
    assert values("def_softrank.b", thin) == {(): 0}
    assert values("def_softrank.c", thin) == {(): 0}
    assert values("def_softrank.c", case(H=[[1], [1]], tau=0)) == {(): -1}
    assert values("def_softrank.c", spectrum(2, 1, tau=1)) == {(): 1}


@pytest.mark.parametrize("level", [F(-1), F(0), F(1, 2), F(1), F(3, 2)])
def test_counts_of_eigenvalues_are_those_of_numpy(level):
    random = np.random.default_rng(4)
    for _ in range(40):
        factor = random.integers(-2, 3, (3, random.integers(1, 4)))
        gram = factor @ factor.T
        counted = soft_rank.eigenvalues_at_least(
            RATIONALS.array([int(x) for x in gram.reshape(-1)]).reshape(3, 3), level
        )
        assert counted == np.sum(np.linalg.eigvalsh(gram) >= float(level) - 1e-9)


def test_the_bound_on_soft_ranks_by_hand():
    # rows (1, 1), (1, 1): eigenvalues 2, 0; h = 1, |M|^2 = 4, Tr = 2
    one = case(H=[[1, 1], [1, 1]], tau=F(1, 2))
    assert values("lem1b", one) == {(): 4 - 1}
    short = case(H=[[F(1, 2), F(1, 2)]], tau=F(1, 2))  # M = 1/4 < tau
    assert values("lem1b", short) == {(): -F(1, 4) * F(1, 16)}
    assert not violated("lem1b", short)  # its row is short
    assert values("lem1b.steps", case(lam=[3, 1, -1], tau=1)) == {
        ("16",): 2 * 11 - 16,
        ("19",): 4 - (5 - 3),
        ("20",): (5 - 3) - 0,
    }


def test_a_soft_rank_that_leaves_ties_out_is_noticed(monkeypatch):
    plain = soft_rank.eigenvalues_at_least

    def strict(matrix, level):
        return len(matrix) - plain(-matrix, -level)

    monkeypatch.setattr(soft_rank, "eigenvalues_at_least", strict)
    assert violated("lem1b", case(H=[[1]], tau=1)) is False  # (1 - tau)^2 = 0 hides it
    assert violated("def_softrank.b.fix", spectrum(2, 1, tau=F(1, 2)))


# the surrogate ------------------------------------------------------------------------------------
def test_the_surrogate_by_hand():
    # H = diag(1, 2), N = 2: M = diag(1/2, 2), Tr^2 = 25/4, |M|^2 = 17/4
    found = case(H=[[1, 0], [0, 2]])
    assert values("lem1a", found) == {(): F(34, 4) - F(25, 4)}
    assert values("def_r.c@A", found) == {(): F(25, 4) - 4}
    assert not violated("def_r.c@A", found)
    assert values("def_r.c@A", case(H=[[1, 1], [1, -1]])) == {(): 0}
    assert values("lem1a.steps", case(lam=[3, 0, -1])) == {
        ("12",): 20 - 4,
        ("13",): 20 - 16,
        ("14",): 20 - 16,
    }


def test_the_derivative_is_that_of_differences():
    found = case(H=[[1, 2], [0, 1]], G=[[1, 0], [1, 1]])
    assert values("def_r.b", found) == {(): 0}
    random = np.random.default_rng(1)
    hidden, way = random.normal(size=(2, 3)), random.normal(size=(2, 3))

    def r(h):
        m = h @ h.T / h.shape[1]
        return np.trace(m) ** 2 / np.sum(m * m)

    m = hidden @ hidden.T / 3
    trace, q = np.trace(m), np.sum(m * m)
    gradient = 4 / 3 * (trace * q * hidden - trace**2 * m @ hidden) / q**2
    numeric = (r(hidden + 1e-5 * way) - r(hidden - 1e-5 * way)) / 2e-5
    assert np.sum(gradient * way) == pytest.approx(numeric, rel=1e-6)


def test_a_wrong_gradient_is_noticed(monkeypatch):
    monkeypatch.setattr(surrogate, "DIFFERENCES", {1: F(1, 2), -1: F(-1, 2)})  # not exact
    assert violated("def_r.b", case(H=[[1, 2], [0, 1]], G=[[1, 0], [1, 1]]))
    assert not layer_proofs.gradient_is_the_derivative(surrogate.DIFFERENCES).holds


def test_the_rank_jumps_by_hand():
    assert values("def_r.b.rank", case(H=[[1, 0], [0, 0]], G=[[0, 0], [0, 1]])) == {(): 1}
    # H + t G is singular at t = 1, and of full rank at all other t
    assert values("def_r.b.rank", case(H=[[1, 0], [0, 1]], G=[[-1, 0], [0, 0]])) == {(): 0}


# properties of layers -----------------------------------------------------------------------------
def test_properties_by_hand():
    one = case(H=[[1, 1], [-1, -1]])
    assert values("p1p2.a", one) == {(0,): 0, (1,): 0}
    assert values("p1p2.b", one) == {((0, 1),): 1}
    assert values("p1p2.b.fix", one) == {((0, 1),): 0}
    assert values("p1p2.c", one) == {(): 0}
    assert violated("p1p2.b", one)
    assert not violated("p1p2.b.fix", one)
    apart = case(H=[[1, 1], [F(1, 5), F(7, 5)], [1, -1]])  # M_12 = 4/5, M_13 = 0, M_23 = -3/5
    assert set(values("p1p2.b", apart).values()) == {0}
    assert values("p1p2.b.fix", apart) == {
        ((0, 1),): F(9, 25),
        ((0, 2),): 1,
        ((1, 2),): F(16, 25),
    }
    long = case(H=[[2, 2]])
    assert values("p1p2.a", long) == {(0,): 3}
    assert values("p1p2.c", long) == {(): 3}
    assert not violated("p1p2.a", long)  # no layer
    assert not violated("p1p2.b", long)  # no pair of rows


# whitening ----------------------------------------------------------------------------------------
def test_whitening_by_hand():
    full = case(H=[[1, 2, 0], [0, 1, 1]], W=[[0, 1], [0, 0]], gamma=1)
    assert set(values("whitening", full).values()) == {0}
    lower = case(H=[[1, 2], [2, 4]], W=[[0, 0], [0, 0]], gamma=1)
    assert values("whitening", lower) == {("projection",): 0, ("trace",): -1, ("rank",): -1}
    assert not violated("whitening", lower)
    assert conditions._of_full_rank(full)
    assert not conditions._of_full_rank(lower)


# verdicts -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["def_softrank.b", "p1p2.b"])
def test_what_is_false_is_refuted_with_a_certificate(name):
    evidence = pointwise(CLAIMS[name], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == ACCEPT


def test_a_jump_of_the_rank_is_found():
    evidence = search(CLAIMS["def_r.b.rank"], CI)
    assert evidence.outcome is Outcome.PROVES
    assert check(evidence.certificate).code == ACCEPT


PROVED = [name for name, claim in CLAIMS.items() if claim.proof is not None]


@pytest.mark.parametrize("name", PROVED)
def test_arguments_hold_and_no_case_speaks_against_them(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("lem1b", "normalised rows"),
        ("lem1b", "tau between 0 and 1"),
        ("lem1b.steps", "eigenvalues at least 0"),
        ("lem1b.steps", "trace d"),
        ("def_softrank.c", "tau above 0"),
        ("rank_noninc", "linear network"),
        ("def_r.c@A", "normalised rows"),
        ("p1p2.a", "normalised rows"),
        ("p1p2.b.fix", "normalised rows"),
        ("p1p2.c", "normalised rows"),
        ("whitening", "invertible before BN"),
    ],
)
def test_hypotheses_that_are_needed_are_shown_to_be(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    assert needs[hypothesis].needed
    assert check(needs[hypothesis].certificate).code == ACCEPT


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
    a, m = words.matrix("A"), words.matrix("M", symmetric=True)
    gamma = words.number("g")
    assert (a @ m).transposed.terms == (m @ a.transposed).terms
    assert a.transposed.transposed.terms == a.terms
    assert (a @ m - m @ a).terms  # they do not commute
    assert (gamma @ a - a @ gamma).is_zero  # numbers do
    assert (a - a).is_zero
    assert (a @ a.transposed @ m).replaced(("A", "A'"), ()).terms == m.terms
    shorter = (a @ a.transposed).replaced(("A", "A'"), ("M",), ("g",))
    assert shorter.terms == (gamma @ m).terms


def test_a_wrong_step_is_no_argument(monkeypatch):
    moment, printed = chain.step_in_words()
    monkeypatch.setattr(
        chain, "step_in_words", lambda: (moment, printed - words.number("N") @ words.matrix("M"))
    )
    assert not chain.the_step_expands().holds
    monkeypatch.setattr(layer_proofs, "moments", lambda ring, hidden: hidden @ hidden.T)
    assert not layer_proofs.diagonal_is_one().holds
    monkeypatch.setattr(whitening, "INVERSE", ("B", "K"))
    assert not whitening.whitening_is_a_projection().holds


def test_measures_that_are_partial_are_what_the_claims_measure():
    measure = CLAIMS["def_softrank.b"].measure
    assert isinstance(measure, partial)
    assert measure.keywords == {"ties": False}
