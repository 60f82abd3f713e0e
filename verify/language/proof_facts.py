"""What the lemmas and definitions give that a proof may use: their facts, as the checker has them.

By name, from what a lemma takes, in its order, and a vector that it may make. Which these are, and
in what words, says `verify.checker.lemmas`; a fact that is another one there makes a proof fail.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.language.building import FUNCTIONS, list_, upto
from verify.language.terms import Term, number

TRUSTED = {
    "rayleigh": r"Rayleigh: for symmetric $S$, $\lambda_{\min}(S)\lVert x\rVert^2\le x^TSx\le"
    r"\lambda_{\max}(S)\lVert x\rVert^2$",
    "eigenvector": r"a symmetric $S$ has a unit vector $x$ with $Sx=\lambda_{\max}(S)x$",
    "norm": r"$\lVert M\rVert_2^2$ is the largest eigenvalue of $M^TM$, and $\lVert M\rVert_2\ge0$",
    "singular": r"$\lVert M\rVert_F^2$ is the sum of the squares of the first "
    r"$\operatorname{rank}(M)$ singular values, which lie between $0$ and $\lVert M\rVert_2$",
    "paths": "where hidden activations are positively homogeneous, "
    r"$w_e\,\partial\nu/\partial w_e$ is the sum over the paths along $e$ of the products of "
    "weights, slopes and the input (docs/mathematics/proofs.md#paths)",
}
"""The lemmas that are not proved, as the reports tell them."""

MAKING = frozenset({"eigenvector"})
"""Those that make a vector."""

dot, norm, rank, frob2, rows, cols, singular, eigenvalues = (
    FUNCTIONS[name]
    for name in ("dot", "norm", "rank", "frob2", "rows", "cols", "singular", "eigenvalues")
)
Sum, Each, card, between, larger, smaller, sqrt = (
    FUNCTIONS[name] for name in ("Sum", "Each", "card", "between", "larger", "smaller", "sqrt")
)
into, out_of, w, grad = (FUNCTIONS[name] for name in ("into", "out_of", "w", "grad"))
head, tail, edge, users = (FUNCTIONS[name] for name in ("head", "tail", "edge", "users"))
paths, edges_on, start, edges = (
    FUNCTIONS[name] for name in ("paths", "edges_on", "start", "edges")
)
outputs, hidden, concat, Map = (FUNCTIONS[name] for name in ("outputs", "hidden", "concat", "Map"))
z, post, slope, sensitivity = (FUNCTIONS[name] for name in ("z", "post", "slope", "sensitivity"))
slope_left, slope_right = FUNCTIONS["slope_left"], FUNCTIONS["slope_right"]
element, When, Prod, Some, x = (
    FUNCTIONS[name] for name in ("element", "When", "Prod", "Some", "x")
)
distinct, Filter, vertices = (FUNCTIONS[name] for name in ("distinct", "Filter", "vertices"))
activation, nu, sign = (FUNCTIONS[name] for name in ("activation", "nu", "sign"))


def largest(matrix: Term) -> Term:
    """The largest eigenvalue of a symmetric matrix."""
    return eigenvalues(matrix)[1]


def least(matrix: Term) -> Term:
    """Its least one."""
    return eigenvalues(matrix)[rows(matrix)]


def _singular(matrix: Term, _: Term) -> list[Term]:
    many, values = upto(rank(matrix)), singular(matrix)
    return [
        rank(matrix) >= 0,
        frob2(matrix) == Sum(many, lambda k: values[k] ** 2),
        Each(many, lambda k: values[k] >= 0),
        Each(many, lambda k: values[k] <= norm(matrix)),
    ]


def crossed(e: Term, p: Term) -> Term:
    """1 where a path goes along an edge, else 0."""
    return When(element(e, edges_on(p)), 1, 0)


def entering(v: Term) -> Term:
    """The tails of the edges into a vertex."""
    return Map(into(v), lambda e: tail(e))


def flow(p: Term, j: Term) -> Term:
    """What a path adds to nu(x_j): the product of its weights and slopes, and its input."""
    slopes = Prod(edges_on(p), lambda e: slope(head(e), j))
    return slopes * x(start(p), j) * Prod(edges_on(p), lambda e: w(e))


def _between(u: Term, v: Term, _: Term) -> list[Term]:
    one = edge(u, v)
    return [element(one, into(v)), element(one, out_of(u)), tail(one) == u, head(one) == v]


FACTS: dict[str, Callable[..., list[Term]]] = {
    "rayleigh": lambda s, v, _: [
        dot(v, s @ v) <= largest(s) * dot(v, v),
        least(s) * dot(v, v) <= dot(v, s @ v),
    ],
    "eigenvector": lambda s, v: [dot(v, v) == 1, s @ v == largest(s) * v],
    "norm": lambda m, _: [norm(m) ** 2 == largest(m.T @ m), norm(m) >= 0],
    "singular": _singular,
    "paths": lambda e, j, _: [
        w(e) * grad(e, j) == Sum(paths(), lambda p: crossed(e, p) * flow(p, j))
    ],
    "edge": lambda e, _: [element(e, edges())],
    "output": lambda _: [element(outputs()[1], outputs())],
    "on a path": lambda p, _: [Sum(edges(), lambda e: crossed(e, p)) == card(edges_on(p))],
    "end of a path": lambda o, p, _: [Sum(into(o), lambda e: crossed(e, p)) == 1],
    "edge of a path": lambda e, p, c, _: [Prod(edges_on(p), lambda f: When(f == e, c, 1)) == c],
    "path through a vertex": lambda v, p, _: [
        Sum(many, lambda e: crossed(e, p)) == When(Some(edges_on(p), lambda e: head(e) == v), 1, 0)
        for many in (into(v), out_of(v))
    ],
    "into": lambda e, v, _: [head(e) == v],
    "out of": lambda e, v, _: [tail(e) == v],
    "at a vertex": lambda v, _: [
        into(v) == Filter(edges(), lambda e: head(e) == v),
        out_of(v) == Filter(edges(), lambda e: tail(e) == v),
        distinct(into(v)) == into(v),
        distinct(out_of(v)) == out_of(v),
    ],
    "between two": _between,
    "vertex": lambda v, _: [element(v, vertices()), distinct(vertices()) == vertices()],
    "with slopes": lambda v, _: [element(v, hidden()) | element(v, outputs())],
    "users": lambda e, _: [
        element(e, users(e)),
        Each(users(e), lambda f: w(f) == w(e)),
        distinct(users(e)) == users(e),
    ],
    "alone": lambda e, _: [users(e) == list_(e)],
    "pre-activation": lambda v, j, _: [z(v, j) == Sum(into(v), lambda e: w(e) * post(tail(e), j))],
    "pre-activation of an output": lambda v, j, _: [
        z(v, j) == Sum(into(v), lambda e: w(e) * post(tail(e), j))
    ],
    "activation": lambda v, j, _: [post(v, j) == slope(v, j) * z(v, j)],
    "slope below": lambda v, j, _: [slope(v, j) == slope_left(v)],
    "slope above": lambda v, j, _: [slope(v, j) == slope_right(v)],
    "slope without kink": lambda v, j, _: [slope(v, j) == slope_left(v)],
    "gradient": lambda e, j, _: [grad(e, j) == post(tail(e), j) * sensitivity(head(e), j)],
    "sensitivity of the output": lambda v, j, _: [sensitivity(v, j) == slope(v, j)],
    "sensitivity": lambda v, j, _: [
        sensitivity(v, j) == slope(v, j) * Sum(out_of(v), lambda e: w(e) * sensitivity(head(e), j))
    ],
    "same in-neighbours": lambda u, j, v, _: [
        z(v, j) == Sum(into(u), lambda e: w(edge(tail(e), v)) * post(tail(e), j))
    ],
    "same out-neighbours": lambda u, j, v, _: [
        sensitivity(v, j)
        == slope(v, j) * Sum(out_of(u), lambda e: w(edge(v, head(e))) * sensitivity(head(e), j))
    ],
    "once": lambda some, x, _: [Sum(some, lambda i: When(i == x, 1, 0)) <= 1],
    "element": lambda some, k, _: [element(some[k], some)],
    "place": lambda some, k, _: [k >= 1, k <= card(some)],
    "in a range": lambda a, b, k, _: [k >= a, k <= b, distinct(between(a, b)) == between(a, b)],
    "into a range": lambda a, b, k, _: [element(k, between(a, b))],
    "included": lambda some, others, v, _: [element(v, others)],
    "tails": lambda v, j, some, _: [z(v, j) == Sum(some, lambda a: w(edge(a, v)) * post(a, j))],
    "heads": lambda v, j, some, _: [
        sensitivity(v, j) == slope(v, j) * Sum(some, lambda c: w(edge(v, c)) * sensitivity(c, j))
    ],
    "edge between": _between,
    "edge from a neighbour": lambda u, e, v, _: [
        element(edge(tail(e), v), into(v)),
        tail(edge(tail(e), v)) == tail(e),
    ],
    "edge to a neighbour": lambda u, e, v, _: [
        element(edge(v, head(e)), out_of(v)),
        head(edge(v, head(e))) == head(e),
    ],
    "with in-edges": lambda v, _: [element(v, hidden()) | element(v, outputs())],
    "edge into": lambda e, _: [card(into(head(e))) != 0],
    "value of an input": lambda v, j, _: [post(v, j) == x(v, j)],
    "value of a vertex": lambda v, j, _: [
        post(v, j) == activation(v, Sum(into(v), lambda e: w(e) * post(tail(e), j)))
    ],
    "homogeneous": lambda v, c, y, _: [activation(v, c * y) == c * activation(v, y)],
    "no loop": lambda e, _: [head(e) != tail(e)],
    "only edge out": lambda e, v, _: [e == out_of(v)[1]],
    "first edge out": lambda v, _: [element(out_of(v)[1], out_of(v))],
    "edge of its ends": lambda e, _: [edge(tail(e), head(e)) == e],
    "value": lambda j, _: [nu(j) == post(outputs()[1], j)],
    "sign": lambda y, _: [
        sign(y) * abs(y) == y,
        sign(y) ** 2 * abs(y) == abs(y),
        abs(y) >= 0,
    ],
    "divisor": lambda a, b, _: [b != 0],
    "reciprocal": lambda b, _: [b * (number(Fraction(1)) / b) == 1],
    "symmetric": lambda s, _: [s == s.T],
    "shape": lambda m, _: [rows(m) >= 1, cols(m) >= 1],
    "length": lambda a, b, _: [card(between(a, b)) == b - a + 1],
    "norm of a vector": lambda x, _: [norm(x) ** 2 == dot(x, x), norm(x) >= 0],
    "root": lambda x, _: [sqrt(x) >= 0, sqrt(x) ** 2 == x],
    "radicand": lambda x, _: [x >= 0],
    "absolute": lambda x, _: [abs(x) == x],
    "absolute of a negative": lambda x, _: [abs(x) == -x],
    "larger": lambda x, y, _: [larger(x, y) == x],
    "larger second": lambda x, y, _: [larger(x, y) == y],
    "smaller": lambda x, y, _: [smaller(x, y) == x],
    "smaller second": lambda x, y, _: [smaller(x, y) == y],
}
