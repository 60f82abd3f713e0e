"""Neurons of a convolution as an array (Definition 12), the pairs of weights at it (Lemma 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

import numpy as np

from graphs.arithmetic import Array
from graphs.evaluation import evaluate
from graphs.network import FIXED, Network
from verify.case import Case
from verify.layer_pieces import Mismatch, chosen_pieces
from verify.papers.lj22.frames import found_pairing, product_rates
from verify.papers.lj22.items import Pairing
from verify.vocabulary import Entries, Row, Scene, constant_entries

Pair = tuple[int, int]  # of parameters


def organisable(net: Network, neurons: Iterable[int], count: int) -> bool:
    """Whether some array of the neurons with `count` columns meets (52) and (53): the neurons of a
    column carry the same in-parameters, those of a row have the same neighbours."""
    inside = list(neurons)
    carried = [tuple(sorted(net.parameter_of[e] for e in net.in_edges[v])) for v in inside]
    near = [
        (
            frozenset(net.tails[e] for e in net.in_edges[v]),
            frozenset(net.heads[e] for e in net.out_edges[v]),
        )
        for v in inside
    ]
    return fills_array(carried, near, count)


def fills_array(columns: Sequence[Hashable], rows: Sequence[Hashable], count: int) -> bool:
    """Whether things with these two labels fill an array with `count` columns in which the first
    label is one along each column, and the second one along each row.

    With P and Q the classes of equal first and of equal second label, l the length of a column and
    N the number of things, that is so if and only if l divides every |P|, the number of columns
    divides every |Q|, and P meets Q in |P||Q| / N things: the columns of P and the rows of Q have
    |P| / l times |Q| / count places in common.
    """
    total = len(columns)
    if total % count:
        return False
    length = total // count
    by_first, by_second = Counter(columns), Counter(rows)
    both = Counter(zip(columns, rows, strict=True))
    return (
        all(size % length == 0 for size in by_first.values())
        and all(size % count == 0 for size in by_second.values())
        and all(
            both[p, q] * total == by_first[p] * by_second[q] for p in by_first for q in by_second
        )
    )


def organised(net: Network, rows: tuple[tuple[int, ...], ...]) -> bool:
    """(52) and (53) for the array whose columns are the channels, one row for each position."""
    shared = all(
        len({tuple(sorted(net.parameter_of[e] for e in net.in_edges[v])) for v in column}) == 1
        for column in rows
    )
    alike = all(
        len({tuple(net.tails[e] for e in net.in_edges[v]) for v in place}) == 1
        and len({tuple(sorted(net.heads[e] for e in net.out_edges[v])) for v in place}) == 1
        for place in zip(*rows, strict=True)
    )
    return shared and alike


def no_organisation(scene: Scene) -> Entries:
    """0 where the neurons of the convolution that is chosen can be organised, else 1."""
    rows: list[Row] = []
    for c, case in enumerate(scene.cases):
        try:
            piece = chosen_pieces(case)[0]
        except (Mismatch, IndexError):
            continue
        good = organisable(case.network, piece.heads, piece.channels[1])
        rows.append((c, {"predicate": "organisation"}, Fraction(not good)))
    return constant_entries(scene, rows)


# pairs of weights ---------------------------------------------------------------------------------
def weight_pairs(
    net: Network, found: Pairing, *, into: bool, every: bool = True
) -> dict[Pair, tuple[int, int]]:
    """w_IN or w_OUT of the first two channels: pairs of parameters, each with edges that carry it.

    every: for each position there is a neighbour with these two weights, as printed; otherwise for
    some position.
    """
    sets: list[dict[Pair, tuple[int, int]]] = []
    for one, two in zip(found.shared[0], found.shared[1], strict=True):
        if into:
            near = [{net.tails[e]: e for e in net.in_edges[v]} for v in (one, two)]
        else:
            near = [{net.heads[e]: e for e in net.out_edges[v]} for v in (one, two)]
        edges = [(e, near[1][a]) for a, e in near[0].items() if a in near[1]]
        sets.append({(net.parameter_of[e], net.parameter_of[f]): (e, f) for e, f in edges})
    if every:
        return {pair: at for pair, at in sets[0].items() if all(pair in other for other in sets)}
    return {pair: at for some in sets for pair, at in some.items()}


def listed_pairs(net: Network, found: Pairing, which: str) -> set[Pair]:
    """The right sides of (55), (56) and (57): the pairs that T_1, T_2 or W list."""
    if which == "55":
        rows = found.first[:2]
    else:
        rows = found.second[:2]
    return {
        (net.parameter_of[e], net.parameter_of[f])
        for e, f in zip(*rows, strict=True)
        if e is not None and f is not None
    }


def set_difference(which: str, *, every: bool = True):  # type: ignore[no-untyped-def]  # a measure
    """The measure of (55), (56) or (57): the number of pairs in one of the two sets alone."""

    def measure(scene: Scene) -> Entries:
        rows: list[Row] = []
        for c, case in enumerate(scene.cases):
            found = found_pairing(case)
            if found is None or len(found.shared) != 2:
                continue
            ours = set(weight_pairs(case.network, found, into=which == "55", every=every))
            theirs = listed_pairs(case.network, found, which)
            rows.append((c, {}, Fraction(len(ours ^ theirs))))
        return constant_entries(scene, rows)

    return measure


def side_rates(
    scene: Scene, *, every: bool, absolute: bool = False
) -> tuple[Array, Array, np.ndarray]:
    """d/dt of the two sums of (54), or of (47) with absolute values; and the case of each."""
    edges: dict[bool, list[tuple[int, int, int]]] = {True: [], False: []}
    owner: list[int] = []
    for c, case in enumerate(scene.cases):
        found = found_pairing(case)
        if found is None or len(found.shared) != 2:
            continue
        offset = int(scene.union.edge_offset[c])
        for into, rows in edges.items():
            pairs = weight_pairs(case.network, found, into=into, every=every).values()
            rows += [(e + offset, f + offset, len(owner)) for e, f in pairs]
        owner.append(c)
    sides = []
    for into in (True, False):
        e, f, at = np.array(edges[into], dtype=np.int64).reshape(-1, 3).T
        if absolute:
            w, v, sign = scene.weights, scene.velocity, scene.signs
            rates = (w[e] * v[f] + v[e] * w[f]) * (sign[e] * sign[f])
            sides.append(scene.arithmetic.sum_at(rates, at, len(owner)))
        else:
            sides.append(product_rates(scene, e, f, at, len(owner)))
    return sides[0], sides[1], np.array(owner, dtype=np.int64)


def _per_case(left: Array, right: Array, owner: np.ndarray) -> Entries:
    nothing = np.zeros(len(owner), dtype=np.int64)
    return Entries(left - right, left, owner, "case", nothing, nothing - 1, lambda k: {})


def sharing_defect(scene: Scene, *, every: bool = True, absolute: bool = False) -> Entries:
    """d/dt of the left side of (54) minus d/dt of the right one; of (47) with absolute values."""
    return _per_case(*side_rates(scene, every=every, absolute=absolute))


def sharing_defect_somewhere(scene: Scene) -> Entries:
    """The same for the pairs of weights at some position."""
    return sharing_defect(scene, every=False)


def jagged_sum(scene: Scene, owner: np.ndarray, *, absolute: bool) -> Array:
    """(K,): for each of the cases the sum over A of 1/n sum_j d_{j,p}, every factor of a slope 1.

    A path of A goes to v_{j,1} and on from v_{j,2}, or the other way round; the sum over all of
    them is the value at the one times the sensitivity of the other. absolute: products of |w|.
    """
    weights = scene.absolute_weights if absolute else scene.weights
    linear = evaluate(scene.union, scene.arithmetic, weights, scene.inputs)
    total = scene.arithmetic.zeros(len(owner))
    into: list[int] = []
    onward: list[int] = []
    place: list[int] = []
    for k, c in enumerate(owner):
        found = found_pairing(scene.cases[c])
        assert found is not None
        offset = int(scene.union.vertex_offset[c])
        for one, two in zip(found.shared[0], found.shared[1], strict=True):
            into += [one + offset, two + offset]
            onward += [two + offset, one + offset]
            place += [k, k]
    ends, starts, at = np.array([into, onward, place], dtype=np.int64)
    terms = linear.pre[ends] * linear.output_sensitivities[starts]
    scene.arithmetic.add_at(total, at, scene.on_examples(terms, owner[at]))
    return total


def jagged_defect(
    scene: Scene,
    *,
    into: bool,
    every: bool = True,
    absolute: bool = False,
    sign: int = 1,
) -> Entries:
    """One of the two equalities of (60) in differential form: a side minus the sum over A.

    absolute: of (47), with products of |w| on the paths. sign: -1 for the sum with the sign that
    gradient flow gives it.
    """
    first, second, owner = side_rates(scene, every=every, absolute=absolute)
    jagged = jagged_sum(scene, owner, absolute=absolute)
    return _per_case(first if into else second, jagged if sign > 0 else -jagged, owner)


def all_at_learnable(case: Case) -> bool:
    """Whether every edge at the neurons of the convolution is learnable."""
    found = found_pairing(case)
    net = case.network
    return found is not None and all(
        net.parameter_of[e] != FIXED
        for v in found.vertices
        for e in (*net.in_edges[v], *net.out_edges[v])
    )


__all__ = [
    "all_at_learnable",
    "fills_array",
    "jagged_defect",
    "no_organisation",
    "organisable",
    "organised",
    "set_difference",
    "sharing_defect",
    "sharing_defect_somewhere",
]
