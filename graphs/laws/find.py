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
from graphs.laws.nullities import Samples, block_nullspace, nullities
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

    Raises NotRationalError at a smooth activation; NetworkError for slopes that do not occur.
    """
    random = np.random.default_rng(seed)
    plan = Plan.of(network, region)
    proved = _independent([*_basis(plan), *_linear(plan)], network)
    products = list(_products([law for law in proved if law.linear]))
    idle = [
        Law(((ONE, p, Fraction(1)),), UNNAMED, f"{network.parameter_names[p]} alone", Motionless())
        for p in plan.idle
    ]
    if not plan.size:
        return Laws(network, plan.region, tuple(idle), (), 0, 0, Bound(0, 0, 1, ()))
    patterns = Patterns(plan) if point is None else GivenRegion(plan, point)
    parts, samples = blocks(plan, random), Samples(plan, patterns, random)
    samples.ensure(1)
    table = _Table(plan, parts, [*proved, *products])
    ranks = table.ranks()
    found = nullities(samples, parts, ranks, limit)
    extra, unproved = _candidates(plan, parts, samples, table, found, ranks)
    proved += extra
    above = None if (found < 0).any() else int(found.sum()) - len(products)
    gradients = (_Table(plan, parts, proved) if extra else table).gradients()
    return Laws(
        network,
        plan.region,
        (*proved, *idle),
        tuple(unproved),
        above,
        int(parts.sizes.max()),
        bound(plan, patterns, gradients, random, tries),
    )


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
    """The laws without those that depend on laws before them.

    Laws of single vertices and pairs, with edges of their own, are independent as they are.
    """
    if all(law.name in (VERTEX, PAIR) for law in laws):
        return laws
    code = 1 + network.parameter_count
    rows = [{(e + 1) * code + f: c for e, f, c in law.terms} for law in laws]
    return [law for law, new in zip(laws, rank_of(rows), strict=True) if new]


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


def _candidates(
    plan: Plan,
    parts: Blocks,
    samples: Samples,
    table: _Table,
    found: np.ndarray,
    ranks: np.ndarray,
) -> tuple[list[Law], list[Law]]:
    """Of the blocks where samples leave more than is proved: what normal forms prove, and the rest.

    A candidate whose residues are those of no small rationals is none (p was unlucky): it stays in
    the bound and is not listed.
    """
    proved: list[Law] = []
    left: list[Law] = []
    if (wrong := found[(found >= 0) & (found < ranks)]).size:
        raise AssertionError(f"{wrong.size} blocks have more proved laws than samples allow")
    for block in np.flatnonzero(found > ranks).tolist():
        known = table.matrix(block)
        span, p = reduced(known, plan.field.p)[0], plan.field.p
        for vector in block_nullspace(samples, parts, block):
            larger = reduced(np.vstack([span, vector]), p)[0]
            if len(larger) == len(span):
                continue
            span = larger
            terms = _terms(plan, parts, block, vector)
            if terms is None:
                continue
            law = Law(terms, UNNAMED, f"{len(terms)} terms", None)
            if small_enough(plan) and vanishes(plan, terms):
                proved.append(Law(terms, UNNAMED, law.subject, Expansion()))
            else:
                left.append(law)
    return proved, left


def _terms(plan: Plan, parts: Blocks, block: int, vector: np.ndarray) -> tuple[Term, ...] | None:
    """The polynomial of rationals that a vector of residues stands for."""
    part = parts.members(block)
    numbers = [*plan.parameters, ONE]
    terms = []
    for place in np.flatnonzero(vector).tolist():
        value = as_rational(int(vector[place]), plan.field.p)
        if value is None:
            return None
        ends = [numbers[part_of[part.start + place]] for part_of in (parts.first, parts.second)]
        terms.append((min(ends), max(ends), value))
    return tuple(sorted(terms))
