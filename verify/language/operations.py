"""The operators one by one, on columns: numbers, truth, lists, and the case. The matrices are in
`verify.language.linear`, the networks in `verify.language.networks`, the binders in
`verify.language.binding`.

An operation takes the evaluation, the frame, the term, and the columns of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations
from math import ceil, floor
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs import reals
from graphs.activations import SMOOTH
from graphs.algebraic import Algebraic
from graphs.arithmetic import as_fraction, rational
from graphs.polynomials import Symbols
from graphs.rationals import RATIONALS
from verify.language.choices import arrays_named, chosen
from verify.language.columns import (
    Column,
    Groups,
    Lists,
    Rows,
    grouped,
    paired,
    plain,
    ragged,
    taken,
)
from verify.language.frames import OPERATIONS, Frame, TooManyRowsError
from verify.language.sizes import of_sizes
from verify.language.sorts import EDGE, INT, MAT, NUM, PATH, VEC, VERTEX, Sort
from verify.language.terms import Term, make

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation

EXACT = {int, Fraction, type(rational(0))}
MOST_SUBSETS = 16
MOST_ORDERED = 6
LARGEST_POWER = 10_000
LARGEST_LITERAL = 64  # up to which a power is a product in every arithmetic
LONGEST_RANGE = 2_000_000
FEW = 64  # whole numbers, of which none are looked for that are alike
FAR = 2**60  # beyond which nothing is counted or numbered


def operation(*names: str) -> Callable[[Any], Any]:
    """Enter a function under the names of operators."""

    def enter(function: Any) -> Any:
        for name in names:
            OPERATIONS[name] = function
        return function

    return enter


def whole_numbers(values: Sequence[int] | np.ndarray) -> np.ndarray:
    """(R,): whole numbers as a column has them."""
    if isinstance(values, np.ndarray) and values.dtype == np.int64:
        return values.astype(object)
    found = np.empty(len(values), dtype=object)
    found[:] = [int(value) for value in values]
    return found


def int64(values: np.ndarray) -> np.ndarray | None:
    """(R,): whole numbers of a column as numbers of 64 bits; None where one lies far out, or is a
    sign that a polynomial stands for."""
    try:
        found = np.asarray(values.astype(np.int64))
    except (OverflowError, TypeError):
        return None
    return found if found.min(initial=0) > -FAR and found.max(initial=0) < FAR else None


def both(one: Column, other: Column) -> np.ndarray:
    """(R,): the rows in which two columns have a value."""
    return np.asarray(one.defined & other.defined)


# literals and the case ---------------------------------------------------------------------------
@operation("number")
def _number(by: Evaluation, frame: Frame, term: Term) -> Column:
    value, count = term.args[0], len(frame)
    everywhere = np.ones(count, dtype=bool)
    if term.sort == INT:
        return Column(np.full(count, int(value), dtype=object), everywhere)
    return Column(repeated(by, value, count), everywhere)


def repeated(by: Evaluation, value: Any, count: int) -> Any:
    """(R,): one number in all rows."""
    return by.arithmetic.array([value])[np.zeros(count, dtype=np.int64)]


@operation("truth")
def _truth(by: Evaluation, frame: Frame, term: Term) -> Column:
    return Column(np.full(len(frame), term.args[0]), np.ones(len(frame), dtype=bool))


@operation("real")
def _real(by: Evaluation, frame: Frame, term: Term, whole: Column) -> Column:
    return Column(_as_numbers(by, whole.values, term.args[0].sort, term.sort), whole.defined)


def _as_numbers(by: Evaluation, values: Any, given: Sort, asked: Sort) -> Any:
    """Values of one sort as those of another: whole numbers as numbers, in lists and tuples too."""
    if given == asked:
        return values
    if isinstance(values, Lists):
        return Lists(values.counts, _as_numbers(by, values.items, given.inner[0], asked.inner[0]))
    if isinstance(values, tuple):
        parts = zip(values, given.inner, asked.inner, strict=True)
        return tuple(_as_numbers(by, *part) for part in parts)
    numbers = int64(values) if len(values) > FEW else None
    if numbers is None:
        return by.arithmetic.array(list(values))
    distinct, places = np.unique(numbers, return_inverse=True)
    return by.arithmetic.array(distinct.tolist())[places]


@operation("field")
def _field(by: Evaluation, frame: Frame, term: Term) -> Column:
    """In the frame of the cases: every other one takes it from there."""
    if term.sort.name == "seq":
        return chosen(by, term.args[0].name, term.sort)
    name = term.args[0].name
    if term.sort in (VEC, MAT):
        return of_groups(by, frame, arrays_named(by, name))
    held = [case.arrays.get(name) for case in by.scene.cases]
    defined = np.array([one is not None for one in held])
    if term.sort == INT or hasattr(by.scene, "union"):
        numbers = [Fraction(0) if one is None else one.entries[0] for one in held]
        whole = term.sort == INT
        return Column(
            whole_numbers([int(n) for n in numbers]) if whole else by.arithmetic.array(numbers),
            defined,
        )
    return Column(by.scene[name], defined)


# numbers -----------------------------------------------------------------------------------------
def _arithmetic(name: str, change: Callable[[Any, Any], Any]) -> None:
    def of_two(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
        if term.sort in (VEC, MAT):
            pieces = paired(
                one.values, other.values, lambda a, b: change(a, b) if a.shape == b.shape else None
            )
            return of_groups(by, frame, pieces)
        return Column(change(one.values, other.values), both(one, other))

    OPERATIONS[name] = of_two


def of_groups(by: Evaluation, frame: Frame, pieces: Any) -> Column:
    """The column of groups that pieces make, defined where they are."""
    found = grouped(by.arithmetic, pieces)
    return Column(found, found.defined(len(frame)))


_arithmetic("add", lambda a, b: a + b)
_arithmetic("sub", lambda a, b: a - b)


@operation("neg")
def _neg(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    if isinstance(one.values, Groups):
        return Column(one.values.unary(lambda array: -array), one.defined)
    return Column(-one.values, one.defined)


def scaled(by: Evaluation, factor: Column, groups: Column) -> Column:
    """Vectors or matrices times numbers."""
    pieces = []
    for rows, array in groups.values.parts.values():
        kept = factor.defined[rows]
        ones = (1,) * (array.ndim - 1)
        times = factor.values[rows[kept]].reshape(int(kept.sum()), *ones)
        pieces.append((rows[kept], array[kept] * times))
    found = grouped(by.arithmetic, pieces)
    return Column(found, found.defined(len(factor.defined)))


@operation("mul")
def _mul(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    if term.sort in (VEC, MAT):
        return scaled(by, one, other)
    return Column(one.values * other.values, both(one, other))


@operation("div")
def _div(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    divisor = term.args[1]
    literal = divisor.args[0] if divisor.op == "real" else divisor
    if literal.op == "number" and literal.args[0] != 0:  # in every arithmetic
        share = repeated(by, 1 / literal.args[0], len(frame))
        inverse = Column(share, np.ones(len(frame), dtype=bool))
    elif literal.sort == INT and not of_sizes(divisor):  # likewise
        inverse = _share(by, by.column(literal, frame))
    elif by.arithmetic is not RATIONALS and of_sizes(divisor):
        inverse = by.column(make("div", 1, divisor), frame)
    elif isinstance(by.arithmetic, Symbols):
        inverse = by_entry(other, by.arithmetic.reciprocal)
    else:
        inverse = by_entry(other, reciprocal)
    if term.sort in (VEC, MAT):
        return scaled(by, inverse, one)
    return Column(one.values * inverse.values, both(one, inverse))


def _share(by: Evaluation, whole: Column) -> Column:
    """1 over whole numbers."""
    defined = whole.defined & np.array([value != 0 for value in whole.values], dtype=bool)
    shares = [
        Fraction(1, value) if known else Fraction(0)
        for value, known in zip(whole.values, defined, strict=True)
    ]
    return Column(by.arithmetic.array(shares), defined)


def by_entry(one: Column, change: Callable[[Any], Any], *, whole: bool = False) -> Column:
    """A function of exact numbers, row by row; None where it has no value."""
    count = len(one.defined)
    values, defined = np.empty(count, dtype=object), one.defined.copy()
    values.fill(0 if whole else rational(0))
    for k in np.flatnonzero(one.defined):
        found = change(one.values[k])
        if found is None:
            defined[k] = False
        else:
            values[k] = int(found) if whole else found
    return Column(values, defined)


def reciprocal(value: Any) -> Any:
    """1 over a number; None where it has no value."""
    if value == 0:
        return None
    return 1 / (reals.real(value) if isinstance(value, Algebraic) else value)


def by_two(
    one: Column, other: Column, change: Callable[[Any, Any], Any], *, whole: bool = False
) -> Column:
    """The same of two numbers."""
    together = np.empty(len(one.defined), dtype=object)
    together[:] = list(zip(one.values, other.values, strict=True))
    return by_entry(Column(together, both(one, other)), lambda pair: change(*pair), whole=whole)


def raised(base: Any, exponent: Any) -> Any:
    """A number to a power; None where it has no value."""
    if not _is_rational(exponent):
        if base > 0:
            return reals.exp(reals.log(base) * exponent)
        return rational(0) if base == 0 and exponent > 0 else None
    power = as_fraction(exponent)
    if power.denominator == 1:
        if abs(power) > LARGEST_POWER:
            raise TooManyRowsError(f"the power {power}: at most {LARGEST_POWER} is looked at")
        if power == 0:
            return rational(1)
        if power < 0:
            return reciprocal(raised(base, -power))
        if isinstance(base, Algebraic):
            return reduce(mul, [base] * int(power))
        return base ** int(power)
    if base < 0 or (base == 0 and power < 0):
        return None
    return reals.power(base, power)


def _is_rational(value: Any) -> bool:
    return not isinstance(value, reals.Real | Algebraic)


def _whole_power(base: int, exponent: int) -> int:
    if abs(base) > 1 and exponent > LARGEST_POWER:
        raise TooManyRowsError(f"the power {exponent}: at most {LARGEST_POWER} is looked at")
    small = exponent if abs(base) > 1 else exponent % 2 + 2 * (exponent > 0)
    return int(base**small)


@operation("pow")
def _pow(by: Evaluation, frame: Frame, term: Term, base: Column, exponent: Column) -> Column:
    literal = term.args[1].args[0] if term.args[1].op == "real" else term.args[1]
    if literal.op == "number" and literal.args[0] in range(
        1, LARGEST_LITERAL + 1
    ):  # in every arithmetic
        found = base.values
        for _ in range(int(literal.args[0]) - 1):
            found = found * base.values
        return Column(found, base.defined)
    if term.sort == INT:
        return by_two(base, exponent, _whole_power, whole=True)
    return by_two(base, exponent, raised)


def risen(x: Any, a: Any) -> Any:
    """Gamma(x + a) / Gamma(x); None where it has no value."""
    if not (x > 0 and x + a > 0):
        return None
    if not _is_rational(a) or as_fraction(a).denominator > 1:
        return reals.gamma_ratio(x + a, x)
    steps = int(as_fraction(a))
    if abs(steps) > LARGEST_POWER:
        raise TooManyRowsError(
            f"a product of {abs(steps)} numbers: at most {LARGEST_POWER} is made"
        )
    least = x if steps > 0 else x + a
    product = reduce(mul, (least + k for k in range(abs(steps))), rational(1))
    return product if steps >= 0 else reciprocal(product)


@operation("rising")
def _rising(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    return by_two(one, other, risen)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda x: reals.sqrt(x) if x >= 0 else None,
    "log": lambda x: reals.log(x) if x > 0 else None,
    "exp": reals.exp,
    "erfc": reals.erfc,
}
WHOLE: dict[str, Callable[[Any], Any]] = {
    "floor": lambda x: floor(as_fraction(x)) if _is_rational(x) else reals.real(x).floor(),
    "ceil": lambda x: ceil(as_fraction(x)) if _is_rational(x) else -reals.real(-x).floor(),
}


for _name, _function in FUNCTIONS.items():
    OPERATIONS[_name] = lambda by, frame, term, one, f=_function: by_entry(one, f)
for _name, _function in WHOLE.items():
    OPERATIONS[_name] = lambda by, frame, term, one, f=_function: by_entry(one, f, whole=True)


@operation(*SMOOTH)
def _smooth(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    """Of numbers in every arithmetic but polynomials. What has no value is no number to ask for."""
    rows = np.flatnonzero(one.defined)
    if len(rows) == len(frame):
        return Column(by.arithmetic.smooth(term.op, one.values)[0], one.defined)
    values = by.arithmetic.zeros(len(frame))
    values[rows] = by.arithmetic.smooth(term.op, one.values[rows])[0]
    return Column(values, one.defined)


@operation("abs")
def _abs(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    if isinstance(by.arithmetic, Symbols):
        return Column(by.arithmetic.absolute(one.values), one.defined)
    return Column(abs(one.values), one.defined)


@operation("sign")
def _sign(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    if isinstance(by.arithmetic, Symbols):
        return Column(by.arithmetic.sign(one.values), one.defined)
    values, found = one.values[one.defined], np.zeros(len(frame), dtype=np.int64)
    found[one.defined] = np.asarray(values > 0, dtype=np.int64) - np.asarray(values < 0, dtype=bool)
    return Column(whole_numbers(found), one.defined)


@operation("larger", "smaller")
def _larger(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    """Of numbers in every arithmetic."""
    a, b = one.values, other.values
    found = by.arithmetic.maximum(a, b) if term.op == "larger" else -by.arithmetic.maximum(-a, -b)
    return Column(found, both(one, other))


@operation("mod")
def _mod(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    return by_two(one, other, lambda a, b: a % b if b > 0 else None, whole=True)


# truth -------------------------------------------------------------------------------------------
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
}

BY_SIGN: dict[str, Callable[[Any, Any], Any]] = {
    "le": lambda zero, negative: zero | negative,
    "lt": lambda zero, negative: negative & ~zero,
    "ge": lambda zero, negative: zero | ~negative,
    "gt": lambda zero, negative: ~zero & ~negative,
}
"""The same by whether the difference is (or may be) 0 and whether it is below 0."""


@operation(*COMPARISONS)
def _compare(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    compare, sort = COMPARISONS[term.op], term.args[0].sort
    if sort in (NUM, INT) and isinstance(by.arithmetic, Symbols):
        apart = by.arithmetic.constants(one.values - other.values)
        return Column(np.array([compare(x, 0) for x in apart], dtype=bool), both(one, other))
    defined = both(one, other)
    if sort in (VEC, MAT):
        return _compare_groups(frame, term, one, other)
    if sort == NUM and by.arithmetic is not RATIONALS:
        apart = one.values - other.values
        zero = np.asarray(by.arithmetic.may_be_zero(apart), dtype=bool)
        if term.op in ("eq", "ne"):
            return Column(zero if term.op == "eq" else ~zero, defined)
        negative = np.asarray(by.arithmetic.is_negative(apart), dtype=bool)
        return Column(BY_SIGN[term.op](zero, negative), defined)
    if sort in (NUM, INT):
        rows = np.flatnonzero(defined)
        found = np.zeros(len(frame), dtype=bool)
        with np.errstate(all="ignore"):  # of the floats from which FLINT starts to look for roots
            found[rows] = np.asarray(compare(one.values[rows], other.values[rows]), dtype=bool)
        if term.op in ("ne", "lt", "gt"):  # no case is built on numbers that are not told apart
            for k in () if _all_rational(one, other) else rows[~found[rows]]:
                defined[k] = reals.told(one.values[k] - other.values[k])
        return Column(found, defined)
    if sort.name == "seq" and sort.inner[0] in (VERTEX, EDGE, PATH):
        same = _same_lists(one.values, other.values)
        return Column(same if term.op == "eq" else ~same, defined)
    if sort.name in ("seq", "tuple"):
        found = np.zeros(len(frame), dtype=bool)
        for k in np.flatnonzero(defined):
            left, right = plain(one.values, sort, int(k)), plain(other.values, sort, int(k))
            found[k] = compare(left, right)
        return Column(found, defined)
    return Column(np.asarray(compare(one.values, other.values), dtype=bool), defined)


def _all_rational(*columns: Column) -> bool:
    """Whether all numbers are rationals or whole numbers, which are always told apart."""
    return all(set(map(type, one.values)) <= EXACT for one in columns)


def _same_lists(one: Lists, other: Lists) -> np.ndarray:
    """(R,): which lists of numbers of vertices, edges or paths are the same."""
    same = np.asarray(one.counts == other.counts)
    mine = np.flatnonzero(same[one.owner])
    owner = one.owner[mine]
    places = other.starts[owner] + mine - one.starts[owner]
    same[owner[one.items[mine] != other.items[places]]] = False
    return same


def _compare_groups(frame: Frame, term: Term, one: Column, other: Column) -> Column:
    found, defined = np.zeros(len(frame), dtype=bool), np.zeros(len(frame), dtype=bool)

    def same(a: Any, b: Any) -> Any:
        if a.shape != b.shape:
            return None
        flat = np.asarray(a == b, dtype=bool).reshape(len(a), -1)
        return flat.all(axis=1)

    for rows, equal in paired(one.values, other.values, same):
        defined[rows] = True
        found[rows] = equal if term.op == "eq" else ~equal
    return Column(found, defined)


@operation("not")
def _not(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    return Column(~one.values, one.defined)


@operation("in")
def _in(by: Evaluation, frame: Frame, term: Term, one: Column, many: Column) -> Column:
    defined = both(one, many)
    element, lists = term.args[0].sort, term.args[1].sort
    if element in (VERTEX, EDGE, PATH):
        owner = many.values.owner
        there = np.zeros(len(frame), dtype=bool)
        there[owner[many.values.items == one.values[owner]]] = True
        return Column(there, defined)
    found = np.zeros(len(frame), dtype=bool)
    for k in np.flatnonzero(defined):
        found[k] = plain(one.values, element, int(k)) in plain(many.values, lists, int(k))
    return Column(found, defined)


# lists -------------------------------------------------------------------------------------------
@operation("range")
def _range(by: Evaluation, frame: Frame, term: Term, first: Column, last: Column) -> Column:
    defined = both(first, last)
    lengths = np.where(defined, last.values - first.values + 1, 0)
    total = sum(length for length in lengths if length > 0)
    if total > LONGEST_RANGE:
        raise TooManyRowsError(f"{total} whole numbers in a list")
    counts = np.maximum(lengths, 0).astype(np.int64)
    items = np.repeat(first.values, counts) + ragged(counts)
    return Column(Lists(counts, items), defined)


@operation("list")
def _list(by: Evaluation, frame: Frame, term: Term, *parts: Column) -> Column:
    from verify.language.columns import behind

    count, sort = len(frame), term.args[0].sort
    items = behind([part.values for part in parts], [count] * len(parts), sort, by.arithmetic)
    places = (np.arange(len(parts))[None, :] * count + np.arange(count)[:, None]).reshape(-1)
    defined = np.logical_and.reduce([part.defined for part in parts])
    lists = Lists(np.full(count, len(parts)), taken(items, sort, places))
    return Column(lists, np.asarray(defined))


@operation("tuple")
def _tuple(by: Evaluation, frame: Frame, term: Term, *parts: Column) -> Column:
    defined = np.logical_and.reduce([part.defined for part in parts])
    return Column(tuple(part.values for part in parts), np.asarray(defined))


@operation("item")
def _item(by: Evaluation, frame: Frame, term: Term) -> Column:
    whole = by.column(term.args[0], frame)
    return Column(whole.values[term.args[1] - 1], whole.defined)


@operation("at")
def _at(by: Evaluation, frame: Frame, term: Term, many: Column, index: Column) -> Column:
    lists: Lists = many.values
    at = int64(index.values)
    if at is None:
        at = np.array([i if -FAR < i < FAR else 0 for i in index.values], dtype=np.int64)
    defined = both(many, index) & (at >= 1) & (at <= lists.counts)
    places = np.where(defined, lists.starts + at - 1, 0)
    if not lists.counts.sum():
        return nothing(by, term.sort, len(frame))
    return Column(taken(lists.items, term.sort, places), defined)


def nothing(by: Evaluation, sort: Sort, count: int) -> Column:
    """A column without a value in any row."""
    return Column(filler(by, sort, count), np.zeros(count, dtype=bool))


def filler(by: Evaluation, sort: Sort, count: int) -> Any:
    """Values that say nothing."""
    if sort in (VEC, MAT):
        return Groups({})
    if sort == NUM:
        return by.arithmetic.zeros(count)
    if sort == INT:
        return np.full(count, 0, dtype=object)
    if sort.name == "tuple":
        return tuple(filler(by, part, count) for part in sort.inner)
    if sort.name == "seq":
        return Lists(np.zeros(count, dtype=np.int64), filler(by, sort.inner[0], 0))
    return np.zeros(count, dtype=bool if sort.name == "bool" else np.int64)


@operation("card")
def _card(by: Evaluation, frame: Frame, term: Term, many: Column) -> Column:
    return Column(whole_numbers(many.values.counts), many.defined)


def _chosen(
    by: Evaluation, term: Term, defined: np.ndarray, many: Sequence[Column], pick: Any
) -> Column:
    """Lists of elements of lists that stand one behind the other: pick tells which, by the elements
    as Python values."""
    from verify.language.columns import behind

    sort = term.sort
    element = sort.inner[0]
    sizes = [len(one.values.owner) for one in many]
    items = behind([one.values.items for one in many], sizes, element, by.arithmetic)
    numbers = int64(items) if element in (INT, VERTEX, EDGE, PATH) else None
    if numbers is not None and len(items):
        index, many_of = _told_apart(numbers, defined, [one.values.owner for one in many], term.op)
        return Column(Lists(many_of, items[index]), defined)
    offsets = np.cumsum([0, *sizes])
    counts, places = [], []
    for row, known in enumerate(defined):
        found: list[int] = []
        if known:
            spans = [
                range(
                    o + int(one.values.starts[row]),
                    o + int(one.values.starts[row] + one.values.counts[row]),
                )
                for o, one in zip(offsets, many, strict=False)
            ]
            keys = [[plain(items, element, place) for place in span] for span in spans]
            found = [
                place
                for span, kept in zip(spans, pick(*keys), strict=True)
                for place, yes in zip(span, kept, strict=True)
                if yes
            ]
        counts.append(len(found))
        places += found
    index = np.array(places, dtype=np.int64)
    values = taken(items, element, index) if len(index) else filler(by, element, 0)
    return Column(Lists(np.array(counts, dtype=np.int64), values), defined)


def _firsts(keys: Sequence[Any], before: Sequence[Any] = ()) -> list[bool]:
    """Which of them stand for the first time, before counting too."""
    first: dict[int, Any] = {}
    try:
        seen: Any = set(before)
        for place, key in enumerate(keys):
            if key not in seen:
                first[place] = key
                seen.add(key)
    except TypeError:  # real numbers, which have no hash
        first = {}
        for place, key in enumerate(keys):
            if key not in before and key not in first.values():
                first[place] = key
    return [place in first for place in range(len(keys))]


def _union(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return _firsts(a), _firsts(b, a)


def _intersection(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return [first and key in b for first, key in zip(_firsts(a), a, strict=True)], [False] * len(b)


def _minus(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return [first and key not in b for first, key in zip(_firsts(a), a, strict=True)], [
        False
    ] * len(b)


PICKS = {"union": _union, "intersection": _intersection, "minus": _minus}


def _told_apart(
    items: np.ndarray, known: np.ndarray, owners: Sequence[np.ndarray], op: str
) -> tuple[Rows, np.ndarray]:
    """The same for elements that are whole numbers, or those of vertices, edges or paths, in all
    rows at once: the places of the elements that are taken, and (R,) how many they are. owners: by
    list the row of each element."""
    owner = np.concatenate(owners)
    mine = np.arange(len(owner)) < len(owners[0])
    values, numbered = np.unique(items, return_inverse=True)
    code = owner * len(values) + numbered
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    stands = np.zeros(len(owner), dtype=bool)
    stands[first] = True  # of elements that are the same: in the first list, where it is in both
    other = np.bincount(which[~mine], minlength=len(first))[which] > 0
    if op in ("intersection", "minus"):
        stands &= mine & (other if op == "intersection" else ~other)
    places = np.flatnonzero(stands & known[owner])
    places = places[np.argsort(owner[places], kind="stable")]
    return places, np.bincount(owner[places], minlength=len(known))


@operation(*PICKS)
def _of_two_lists(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    return _chosen(by, term, both(one, other), [one, other], PICKS[term.op])


@operation("concat")
def _concat(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    from verify.language.columns import behind

    sort, parts = term.sort.inner[0], (one.values, other.values)
    sizes = [len(part.owner) for part in parts]
    items = behind([part.items for part in parts], sizes, sort, by.arithmetic)
    order = np.argsort(np.concatenate([part.owner for part in parts]), kind="stable")
    lists = Lists(parts[0].counts + parts[1].counts, taken(items, sort, order))
    return Column(lists, both(one, other))


@operation("distinct")
def _distinct(by: Evaluation, frame: Frame, term: Term, many: Column) -> Column:
    return _chosen(by, term, many.defined, [many], lambda keys: [_firsts(keys)])


@operation("sorted")
def _sorted(by: Evaluation, frame: Frame, term: Term, many: Column) -> Column:
    lists: Lists = many.values
    items = lists.items.copy()
    for start, count, known in zip(lists.starts, lists.counts, many.defined, strict=True):
        if known and count > 1:
            items[start : start + count] = sorted(items[start : start + count])
    return Column(Lists(lists.counts, items), many.defined)


@operation("subsets")
def _subsets(by: Evaluation, frame: Frame, term: Term, many: Column) -> Column:
    lists: Lists = many.values
    element = term.args[0].sort.inner[0]
    defined = many.defined & (lists.counts <= MOST_SUBSETS)
    outer, inner, places = [], [], []
    for start, count, known in zip(lists.starts, lists.counts, defined, strict=True):
        outer.append(2 ** int(count) if known else 0)
        for number in range(outer[-1]):
            chosen = [start + k for k in range(count) if number >> k & 1]
            inner.append(len(chosen))
            places += chosen
    items = taken(lists.items, element, np.array(places, dtype=np.int64))
    values = Lists(np.array(inner, dtype=np.int64), items)
    return Column(Lists(np.array(outer, dtype=np.int64), values), defined)


@operation("orders")
def _orders(by: Evaluation, frame: Frame, term: Term, many: Column) -> Column:
    lists: Lists = many.values
    defined = many.defined & (lists.counts <= MOST_ORDERED)
    outer, inner, places = [], [], []
    for start, count, known in zip(lists.starts, lists.counts, defined, strict=True):
        found = list(permutations(range(start, start + count))) if known else []
        outer.append(len(found))
        inner += [int(count)] * len(found)
        places += [place for order in found for place in order]
    items = taken(lists.items, term.args[0].sort.inner[0], np.array(places, dtype=np.int64))
    values = Lists(np.array(inner, dtype=np.int64), items)
    return Column(Lists(np.array(outer, dtype=np.int64), values), defined)
