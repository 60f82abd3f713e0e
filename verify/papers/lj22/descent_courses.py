"""The two sides of (86) to (90) of the earlier version, for descents in exact numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.network import FIXED
from verify.case import Case, CaseError
from verify.descent import Descent
from verify.smoothness import risk
from verify.vocabulary import Entries, Scene


@dataclass(frozen=True)
class Course:
    """The descent of one case in numbers.

    rates, betas: eta(tau) and beta(tau). gradients: d(w(tau)), by edge. risks: R(w(0)), ...,
    R(w(t+1)).
    """

    rates: list[Fraction]
    betas: list[Fraction]
    gradients: list[dict[int, Fraction]]
    risks: list[Fraction]

    @cached_property
    def squares(self) -> list[Fraction]:
        """||d(w(tau))||^2."""
        return [sum((d * d for d in row.values()), Fraction(0)) for row in self.gradients]

    def weighed(self, until: int, power: int) -> Fraction:
        """The sum over tau <= until of eta(tau)^power ||d(w(tau))||^2."""
        pairs = list(zip(self.rates, self.squares, strict=True))[: until + 1]
        return sum((rate**power * square for rate, square in pairs), Fraction(0))

    def products(self, e: int, f: int) -> Fraction:
        """The sum over tau of eta(tau)^2 d_e d_f."""
        pairs = zip(self.rates, self.gradients, strict=True)
        return sum((rate**2 * row[e] * row[f] for rate, row in pairs), Fraction(0))


def course_of(scene: Scene, number: int) -> Course:
    """The descent of one case of an exact scene."""
    descent: Descent = scene.descent
    case, offset = scene.cases[number], int(scene.union.edge_offset[number])
    count = int(descent.counts[number])
    betas = [Fraction(beta) for beta in case.choice.get("beta", ())]
    if len(betas) != count:
        raise CaseError(f"{len(betas)} smoothness constants for {count} steps")
    own = [e for e, p in enumerate(case.network.parameter_of) if p != FIXED]
    rows = [
        {e: as_fraction(descent.points[step].risk_gradient[e + offset]) for e in own}
        for step in range(count)
    ]
    visited: list[Case] = []
    for step in range(count + 1):
        weights = descent.weights[step]
        firsts = (edges[0] + offset for edges in case.network.edges_of_parameter)
        visited.append(case.with_weights([as_fraction(weights[e]) for e in firsts]))
    return Course(
        [as_fraction(descent.rates[step][number]) for step in range(count)],
        betas,
        rows,
        [risk(here) for here in visited],
    )


Sides = tuple[Fraction, Fraction]
Formula = Callable[[Course, int], Sides]  # at a step: left and right side; the left is no smaller


def each_step(scene: Scene, formula: Formula) -> Entries:
    """One entry for each case and each t: left side minus right side."""
    rows = []
    for number in range(len(scene.cases)):
        course = course_of(scene, number)
        for step in range(len(course.rates)):
            rows.append((number, {"step": step}, formula(course, step), (0, 0)))
    return sided_entries(scene, rows)


def each_pair_of_edges(scene: Scene, formula: Callable[[Course], Fraction]) -> Entries:
    """One entry for each case and each ordered pair of edges, at the last t: the bound that the
    formula gives, minus |sum eta^2 d_e d_f|."""
    rows = []
    for number, case in enumerate(scene.cases):
        course, network = course_of(scene, number), case.network
        bound = formula(course)
        for e in course.gradients[0]:
            for f in course.gradients[0]:
                ends = [
                    [network.names[network.tails[edge]], network.names[network.heads[edge]]]
                    for edge in (e, f)
                ]
                sides = bound, abs(course.products(e, f))
                rows.append((number, {"edges": ends}, sides, (e, f)))
    return sided_entries(scene, rows)


SidedRow = tuple[int, dict[str, Any], Sides, tuple[int, int]]  # case, label, sides, edges


def sided_entries(scene: Scene, rows: list[SidedRow]) -> Entries:
    """Entries with their sides and pairs of edges."""
    left = scene.arithmetic.array([sides[0] for _, _, sides, _ in rows])
    right = scene.arithmetic.array([sides[1] for _, _, sides, _ in rows])
    return Entries(
        left - right,
        left,
        np.array([number for number, _, _, _ in rows], dtype=np.int64),
        "edges",
        np.array([pair for _, _, _, pair in rows], dtype=np.int64).reshape(-1, 2),
        np.full(len(rows), -1, dtype=np.int64),
        lambda k: rows[k][1],
    )


# (86) and (87) ------------------------------------------------------------------------------------
def _right_side(course: Course, step: int) -> Fraction:
    rate, square = course.rates[step], course.squares[step]
    return -rate * square + course.betas[step] * rate**2 / 2 * square


def _half(course: Course, step: int) -> Fraction:
    return -course.rates[step] / 2 * course.squares[step]


def descent_step(scene: Scene) -> Entries:
    """(86): its right side minus R(w(tau+1)) - R(w(tau))."""
    return each_step(
        scene, lambda c, step: (_right_side(c, step), c.risks[step + 1] - c.risks[step])
    )


def value_of_right_side(scene: Scene) -> Entries:
    """(87): the right side of (86) minus -eta/2 ||d||^2."""
    return each_step(scene, lambda c, step: (_right_side(c, step), _half(c, step)))


def bound_of_right_side(scene: Scene) -> Entries:
    """-eta/2 ||d||^2 minus the right side of (86), which is to be no larger."""
    return each_step(scene, lambda c, step: (_half(c, step), _right_side(c, step)))


# (88) to (90) -------------------------------------------------------------------------------------
def risk_above(scene: Scene) -> Entries:
    """(88), left: R(w(t+1)) - R(w(0)) minus -R(w(0))."""
    return each_step(scene, lambda c, step: (c.risks[step + 1] - c.risks[0], -c.risks[0]))


def summed_descent(scene: Scene) -> Entries:
    """(88), right: -1/2 sum eta ||d||^2 minus R(w(t+1)) - R(w(0))."""
    return each_step(
        scene, lambda c, step: (-c.weighed(step, 1) / 2, c.risks[step + 1] - c.risks[0])
    )


def squared_sizes(scene: Scene) -> Entries:
    """(89): -1/2 sum eta^2 ||d||^2 minus -1/2 sum eta ||d||^2."""
    return each_step(scene, lambda c, step: (-c.weighed(step, 2) / 2, -c.weighed(step, 1) / 2))


def slack_terms(scene: Scene) -> Entries:
    """(90): 1/2 sum eta^2 ||d||^2 minus |sum eta^2 d_e d_f|."""
    return each_pair_of_edges(scene, lambda c: c.weighed(len(c.rates), 2) / 2)


def slack_terms_by_risk(scene: Scene) -> Entries:
    """(88), (89) and (90) together: R(w(0)) minus |sum eta^2 d_e d_f|."""
    return each_pair_of_edges(scene, lambda c: c.risks[0])
