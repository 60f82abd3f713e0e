"""Every operator on cases worked out by hand, and where it has no value."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, log, pi, sqrt, tanh
from typing import Any

import pytest

from graphs.network import network
from tests.verify.language.values import case, worth
from verify.cases.case import Case
from verify.language import building
from verify.language.building import (
    FUNCTIONS,
    Matrix,
    Number,
    Tensor,
    Vector,
    Whole,
    item,
    list_,
    tuple_,
    unfold,
    upto,
)
from verify.language.operators import OPERATORS
from verify.language.terms import make

F = Fraction
A, B = Matrix("A", "m", "n"), Matrix("B", "k", "l")
S = Matrix("S", "s", "s")
x, c, k = Vector("x", "d"), Number("c"), Whole("k")
T = Tensor("T", "T 0", "T 1", "T 2")
HELD = case(
    A=[[1, 2], [3, 4], [0, 1]],
    B=[[2, 0], [1, 1]],
    S=[[2, 1], [1, 2]],
    T=[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]],
    x=[3, 4],
    c=F(-3, 2),
    k=2,
)
Sum, Each, Some, Max, Min = (FUNCTIONS[name] for name in ("Sum", "Each", "Some", "Max", "Min"))
Map, Filter, Count, The, Fold, Let = (
    FUNCTIONS[name] for name in ("Map", "Filter", "Count", "The", "Fold", "Let")
)
Prod, ArgMax, When = FUNCTIONS["Prod"], FUNCTIONS["ArgMax"], FUNCTIONS["When"]
rank, det, norm = FUNCTIONS["rank"], FUNCTIONS["det"], FUNCTIONS["norm"]
EMPTY = Filter(list_(1, 2), lambda i: i > 5)


def rows(*entries: list[int | F]) -> tuple[Any, ...]:
    """A matrix as `worth` gives it: its shape, then its entries."""
    shape = (len(entries), len(entries[0]))
    return (shape, *(F(x) for row in entries for x in row))


def list_vector(*entries: int) -> Any:
    """A vector of literals."""
    return make("vector", len(entries), lambda i: list_(*entries)[i])


WORKED = [
    # numbers
    (c + k, F(1, 2)),
    (c - 1, F(-5, 2)),
    (k * 3, 6),
    (-c, F(3, 2)),
    (c / k, F(-3, 4)),
    (c / (k - 2), None),
    (c**2, F(9, 4)),
    (c**-1, F(-2, 3)),
    (k**10, 1024),
    (make("pow", k - 2, 0), 1),
    (make("pow", k - 2, -1), None),
    (make("pow", k - 2, F(1, 2)), 0),
    (make("pow", c, F(1, 2)), None),
    (make("pow", F(4), F(1, 2)), 2),
    (abs(c), F(3, 2)),
    (make("sign", c), -1),
    (make("sqrt", F(9, 4)), F(3, 2)),
    (make("sqrt", F(2)), sqrt(2)),
    (make("sqrt", c), None),
    (make("log", F(2)), log(2)),
    (make("log", k - 2), None),
    (make("exp", c), exp(-1.5)),
    (make("erfc", c), erfc(-1.5)),
    (make("erfc", F(3)), erfc(3)),
    (make("erfc", k - 2), 1),
    (make("erfc", c / (k - 2)), None),
    (make("rising", F(1, 2), F(1, 2)), 1 / sqrt(pi)),
    (make("rising", F(1, 2), k), F(3, 4)),
    (make("rising", F(5, 2), -k), F(4, 3)),
    (make("rising", F(2), -k), None),
    (make("rising", c, k), None),
    (make("tanh", c), tanh(-1.5)),
    (make("tanh", k - 2), 0),
    (make("sigmoid", c), 1 / (1 + exp(1.5))),
    (make("sigmoid", k - 2), F(1, 2)),
    (make("softplus", c), log(1 + exp(-1.5))),
    (make("softplus", k - 2), log(2)),
    (make("tanh", c / (k - 2)), None),
    (make("larger", c, k), 2),
    (make("smaller", c, k), F(-3, 2)),
    (make("floor", c), -2),
    (make("ceil", c), -1),
    (make("mod", -k, 3), 1),
    (make("mod", k, k - 2), None),
    (When(c > 0, k, k + 5), 7),
    (When(c < 0, 1, c / (k - 2)), 1),
    # truth
    (c < k, True),
    (c >= k, False),
    (c <= k, True),
    (A == A.T.T, True),
    (A != A, False),
    (A == S, None),
    ((c / (k - 2) > 0) | (k == 2), None),
    ((k == 2) | (c / (k - 2) > 0), True),
    ((k == 3) & (c / (k - 2) > 0), False),
    (make("implies", k == 3, c / (k - 2) > 0), True),
    (make("implies", k == 2, c > 0), False),
    (~(k == 2), False),
    (make("in", k, list_(1, 2)), True),
    (make("in", c, list_(F(1), F(-3, 2))), True),
    # lists
    (upto(3), (1, 2, 3)),
    (make("range", 2, 1), ()),
    (list_(c, k), (F(-3, 2), F(2))),
    (tuple_(k, c), (2, F(-3, 2))),
    (item(tuple_(k, c), 2), F(-3, 2)),
    (make("at", list_(5, 6), 2), 6),
    (make("at", list_(5, 6), 3), None),
    (make("card", upto(4)), 4),
    (make("union", list_(3, 1, 3), list_(2, 1)), (3, 1, 2)),
    (make("intersection", list_(3, 1, 3), list_(3)), (3,)),
    (make("minus", list_(3, 1, 3), list_(1)), (3,)),
    (make("distinct", list_(3, 1, 3)), (3, 1)),
    (make("concat", list_(3, 1), list_(3)), (3, 1, 3)),
    (make("sorted", list_(c, F(-2), F(0))), (F(-2), F(-3, 2), F(0))),
    (make("subsets", upto(2)), ((), (1,), (2,), (1, 2))),
    (make("subsets", upto(17)), None),
    (make("orders", upto(3)), ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))),
    (make("orders", upto(7)), None),
    # vectors and matrices
    (A + A, rows([2, 4], [6, 8], [0, 2])),
    (A + S, None),
    (S - B, rows([0, 1], [0, 1])),
    (A * 2, rows([2, 4], [6, 8], [0, 2])),
    (S / k, rows([1, F(1, 2)], [F(1, 2), 1])),
    (S / (k - 2), None),
    (A @ B, rows([4, 2], [10, 4], [1, 1])),
    (A @ A, None),
    (A @ x, ((3,), 11, 25, 4)),
    (make("dot", x, x), 25),
    (make("dot", S, B), 7),
    (make("outer", x, x), rows([9, 12], [12, 16])),
    (A.T, rows([1, 3, 0], [2, 4, 1])),
    (A[3, 2], 1),
    (A[4, 1], None),
    (make("entry", A, 0, 1), None),
    (x[2], 4),
    (x[3], None),
    (make("row", A, 2), ((2,), 3, 4)),
    (make("column", A, 2), ((3,), 2, 4, 1)),
    (make("rows", A), 3),
    (make("cols", A), 2),
    (make("dim", x), 2),
    (make("beside", S, B), rows([2, 1, 2, 0], [1, 2, 1, 1])),
    (make("above", S, B), rows([2, 1], [1, 2], [2, 0], [1, 1])),
    (make("beside", S, A), None),
    (make("kron", S, make("eye", 1)), rows([2, 1], [1, 2])),
    (make("frob2", A), 31),
    (make("frob2", x), 25),
    (make("trace", S), 4),
    (make("trace", A), None),
    (make("diagonal", B), ((2,), 2, 1)),
    (make("diag", x), rows([3, 0], [0, 4])),
    (make("eye", k), rows([1, 0], [0, 1])),
    (make("eye", k - 2), None),
    (make("zeros", 1, k), rows([0, 0])),
    (rank(A), 2),
    (rank(A - A), 0),
    (det(S), 3),
    (det(A), None),
    (make("inverse", S), rows([F(2, 3), F(-1, 3)], [F(-1, 3), F(2, 3)])),
    (make("inverse", S - S), None),
    (make("pdet2", S), 9),
    (make("pdet2", S - S), 1),
    (make("definite", S), True),
    (make("definite", -S), False),
    (make("definite", B), None),
    (make("eigenvalues", S), (3, 1)),
    (make("eigenvalues", B), None),
    (make("singular", S), (3, 1)),
    (make("roots", list_vector(2, -3, 1), 1, 2), 2),  # (t - 1)(t - 2)
    (make("roots", list_vector(2, -3, 1), F(4, 3), F(5, 3)), 0),
    (make("roots", list_vector(1, -2, 1, 0), 0, 2), 1),  # (t - 1)^2
    (make("roots", list_vector(1, -2, 1, 0), 1, 1), 1),
    (make("roots", list_vector(0, 0, 1, 1), -1, 0), 2),  # t^2 (t + 1)
    (make("roots", list_vector(0, 0, 1, 1), 0, -1), 0),
    (make("roots", list_vector(-2, 0, 1), 1, 2), 1),  # the root of 2
    (make("roots", list_vector(3), 0, 1), 0),
    (make("roots", list_vector(0, 0), 0, 1), None),
    (make("singular", A - A), (0, 0)),
    (make("eigenvalues", S)[1], 3),
    (make("eigenvalues", B)[1], None),
    (make("eigenvalues", S - 4 * make("eye", 2))[1], -1),
    (norm(S) ** 2, 9),
    (norm(make("sqrt", 2) * S), 3 * sqrt(2)),
    (norm(S) ** 4 / norm(S) ** 2, 9),
    (norm(make("diag", list_vector(1, -3))) ** -2, F(1, 9)),
    (norm(S - 4 * make("eye", 2)), 3),
    (norm(make("eye", 2) - S @ S.T), 8),
    (unfold(T, 1), rows([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12])),
    (unfold(T, 2), rows([1, 2, 7, 8], [3, 4, 9, 10], [5, 6, 11, 12])),
    (unfold(T, 3), rows([1, 3, 5, 7, 9, 11], [2, 4, 6, 8, 10, 12])),
    (norm(x), 5),
    (norm(S), 3),
    (norm(make("at", list_(x), 1)), 5),
    (make("nuclear", S), 4),
    (make("schatten", S, 2), 10),
    (make("schatten", S, k - 2), None),
    # binders
    (Sum(upto(3), lambda i: i * c), F(-9)),
    (Sum(upto(2), lambda i: A * i), rows([3, 6], [9, 12], [0, 3])),
    (Sum(EMPTY, lambda i: c), 0),
    (Sum(EMPTY, lambda i: A), None),
    (Sum(upto(3), lambda i: 1 / (c * 2 + i)), None),
    (Prod(upto(4), lambda i: i), 24),
    (Prod(EMPTY, lambda i: i), 1),
    (Max(upto(3), lambda i: (i - 2) * (2 - i)), 0),
    (Min(upto(3), lambda i: c * i), F(-9, 2)),
    (Max(EMPTY, lambda i: i), None),
    (Count(upto(5), lambda i: i > k), 3),
    (Each(EMPTY, lambda i: i > 9), True),
    (Some(EMPTY, lambda i: i > 0), False),
    (Each(list_(1, 2), lambda i: 1 / (i - 2) > 0), False),
    (Each(list_(2, 1), lambda i: 1 / (i - 2) > 0), None),
    (Some(list_(3, 2), lambda i: 1 / (i - 2) > 0), True),
    (Filter(upto(5), lambda i: i > k), (3, 4, 5)),
    (Map(upto(2), lambda i: c * i), (F(-3, 2), F(-3))),
    (The(upto(5), lambda i: i * i == 16), 4),
    (The(upto(5), lambda i: i > 3), None),
    (ArgMax(list_(1, 3, 2, 3), lambda i: i), 3),
    (ArgMax(EMPTY, lambda i: i), None),
    (make("vector", k, lambda i: i * c), ((2,), F(-3, 2), -3)),
    (make("vector", k - 2, lambda i: i), None),
    (make("matrix", 2, k, lambda i, j: i - j), rows([0, -1], [1, 0])),
    (Let(c * 2, lambda y: y * y), 9),
    (Fold(upto(4), 0, lambda so_far, i: 2 * so_far + i), 26),
    (Fold(upto(2), 0, lambda so_far, i: so_far + c), F(-3)),
    (Fold(upto(2), make("eye", 2), lambda so_far, i: so_far @ S), rows([5, 4], [4, 5])),
    # binders in binders, where the inner list depends on the outer element
    (Sum(upto(3), lambda i: Sum(upto(i), lambda j: A[i, 1] * j)), F(10)),
    (Map(upto(3), lambda i: Filter(upto(i), lambda j: j > 1)), ((), (2,), (2, 3))),
]


@pytest.mark.parametrize(("term", "expected"), WORKED, ids=[repr(t)[:80] for t, _ in WORKED])
def test_worked_by_hand(term: Any, expected: Any) -> None:
    found = worth(term, HELD)
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-14)
    else:
        assert found == expected
        assert isinstance(found, bool) == isinstance(expected, bool)


# networks ----------------------------------------------------------------------------------------
NET = network(
    [("x", "h"), ("x", "g"), ("h", "g"), ("h", "y"), ("g", "y")], inputs=["x"], outputs=["y"]
)
AT = Case(
    NET,
    tuple(map(F, (2, -1, 1, 3, 5))),  # x -> h, x -> g, h -> g, h -> y, g -> y
    ((F(1),), (F(-1),)),
    (F(1), F(-1)),
    slopes=(F(-2), F(1, 2)),
    choice={"eta": ["1/2", "2"], "slopes": [["1", "0"]]},
)
"""At x = 1: z_h = 2, z_g = 1, nu = 11. At x = -1: z_h = -2, z_g = 1, nu = 5."""
vertices, hidden, inputs, outputs = (
    FUNCTIONS[name] for name in ("vertices", "hidden", "inputs", "outputs")
)
edges, into, out_of, w, paths = (
    FUNCTIONS[name] for name in ("edges", "into", "out_of", "w", "paths")
)
z, post, slope, nu, grad = (FUNCTIONS[name] for name in ("z", "post", "slope", "nu", "grad"))
examples, card, Rate = FUNCTIONS["examples"], FUNCTIONS["card"], FUNCTIONS["Rate"]
After = FUNCTIONS["After"]
Along = FUNCTIONS["Along"]


def at(some: Any, place: int) -> Any:
    """An element of a list."""
    return make("at", some, place)


def activated(u: Any, before: Any) -> Any:
    """The activation of a vertex, by what is at the tails of the edges into it."""
    pre = Sum(make("range", 1, card(before)), lambda i: w(at(into(u), i)) * at(before, i))
    return make("activation", u, pre)


def c_of(before: Any) -> Any:
    """A number above 0."""
    return 1 + Sum(before, lambda i: i**2)


h, g, y = (at(vertices(), place) for place in (2, 3, 4))
ON_NETWORK = [
    (card(vertices()), 4),
    (Map(hidden(), lambda v: card(into(v))), (1, 2)),
    (Map(vertices(), lambda v: card(out_of(v))), (2, 2, 1, 0)),
    (at(inputs(), 1) == at(vertices(), 1), True),
    (at(outputs(), 1) == y, True),
    (examples(), (1, 2)),
    (Map(vertices(), lambda v: make("held", v)), (False, False, False, False)),
    (Map(edges(), w), (2, -1, 1, 3, 5)),
    (Map(edges(), lambda e: make("tail", e) == h), (False, False, True, True, False)),
    (Map(edges(), lambda e: make("head", e) == y), (False, False, False, True, True)),
    (Map(edges(), lambda e: card(make("users", e))), (1, 1, 1, 1, 1)),
    (Each(edges(), lambda e: make("learnable", e)), True),
    (card(paths()), 3),
    (Sum(paths(), lambda p: Prod(make("edges_on", p), w)), 11),  # 2*3 + 2*1*5 - 1*5
    (Each(paths(), lambda p: make("start", p) == at(vertices(), 1)), True),
    # all paths that end at y: none, h > y, g > y, x > h > y, x > g > y, h > g > y, x > h > g > y
    (make("paths_to", y), ((), (3,), (4,), (0, 3), (1, 4), (2, 4), (0, 2, 4))),
    (make("paths_to", at(vertices(), 1)), ((),)),
    (Along(y, lambda u, p, before: When(card(before) == 0, 1, Sum(before, lambda i: i))), 3),
    (Along(y, lambda u, p, before: card(p) + Sum(before, lambda i: i)), 11),  # 0+1+1+2+2+2+3
    (Along(y, lambda u, p, before: c_of(before) / (card(before) - 1)), None),  # at h
    # from 3: h = 6, g = -3 + 6 = 3
    (Along(y, lambda u, p, before: When(card(before) == 0, 3, activated(u, before))), 18 + 15),
    (make("activation", h, F(-3)), 0),
    (make("activation", h, F(3)), 3),
    (make("activation", y, F(-3)), -3),
    (make("activation", at(vertices(), 1), F(3)), None),
    (make("input", at(vertices(), 1), 2), -1),
    (make("input", h, 1), None),
    (make("label", 2), -1),
    (make("loss_slope", 1), -2),
    (make("label", 3), None),
    (z(h, 2), -2),
    (z(at(vertices(), 1), 1), None),
    (post(h, 2), 0),
    (post(at(vertices(), 1), 2), -1),
    (slope(h, 2), 0),
    (slope(y, 2), 1),
    (make("slope_left", h), 0),
    (make("slope_right", y), 1),
    (make("slope_left", at(vertices(), 1)), None),
    (nu(1), 11),
    (nu(2), 5),
    (nu(3), None),
    (Map(edges(), lambda e: grad(e, 1)), (8, 5, 10, 2, 1)),
    (Map(edges(), lambda e: grad(e, 2)), (0, -5, 0, 0, 1)),
    (Map(examples(), lambda j: make("sensitivity", h, j)), (8, 0)),
    (Map(examples(), lambda j: make("sensitivity", g, j)), (5, 5)),
    (make("sensitivity", y, 2), 1),
    (make("sensitivity", at(vertices(), 1), 1), None),
    (Map(edges(), lambda e: make("edge", make("tail", e), make("head", e)) == e), (True,) * 5),
    (make("edge", y, h), None),
    (Map(vertices(), lambda v: list_(h, v) == list_(h, g)), (False, False, True, False)),
    (Map(vertices(), lambda v: make("ne", into(v), into(g))), (True, True, False, True)),
    (Map(vertices(), lambda v: out_of(v) == into(y)), (False,) * 4),
    (
        Map(paths(), lambda p: Map(paths(), lambda q: make("edges_on", p) == make("edges_on", q))),
        ((True, False, False), (False, True, False), (False, False, True)),
    ),
    # dw/dt = -(1/2) sum_j slope_j y_j grad: factors 1 and 1/4
    (Map(edges(), lambda e: Rate(w(e))), (8, F(15, 4), 10, 2, F(5, 4))),
    (Rate(Sum(into(h), lambda e: w(e) ** 2)), 32),
    (Rate(Sum(out_of(h), lambda e: w(e) ** 2)), 32),  # 2 * 1 * 10 + 2 * 3 * 2
    (Rate(z(h, 2)), -8),
    (Rate(post(h, 2)), 0),
    (Rate(z(g, 1)), F(15, 4) + 10 * 2 + 8),
    (Rate(nu(1)), 2 * 2 + 3 * 8 + F(5, 4) + 5 * (F(15, 4) + 28)),
    (make("steps"), (0, 1)),
    (Map(make("steps"), lambda k: make("step_size", k)), (F(1, 2), 2)),
    (make("step_size", 2), None),
    (Map(edges(), lambda e: After(1, w(e))), (6, F(7, 8), 6, 4, F(45, 8))),
    (Map(edges(), lambda e: After(0, w(e))), (2, -1, 1, 3, 5)),
    (Map(examples(), lambda j: After(1, z(h, j))), (6, -6)),
    (After(1, nu(2)), 0),  # z_h = -6, z_g = -7/8
    (Map(upto(3), lambda k: After(k - 1, w(at(edges(), k)))), (2, F(7, 8), 6 - F(135, 4))),
    (After(1, After(0, w(at(edges(), 1)))), 2),
    # at the second step the slopes are 1 and 0: w_hy goes from 4 by -2/2 * 1 * 6
    (After(2, w(at(edges(), 4))), -2),
    (Map(make("steps"), lambda k: After(k, make("loss_slope", 1))), (-2, 1)),
    (After(2, make("loss_slope", 1)), None),
    (After(3, 0 * w(at(edges(), 4))), None),
    (After(-1, nu(1)), None),
]


@pytest.mark.parametrize(
    ("term", "expected"), ON_NETWORK, ids=[repr(t)[:80] for t, _ in ON_NETWORK]
)
def test_on_a_network(term: Any, expected: Any) -> None:
    assert worth(term, AT) == expected


def test_numbers_with_one_whole_part_are_not_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum within two lists is worked out once for each number, not for each whole part."""
    monkeypatch.setattr("verify.language.evaluation.FEW", 0)
    halves = list_(F(1, 2), F(3, 2), F(4, 3), 1)
    sums = Sum(upto(4), lambda b: Sum(halves, lambda a: b * Sum(upto(2), lambda i: a)))
    assert worth(sums, HELD) == 10 * 2 * F(13, 3)


def test_shared_and_fixed_weights() -> None:
    net = network(
        [("x", "h"), ("b", "h"), ("h", "y"), ("x", "y")],
        inputs=["x", "b"],
        outputs=["y"],
        parameters={("x", "h"): "s", ("h", "y"): "s"},
        fixed={("x", "y"): 7},
        constants={"b": 2},
    )
    of = Case(net, (F(3), F(1, 2)), ((F(1),),), (F(1),), slopes=(F(1),))
    ends = [(net.names[a], net.names[b]) for a, b in zip(net.tails, net.heads, strict=True)]
    by_name = {pair: n for n, pair in enumerate(ends)}
    weights = worth(Map(edges(), w), of)
    users = worth(Map(edges(), lambda e: card(make("users", e))), of)
    rates = worth(Map(edges(), lambda e: Rate(w(e))), of)
    told = {e: (weights[n], users[n], rates[n]) for e, n in by_name.items()}
    # nu = s (s x + w b) + 7 x with x = 1, b = 2, s = 3, w = 1/2: dnu/ds = 2 s + 2 w, dnu/dw = 2 s
    assert told[("x", "h")] == told[("h", "y")] == (3, 2, -7)
    assert told[("b", "h")] == (F(1, 2), 1, -6)
    assert told[("x", "y")] == (7, 0, 0)
    at_one = worth(Map(inputs(), lambda v: make("input", v, 1)), of)
    held = worth(Map(inputs(), lambda v: make("held", v)), of)
    assert sorted(zip(at_one, held, strict=True)) == [(1, False), (2, True)]
    assert worth(Map(hidden(), lambda v: make("held", v)), of) == (False,)


# rates in cases of arrays ------------------------------------------------------------------------
def test_rates_of_arrays() -> None:
    flow = {"S": S @ B, "c": c * c}
    of = HELD
    assert worth(Rate(make("frob2", S)), of, flow) == 2 * worth(make("dot", S, S @ B), of)
    assert worth(Rate(S @ S), of, flow) == worth(S @ B @ S + S @ S @ B, of)
    assert worth(Rate(make("trace", make("inverse", S))), of, flow) == worth(
        make("trace", -(make("inverse", S) @ S @ B @ make("inverse", S))), of
    )
    assert worth(Rate(c**3 / (c + 1)), of, flow) == worth(
        (3 * c**2 * c**2 * (c + 1) - c**3 * c**2) / (c + 1) ** 2, of
    )
    assert worth(Rate(x), of, flow) == ((2,), 0, 0)
    assert worth(Rate(Let(c, lambda v: v * v)), of, flow) == 2 * worth(c**3, of)


@pytest.mark.parametrize(
    ("name", "slope"),
    [
        ("exp", exp(1.5)),
        ("log", 1 / 1.5),
        ("erfc", -2 / sqrt(pi) * exp(-2.25)),
        ("tanh", 1 - tanh(1.5) ** 2),
        ("sigmoid", exp(-1.5) / (1 + exp(-1.5)) ** 2),
        ("softplus", 1 / (1 + exp(-1.5))),
    ],
)
def test_rates_of_functions(name: str, slope: float) -> None:
    """d/dt f(-c) = f'(-c) (-c'), at c = -3/2."""
    found = worth(Rate(make(name, -c)), HELD, {"c": 2 * c})
    assert float(found) == pytest.approx(3 * slope)


def test_every_operator_is_worked_by_hand() -> None:
    told = {op for term, _ in (*WORKED, *ON_NETWORK) for op in term.operators}
    assert set(OPERATORS) <= told | {"rate"}
    assert set(building.NAMES.values()) <= set(OPERATORS)


@pytest.mark.parametrize(("most", "defined"), [(7, True), (6, False)])
def test_so_many_paths_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, most: int, defined: bool
) -> None:
    """Seven end at y, none of which is longer than three edges."""
    monkeypatch.setattr("verify.language.recursion.MOST_PATHS", most)
    asked = (
        make("paths_to", y),
        Along(y, lambda u, p, before: card(p) + Sum(before, lambda i: i)),
    )
    for term in asked:
        assert (worth(term, AT) is not None) is defined
