"""All quadratic conserved quantities of a network: found, proved, counted.

From below: laws that the graph proves (mixings of hidden vertices, translations, normal forms).
From above: the nullity of equations at sample points, modulo a prime, block by block. Where the two
meet the list is complete; where they do not, what the samples leave is listed as not proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from graphs.laws.answer import Laws
from graphs.laws.expansion import small_enough, vanishes
from graphs.laws.grading import Blocks, blocks
from graphs.laws.law import ONE, UNNAMED, Expansion, Law, Motionless, Product, Term, Translation
from graphs.laws.lie import Bound, LawGradients, bound
from graphs.laws.mixing import mixings, terms_of
from graphs.laws.modular import as_rational, rank, reduced
from graphs.laws.naming import LAYERS, PAIR, VERTEX, layer_mixings, named
from graphs.laws.nullities import Samples, nullities, remainder
from graphs.laws.patterns import GivenRegion, Patterns
from graphs.laws.plan import Plan
from graphs.laws.sparse import rank_of
from graphs.laws.translations import translations
from graphs.network import Network

LIMIT = 3000  # unknowns of one block; beyond, its number of laws is not bounded


def find_laws(
    network: Network,
    region: Mapping[int, Fraction] | None = None,
    *,
    point: Sequence[Fraction] | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    tries: int = 2,
) -> Laws:
    """Every conserved quantity of degree at most 2, whatever the data and the loss.

    region: slopes by vertex; then the laws on the weights and inputs with these slopes. point:
    weights at which they occur, for a region that has a slope for every vertex with a kink (others
    are sought). seed: of the sample points, on which what is proved does not depend. limit: the
    largest block of unknowns to solve. tries: the points at which the number of independent laws is
    bounded.

    With smooth activations the gradients at rational points are not rational: then the laws that
    the graph shows are given, and none is excluded.

    Raises NetworkError for slopes that do not occur.
    """
    random = np.random.default_rng(seed)
    plan = Plan.of(network, region)
    idle = [
        Law(((ONE, p, Fraction(1)),), UNNAMED, f"{network.parameter_names[p]} alone", Motionless())
        for p in plan.idle
    ]
    if not plan.size:
        return Laws(network, plan.region, tuple(idle), (), 0, 0, Bound(0, 0, 1, ()))
    proved = _independent([*_basis(plan), *_linear(plan)], network)
    if plan.smooth:
        return Laws(network, plan.region, (*proved, *idle), (), None, 0, _unbounded(plan, proved))
    patterns = Patterns(plan) if point is None else GivenRegion(plan, point)
    parts, samples = blocks(plan, random), Samples(plan, patterns, random)
    samples.ensure(1)
    state = _State(plan, parts, samples, proved)
    state.bound(limit)
    state.search(linear=True)
    state.search(linear=False)
    return Laws(
        network,
        plan.region,
        (*state.proved, *idle),
        tuple(state.left),
        state.above,
        int(parts.sizes.max()),
        bound(plan, patterns, state.table.gradients(), random, tries),
    )


def _unbounded(plan: Plan, proved: list[Law]) -> Bound:
    """What is known without samples: the laws that are independent at one point."""
    parts = blocks(plan, np.random.default_rng(0))
    weights = np.arange(2, plan.size + 2)
    lower = _Table(plan, parts, proved).gradients().rank(weights)
    point = [Fraction(0)] * plan.network.parameter_count
    for p, weight in zip(plan.parameters, weights.tolist(), strict=True):
        point[p] = Fraction(weight)
    return Bound(plan.size, lower, 0, tuple(point))


def _basis(plan: Plan) -> list[Law]:
    """The laws of mixings, those with a name first."""
    laws: list[Law] = []
    for mixing in mixings(plan):
        terms = terms_of(plan, mixing)
        if terms is None:
            raise AssertionError(f"a mixing that is none was found: {mixing}")
        if terms:
            laws.append(named(plan, mixing, terms))
    if not any(law.name == UNNAMED for law in laws):
        return laws
    between = []
    for mixing, subject in layer_mixings(plan):
        if terms := terms_of(plan, mixing):
            between.append(Law(terms, LAYERS, subject, mixing))
    known = [law for law in laws if law.name != UNNAMED]
    others = [law for law in laws if law.name == UNNAMED]
    return [*known, *between, *others]


def _independent(laws: list[Law], network: Network) -> list[Law]:
    """The laws, linear ones first, without those that depend on earlier ones or on products of
    linear ones.

    Laws of single vertices and pairs, with edges of their own, are independent as they are.
    """
    if all(law.name in (VERTEX, PAIR) for law in laws):
        return laws
    linear = [law for law in laws if law.linear]
    everything = [*linear, *_products(linear), *(law for law in laws if not law.linear)]
    code = 1 + network.parameter_count
    rows = [{(e + 1) * code + f: c for e, f, c in law.terms} for law in everything]
    kept = [law for law, new in zip(everything, rank_of(rows), strict=True) if new]
    return [law for law in kept if not isinstance(law.proof, Product)]


def _linear(plan: Plan) -> list[Law]:
    names = plan.network.parameter_names
    return [
        Law(terms, UNNAMED, ", ".join(names[p] for _, p, _ in terms[:6]), Translation())
        for terms in translations(plan)
    ]


def _products(linear: Sequence[Law]) -> Iterable[Law]:
    for first, second in combinations_with_replacement(linear, 2):
        coefficients: dict[tuple[int, int], Fraction] = {}
        for _, e, a in first.terms:
            for _, f, b in second.terms:
                pair = (min(e, f), max(e, f))
                coefficients[pair] = coefficients.get(pair, Fraction(0)) + a * b
        terms = tuple((e, f, c) for (e, f), c in sorted(coefficients.items()) if c)
        yield Law(terms, UNNAMED, "product", Product())


class _Table:
    """Laws as entries of arrays: which law, which unknown, which coefficient modulo p."""

    def __init__(self, plan: Plan, parts: Blocks, laws: Sequence[Law]) -> None:
        self.plan, self.parts, self.count = plan, parts, len(laws)
        place = {p: k for k, p in enumerate(plan.parameters)} | {ONE: plan.size}
        rows = [
            (number, place[e], place[f], plan.field.residue(c))
            for number, law in enumerate(laws)
            for e, f, c in law.terms
        ]
        array = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
        self.law, self.first, self.second, self.coefficient = array.T
        self.unknown = parts.places(self.first, self.second)
        self.block = np.searchsorted(parts.starts, self.unknown, side="right") - 1

    def gradients(self) -> LawGradients:
        """What the rank of the laws' gradients is computed from."""
        terms = (self.law, self.first, self.second, self.coefficient)
        return LawGradients(self.count, self.plan.size, self.plan.field.p, terms)

    def ranks(self) -> np.ndarray:
        """(B,): how many independent laws there are in each block."""
        result = np.zeros(len(self.parts), dtype=np.int64)
        pairs = np.unique(np.stack([self.block, self.law]), axis=1)
        present, counts = np.unique(pairs[0], return_counts=True)
        result[present] = counts
        for block in present[counts > 1]:
            result[block] = rank(self.matrix(int(block)), self.plan.field.p)
        return result

    def matrix(self, block: int) -> np.ndarray:
        """(laws in the block, its unknowns): their coefficients modulo p."""
        chosen = np.flatnonzero(self.block == block)
        part = self.parts.members(block)
        laws, rows = np.unique(self.law[chosen], return_inverse=True)
        matrix = np.zeros((len(laws), part.stop - part.start), dtype=np.int64)
        matrix[rows, self.unknown[chosen] - part.start] = self.coefficient[chosen]
        return matrix


class _State:
    """What is proved so far, and how much the samples leave, block by block."""

    def __init__(self, plan: Plan, parts: Blocks, samples: Samples, proved: list[Law]) -> None:
        self.plan, self.parts, self.samples = plan, parts, samples
        self.proved = proved
        self.left: list[Law] = []
        self.found = np.zeros(0, dtype=np.int64)
        self._tabulate()

    def _tabulate(self) -> None:
        self.products = list(_products([law for law in self.proved if law.linear]))
        self.table = _Table(self.plan, self.parts, [*self.proved, *self.products])
        self.ranks = self.table.ranks()

    @property
    def above(self) -> int | None:
        """At most so many laws are independent of products of linear ones."""
        return None if (self.found < 0).any() else int(self.found.sum()) - len(self.products)

    def bound(self, limit: int) -> None:
        """Bound the number of laws in each block from above."""
        self.found = nullities(self.samples, self.parts, self.ranks, limit)
        wrong = np.flatnonzero((self.found >= 0) & (self.found < self.ranks))
        if len(wrong):
            raise AssertionError(f"{len(wrong)} blocks have more proved laws than samples allow")

    def search(self, linear: bool) -> None:
        """Where the samples leave more than is proved: what normal forms prove, and the rest.

        linear: look for linear laws alone, so that their products are known afterwards. A candidate
        whose residues are those of no small rationals is none (p was unlucky): it stays in the
        bound and is not listed.
        """
        proved: list[Law] = []
        for block in np.flatnonzero(self.found > self.ranks).tolist():
            part = self.parts.members(block)
            chosen = np.arange(part.start, part.stop)
            if linear:
                ends = np.maximum(self.parts.first[part], self.parts.second[part])
                chosen = chosen[ends == self.plan.size]
            if len(chosen):
                proved += self._candidates(block, chosen, linear)
        if proved:
            self.proved = _independent(self.proved + proved, self.plan.network)
            self._tabulate()

    def _candidates(self, block: int, chosen: np.ndarray, linear: bool) -> list[Law]:
        p, parts, plan = self.plan.field.p, self.parts, self.plan
        offset = parts.starts[block]
        span = reduced(self.table.matrix(block)[:, chosen - offset], p)[0]
        proved = []
        for vector in remainder(self.samples, parts, block, chosen):
            larger = reduced(np.vstack([span, vector]), p)[0]
            if len(larger) == len(span):
                continue
            span = larger
            terms = _terms(plan, parts, chosen, vector)
            if terms is None:
                continue
            if small_enough(plan) and vanishes(plan, terms):
                proved.append(Law(terms, UNNAMED, "by its normal form", Expansion()))
            elif not linear:
                self.left.append(Law(terms, UNNAMED, "not proved", None))
        return proved


def _terms(
    plan: Plan, parts: Blocks, chosen: np.ndarray, vector: np.ndarray
) -> tuple[Term, ...] | None:
    """The polynomial of rationals that residues, of the chosen unknowns, stand for."""
    numbers = [*plan.parameters, ONE]
    terms = []
    for place in np.flatnonzero(vector).tolist():
        value = as_rational(int(vector[place]), plan.field.p)
        if value is None:
            return None
        ends = [numbers[side[chosen[place]]] for side in (parts.first, parts.second)]
        terms.append((min(ends), max(ends), value))
    return tuple(sorted(terms))
