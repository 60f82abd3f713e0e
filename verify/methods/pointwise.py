"""Random small cases, judged exactly over the rationals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from random import Random
from typing import Any

from graphs.algebraic import Enclosure
from verify.cases.degeneracy import OF_SIZE, corners, off_corners
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.losses import PRESCRIBED
from verify.methods.context import REDRAWS, Context, Inquiry
from verify.search.admission import Admitted, Refused, admit
from verify.search.drawing import draw
from verify.search.judging import BATCH, Judgement, judge_all

LONG = 40  # characters of a number that a sentence still carries


def pointwise(claim: Claim, context: Context) -> Evidence | None:
    """Judge random cases exactly; the first violation goes through the admission gate."""
    if not claim.judged or claim.kind is Kind.EXISTENCE:
        return None
    assert claim.pool is not None
    inquiry = Inquiry("pointwise", context)
    random = context.random(claim, "pointwise")
    entries = drawn = touches = 0
    words: list[list[str]] = []  # of each case that met the hypotheses, what is of size one
    slack = inf
    families: Counter[str] = Counter()
    refused: Refused | None = None
    for case, judgement, count in _looked_at(claim, random, context.budget.draws):
        drawn += count
        if judgement.admitted:
            words.append([word for word in corners(claim, case) if word in OF_SIZE])
        entries += judgement.admitted
        touches += judgement.touches
        slack = min(slack, judgement.slack)
        families[case.family] += bool(judgement.admitted)
        if judgement.violations:
            found = admit(claim, case, context.budget.shrink_steps)
            if isinstance(found, Admitted):
                return refutation(inquiry, claim, found, drawn)
            refused = found
            break
    inquiry.scope = (
        "random rational cases: "
        + ", ".join(f"{name} {count}" for name, count in sorted(families.items()) if count),
        *claim.pool.scope(),
    )
    met, (away, shared) = len(words), off_corners(words)
    inquiry.figures = {
        "drawn": drawn,
        "met all hypotheses": met,
        "entries": entries,
        "no size of one": away,
    }
    if shared and met > 1:
        inquiry.figures["in every case"] = "; ".join(shared)
    if claim.kind is Kind.INEQUALITY and entries:
        inquiry.figures["slack 0"] = touches
        if isfinite(slack):
            inquiry.figures["smallest relative slack"] = f"{slack:.1e}"
    inquiry.instances = met
    if refused is not None:
        why = f"a violation could not be certified: {refused.reason}"
        return inquiry.finds(refused.outcome, why)
    return inquiry.finds(
        Outcome.SUPPORTS, f"no violation in {met} cases ({entries} entries), exactly."
    )


def _looked_at(claim: Claim, random: Random, draws: int) -> Iterator[tuple[Any, Judgement, int]]:
    """So many cases, many judged at once, each drawn anew while it does not meet the hypotheses;
    with how often it was drawn."""
    assert claim.pool is not None
    counts = claim.pool.examples
    for group in (range(k, min(k + BATCH, draws)) for k in range(0, draws, BATCH)):
        cases: dict[int, Any] = {}
        found: dict[int, Judgement] = {}
        times: Counter[int] = Counter()
        for _ in range(REDRAWS):
            waiting = [k for k in group if k not in found or not found[k].admitted]
            for k in waiting:
                n, large = counts[k % len(counts)], k % 3 == 0
                cases[k] = draw(claim, random, n=n, loss=PRESCRIBED, large=large)
            times.update(waiting)
            judged = judge_all(claim, [cases[k] for k in waiting])
            found.update(zip(waiting, judged, strict=True))
        yield from ((cases[k], found[k], times[k]) for k in group)


def refutation(inquiry: Inquiry, claim: Claim, found: Admitted, drawn: int) -> Evidence:
    """The evidence of an admitted counterexample (or, for existence, of a witness)."""
    size = found.violation.case.described()
    exists, sides = claim.kind is Kind.EXISTENCE, found.certificate["value"]
    outcome = Outcome.PROVES if exists else Outcome.REFUTES
    what = "witness" if exists else "counterexample"
    text = f"an exact {what}: {size}{in_words(sides) if sides else ''}."
    inquiry.scope = (f"case {drawn} that the method drew",)
    inquiry.figures = {"drawn": drawn}
    inquiry.instances = 1
    return inquiry.finds(outcome, text, certificate=found.certificate, checker=found.checker)


def in_words(value: Mapping[str, Any]) -> str:
    """Both sides of a relation that is false, in words."""
    left, right = (
        _told(Enclosure(*map(Fraction, end)) if isinstance(end, list) else Fraction(end))
        for end in (value["left"], value["right"])
    )
    return f", where the left side is {left}, the right side {right}"


def _told(value: Fraction | Enclosure) -> str:
    """A value in words; of an enclosure, or of a long fraction, only so many digits as are worth
    reading.

    >>> _told(Fraction(-1, 3)), _told(Fraction(10**90))
    ('-1/3', 'about 1e+90')
    """
    if isinstance(value, Enclosure):
        within = value.low <= 0 <= value.high
        return "0" if within else f"about {float((value.low + value.high) / 2):.6g}"
    if len(str(value)) <= LONG:
        return str(value)
    return f"about {(Decimal(value.numerator) / Decimal(value.denominator)).normalize():.6g}"
