"""What is proved of the laws of a network and what its samples leave, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from graphs.laws.expansion import small_enough, vanishes
from graphs.laws.grading import Blocks
from graphs.laws.law import ONE, UNNAMED, Expansion, Law, Product, Term
from graphs.laws.lie import LawGradients
from graphs.laws.modular import as_rational, rank, reduced
from graphs.laws.naming import PAIR, VERTEX
from graphs.laws.nullities import Samples, nullities, remainder
from graphs.laws.plan import Plan
from graphs.laws.sparse import rank_of
from graphs.network import Network

WORK = 200_000  # candidates times parameters: each takes a pass with polynomials


class Table:
    """Laws as entries of arrays: which law, which unknown, which coefficient modulo p."""

    def __init__(self, plan: Plan, parts: Blocks, laws: Sequence[Law]) -> None:
        self.plan, self.parts = plan, parts
        self.gradients = LawGradients(plan, laws)
        self.law, first, second, self.coefficient = self.gradients.terms
        self.unknown = parts.places(first, second)
        self.block = np.searchsorted(parts.starts, self.unknown, side="right") - 1

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


class State:
    """What is proved so far, and how much the samples leave, block by block."""

    def __init__(self, plan: Plan, parts: Blocks, samples: Samples, proved: list[Law]) -> None:
        self.plan, self.parts, self.samples = plan, parts, samples
        self.proved = proved
        self.left: list[Law] = []
        self.obstacle = ""  # why there is no bound
        self.found = np.zeros(0, dtype=np.int64)
        self._tabulate()

    def _tabulate(self) -> None:
        self.products = list(products([law for law in self.proved if law.linear]))
        self.table = Table(self.plan, self.parts, [*self.proved, *self.products])
        self.ranks = self.table.ranks()

    @property
    def above(self) -> int | None:
        """At most so many laws are independent of products of linear ones."""
        return None if (self.found < 0).any() else int(self.found.sum()) - len(self.products)

    def look(self, limit: int) -> None:
        """Bound the number of laws in each block of at most `limit` unknowns from above, and look
        at what remains where fewer are proved; not where very much remains, as in a chain so deep
        that hardly a sample reaches its end."""
        self.found = nullities(self.samples, self.parts, self.ranks, limit)
        wrong = np.flatnonzero((self.found >= 0) & (self.found < self.ranks))
        if len(wrong):
            raise AssertionError(f"{len(wrong)} blocks have more proved laws than samples allow")
        if (self.found < 0).any():
            self.obstacle = f"{self.parts.sizes.max()} unknowns in one block of equations"
        left = int((self.found - self.ranks).clip(0).sum())
        if left * self.plan.size > WORK:
            self.obstacle = f"the samples leave {left} more, too many to look at each"
            self.found[self.found > self.ranks] = -1
        self.search(linear=True)
        self.search(linear=False)

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
            self.proved = independent(self.proved + proved, self.plan.network)
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


def independent(laws: list[Law], network: Network) -> list[Law]:
    """The laws, linear ones first, without those that depend on earlier ones or on products of
    linear ones.

    Laws of single vertices and pairs, with edges of their own, are independent as they are.
    """
    if all(law.name in (VERTEX, PAIR) for law in laws):
        return laws
    linear = [law for law in laws if law.linear]
    everything = [*linear, *products(linear), *(law for law in laws if not law.linear)]
    code = 1 + network.parameter_count
    rows = [{(e + 1) * code + f: c for e, f, c in law.terms} for law in everything]
    kept = [law for law, new in zip(everything, rank_of(rows), strict=True) if new]
    return [law for law in kept if not isinstance(law.proof, Product)]


def products(linear: Sequence[Law]) -> Iterable[Law]:
    """The products of any two linear laws, which are conserved as well."""
    for first, second in combinations_with_replacement(linear, 2):
        coefficients: dict[tuple[int, int], Fraction] = {}
        for _, e, a in first.terms:
            for _, f, b in second.terms:
                pair = (min(e, f), max(e, f))
                coefficients[pair] = coefficients.get(pair, Fraction(0)) + a * b
        terms = tuple((e, f, c) for (e, f), c in sorted(coefficients.items()) if c)
        yield Law(terms, UNNAMED, "product", Product())
