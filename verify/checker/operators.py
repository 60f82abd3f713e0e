"""The operators that need no more than the values of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cmp_to_key, partial
from math import factorial
from typing import TYPE_CHECKING, Any

from . import matrices, spectra
from .matrices import Matrix, Vector, entrywise, matrix, shape
from .outcomes import Undecided, defined

if TYPE_CHECKING:
    from .interpreter import Run

Value = Any
"""A number; True or False; a `Vector` or `Matrix`; the name of a vertex; the number of an edge; for
a path, a list or a tuple a Python tuple."""

MOST_IN_SUBSETS = 16
MOST_IN_ORDERS = 6


# equality and lists -------------------------------------------------------------------------------
def same(run: Run, one: Value, other: Value) -> bool:
    """Whether two values of one sort are equal."""
    run.budget.steps(1, 0, 2_000)
    if one is other:
        return True
    if isinstance(one, (Vector, Matrix)):
        defined(shape(one) == shape(other))
    elif not isinstance(one, tuple):
        if isinstance(one, (str, bool)):
            return bool(one == other)
        return run.compare(one, other) == 0
    elif len(one) != len(other):
        return False
    equal, undecided = True, False
    for x, y in zip(one, other, strict=True):  # all of them: any pair may have no value
        try:
            equal = same(run, x, y) and equal
        except Undecided:
            undecided = True
    if equal and undecided:
        raise Undecided
    return equal


def _plain(run: Run, *values: Value) -> bool:
    """Whether equality of such values is that of Python. Also pays for one comparison of each."""
    run.budget.steps(len(values), 0, 300)
    return all(
        _plain(run, *value) if type(value) is tuple else isinstance(value, (str, int, Fraction))
        for value in values
    )


def contains(run: Run, values: tuple[Value, ...], value: Value) -> bool:
    """Whether a value is in a list."""
    if _plain(run, value, *values):
        return value in values
    return True in [same(run, x, value) for x in values]  # all: any pair may have no value


def distinct(run: Run, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values without repetition, in the order of first appearance."""
    if _plain(run, *values):
        return run.made(list(dict.fromkeys(values)))
    found: list[Value] = []
    for value in values:
        if True not in [same(run, value, x) for x in found]:
            found.append(value)
    return run.made(found)


def _chosen(
    run: Run, one: tuple[Value, ...], other: tuple[Value, ...], inside: bool
) -> tuple[Value, ...]:
    """Of the first list, without repetition, what is in the other, or what is not."""
    if _plain(run, *one, *other):
        there = set(other)
        return run.made([x for x in distinct(run, one) if (x in there) == inside])
    return run.made([x for x in distinct(run, one) if contains(run, other, x) == inside])


def _range(run: Run, first: int, last: int) -> tuple[int, ...]:
    run.budget.items(max(0, last - first + 1))
    return tuple(range(first, last + 1))


def _at(values: tuple[Value, ...], index: int) -> Value:
    defined(1 <= index <= len(values))
    return values[index - 1]


def _subsets(run: Run, values: tuple[Value, ...]) -> tuple[Value, ...]:
    defined(len(values) <= MOST_IN_SUBSETS)
    run.budget.items((len(values) + 2) << max(0, len(values) - 1))
    numbers = range(1 << len(values))
    return tuple(tuple(x for i, x in enumerate(values) if k >> i & 1) for k in numbers)


def _orders(run: Run, values: tuple[Value, ...]) -> tuple[Value, ...]:
    defined(len(values) <= MOST_IN_ORDERS)
    run.budget.items((len(values) + 1) * factorial(len(values)))
    return tuple(_arranged(values))


def _arranged(values: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    if not values:
        yield ()
    for i, first in enumerate(values):
        for others in _arranged((*values[:i], *values[i + 1 :])):
            yield (first, *others)


def _sorted(run: Run, values: tuple[Value, ...]) -> tuple[Value, ...]:
    return run.made(sorted(values, key=cmp_to_key(run.compare)))


# vectors and matrices -----------------------------------------------------------------------------
def _entries(array: Vector | Matrix) -> list[Value]:
    return array.entries if isinstance(array, Matrix) else list(array)


def _entrywise(function: Callable[..., Any], run: Run, *values: Value) -> Value:
    if not isinstance(values[0], (Vector, Matrix)):
        return function(*values)
    run.budget.items(len(_entries(values[0])))
    return entrywise(function, *values)


def _times(run: Run, x: Value, y: Value) -> Value:
    return _entrywise(lambda entry: run.mul(x, entry), run, y)


def _over(run: Run, x: Value, y: Value) -> Value:
    return _entrywise(lambda entry: run.div(entry, y), run, x)


def _matmul(run: Run, a: Matrix, b: Value) -> Value:
    if isinstance(b, Matrix):
        return matrices.product(run, a, b)
    defined(len(a[0]) == len(b))
    run.budget.items(len(a))
    return Vector(run.dot(row, b) for row in a)


def _dot(run: Run, x: Value, y: Value) -> Value:
    defined(shape(x) == shape(y))
    return run.dot(_entries(x), _entries(y))


def _outer(run: Run, x: Vector, y: Vector) -> Matrix:
    run.budget.items(len(x) * len(y))
    return matrix([run.mul(a, b) for b in y] for a in x)


def _reshaped(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that only moves entries about; as many as there were."""

    def asked(run: Run, *values: Value) -> Value:
        run.budget.items(sum(len(_entries(x)) for x in values if isinstance(x, (Vector, Matrix))))
        return function(*values)

    return asked


def _beside(a: Matrix, b: Matrix) -> Matrix:
    defined(len(a) == len(b))
    return matrix((*one, *other) for one, other in zip(a, b, strict=True))


def _above(a: Matrix, b: Matrix) -> Matrix:
    defined(len(a[0]) == len(b[0]))
    return Matrix((*a, *b))


def _diagonal(run: Run, a: Matrix) -> Vector:
    defined(a.square)
    run.budget.items(len(a))
    return Vector(row[i] for i, row in enumerate(a))


def _diag(run: Run, x: Vector) -> Matrix:
    run.budget.items(len(x) ** 2)
    return matrix([a if i == j else 0 for j in range(len(x))] for i, a in enumerate(x))


def _zeros(run: Run, m: int, n: int) -> Matrix:
    defined(m >= 1 and n >= 1)
    run.budget.items(m * n)
    return matrix([0] * n for _ in range(m))


def _eye(run: Run, n: int) -> Matrix:
    defined(n >= 1)
    run.budget.items(n * n)
    return matrices.identity(n)


# operators of values ------------------------------------------------------------------------------
def _pick(wanted: int) -> Callable[[Run, Value, Value], Value]:
    return lambda run, x, y: run.extreme(x, y, wanted)


def _mod(run: Run, x: int, y: int) -> int:
    defined(y > 0)
    return x % y


NUMBERS: dict[str, Callable[..., Value]] = {
    "add": lambda run, x, y: _entrywise(run.add, run, x, y),
    "sub": lambda run, x, y: _entrywise(run.sub, run, x, y),
    "neg": lambda run, x: _entrywise(run.neg, run, x),
    "mul": _times,
    "div": _over,
    "abs": lambda run, x: abs(x),
    "pow": lambda run, x, y: run.power(x, y),
    "rising": lambda run, x, y: run.rising_factorial(x, y),
    "sign": lambda run, x: run.sign(x),
    "sqrt": lambda run, x: run.sqrt(x),
    **{
        name: partial(lambda name, run, x: run.rising(name, x), name)
        for name in ("log", "exp", "erfc", "tanh", "sigmoid", "softplus")
    },
    "larger": _pick(1),
    "smaller": _pick(-1),
    "floor": lambda run, x: run.floor(x),
    "ceil": lambda run, x: run.ceil(x),
    "mod": _mod,
    "eq": same,
    "ne": lambda run, x, y: not same(run, x, y),
    "le": lambda run, x, y: run.compare(x, y) <= 0,
    "lt": lambda run, x, y: run.compare(x, y) < 0,
    "ge": lambda run, x, y: run.compare(x, y) >= 0,
    "gt": lambda run, x, y: run.compare(x, y) > 0,
    "not": lambda run, x: not x,
}
LISTS: dict[str, Callable[..., Value]] = {
    "in": lambda run, x, xs: contains(run, xs, x),
    "range": _range,
    "list": lambda run, *xs: run.made(list(xs)),
    "tuple": lambda run, *xs: run.made(list(xs)),
    "at": lambda run, xs, k: _at(xs, k),
    "card": lambda run, xs: len(xs),
    "union": lambda run, xs, ys: distinct(run, xs + ys),
    "intersection": lambda run, xs, ys: _chosen(run, xs, ys, True),
    "minus": lambda run, xs, ys: _chosen(run, xs, ys, False),
    "distinct": distinct,
    "concat": lambda run, xs, ys: run.made([*xs, *ys]),
    "sorted": _sorted,
    "subsets": _subsets,
    "orders": _orders,
}
MATRICES: dict[str, Callable[..., Value]] = {
    "matmul": _matmul,
    "dot": _dot,
    "outer": _outer,
    "transpose": _reshaped(matrices.transpose),
    "entry": lambda run, a, i, j: _at(_at(a, i), j),
    "coord": lambda run, x, i: _at(x, i),
    "row": lambda run, a, i: _at(a, i),
    "column": _reshaped(lambda a, j: Vector(_at(row, j) for row in a)),
    "rows": lambda run, a: len(a),
    "cols": lambda run, a: len(a[0]),
    "dim": lambda run, x: len(x),
    "beside": _reshaped(_beside),
    "above": _reshaped(_above),
    "kron": matrices.kronecker,
    "frob2": lambda run, x: run.squares(_entries(x)),
    "trace": lambda run, a: run.total(_diagonal(run, a)),
    "diagonal": _diagonal,
    "diag": _diag,
    "eye": _eye,
    "zeros": _zeros,
    "rank": matrices.rank,
    "det": matrices.determinant,
    "inverse": matrices.inverse,
    "pdet2": spectra.pseudo_determinant,
    "definite": spectra.definite,
    "eigenvalues": lambda run, a: tuple(spectra.eigenvalues(run, a)),
    "singular": lambda run, a: tuple(spectra.singular(run, a)),
    "norm": spectra.norm,
    "nuclear": lambda run, a: run.total(spectra.singular(run, a)),
    "schatten": spectra.schatten,
    "roots": spectra.root_count,
}


# operators of a network ---------------------------------------------------------------------------
def _input(run: Run, v: str, j: int) -> Value:
    defined(not run.network.network.into[v])
    return run.network.post(v, j)


def _side(run: Run, v: str, side: int) -> Value:
    net = run.network.network
    defined(v in net.slopes and bool(net.into[v]))
    return net.slopes[v][side]


def _paths(run: Run) -> Value:
    paths = run.network.network.paths
    defined(paths is not None)
    return paths


def _edge(run: Run, tail: str, head: str) -> int:
    net = run.network.network
    found = [e for e in net.out_of[tail] if net.edges[e].head == head]
    defined(bool(found))
    return found[0]


def _paths_to(run: Run, v: str) -> Value:
    net = run.network.network
    sizes = net.sizes_to[v]
    defined(sizes is not None)
    run.budget.items(sum(sizes or ()))
    return net.paths_to(v)


def _users(run: Run, e: int) -> tuple[int, ...]:
    net = run.network.network
    return net.users.get(net.edges[e].parameter or "", ())


def _step_size(run: Run, step: int) -> Value:
    sizes = run.network.network.sizes
    defined(0 <= step < len(sizes))
    return sizes[step]


NETWORKS: dict[str, Callable[..., Value]] = {
    "vertices": lambda run: run.network.network.vertices,
    "inputs": lambda run: run.network.network.inputs,
    "hidden": lambda run: run.network.network.hidden,
    "outputs": lambda run: run.network.network.outputs,
    "edges": lambda run: run.network.network.numbers,
    "examples": lambda run: run.network.network.examples,
    "into": lambda run, v: run.network.network.into[v],
    "out_of": lambda run, v: run.network.network.out_of[v],
    "held": lambda run, v: v in run.network.network.held,
    "tail": lambda run, e: run.network.network.edges[e].tail,
    "head": lambda run, e: run.network.network.edges[e].head,
    "edge": _edge,
    "users": _users,
    "learnable": lambda run, e: run.network.network.edges[e].parameter is not None,
    "paths": _paths,
    "edges_on": lambda run, path: path,
    "paths_to": lambda run, v: _paths_to(run, v),
    "start": lambda run, path: run.network.network.edges[path[0]].tail,
    "weight": lambda run, e: run.network.moving_weight(e) if run.moving else run.network.weight(e),
    "input": _input,
    "label": lambda run, j: run.network.network.labels[run.network.example(j) - 1],
    "loss_slope": lambda run, j: run.network.loss_slope(j),
    "slope_left": lambda run, v: _side(run, v, 0),
    "slope_right": lambda run, v: _side(run, v, 1),
    "pre": lambda run, v, j: run.network.pre(v, j, run.moving),
    "post": lambda run, v, j: run.network.post(v, j, run.moving),
    "slope": lambda run, v, j: run.network.slope(v, j),
    "output": lambda run, j: run.network.output(j, run.moving),
    "gradient": lambda run, e, j: run.network.gradient(e, j),
    "sensitivity": lambda run, v, j: run.network.sensitivity(v, j),
    "steps": lambda run: tuple(range(len(run.network.network.sizes))),
    "step_size": _step_size,
    "activation": lambda run, v, z: run.network.activation(v, z),
}
