"""Laws that come from a symmetry of the hidden vertices, found and proved from the graph alone.

Let T be a symmetric matrix on the vertices, 0 at inputs, outputs and smooth activations, with
T_uv != 0 for u != v only where u and v have known slopes. Changing pre-activations by
dz_v = sum_u T_vu z_u changes post-activations by the same mixing (with a free slope, T_vv alone:
homogeneity). The change of the weights

    dw_va = sum_u T_vu w_ua - sum_u w_vu T_ua g_u / g_a,      g = slope * scale (1 where free),

written for all pairs of vertices (w_va = 0 where there is no edge), then leaves nu as it is. If it
is 0 where there is no learnable edge, the same for all edges of a parameter, and dw = A w with a
symmetric A, then w^T A grad nu = 0 for all weights, inputs and slopes: w^T A w is conserved.
The diagonal T are the potentials of graphs.balance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from graphs.laws.law import ONE, Mixing, Term, sorted_terms
from graphs.laws.plan import Plan
from graphs.laws.sparse import solutions
from graphs.network import FIXED

Pair = tuple[int, int]
Number = Fraction | int  # integers where that is all: much faster
Form = dict[int, Number]  # a linear form in the unknowns
CONSTANT = -1  # the factor of a fixed weight


def mixings(plan: Plan) -> list[Mixing]:
    """A basis of the T with these properties, those of one vertex or one pair first."""
    simple, unknowns = _unknowns(plan)
    if not unknowns:
        return simple
    equations = _equations(plan, unknowns)
    numbers = dict(enumerate(unknowns))
    vectors = solutions(equations, numbers)
    found = [Mixing(_entries({numbers[k]: c for k, c in row.items()})) for row in vectors]
    return simple + found


def terms_of(plan: Plan, mixing: Mixing) -> tuple[Term, ...] | None:
    """The law of a mixing, or None where the mixing is none: this is the proof.

    Computed afresh from the definition, entry by entry.
    """
    values = {(v, u): _plain(value) for v, u, value in mixing.entries}
    if not _allowed(plan, values):
        return None
    changes = _changes(plan, list(values))
    numbers = list(values.values())
    totals: dict[Pair, Form] = {}
    for place, forms in changes.items():
        sums = {q: sum(c * numbers[t] for t, c in form.items()) for q, form in forms.items()}
        totals[place] = {q: total for q, total in sums.items() if total}
    touched: set[int] = set()
    for place, row in totals.items():
        if row:
            owner = plan.owner_between.get(place, FIXED)
            if owner == FIXED:
                return None
            touched.add(owner)
    rows: dict[int, Form] = {}
    for owner in touched:
        found = [totals.get(place, {}) for place in plan.places_of[owner]]
        if any(row != found[0] for row in found):
            return None
        rows[owner] = found[0]
    return _polynomial(plan, rows)


def _polynomial(plan: Plan, rows: Mapping[int, Form]) -> tuple[Term, ...] | None:
    """w^T A w + 2 b^T w from the rows of A and b, None where A is not symmetric."""
    coefficients: dict[Pair, Number] = {}
    for p, row in rows.items():
        for q, value in row.items():
            if q == CONSTANT:
                coefficients[ONE, plan.parameters[p]] = 2 * value
            elif rows.get(q, {}).get(p) != value:
                return None
            elif p <= q:
                pair = plan.parameters[p], plan.parameters[q]
                coefficients[pair] = value if p == q else 2 * value
    return _primitive(coefficients)


def _plain(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def _primitive(coefficients: dict[Pair, Number]) -> tuple[Term, ...]:
    """Scaled so that the coefficients of squares and products in a pair law are 1 and -1."""
    divisor = 2 if all(e != f for e, f in coefficients) else 1
    return sorted_terms({pair: _quotient(c, divisor) for pair, c in coefficients.items()})


@lru_cache(maxsize=1024)  # nearly all are the same few numbers
def _quotient(value: Number, divisor: int) -> Fraction:
    return Fraction(value) / divisor


def _unknowns(plan: Plan) -> tuple[list[Mixing], list[Pair]]:
    """Those mixings of one vertex or one pair that hold at once, and the other unknowns.

    Where every edge at a vertex has a parameter of its own, no equation touches its T_vv; where
    this is so for u and v, and the two have the same neighbours, none touches T_uv.
    """
    free: list[Mixing] = []
    left: list[Pair] = []
    plain: dict[int, bool] = {}
    smooth = set(plan.smooth)
    hidden = [v for v in plan.hidden if v not in smooth]
    for v in hidden:
        edges = [*plan.in_edges[v], *plan.out_edges[v]]
        plain[v] = bool(plan.own[edges].all())
        if plain[v]:
            free.append(Mixing(((v, v, Fraction(1)),)))
        else:
            left.append((v, v))
    ends = {v: _neighbours(plan, v) for v in hidden}
    groups: dict[tuple[Fraction, bool], list[int]] = defaultdict(list)
    for v in hidden:
        if plan.slopes[v] is not None:
            groups[abs(plan.gain_square(v)), plain[v]].append(v)
    for (gain, simple), members in groups.items():
        if simple:
            same: dict[tuple[frozenset[int], ...], list[int]] = defaultdict(list)
            for v in members:
                same[ends[v][:2]].append(v)
            for vertices in same.values():
                free += [Mixing(((v, u, Fraction(1)),)) for u, v in combinations(vertices, 2)]
        others = members if not simple else []
        left += [(v, u) for u, v in combinations(others, 2) if _compatible(ends[u], ends[v])]
        if simple:  # a plain vertex and one that is not
            mixed = groups.get((gain, False), [])
            pairs = [(max(u, v), min(u, v)) for u in members for v in mixed]
            left += [(v, u) for v, u in pairs if _compatible(ends[u], ends[v])]
    return free, left


def _neighbours(plan: Plan, v: int) -> tuple[frozenset[int], ...]:
    """The in- and out-neighbours along learnable edges; those along edges with own parameters."""
    into, out_of = plan.in_edges[v], plan.out_edges[v]
    owner, tails, heads = plan.ends
    own = plan.own
    return (
        frozenset(tails[k] for k in into if owner[k] >= 0),
        frozenset(heads[k] for k in out_of if owner[k] >= 0),
        frozenset(tails[k] for k in into if own[k]),
        frozenset(heads[k] for k in out_of if own[k]),
    )


def _compatible(first: tuple[frozenset[int], ...], second: tuple[frozenset[int], ...]) -> bool:
    """Whether each own edge of one has a learnable counterpart at the other (nothing else could
    cancel what the mixing makes of it)."""
    return all(a[2] <= b[0] and a[3] <= b[1] for a, b in ((first, second), (second, first)))


def _changes(plan: Plan, pairs: list[Pair]) -> dict[Pair, dict[int, Form]]:
    """dw_va for each pair (v, a): by parameter (or CONSTANT) a linear form in the unknowns."""
    result: dict[Pair, dict[int, Form]] = defaultdict(lambda: defaultdict(dict))
    owners, tails, heads = plan.ends

    def add(place: Pair, k: int, unknown: int, factor: int) -> None:
        fixed = plan.fixed[k]
        q, value = (owners[k], 1) if fixed is None else (CONSTANT, fixed)
        form = result[place][q]
        form[unknown] = form.get(unknown, 0) + factor * value
        if not form[unknown]:
            del form[unknown]

    for t, (v, u) in enumerate(pairs):
        sign = 1 if v == u or plan.gain_square(v) == plan.gain_square(u) else -1
        for to, mixed in ((v, u),) if v == u else ((v, u), (u, v)):
            for k in plan.in_edges[mixed]:
                add((to, tails[k]), k, t, 1)
            for k in plan.out_edges[mixed]:
                add((heads[k], to), k, t, -sign)
    return result


def _equations(plan: Plan, pairs: list[Pair]) -> list[Form]:
    """What the unknowns must satisfy. Those left out of `pairs` do not enter any equation."""
    changes = _changes(plan, pairs)
    equations: list[Form] = []
    model: dict[int, dict[int, Form]] = {}
    for p, tail, head in zip(*plan.ends, strict=True):
        forms = changes.pop((head, tail), {})
        if p < 0:
            equations += forms.values()
        elif p not in model:
            model[p] = forms
        else:
            equations += [
                _minus(forms.get(q, {}), model[p].get(q, {})) for q in {**forms, **model[p]}
            ]
    equations += [form for forms in changes.values() for form in forms.values()]
    for p, forms in model.items():
        equations += [
            _minus(form, model.get(q, {}).get(p, {}))
            for q, form in forms.items()
            if q not in (p, CONSTANT)
        ]
    return [equation for equation in equations if equation]


def _minus(first: Form, second: Form) -> Form:
    result = dict(first)
    for t, value in second.items():
        result[t] = result.get(t, 0) - value
    return {t: value for t, value in result.items() if value}


def _allowed(plan: Plan, values: Mapping[Pair, Number]) -> bool:
    """Whether T is 0 where it must be."""
    hidden = set(plan.hidden) - set(plan.smooth)
    for v, u in values:
        if v not in hidden or u not in hidden or u > v:
            return False
        if u != v and (
            plan.slopes[u] is None
            or plan.slopes[v] is None
            or abs(plan.gain_square(u)) != abs(plan.gain_square(v))
        ):
            return False
    return True


def _entries(values: Mapping[Pair, Fraction]) -> tuple[tuple[int, int, Fraction], ...]:
    return tuple((v, u, c) for (v, u), c in sorted(values.items()))
