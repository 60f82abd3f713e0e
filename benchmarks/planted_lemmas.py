"""The search on thirty false lemmas and thirty true ones, made for it (benchmarks/planted).

Each lemma goes through the methods in the order of a run, as any claim does, until one of them
finds a case that shows it false. The checker does not know these lemmas: in its place every case is
read back from its certificate and judged exactly, all hypotheses included. Printed: the share that
is found, by the difficulty that was given before anything was run, the time until it is found, the
method, and the size of the witness after shrinking; what is not found; and false alarms on the true
lemmas.

Run: python -m benchmarks.planted_lemmas [--quick] [--seed N] [--each] [--only TEXT]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from benchmarks.planted.all import FALSE, TRUE
from verify import admission
from verify.case import case_from_json
from verify.claim import Claim
from verify.evidence import Evidence, Outcome
from verify.instance import Instance
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.runs.budgets import budget_named
from verify.runs.tasks import METHODS, method_named, tasks_for
from verify.tensors import tensors_from_json


@dataclass(frozen=True)
class Answer:
    """What the methods said of a lemma. method: which one found it; "" where none did. case: the
    shrunk witness. seconds: until then, or all together. broken: methods that broke on the way."""

    claim: Claim
    method: str
    seconds: float
    case: Instance | None = None
    broken: tuple[str, ...] = ()


def case_of(data: Mapping[str, Any]) -> Instance:
    """The case of a certificate."""
    return tensors_from_json(data) if "arrays" in data else case_from_json(data)


@contextmanager
def exact_replay(claims: Sequence[Claim]) -> Iterator[None]:
    """Let an exact replay of the certificate stand for the checker."""
    by_id = {claim.id: claim for claim in claims}

    def answer(certificate: Mapping[str, Any]) -> dict[str, Any]:
        claim = by_id[certificate["claim"]]
        violations = judge_exactly(claim, case_of(certificate["case"])).violations
        same = [v for v in violations if v.entry == certificate["entry"]]
        return {"exit": 0 if same else 1, "message": "replayed exactly"}

    usual: Callable[[Any], dict[str, Any]] = admission.answer
    admission.answer = answer
    try:
        yield
    finally:
        admission.answer = usual


def look(claim: Claim, context: Context) -> Answer:
    """Run the methods that apply to a lemma until one finds it false."""
    spent = 0.0
    broken: list[str] = []
    for task in tasks_for(claim, context.budget.name, context.seed, context.device):
        answer = ask(claim, task.method, context)
        spent += answer.seconds
        broken += answer.broken
        if answer.case is not None:
            return replace(answer, seconds=spent, broken=tuple(broken))
    return Answer(claim, "", spent, broken=tuple(broken))


def ask(claim: Claim, method: str, context: Context) -> Answer:
    """Run one method on a lemma."""
    start = time.perf_counter()
    try:
        piece: Evidence | None = method_named(method)(claim, context)
    except Exception as error:  # noqa: BLE001 - a method that breaks is told, not hidden
        piece = Evidence(method, Outcome.ERROR, f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    if piece is not None and piece.outcome is Outcome.REFUTES:
        assert piece.certificate is not None, f"{method} refutes {claim.id} with no case"
        return Answer(claim, method, seconds, case_of(piece.certificate["case"]))
    bad = piece is not None and piece.outcome in (Outcome.ERROR, Outcome.VIOLATES)
    return Answer(claim, method, seconds, broken=(f"{method}: {piece.summary}",) if bad else ())


def alone(lemmas: Sequence[Claim], context: Context) -> Iterator[str]:
    """For each method how many lemmas it finds by itself, of how many, and which it misses."""
    for method in METHODS:
        asked = [
            claim
            for claim in lemmas
            if any(task.method == method for task in tasks_for(claim, "ci", 0, "cpu"))
        ]
        answers = [ask(claim, method, context) for claim in asked]
        missed = [answer.claim.id.split(".")[-1] for answer in answers if answer.case is None]
        found = len(answers) - len(missed)
        if found:
            seconds = sum(answer.seconds for answer in answers)
            line = f"{method:12} {found:2} of {len(answers):2} by itself, {seconds:6.1f} s in all"
            yield f"{line}; not: {', '.join(missed)}" if missed else line


def told(answer: Answer, lead: str) -> str:
    """A line about a lemma, and one for each method that broke."""
    name = answer.claim.id.split(".", 2)[-1]
    line = f"{lead:9} {name:27} {answer.seconds:6.2f} s  "
    if answer.case is None:
        line += "not found"
    else:
        line += f"{answer.method:10} {answer.case.described()}"
    return "\n".join([line, *(f"    broken: {text}" for text in answer.broken)])


def summary(answers: Sequence[tuple[int, Answer]]) -> Iterator[str]:
    """The share found and the median time, by difficulty, and what found them."""
    for level in sorted({level for level, _ in answers}):
        here = [answer for k, answer in answers if k == level]
        found = [answer for answer in here if answer.case is not None]
        times = f"median {median(a.seconds for a in found):.2f} s" if found else ""
        sizes = f"{median(_numbers(a.case) for a in found):g} numbers" if found else ""
        yield f"difficulty {level}: {len(found)} of {len(here)} found  {times}  {sizes}"
    by = Counter(answer.method for _, answer in answers if answer.case is not None)
    yield "found by: " + ", ".join(f"{name} {count}" for name, count in by.most_common())
    yield f"found: {sum(by.values())} of {len(answers)}"


def _numbers(case: Any) -> int:
    """How many numbers a witness is made of: weights and inputs, or the entries of arrays."""
    if hasattr(case, "arrays"):
        return sum(len(array.entries) for array in case.arrays.values())
    return len(case.weights) + sum(map(len, case.inputs))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smallest budget")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", action="store_true", help="what each method finds by itself")
    parser.add_argument("--only", default="", help="lemmas whose name contains this")
    chosen = parser.parse_args(arguments)
    context = Context(budget_named("smoke" if chosen.quick else "ci"), chosen.seed)
    false = [planted for planted in FALSE if chosen.only in planted.claim.id]
    true = [claim for claim in TRUE if chosen.only in claim.id]
    with exact_replay([*(planted.claim for planted in FALSE), *TRUE]):
        if not chosen.only:
            look(TRUE[0], context)  # loads what the methods load
        if chosen.each:
            for line in alone([planted.claim for planted in false], context):
                print(line, flush=True)
            return 0
        answers = []
        for planted in false:
            answers.append((planted.difficulty, look(planted.claim, context)))
            print(told(answers[-1][1], f"false, {planted.difficulty}"), flush=True)
        alarms = 0
        for claim in true:
            answer = look(claim, context)
            alarms += answer.case is not None
            if answer.case is not None or answer.broken:
                print(told(answer, "TRUE"), flush=True)
    print(*summary(answers), sep="\n")
    print(f"false alarms: {alarms} of {len(true)} true lemmas")
    return int(alarms > 0)


if __name__ == "__main__":
    sys.exit(main())
