import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics.chains import counters
from numerics.chains.laws import gaussian, rademacher


def test_the_finaliser_is_that_of_splitmix():
    # the first numbers of SplitMix64 from seed 0 (Steele, Lea, Flood), as in its public code
    words = [counters.mixed(counters.GOLDEN * k & counters.MASK) for k in (1, 2)]
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


@given(st.integers(0, 2**70), st.integers(0, 10**7), st.integers(1, 20))
def test_tensors_and_integers_give_the_same_words(seed, layer, place):
    keys = counters.tensor_keys([seed])
    base = counters.bases(keys, layer)
    wanted = counters.mixed((counters.key_of(seed) + counters.GOLDEN * (layer + 1)) & counters.MASK)
    assert int(base[0]) % 2**64 == wanted
    word = counters.mixed((wanted + counters.GOLDEN * place) & counters.MASK)
    found = counters.uniforms(base, place)[0, place - 1]
    assert float(found) == (word >> 12) * 2.0**-52 + 2.0**-53


def test_uniform_numbers_are_uniform_and_uncorrelated():
    keys = counters.tensor_keys(range(300))
    numbers = torch.cat([counters.uniforms(counters.bases(keys, k), 300) for k in range(3)])
    assert 0 < float(numbers.min()) < 1e-4
    assert 1 - 1e-4 < float(numbers.max()) < 1
    counts = torch.histc(numbers, 64, 0, 1)
    expected = numbers.numel() / 64
    assert float(((counts - expected) ** 2 / expected).sum()) < 64 + 5 * (2 * 64) ** 0.5
    centred = (numbers - 0.5) * 12**0.5
    for one, two in (
        (centred[:, 1:], centred[:, :-1]),  # neighbours
        (centred[1:300], centred[:299]),  # seeds
        (centred[300:600], centred[:300]),  # layers
    ):
        assert abs(float((one * two).mean())) < 5 / one.numel() ** 0.5


def test_layers_and_seeds_differ():
    keys = counters.tensor_keys([1, 2])
    first, second = (counters.weights(gaussian(), counters.bases(keys, k), 3, 3) for k in (0, 1))
    assert len(torch.cat([first, second]).unique()) == 4 * 9


def test_a_matrix_does_not_depend_on_the_batch():
    keys = counters.tensor_keys([7, 8, 9])
    together = counters.weights(rademacher(), counters.bases(keys, 4), 5, 5)
    alone = counters.weights(rademacher(), counters.bases(keys[1:2], 4), 5, 5)
    assert torch.equal(together[1], alone[0])
