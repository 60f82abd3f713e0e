"""The search on thirty false claims and thirty true ones, written as a new user writes them.

The files of benchmarks/planted use the public names alone. Each claim goes through the methods in
the order of a run until one of them calls it false. Printed: the share that is found, by the
difficulty that was given before anything was run; the processor time until it is found, the method,
the size of the witness after shrinking, and whether the checker accepts the certificate; what is
not found; and false alarms on the true claims.

Run: python -m benchmarks.planted_lemmas [--quick] [--seed N] [--only TEXT]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from lemmata import load
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.runs.tasks import method_named, tasks_for
from verify.search.certificates import case_of

FILES = Path(__file__).parent / "planted"
FALSE, TRUE = (
    ("false_arrays", "false_networks"),
    ("true_arrays", "true_networks"),
)
LEVEL = "difficulty "


@dataclass(frozen=True)
class Answer:
    """What the methods said of a claim. method: which one called it false; "" where none did. size:
    how many numbers the shrunk witness is made of, told: it in words. accepted: whether the checker
    accepts the certificate. seconds: of the processor, until then, or all together. broken: methods
    that broke on the way, or found a violation that was not certified."""

    claim: Claim
    method: str
    seconds: float
    size: int = 0
    told: str = ""
    accepted: bool = False
    broken: tuple[str, ...] = ()


def claims(files: Sequence[str]) -> list[Claim]:
    """Those of some files, by id; they stand in the registry afterwards."""
    found = [claim for name in files for claim in load(FILES / f"{name}.py")]
    return sorted(found, key=lambda claim: claim.id)


def difficulty(claim: Claim) -> int:
    """As its file tells."""
    return int(claim.source.reference.removeprefix(LEVEL))


def look(claim: Claim, context: Context) -> Answer:
    """Run the methods that apply to a claim until one calls it false."""
    spent = 0.0
    broken: list[str] = []
    for task in tasks_for(claim, context.budget.name, context.seed, context.device):
        answer = ask(claim, task.method, context)
        spent += answer.seconds
        broken += answer.broken
        if answer.method:
            return replace(answer, seconds=spent, broken=tuple(broken))
    return Answer(claim, "", spent, broken=tuple(broken))


def ask(claim: Claim, method: str, context: Context) -> Answer:
    """Run one method on a claim."""
    start = time.process_time()
    try:
        piece: Evidence | None = method_named(method)(claim, context)
    except Exception as error:  # noqa: BLE001 - a method that breaks is told, not hidden
        piece = Evidence(method, Outcome.ERROR, f"{type(error).__name__}: {error}")
    seconds = time.process_time() - start
    if piece is not None and piece.outcome is Outcome.REFUTES:
        certificate = piece.certificate
        assert certificate is not None, f"{method} refutes {claim.id} with no case"
        case = case_of(claim, certificate["case"])
        accepted = check(certificate).code == 0
        return Answer(claim, method, seconds, len(case.numbers), case.described(), accepted)
    bad = piece is not None and piece.outcome in (Outcome.ERROR, Outcome.VIOLATES)
    return Answer(claim, "", seconds, broken=(f"{method}: {piece.summary}",) if bad else ())


def told(answer: Answer, lead: str) -> str:
    """A line about a claim, and one for each method that broke."""
    line = f"{lead:9} {answer.claim.id:12} {answer.seconds:6.2f} s  "
    if answer.method:
        certificate = "accepted" if answer.accepted else "CERTIFICATE NOT ACCEPTED"
        line += f"{answer.method:12} {certificate}  {answer.told}"
    else:
        line += "not found"
    return "\n".join([line, *(f"    broken: {text}" for text in answer.broken)])


def summary(answers: Sequence[Answer]) -> Iterator[str]:
    """The share found and the median time, by difficulty, and what found them."""
    for level in sorted({difficulty(answer.claim) for answer in answers}):
        here = [answer for answer in answers if difficulty(answer.claim) == level]
        found = [answer for answer in here if answer.method]
        times = f"median {median(a.seconds for a in found):.2f} s" if found else ""
        sizes = f"{median(a.size for a in found):g} numbers" if found else ""
        yield f"difficulty {level}: {len(found)} of {len(here)} found  {times}  {sizes}"
    by = Counter(answer.method for answer in answers if answer.method)
    yield "found by: " + ", ".join(f"{name} {count}" for name, count in by.most_common())
    accepted = sum(answer.accepted for answer in answers)
    yield f"found: {sum(by.values())} of {len(answers)}, certificates accepted: {accepted}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smallest budget")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="claims whose id contains this")
    chosen = parser.parse_args(arguments)
    context = Context(budget_named("smoke" if chosen.quick else "ci"), chosen.seed)
    false, true = (
        [claim for claim in claims(files) if chosen.only in claim.id] for files in (FALSE, TRUE)
    )
    answers: list[Answer] = []
    alarms = 0
    for claim in false:
        answers.append(look(claim, context))
        print(told(answers[-1], f"false, {difficulty(claim)}"), flush=True)
    for claim in true:
        answer = look(claim, context)
        alarms += bool(answer.method)
        if answer.method or answer.broken:
            print(told(answer, "TRUE"), flush=True)
    print(*summary(answers), sep="\n")
    print(f"false alarms: {alarms} of {len(true)} true claims")
    return int(alarms > 0)


if __name__ == "__main__":
    sys.exit(main())
