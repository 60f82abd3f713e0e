"""What a proof may use without proving it: a few textbook lemmas, and the page's definitions.

`LEMMAS` are trusted, and named whenever a proof that uses them is accepted; `DEFINITIONS` are rows
of docs/language.md in other words. Each is written as

    name (what it takes): what it is in words
        makes x: vec n        a fresh vector
        if FACT               that it needs
        with TERM             that must have a value
        FACT                  that follows

with terms as in Python, `[k]` for `at`. What it takes has a sort, S being any; a `mat m n` or `vec
n` must have a known shape, one letter being one length.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from .sorts import Sort, sort_named

Json = Any
Axes = tuple[str, ...]  # a matrix or vector whose shape must be known; one name, one length


class Lemma(NamedTuple):
    """takes: by name a sort, or axes. needs: facts. defined: terms that have a value. makes: fresh
    vectors, by name with their axes. gives: the facts that follow."""

    words: str
    takes: dict[str, Sort | Axes]
    gives: tuple[Json, ...]
    needs: tuple[Json, ...]
    defined: tuple[Json, ...]
    makes: dict[str, Sort | Axes]


_PYTHON = "Add Sub Mult Div Pow MatMult Eq NotEq Lt LtE Gt GtE In Or USub"
_OURS = "add sub mul div pow matmul eq ne lt le gt ge in or neg"
OPERATORS = dict(zip(_PYTHON.split(), _OURS.split(), strict=True))


def _term(node: Any, names: tuple[str, ...]) -> Json:
    """A term as in a record; names: of the variables, from the outermost."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return ["var", names.index(node.id)]
    if isinstance(node, ast.Lambda):
        return _term(node.body, (*names, *(argument.arg for argument in node.args.args)))
    if isinstance(node, ast.Call):
        operator, parts = node.func.id, node.args  # type: ignore[attr-defined]  # a name
    elif isinstance(node, ast.IfExp):
        operator, parts = "if", [node.test, node.body, node.orelse]
    elif isinstance(node, ast.Subscript):
        operator, parts = "at", [node.value, node.slice]
    elif isinstance(node, ast.Compare):
        operator, parts = OPERATORS[type(node.ops[0]).__name__], [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        operator, parts = OPERATORS[type(node.op).__name__], [node.left, node.right]
    else:
        operator = OPERATORS[type(node.op).__name__]
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else node.values
    return [operator, *(_term(part, names) for part in parts)]


def _declared(text: str) -> dict[str, Sort | Axes]:
    """By name the sorts or axes of what is written as in `e: edge, S: mat n n`."""
    pairs = [part.split(": ") for part in text.split(", ") if part]
    axes = {name: tuple(words.split()[1:]) for name, words in pairs}
    return {name: axes[name] or sort_named(words) for name, words in pairs}


def _table(text: str) -> dict[str, Lemma]:
    """The lemmas of a text, by name."""
    found = {}
    for lemma in re.split(r"\n(?=\S)", text.strip().replace("\n        ", " ")):
        head, *lines = lemma.split("\n    ")
        name, takes, words = re.fullmatch(r"(.+?) \((.*?)\): (.*)", head).groups()  # type: ignore[union-attr]  # each has them
        parts: dict[str, list[str]] = {"makes": [], "if": [], "with": [], "": []}
        for line in lines:
            word, _, rest = line.partition(" ")
            parts[word if word in parts else ""].append(rest if word in parts else line)
        taken, made = _declared(takes), _declared(", ".join(parts["makes"]))
        needs, defined, gives = (
            tuple(_term(ast.parse(one, mode="eval").body, (*taken, *made)) for one in parts[kind])
            for kind in ("if", "with", "")
        )
        found[name] = Lemma(words, taken, gives, needs, defined, made)
    return found


LEMMAS = _table("""
rayleigh (S: mat n n, x: vec n): Rayleigh: for symmetric S, least eigenvalue |x|^2 <= x.Sx <=
        largest eigenvalue |x|^2
    if S == transpose(S)
    dot(x, S @ x) <= eigenvalues(S)[1] * dot(x, x)
    eigenvalues(S)[rows(S)] * dot(x, x) <= dot(x, S @ x)
eigenvector (S: mat n n): a symmetric S has a unit vector x with Sx = largest eigenvalue x
    makes x: vec n
    if S == transpose(S)
    dot(x, x) == 1
    S @ x == eigenvalues(S)[1] * x
norm (M: mat m n): norm(M)^2 is the largest eigenvalue of M^T M, and norm(M) >= 0
    norm(M) ** 2 == eigenvalues(transpose(M) @ M)[1]
    norm(M) >= 0
singular (M: mat m n): frob2(M) is the sum of the squares of the first rank(M) singular values,
        which are from 0 to norm(M)
    rank(M) >= 0
    frob2(M) == sum(range(1, rank(M)), lambda k: singular(M)[k] ** 2)
    each(range(1, rank(M)), lambda k: singular(M)[k] >= 0)
    each(range(1, rank(M)), lambda k: singular(M)[k] <= norm(M))
paths (e: edge, j: int): where hidden activations are positively homogeneous, w dnu/dw of an edge is
        the sum over the paths along it of the products of weights, slopes and the input
    if j in examples()
    if card(outputs()) == 1
    with each(hidden(), lambda u: slope_left(u) == slope_left(u))
    with paths()
    weight(e) * gradient(e, j) == sum(paths(), lambda p: (1 if e in edges_on(p) else 0) *
        (prod(edges_on(p), lambda f: slope(head(f), j)) * input(start(p), j) * prod(edges_on(p),
        lambda f: weight(f))))
""")
"""The trusted ones."""

DEFINITIONS = _table("""
edge (e: edge): an edge is one of the network
    e in edges()
output (): the output is one
    if card(outputs()) == 1
    outputs()[1] in outputs()
on a path (p: path): a path goes along its edges, each once
    sum(edges(), lambda e: 1 if e in edges_on(p) else 0) == card(edges_on(p))
end of a path (o: vertex, p: path): a path reaches the output along one edge
    if o in outputs()
    if p in paths()
    if card(outputs()) == 1
    sum(into(o), lambda e: 1 if e in edges_on(p) else 0) == 1
edge of a path (e: edge, p: path, c: num): a path goes along each of its edges once
    if e in edges_on(p)
    prod(edges_on(p), lambda f: c if f == e else 1) == c
path through a vertex (v: vertex, p: path): a path that reaches a hidden vertex goes along one edge
        into it, and along one out of it
    if v in hidden()
    if p in paths()
    sum(into(v), lambda e: 1 if e in edges_on(p) else 0) == (1 if some(edges_on(p), lambda e:
        head(e) == v) else 0)
    sum(out_of(v), lambda e: 1 if e in edges_on(p) else 0) == (1 if some(edges_on(p), lambda e:
        head(e) == v) else 0)
into (e: edge, v: vertex): an edge into a vertex
    if e in into(v)
    head(e) == v
out of (e: edge, v: vertex): an edge out of a vertex
    if e in out_of(v)
    tail(e) == v
at a vertex (v: vertex): the edges into and out of a vertex are those that end and begin there, each
        once
    into(v) == filter(edges(), lambda e: head(e) == v)
    out_of(v) == filter(edges(), lambda e: tail(e) == v)
    distinct(into(v)) == into(v)
    distinct(out_of(v)) == out_of(v)
between two (u: vertex, v: vertex): the edge from one vertex to another
    with edge(u, v)
    edge(u, v) in into(v)
    edge(u, v) in out_of(u)
    tail(edge(u, v)) == u
    head(edge(u, v)) == v
vertex (v: vertex): a vertex is one of the network, in which each is once
    v in vertices()
    distinct(vertices()) == vertices()
with slopes (v: vertex): a vertex that has slopes is hidden or an output
    with slope_right(v)
    v in hidden() or v in outputs()
users (e: edge): the users of a learnable edge: itself, and what has its weight; each once
    if learnable(e)
    e in users(e)
    each(users(e), lambda f: weight(f) == weight(e))
    distinct(users(e)) == users(e)
alone (e: edge): the only user of a parameter
    if card(users(e)) == 1
    users(e) == list(e)
pre-activation (v: vertex, j: int): the pre-activation of a vertex
    if v in hidden()
    if j in examples()
    pre(v, j) == sum(into(v), lambda e: weight(e) * post(tail(e), j))
pre-activation of an output (v: vertex, j: int): the pre-activation of an output
    if v in outputs()
    if j in examples()
    pre(v, j) == sum(into(v), lambda e: weight(e) * post(tail(e), j))
activation (v: vertex, j: int): a positively homogeneous activation
    if j in examples()
    with slope_left(v)
    post(v, j) == slope(v, j) * pre(v, j)
slope below (v: vertex, j: int): the slope of an activation below 0
    if j in examples()
    if pre(v, j) < 0
    with slope_left(v)
    slope(v, j) == slope_left(v)
slope above (v: vertex, j: int): the slope of an activation above 0
    if j in examples()
    if pre(v, j) > 0
    with slope_left(v)
    slope(v, j) == slope_right(v)
slope without kink (v: vertex, j: int): the slope of an activation that has one
    if j in examples()
    if slope_left(v) == slope_right(v)
    with slope_left(v)
    slope(v, j) == slope_left(v)
gradient (e: edge, j: int): the derivative of the output by a weight
    if j in examples()
    if card(outputs()) == 1
    gradient(e, j) == post(tail(e), j) * sensitivity(head(e), j)
sensitivity of the output (v: vertex, j: int): the derivative of the output by its pre-activation
    if v in outputs()
    if j in examples()
    if card(outputs()) == 1
    sensitivity(v, j) == slope(v, j)
sensitivity (v: vertex, j: int): the derivative of the output by a pre-activation
    if v in hidden()
    if j in examples()
    if card(outputs()) == 1
    sensitivity(v, j) == slope(v, j) * sum(out_of(v), lambda e: weight(e) * sensitivity(head(e), j))
same in-neighbours (u: vertex, j: int, v: vertex): the pre-activation of v over the in-neighbours of
        u, which are those of v
    if v in hidden()
    if j in examples()
    if each(into(u), lambda e: some(into(v), lambda f: tail(f) == tail(e)))
    if each(into(v), lambda e: some(into(u), lambda f: tail(f) == tail(e)))
    pre(v, j) == sum(into(u), lambda e: weight(edge(tail(e), v)) * post(tail(e), j))
same out-neighbours (u: vertex, j: int, v: vertex): the sensitivity of v over the out-neighbours of
        u, which are those of v
    if v in hidden()
    if j in examples()
    if card(outputs()) == 1
    if each(out_of(u), lambda e: some(out_of(v), lambda f: head(f) == head(e)))
    if each(out_of(v), lambda e: some(out_of(u), lambda f: head(f) == head(e)))
    sensitivity(v, j) == slope(v, j) * sum(out_of(u), lambda e: weight(edge(v, head(e))) *
        sensitivity(head(e), j))
included (some: seq[S], others: seq[S], x: S): what is in a list is in one that leaves nothing of it
        over
    if card(minus(some, others)) == 0
    if x in some
    x in others
once (some: seq[S], x: S): in a list without repetition nothing is twice
    if distinct(some) == some
    sum(some, lambda a: 1 if a == x else 0) <= 1
element (some: seq[S], k: int): what stands at a place of a list is in it
    if k >= 1
    if k < card(some) + 1
    some[k] in some
place (some: seq[S], k: int): where something stands in a list
    with some[k]
    k >= 1
    k <= card(some)
in a range (a: int, b: int, k: int): the numbers of a range lie between its ends, each is there once
    if k in range(a, b)
    k >= a
    k <= b
    distinct(range(a, b)) == range(a, b)
into a range (a: int, b: int, k: int): a number between two others is in their range
    if k >= a
    if k <= b
    k in range(a, b)
tails (v: vertex, j: int, some: seq[vertex]): the pre-activation over the tails of the edges into a
        vertex
    if v in hidden()
    if j in examples()
    if distinct(some) == some
    if card(minus(map(into(v), lambda e: tail(e)), some)) == 0
    if card(minus(some, map(into(v), lambda e: tail(e)))) == 0
    pre(v, j) == sum(some, lambda a: weight(edge(a, v)) * post(a, j))
heads (v: vertex, j: int, some: seq[vertex]): the sensitivity over the heads of the edges out of a
        vertex
    if v in hidden()
    if j in examples()
    if card(outputs()) == 1
    if distinct(some) == some
    if each(out_of(v), lambda e: head(e) in some)
    if each(some, lambda a: v in map(into(a), lambda e: tail(e)))
    sensitivity(v, j) == slope(v, j) * sum(some, lambda a: weight(edge(v, a)) * sensitivity(a, j))
edge between (u: vertex, v: vertex): the edge from one of the tails of the edges into a vertex
    if u in map(into(v), lambda e: tail(e))
    edge(u, v) in into(v)
    edge(u, v) in out_of(u)
    tail(edge(u, v)) == u
    head(edge(u, v)) == v
edge from a neighbour (u: vertex, e: edge, v: vertex): the edge from an in-neighbour of u, which is
        one of v, to v
    if e in into(u)
    if each(into(u), lambda f: some(into(v), lambda g: tail(g) == tail(f)))
    edge(tail(e), v) in into(v)
    tail(edge(tail(e), v)) == tail(e)
edge to a neighbour (u: vertex, e: edge, v: vertex): the edge from v to an out-neighbour of u, which
        is one of v
    if e in out_of(u)
    if each(out_of(u), lambda f: some(out_of(v), lambda g: head(g) == head(f)))
    edge(v, head(e)) in out_of(v)
    head(edge(v, head(e))) == head(e)
with in-edges (v: vertex): a vertex with edges into it is hidden or an output
    if card(into(v)) != 0
    v in hidden() or v in outputs()
edge into (e: edge): there are edges into the head of an edge
    card(into(head(e))) != 0
value of an input (v: vertex, j: int): a vertex without edges into it is an input, with its value on
        an example
    if card(into(v)) == 0
    if j in examples()
    post(v, j) == input(v, j)
value of a vertex (v: vertex, j: int): a vertex with edges into it: its activation at the weighted
        sum
    if card(into(v)) != 0
    if j in examples()
    post(v, j) == activation(v, sum(into(v), lambda e: weight(e) * post(tail(e), j)))
homogeneous (v: vertex, c: num, x: num): an activation with slopes left and right of 0 is positively
        homogeneous
    if c >= 0
    with slope_left(v)
    activation(v, c * x) == c * activation(v, x)
no loop (e: edge): an edge has two different ends
    head(e) != tail(e)
only edge out (e: edge, v: vertex): the edge out of a vertex that has one
    if tail(e) == v
    if card(out_of(v)) == 1
    e == out_of(v)[1]
first edge out (v: vertex): the first edge out of a vertex is one
    if card(out_of(v)) == 1
    out_of(v)[1] in out_of(v)
edge of its ends (e: edge): an edge is the one between its ends
    edge(tail(e), head(e)) == e
value (j: int): the network's value is that of its output
    if j in examples()
    if card(outputs()) == 1
    output(j) == post(outputs()[1], j)
sign (x: num): a number is its sign times its absolute value, and so often 1
    sign(x) * abs(x) == x
    sign(x) ** 2 * abs(x) == abs(x)
    abs(x) >= 0
divisor (a: num, b: num): a divisor is not 0
    with a / b
    b != 0
reciprocal (b: num): b (1/b) = 1 unless b is 0
    if b != 0
    b * (1 / b) == 1
symmetric (S: mat m n): what has eigenvalues is symmetric
    with eigenvalues(S)
    S == transpose(S)
shape (M: mat m n): a matrix has a row and a column
    rows(M) >= 1
    cols(M) >= 1
length (a: int, b: int): how many numbers a range has
    if b + 1 >= a
    card(range(a, b)) == b - a + 1
norm of a vector (x: vec): the 2-norm of a vector
    norm(x) ** 2 == dot(x, x)
    norm(x) >= 0
root (x: num): the square root
    if x >= 0
    sqrt(x) >= 0
    sqrt(x) ** 2 == x
radicand (x: num): what has a root is not below 0
    with sqrt(x)
    x >= 0
absolute (x: num): of a number from 0 on
    if x >= 0
    abs(x) == x
absolute of a negative (x: num): of a number up to 0
    if x <= 0
    abs(x) == -x
larger (x: num, y: num): the first is the larger
    if x >= y
    larger(x, y) == x
larger second (x: num, y: num): the second is the larger
    if y >= x
    larger(x, y) == y
smaller (x: num, y: num): the first is the smaller
    if x <= y
    smaller(x, y) == x
smaller second (x: num, y: num): the second is the smaller
    if y <= x
    smaller(x, y) == y
""")
"""What the page says of its operators."""
