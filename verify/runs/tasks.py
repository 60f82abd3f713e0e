"""Tasks: one method on one claim, with a key that depends on everything that matters."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from graphs.errors import PrecisionError
from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.code_hashes import digest_of, module_file, versions
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.runs.fingerprint import claim_fingerprint, files_of
from verify.search.exhibits import exhibits
from verify.statements.network_hypotheses import speaks_of_kinks

STAGES = (
    ("exhibit", "schema"),
    ("expanded", "pointwise", "rays"),
    ("corners", "enumeration", "search", "extremes", "ascent"),
    ("trials", "clarke", "flow", "limits", "necessity"),
    ("experiment", "rates", "exponents", "sampling"),
    ("vacuity", "constants", "mutation"),
)
"""The methods, the decisive and the cheap ones first."""

RAISED = "raised"  # the figure of a check that ended in an exception

AFTERWARDS = ("generic", "nearest")  # of claims that are refuted, when all stages are done

METHODS = tuple(method for stage in STAGES for method in stage)

CONFLICTS = "conflicts"  # of a paper as a whole, beside the stages of its claims


@dataclass(frozen=True)
class Task:
    """One method on one claim under a budget, a root seed and a device. Plain data. Of the method
    CONFLICTS `claim` is the name of a paper. file: of claims of one's own, where they stand."""

    claim: str
    method: str
    budget: str
    seed: int
    device: str
    file: str = ""

    def key(self, claim: Claim) -> str:
        """SHA-256 of the task, the claim, the versions, and the code of the method and of the claim
        with all that these import."""
        return keys_of(claim, [self])[self]


Finished = tuple[Task, Evidence | None]
More = Callable[[Task, Evidence | None], Sequence[Task]]
"""What to run beside, now that a task has given this."""


def keys_of(claim: Claim, tasks: Sequence[Task]) -> dict[Task, str]:
    """The keys of tasks on one claim, see Task.key; what they share is worked out once."""
    code, files, installed = claim_fingerprint(claim), files_of(claim), versions()
    found = {}
    for task in tasks:
        parts = {
            "task": {name: part for name, part in asdict(task).items() if name != "file"},
            "budget": repr(budget_named(task.budget)),
            "claim": code,
            "exhibit": _kept_exhibit(claim) if task.method == "exhibit" else "",
            "code": digest_of(files | {module_file(f"verify.methods.{task.method}")}),
            "versions": installed,
        }
        found[task] = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    return found


def _kept_exhibit(claim: Claim) -> str:
    """What is kept of a claim."""
    return repr(exhibits(claim.source.paper).get(claim.id))


def claims_of(paper: str) -> list[Claim]:
    """The claims of a paper, in the order of the registry."""
    from verify.papers.registry import all_claims

    return [claim for claim in all_claims() if claim.source.paper == paper]


def conflicts_key(task: Task) -> str:
    """The key of a look at the hypotheses of a paper, pair by pair."""
    own = digest_of(frozenset({module_file("verify.search.conflicts")}))
    code = [own, str(sorted(versions().items()))]
    parts = [CONFLICTS, task.budget, str(task.seed), *code]
    parts += [
        f"{claim.id} {claim_fingerprint(claim)} {digest_of(files_of(claim))}"
        for claim in claims_of(task.claim)
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def conflicts_of(claims: Sequence[Claim], budget: str, seed: int) -> Evidence:
    """Evidence on the hypotheses of these claims: the pairs that were not met together."""
    from verify.search.conflicts import conflicts

    start = time.perf_counter()
    found = conflicts(claims, seed, max(4, budget_named(budget).vacuity_draws // 3))
    summary = f"{len(found)} pairs of hypotheses were met, but not together."
    seconds = time.perf_counter() - start
    return Evidence(
        CONFLICTS, Outcome.SUPPORTS, summary, seconds=seconds, seed=seed, joint_cases=found
    )


def tasks_for(claim: Claim, budget: str, seed: int, device: str) -> list[Task]:
    """The tasks of a claim: every method that applies to it."""
    from verify.methods.expanded import can_be_expanded

    by_cases = claim.judged and claim.kind.value != "limit"
    applies = {
        "exhibit": claim.judged and budget_named(budget).exhibits,
        "schema": claim.proof is not None or claim.derivation is not None,
        "expanded": can_be_expanded(claim),
        "pointwise": by_cases and claim.kind.value != "existence",
        "corners": claim.judged,
        "enumeration": claim.judged,
        "search": by_cases,
        "extremes": claim.kind.value == "inequality" and not claim.exact_only,
        "ascent": claim.kind.value in ("inequality", "identity", "law") and not claim.exact_only,
        "clarke": speaks_of_kinks(claim),
        "flow": claim.judged and claim.kind.value == "law",
        "rays": claim.kind.value == "limit",
        "limits": claim.observable is not None,
        "necessity": by_cases and claim.kind.value != "existence",
        "experiment": claim.experiment is not None,
        "rates": claim.rate is not None,
        "exponents": claim.exponents is not None,
        "sampling": claim.sampled is not None,
        "constants": claim.judged and claim.kind.value == "inequality",
        "vacuity": claim.judged and claim.pool is not None,
        "mutation": claim.judged and claim.pool is not None,
        "trials": by_cases and not claim.exact_only and claim.kind.value != "existence",
    }
    left_out = budget_named(budget).leaves_out
    return [
        Task(claim.id, method, budget, seed, device, claim.source.file)
        for method in METHODS
        if applies[method] and method not in left_out
    ]


def not_run(claim: Claim, budget: str) -> tuple[str, ...]:
    """Methods that speak of a claim and are not part of a budget."""
    left_out = budget_named(budget).leaves_out
    measures = {
        "experiment": claim.experiment,
        "rates": claim.rate,
        "exponents": claim.exponents,
        "sampling": claim.sampled,
        "limits": claim.observable,
    }
    return tuple(name for name, part in measures.items() if part is not None and name in left_out)


def perform(task: Task, kept: Path | None = None) -> Evidence | None:
    """Run one task. A check that breaks is evidence too: outcome `error`, with where it broke.
    kept: the folder where long experiments keep what they have so far."""
    from verify.runs.selection import lookup

    context = Context(budget_named(task.budget), task.seed, task.device, kept)
    start = time.perf_counter()
    try:
        if task.file:
            at_hand(task.file)
        if task.method == CONFLICTS:
            return conflicts_of(claims_of(task.claim), task.budget, task.seed)
        return method_named(task.method)(lookup(task.claim), context)
    except PrecisionError as error:  # python-flint is missing, which is no fault of the check
        return Evidence(
            task.method,
            Outcome.INCONCLUSIVE,
            str(error),
            seconds=time.perf_counter() - start,
            seed=task.seed,
        )
    except Exception as error:  # noqa: BLE001 - any failure of a check is recorded as its outcome
        place = traceback.extract_tb(error.__traceback__)[-1]
        return Evidence(
            task.method,
            Outcome.ERROR,
            f"{type(error).__name__}: {error} ({place.filename.rsplit('/', 1)[-1]}:{place.lineno})",
            figures={RAISED: type(error).__name__},
            seconds=time.perf_counter() - start,
            seed=task.seed,
        )


def at_hand(file: str) -> None:
    """Have the claims of a file in this process."""
    from verify.papers import registry

    if not registry.added(file):
        from verify.runs.own_claims import load

        load(file)


def method_named(name: str) -> Callable[[Claim, Context], Evidence | None]:
    """The function of a method; loads only what that method needs."""
    from importlib import import_module

    function: Callable[[Claim, Context], Evidence | None] = getattr(
        import_module(f"..methods.{name}", __package__), name
    )
    return function
