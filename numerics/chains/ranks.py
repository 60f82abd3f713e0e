"""Ranks along chains: numerical ones with a named threshold, and ones that rounding cannot change.

A float64 weight is a rational number (an integer times a power of two), so I + gamma W has a rank
over the rationals. Modulo a prime a rank can only fall; where it is full there, it is full over the
rationals, and so is what multiplies by it: normalisation, which only stretches rows, cannot matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np
import torch
from torch import Tensor

from graphs.laws.modular import ranks
from numerics.chains.counters import bases, tensor_keys, weights
from numerics.chains.laws import Law

FOOTNOTE = 1e-7
PRIMES = (2**31 - 1, 2**31 - 19)  # products of two residues fit into 64 bits
MANTISSA = 53


def numerical_rank(hidden: Tensor, rule: str = "footnote2") -> Tensor:
    """(...) int64: how many singular values of H (..., d, N) are above the threshold.

    rule: "footnote2" for sigma_max d 1e-7 (footnote 2 of the paper), or "library" for the
    sigma_max max(d, N) eps of NumPy, Matlab and PyTorch, with eps of the dtype given. Values are
    computed in the dtype of H. Raises ValueError for another rule.
    """
    d, n = hidden.shape[-2:]
    factors = {"footnote2": d * FOOTNOTE, "library": max(d, n) * torch.finfo(hidden.dtype).eps}
    if rule not in factors:
        raise ValueError(f"rule {rule!r}: use {' or '.join(factors)}")
    values = torch.linalg.svdvals(hidden)
    return (values > factors[rule] * values[..., :1]).sum(dim=-1)


# modulo a prime ----------------------------------------------------------------------------------
def residues(numbers: np.ndarray, prime: int) -> np.ndarray:
    """The float64 numbers modulo an odd prime below 2^31, as int64: each is m 2^e, and 2 has an
    inverse.

    >>> residues(np.array([0.5, -3.0]), 7).tolist()
    [4, 4]
    """
    fractions, exponents = np.frexp(numbers)
    whole = np.ldexp(fractions, MANTISSA).astype(np.int64) % prime
    powers = exponents.astype(np.int64) - MANTISSA
    low = int(powers.min(initial=0))
    high = int(powers.max(initial=0))
    table = np.array([pow(2, power, prime) for power in range(low, high + 1)], dtype=np.int64)
    return whole * table[powers - low] % prime


def residue(number: Fraction | float, prime: int) -> int:
    """One rational number modulo the prime. Raises ValueError where its denominator is 0 there."""
    exact = Fraction(number)
    return exact.numerator * pow(exact.denominator, -1, prime) % prime


def _product(left: np.ndarray, right: np.ndarray, prime: int) -> np.ndarray:
    """left @ right modulo the prime, one rank-one term after the other: no sum overflows."""
    total = np.zeros((*left.shape[:2], right.shape[2]), dtype=np.int64)
    for k in range(left.shape[2]):
        total = (total + left[:, :, k : k + 1] * right[:, k : k + 1, :]) % prime
    return total


class Factors:
    """The factors I + gamma W_l of C chains, exactly: those that numerics.chains.normalised uses
    for the same seeds. gamma: a rational, a float (taken as the rational that it is) or infinity,
    for the factors W_l."""

    def __init__(self, law: Law, width: int, gamma: Fraction | float, seeds: Sequence[int]) -> None:
        self._law, self._width = law, width
        self._keys = tensor_keys(seeds)
        infinite = gamma == inf
        self._keep = Fraction(0) if infinite else Fraction(1)
        self._strength = Fraction(1) if infinite else Fraction(gamma)

    def drawn(self, layer: int) -> np.ndarray:
        """(C, d, d) float64: W of the layer from `layer` to the next."""
        return weights(self._law, bases(self._keys, layer), self._width, self._width).numpy()

    def modulo(self, drawn: np.ndarray, prime: int) -> np.ndarray:
        """(C, d, d): the factors of the drawn W modulo the prime. Entries of a law with atoms are
        the atoms themselves, not the floats next to them."""
        atoms = self._law.atoms
        if atoms is None:
            entries = residues(drawn, prime)
        else:
            table = np.array([residue(value, prime) for value, _ in atoms], dtype=np.int64)
            entries = table[self._numbers(drawn)]
        one = np.eye(self._width, dtype=np.int64) * residue(self._keep, prime)
        return (one + entries * residue(self._strength, prime)) % prime

    def _numbers(self, drawn: np.ndarray) -> np.ndarray:
        assert self._law.atoms is not None
        values = np.array([float(value) for value, _ in self._law.atoms])
        return np.abs(drawn[..., None] - values).argmin(axis=-1)


def product_ranks(
    law: Law,
    gamma: Fraction | float,
    seeds: Sequence[int],
    *,
    inputs: np.ndarray,
    layers: Sequence[int],
    prime: int = PRIMES[0],
) -> np.ndarray:
    """(C, K) int64: the ranks of B_l X modulo the prime, l in `layers`, for the product B_l of
    I + gamma W_k with new factors on the left: lower bounds on those over the rationals, and equal
    to them but for a chance of about 1 in the prime.

    inputs: X, (d, N) or (C, d, N) float64, taken as the rationals that they are.
    """
    given = np.asarray(inputs, dtype=np.float64)
    given = np.broadcast_to(given, (len(seeds), *given.shape[-2:]))
    factors = Factors(law, given.shape[1], gamma, seeds)
    state, found = residues(given, prime), {0: ranks(residues(given, prime), prime)}
    for layer in range(1, max(layers) + 1):
        state = _product(factors.modulo(factors.drawn(layer - 1), prime), state, prime)
        if layer in layers:
            found[layer] = ranks(state, prime)
    return np.stack([found[layer] for layer in layers], axis=1)
