"""Theorem 3, part 2: the cost of a sum, and its R^(1).

Two networks side by side have one last bias, b_f + b_g, whose square is no sum of squares: of
constants c with 2 |c| <= 1 on a domain with 0, R(2 c) = 4 |c|^2 at every depth, above 2 R(c). At
depth 1 the weights are not side by side either.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Map,
    Matrix,
    Sum,
    Vector,
    When,
    Whole,
    activation,
    between,
    card,
    edge,
    examples,
    floor,
    implies,
    post,
    upto,
    vector,
    w,
    x,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import HULL, affine_pool, layers, on_simplex
from verify.papers.j23.affine_costs import Affine
from verify.papers.j23.first_correction import THROUGH
from verify.papers.j23.matrix_notation import KEPT_SLOPE
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    SLOPE,
    Index,
    from_held,
    neurons,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, stated, true_of

F, d = Matrix("F", "q", "n"), Vector("d", "q")
G, c = Matrix("G", "q", "n"), Vector("c", "q")
L = Whole("L", 1, 3)
f, g = Affine(F, d), Affine(G, c)
READING = r"the domain of $f$ is $\Omega$ on both sides"
AFFINE = rf"affine $f(x)=Fx+d$, $g(x)=Gx+c$, {HULL}"


WHY = (
    r"Networks of $f$ and $g$ side by side share one last bias: of constants $c$ with "
    r"$2\lVert c\rVert\le1$ the sum costs $4\lVert c\rVert^2$, and both alone $2\lVert c"
    r"\rVert^2$."
)
FINITE = stated(
    "j23.thm3.2.ineq@A",
    printed("proof of Theorem 11 (2)"),
    "finite-depth cost of a sum",
    r"$R(f+g;\Omega,L)\le R(f;\Omega,L)+R(g;\Omega,L)$.",
    f.plus(g).cost_at_least(L) <= f.cost_at_most(L) + g.cost_at_most(L),
    (KEPT_SLOPE, layers(L)),
    depends=("j23.repcost",),
    pool=affine_pool(F, d, G, c, L),
    reading="A",
    reading_text=f"{READING}; {AFFINE}",
    exact_only=True,
    through=THROUGH,
    why=WHY,
)


# repaired -----------------------------------------------------------------------------------------
def half(m: Index, *, second: bool) -> Term:
    """The neurons of f or of g in a layer: all of them at the two ends, else one half each."""

    def chosen(k: Term) -> Term:
        middle = floor(width(m) / 2)
        return (m == 0) | (m == DEPTH) | ((k > middle) if second else (k <= middle))

    return Map(Filter(upto(width(m)), chosen), lambda k: neurons(m)[k])


def alone(p: Index, *, second: bool) -> Term:
    """f(x) or g(x): the outputs of that half, without the last bias."""

    def layer(h: Term, m: Term) -> Term:
        below = half(m - 1, second=second)

        def value(v: Term) -> Term:
            pre = Sum(upto(card(below)), lambda j: w(edge(below[j], v)) * h[j])
            return activation(v, pre + When(m < DEPTH, w(from_held(v)), 0))

        here = half(m, second=second)
        return vector(card(here), lambda i: value(here[i]))

    return Fold(ALL, vector(width(0), lambda i: x(neurons(0)[i], p)), layer)


def _is_sum(p: Term) -> Term:
    """Whether the network is f + g and the last bias."""
    both = alone(p, second=False) + alone(p, second=True)

    def last_bias(i: Term) -> Term:
        return w(from_held(neurons(DEPTH)[i]))

    return Each(upto(width(DEPTH)), lambda i: post(neurons(DEPTH)[i], p) == both[i] + last_bias(i))


SIDE_BY_SIDE = implies(DEPTH >= 2, Each(examples(), _is_sum))


def _no_weight(m: Term, *, second: bool) -> Term:
    """From the neurons of one function below to those of the other one."""
    return Each(
        half(m, second=second),
        lambda v: Each(half(m - 1, second=not second), lambda u: w(edge(u, v)) == 0),
    )


def _halves(case: Deep, layer: int) -> list[list[int]]:
    """Those of f and of g in a layer, by their numbers."""
    width = case.widths[layer]
    if layer in (0, case.depth):
        return [list(range(width))] * 2
    return [list(range(width // 2)), list(range(width // 2, width))]


def _crossing(case: Deep) -> list[tuple[int, int, int]]:
    """The weights between the halves, by layer, row and column."""
    found = []
    for layer in range(2, case.depth):
        for side in (0, 1):
            rows, columns = _halves(case, layer)[side], _halves(case, layer - 1)[1 - side]
            found += [(layer, row, column) for row in rows for column in columns]
    return found


def _set(case: Deep, layer: int, row: int, column: int, value: Fraction) -> Deep:
    array = case.arrays[f"W{layer}"]
    place = row * array.shape[1] + column
    entries = (*array.entries[:place], value, *array.entries[place + 1 :])
    return with_entries(case, f"W{layer}", entries)


def _taken_apart(case: Deep, random: Random) -> Deep:
    for layer, row, column in _crossing(case):
        case = _set(case, layer, row, column, Fraction(0))
    return case


def _joined(case: Deep, random: Random) -> Deep:
    crossing = _crossing(case)
    return _set(case, *random.choice(crossing), Fraction(1)) if crossing else case


APART = Given(
    "side by side",
    Each(
        between(2, DEPTH - 1),
        lambda m: _no_weight(m, second=False) & _no_weight(m, second=True),
    ),
    r"the hidden neurons of each layer are two halves, those of $f$ and those of $g$, with no "
    r"weight between them",
    lifted(_taken_apart),
    lifted(_joined),
)

FINITE_REPAIRED = stated(
    "j23.thm3.2.ineq@A.fix",
    printed("proof of Theorem 11 (2)"),
    "finite-depth cost of a sum, repaired",
    r"$R(f+g;\Omega,L)\le R(f;\Omega,L)+R(g;\Omega,L)$ for $L\ge2$, where the bias of the last "
    r"layer is not counted in $R$: networks of $f$ and $g$ side by side compute $f+g$, and all "
    r"else of their norms adds.",
    SIDE_BY_SIDE,
    (FULLY_CONNECTED, SLOPE, APART),
    depends=("j23.repcost",),
    pool=layered_pool(pool(depths=(2, 3, 3, 4))),
    reading="A",
    reading_text=READING,
    repairs="j23.thm3.2.ineq@A",
    exact_only=True,
    through="two networks side by side bound the cost of the sum (docs/mathematics/j23.md#sums)",
)


# R^(1) --------------------------------------------------------------------------------------------
ADD = f.plus(g).order == f.order + g.order
_add = true_of(ADD)


def _doubled(case: Tensors, random: Random) -> Tensors:
    """g is f."""
    return case.changing(G=case.arrays["F"])


def _in_turn(case: Tensors) -> Tensors:
    """f acts on even coordinates and g on odd ones, in their own outputs."""
    arrays = {}
    for name, parity in (("F", 0), ("G", 1)):
        array = case.arrays[name]
        entries = tuple(
            value if (place // array.shape[1]) % 2 == place % array.shape[1] % 2 == parity else 0
            for place, value in enumerate(array.entries)
        )
        arrays[name] = replace(array, entries=tuple(map(Fraction, entries)))
    return case.changing(**arrays)


def _products(case: Tensors) -> Tensors:
    """On a simplex, f and g are products of a column and a row."""
    case = on_simplex(case)
    arrays = {}
    for name in "FG":
        array = case.arrays[name]
        rows, columns = array.shape
        left, right = (array.entries[i * columns] for i in range(rows)), array.entries[:columns]
        entries = tuple(one * other for one in left for other in right)
        arrays[name] = replace(array, entries=entries)
    return case.changing(**arrays)


def _adding(case: Tensors, random: Random) -> Tensors:
    if _add(case) and random.random() < 0.5:
        return case
    return random.choice((_in_turn, _products))(case)


RANKS_ADD = Given(
    "ranks add",
    ADD,
    r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$",
    _adding,
    _doubled,
)


def _correction(*, free_end: bool) -> Claim:
    words = r"If $R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$, then $R^{(1)}(f+g)\le R^{(1)}(f)+R^{(1)}(g)$"
    end = r", where the bias of the last layer is not counted in $R$" if free_end else ""
    one, other = (replace(function, free_end=free_end) for function in (f, g))
    return stated(
        "j23.thm3.2.fix" if free_end else "j23.thm3.2",
        printed("Theorem 3 (Theorem 11), part 2"),
        "first correction of a sum" + (", repaired" if free_end else ""),
        words + end + f". ({AFFINE[0].upper()}{AFFINE[1:]}.)",
        one.plus(other).correction_at_least()
        <= one.correction_at_most() + other.correction_at_most(),
        (KEPT_SLOPE, RANKS_ADD),
        depends=("j23.thm3.2.ineq@A.fix" if free_end else "j23.thm3.2.ineq@A", "j23.expansion"),
        pool=affine_pool(F, d, G, c),
        repairs="j23.thm3.2" if free_end else None,
        exact_only=True,
        through=THROUGH,
        why="" if free_end else WHY,
    )


CLAIMS = (FINITE, FINITE_REPAIRED, _correction(free_end=False), _correction(free_end=True))
