"""Claims about every directed acyclic graph: judged exactly, and listed on all small ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.papers.zlb22.digraphs import (
    ACYCLIC,
    DIGRAPH,
    LISTED,
    POOL,
    Labelled,
    Parents,
    steps_on_small_graphs,
)
from verify.papers.zlb22.sources import printed
from verify.vocabulary import Entries

GIVEN = (DIGRAPH, ACYCLIC)


NAMES = (
    "up to the names of its vertices an acyclic graph has edges from smaller to larger numbers",
    "graphs with more vertices are not looked at",
)


def graph_claim(
    name: str,
    kind: Kind,
    where: str,
    title: str,
    statement: str,
    *,
    measure: Callable[[object], Entries],
    entries: Callable[[Parents], Labelled],
    small: str,
    more: Sequence[Hypothesis] = (),
    depends: Sequence[str] = (),
) -> Claim:
    """A claim about graphs. entries: those of the measure on one graph that meets the hypotheses.
    small: what they show on every small graph. more: hypotheses beside GIVEN."""
    hypotheses = (*GIVEN, *more)
    return Claim(
        name,
        kind,
        printed(where),
        title,
        statement,
        hypotheses,
        tuple(depends),
        measure=measure,
        pool=POOL,
        exact_only=True,
        proof=partial(
            listed,
            f"on every small graph {small}",
            entries,
            measure.__name__,
            tuple(hypothesis.name for hypothesis in hypotheses),
            slack=kind is Kind.INEQUALITY,
        ),
    )


def listed(
    summary: str,
    entries: Callable[[Parents], Labelled],
    measure: str,
    used: tuple[str, ...],
    *,
    slack: bool,
) -> Argument:
    """Every small graph: its entries are 0, or with slack at least 0."""
    steps = steps_on_small_graphs(entries, slack=slack)
    return Argument(summary, steps, NAMES, measure, used, LISTED, section=38)
