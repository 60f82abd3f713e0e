"""The baseline: what is known and committed, and what differs from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.code_hashes import ROOT
from verify.core.grade import grade_from_json
from verify.core.headline import Word
from verify.core.power import power_from_json
from verify.core.verdict import FALSE, STANDS, Verdict
from verify.papers.registry import hashes
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.written import written_whole

FORMAT = "lemmata-baseline"
VERSION = 2
USUAL = Path("claims.lock.json")
SHIPPED = ROOT / USUAL  # that of Lemmata itself
HASHES = "statements.lock.json"
OF_CLAIMS = ("verdict", "scope", "worst", "code", "reason", "grade", "power")
"""What is kept of a claim, by the names of its record."""
OF_STATEMENTS = ("headline", "detail")
NOTHING: Mapping[str, Any] = {"statements": {}, "claims": {}}
READERS: Mapping[str, Callable[[Any], object]] = {
    "verdict": Verdict,
    "grade": grade_from_json,
    "power": power_from_json,
    "headline": Word,
}
"""What reads a part of a row, and raises for what is not of its kind."""
SAYS_FALSE = {word.value for word in (*FALSE, Word.FALSE, Word.OFF_CORNERS)}
SAYS_STANDS = {word.value for word in (*STANDS, Word.TRUE, Word.NOTHING_AGAINST)}

Changes = dict[str, list[dict[str, Any]]]


class BaselineError(ValueError):
    """A baseline file cannot be read."""


class VoidRunError(ValueError):
    """A run that is void gives no baseline."""


def lock(record: Mapping[str, Any], kept: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """The baseline that a run's record gives. kept: of one of the same budget what the run did not
    look at."""
    statements = {
        row["id"]: {"headline": row["headline"]["word"], "detail": row["headline"]["detail"]}
        for row in record["statements"]
    }
    claims = {claim["id"]: {name: claim[name] for name in OF_CLAIMS} for claim in record["claims"]}
    return {
        "format": FORMAT,
        "version": VERSION,
        "budget": record["run"]["budget"],
        "statements": kept["statements"] | statements,
        "claims": kept["claims"] | claims,
    }


def outdated(claims: Sequence[Claim], baseline: Mapping[str, Any]) -> list[Claim]:
    """The claims of which a baseline knows no or another code, and all others of the same printed
    statements; those, too, of which it knows a claim that is gone."""
    known = {name: row["code"] for name, row in baseline["claims"].items()}
    gone = known.keys() - {claim.id for claim in claims}
    touched = {c.ledger_id for c in claims if known.get(c.id) != claim_fingerprint(c)}
    touched |= {
        c.ledger_id
        for c in claims
        if any(f"{name}.".startswith((f"{c.ledger_id}.", f"{c.ledger_id}@")) for name in gone)
    }
    return [claim for claim in claims if claim.ledger_id in touched]


def still_there(baseline: Mapping[str, Any], claims: Sequence[Claim]) -> dict[str, Any]:
    """What a baseline says of claims that there are, and of their printed statements."""
    there = {"claims": {c.id for c in claims}, "statements": {c.ledger_id for c in claims}}
    return {
        part: {name: row for name, row in baseline[part].items() if name in names}
        for part, names in there.items()
    }


def write(
    record: Mapping[str, Any],
    path: Path,
    updates: Sequence[Mapping[str, Any]] = (),
    kept: Mapping[str, Any] = NOTHING,
) -> None:
    """Write the baseline of a record. updates: when and why one was replaced, the earliest first.
    kept: see `lock`. Raises VoidRunError for a void run."""
    if record["run"]["void"]:
        reasons = "; ".join(record["run"]["void_reasons"])
        raise VoidRunError(f"the run is void ({reasons}): no baseline written to {path}")
    data = lock(record, kept) | ({"updates": list(updates)} if updates else {})
    text = json.dumps(data, indent=1, sort_keys=True, allow_nan=False, ensure_ascii=False)
    written_whole(path, text + "\n")


def write_hashes(path: Path) -> None:
    """Write the hashes of the built-in statements, by which the checker knows them."""
    text = json.dumps(hashes(), indent=1, sort_keys=True)
    written_whole(path, text + "\n")


def read(path: Path) -> dict[str, Any]:
    """The baseline in a file. Raises BaselineError, saying what to do."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BaselineError(
            f"no baseline at {path}: write one with `lemmata baseline {path}`"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BaselineError(
            f"baseline {path} is not JSON ({error}): restore it from version control"
        ) from error
    told = (data.get("format"), data.get("version")) if isinstance(data, dict) else ()
    if told != (FORMAT, VERSION):
        which = f"{path} is not a baseline of version {VERSION}"
        raise BaselineError(f"{which}: write it with `lemmata baseline {path}`")
    for fault in _faults(data):
        raise BaselineError(f"baseline {path}, {fault}: restore it from version control")
    return data


def known(path: Path | None) -> dict[str, Any] | None:
    """What is known before a run: the baseline in this file; without one that in the working
    directory, and of papers of which it knows nothing that of Lemmata itself. None if it is not of
    this version.

    Raises BaselineError for a file that was named and cannot be read.
    """
    if path is not None:
        return read(path)
    try:
        here = read(USUAL) if USUAL.exists() else None
    except BaselineError:
        return None
    try:
        brought = read(SHIPPED)
    except BaselineError:
        return here
    return brought if here is None else _filled(here, brought)


def _filled(here: Mapping[str, Any], brought: Mapping[str, Any]) -> dict[str, Any]:
    """A baseline, with what another one knows of other papers."""
    words = {name.partition(".")[0] for name in here["claims"]}
    others = {name.partition(".")[0] for name in brought["claims"]} - words
    besides = of_papers(brought, others)
    return {**here, **{part: besides[part] | here[part] for part in ("statements", "claims")}}


def _faults(data: Mapping[str, Any]) -> Iterator[str]:
    """What in a baseline is not as it is written."""
    try:
        budget_named(data.get("budget", ""))
    except (ValueError, TypeError) as error:  # TypeError: a list, say
        yield f"budget: {error}"
    updates = data.get("updates", [])
    if not isinstance(updates, list) or not all(isinstance(row, dict) for row in updates):
        yield f"updates: {updates!r} is no list of updates"
    for part, names in (("claims", OF_CLAIMS), ("statements", OF_STATEMENTS)):
        rows = data.get(part)
        if not isinstance(rows, dict):
            yield f"{part} are missing"
            continue
        for row_name, row in rows.items():
            lacking = [name for name in names if not isinstance(row, dict) or name not in row]
            if lacking:
                yield f"{part} {row_name!r} lacks {', '.join(lacking)}"
            else:
                wrong = [name for name in names if not _is_read(name, row[name])]
                yield from (f"{part} {row_name!r} has {row[name]!r} as {name}" for name in wrong)


def _is_read(name: str, value: object) -> bool:
    """Whether a part of a row is one."""
    try:
        READERS.get(name, str)(value)
    except (AttributeError, TypeError, ValueError):
        return False
    return True


# what differs ------------------------------------------------------------------------------------
def differences(record: Mapping[str, Any], baseline: Mapping[str, Any], *, whole: bool) -> Changes:
    """What differs, in either direction: headlines of statements; of claims verdict, scope or code,
    and which are new or gone.

    whole: the run was about every claim, so one that only the baseline has is gone. A run at
    another budget looks at more or at less, so of its headlines and verdicts only contradictions
    are told: one side says that it is false, the other that it stands. Then code that changed, and
    what is new or gone, is told too, and marked as what does not count.
    """
    left = left_undone(record)
    same = record["run"]["budget"] == baseline["budget"] and not left
    return between(baseline, lock(record), same=same, whole=whole and not left)


def between(
    before: Mapping[str, Any], after: Mapping[str, Any], *, same: bool, whole: bool
) -> Changes:
    """What differs from one baseline to another. same: whether all counts, as at the same budget;
    whole: whether what only the first has is gone."""
    return {
        "statements": list(_of_statements(before["statements"], after["statements"], same, whole)),
        "claims": [
            row if same or row["what"] == "verdict" else row | {"counts": False}
            for row in _of_claims(before["claims"], after["claims"], same, whole)
        ],
    }


def of_papers(baseline: Mapping[str, Any], papers: Collection[str]) -> dict[str, Any]:
    """What a baseline says of some papers, by the first words of the ids."""
    return {
        **baseline,
        **{
            name: {key: row for key, row in baseline[name].items() if key.split(".")[0] in papers}
            for name in ("statements", "claims")
        },
    }


def left_undone(record: Mapping[str, Any]) -> int:
    """How many tasks of a run were left, when it was stopped."""
    return int(record["run"].get("left", 0))


def contradict(before: str, after: str) -> bool:
    """Whether of two verdicts, or headlines, one says that it is false, the other that it stands.

    >>> contradict("refuted", "supported"), contradict("open", "supported")
    (True, False)
    """
    return (before in SAYS_FALSE and after in SAYS_STANDS) or (
        before in SAYS_STANDS and after in SAYS_FALSE
    )


def _of_statements(
    rows: Mapping[str, Any], there: Mapping[str, Any], same: bool, whole: bool
) -> Iterator[dict[str, Any]]:
    for name, row in there.items():
        before, after = rows[name]["headline"] if name in rows else "", row["headline"]
        if before != after if same else contradict(before, after):
            yield {"id": name, "before": before, "after": after}
    if whole and same:
        for name in rows.keys() - there.keys():
            yield {"id": name, "before": rows[name]["headline"], "after": ""}


def _of_claims(
    rows: Mapping[str, Any], there: Mapping[str, Any], same: bool, whole: bool
) -> Iterator[dict[str, Any]]:
    for name, claim in there.items():
        if name not in rows:
            yield {"id": name, "what": "new", "before": "", "after": claim["verdict"]}
            continue
        row = rows[name]
        if row["verdict"] != claim["verdict"]:
            if same or contradict(row["verdict"], claim["verdict"]):
                yield _change(name, "verdict", row, claim)
        elif same and row["scope"] != claim["scope"]:
            yield _change(name, "scope", row, claim)
        if row["code"] != claim["code"]:
            yield _change(name, "code", row, claim)
    if whole:
        for name, row in rows.items():
            if name not in there:
                yield {"id": name, "what": "gone", "before": row["verdict"], "after": ""}


def _change(
    name: str, what: str, row: Mapping[str, Any], claim: Mapping[str, Any]
) -> dict[str, Any]:
    return {"id": name, "what": what, "before": row[what], "after": claim[what]}
