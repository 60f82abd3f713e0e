"""Budgets: how much each method may look at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """How much work a run does for each claim.

    trial_batches, batch_size: float trials, cases in batches. draws: random cases judged exactly.
    examples: cases of the guided search. hidden: hypotheses are met on small networks up to this
    many hidden vertices; expanded_hidden: the same for the expanded engine. named: whether named
    architectures with real data are tried. shrink_steps: how many changes a counterexample may be
    tried with. necessity_draws: cases a hypothesis. flow_batches, flow_batch_size: gradient flows
    to follow. enumerated: how many small cases, in units of a network that float64 serves. corners:
    cases at corners. constant_steps, constant_width: steps downhill for one constant, and cases a
    step. vacuity_draws, vacuity_steps: cases drawn for one that meets all hypotheses, and changes
    that it is tried with. mutants, mutant_draws: changed statements, and cases that they are put
    before: half as many first, and all where none of those was refuted.
    ascent_starts, ascent_steps, ascent_groups: cases that climb at once, the steps that they
    climb, and how many shapes of arrays or numbers of examples.
    laws: whether the table of conserved quantities is made. exhibits: whether kept counterexamples
    are replayed before any are looked for. generic: how many generic cases grade a claim that is
    false, where a run grades. longest: CPU seconds for one claim's constants, or its mutants: what
    is left out then is how sharp its checks are. leaves_out: methods that are not part of it.
    """

    name: str
    trial_batches: int
    batch_size: int
    draws: int
    examples: int
    hidden: int
    expanded_hidden: int
    named: bool
    shrink_steps: int = 4000
    necessity_draws: int = 16
    flow_batches: int = 2
    flow_batch_size: int = 20
    enumerated: int = 3000
    corners: int = 80
    constant_steps: int = 18
    constant_width: int = 64
    vacuity_draws: int = 20
    vacuity_steps: int = 16
    mutants: int = 24
    mutant_draws: int = 36
    ascent_starts: int = 16
    ascent_steps: int = 150
    ascent_groups: int = 4
    laws: bool = True
    exhibits: bool = True
    generic: int = 1000
    longest: float = 600.0
    leaves_out: tuple[str, ...] = ()

    @property
    def climbs(self) -> bool:
        """Whether methods that climb are part of it."""
        return not set(CLIMBS) <= set(self.leaves_out)


CLIMBS = ("ascent", "extremes")
"""Methods that climb towards a violation."""

MEASURES = ("experiment", "rates", "exponents", "sampling", "limits", "flow")
"""Methods that need long runs."""

ON_CHECKS = ("necessity", "vacuity", "constants", "mutation", "conflicts")
"""Methods that look at hypotheses, constants and checks, not at the claim."""

BUDGETS = {
    budget.name: budget
    for budget in (
        Budget(
            "smoke",
            1,
            16,
            12,
            30,
            1,
            1,
            named=False,
            necessity_draws=6,
            flow_batches=1,
            flow_batch_size=8,
            enumerated=600,
            corners=30,
            mutants=8,
            mutant_draws=12,
            constant_steps=9,
            constant_width=32,
            ascent_starts=8,
            ascent_steps=60,
            ascent_groups=2,
            laws=False,
            leaves_out=(*CLIMBS, *MEASURES, *ON_CHECKS),
        ),
        Budget(
            "ci",
            2,
            32,
            48,
            40,
            2,
            2,
            named=True,
            necessity_draws=10,
            enumerated=2200,
            corners=48,
            flow_batch_size=8,
            constant_steps=9,
            constant_width=32,
            mutants=14,
            mutant_draws=24,
            longest=1.5,
            ascent_starts=14,
            ascent_steps=110,
            ascent_groups=2,
        ),
        Budget(
            "full",
            200,
            256,
            4000,
            4000,
            3,
            2,
            named=True,
            shrink_steps=40000,
            necessity_draws=600,
            enumerated=10**6,
            corners=4000,
            constant_steps=300,
            constant_width=128,
            exhibits=False,
            generic=4000,
            mutants=10**6,
            mutant_draws=600,
            ascent_starts=128,
            ascent_steps=1000,
            ascent_groups=24,
        ),
    )
}


class UnknownBudgetError(ValueError):
    """No budget of that name."""


def budget_named(name: str) -> Budget:
    """The budget with this name. Raises UnknownBudgetError."""
    if name not in BUDGETS:
        raise UnknownBudgetError(f"unknown budget {name!r}: use one of {', '.join(BUDGETS)}")
    return BUDGETS[name]
