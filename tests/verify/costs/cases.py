"""Cases about functions on hulls of points, and what claims say of them, as floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphs.algebraic import exact_value
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.kinds.deep.networks import number, tensor_of
from verify.search.certificates import answer
from verify.search.judging import view

SAME = {"F": ("q", "n"), "d": ("q",), "G": ("q", "n"), "c": ("q",)}
FREE = {"F": ("q", "m"), "d": ("q",), "G": ("m", "n"), "c": ("m",)}


def arrays(axes: dict[str, Sequence[str]], integers: Sequence[str] = (), **entries: Any) -> Any:
    """A case from nested numbers; those without axes are numbers."""
    return Tensors(
        {
            name: tensor_of(tuple(axes[name]), value)
            if name in axes
            else number(value, integer=name in integers)
            for name, value in entries.items()
        }
    )


def on_hull(points: Any, f: Any, g: Any = None, axes: Any = None, slope: Any = 0, **depths: int):
    """f = (F, d) and g = (G, c) on the hull of points."""
    own = {"F": f[0], "d": f[1]} | ({"G": g[0], "c": g[1]} if g else {})
    all_axes = {"X": ("N", "n"), **(axes or SAME)}
    return arrays(all_axes, tuple(depths), X=points, a=slope, **own, **depths)


def seen(claim: Claim, case: Any) -> list[tuple[dict[str, Any], float, bool]]:
    """Label, value and whether the hypotheses are met, of each entry."""
    found = view(claim, [case], RATIONALS)
    entries = found.entries
    return [
        (entries.label(k), middle(entries.values[k]), bool(found.admitted[k]))
        for k in range(len(entries.values))
    ]


def middle(value: Any) -> float:
    """A number, or the middle of its enclosure."""
    exact = exact_value(value)
    return float((exact.low + exact.high) / 2) if hasattr(exact, "low") else float(exact)


def values(claim: Claim, case: Any) -> list[float]:
    """Of all entries that meet the hypotheses."""
    return [value for _, value, admitted in seen(claim, case) if admitted]


def refutes(evidence: Evidence | None) -> bool:
    """Whether a counterexample was found that the checker accepts."""
    assert evidence is not None
    found = evidence.outcome is Outcome.REFUTES
    return found and answer(evidence.certificate)["exit"] == 0


def stands(evidence: Evidence | None, least: int = 8) -> bool:
    """Whether enough cases met the hypotheses and none spoke against the claim."""
    assert evidence is not None
    return evidence.outcome is Outcome.SUPPORTS and evidence.figures["met all hypotheses"] >= least


def needed(evidence: Evidence | None) -> set[str]:
    """The names of the hypotheses with a case that the checker accepts."""
    assert evidence is not None
    return {n.hypothesis for n in evidence.needs if n.needed and answer(n.certificate)["exit"] == 0}
