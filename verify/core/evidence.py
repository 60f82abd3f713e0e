"""Evidence: what one method found out about one claim, and over what scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from verify.core.plots import Plot, plot_from_json


class Outcome(Enum):
    """What evidence says of the claim."""

    REFUTES = "refutes"  # an admitted counterexample
    PROVES = "proves"  # the checker has replayed it all, to a goal made from the statement
    PROVES_ON_SCOPE = "proves on scope"  # the same, for what `scope` lists
    ARGUES = "argues"  # an argument on paper whose steps are computed
    ARGUES_ON_SCOPE = "argues on scope"  # the same, for what `scope` lists
    CONTRADICTS = "contradicts"  # measurements whose anytime-valid interval excludes the claim
    VIOLATES = "violates"  # an exact violation that the checker does not know how to judge
    SUPPORTS = "supports"  # no violation in what `scope` lists
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"  # the check broke


@dataclass(frozen=True)
class Need:
    """What is known of the need for one hypothesis of a claim.

    hypothesis: its name. needed: whether a case was found that meets all the others and violates
    the claim. text: what that case is, or how many were looked at. case: the case, as JSON, and
    the entry that it violates. certificate: where the checker has accepted it. measured: whether
    there are slopes along ladders of widths in place of cases (verify.kinds.statistics.contrasts).
    """

    hypothesis: str
    needed: bool
    text: str
    case: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    measured: bool = False


@dataclass(frozen=True)
class Mutant:
    """A changed statement, and whether the claim's own checks noticed.

    rule: what kind of change (see verify.language.edits). change: what
    was changed, in words. fate: "killed"; "survived"; or "not told apart" where no case was found
    on which it differs from the claim, or it is never less true; of a rewrite, which must pass,
    "passed" or "killed"; "stands" of one near a false statement that is not seen to fail. by: what
    killed it, or how it was seen to differ.
    """

    rule: str
    change: str
    fate: str
    by: str = ""


@dataclass(frozen=True)
class Bound:
    """How far one constant or exponent of an inequality can go.

    place: which one, in words. printed, best: its value as printed, and the best one that no case
    contradicts. tight: whether an exact case has slack 0. touches: how many cases had. case: the
    extremal case as JSON, where it is exact. proposal: the repaired statement, or "".
    """

    place: str
    printed: str
    best: str
    tight: bool
    touches: int = 0
    case: Mapping[str, Any] | None = None
    proposal: str = ""


@dataclass(frozen=True)
class JointCase:
    """Whether a set of hypotheses can be met together.

    hypotheses: their names. case: an exact case that meets them all, as JSON; None where there is
    none. text: what the case is, or why there is none.
    """

    hypotheses: tuple[str, ...]
    text: str
    case: Mapping[str, Any] | None = None


FINDINGS: dict[str, type[Any]] = {
    "needs": Need,
    "mutants": Mutant,
    "bounds": Bound,
    "joint_cases": JointCase,
}
"""What evidence may hold beside figures, by the name of its field."""


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence.

    method: one of verify.runs.tasks.METHODS. summary: one sentence. rests_on: what it uses without
    computing it. section: of docs/mathematics where that is argued, empty for none. cites: ids of
    claims that it uses. proof: its facts in words and formulas, where it is a proof.
    scope: lines that say what was covered. figures: named numbers or words (no NaN). instances:
    how many cases met all hypotheses and were decided. certificate: for REFUTES, and for arguments
    that the checker can replay. plots: curves to draw. needs: of the necessity run, one for each
    hypothesis. mutants, bounds, joint_cases: of the methods mutation, constants and vacuity.
    """

    method: str
    outcome: Outcome
    summary: str
    scope: tuple[str, ...] = ()
    figures: Mapping[str, int | float | str] = field(default_factory=dict)
    instances: int = 0
    seconds: float = 0.0
    seed: int = 0
    certificate: Mapping[str, Any] | None = None
    checker: Mapping[str, Any] | None = None
    plots: tuple[Plot, ...] = ()
    needs: tuple[Need, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    bounds: tuple[Bound, ...] = ()
    joint_cases: tuple[JointCase, ...] = ()
    rests_on: tuple[str, ...] = ()
    section: str = ""
    cites: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As a record; `evidence_from_json` reads it back."""
        data = {**vars(self), "outcome": self.outcome.value}
        for name in ("scope", "rests_on", "cites", "proof"):
            data[name] = list(getattr(self, name))
        data["figures"] = dict(self.figures)
        data["plots"] = [plot.to_json() for plot in self.plots]
        for name in FINDINGS:
            data[name] = [_lists(vars(finding)) for finding in getattr(self, name)]
        return data


def smallest(pieces: Iterable[Evidence]) -> Evidence | None:
    """The piece with the smallest certificate: one at a point of differentiability before one
    that selects an element at a kink, then the smallest network, the fewest examples, the plainest
    weights. None where there is no certificate."""
    return min(
        (piece for piece in pieces if piece.certificate is not None),
        key=_certificate_size,
        default=None,
    )


def rests_on_selection(certificate: Mapping[str, Any]) -> bool:
    """Whether a certificate's case selects a Clarke element at a kink."""
    return bool(certificate.get("case", {}).get("choice", {}).get("slopes_at_0"))


def _certificate_size(piece: Evidence) -> tuple[int, int, int, int]:
    certificate = piece.certificate or {}
    if certificate.get("kind") == "proof":  # of all cases
        return (False, 0, 0, 0)
    case = certificate.get("case")
    if case is not None and "network" not in case:
        numbers = [number for array in case["arrays"].values() for number in _flat(array)]
        return (False, len(numbers), 0, sum(map(_height, numbers)))
    network = certificate["network"] if case is None else case["network"]
    examples = 0 if case is None else len(case["examples"])
    weights = [Fraction(weight) for weight in network.get("weights", {}).values()]
    height = sum(map(_height, weights))
    size = len(network["vertices"]) + len(network["edges"])
    return (rests_on_selection(certificate), size, examples, height)


def _flat(array: Mapping[str, Any]) -> list[Fraction]:
    """The entries of an array of a certificate."""
    entries = [array["entries"]]
    for _ in array["axes"]:
        entries = [entry for row in entries for entry in row]
    return list(map(Fraction, entries))


def _height(number: Fraction) -> int:
    return abs(number.numerator) + number.denominator


def evidence_from_json(data: Mapping[str, Any]) -> Evidence:
    """The evidence that `to_json` wrote."""
    fields = {
        **data,
        "outcome": Outcome(data["outcome"]),
        **{name: tuple(data[name]) for name in ("scope", "rests_on", "cites", "proof")},
        "plots": tuple(map(plot_from_json, data.get("plots", ()))),
    }
    for name, kind in FINDINGS.items():
        fields[name] = tuple(kind(**_tuples(finding)) for finding in data.get(name, ()))
    return Evidence(**fields)


def _lists(finding: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a finding, with the lists of JSON for tuples."""
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in finding.items()
    }


def _tuples(finding: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a finding, with tuples for the lists of JSON."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in finding.items()
    }
