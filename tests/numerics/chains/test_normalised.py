from fractions import Fraction
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
import torch

from numerics.chains import counters, inputs, laws
from numerics.chains.normalised import joined_to_width, run
from numerics.chains.observables import Plan, hidden_name, moment_name, rank_name, soft_ranks

BACKENDS = ["numba", "torch"]
GAMMAS = [0.1, 1.0, inf]


@pytest.fixture(params=BACKENDS)
def backend(request):
    if request.param == "numba":
        pytest.importorskip("numba", reason="compiled kernels need Numba")
    return request.param


def full(count, d, n, seed=0):
    return inputs.full(torch.Generator().manual_seed(seed), count, d, n)


def plain(start, law, gamma, seed, depth):
    """H_1 to H_depth of one chain, as a researcher would write it."""
    hidden, found = start.numpy(), []
    for layer in range(depth):
        base = counters.bases(counters.tensor_keys([seed]), layer)
        weight = counters.weights(law, base, len(hidden), len(hidden))[0].numpy()
        hidden = weight @ hidden if gamma == inf else hidden + gamma * weight @ hidden
        hidden = hidden / np.sqrt((hidden**2).mean(axis=1, keepdims=True))
        found.append(hidden)
    return found


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(("d", "n"), [(1, 1), (2, 3), (5, 5), (6, 4), (3, 1), (41, 43), (42, 5)])
def test_a_chain_against_plain_numpy(backend, d, n, gamma):
    start = full(3, d, n)
    places = ((0, d - 1), (d - 1, 0))
    hidden = ((d - 1, n - 1), (0, 0))
    plan = Plan(8, 2, 2, thresholds=(0.0, 0.3, 0.8), moments=places, hidden=hidden, batches=2)
    law = laws.uniform_of_variance_one()
    seen = run(start, law, gammas=gamma, seeds=[5, 6, 7], plan=plan, backend=backend)
    assert seen.backend == backend
    for c in range(3):
        path = plain(start[c], law, gamma, 5 + c, 8)
        values = []
        for layer in (4, 6, 8):
            H = path[layer - 1]
            M = H @ H.T / n
            eigenvalues = np.linalg.eigvalsh(M)
            values.append(
                [
                    np.trace(M) ** 2 / (M**2).sum(),
                    (M**2).sum(),
                    np.trace(M @ M @ M),
                    (np.diag(M @ M) ** 2).sum(),
                    (H.mean(axis=1) ** 2).mean(),
                    d,
                    (eigenvalues >= 0.3).sum(),
                    (eigenvalues >= 0.8).sum(),
                    M[0, d - 1],
                    M[d - 1, 0],
                    H[d - 1, n - 1],
                    H[0, 0],
                ]
            )
        values = np.array(values)
        for k, name in enumerate(plan.names):
            assert seen.mean(name)[c] == pytest.approx(values[:, k].mean(), rel=1e-9, abs=1e-10)
            assert seen.least(name)[c] == pytest.approx(values[:, k].min(), rel=1e-9, abs=1e-10)
            assert seen.greatest(name)[c] == pytest.approx(values[:, k].max(), rel=1e-9, abs=1e-10)
            halves = [values[:2, k].mean(), values[2, k]]
            assert seen.batch_means(name)[c] == pytest.approx(halves, rel=1e-9, abs=1e-10)
        ranks = values[:, 6]
        assert seen.rises(rank_name(0.3))[c] == (np.diff(ranks) > 0).sum()
        assert np.abs(seen.states[c].numpy() - path[-1]).max() < 1e-10


@pytest.mark.parametrize("width", [4, 41])  # chains in lanes, columns in lanes
@pytest.mark.parametrize("law", laws.menu(4), ids=lambda law: law.name)
def test_both_backends_agree_on_every_law(law, width):
    pytest.importorskip("numba", reason="compiled kernels need Numba")
    start = full(9, width, width)
    plan = Plan(4, thresholds=(0.5,), moments=((0, 1),))
    gammas = [0.05, 0.5, 2.0] * 3
    seen = [
        run(start, law, gammas=gammas, seeds=range(9), plan=plan, backend=backend)
        for backend in BACKENDS
    ]
    for name in plan.names:
        assert seen[0].mean(name) == pytest.approx(seen[1].mean(name), rel=1e-8, abs=1e-9)


# statements with known answers -------------------------------------------------------------------
def test_width_one_has_nothing_to_do(backend):
    seen = run(
        full(3, 1, 4),
        laws.gaussian(),
        gammas=GAMMAS,
        seeds=range(3),
        plan=Plan(50),
        backend=backend,
    )
    for name in ("r", "frobenius", "cube", "squares"):
        assert seen.mean(name) == pytest.approx([1, 1, 1])
    assert seen.regularity().value == pytest.approx([1, 1, 1])


def test_rank_one_keeps_its_moments_for_small_gamma(backend):
    # |sum_j W_ij u_j| <= d B, so that no sign changes where gamma d B < 1
    generator = torch.Generator().manual_seed(2)
    d = 4
    start = inputs.rank_one(generator, 20, d, 5)
    plan = Plan(500, moments=tuple(product(range(d), range(d))))
    seen = run(
        start,
        laws.uniform_of_variance_one(),
        gammas=1 / (8 * d),
        seeds=range(20),
        plan=plan,
        backend=backend,
    )
    signs = torch.sign(start[:, :, 0])
    for i, j in plan.moments:
        wanted = (signs[:, i] * signs[:, j]).numpy()
        assert seen.least(moment_name(i, j)) == pytest.approx(wanted, abs=1e-14)
        assert seen.greatest(moment_name(i, j)) == pytest.approx(wanted, abs=1e-14)


def test_rank_one_does_not_keep_them_for_large_gamma(backend):
    start = inputs.rank_one(torch.Generator().manual_seed(2), 8, 4, 5)
    plan = Plan(300, moments=((0, 1),))
    seen = run(start, laws.gaussian(), gammas=1.0, seeds=range(8), plan=plan, backend=backend)
    assert (seen.least("M[0,1]") == -1).any()
    assert (np.abs(seen.mean("M[0,1]")) < 0.7).any()


def test_the_rank_of_the_input_survives_a_long_run(backend):
    start = inputs.low_rank(torch.Generator().manual_seed(2), 8, 6, 7, 2)
    plan = Plan(2000, thresholds=(1e-9,))
    seen = run(start, laws.gaussian(), gammas=0.3, seeds=range(8), plan=plan, backend=backend)
    assert seen.greatest(rank_name(1e-9)).max() <= 2


def test_large_gamma_tends_to_no_skip_connection(backend):
    start = full(4, 5, 5)
    plan, seeds, law = Plan(3), range(4), laws.gaussian()
    limit = run(start, law, gammas=inf, seeds=seeds, plan=plan, backend=backend).states
    gaps = []
    for gamma in (1e2, 1e4, 1e6):
        states = run(start, law, gammas=gamma, seeds=seeds, plan=plan, backend=backend).states
        gaps.append(float((states - limit).abs().max()))
    assert gaps[0] > 50 * gaps[1] > 2500 * gaps[2] > 0


@pytest.mark.parametrize("d", [2, 42])
def test_rows_of_zeros_are_counted_by_every_kernel(backend, d):
    start = full(2, d, 3)
    start[:, 0] = 0.0
    law = laws.finite("almost nothing", [(0, 1), (1, 0)])  # W = 0: nothing moves
    seen = run(start, law, gammas=0.5, seeds=[1, 2], plan=Plan(6), backend=backend)
    assert seen.zero_rows.tolist() == [6, 6]
    assert bool((seen.states[:, 0] == 0).all())
    assert seen.states[:, 1:].square().mean(dim=2).min().item() == pytest.approx(1)
    assert np.isfinite(seen.totals.sums).all()


def test_a_row_that_vanishes_stays_zero_and_is_counted(backend):
    start = torch.ones(16, 2, 3, dtype=torch.float64)
    seen = run(
        start, laws.rademacher(), gammas=inf, seeds=range(16), plan=Plan(40), backend=backend
    )
    states = seen.states
    assert bool(torch.isfinite(states).all())
    assert (seen.zero_rows > 0).all()  # half of all rows vanish in every layer
    assert float(states.abs().max()) == 0
    assert (seen.least("r") == 0).all()
    assert np.isfinite(seen.totals.sums).all()


def next_signs(signs, law):
    """Probabilities of sign(W u) for a column u of signs, from the atoms of the law."""
    row = {}
    for choice in product(law.atoms, repeat=len(signs)):
        total = sum(value * sign for (value, _), sign in zip(choice, signs, strict=True))
        mass = Fraction(1)
        for _, share in choice:
            mass *= share
        assert total != 0
        row[total > 0] = row.get(total > 0, 0) + mass
    return float(row.get(True, 0))


def test_averages_of_a_finite_chain_against_its_exact_invariant_law(backend):
    # rank one, gamma = inf: the state is the column of signs, 8 of them for d = 3
    law, d = laws.asymmetric(), 3
    patterns = list(product((-1, 1), repeat=d))
    matrix = np.zeros((8, 8))
    for a, signs in enumerate(patterns):
        up = next_signs(signs, law)
        for b, after in enumerate(patterns):
            matrix[a, b] = np.prod([up if sign > 0 else 1 - up for sign in after])
    values, vectors = np.linalg.eig(matrix.T)
    invariant = np.real(vectors[:, np.argmax(np.real(values))])
    invariant /= invariant.sum()
    plan = Plan(4000, 100, moments=((0, 1),), hidden=((0, 0),))
    start = torch.ones(16, d, 1, dtype=torch.float64)
    seen = run(start, law, gammas=inf, seeds=range(16), plan=plan, backend=backend)
    for name, wanted in (
        ("M[0,1]", sum(p * s[0] * s[1] for p, s in zip(invariant, patterns, strict=True))),
        (hidden_name(0, 0), sum(p * s[0] for p, s in zip(invariant, patterns, strict=True))),
    ):
        found = seen.estimate(name)
        error = found.error.mean() / 4
        assert abs(found.value.mean() - wanted) < 5 * error
        assert error < 0.02
    assert abs(sum(p * s[0] * s[1] for p, s in zip(invariant, patterns, strict=True))) > 0.02


def test_expectations_of_one_step_against_enumeration(backend):
    start = torch.tensor([[1.0, 2.0], [0.5, -1.0]], dtype=torch.float64)
    gamma, count = 0.4, 20_000
    start = start / start.square().mean(dim=1, keepdim=True).sqrt()
    exact = []
    for signs in product((-1.0, 1.0), repeat=4):
        weight = torch.tensor(signs, dtype=torch.float64).reshape(2, 2)
        after = start + gamma * weight @ start
        M = after @ after.T / 2
        exact.append(float(M[0, 1] ** 2 / (M[0, 0] * M[1, 1])))
    wanted = 2 + 2 * np.mean(exact)
    seen = run(
        start, laws.rademacher(), gammas=gamma, seeds=range(count), plan=Plan(1), backend=backend
    )
    found = seen.mean("frobenius")
    assert abs(found.mean() - wanted) < 5 * found.std() / sqrt(count)
    assert found.std() > 0.1


# determinism and shape ---------------------------------------------------------------------------
@pytest.mark.parametrize("width", [5, 41])
def test_a_chain_does_not_depend_on_threads_or_neighbours(width):
    pytest.importorskip("numba", reason="compiled kernels need Numba")
    start = full(29, width, 5)
    plan = Plan(300, 50, thresholds=(0.5,), checkpoints=(0, 100, 300), keep_states=True)
    law = laws.gaussian()
    every = [
        run(start, law, gammas=0.3, seeds=range(29), plan=plan, backend="numba", threads=threads)
        for threads in (1, 2, 5)
    ]
    for other in every[1:]:
        assert np.array_equal(every[0].totals.sums, other.totals.sums)
        assert torch.equal(every[0].states, other.states)
    alone = run(start[17], law, gammas=0.3, seeds=[17], plan=plan, backend="numba")
    assert np.array_equal(alone.totals.sums[0], every[0].totals.sums[17])
    assert torch.equal(alone.states[0], every[0].states[17])
    straight = Plan(300, 50, thresholds=(0.5,))
    unbroken = run(start, law, gammas=0.3, seeds=range(29), plan=straight, backend="numba")
    assert np.array_equal(unbroken.totals.sums, every[0].totals.sums)


def test_laws_may_differ_from_chain_to_chain(backend):
    start = full(6, 3, 3)
    several = [laws.gaussian(), laws.rademacher(), laws.positive(3)] * 2
    plan = Plan(30, checkpoints=(10,), keep_states=True)
    mixed = run(start, several, gammas=0.2, seeds=range(6), plan=plan, backend=backend)
    for c, law in enumerate(several):
        one = run(start[c], law, gammas=0.2, seeds=[c], plan=plan, backend=backend)
        assert mixed.mean("r")[c] == pytest.approx(one.mean("r")[0], rel=1e-10)
        assert torch.allclose(mixed.states[c], one.states[0], atol=1e-9)
        assert torch.allclose(mixed.checkpoints[0].states[c], one.checkpoints[0].states[0])


def test_checkpoints_hold_the_spectra(backend):
    start = full(3, 4, 6)
    plan = Plan(20, checkpoints=(0, 5), keep_states=True)
    seen = run(start, laws.gaussian(), gammas=0.5, seeds=range(3), plan=plan, backend=backend)
    first, later = seen.checkpoints
    assert torch.equal(first.states, start)
    path = plain(start[1], laws.gaussian(), 0.5, 1, 5)
    assert np.abs(later.states[1].numpy() - path[-1]).max() < 1e-10
    squares = later.singular_values.square()
    assert torch.allclose(squares, later.eigenvalues, atol=1e-12)
    assert later.eigenvalues.sum(dim=1).tolist() == pytest.approx([4] * 3)
    assert bool((later.eigenvalues.diff(dim=1) <= 0).all())


def test_centred_rows(backend):
    start = full(2, 4, 5) + 3
    plan = Plan(5, 4)
    seen = run(
        start, laws.gaussian(), gammas=0.5, seeds=[1, 2], plan=plan, centred=True, backend=backend
    )
    assert float(seen.states.mean(dim=2).abs().max()) < 1e-14
    assert seen.mean("row_means").max() < 1e-28
    hidden = start[0]
    for layer in range(5):
        weight = counters.weights(
            laws.gaussian(), counters.bases(counters.tensor_keys([1]), layer), 4, 4
        )[0]
        hidden = hidden + 0.5 * weight @ hidden
        hidden = hidden - hidden.mean(dim=1, keepdim=True)
        hidden = hidden / hidden.square().mean(dim=1, keepdim=True).sqrt()
    assert torch.allclose(hidden, seen.states[0], atol=1e-11)


def test_halves_and_batches():
    plan = Plan(103, 10, 3, batches=7)
    assert plan.observed == 31
    assert plan.counts.sum() == 31
    numbers = [plan.batch(layer) for layer in range(104)]
    assert [numbers.count(b) for b in range(7)] == plan.counts.tolist()
    assert sorted(filter(lambda b: b >= 0, numbers)) == [b for b in numbers if b >= 0]
    seen = run(full(2, 3, 3), laws.gaussian(), gammas=1.0, seeds=[0, 1], plan=plan)
    means = seen.batch_means("r")
    half = (means * plan.counts)[:, :3].sum(axis=1) / plan.counts[:3].sum()
    assert seen.first_half("r") == pytest.approx(half)
    assert (means * plan.counts).sum(axis=1) / 31 == pytest.approx(seen.mean("r"))


def test_soft_ranks_of_known_spectra():
    eigenvalues = torch.tensor([[2.0, 1.0, 0.0]], dtype=torch.float64)
    found = [soft_ranks(eigenvalues, tau).tolist() for tau in (-1.0, 0.0, 0.5, 1.0, 1.5, 3.0)]
    assert found == [[3], [3], [2], [2], [1], [0]]


def test_the_joining_layer():
    states = full(3, 4, 6)
    wide = joined_to_width(states, 7, laws.gaussian(), [10, 11, 12])
    assert wide.shape == (3, 7, 6)
    assert torch.allclose(wide.square().mean(dim=2), torch.ones(3, 7, dtype=torch.float64))
    assert torch.linalg.matrix_rank(wide).tolist() == [4, 4, 4]


def test_without_numba_torch_does_it(monkeypatch):
    monkeypatch.setattr("numerics.chains.normalised.find_spec", lambda name: None)
    start, law, plan = full(2, 3, 3), laws.gaussian(), Plan(5)
    seen = run(start, law, gammas=1.0, seeds=[0, 1], plan=plan)
    assert seen.backend == "torch"
    assert seen.mean("r").shape == (2,)


def test_wrong_arguments_are_named():
    start, law, plan = full(2, 3, 3), laws.gaussian(), Plan(5)
    with pytest.raises(ValueError, match="'fast'"):
        run(start, law, gammas=1.0, seeds=[0, 1], plan=plan, backend="fast")
    with pytest.raises(ValueError, match="finite inputs"):
        run(start * inf, law, gammas=1.0, seeds=[0, 1], plan=plan)
    with pytest.raises(ValueError, match="3 laws for 2"):
        run(start, [law] * 3, gammas=1.0, seeds=[0, 1], plan=plan)
    with pytest.raises(ValueError, match="not measured"):
        run(start, law, gammas=1.0, seeds=[0, 1], plan=plan).mean("rank")
    with pytest.raises(ValueError, match="no layer"):
        Plan(5, 5)
    with pytest.raises(ValueError, match=r"\[6\]"):
        Plan(5, checkpoints=(6,))
