"""Check one certificate of a claim that is not in the language: `python -m verify.checker FILE`.

Exit 0: accepted, what the certificate says is so. 1: rejected. 2: declined (a kind, a claim or a
version that is not known here, or too large). One line says why. All arithmetic is exact, in
rationals. This is written from the paper's statements, a second time and on purpose: it shares no
code with the search that found the certificate.

What an accepted certificate says:
- counterexample: the case meets every hypothesis of the claim, and the named entry of the claim's
  residual is exactly the given number, which is not 0 (of an inequality: is negative), or, where it
  is irrational, lies in the given enclosure. The claim is false as printed. (Enclosures are of
  growing precision, rounded outward; series have a bound on what they leave out.)
- witness: the same, for a claim that some case exists.
- necessity: the case violates the claim in the same way and meets every hypothesis but the named
  one, which it does not meet. So without that hypothesis the claim would be false.

In order: reading and strict validation; enclosures; arrays, their eigenvalues, networks made of
them; residuals; the table of claims; the kinds; the program.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import isqrt, lcm
from pathlib import Path as File
from typing import Any, NamedTuple, TypeVar

FORMAT, VERSION = "lemmata-certificate", 1
ACCEPT, REJECT, DECLINE = 0, 1, 2

LARGEST_FILE = 64 * 2**20  # bytes
LONGEST_NUMBER = 2000  # digits of a numerator or denominator
MOST_ROWS = 64  # of an array along one axis
MOST_BITS = 100_000  # of all numbers of a case made of arrays
MOST_TERMS = 200_000  # of the product of two matrices
MOST_WORK = 10**9  # on one matrix: about the steps of its eliminations times the bits of a number
MOST_TOGETHER = 2 * 10**10  # the same on all matrices of one certificate
MOST_LAYERS = 512  # of a network made of arrays
LARGEST_POWER = 64  # a numerator of an exponent up to which a power is taken exactly
LARGEST_EXPONENT = 2_000  # of exp
PRECISIONS = (40, 80, 160, 320)  # bits of enclosures, tried in turn
LONGEST_MESSAGE = 500

Number = Any  # a Fraction, or an Interval
T = TypeVar("T")


class Outcome(NamedTuple):
    """The exit code, and one line that says why."""

    code: int
    message: str


class Rejected(Exception):
    """The certificate does not show what it says."""


class Declined(Exception):
    """The certificate is beyond this checker."""


class Undecided(Exception):
    """A comparison that enclosures as wide as these do not decide."""


def require(condition: bool, message: str) -> None:
    """Reject with the message unless the condition holds."""
    if not condition:
        raise Rejected(message)


def digits(number: Number) -> str:
    """A number as text."""
    try:
        return str(number)
    except ValueError:  # Python writes no more than some thousands of digits
        return "a very long number"


# reading and strict validation ------------------------------------------------------------------
def read_json(content: bytes) -> object:
    """The JSON value in a file: no key twice, no float, no NaN."""
    if len(content) > LARGEST_FILE:
        raise Declined(f"the file has {len(content)} bytes, more than {LARGEST_FILE}")
    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_float=_refuse_float,
            parse_constant=_refuse_float,
            parse_int=_read_integer,
        )
    except (ValueError, RecursionError) as error:
        raise Rejected(f"the file is not JSON: {error}") from error


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        require(key not in result, f"the key {key!r} stands twice in one object")
        result[key] = value
    return result


def _refuse_float(literal: str) -> object:
    raise Rejected(f'the number {literal} is no exact number: write "p/q" or an integer')


def _read_integer(literal: str) -> int:
    _check_length(literal)
    return int(literal)


def _check_length(literal: str) -> None:
    if len(literal) > LONGEST_NUMBER:
        raise Declined(f"a number of {len(literal)} characters, more than {LONGEST_NUMBER}")


def fields(
    value: object, where: str, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, Any]:
    """A JSON object with all the needed keys, and none beside these and the optional ones."""
    if not isinstance(value, dict):
        raise Rejected(f"{where} is no JSON object")
    needed = set(needed)
    allowed = needed | set(optional)
    for key in sorted(needed):
        require(key in value, f"{where} lacks {key!r}")
    for key in value:
        require(key in allowed, f"{where} has the unknown key {key!r}")
    return value


def array(value: object, where: str, length: int | None = None) -> list[Any]:
    """A JSON array, of the given length if one is given."""
    if not isinstance(value, list):
        raise Rejected(f"{where} is no JSON array")
    require(length is None or len(value) == length, f"{where} does not have length {length}")
    return value


def text(value: object, where: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str) or not value:
        raise Rejected(f"{where} is no text")
    return value


def integer(value: object, where: str) -> int:
    """A JSON integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Rejected(f"{where} is no integer")
    if value.bit_length() > 4 * LONGEST_NUMBER:
        raise Declined(f"{where} is a number of {value.bit_length()} bits")
    return value


def rational(value: object, where: str) -> Fraction:
    """A rational: "p/q" or "p" with decimal integers, or a JSON integer."""
    if isinstance(value, str):
        _check_length(value)
        match = re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", value)
        if match is None:
            raise Rejected(f'{where} is {value!r}: write "p/q" or "p"')
        denominator = int(match[2] or 1)
        require(denominator != 0, f"{where} is {value!r}, with denominator 0")
        return Fraction(int(match[1]), denominator)
    return Fraction(integer(value, where))


def known(name: object, names: Mapping[str, T] | Collection[str], where: str) -> str:
    """One of the given names."""
    if not isinstance(name, str):
        raise Rejected(f"{where} is no text")
    require(name in names, f"{where} is {name!r}, which is not there")
    return name


def violated(holds: bool) -> Fraction:
    """The residual of a predicate: 1 where it does not hold."""
    return Fraction(0 if holds else 1)


# arrays: matrices and numbers without a network ---------------------------------------------------
Row = list[Fraction]
Rows = list[Row]


@dataclass(frozen=True, eq=False)
class Interval:
    """Two rationals between which a number lies; equal ones where it is known exactly.

    A comparison holds of the number itself, or is Undecided.
    """

    low: Fraction
    high: Fraction

    def __add__(self, other: Interval | Fraction | int) -> Interval:
        second = interval(other)
        return Interval(self.low + second.low, self.high + second.high)

    def sign(self) -> int:
        """Of the number: -1, 0 or 1."""
        if self.low <= 0 <= self.high and self.low != self.high:
            raise Undecided
        return (self.low > 0) - (self.high < 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval | Fraction | int) and (self - other).sign() == 0

    def __lt__(self, other: Interval | Fraction | int) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: Interval | Fraction | int) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: Interval | Fraction | int) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: Interval | Fraction | int) -> bool:
        return (self - other).sign() >= 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __hash__(self) -> int:
        return 0  # equal numbers may have different enclosures

    def __abs__(self) -> Interval:
        if self.low < 0 < self.high:
            return Interval(Fraction(0), max(-self.low, self.high))
        return -self if self.high <= 0 else self

    def __pow__(self, power: int) -> Interval:
        result = self.square() if power > 1 else interval(1)
        for _ in range(power - 2 if power > 1 else power):
            result = result * self
        return result

    def __truediv__(self, other: Interval | Fraction | int) -> Interval:
        second = interval(other)
        if second.sign() == 0:
            raise Rejected("a number is divided by 0")
        return self * Interval(1 / second.high, 1 / second.low)

    def __rtruediv__(self, other: Fraction | int) -> Interval:
        return interval(other) / self

    def __rsub__(self, other: Fraction | int) -> Interval:
        return -self + other

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval | Fraction | int) -> Interval:
        return self + -interval(other)

    def __mul__(self, other: Interval | Fraction | int) -> Interval:
        second = interval(other)
        ends = [a * b for a in (self.low, self.high) for b in (second.low, second.high)]
        return Interval(min(ends), max(ends))

    def square(self) -> Interval:
        """The squares of its numbers."""
        ends = (self.low**2, self.high**2)
        return Interval(Fraction(0) if self.low < 0 < self.high else min(ends), max(ends))

    __radd__ = __add__
    __rmul__ = __mul__


def interval(value: Interval | Fraction | int) -> Interval:
    """A number as an interval."""
    if isinstance(value, Interval):
        return value
    number = value if isinstance(value, Fraction) else Fraction(value)
    return Interval(number, number)


def outward(value: Interval, bits: int) -> Interval:
    """The same with ends that are multiples of 2^-bits, a little further out."""
    scale = 1 << bits
    low, high = (value.low * scale).__floor__(), (value.high * scale).__ceil__()
    return Interval(Fraction(low, scale), Fraction(high, scale))


# exp, log, and what is made of them --------------------------------------------------------------
def exponential(x: Fraction, bits: int) -> Interval:
    """exp(x): by the series of exp(t), t = x / 2^k in [0, 1/2], and k squarings.

    In integers, in units of 2^-w, every operation rounded down for one end and up for the other.
    Each term of the series is at most half of the one before, so those left out are together at
    most twice the first of them.
    """
    if x < 0:
        whole = exponential(-x, bits)
        return Interval(1 / whole.high, 1 / whole.low)
    if x > LARGEST_EXPONENT:
        raise Declined(f"an exponent is above {LARGEST_EXPONENT}")
    halvings = (2 * x).__ceil__().bit_length()
    w = bits + 2 * halvings + 3 * x.__ceil__() + 16
    small, ends = x / 2**halvings, []
    for up in (False, True):
        t = _units(small, w, up)
        term, total, k = 1 << w, 0, 0
        while term > 1:
            k += 1
            total += term
            term = _over(term * t, k << w, up)
        total += 2 * term if up else 0
        for _ in range(halvings):
            total = _over(total * total, 1 << w, up)
        ends.append(Fraction(total, 1 << w))
    return Interval(*ends)


def logarithm(x: Fraction, bits: int) -> Interval:
    """log(x) = k log 2 + log m with m = x / 2^k in [2/3, 4/3]."""
    require(x > 0, "the logarithm of a number that is not positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    x /= Fraction(2) ** k
    while x * 3 > 4:
        x, k = x / 2, k + 1
    while x * 3 < 2:
        x, k = x * 2, k - 1
    y = (x - 1) / (x + 1)  # at most 1/5 in size
    part = -atanh(-y, bits) if y < 0 else atanh(y, bits)
    return (atanh(Fraction(1, 3), bits + k.bit_length()) * k + part) * 2


def atanh(y: Fraction, bits: int) -> Interval:
    """log((1 + y) / (1 - y)) / 2 for y in [0, 1/3]: the sum of y^k / k over odd k.

    Each term is at most 1/9 of the one before, so those left out are together at most twice the
    first of them.
    """
    w, ends = bits + 16, []
    for up in (False, True):
        t = _units(y, w, up)
        power, total, k = t, 0, 1
        while power > 1:
            total += _over(power, k, up)
            power = _over(power * t * t, 1 << 2 * w, up)
            k += 2
        ends.append(Fraction(total + 2 * power if up else total, 1 << w))
    return Interval(*ends)


def _units(x: Fraction, w: int, up: bool) -> int:
    return _over(x.numerator << w, x.denominator, up)


def _over(numerator: int, denominator: int, up: bool) -> int:
    """The quotient, rounded up or down."""
    return -(-numerator // denominator) if up else numerator // denominator


def square_root(x: Fraction, bits: int) -> Interval:
    """sqrt(x), exactly where it is rational."""
    top, bottom = isqrt(x.numerator), isqrt(x.denominator)
    if top**2 == x.numerator and bottom**2 == x.denominator:
        return interval(Fraction(top, bottom))
    root = isqrt(_units(x, 2 * bits, up=False))
    return Interval(Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits))


def rising(function: Callable[[Fraction, int], Interval], z: Interval, bits: int) -> Interval:
    """The values of an increasing function on an interval."""
    return Interval(function(z.low, bits).low, function(z.high, bits).high)


def trimmed(value: Interval) -> Interval:
    """The same with ends that are no longer than its width warrants, a little further out; of the
    same sign."""
    if value.low == value.high:
        return value

    def unit(end: Fraction) -> Fraction:
        smaller = min(value.high - value.low, abs(end) or value.high - value.low)
        size = smaller.numerator.bit_length() - smaller.denominator.bit_length()
        return Fraction(2) ** (size - 6)

    below, beyond = unit(value.low), unit(value.high)
    return Interval(
        (value.low / below).__floor__() * below, (value.high / beyond).__ceil__() * beyond
    )


def exponential_of(value: Interval | Fraction | int, bits: int) -> Interval:
    """exp of a number."""
    return trimmed(rising(exponential, interval(value), bits))


def logarithm_of(value: Interval | Fraction | int, bits: int) -> Interval:
    """log of a positive number."""
    z = interval(value)
    if z.low <= 0 < z.high:
        raise Undecided
    return trimmed(rising(logarithm, z, bits))


def root_of(value: Interval | Fraction | int, bits: int) -> Interval:
    """The square root of a number of at least 0, to about so many bits of it."""
    z = interval(value)
    if z.low < 0 <= z.high and z.low != z.high:
        raise Undecided
    require(z.low >= 0, "the root of a number that is negative")
    small = max(0, z.low.denominator.bit_length() - z.low.numerator.bit_length()) if z.low else 0
    return trimmed(rising(square_root, z, bits + small // 2 + 1))


def power_of(value: Interval | Fraction | int, exponent: Fraction | int, bits: int) -> Interval:
    """A number of at least 0 to a rational power, exactly where a root is rational.

    0 to the power 0 is 1.
    """
    z, q = interval(value), Fraction(exponent)
    if q == 0:
        return interval(1)
    if z.low < 0 <= z.high and z.low != z.high:
        raise Undecided
    require(z.low >= 0, "a power of a number that is negative")
    if q < 0:
        if z.low == 0 < z.high:
            raise Undecided
        require(z.low > 0, "a negative power of 0")
        whole = power_of(z, -q, bits)
        return Interval(1 / whole.high, 1 / whole.low)

    def raised(x: Fraction, precision: int) -> Interval:
        if x == 0:
            return interval(0)
        root = rational_root(x, q.denominator) if q.numerator <= LARGEST_POWER else None
        if root is not None:
            charge(1, q.numerator * _bits(root))
            return interval(root**q.numerator)
        return rising(exponential, logarithm(x, precision + 16) * q, precision)

    return trimmed(rising(raised, z, bits))


def rational_root(x: Fraction, degree: int) -> Fraction | None:
    """The root of that degree of a positive rational, if it is rational."""
    top, bottom = integer_root(x.numerator, degree), integer_root(x.denominator, degree)
    exact = top**degree == x.numerator and bottom**degree == x.denominator
    return Fraction(top, bottom) if exact else None


def integer_root(number: int, degree: int) -> int:
    """The largest integer whose power of that degree is at most the number, which is positive."""
    if degree == 1:
        return number
    if number.bit_length() <= degree:
        return 1
    if degree == 2:
        return isqrt(number)
    charge(number.bit_length() // degree + 8, 2 * number.bit_length())
    root = 1 << -(-number.bit_length() // degree)  # above the root; Newton's method falls to it
    while True:
        following = ((degree - 1) * root + number // root ** (degree - 1)) // degree
        if following >= root:
            return root
        root = following


def maximum(*values: Interval | Fraction | int) -> Interval:
    """The largest of some numbers."""
    ends = [interval(value) for value in values]
    return Interval(max(end.low for end in ends), max(end.high for end in ends))


@dataclass(frozen=True)
class Arrays:
    """Named arrays of rationals, an entry, what was chosen, and how narrow enclosures are to be.

    waived: what a certificate of necessity does without.
    arrays: nested lists along the axes; a number where there are none. lengths: of the axes.
    """

    arrays: dict[str, Any]
    lengths: dict[str, int]
    choice: dict[str, Any]
    entry: dict[str, Any]
    bits: int = 0
    waived: frozenset[str] = frozenset()

    def matrix(self, name: str) -> Rows:
        """An array with two axes."""
        matrix: Rows = self.arrays[name]
        return matrix

    def vector(self, name: str) -> Row:
        """An array with one axis."""
        vector: Row = self.arrays[name]
        return vector

    def number(self, name: str) -> Fraction:
        """An array without axes."""
        number: Fraction = self.arrays[name]
        return number

    def whole(self, name: str) -> int:
        """An integer."""
        return int(self.arrays[name])

    # functions of matrices and numbers that are real, at the precision asked for

    def largest(self, symmetric: Rows) -> Interval:
        """The largest eigenvalue of a symmetric matrix."""
        return largest_eigenvalue(symmetric, self.bits)

    def sqrt(self, value: Interval | Fraction | int) -> Interval:
        """The square root of a number of at least 0."""
        return root_of(value, self.bits)

    def log(self, value: Interval | Fraction | int) -> Interval:
        """The logarithm of a positive number."""
        return logarithm_of(value, self.bits)

    # the entry
    def labels(self, **ranges: range) -> tuple[int, ...]:
        """The integers of an entry that has these labels and no other, each within its range."""
        entry = fields(self.entry, "the entry", ranges)
        for name, allowed in ranges.items():
            found = integer(entry[name], f"the {name} of the entry")
            require(found in allowed, f"the {name} of the entry is {found}, which is not there")
        return tuple(entry[name] for name in ranges)

    def part(self, names: Collection[str]) -> str:
        """The part of an entry {"part": name}."""
        return known(fields(self.entry, "the entry", ("part",))["part"], names, "the part")

    def alone(self) -> None:
        """The entry has no label: it is the only one."""
        fields(self.entry, "the entry", ())


def read_arrays(value: object, statement: MatrixStatement, entry: dict[str, Any]) -> Arrays:
    """The case of a claim about arrays: those that it speaks of, with axes that fit."""
    top = fields(value, "the case", ("format", "arrays"), ("choice",))
    require(top["format"] == "tensors", "the case is not made of arrays")
    named = top["arrays"]
    if not isinstance(named, dict):
        raise Rejected("the arrays are no JSON object")
    shapes = statement.shapes(named)
    records = fields(named, "the arrays", {*shapes, *statement.integers})
    lengths: dict[str, int] = {}
    arrays: dict[str, Any] = {}
    for name, axes in shapes.items():
        if name in statement.integers:
            continue
        item = fields(records[name], f"the array {name!r}", ("axes", "entries"))
        require(item["axes"] == list(axes), f"the axes of {name!r} are not {list(axes)}")
        arrays[name] = _read_entries(item["entries"], axes, lengths, f"the array {name!r}")
    for name in statement.integers:
        axes = shapes.get(name, ())
        item = fields(records[name], f"the number {name!r}", ("axes", "entries", "integer"))
        require(item["axes"] == list(axes) and item["integer"] is True, f"{name!r} is no integer")
        arrays[name] = _read_entries(item["entries"], axes, lengths, f"the number {name!r}")
        whole = all(number.denominator == 1 for number in _flat(arrays[name]))
        require(whole, f"{name!r} is no integer")
    choice = fields(top.get("choice", {}), "the choice", (), statement.choices)
    if _bits(list(arrays.values())) > MOST_BITS:
        raise Declined(f"the numbers have more than {MOST_BITS} bits together")
    return statement.case(arrays, lengths, choice, entry)


def _flat(value: Any) -> Iterator[Fraction]:
    if not isinstance(value, list):
        yield value
        return
    for item in value:
        yield from _flat(item)


def _bits(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_bits, value))
    if isinstance(value, Interval):
        return _bits([value.low, value.high])
    return int(value.numerator.bit_length() + value.denominator.bit_length())


def affordable(matrix: Rows, rounds: int, more: int = 0) -> None:
    """Decline what would take long: so many eliminations, of numbers with so many bits more."""
    numbers = [entry for row in matrix for entry in row]
    bits = common_bits(numbers)
    bits += max(entry.numerator.bit_length() for entry in numbers) + more
    short, long = sorted((len(matrix), len(matrix[0])))
    charge(rounds * short**3 * long, bits, f"a matrix with {len(matrix)} rows and such numbers")


SPENT: ContextVar[list[int] | None] = ContextVar("the work of the check under way", default=None)


@contextmanager
def metered() -> Iterator[None]:
    """Within it `charge` adds up what a check takes."""
    token = SPENT.set([0])
    try:
        yield
    finally:
        SPENT.reset(token)


def charge(steps: int, bits: int, what: str = "a step with such numbers") -> None:
    """Decline what would take long: so many steps with numbers of so many bits, by themselves or
    with all that this check has taken before."""
    work = steps * bits * (1 + bits // 1000)  # long numbers take more than in proportion
    if work > MOST_WORK:
        raise Declined(f"{what} takes too long")
    spent = SPENT.get()
    if spent is not None:
        spent[0] += work
        if spent[0] > MOST_TOGETHER:
            raise Declined("the matrices of this certificate take too long together")


def common_bits(numbers: Iterable[Fraction]) -> int:
    """Of the least common denominator, or about so many where that takes long."""
    denominators = {number.denominator for number in numbers}
    together = sum(d.bit_length() for d in denominators)
    return lcm(*denominators).bit_length() if together <= MOST_BITS else together


def longest_sum(rows: Rows) -> int:
    """About how many bits a sum along a row has at most."""
    return max(
        common_bits(row) + max(entry.numerator.bit_length() for entry in row) for row in rows
    )


def _read_entries(value: object, axes: Sequence[str], lengths: dict[str, int], where: str) -> Any:
    if not axes:
        return rational(value, f"an entry of {where}")
    items = array(value, where, lengths.get(axes[0]))
    require(bool(items), f"{where} is empty")
    if len(items) > MOST_ROWS:
        raise Declined(f"{where} has an axis longer than {MOST_ROWS}")
    lengths[axes[0]] = len(items)
    return [_read_entries(item, axes[1:], lengths, where) for item in items]


def transposed(matrix: Rows) -> Rows:
    """The transpose."""
    return [list(column) for column in zip(*matrix, strict=True)]


def times(one: Rows, other: Rows) -> Rows:
    """The product of two matrices."""
    columns = transposed(other)
    terms = len(one) * len(other) * len(columns)
    if terms > MOST_TERMS:
        raise Declined(f"the product of two matrices takes more than {MOST_TERMS} terms")
    charge(terms, longest_sum(one) + longest_sum(columns), "a product of matrices of such numbers")
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in one
    ]


def plus(one: Rows, other: Rows) -> Rows:
    """The sum of two matrices."""
    pairs = zip(one, other, strict=True)
    return [[a + b for a, b in zip(row, second, strict=True)] for row, second in pairs]


def minus(one: Rows, other: Rows) -> Rows:
    """The difference of two matrices."""
    return plus(one, [[-b for b in row] for row in other])


def beside(one: Rows, other: Rows) -> Rows:
    """[A B]."""
    return [row + second for row, second in zip(one, other, strict=True)]


def frobenius_squared(matrix: Rows) -> Fraction:
    """The sum of the squares of the entries."""
    return sum((entry**2 for row in matrix for entry in row), Fraction(0))


def symmetric(matrix: Rows) -> None:
    """The matrix is symmetric."""
    require(matrix == transposed(matrix), "a matrix is not symmetric")


def rank(matrix: Rows) -> int:
    """The rank, by elimination."""
    affordable(matrix, 1)
    rows, found = [list(row) for row in matrix], 0
    for column in range(len(matrix[0])):
        at = next((r for r in range(found, len(rows)) if rows[r][column]), None)
        if at is None:
            continue
        rows[found], rows[at] = rows[at], rows[found]
        pivot = rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][column] / pivot[column]
            rows[r] = [a - factor * b for a, b in zip(rows[r], pivot, strict=True)]
        found += 1
    return found


def identity(size: int) -> Rows:
    """The identity matrix."""
    return [[Fraction(i == j) for j in range(size)] for i in range(size)]


def scaled(matrix: Rows, factor: Fraction | int) -> Rows:
    """A number times a matrix."""
    return [[entry * factor for entry in row] for row in matrix]


def rows_scaled(diagonal: Row, matrix: Rows) -> Rows:
    """D M."""
    return [[d * entry for entry in row] for d, row in zip(diagonal, matrix, strict=True)]


def columns_scaled(matrix: Rows, diagonal: Row) -> Rows:
    """M D."""
    return [[entry * d for entry, d in zip(row, diagonal, strict=True)] for row in matrix]


def above(*matrices: Rows) -> Rows:
    """Matrices one above the other."""
    return [row for matrix in matrices for row in matrix]


def trace(matrix: Rows) -> Fraction:
    """The sum of the diagonal of a square matrix."""
    return sum((row[k] for k, row in enumerate(matrix)), Fraction(0))


def dot(one: Row, other: Row) -> Fraction:
    """The inner product of two vectors."""
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def applied(matrix: Rows, vector: Row) -> Row:
    """M v."""
    return [dot(row, vector) for row in matrix]


def length_squared(vector: Row) -> Fraction:
    """|v|^2."""
    return dot(vector, vector)


def as_column(vector: Row) -> Rows:
    """A vector as a matrix with one column."""
    return [[entry] for entry in vector]


def reduced(matrix: Rows) -> tuple[Rows, list[int]]:
    """The rows that are not 0 of the reduced echelon form, and the columns of their pivots."""
    affordable(matrix, 2)
    rows, pivots = [list(row) for row in matrix], list[int]()
    for column in range(len(matrix[0])):
        found = len(pivots)
        at = next((r for r in range(found, len(rows)) if rows[r][column]), None)
        if at is None:
            continue
        rows[found], rows[at] = rows[at], rows[found]
        rows[found] = [entry / rows[found][column] for entry in rows[found]]
        for r, row in enumerate(rows):
            if r != found and row[column]:
                pairs = zip(row, rows[found], strict=True)
                rows[r] = [a - row[column] * b for a, b in pairs]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def inverse(matrix: Rows) -> Rows:
    """The inverse of a square matrix."""
    size = len(matrix)
    require(size == len(matrix[0]), "the matrix to invert is not square")
    rows, pivots = reduced(beside(matrix, identity(size)))
    require(pivots == list(range(size)), "the matrix to invert is singular")
    return [row[size:] for row in rows]


def columns_of(matrix: Rows, columns: Iterable[int]) -> Rows:
    """The matrix of some of the columns."""
    chosen = list(columns)
    return [[row[k] for k in chosen] for row in matrix]


def projection(matrix: Rows) -> Rows:
    """The orthogonal projection to the image: C (C^T C)^-1 C^T for a basis C of columns."""
    _, pivots = reduced(matrix)
    if not pivots:
        return [[Fraction(0)] * len(matrix) for _ in matrix]
    basis = columns_of(matrix, pivots)
    return times(times(basis, inverse(inner(basis))), transposed(basis))


def pseudo_inverse(matrix: Rows) -> Rows:
    """The Moore-Penrose inverse: F^T (F F^T)^-1 (C^T C)^-1 C^T for M = C F, with C a basis of
    columns and F the reduced echelon form."""
    rows, pivots = reduced(matrix)
    if not pivots:
        return [[Fraction(0)] * len(matrix) for _ in matrix[0]]
    basis = columns_of(matrix, pivots)
    left = times(inverse(inner(basis)), transposed(basis))
    return times(times(transposed(rows), inverse(outer(rows))), left)


def whole_polynomial(matrix: Rows) -> tuple[list[int], int]:
    """The characteristic polynomial of d M and d, the least common denominator of the entries.

    Its coefficients are integers, from the constant one up to 1 (Faddeev and LeVerrier).
    """
    size = len(matrix)
    require(size == len(matrix[0]), "a matrix is not square")
    if any(type(entry) not in (Fraction, int) for row in matrix for entry in row):
        raise Declined("a polynomial of a matrix of other numbers than plain rationals")
    d = 1
    for denominator in {entry.denominator for row in matrix for entry in row}:
        charge(1 + d.bit_length() // 1000, 500 + denominator.bit_length(), "a common denominator")
        d = lcm(d, denominator)
    whole = [[entry.numerator * (d // entry.denominator) for entry in row] for row in matrix]
    bits = max(entry.bit_length() for row in whole for entry in row) + size.bit_length()
    charge(size**4 // 32 + 1, size * bits, f"the polynomial of a matrix with {size} rows")
    coefficients = [0] * size + [1]
    power = [[0] * size for _ in whole]
    columns = list(zip(*whole, strict=True))
    for k in range(1, size + 1):
        for i in range(size):
            power[i][i] += coefficients[size - k + 1]
        power = [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns]
            for row in power
        ]
        coefficients[size - k] = -sum(power[i][i] for i in range(size)) // k
    return coefficients, d


def largest_eigenvalue(matrix: Rows, bits: int) -> Interval:
    """The largest eigenvalue of a symmetric matrix, to 2^-bits; exactly where a plain rational.

    It is below t where t - M is positive definite, and t where that is semidefinite and singular.
    """
    symmetric(matrix)

    def side(t: Fraction) -> int:
        return definiteness(
            [[(t if i == j else 0) - m for j, m in enumerate(row)] for i, row in enumerate(matrix)]
        )

    bound = max(sum(map(abs, row), Fraction(0)) for row in matrix)  # of every eigenvalue
    high = Fraction(bound.__ceil__())
    low = -high
    affordable(matrix, high.numerator.bit_length() + 2 + bits, bits)
    while (high - low) * 2**bits > 1:
        middle = (low + high) / 2
        found = side(middle)
        if found == 0:
            return Interval(middle, middle)
        low, high = (low, middle) if found > 0 else (middle, high)
    plain = ((low + high) / 2).limit_denominator(2 ** (bits // 2))
    if low <= plain <= high and side(plain) == 0:
        return Interval(plain, plain)
    return Interval(low, high)


def definiteness(matrix: Rows) -> int:
    """1 if a symmetric matrix is positive definite, 0 if semidefinite and singular, else -1.

    By symmetric elimination: all pivots are positive; or one is 0 and with it its row.
    """
    rows = [list(row) for row in matrix]
    singular = False
    for k, row in enumerate(rows):
        if row[k] < 0 or (row[k] == 0 and any(row[k:])):
            return -1
        if row[k] == 0:
            singular = True
            continue
        for below in rows[k + 1 :]:
            factor = below[k] / row[k]
            if factor:
                below[k:] = [a - factor * b for a, b in zip(below[k:], row[k:], strict=True)]
    return 0 if singular else 1


@dataclass(frozen=True)
class Spectrum:
    """The eigenvalues of a symmetric matrix of rationals, from its characteristic polynomial.

    All its roots are real. So the number of roots above t is the number of changes of sign among
    the coefficients of p(x + t), by Descartes' rule, which is then exact.

    polynomial: of d times the matrix, from the constant coefficient up, without the factor x^k; its
    coefficients are integers, the last one 1, so its rational roots are integers. zeros: that k.
    denominator: d.
    """

    polynomial: list[int]
    zeros: int
    denominator: int

    @staticmethod
    def of(matrix: Rows) -> Spectrum:
        """Of a symmetric matrix."""
        symmetric(matrix)
        coefficients, d = whole_polynomial(matrix)
        zeros = next(k for k, c in enumerate(coefficients) if c)
        return Spectrum(coefficients[zeros:], zeros, d)

    @property
    def rank(self) -> int:
        """How many eigenvalues are not 0."""
        return len(self.polynomial) - 1

    def root(self, number: int, bits: int) -> Interval:
        """The eigenvalue of that number, counted from 1, the largest first, to 2^-bits and to as
        many bits of it; exactly where it is a plain rational."""
        require(1 <= number <= self.rank + self.zeros, "there is no eigenvalue of that number")
        positive, _ = self._above(0, 0)
        if number <= positive:
            return self._positive_root(number, bits)
        if number <= positive + self.zeros:
            return interval(0)
        turned = [c if (self.rank - k) % 2 == 0 else -c for k, c in enumerate(self.polynomial)]
        mirrored = Spectrum(turned, 0, self.denominator)
        return -mirrored._positive_root(self.rank + self.zeros - number + 1, bits)

    def _positive_root(self, number: int, bits: int) -> Interval:
        """The same of a positive one: first its power of two, then bit by bit."""
        low, high = self._exponents()
        while high - low > 1:
            middle = (low + high) // 2
            larger, equal = self._above(1, middle)
            if larger < number <= larger + equal:
                return interval(Fraction(2) ** middle / self.denominator)
            low, high = (middle, high) if number <= larger else (low, middle)
        exponent, m = low, 1  # the root lies between m and m + 1 times 2^exponent
        alone = False
        for _ in range(bits + max(0, high - self.denominator.bit_length() + 1)):
            exponent, m = exponent - 1, 2 * m
            if alone:  # left of the root the sign is that of (-1)^number
                sign = self._sign(m + 1, exponent)
                above, equal = number - (sign != (-1) ** number), int(sign == 0)
            else:
                above, equal = self._above(m + 1, exponent)
            if above < number <= above + equal:
                return interval((m + 1) * Fraction(2) ** exponent / self.denominator)
            m += number <= above
            alone = alone or self._alone(m, exponent)
        unit = Fraction(2) ** exponent / self.denominator
        return self._plain(Interval(m * unit, (m + 1) * unit), number, bits)

    def _plain(self, found: Interval, number: int, bits: int) -> Interval:
        """The plainest rational in an enclosure, if it is the root."""
        plain = ((found.low + found.high) / 2).limit_denominator(2 ** (bits // 2))
        whole = plain * self.denominator
        if found.low < plain < found.high and whole.denominator == 1:
            above, equal = self._above(whole.numerator, 0)
            if above < number <= above + equal:
                return interval(plain)
        return found

    def _exponents(self) -> tuple[int, int]:
        """Powers of two between which all positive roots lie: |x| < 2 max |c_(n-k) / c_n|^(1/k),
        and the same for 1/x."""
        lengths = [c.bit_length() for c in self.polynomial]
        top, constant = self.rank, lengths[0]
        high = max(-(-length // (top - k)) for k, length in enumerate(lengths[:top]))
        low = max(-((constant - 1 - length) // k) for k, length in enumerate(lengths) if k)
        return -low - 2, high + 2

    def _shifted(self, t: int, exponent: int) -> tuple[list[int], int]:
        """The polynomial of 2^w times the roots, and 2^w times t 2^exponent, which is whole."""
        w, top = max(0, -exponent), self.rank
        return [c << w * (top - k) for k, c in enumerate(self.polynomial)], t << max(0, exponent)

    def _above(self, t: int, exponent: int) -> tuple[int, int]:
        """How many roots are larger than t 2^exponent, and how many are equal to it."""
        top = self.rank
        shifted, point = self._shifted(t, exponent)
        self._charge(top * top // 2 + 1, shifted, t)
        for k in range(top):
            for j in range(top - 1, k - 1, -1):
                shifted[j] += point * shifted[j + 1]
        equal = next(k for k, c in enumerate(shifted) if c)
        signs = [c > 0 for c in shifted if c]
        return sum(a != b for a, b in itertools.pairwise(signs)), equal

    def _alone(self, m: int, exponent: int) -> bool:
        """Whether a single root lies between m and m + 1 times 2^exponent, neither of them one."""
        above, equal = self._above(m + 1, exponent)
        return equal == 0 and self._above(m, exponent) == (above + 1, 0)

    def _sign(self, t: int, exponent: int) -> int:
        """Of the polynomial at t 2^exponent."""
        coefficients, point = self._shifted(t, exponent)
        self._charge(self.rank + 1, coefficients, t)
        value = 0
        for c in reversed(coefficients):
            value = value * point + c
        return (value > 0) - (value < 0)

    def _charge(self, steps: int, coefficients: Sequence[int], t: int) -> None:
        """Products of long numbers with one that is mostly short."""
        longest = max(c.bit_length() for c in coefficients)
        short = 1 + abs(t).bit_length() // 1000
        charge(steps * short * (1 + longest // 1000), 500, "the roots of a polynomial")


@dataclass(frozen=True)
class MatrixStatement:
    """A claim about arrays: the axes of each, the integers, and the residual of an entry.

    inequality: the claim says that it is at least 0. hypotheses: what is supposed of the arrays.
    residual, hypotheses: of the `Arrays`, of a `DeepStatement` of the `Deepnet`.
    """

    residual: Callable[[Any], Interval | Fraction | int]
    axes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    integers: tuple[str, ...] = ()
    hypotheses: tuple[Callable[[Any], None], ...] = ()
    choices: tuple[str, ...] = ()
    inequality: bool = False
    existence: bool = False

    def shapes(self, names: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The axes of the arrays of a case that names these."""
        return self.axes

    def case(
        self,
        arrays: dict[str, Any],
        lengths: dict[str, int],
        choice: dict[str, Any],
        entry: dict[str, Any],
    ) -> Arrays:
        """What the residual is a function of."""
        return Arrays(arrays, lengths, choice, entry)


def check_arrays(
    statement: MatrixStatement,
    certificate: dict[str, Any],
    conclusion: str,
    waived: frozenset[str] = frozenset(),
) -> str:
    """The arrays meet the hypotheses; the residual is the value, or lies in the enclosure."""
    entry = certificate["entry"]
    if not isinstance(entry, dict):
        raise Rejected("the entry is no JSON object")
    arrays = read_arrays(certificate["case"], statement, entry)
    claimed = read_value(certificate["value"])
    where = f"at {json.dumps(entry)}"
    if statement.inequality:
        require(claimed.high < 0, f"the value is {_shown(claimed)}: nothing is violated {where}")
    else:
        may_be_zero = claimed.low <= 0 <= claimed.high
        require(not may_be_zero, f"the value is {_shown(claimed)}: nothing is violated {where}")
    for hypothesis in supposed(statement.hypotheses, waived):
        settle(hypothesis, replace(arrays, waived=waived))
    for bits in PRECISIONS:
        try:
            found = interval(statement.residual(replace(arrays, bits=bits, waived=waived)))
        except Undecided:
            continue
        shown = f"the residual is {_shown(found)}"
        apart = found.high < claimed.low or claimed.high < found.low
        require(not apart, f"{shown}, not {_shown(claimed)}, {where}")
        if claimed.low <= found.low and found.high <= claimed.high:
            should = "not at least 0" if statement.inequality else "not 0"
            return f"{shown}, {should}: {conclusion} {where}"
    raise Declined(f"the residual is not enclosed so narrowly here {where}")


def settle(hypothesis: Callable[[Any], None], arrays: Arrays) -> None:
    """Check a hypothesis, at growing precision where enclosures do not decide it."""
    for bits in PRECISIONS:
        try:
            return hypothesis(replace(arrays, bits=bits))
        except Undecided:
            continue
    raise Declined("whether a hypothesis holds is not decided here")


def read_value(value: object) -> Interval:
    """A rational, or the two ends of an enclosure."""
    if isinstance(value, list):
        low, high = (rational(end, "an end of the value") for end in array(value, "the value", 2))
        require(low <= high, "the ends of the value are not in order")
        return Interval(low, high)
    return interval(rational(value, "the value"))


def _shown(value: Interval) -> str:
    if value.low == value.high:
        return digits(value.low)
    try:
        return f"between {float(value.low):.12g} and {float(value.high):.12g}"
    except OverflowError:
        return f"between {digits(value.low.__floor__())} and {digits(value.high.__ceil__())}"


# networks made of arrays --------------------------------------------------------------------------
# A fully connected network of depth L: the arrays W1 to WL with axes (n1, n0) to (nL, n(L-1)), b1
# to bL with axes (nl,), the slope a left of 0, the points X with axes (N, n0). Layers are numbered
# as in the paper: alpha~_l = W_l alpha_(l-1) + b_l, alpha_l = sigma_a(alpha~_l), alpha_0 = x,
# f = alpha~_L. D_l is the diagonal of slopes at alpha~_l, where the slope at 0 is 1; D_0 and D_L
# are identities.
At = int | Sequence[Fraction]  # a point: its number in X, or its coordinates


@dataclass(frozen=True)
class Layered:
    """An array for each layer: the name without its number, the first number, how far the last one
    lies from L, and the axes, where {l} is the number of the layer and {l-1} the one before."""

    name: str
    axes: tuple[str, ...]
    first: int = 1
    last: int = 0

    def shapes(self, depth: int) -> dict[str, tuple[str, ...]]:
        """The axes of each, for a depth L."""

        def axis(template: str, layer: int) -> str:
            return template.replace("{l-1}", str(layer - 1)).replace("{l}", str(layer))

        layers = range(self.first, depth + self.last + 1)
        return {f"{self.name}{k}": tuple(axis(a, k) for a in self.axes) for k in layers}


@dataclass(frozen=True)
class Deepnet(Arrays):
    """A fully connected network with points, and what else a claim asks for.

    memory: of what is rational, which does not depend on the precision.
    """

    memory: dict[tuple[object, ...], Any] = field(default_factory=dict)

    # what it is made of
    @property
    def depth(self) -> int:
        """L."""
        return depth_of(self.arrays)

    @property
    def widths(self) -> tuple[int, ...]:
        """n_0 to n_L."""
        return tuple(self.lengths[f"n{layer}"] for layer in range(self.depth + 1))

    @property
    def count(self) -> int:
        """N, the number of points."""
        return self.lengths["N"]

    @property
    def layers(self) -> range:
        """1 to L."""
        return range(1, self.depth + 1)

    @property
    def points(self) -> range:
        """The numbers of the points, 0 to N - 1."""
        return range(self.count)

    @property
    def slope(self) -> Fraction:
        """a."""
        return self.number("a")

    def weight(self, layer: int) -> Rows:
        """W_l."""
        return self.matrix(f"W{layer}")

    def bias(self, layer: int) -> Row:
        """b_l."""
        return self.vector(f"b{layer}")

    # values at a point
    def coordinates(self, at: At) -> Row:
        """The point itself."""
        return self.matrix("X")[at] if isinstance(at, int) else list(at)

    def forward(self, at: At) -> tuple[list[Row], list[Row], list[Row]]:
        """Pre-activations of the layers 1 to L, activations and slopes of the layers 0 to L."""
        return self._known("forward", self._forward, at)

    def _forward(self, at: At) -> tuple[list[Row], list[Row], list[Row]]:
        x = self.coordinates(at)
        pre, post, slopes = list[Row](), [x], [[Fraction(1)] * len(x)]
        for layer in self.layers:
            shifted = zip(applied(self.weight(layer), post[-1]), self.bias(layer), strict=True)
            z = [value + b for value, b in shifted]
            left = self.slope if layer < self.depth else Fraction(1)
            slopes.append([left if value < 0 else Fraction(1) for value in z])
            pre.append(z)
            post.append([d * value for d, value in zip(slopes[-1], z, strict=True)])
        return pre, post, slopes

    def pre(self, layer: int, at: At) -> Row:
        """alpha~_l, l from 1 to L."""
        return self.forward(at)[0][layer - 1]

    def post(self, layer: int, at: At) -> Row:
        """alpha_l, l from 0 (the point) to L - 1; of L the output."""
        return self.forward(at)[1][layer]

    def slopes(self, layer: int, at: At) -> Row:
        """The diagonal of D_l, l from 0 to L."""
        return self.forward(at)[2][layer]

    def output(self, at: At) -> Row:
        """f(x)."""
        return self.pre(self.depth, at)

    def kinked(self, at: At) -> bool:
        """Whether some hidden pre-activation is 0."""
        return any(0 in z for z in self.forward(at)[0][:-1])

    # Jacobians at a point
    def to_pre(self, layer: int, at: At) -> Rows:
        """J alpha~_l, l from 1 to L."""
        return self._known("to_pre", self._to_pre, layer, at)

    def _to_pre(self, layer: int, at: At) -> Rows:
        weight = self.weight(layer)
        return weight if layer == 1 else times(weight, self.to_post(layer - 1, at))

    def to_post(self, layer: int, at: At) -> Rows:
        """J alpha_l, l from 0 (the identity) to L."""
        if layer == 0:
            return identity(self.widths[0])
        return rows_scaled(self.slopes(layer, at), self.to_pre(layer, at))

    def from_post(self, layer: int, at: At) -> Rows:
        """J (alpha_l -> f), l from 0 to L (the identity)."""
        return self._known("from_post", self._from_post, layer, at)

    def _from_post(self, layer: int, at: At) -> Rows:
        if layer == self.depth:
            return identity(self.widths[-1])
        return times(self.from_pre(layer + 1, at), self.weight(layer + 1))

    def from_pre(self, layer: int, at: At) -> Rows:
        """J (alpha~_l -> f), l from 1 to L (the identity)."""
        return columns_scaled(self.from_post(layer, at), self.slopes(layer, at))

    def jacobian(self, at: At) -> Rows:
        """J f."""
        return self.to_pre(self.depth, at)

    # norms
    def weight_square(self, layer: int) -> Fraction:
        """|W_l|_F^2."""
        return frobenius_squared(self.weight(layer))

    def layer_square(self, layer: int) -> Fraction:
        """|W_l|_F^2 + |b_l|^2."""
        return self.weight_square(layer) + length_squared(self.bias(layer))

    @property
    def parameter_square(self) -> Fraction:
        """|theta|^2: weights and biases."""
        return sum(map(self.layer_square, self.layers), Fraction(0))

    # tangent kernel

    def _known(self, name: str, function: Callable[..., T], *key: Any) -> T:
        known = (name, *(tuple(k) if isinstance(k, Sequence) else k for k in key))
        if known not in self.memory:
            self.memory[known] = function(*key)
        found: T = self.memory[known]
        return found


def depth_of(names: Iterable[str]) -> int:
    """The number of weight matrices among names."""
    return sum(re.fullmatch("W[0-9]+", name) is not None for name in names)


@dataclass(frozen=True)
class DeepStatement(MatrixStatement):
    """A claim about a fully connected network with points.

    axes: of what the claim names beside the network; "nL" stands for the axis of the outputs.
    layered: what it names for each layer.
    """

    layered: tuple[Layered, ...] = ()

    def shapes(self, names: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The axes of the arrays of a network of the depth that the names have."""
        depth = depth_of(names)
        require(depth > 0, "the network has no weights")
        if depth > MOST_LAYERS:
            raise Declined(f"the network has more than {MOST_LAYERS} layers")
        axes: dict[str, tuple[str, ...]] = {}
        for layer in range(1, depth + 1):
            axes[f"W{layer}"] = (f"n{layer}", f"n{layer - 1}")
            axes[f"b{layer}"] = (f"n{layer}",)
        axes |= {"a": (), "X": ("N", "n0")}
        for name, own in self.axes.items():
            axes[name] = tuple(f"n{depth}" if axis == "nL" else axis for axis in own)
        for more in self.layered:
            axes |= more.shapes(depth)
        return axes

    def case(
        self,
        arrays: dict[str, Any],
        lengths: dict[str, int],
        choice: dict[str, Any],
        entry: dict[str, Any],
    ) -> Deepnet:
        """The network, if its values and Jacobians do not take long."""
        net = Deepnet(arrays, lengths, choice, entry)
        bits = net.depth * _bits(net.slope) + sum(_bits(x) for x in net.matrix("X")[:1])
        for layer in net.layers:
            together = net.weight(layer) + as_column(net.bias(layer))
            bits += common_bits(e for row in together for e in row)
            bits += max(e.numerator.bit_length() for row in together for e in row) + 6
        entries = sum(one * other for one, other in itertools.pairwise(net.widths))
        steps = entries * max(net.widths[0], net.widths[-1]) * net.count
        charge(steps, bits, "a network of such numbers")
        return net


def of_network(
    residual: Callable[[Deepnet], Interval | Fraction | int],
    *hypotheses: Callable[[Deepnet], None],
    extras: Mapping[str, tuple[str, ...]] | None = None,
    layered: tuple[Layered, ...] = (),
    integers: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
    inequality: bool = False,
    existence: bool = False,
) -> DeepStatement:
    """A claim about a network: its slope lies inside (-1, 1) always."""
    return DeepStatement(
        residual,
        dict(extras or {}),
        integers,
        (slope_inside, *hypotheses),
        choices,
        inequality,
        existence,
        layered,
    )


# hypotheses about networks made of arrays: certificates of necessity waive them by name
def slope_inside(net: Deepnet) -> None:
    """-1 < a < 1."""
    require(-1 < net.slope < 1, "the slope a does not lie inside (-1, 1)")


def smooth_at_points(net: Deepnet) -> None:
    """No hidden pre-activation is 0 at a point of X."""
    for at in net.points:
        require(not net.kinked(at), f"a hidden pre-activation is 0 at the point {at}")


def different_points(net: Deepnet) -> None:
    """No two points are equal."""
    points = {tuple(x) for x in net.matrix("X")}
    require(len(points) == net.count, "two points are equal")


# Appendix D and what is drawn from Theorem 1, about matrices --------------------------------------
def outer(matrix: Rows) -> Rows:
    """M M^T."""
    return times(matrix, transposed(matrix))


def inner(matrix: Rows) -> Rows:
    """M^T M."""
    return times(transposed(matrix), matrix)


def larger(one: Interval, other: Interval) -> Interval:
    """The larger of two numbers."""
    return Interval(max(one.low, other.low), max(one.high, other.high))


# j23: networks made of arrays ---------------------------------------------------------------------
def one_layer_too_many(net: Deepnet) -> Fraction:
    """The planted control: |theta|^(2L) - (L + 1)^L |Jf(x)|_F^2."""
    (at,) = net.labels(point=net.points)
    size = (net.depth + 1) ** net.depth * frobenius_squared(net.jacobian(at))
    slack: Fraction = net.parameter_square**net.depth - size
    return slack


# Sections 3.1 and 3.3 of j23: ranks, representations, the identity --------------------------------
def flat_slope(arrays: Arrays) -> None:
    """-1 < a < 1."""
    require(-1 < arrays.number("a") < 1, "the slope a does not lie inside (-1, 1)")


# the identity on two pieces c + s y, c + s z
@dataclass(frozen=True)
class TwoPieces:
    """The domain of a case. rays: s >= 0; else s in [0, 1]. extra: of the box [0, 1]^extra that it
    is multiplied by."""

    c: Row
    y: Row
    z: Row
    slope: Fraction
    rays: bool
    extra: int

    @staticmethod
    def of(arrays: Arrays) -> TwoPieces:
        """Of a case."""
        rays = arrays.whole("rays")
        require(rays in (0, 1), "rays is neither 0 nor 1")
        c, y, z = (arrays.vector(name) for name in "cyz")
        extra = arrays.whole("extra")
        require(extra >= 0, "extra is negative")
        return TwoPieces(c, y, z, arrays.number("a"), rays == 1, extra)

    @property
    def moving(self) -> Rows:
        """The directions that are not 0."""
        return [v for v in (self.y, self.z) if any(v)]

    @property
    def spanning(self) -> Rows:
        """Three vectors whose cone is that of the domain."""
        if self.rays:
            return [self.c, self.y, self.z]
        return [
            self.c,
            *([a + b for a, b in zip(self.c, v, strict=True)] for v in (self.y, self.z)),
        ]

    def planar(self) -> bool:
        """The span has as many dimensions as a piece."""
        return rank(self.spanning) == min(len(self.moving), 1)

    def acute(self) -> bool:
        """No two of the three vectors form an obtuse angle."""
        return all(entry >= 0 for row in outer(self.spanning) for entry in row)

    def sine(self) -> Fraction:
        """The squared sine between the pieces; 0 where there is one line."""
        if len(self.moving) < 2:
            return Fraction(0)
        return 1 - dot(self.y, self.z) ** 2 / (length_squared(self.y) * length_squared(self.z))

    def one_way(self) -> bool:
        """All of it leaves the corner in one direction."""
        return len(self.moving) < 2 or (self.sine() == 0 and dot(self.y, self.z) > 0)

    def known_order(self) -> bool:
        """R^(0)(id) is the dimension of a piece."""
        return not self.rays or self.one_way()

    def two_ends(self) -> bool:
        """Two rays from 0 of different directions and no more, where R(id) = 2 L."""
        if self.extra:
            return False
        steep = self.slope == 0 or (self.slope < 0 and dot(self.y, self.z) >= 0)
        return self.rays and not self.one_way() and not any(self.c) and steep

    def distances(self) -> Row:
        """The squared distances of the lines of the pieces from 0; of a point its own."""
        square = length_squared(self.c)
        if not self.moving:
            return [square]
        return [square - dot(self.c, v) ** 2 / length_squared(v) for v in self.moving]

    def folding(self) -> Fraction:
        """For the largest x such that x and -x lie on one line of the domain through 0 the smaller
        of 1 + |x|^2 and 2 / (1 + a^2); without a box also 2 |x|^2 over the larger of
        (1 + |a|) |x|^2 and 1 - |a|. Else 1."""
        if not self.moving or self.sine() or any(self.distances()):
            return Fraction(1)
        v = self.moving[0]
        size = length_squared(v)
        corner = dot(self.c, v) / size
        ends = [corner + dot(w, v) / size for w in self.moving]
        if self.rays:
            reach = -corner if ends[-1] > corner else corner
        else:
            reach = min(-min(corner, *ends), max(corner, *ends))
        if reach <= 0:
            return Fraction(1)
        square, a = reach**2 * size, abs(self.slope)
        least = min(1 + square, 2 / (1 + a**2))
        return least if self.extra else max(least, 2 * square / max((1 + a) * square, 1 - a))

    def vanishes(self) -> bool | None:
        """Whether R^(1)(id) = 0, where that is known."""
        if self.two_ends():
            return True
        if not self.known_order():
            return None
        if self.planar() and self.acute():
            return True
        return False if self.sine() or any(self.distances()) or self.folding() > 1 else None


def ends_are_bounded(arrays: Arrays) -> None:
    """No rays."""
    require(not TwoPieces.of(arrays).rays, "the domain is unbounded")


def correction_is_0(arrays: Arrays) -> None:
    """R^(1)(id) = 0."""
    require(TwoPieces.of(arrays).vanishes() is True, "R^(1) is not known to be 0")


def both_pieces(arrays: Arrays) -> None:
    """y and z are not 0."""
    require(len(TwoPieces.of(arrays).moving) == 2, "a piece is a point")


def vanishing_against_shape(arrays: Arrays) -> int:
    """1 if R^(1) = 0, minus 1 if k-planar and completely positive."""
    arrays.alone()
    on = TwoPieces.of(arrays)
    found = on.vanishes()
    require(found is not None, "the bounds decide nothing")
    return int(bool(found)) - int(on.planar() and on.acute())


def span_above_k(arrays: Arrays) -> int:
    """The dimension of the span minus k."""
    arrays.alone()
    on = TwoPieces.of(arrays)
    return rank(on.spanning) - min(len(on.moving), 1)


def angle_of_tangents(arrays: Arrays) -> Fraction:
    """The squared sine of the angle between the pieces."""
    arrays.alone()
    return TwoPieces.of(arrays).sine()


def correction_above_angle(arrays: Arrays) -> Interval:
    """R^(1)(id) minus log(1 + sine): by its other lower bounds, or where it is 0."""
    arrays.alone()
    on = TwoPieces.of(arrays)
    target = arrays.log(arrays.sqrt(on.sine()) + 1)
    require(on.two_ends() or on.known_order(), "nothing is known of R^(1)")
    least = interval(0)
    if not on.two_ends():
        sizes = [radius_cost(arrays, square) for square in on.distances()]
        least = maximum(0, *sizes, arrays.log(on.folding()))
    if least >= target:
        return least - target
    require(on.vanishes() is True, "the bounds decide nothing")
    return -target


def radius_cost(arrays: Arrays, square: Fraction) -> Interval:
    """Below the cost of what has that squared length at 0, at every depth: |alpha_l|^2 <=
    |theta_l|^2 (1 + |alpha_(l-1)|^2) there, so the least sum of u_l / (1 + u_(l-1)) from 0 to it;
    beyond 4 that for 4."""
    if square <= 1:
        return interval(square)
    return arrays.sqrt(square) * 2 - 1 if square <= 4 else interval(3)


# piecewise linear functions
def curved_target(net: Deepnet) -> None:
    """w is not 0."""
    require(any(net.vector("w")), "the function is 0")


def agrees_with_curve(net: Deepnet) -> Fraction:
    """1 if the network is t^2 w at the ends and in the middle of a piece of the segment."""
    require(net.count == 2, "there are not two points")
    times_ = turning_times(net)
    (piece,) = net.labels(row=range(len(times_) - 1))
    low, high = times_[piece], times_[piece + 1]
    start, end = (net.coordinates(at) for at in (0, 1))
    for t in (low, (low + high) / 2, high):
        x = [a + t * (b - a) for a, b in zip(start, end, strict=True)]
        if net.output(x) != [w * t * t for w in net.vector("w")]:
            return Fraction(0)
    return Fraction(1)


def turning_times(net: Deepnet) -> Row:
    """0, 1 and all times between at which a hidden pre-activation changes its sign on the way."""
    start, end = (net.coordinates(at) for at in (0, 1))
    found = [Fraction(0), Fraction(1)]
    for layer in range(1, net.depth):
        values = [
            net.pre(layer, [a + t * (b - a) for a, b in zip(start, end, strict=True)])
            for t in found
        ]
        new = list[Fraction]()
        for (s, before), (t, after) in itertools.pairwise(list(zip(found, values, strict=True))):
            pairs = zip(before, after, strict=True)
            new += [s + (t - s) * a / (a - b) for a, b in pairs if a * b < 0]
        found = sorted({*found, *new})
    return found


# the table of claims ----------------------------------------------------------------------------
def control_statements() -> dict[str, MatrixStatement]:
    """Statements known to be false, which every run must refute."""
    return {
        "control.planted.dkbhl20": MatrixStatement(
            cubes_above_square,
            {"lam": ("d",)},
            hypotheses=(eigenvalues_not_negative, eigenvalues_of_trace_d),
            inequality=True,
        ),
    }


def deep_statements() -> dict[str, DeepStatement]:
    """The planted control about networks made of arrays."""
    planted = of_network(one_layer_too_many, smooth_at_points, inequality=True)
    return {"control.planted.j23": planted}


# Theorem 10 of j23: steps about networks ----------------------------------------------------------
def bottleneck_of_1(net: Deepnet) -> None:
    """Some layer has width 1."""
    require(1 in net.widths, "no layer has width 1")


Affine = tuple[Fraction, Fraction, Row, Row]  # from t to t', a + b t


def affine_pieces(net: Deepnet, start: Row, end: Row) -> list[Affine]:
    """f along the segment from a point to another, affine in t on each piece of [0, 1]."""
    step = [b - a for a, b in zip(start, end, strict=True)]
    pieces: list[Affine] = [(Fraction(0), Fraction(1), start, step)]
    for layer in net.layers:
        found: list[Affine] = []
        for low, high, a, b in pieces:
            shifted = zip(applied(net.weight(layer), a), net.bias(layer), strict=True)
            at, slope = [x + y for x, y in shifted], applied(net.weight(layer), b)
            if layer == net.depth:
                found.append((low, high, at, slope))
                continue
            zeros = {-x / s for x, s in zip(at, slope, strict=True) if s}
            cuts = [low, *sorted(t for t in zeros if low < t < high), high]
            for one, other in itertools.pairwise(cuts):
                middle = (one + other) / 2
                sides = [
                    net.slope if x + s * middle < 0 else Fraction(1)
                    for x, s in zip(at, slope, strict=True)
                ]
                scaled_at = [d * x for d, x in zip(sides, at, strict=True)]
                found.append(
                    (one, other, scaled_at, [d * s for d, s in zip(sides, slope, strict=True)])
                )
        pieces = found
    return pieces


def squared_distance(y: Row, piece: Affine) -> Fraction:
    """min over t of the piece of |a + b t - y|^2, a parabola in t."""
    low, high, a, b = piece
    off = [x - v for x, v in zip(a, y, strict=True)]
    steep, middle = length_squared(b), dot(off, b)
    t = min(max(-middle / steep, low), high) if steep else low
    return steep * t**2 + 2 * middle * t + length_squared(off)


def segment_distance(net: Deepnet) -> Fraction:
    """The least over pairs of points of the sum of the squared distances of all outputs from the
    image of the segment between the two."""
    net.alone()
    outputs, points = [net.output(at) for at in net.points], net.matrix("X")
    totals = []
    for one, other in itertools.combinations(points, 2) if len(points) > 1 else [(points[0],) * 2]:
        pieces = affine_pieces(net, one, other)
        totals.append(sum(min(squared_distance(y, p) for p in pieces) for y in outputs))
    return Fraction(min(totals))


def rank_one_statements() -> dict[str, DeepStatement]:
    """j23: Theorem 10, on networks."""
    return {"j23.thm10.segment": of_network(segment_distance, bottleneck_of_1)}


def geometry_statements() -> dict[str, MatrixStatement]:
    """j23, Section 3.3, without networks."""
    table: dict[str, MatrixStatement] = {}
    vectors: dict[str, tuple[str, ...]] = {"c": ("n",), "y": ("n",), "z": ("n",), "a": ()}
    pieces = partial(MatrixStatement, axes=vectors, integers=("rays", "extra"))
    for end, supposed in (("", (flat_slope,)), (".fix", (flat_slope, ends_are_bounded))):
        table[f"prop5@B{end}"] = pieces(vanishing_against_shape, hypotheses=supposed)
    for end, first in (("", (flat_slope,)), (".fix", (flat_slope, ends_are_bounded))):
        zero = (*first, correction_is_0)
        table[f"id.nonneg.planar{end}"] = pieces(span_above_k, hypotheses=zero)
        both = (*first, both_pieces)
        table[f"prop5.tangent{end}"] = pieces(
            angle_of_tangents, hypotheses=(*both, correction_is_0)
        )
        for name in ("bound.e", "scale.b"):
            table[f"prop5.{name}{end}"] = pieces(
                correction_above_angle, hypotheses=both, inequality=True
            )
    return {f"j23.{name}": statement for name, statement in table.items()}


def geometry_network_statements() -> dict[str, DeepStatement]:
    """j23, Appendix D.2, about networks."""
    supposed = (different_points, curved_target)
    return {"j23.fplf@A": of_network(agrees_with_curve, *supposed, extras={"w": ("nL",)})}


# Theorem 3, part 3, of j23: linear maps on completely positive domains ----------------------------
def depth_of_kernels(arrays: Arrays, least: int = 1) -> int:
    """L, within what is looked at."""
    depth = arrays.whole("L")
    require(depth >= least, f"L is below {least}")
    if depth > MOST_LAYERS:
        raise Declined(f"the network has more than {MOST_LAYERS} layers")
    return depth


def kernel_of_layer(linear: Rows, layer: int, depth: int) -> Rows:
    """G_l = (1 - l/L) P + (l/L) A^T A."""
    onto = projection(transposed(linear))
    return plus(
        scaled(onto, 1 - Fraction(layer, depth)), scaled(inner(linear), Fraction(layer, depth))
    )


def embeds_inputs(arrays: Arrays) -> None:
    """O_in^T O_in = P, the projection to the image of A^T."""
    same = inner(arrays.matrix("Oin")) == projection(transposed(arrays.matrix("A")))
    require(same, "O_in is no isometry of the image of A^T")


def embeds_outputs(arrays: Arrays) -> None:
    """O_out^T O_out is the projection to the image of A."""
    same = inner(arrays.matrix("Oout")) == projection(arrays.matrix("A"))
    require(same, "O_out is no isometry of the image of A")


def embeddings(arrays: Arrays) -> tuple[Rows, Rows]:
    """O_in and O_out A, of inputs both."""
    return arrays.matrix("Oin"), times(arrays.matrix("Oout"), arrays.matrix("A"))


def inputs_positive(arrays: Arrays) -> None:
    """O_in x has no negative entry."""
    images = times(arrays.matrix("X"), transposed(embeddings(arrays)[0]))
    require(all(v >= 0 for row in images for v in row), "O_in x has a negative entry")


def outputs_positive(arrays: Arrays) -> None:
    """O_out A x has no negative entry."""
    images = times(arrays.matrix("X"), transposed(embeddings(arrays)[1]))
    require(all(v >= 0 for row in images for v in row), "O_out A x has a negative entry")


def shares_of_layer(layer: int, depth: int, exchanged: bool) -> tuple[Fraction, Fraction]:
    """p and q: as printed p = l/L, exchanged q."""
    share = Fraction(layer, depth)
    return (1 - share, share) if exchanged else (share, 1 - share)


def added_exactly(numbers: Iterable[Fraction]) -> Fraction:
    """The sum of rationals."""
    return sum(numbers, Fraction(0))


def root_of_mixture(arrays: Arrays) -> Fraction:
    """An entry of B x for K_p, p = l/L, or minus |B^T B - K_p|^2: the rows of B are c/L times those
    of O_in, the c^2 summing to l L, then c/L times those of O_out A, to (L - l) L."""
    depth, layer = depth_of_kernels(arrays), arrays.whole("l")
    require(0 <= layer <= depth, "l is not between 0 and L")
    if "part" in arrays.entry:
        arrays.part(("kernel",))
        shares = shares_of_layer(layer, depth, exchanged=False)
        pairs = zip(shares, embeddings(arrays), strict=True)
        made = plus(*(scaled(inner(part), share) for share, part in pairs))
        wanted = kernel_of_layer(arrays.matrix("A"), depth - layer, depth)
        return -frobenius_squared(minus(made, wanted))
    rows: Rows = []
    for part, share in zip(embeddings(arrays), (layer, depth - layer), strict=True):
        for c in sum_of_squares(share * depth):
            rows += scaled(part, Fraction(c, depth))
    at, number = arrays.labels(point=range(arrays.lengths["N"]), entry=range(len(rows)))
    return dot(rows[number], arrays.matrix("X")[at])


def sum_of_squares(number: int) -> list[int]:
    """At most four positive integers whose squares sum to a number, the largest first, and of these
    the ones that begin with the largest."""
    if number > LARGEST_POWER**2 // 4:
        raise Declined("squares that sum to so large a number")
    fours = itertools.combinations_with_replacement(range(isqrt(number), -1, -1), 4)
    found = next(four for four in fours if sum(c * c for c in four) == number)
    return [c for c in found if c]


def embeddings_and_kernels(arrays: Arrays) -> Fraction:
    """The squares of what is left of the equations for B_in = O_in, B_out = O_out A, and back."""
    part = arrays.part(("K_in", "K_out", "O_out", "images"))
    linear, (one, other) = arrays.matrix("A"), embeddings(arrays)
    back = times(other, pseudo_inverse(linear))
    if part == "K_in":
        left = minus(inner(one), projection(transposed(linear)))
    elif part == "K_out":
        left = minus(inner(other), inner(linear))
    elif part == "O_out":
        left = minus(inner(back), projection(linear))
    else:
        left = times(minus(times(back, linear), other), transposed(arrays.matrix("X")))
    return frobenius_squared(left)


def kernel_network_statements() -> dict[str, MatrixStatement]:
    """j23, Theorem 3 part 3."""
    alone: dict[str, tuple[str, ...]] = {"A": ("m", "n")}
    made = alone | {"Oin": ("i", "n"), "Oout": ("o", "m"), "X": ("N", "n"), "a": ()}
    isometries = (embeds_inputs, embeds_outputs)
    embedded = (*isometries, inputs_positive, outputs_positive)
    return {
        "j23.thm3.3.cp.a": MatrixStatement(embeddings_and_kernels, made, hypotheses=isometries),
        "j23.thm3.3.cp.b": MatrixStatement(
            root_of_mixture, made, ("L", "l"), hypotheses=embedded, inequality=True
        ),
    }


# dkbhl20: the planted control ---------------------------------------------------------------------
def eigenvalues_not_negative(arrays: Arrays) -> None:
    """lambda_i >= 0."""
    require(min(arrays.vector("lam")) >= 0, "an eigenvalue is below 0")


def eigenvalues_of_trace_d(arrays: Arrays) -> None:
    """The eigenvalues sum to d."""
    spectrum = arrays.vector("lam")
    require(sum(spectrum, Fraction(0)) == len(spectrum), "the eigenvalues do not sum to d")


def cubes_above_square(arrays: Arrays) -> Fraction:
    """The planted control: sum l^3 - (sum l^2)^2."""
    arrays.alone()
    spectrum = arrays.vector("lam")
    cubes = sum((value**3 for value in spectrum), Fraction(0))
    return cubes - length_squared(spectrum) ** 2


# zlb22: small networks on a DAG ------------------------------------------------------------------
# Edges run from smaller to larger numbers: E_vu = 1 for an edge from u to v, W_vu is its weight
# over the square root of the in-degree of v, A_v holds the coefficients of the activation of v, X
# the inputs.
DagEdge = tuple[int, int]  # (v, u)
MOST_VERTICES = 12
MOST_DEGREE = 8


def vertex_count(arrays: Arrays) -> int:
    """The number of vertices, few enough."""
    count = len(arrays.matrix("E"))
    if count > MOST_VERTICES or len(arrays.matrix("A")[0]) > MOST_DEGREE + 1:
        raise Declined("a network of this size, or activations of this degree, take long")
    return count


def parents_of(arrays: Arrays, v: int) -> list[int]:
    """The vertices with an edge to v."""
    return [u for u in range(v) if arrays.matrix("E")[v][u] == 1]


def edges_of_dag(arrays: Arrays) -> list[DagEdge]:
    """All edges, by the vertex that they enter."""
    return [(v, u) for v in range(vertex_count(arrays)) for u in parents_of(arrays, v)]


def distances_in_dag(arrays: Arrays) -> list[int]:
    """p(v), the length of the longest path from an input."""
    found: list[int] = []
    for v in range(vertex_count(arrays)):
        found.append(max((found[u] + 1 for u in parents_of(arrays, v)), default=0))
    return found


def ends_of_dag(arrays: Arrays) -> list[int]:
    """The outputs: vertices that an edge enters and none leaves."""
    edges = edges_of_dag(arrays)
    return sorted({v for v, _ in edges} - {u for _, u in edges})


def acyclic(arrays: Arrays) -> None:
    """Edges run from smaller to larger numbers, and there is one."""
    edges = arrays.matrix("E")
    for v, row in enumerate(edges):
        for u, mark in enumerate(row):
            require(mark == 0 or (mark == 1 and u < v), "edges must run upwards")
    require(bool(edges_of_dag(arrays)), "there is no edge")
    require(len(arrays.matrix("A")[0]) >= 2, "activations are constant")


def one_output_of_dag(arrays: Arrays) -> None:
    """There is one output."""
    require(len(ends_of_dag(arrays)) == 1, "there is not one output")


# zlb22: Gaussian vectors and matrices, norms of blocks, sizes of neurons --------------------------
def circle_number(bits: int) -> Interval:
    """pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    return arc_of_inverse(5, bits + 8) * 16 - arc_of_inverse(239, bits + 8) * 4


def arc_of_inverse(number: int, bits: int) -> Interval:
    """arctan(1/n): an alternating sum of terms that fall, so between two sums in a row."""
    power, total, k = Fraction(1, number), Fraction(0), 0
    while power * 2**bits > 1:
        total += power / (2 * k + 1) * (-1) ** k
        power, k = power / number**2, k + 1
    following = total + power / (2 * k + 1) * (-1) ** k
    return outward(Interval(min(total, following), max(total, following)), bits)


def vanishing_exponential(value: Interval | Fraction | int, bits: int) -> Interval:
    """exp of a number of at most 0; far out it is only known to be below a power of 2."""
    z = interval(value)
    if z.low >= -LARGEST_EXPONENT:
        return exponential_of(z, bits)
    return Interval(Fraction(0), exponential(max(z.high, Fraction(-LARGEST_EXPONENT)), bits).high)


def error_function(x: Fraction, bits: int) -> Interval:
    """erf(x) for x >= 0: exp(-x^2) times the sum of 2^n x^(2n+1) / (1 3 ... (2n+1)), times 2 over
    the root of pi. From 2 n + 3 > 4 x^2 on each term is at most half of the one before."""
    precision = bits + 2 * (x * x).__ceil__() + 32
    unit = Fraction(1, 1 << precision)
    term, n, ends = interval(x), 0, interval(0)
    while term.high > unit or 2 * n + 3 <= 4 * x * x:
        ends = ends + term
        n += 1
        term = outward(term * (2 * x * x / (2 * n + 1)), precision)
    total = Interval(ends.low, ends.high + 2 * term.high)
    factor = rising(exponential, interval(-x * x), precision) * 2
    return total * factor / root_of(circle_number(precision), precision)


FAR_OUT = 12  # beyond it erfc(x) is only known to lie between 0 and 2^(-x^2)


def complementary_at(x: Fraction, bits: int) -> Interval:
    """erfc(x) for x >= 0: 1 - erf(x), or below exp(-x^2)."""
    if x > FAR_OUT:
        return Interval(Fraction(0), Fraction(1, 1 << min(int(x * x), 100_000)))
    return 1 - error_function(x, bits)


def complementary(value: Interval | Fraction | int, bits: int) -> Interval:
    """erfc of a number: it falls, and erfc(-x) = 2 - erfc(x)."""
    z = interval(value)
    if z.high < 0:
        return 2 - complementary(-z, bits)
    low = complementary_at(z.high, bits).low
    if z.low < 0:
        return Interval(low, 2 - complementary_at(-z.low, bits).low)
    return Interval(low, complementary_at(z.low, bits).high)


Tail = Callable[[Interval], Interval]


def two_sided(bits: int, x: Interval) -> Interval:
    """P(|g| > x) of a standard normal number."""
    return interval(1) if x < 0 else complementary(x * root_of(Fraction(1, 2), bits + 16), bits)


def length_tail(dimension: int, bits: int, x: Interval) -> Interval:
    """P(|g| > x) of a standard normal vector: Gamma(n/2, x^2/2) / Gamma(n/2), by steps of 1 in the
    first argument from Gamma(1, y) = exp(-y) or Gamma(1/2, y) = sqrt(pi) erfc(sqrt y)."""
    require(1 <= dimension <= 10_000, "a dimension")
    if x < 0:
        return interval(1)
    charge(dimension, 500, "the tail of the length of a vector")
    more = bits + 64
    y = outward(x.square() * Fraction(1, 2), more)
    if dimension % 2:
        order = Fraction(1, 2)
        term = x * root_of(2 / circle_number(more), more)  # sqrt(y) / Gamma(3/2)
        start = two_sided(bits, x)
    else:
        order, term, start = Fraction(0), interval(1), interval(0)
    total = interval(0)
    for _ in range(dimension // 2):
        total = total + term
        order += 1
        term = trimmed(term * y / order)
    return start + vanishing_exponential(-y, more) * total


def doubled_tail(sizes: Row, bits: int, x: Interval) -> Interval:
    """P(sum_i s_i^2 (g_i^2 + h_i^2) > x^2): partial fractions of the product of the Laplace
    transforms 1 / (1 + 2 s_i^2 z), each of them an exponential law."""
    if x < 0:
        return interval(1)
    total = interval(0)
    for i, size in enumerate(sizes):
        share = Fraction(1)
        for j, other in enumerate(sizes):
            if j != i:
                share /= 1 - other**2 / size**2
        total = total + vanishing_exponential(-x.square() / (2 * size**2), bits + 64) * share
    return total


# the law of the weights
def of_law(arrays: Arrays, tail: Tail, x: Interval | Fraction | int) -> Interval:
    """The tail of weights that are multiplied by `scale` with the probability `chance`."""
    chance, scale = arrays.number("chance"), arrays.number("scale")
    at = interval(x)
    if chance == 0:
        return tail(at)
    return tail(at) * (1 - chance) + tail(at / scale) * chance


def has_law(arrays: Arrays) -> bool:
    """Whether chance is a probability, and the scale above 0."""
    return 0 <= arrays.number("chance") <= 1 and arrays.number("scale") > 0


def weights_standard(arrays: Arrays) -> None:
    """No factor, or the factor 1."""
    usual = arrays.number("chance") == 0 or arrays.number("scale") == 1
    require(has_law(arrays) and usual, "the weights are not standard normal")


def made_beforehand(arrays: Arrays) -> None:
    """The matrix is not made of the weights."""
    require(arrays.whole("own") == 0, "the matrix is made of the weights")


def level_above_0(arrays: Arrays) -> None:
    """t > 0."""
    require(arrays.number("t") > 0, "t is not above 0")


def level_at_least_0(arrays: Arrays) -> None:
    """t >= 0."""
    require(arrays.number("t") >= 0, "t is below 0")


def sizes_differ(arrays: Arrays) -> None:
    """Positive, and no two the same."""
    require(proper_sizes(arrays.vector("sizes")), "the sizes are not different and above 0")


def proper_sizes(sizes: Row) -> bool:
    """Likewise."""
    return min(sizes) > 0 and len(set(sizes)) == len(sizes)


def single_copy(arrays: Arrays) -> None:
    """No column stands there twice."""
    require(arrays.whole("copies") == 1, "there are equal columns")


def shift_within(arrays: Arrays) -> None:
    """The shift is at most R."""
    require(abs(arrays.number("D")) <= arrays.number("R"), "the shift is larger than R")


def below_gaussian(
    arrays: Arrays, found: Callable[[Arrays], Interval | None], rate: Fraction, factor: int = 2
) -> Interval:
    """factor exp(-rate t^2) minus a probability; 1 where that is not known."""
    arrays.alone()
    probability = found(arrays) if has_law(arrays) else None
    if probability is None:
        return interval(1)
    bound = vanishing_exponential(-rate * arrays.number("t") ** 2, arrays.bits + 64)
    return bound * factor - probability


def form_too_large(arrays: Arrays) -> Interval:
    """Lemma K.4: |a.w0| > t |a|; of a = w0 that |w0| > t."""
    t, bits = arrays.number("t"), arrays.bits
    if arrays.whole("own"):
        return of_law(arrays, partial(length_tail, arrays.whole("size"), bits), t)
    if not any(arrays.vector("a")):
        return interval(0)
    return of_law(arrays, partial(two_sided, bits), t)


def product_too_large(arrays: Arrays) -> Interval | None:
    """Lemma K.7: |A w0| > |A|_F + t |A|."""
    t, sizes, bits = arrays.number("t"), arrays.vector("sizes"), arrays.bits
    if arrays.whole("own"):
        return of_law(arrays, partial(length_tail, arrays.whole("size"), bits), 1 + t)
    if not proper_sizes(sizes):
        return None
    frobenius = root_of(2 * sum(s * s for s in sizes), bits + 64)
    return of_law(arrays, partial(doubled_tail, sizes, bits), frobenius + t * max(sizes))


def series_too_large(arrays: Arrays) -> Interval:
    """Lemma K.8: |Z| > t sqrt(nu)."""
    t, sizes, bits = arrays.number("t"), arrays.vector("sizes"), arrays.bits
    if arrays.whole("own"):
        return of_law(arrays, partial(length_tail, arrays.whole("size"), bits), t)
    count = len(sizes)
    if arrays.whole("row"):
        root = root_of(Fraction(count), bits + 64)
        return of_law(arrays, partial(length_tail, count, bits), root * t)
    largest = max(map(abs, sizes))
    none = interval(1)
    for size in filter(None, sizes):
        none = none * (1 - of_law(arrays, partial(two_sided, bits), t * largest / abs(size)))
    return 1 - none


def series_left(arrays: Arrays) -> Interval:
    """With the factor d1 + d2: there may be `more` rows and columns of zeros."""
    require(arrays.whole("more") >= 0, "fewer rows and columns than the matrices have")
    count = len(arrays.vector("sizes"))
    both = count + 1 if arrays.whole("row") else 2 * count
    factor = 2 if arrays.whole("own") else both + arrays.whole("more")
    return below_gaussian(arrays, series_too_large, Fraction(1, 2), factor)


def columns_too_large(arrays: Arrays) -> Interval | None:
    """Lemma K.5 with the constant 4."""
    t, sizes, bits = arrays.number("t"), arrays.vector("sizes"), arrays.bits
    copies = arrays.whole("copies")
    if arrays.whole("own"):  # |w|^2 > 4 (|w| (1 + t) + |w|)
        return of_law(arrays, partial(length_tail, arrays.whole("size"), bits), 8 + 4 * t)
    if copies > 1:  # sqrt(n) |w| > 4 (sqrt(n) + t + 1)
        limit = 4 + 4 * (t + 1) / root_of(Fraction(copies), bits + 64)
        return of_law(arrays, partial(two_sided, bits), limit)
    if not proper_sizes(sizes):
        return None
    if arrays.whole("row"):
        limit = (root_of(Fraction(2 * len(sizes)), bits + 64) + t + 1) * max(sizes)
    else:
        limit = root_of(2 * sum(s * s for s in sizes), bits + 64) + (1 + t) * max(sizes)
    return of_law(arrays, partial(doubled_tail, sizes, bits), limit * 4)


def shifted_too_large(arrays: Arrays) -> Interval | None:
    """Lemma K.6 with the constant 4, of one number or equal columns."""
    t, radius, shift = (arrays.number(name) for name in ("t", "R", "D"))
    bits = arrays.bits
    if radius < 0:
        return None
    if arrays.whole("own"):
        longest = 8 + 4 * (t + radius)
        return of_law(arrays, partial(length_tail, arrays.whole("size"), bits), longest)
    copies = root_of(Fraction(max(1, arrays.whole("copies"))), bits + 64)
    found = interval(0)
    chance, scale = arrays.number("chance"), arrays.number("scale")
    for share, factor in ((1 - chance, Fraction(1)), (chance, scale)):
        if share == 0:
            continue
        far = (4 + 4 * (radius + t + 1) / copies) / factor
        found = found + moved_tail(shift / factor, far, bits) * share
    return found


def moved_tail(shift: Fraction, x: Interval, bits: int) -> Interval:
    """P(|g + shift| > x)."""
    if x < 0:
        return interval(1)
    root = root_of(Fraction(1, 2), bits + 64)
    both = complementary((x - shift) * root, bits) + complementary((x + shift) * root, bits)
    return both * Fraction(1, 2)


# Lemma K.10 one layer up
def neurons_below(arrays: Arrays) -> int:
    """m = copies 2^h; 0 where the integers name no family, or m is 1."""
    copies, power, shape = (arrays.whole(name) for name in ("copies", "h", "shape"))
    if not (1 <= copies <= 100 and power in range(4) and shape in range(3)):
        return 0
    count = copies << power
    return 0 if count == 1 or (shape == 1 and count > 24) else count


def one_layer_left(arrays: Arrays) -> Interval:
    """(u1 + u2) exp(-(log m)^2 / 2) minus the probability that m^(-1/2) |sum w_i U_i| > log m."""
    arrays.alone()
    count, shape, bits = neurons_below(arrays), arrays.whole("shape"), arrays.bits
    if not count or not has_law(arrays):
        return interval(1)
    level = logarithm(Fraction(count), bits + 64)
    root, columns = root_of(Fraction(count), bits + 64), 2 ** arrays.whole("h")

    def largest_sign(x: Interval) -> Interval:
        inside, found = 1 - two_sided(bits, x), interval(1)
        for _ in range(columns):
            found = found * inside
        return 1 - found

    if arrays.whole("own"):  # |w_1| + ... against its mean; both directions of u are 1
        dimensions = 2
        found = of_law(arrays, partial(sum_is_large, count, bits), level)
    elif shape == 2:
        dimensions, found = 2 * 2**count, interval(1)
    elif shape == 1:
        dimensions = count + 1
        found = of_law(arrays, lambda x: length_tail(count, bits, x * root), level)
    else:
        dimensions = 2 * columns
        found = of_law(arrays, largest_sign, level)
    return exponential_of(level * level * Fraction(-1, 2), bits + 64) * dimensions - found


def sum_is_large(count: int, bits: int, x: Interval) -> Interval:
    """Chebyshev's bound from below for m^(-1/2) (|w_1| + ... + |w_m|) > x: the share of the square
    of the distance to the mean (2 m/pi)^(1/2) that exceeds the variance 1 - 2/pi."""
    share = interval(2) / circle_number(bits + 64)
    distance = root_of(share * count, bits + 64) - x
    if distance <= 0:
        return interval(0)
    beyond = distance * distance - (1 - share)
    return interval(0) if beyond < 0 else beyond / (distance * distance)


def gaussian_dag_statements() -> dict[str, MatrixStatement]:
    """zlb22: Lemmas K.4 to K.8 and K.10."""
    law: dict[str, tuple[str, ...]] = {"t": (), "chance": (), "scale": ()}
    half, flags = Fraction(1, 2), ("own", "size")
    common = (made_beforehand, weights_standard)
    claim = partial(MatrixStatement, inequality=True)
    return {
        "zlb22.lemK.4": claim(
            partial(below_gaussian, found=form_too_large, rate=half),
            law | {"a": ("n",)},
            flags,
            (*common, level_above_0),
        ),
        "zlb22.lemK.5": claim(
            partial(below_gaussian, found=columns_too_large, rate=Fraction(1)),
            law | {"sizes": ("k",)},
            (*flags, "row", "copies"),
            (*common, level_at_least_0, single_copy, sizes_differ),
        ),
        "zlb22.lemK.6": claim(
            partial(below_gaussian, found=shifted_too_large, rate=Fraction(1)),
            law | {"R": (), "D": ()},
            (*flags, "copies"),
            (*common, level_at_least_0, single_copy, shift_within),
        ),
        "zlb22.lemK.7": claim(
            partial(below_gaussian, found=product_too_large, rate=half),
            law | {"sizes": ("k",)},
            flags,
            (*common, level_above_0, sizes_differ),
        ),
        "zlb22.lemK.8": claim(
            series_left,
            law | {"sizes": ("n",)},
            (*flags, "row", "more"),
            (*common, level_at_least_0),
        ),
        "zlb22.lemK.10.one@B": claim(
            one_layer_left,
            {"chance": (), "scale": ()},
            ("own", "copies", "h", "shape"),
            common,
        ),
    }


# a network on a DAG, of the planted control ------------------------------------------------------


def all_linear_activations(arrays: Arrays) -> None:
    """Every row of A is z."""
    rows = arrays.matrix("A")
    good = all(len(row) > 1 and row == [int(k == 1) for k in range(len(row))] for row in rows)
    require(good, "an activation is not the identity")


def weighted_path_lengths(arrays: Arrays) -> Fraction:
    """The planted control: paths to the output, times their lengths, less L times all of them."""
    (at,) = arrays.labels(point=range(arrays.lengths["N"]))
    x, weights = arrays.matrix("X")[at], arrays.matrix("W")
    by_length: list[dict[int, Fraction]] = []
    for v in range(vertex_count(arrays)):
        above = parents_of(arrays, v)
        sums: dict[int, Fraction] = {} if above else {0: x[v]}
        for u in above:
            for length, value in by_length[u].items():
                more = weights[v][u] * value
                sums[length + 1] = sums.get(length + 1, Fraction(0)) + more
        by_length.append(sums)
    depth = max(distances_in_dag(arrays))
    found = (by_length[v] for v in ends_of_dag(arrays))
    return added_exactly((n - depth) * value for sums in found for n, value in sums.items())


def planted_dag_statements() -> dict[str, MatrixStatement]:
    """The planted control about networks on a DAG."""
    network: dict[str, tuple[str, ...]] = {
        "E": ("n", "n"),
        "W": ("n", "n"),
        "A": ("n", "k"),
        "X": ("N", "n"),
    }
    planted = MatrixStatement(
        weighted_path_lengths,
        network,
        hypotheses=(acyclic, one_output_of_dag, all_linear_activations),
    )
    return {"control.planted.zlb22": planted}


MATRIX_STATEMENTS = (
    control_statements()
    | geometry_statements()
    | kernel_network_statements()
    | planted_dag_statements()
    | gaussian_dag_statements()
)
DEEP_STATEMENTS = deep_statements() | rank_one_statements() | geometry_network_statements()
STATEMENTS: dict[str, MatrixStatement] = {
    **MATRIX_STATEMENTS,
    **DEEP_STATEMENTS,
}


# the kinds of certificates ----------------------------------------------------------------------
def check(certificate: object) -> Outcome:
    """Check a certificate, read from JSON: the exit code, and one line that says why."""
    return _outcome(lambda: _check(certificate))


def check_content(content: bytes) -> Outcome:
    """Check the content of a file."""
    return _outcome(lambda: _check(read_json(content)))


def _outcome(accept: Callable[[], str]) -> Outcome:
    try:
        with metered():
            return Outcome(ACCEPT, _line("accepted", accept()))
    except Rejected as refusal:
        return Outcome(REJECT, _line("rejected", str(refusal)))
    except Declined as refusal:
        return Outcome(DECLINE, _line("declined", str(refusal)))
    except Undecided:
        return Outcome(DECLINE, "declined: two numbers are not told apart here")
    except RecursionError:
        return Outcome(REJECT, "rejected: it is nested too deeply")
    except ZeroDivisionError:
        return Outcome(REJECT, "rejected: what is measured divides by 0 here")


def _line(word: str, message: str) -> str:
    line = f"{word}: {message}".encode("ascii", "backslashreplace").decode()
    line = line.replace("\n", " ").replace("\r", " ")
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 3] + "..."


def _check(certificate: object) -> str:
    if not isinstance(certificate, dict):
        raise Rejected("a certificate is a JSON object")
    require(certificate.get("format") == FORMAT, f"its format is not {FORMAT!r}")
    for key in ("version", "kind", "claim"):
        require(key in certificate, f"the certificate lacks {key!r}")
    version = integer(certificate["version"], "the version")
    kind, claim = text(certificate["kind"], "the kind"), text(certificate["claim"], "the claim")
    if version != VERSION:
        raise Declined(f"version {version} of the format is not known here")
    if kind not in KINDS:
        raise Declined(f"the kind {kind!r} is not known here")
    check_kind, needed = KINDS[kind]
    fields(certificate, "the certificate", ("format", "version", "kind", "claim", *needed))
    if claim not in STATEMENTS:
        raise Declined(f"the claim {claim!r} is not known here")
    return f"{claim}: {check_kind(STATEMENTS[claim], certificate)}"


def check_counterexample(statement: MatrixStatement, certificate: dict[str, Any]) -> str:
    """The case meets the hypotheses and the residual is the value, which is not 0 (or negative)."""
    require(not statement.existence, "no case refutes a claim that some case exists")
    return check_arrays(statement, certificate, "the claim is violated")


def check_witness(statement: MatrixStatement, certificate: dict[str, Any]) -> str:
    """The case is one that the claim says exists."""
    require(statement.existence, "the claim speaks of all cases, a single one does not show it")
    return check_arrays(statement, certificate, "such a case exists")


def check_necessity(statement: MatrixStatement, certificate: dict[str, Any]) -> str:
    """Without the hypothesis the case violates the claim; with it, it does not speak of the case.

    The two checks differ in what is waived alone, so a rejection by the second one is the
    hypothesis that fails.
    """
    require(not statement.existence, "a claim that some case exists is not violated by a case")
    name = text(certificate["without"], "the hypothesis")
    if name not in WITHOUT:
        raise Declined(f"to do without {name!r} is not known here")
    conclusion = f"without {name!r}, which does not hold, the claim is violated"
    shown = check_arrays(statement, certificate, conclusion, frozenset(WITHOUT[name]))
    try:
        check_arrays(statement, certificate, conclusion)
    except Rejected:
        return shown
    raise Rejected(f"the case meets all hypotheses, {name!r} as well")


def supposed(
    hypotheses: Iterable[Callable[[T], None]], waived: frozenset[str]
) -> list[Callable[[T], None]]:
    """The checks of hypotheses but those that are waived, by the names of their functions."""
    named = ((getattr(h, "func", h).__name__, h) for h in hypotheses)
    return [hypothesis for name, hypothesis in named if name not in waived]


WITHOUT: dict[str, tuple[str, ...]] = {
    "BN-rank 1": ("bottleneck_of_1",),
    "bounded domain": ("ends_are_bounded",),
    "different points": ("different_points",),
    "embedding Oin": ("embeds_inputs",),
    "embedding Oout": ("embeds_outputs",),
    "first correction 0": ("correction_is_0",),
    "no piecewise linear function": ("curved_target",),
    "positive inputs": ("inputs_positive",),
    "positive outputs": ("outputs_positive",),
    "slope inside (-1, 1)": ("slope_inside", "flat_slope"),
    "smooth at the points": ("smooth_at_points",),
    "two pieces": ("both_pieces",),
    "fixed beforehand": ("made_beforehand",),
    "standard normal": ("weights_standard",),
    "level above 0": ("level_above_0",),
    "level at least 0": ("level_at_least_0",),
    "different sizes": ("sizes_differ",),
    "independent columns": ("single_copy",),
    "shift in the ball": ("shift_within",),
    "eigenvalues at least 0": ("eigenvalues_not_negative",),
    "trace d": ("eigenvalues_of_trace_d",),
}
"""For each hypothesis by its name what a certificate of necessity does without: the functions above
that check it, or what is asked of `waived`."""

CheckKind = Callable[[MatrixStatement, dict[str, Any]], str]
KINDS: dict[str, tuple[CheckKind, tuple[str, ...]]] = {
    "counterexample": (check_counterexample, ("case", "entry", "value")),
    "necessity": (check_necessity, ("without", "case", "entry", "value")),
    "witness": (check_witness, ("case", "entry", "value")),
}


# the program --------------------------------------------------------------------------------------
def main(arguments: Sequence[str]) -> int:
    """Check the one file named on the command line; print one line; the exit code."""
    if len(arguments) != 1:
        print("declined: name one file: python -m verify.checker FILE")
        return DECLINE
    try:
        content = File(arguments[0]).read_bytes()
    except OSError as error:
        print(_line("rejected", f"{arguments[0]!r} cannot be read: {error.strerror}"))
        return REJECT
    outcome = check_content(content)
    print(outcome.message)
    return outcome.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
