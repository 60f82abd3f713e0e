"""zlb22, what ladders measure: known networks, closed forms, moves that stay in the ball."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch

from numerics.curvature.networks import draw
from numerics.curvature.remainders import linearisation
from numerics.curvature.wirings import generator_of
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.kinds.statistics.slopes import slopes_of
from verify.methods.context import Context
from verify.methods.exponents import exponents
from verify.papers.zlb22 import hessian_rates, ladders
from verify.papers.zlb22.settings import Setting

SMOKE = Context(budget_named("smoke"))
RATES = {claim.id.removeprefix("zlb22."): claim for claim in hessian_rates.CLAIMS}
X = ladders.target_of().points[0].numpy()
RHO = float(np.sqrt(np.square(X).mean()))


def generator(seed=0):
    return np.random.default_rng(seed)


def networks_of(kind, width, activation="tanh", depth=3, seeds=3):
    own = generator_of(generator())
    return Setting(kind, depth, activation).wiring(width, seeds, own).draw(seeds, own)


def test_the_input_is_bounded_and_fixed():
    assert X.shape == (ladders.INPUTS,)
    assert np.abs(X).max() <= 1
    assert 0.1 < RHO <= 1


@pytest.mark.parametrize("kind", ["fcn", "unequal", "densenet"])
def test_the_width_is_the_least_in_degree_after_the_first_layer(kind):
    own = generator_of(generator())
    assert int(Setting(kind, 3, "tanh").wiring(16, 1, own).width()) == 16


@pytest.mark.parametrize("kind", ["dropped", "random", "spread"])
def test_the_width_of_random_graphs_is_near(kind):
    own = generator_of(generator())
    found = Setting(kind, 3, "tanh").wiring(16, 2, own).width()
    assert 8 <= int(torch.as_tensor(found).min()) <= 16


def test_an_unknown_family_is_refused():
    with pytest.raises(ValueError, match="family 'tree': unknown"):
        Setting("tree", 3, "tanh").wiring(8, 1, generator_of(generator()))


def test_one_hidden_layer_has_the_norm_of_the_closed_form():
    found = ladders.in_the_ball(Setting("fcn", 2, "tanh"), 24, 5, generator(3))
    own = generator_of(generator(3))
    networks = Setting("fcn", 2, "tanh").wiring(24, 5, own).draw(5, own)
    z = networks.weights[0].numpy() @ X / np.sqrt(ladders.INPUTS)
    v = networks.weights[1][:, 0].numpy()
    first = 1 - np.tanh(z) ** 2
    bent = RHO**2 * np.abs(v * 2 * np.tanh(z) * first)
    norms = ((bent + np.sqrt(bent**2 + 4 * RHO**2 * first**2)) / 2).max(axis=1) / np.sqrt(24)
    assert found[ladders.CENTRE] == pytest.approx(norms, rel=1e-3)
    assert (found[ladders.BALL] >= found[ladders.CENTRE] * (1 - 1e-9)).all()


def test_of_a_quadratic_network_everything_is_known():
    # f = v u x / sqrt m: |H| = rho / sqrt m everywhere, and |f - f_lin| = R^2 |H| / 2 at most
    linear = Setting("fcn", 2, "linear", 2.0)
    found = ladders.in_the_ball(linear, 9, 3, generator())
    norm = RHO / 3
    assert found[ladders.CENTRE] == pytest.approx([norm] * 3)
    assert found[ladders.BALL] == pytest.approx([norm] * 3, rel=1e-4)
    assert found[ladders.REST] == pytest.approx([2 * norm] * 3, rel=1e-2)


def test_the_hessian_moves_by_what_is_known():
    # f = v z^2 / sqrt m: with u fixed H(w) - H(w0) is linear in the move
    bent, straight = (Setting("fcn", 2, kind) for kind in ("quadratic", "linear"))
    small = bent._replace(radius=1e-3)
    found = ladders.changes(bent, 12, 4, generator(1))[ladders.CHANGE]
    assert ((found > 0.02) & (found < 2)).all()
    tiny = ladders.changes(small, 12, 4, generator(1))[ladders.CHANGE]
    assert tiny == pytest.approx(found * 1e-3, rel=0.5)
    none = ladders.changes(straight, 12, 2, generator(1))[ladders.CHANGE]
    assert none == pytest.approx([0, 0], abs=1e-9)


def test_descent_lowers_the_loss_and_stays_in_the_ball():
    networks, target = networks_of("fcn", 20), ladders.target_of()
    after = ladders.descended(networks, target, 5.0)
    before, now = (linearisation(each, target).value - 1 for each in (networks, after))
    assert bool((now.abs() < 0.2 * before.abs()).all())
    near = ladders.descended(networks, target, 0.01)
    moved = torch.linalg.vector_norm(near.flat() - networks.flat(), dim=1)
    assert bool((moved <= 0.01 * (1 + 1e-12)).all())
    assert bool((moved > 0.009).any())


def test_chunks_are_all_that_is_asked_for(monkeypatch):
    monkeypatch.setattr(ladders, "ROOM", 100)
    found = ladders.changes(Setting("random", 3, "tanh"), 8, 5, generator())
    assert {name: array.shape for name, array in found.items()} == {ladders.CHANGE: (5,)}


# the claims --------------------------------------------------------------------------------------
def test_what_is_predicted_is_measured():
    assert set(RATES) == {"thm3.6@A", "thm3.6.b", "eq10@A", "cor3.7.rate@A"}
    for claim in RATES.values():
        assert claim.kind is Kind.RATE
        for scale in range(3):
            keys = [family.shared for family in claim.exponents.families(scale)]
            assert len(set(keys)) == len(keys) >= 3
            assert all(keys)
        assert not any(said.along for said in claim.exponents.predicted)  # bounds from above
    one = RATES["thm3.6@A"].exponents.families(0)[0]
    found = one.values(8, 2, generator())
    assert {p.quantity for p in RATES["cor3.7.rate@A"].exponents.predicted} <= set(found)


def planted(values, predicted):
    """Theorem 3.6 with another prediction, on one family."""
    family = Family("planted", ((16, 32, 64),) * 3, values)
    measured = Exponents(lambda scale: (family,), (predicted,), (16, 16, 16))
    return replace(RATES["thm3.6@A"], exponents=measured)


def test_exact_powers_are_told_and_a_wrong_exponent_is_not_supported():
    linear = partial(ladders.in_the_ball, Setting("fcn", 2, "linear"))
    right = planted(linear, hessian_rates.halved(ladders.BALL))
    assert exponents(right, SMOKE).outcome is Outcome.SUPPORTS
    wrong = Predicted(ladders.BALL, Fraction(-1), above=Fraction(-1, 2))
    assert exponents(planted(linear, wrong), SMOKE).outcome is Outcome.INCONCLUSIVE


def test_without_the_factor_the_norm_does_not_fall():
    # hypothesis H5: factor 1 in place of the root of the in-degree
    def plain(width, seeds, rng):
        own = generator_of(rng)
        networks = networks_of("fcn", width, depth=2)
        networks = draw(replace(networks.architecture, scaling="standard"), seeds, own)
        whole = networks.with_flat(torch.randn_like(networks.flat()))
        sizes = ladders.norms(whole, ladders.target_of(), own)
        return {ladders.BALL: sizes.numpy()}

    claim = planted(plain, hessian_rates.halved(ladders.BALL))
    assert exponents(claim, SMOKE).outcome is Outcome.INCONCLUSIVE


def test_a_family_supports_the_theorem_at_small_widths():
    (family,) = RATES["thm3.6@A"].exponents.families(1)[1:2]
    logs = np.log(
        np.stack([family.values(w, 16, generator(w))[ladders.CENTRE] for w in (16, 64)], 1)
    )
    assert -0.65 < slopes_of((16, 64), logs).mean() < -0.4
