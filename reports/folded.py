"""What a statement's page keeps one fold below: other readings, uses, evidence, certificate."""

from __future__ import annotations

from reports.index import Index
from reports.mends import title as title_of
from reports.methods import found_by, methods, supporting
from reports.pieces import escape, handle, line, listed, sentence, target, verdict
from reports.verdicts import Record

CHECKER_ANSWERS = {0: "accepted", 1: "rejected", 2: "declined"}
ROLES = {"other": "Other readings", "repair": "Other repairs", "variant": "Not printed"}


def folded(statement: Record, claim: Record | None, index: Index) -> str:
    """The fold of a statement. claim: the one that its headline stands on."""
    also = "".join(_claims(statement, role, title, index) for role, title in ROLES.items())
    evidence = _evidence(claim) if claim is not None else ""
    head = "<h5>Evidence</h5>" if also and evidence else ""
    used = index.places(statement["used_by"])
    used = f"<p>In the paper it is used by {used}.</p>" if used else ""
    page = index.page(statement["paper"]) + target(statement["id"])
    again = ""
    if claim is not None and claim["certificate"] is not None:
        again = f"; again, in the report’s folder: <code>{escape(claim['command'])}</code>"
    more = f'<p class="note"><a href="{page}">Everything, claim by claim</a>{again}</p>'
    title = "Evidence and other readings" if also else "Evidence"
    inside = f"{also}{head}{evidence}{used}{more}"
    return f"<details><summary>{title}</summary>{inside}</details>"


def _claims(statement: Record, role: str, title: str, index: Index) -> str:
    """The claims with one role, a line each; the repairs that stand are shown already."""
    shown = set(statement["headline"]["mended"])
    if role == "repair" and not shown:
        title = "Repairs proposed, none established"
    claims = [c for c in index.claims_of(statement, role) if c["id"] not in shown]
    items = [
        f"{verdict(c['verdict'], c['id'])} {handle(c['id'])} "
        f"{line(c['reading_text'] or title_of(c))}. {sentence(c['why'] or c['reason'])}"
        f"{_mended_by(c, index)}"
        for c in claims
    ]
    return f"<h5>{title}</h5>{listed('claims', items)}" if items else ""


def _mended_by(claim: Record, index: Index) -> str:
    links = ", ".join(map(index.claim, claim["mended_by"]))
    return f" Mended by {links}." if links else ""


def _evidence(claim: Record) -> str:
    """What decided in full, what only supports by name, what was not run; power; certificate."""
    items = [
        f"{escape(found_by(piece))}: {sentence(piece['summary'])}"
        for piece in claim["evidence"]
        if piece["outcome"] != "supports"
    ]
    if supports := supporting(claim["evidence"]):
        names = escape(methods(piece["method"] for piece in supports))
        first = "" if items else f" {sentence(supports[0]['summary'])}"
        items.append(f"Supported by {names}.{first}")
    if claim["not_run"]:
        items.append(f"Not run at this budget: {escape(methods(claim['not_run']))}.")
    told = " ".join(filter(None, (_power(claim), _certificate(claim))))
    return listed("claims", items) + (f"<p>{told}</p>" if told else "")


def _power(claim: Record) -> str:
    power = claim["power"]
    if power is None:
        return ""
    words = {True: "The check could have failed", False: "The check could not have failed"}
    told = words.get(power["tested"], "Whether the check could have failed was not measured")
    why = f": {line(power['why'])}" if power["why"] else ""
    counts = f"{power['cases']:,} cases, {power['generic']:,} of them generic"
    if power["mutants"]:
        counts = f"it refutes {power['killed']} of {power['mutants']} changed statements; {counts}"
    return f"{told}{why}. In figures: {counts}."


def _certificate(claim: Record) -> str:
    certificate, checker = claim["certificate"], claim["checker"]
    if certificate is None:
        return ""
    answer = "not checked"
    if checker is not None:
        answer = f"{CHECKER_ANSWERS.get(checker['exit'], 'not answered')} by the checker"
    return f"Certificate ({escape(certificate['kind'])}): {answer}."
