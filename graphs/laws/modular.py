"""Linear algebra modulo a prime: ranks, null spaces, and the ranks of very many small matrices.

FLINT does the work where python-flint is installed, NumPy elsewhere; small matrices are eliminated
together. Primes are below 2^31, so that a product of two residues fits 64 bits.

The rank of an integer (or rational) matrix modulo a prime is at most its rank over Q: a rank found
here is a lower bound, a nullity an upper bound, whatever the prime.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

LARGEST = 2**31 - 1


class Field:
    """The residues modulo a prime p = 3 mod 4 in which the rationals given have square roots.

    squares: positive rationals (the squares of scales). Roots are multiplicative: that of a product
    is the product of the roots, so a relation between the real roots is one between the residues.
    """

    def __init__(self, squares: Iterable[Fraction] = ()) -> None:
        given = {n for q in squares for n in (q.numerator, q.denominator)}
        self._factors = {n: _factors(n) for n in given}
        needed = sorted({f for factors in self._factors.values() for f in factors})
        self.p = _prime(needed)

    def residue(self, number: Fraction) -> int:
        """The residue of a rational whose denominator p does not divide."""
        if number.denominator == 1:
            return number.numerator % self.p
        return number.numerator * pow(number.denominator, -1, self.p) % self.p

    def root(self, square: Fraction) -> int:
        """The square root of one of the rationals the field was made for."""
        up, down = self._root(square.numerator), self._root(square.denominator)
        return up * pow(down, -1, self.p) % self.p

    def _root(self, number: int) -> int:
        result = 1
        for factor in self._factors[number]:
            result = result * pow(factor, (self.p + 1) // 4, self.p) % self.p
        return result

    def draw(self, random: np.random.Generator, *shape: int) -> np.ndarray:
        """Residues other than 0, uniform."""
        return random.integers(1, self.p, size=shape, dtype=np.int64)


def rank(matrix: np.ndarray, p: int) -> int:
    """The rank modulo p of an int64 matrix of residues."""
    if matrix.size == 0:
        return 0
    try:
        import flint
    except ImportError:
        return int(ranks(matrix[None], p)[0])
    rows, columns = matrix.shape
    return int(flint.nmod_mat(rows, columns, matrix.ravel().tolist(), p).rank())


def reduced(matrix: np.ndarray, p: int) -> tuple[np.ndarray, list[int]]:
    """The non-zero rows of the reduced row echelon form modulo p, and its pivot columns."""
    rows, columns = matrix.shape
    if matrix.size == 0:
        return np.zeros((0, columns), dtype=np.int64), []
    try:
        import flint
    except ImportError:
        return _reduced(matrix, p)
    form, found = flint.nmod_mat(rows, columns, matrix.ravel().tolist(), p).rref()
    array = np.array([int(c) for c in form.entries()], dtype=np.int64).reshape(rows, columns)
    return array[:found], [int(np.flatnonzero(row)[0]) for row in array[:found]]


def nullspace(matrix: np.ndarray, p: int) -> np.ndarray:
    """(nullity, columns): a basis of the vectors v with matrix v = 0 modulo p.

    Each has a 1 in a column of its own, in which the others have 0.
    """
    form, pivots = reduced(matrix, p)
    columns = matrix.shape[1]
    free = [c for c in range(columns) if c not in set(pivots)]
    basis = np.zeros((len(free), columns), dtype=np.int64)
    for row, column in enumerate(free):
        basis[row, column] = 1
        basis[row, pivots] = -form[:, column] % p
    return basis


def ranks(matrices: np.ndarray, p: int) -> np.ndarray:
    """(B,): the ranks modulo p of matrices (B, rows, columns) of residues, eliminated together."""
    work = np.array(matrices, dtype=np.int64)
    count, rows, columns = work.shape
    found = np.zeros(count, dtype=np.int64)
    every = np.arange(count)
    for column in range(columns):
        usable = (work[:, :, column] != 0) & (np.arange(rows) >= found[:, None])
        chosen = usable.argmax(axis=1)
        has = usable[every, chosen]
        if not has.any():
            continue
        place = np.where(has, found, 0).clip(max=rows - 1)
        source = np.where(has, chosen, place)
        first, second = work[every, place].copy(), work[every, source].copy()
        work[every, source], work[every, place] = first, second
        # cross-multiplied, so that nothing is inverted
        lead = np.where(has, second[:, column], 1)
        below = np.arange(rows) > place[:, None]
        factor = np.where(below & has[:, None], work[:, :, column], 0)
        scale = np.where(below & has[:, None], lead[:, None], 1)
        rest = slice(column, columns)
        work[:, :, rest] = (
            scale[:, :, None] * work[:, :, rest] % p
            - factor[:, :, None] * second[:, None, rest] % p
        ) % p
        found += has
    return found


def as_rational(residue: int, p: int, bound: int = 1000) -> Fraction | None:
    """The rational a/b with |a|, b <= bound of this residue, None if there is none.

    bound: at most sqrt(p/2), where it is unique; small, so that the residue of something else (a
    root, say) hardly ever is one of a small rational.
    """
    old, new, old_s, new_s = p, residue % p, 0, 1
    while new > bound:
        quotient = old // new
        old, new = new, old - quotient * new
        old_s, new_s = new_s, old_s - quotient * new_s
    if new_s == 0 or abs(new_s) > bound:
        return None
    return Fraction(new, new_s)


def _reduced(matrix: np.ndarray, p: int) -> tuple[np.ndarray, list[int]]:
    work = np.array(matrix, dtype=np.int64)
    pivots: list[int] = []
    for column in range(work.shape[1]):
        row = len(pivots)
        below = np.flatnonzero(work[row:, column])
        if not len(below):
            continue
        chosen = row + int(below[0])
        work[[row, chosen]] = work[[chosen, row]]
        work[row] = work[row] * pow(int(work[row, column]), -1, p) % p
        factor = work[:, column].copy()
        factor[row] = 0
        work = (work - factor[:, None] * work[row] % p) % p
        pivots.append(column)
    return work[: len(pivots)], pivots


def _factors(number: int) -> list[int]:
    """The prime factors of a positive integer, with multiplicity."""
    factors, divisor = [], 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return [*factors, number] if number > 1 else factors


def _prime(residues: Sequence[int]) -> int:
    """The largest prime p = 3 mod 4 up to 2^31 - 1 modulo which the primes given are squares."""
    p = LARGEST
    while not (
        all(pow(q, (p - 1) // 2, p) == 1 for q in residues) and p not in residues and _is_prime(p)
    ):
        p -= 4
    return p


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test with bases that decide every n below 3.2 * 10^9 (Jaeschke 1993)."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        if not any((power := power * power % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True
