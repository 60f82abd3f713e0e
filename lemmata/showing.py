"""The commands `list` and `show`: what is printed, what is coded, and what is known of it."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.errors import FINE
from lemmata.own import loaded
from lemmata.terminal import columns, is_screen

if TYPE_CHECKING:
    from verify.core.claim import Claim
    from verify.core.examples import Example
    from verify.core.ledger import Statement

Rows = Mapping[str, Mapping[str, Any]]
NO_BASELINE: dict[str, Any] = {"statements": {}, "claims": {}}
LONGEST = 40  # columns of an id or a place at most
WIDEST = 100  # columns of prose, on a wider screen too
HEADLINE = len("true off corner cases")


def list_statements(options: Namespace) -> int:
    """List the printed statements with their headlines, or the claims with their verdicts."""
    from reports.plain import cut, padded
    from verify.runs.baseline import known

    own = loaded([options.claims] if options.claims else options.files)
    if options.paper and not options.claims:  # a paper by its name, whatever is one's own
        own = []
    baseline = known(_named(options)) or NO_BASELINE
    of_claims = options.claims is not None or bool(own)
    told = _claims(options, own, baseline) if of_claims else _statements(options, baseline)
    if options.json:
        what = "verdict" if of_claims else "headline"
        rows = [{"id": n, "place": p, what: w, "title": t} for n, p, w, t in told]
        print(json.dumps(rows, indent=1))
        return FINE
    width = columns() if is_screen(sys.stdout) else None  # a file or a pipe gets it whole
    room = LONGEST if width is None else min(LONGEST, max(width // 3 - 10, 0))
    for name, place, word, title in told:
        cells = [f"{name:26}", *([padded(cut(_plain(place), room), room)] if room else [])]
        if word is not None:
            cells.append(f"{word:{HEADLINE}}")
        line = "  ".join([*cells, _plain(title)])
        print(line if width is None else cut(line, width))
    return FINE


Told = list[tuple[str, str, str | None, str]]


def _statements(options: Namespace, baseline: Mapping[str, Any]) -> Told:
    from verify.runs.selection import select_rows

    rows: Rows = baseline["statements"]
    found = select_rows(options.paper, options.keyword)
    return [(s.id, s.place, _word(rows, s.id, "headline"), s.title) for s in found]


def _claims(options: Namespace, own: Sequence[Claim], baseline: Mapping[str, Any]) -> Told:
    """Those of a file of one's own, if one is named."""
    from verify.runs.selection import select

    rows: Rows = baseline["claims"]
    found = select([claim.id for claim in own], options.paper, options.keyword)
    return [(c.id, c.source.reference, _word(rows, c.id, "verdict"), c.title) for c in found]


def _word(rows: Rows, name: str, field: str) -> str | None:
    """What the baseline says; None where there is no baseline."""
    return str(rows.get(name, {}).get(field, "-")) if rows else None


def _plain(text: str) -> str:
    """The text on one line, symbols for formulas."""
    if "$" not in text and "\\" not in text:  # most titles; loads nothing
        return " ".join(text.split())
    from reports.plain import plain

    return plain(text)


def _named(options: Namespace) -> Path | None:
    return None if options.known is None else Path(options.known)


# show --------------------------------------------------------------------------------------------
def show(options: Namespace) -> int:
    """Show a printed statement with its claims, or a claim or a control."""
    from verify.core.ledger import statements
    from verify.runs.baseline import known
    from verify.runs.selection import lookup, named

    baseline = known(_named(options)) or NO_BASELINE
    loaded(options.files)
    if options.id in statements():
        show_statement(statements()[options.id], baseline)
        if any(claim.id == options.id for claim in _claims_of(options.id)):
            _print()
            show_claim(lookup(options.id), baseline)
        return FINE
    for number, claim in enumerate(named(options.id)):
        if number:
            _print()
        show_claim(claim, baseline)
    return FINE


def _print(text: str = "") -> None:
    """Print a text: on a screen between words, what is folded further in than the line."""
    if not is_screen(sys.stdout):
        print(text)
        return
    for line in text.split("\n"):
        margin = " " * (len(line) - len(line.lstrip()) + 2)
        width = min(columns(), WIDEST)
        print(textwrap.fill(line, width, subsequent_indent=margin, break_on_hyphens=False))


def _claims_of(statement: str) -> list[Claim]:
    from verify.papers.registry import all_claims

    return [claim for claim in all_claims() if claim.ledger_id == statement]


def show_statement(statement: Statement, baseline: Mapping[str, Any]) -> None:
    """Print a printed statement: the print, what is known of it, and which claims say it."""
    from verify.core.ledger import papers

    paper = papers()[statement.paper]
    _print(f"{statement.id}: {_plain(statement.title)}")
    _print(f"  {statement.place}: {paper.citation}")
    version = f"{statement.version} version" if statement.version else ""
    _print(f"  {'; '.join(filter(None, (statement.section, statement.rank.value, version)))}")
    _print(f"\n  {_plain(statement.printed)}\n")
    if statement.restored:
        _print(f"  restored: {_plain(statement.restored)}")
    row = baseline["statements"].get(statement.id)
    if row is not None:
        detail = f"; {row['detail']}" if row["detail"] else ""
        _print(f"  known: {row['headline']}{detail}")
    if statement.because:
        _print(f"  main reading: {_plain(statement.because)}")
    claims = _claims_of(statement.id)
    if not claims:
        _print("  not coded yet")
    for role in ("main", "repair", "other", "variant"):
        for claim in (c for c in claims if c.role.value == role):
            verdict = _word(baseline["claims"], claim.id, "verdict")
            told = "" if verdict is None else f": {verdict}"
            _print(f"  {role:8} {claim.id}{told}{_about(claim)}")


def _about(claim: Claim) -> str:
    """What a claim is beside the printed one: how it is read, or what it mends and how."""
    if claim.repairs is not None:
        from reports.mends import mend
        from verify.papers.registry import find

        how = _plain(mend(_as_row(claim), _as_row(find(claim.repairs))))
        return f"; mends {claim.repairs}" + (f": {how}" if how else "")
    return f"; read as: {_plain(claim.reading_text)}" if claim.reading_text else ""


def _as_row(claim: Claim) -> dict[str, Any]:
    hypotheses = [{"name": h.name, "statement": h.statement} for h in claim.hypotheses]
    return {"title": claim.title, "hypotheses": hypotheses, "statement": claim.statement}


def show_claim(claim: Claim, baseline: Mapping[str, Any] = NO_BASELINE) -> None:
    """Print a claim: what it is to the print, its statement and hypotheses, what is known of it."""
    from verify.runs.fingerprint import claim_fingerprint

    _print(f"{claim.id}: {claim.title}")
    version = f"{claim.source.version} version" if claim.source.version else ""
    place = (claim.source.paper, version, claim.source.reference)
    _print(f"  {', '.join(filter(None, place))}")
    _print(f"  kind: {claim.kind.value}")
    if claim.source.paper != "control":
        _print(f"  {claim.role.value} claim of the printed statement {claim.ledger_id}")
    if claim.reading_text:
        _print(f"  reading {claim.reading or 'of the print'}: {_plain(claim.reading_text)}")
    if claim.repairs is not None:
        _print(f"  repairs: {claim.repairs}")
    _print(f"\n  {_plain(claim.statement)}\n")
    for number, hypothesis in enumerate(claim.hypotheses, start=1):
        _print(f"  H{number} {hypothesis.name}: {_plain(hypothesis.statement)}")
    _show_checked(claim)
    _show_measured(claim)
    if claim.examples is not None:
        show_examples(claim.examples())
    if claim.through:
        _print(f"  what is evaluated is a consequence: {claim.through}")
    if claim.quantity:
        _print(f"  what is evaluated: {claim.quantity.rstrip(',')}")
    code = claim_fingerprint(claim)
    _show_known(baseline["claims"].get(claim.id), code)
    if claim.why:
        _print(f"  why: {_plain(claim.why)}")
    for text in claim.trusted:
        _print(f"  rests on: {text}")
    if claim.depends:
        _print(f"  depends on: {', '.join(claim.depends)}")
    _print(f"  code: {code[:16]}")


def _show_checked(claim: Claim) -> None:
    """Print the statement as it is checked, where it is in the language."""
    if claim.terms is None:
        return
    from verify.language.spelled import held, spelled

    _print("  as it is checked, given")
    for one in held(claim.terms.domain):
        _print(f"    {_plain(one)}")
    _print("  it is said that")
    found = spelled(claim.terms.says)
    for depth, text in found.lines:
        _print(f"    {'  ' * depth}{_plain(text)}")
    for one in found.where:
        _print(f"    where {_plain(one)}")


def _show_known(row: Mapping[str, Any] | None, code: str) -> None:
    """What the baseline knows of a claim."""
    if row is None:
        return
    scope = f" ({row['scope']})" if row["scope"] else ""
    _print(f"  known: {row['verdict']}{scope}: {row['reason']}")
    grade = row["grade"] or {}
    if grade.get("nature"):
        _print(f"  near it: {grade['nature']}")
    for one in grade.get("near") or ():
        _print(f"    stands: {_plain(one['change'])}")
    if row["code"] != code:
        _print("  the code changed since: write the baseline again")


def _show_measured(claim: Claim) -> None:
    """Print what a claim is measured without, and what excludes it."""
    if claim.exponents is not None and claim.exponents.contrasts is not None:
        for contrast in claim.exponents.contrasts(2):  # of the largest budget
            _print(f"  measured without '{contrast.hypothesis}': {contrast.family.name}")
    if claim.excluded is not None:
        excluded = claim.excluded
        cites = ", ".join(excluded.cites)
        _print(f"  '{excluded.hypothesis}' is excluded by {cites}: {excluded.because}")


def show_examples(examples: Sequence[Example]) -> None:
    """Print which named examples meet a definition, and what the others fail."""
    from reports.plain import plain

    met = [plain(example.name) for example in examples if example.meets]
    _print(f"  {len(met)} of {len(examples)} examples meet it: {'; '.join(met) or 'none'}")
    for example in examples:
        failed = [f"{part.name} ({part.value})" for part in example.parts if not part.holds]
        if failed:
            _print(f"  not {plain(example.name)}: {plain('; '.join(failed))}")
