"""The one line that says what is known of a printed statement, from its claims. Computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from verify.core.grade import Grade
from verify.core.ledger import Role
from verify.core.verdict import FALSE, STANDS, Verdict


class Word(Enum):
    """What is known of a printed statement, the worst first."""

    ERROR = "error"
    FALSE = "false as printed"
    OFF_CORNERS = "true off corner cases"
    VACUOUS = "vacuous"
    OPEN = "open"
    NOTHING_AGAINST = "nothing against it"
    TRUE = "true"
    DEFINITION = "definition"


TELLING = 30  # generic cases from which on a share is worth a headline
UNDECIDED = (Verdict.OPEN, Verdict.UNTESTED, Verdict.NOT_RUN)
IN_PART = (Verdict.SUPPORTED, Verdict.ARGUED_ON_SCOPE, Verdict.PROVED_ON_SCOPE)


@dataclass(frozen=True)
class Known:
    """What a run knows of one claim, as far as headlines are concerned. only: the part of what the
    statement speaks of that its hypotheses leave, where that is not the whole."""

    id: str
    role: Role
    verdict: Verdict
    repairs: str | None = None
    grade: Grade | None = None
    from_baseline: bool = False
    only: str = ""


@dataclass(frozen=True)
class Headline:
    """The word, half a line beside it, the repairs that stand (strongest first), and whether a
    verdict that it rests on was taken from the baseline."""

    word: Word
    detail: str
    mended: tuple[str, ...]
    from_baseline: bool

    def to_json(self) -> dict[str, Any]:
        """As a record."""
        return {**asdict(self), "word": self.word.value, "mended": list(self.mended)}


def headline(claims: Sequence[Known]) -> Headline:
    """The headline of a printed statement by what is known of its claims; the parts of the main
    reading decide. Other readings, variants and repairs never do."""
    parts = [claim for claim in claims if claim.role is Role.MAIN]
    word = _word(parts)
    fallen = {part.id for part in parts if part.verdict in (*FALSE, Verdict.VACUOUS)}
    mended = [claim for claim in claims if claim.repairs in fallen and claim.verdict in STANDS]
    order = list(Verdict)
    mended.sort(key=lambda claim: -order.index(claim.verdict))
    left = dict.fromkeys(part.only for part in parts if part.only)
    return Headline(
        word,
        "; ".join((_detail(word, parts), *left)),
        tuple(claim.id for claim in mended),
        any(part.from_baseline for part in parts),
    )


def _word(parts: Sequence[Known]) -> Word:
    verdicts = {part.verdict for part in parts}
    false = [part for part in parts if part.verdict in FALSE]
    if Verdict.ERROR in verdicts:
        return Word.ERROR
    if false:
        corners = all(map(_at_corners, false))
        settled = not verdicts & {*UNDECIDED, Verdict.VACUOUS}
        return Word.OFF_CORNERS if corners and settled else Word.FALSE
    if not parts:
        return Word.OPEN
    if Verdict.VACUOUS in verdicts:
        return Word.VACUOUS
    if verdicts & set(UNDECIDED):
        return Word.OPEN
    if verdicts & set(IN_PART):
        return Word.NOTHING_AGAINST
    return Word.DEFINITION if verdicts == {Verdict.DEFINITION} else Word.TRUE


def _at_corners(part: Known) -> bool:
    """Whether a false part fails at corners alone. Cases of a consequence of the statement do not
    tell that."""
    graded = part.grade is not None and part.grade.corner_only
    return graded and part.verdict is Verdict.REFUTED


def _detail(word: Word, parts: Sequence[Known]) -> str:
    """Half a line on what the word rests on."""
    judged = [part for part in parts if part.verdict is not Verdict.DEFINITION]
    if word in (Word.FALSE, Word.OFF_CORNERS):
        return _failures(judged, none_is_told=word is Word.OFF_CORNERS)
    if not parts:
        return "not looked at in this run"
    if word is Word.DEFINITION or not judged:
        return "nothing to judge"
    counted = {
        verdict: sum(part.verdict is verdict for part in judged)
        for verdict in Verdict
        if any(part.verdict is verdict for part in judged)
    }
    names = {
        Verdict.VACUOUS: "no case meets the hypotheses",
        Verdict.SUPPORTED: "checked on cases",
        Verdict.UNTESTED: "its check could not have failed",
        Verdict.NOT_RUN: "not looked at within this budget",
        Verdict.OPEN: "looked at, undecided",
        Verdict.ARGUED_ON_SCOPE: "argued for listed families",
        Verdict.PROVED_ON_SCOPE: "proved for listed families",
    }
    if len(counted) == 1:
        (verdict,) = counted
        return names.get(verdict, verdict.value)
    return "; ".join(
        f"{number} of {len(judged)} parts: {names.get(verdict, verdict.value)}"
        for verdict, number in counted.items()
    )


def _failures(judged: Sequence[Known], *, none_is_told: bool) -> str:
    """How many parts fail, how, and how often. none_is_told: whether that none of the generic cases
    fails is: it is what makes a statement true off corner cases, and puzzles beside a false one."""
    false = [part for part in judged if part.verdict in FALSE]
    words = []
    if len(judged) > 1:
        words.append(f"{len(false)} of {len(judged)} parts fail")
    ways = {part.verdict for part in false} - {Verdict.REFUTED}
    words += sorted(way.value for way in ways)
    graded = [
        part.grade
        for part in false
        if part.grade is not None
        and part.grade.cases >= TELLING
        and part.verdict is Verdict.REFUTED  # others fail by what follows from them
    ]
    if graded:
        worst = max(graded, key=lambda grade: (grade.failed / grade.cases, grade.cases))
        if worst.failed or none_is_told:
            words.append(f"fails in {worst.failed:,} of {worst.cases:,} generic cases")
    return "; ".join(words) or "an exact counterexample"
