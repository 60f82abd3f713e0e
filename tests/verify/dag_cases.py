"""Small DAG networks made by hand."""

from fractions import Fraction

from verify.cases.tensors import tensor
from verify.kinds.dags.scene import Dag

IDENTITY, SQUARE = (0, 1), (0, 0, 1)


def dag(weights, activations, inputs, moves=None, **numbers):
    """weights, moves: by (v, u). activations: coefficients by vertex, the identity where missing.
    inputs: one value for each vertex, or several such rows."""
    rows = inputs if isinstance(inputs[0], tuple | list) else [inputs]
    count, length = len(rows[0]), max([2, *map(len, activations.values())])

    def square(entries):
        return [[entries.get((v, u), 0) for u in range(count)] for v in range(count)]

    polynomials = [list(activations.get(v, IDENTITY)) for v in range(count)]
    arrays = {
        "E": tensor(("n", "n"), square(dict.fromkeys(weights, 1))),
        "W": tensor(("n", "n"), square(weights)),
        "A": tensor(("n", "k"), [p + [0] * (length - len(p)) for p in polynomials]),
        "X": tensor(("N", "n"), rows),
    }
    if moves is not None:
        arrays["V"] = tensor(("n", "n"), square(moves))
    for name, value in numbers.items():
        arrays[name] = tensor((), Fraction(value), integer=True)
    return Dag(arrays)


def chain(weights, activations=None, x=1, **given):
    """0 -> 1 -> 2 -> ..., with the input x."""
    edges = {(v + 1, v): w for v, w in enumerate(weights)}
    inputs = [x] + [0] * len(weights)
    return dag(edges, activations or {}, inputs, **given)
