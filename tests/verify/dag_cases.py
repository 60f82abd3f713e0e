"""Small DAG networks made by hand."""

from fractions import Fraction

import sympy

from verify.cases.tensors import tensor
from verify.kinds.dags.changes import rows_of_activations
from verify.kinds.dags.pool import Dag, edges_of

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


def value_at(coefficients, z, order=0):
    """A derivative of a polynomial, constant term first."""
    for _ in range(order):
        coefficients = [k * c for k, c in enumerate(coefficients)][1:]
    return sum((c * z**k for k, c in enumerate(coefficients)), Fraction(0))


def point_of(case):
    """The network of a case at its first point: by the value of each vertex, and the slope and the
    second derivative of the activation of a neuron."""
    count, edges, found = case.lengths["n"], edges_of(case), {"f": [], "s": [], "b": []}
    weights = case.arrays["W"].entries
    rows = rows_of_activations(case)
    for v, x in enumerate(case.arrays["X"].entries[:count]):
        parents = [u for u in range(v) if (v, u) in edges]
        z = sum((weights[v * count + u] * found["f"][u] for u in parents), Fraction(0))
        for order, name in enumerate("fsb"):
            value = value_at(rows[v], z, order) if parents else x * (order == 0)
            found[name].append(Fraction(value))
    vectors = {name: tensor(("n",), values) for name, values in found.items()}
    kept = {name: array for name, array in case.arrays.items() if name not in ("A", "X")}
    return Dag({**kept, **vectors})


def at_point(weights, activations, inputs, **numbers):
    """The network of `dag` at its point."""
    return point_of(dag(weights, activations, inputs, **numbers))


def chain_at_point(weights, activations, x, **numbers):
    """0 -> 1 -> 2 -> ..., with the input x, at this point."""
    edges = {(v + 1, v): w for v, w in enumerate(weights)}
    return at_point(edges, activations, [x] + [0] * len(weights), **numbers)


def chain(weights, activations=None, x=1, **given):
    """0 -> 1 -> 2 -> ..., with the input x."""
    edges = {(v + 1, v): w for v, w in enumerate(weights)}
    inputs = [x] + [0] * len(weights)
    return dag(edges, activations or {}, inputs, **given)


# against SymPy ------------------------------------------------------------------------------------
def sympy_values(case, at):
    """The value and pre-activation of each vertex in symbols for the weights, and the symbols."""
    count, edges = case.lengths["n"], edges_of(case)
    symbols = {edge: sympy.Symbol(f"w{edge[0]}_{edge[1]}") for edge in sorted(edges)}
    inputs = case.arrays["X"].entries[at * count : (at + 1) * count]
    pre, post = [], []
    for v, row in enumerate(rows_of_activations(case)):
        parents = [u for u in range(v) if (v, u) in edges]
        z = sum((symbols[v, u] * post[u] for u in parents), sympy.Integer(0))
        value = sum(sympy.Rational(str(c)) * z**k for k, c in enumerate(row))
        pre.append(z)
        post.append(value if parents else sympy.Rational(str(inputs[v])))
    return pre, post, symbols


def at_weights(case, expression, symbols):
    count, numbers = case.lengths["n"], case.arrays["W"].entries
    point = {s: sympy.Rational(str(numbers[v * count + u])) for (v, u), s in symbols.items()}
    return Fraction(str(sympy.sympify(expression).subs(point)))
