"""What is folded away in the section of a claim: examples, needs, constants, mutants, cases that
meet all."""

from __future__ import annotations

from reports.findings import found_in, share_killed, sign_of
from reports.pieces import escape, line, sentence
from reports.verdicts import Record


def details(claim: Record) -> str:
    """One fold for each kind of finding that there is."""
    return "".join(part(claim) for part in (_examples, _needs, _bounds, _mutants, _meetings))


def _fold(
    summary: str, name: str, heads: tuple[str, ...], rows: str, *, opened: bool = False
) -> str:
    cells = "".join(f"<th>{head}</th>" for head in heads)
    return (
        f'<details{" open" * opened}><summary>{summary}</summary><table class="{name}">'
        f"<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></details>"
    )


def _examples(claim: Record) -> str:
    """Which named examples meet a definition, part by part."""
    examples = claim.get("examples") or []
    if not examples:
        return ""
    heads = [line(part["name"]) for part in examples[0]["parts"]]
    rows = "".join(
        f"<tr><td>{line(example['name'])}</td><td>{'meets it' if example['meets'] else 'no'}</td>"
        + "".join(
            f"<td>{'' if part['holds'] else '✗ '}{line(part['value'])}</td>"
            for part in example["parts"]
        )
        + "</tr>"
        for example in examples
    )
    met = sum(example["meets"] for example in examples)
    summary = f"Examples: {met} of {len(examples)} meet it"
    unjudged = claim["verdict"] == "definition"  # then they are all that there is to see
    return _fold(summary, "examples", ("Example", "", *heads), rows, opened=unjudged)


def _needs(claim: Record) -> str:
    """What is known of the need for each hypothesis."""
    needs = found_in(claim, "needs")
    if not needs:
        return ""
    rows = "".join(
        f"<tr><td>{line(need['hypothesis'])}</td>"
        f"<td>{sign_of(need)}{' needed' if need['needed'] else ''}</td>"
        f"<td>{sentence(need['text'])}</td></tr>"
        for need in needs
    )
    how = "seen" if any(need.get("measured") for need in needs) else "shown"
    share = f"{sum(need['needed'] for need in needs)} of {len(needs)} {how} to be"
    heads = ("Dropped, the others kept", "", "Found")
    return _fold(f"Which hypotheses it needs: {share}", "needs", heads, rows)


def _bounds(claim: Record) -> str:
    """How far its constants and exponents go."""
    bounds = found_in(claim, "bounds")
    if not bounds:
        return ""
    rows = "".join(
        f"<tr><td>{line(bound['place'])}</td><td>{escape(bound['printed'])}</td>"
        f"<td>{escape(bound['best'])}{', tight' if bound['tight'] else ''}</td>"
        f"<td>{sentence(bound['proposal'])}</td></tr>"
        for bound in bounds
    )
    tight = sum(bound["tight"] for bound in bounds)
    room = sum(bool(bound["proposal"]) for bound in bounds)
    summary = f"How far its constants go: {tight} tight, {room} with room"
    return _fold(summary, "bounds", ("Constant", "Printed", "Best found", "Proposed"), rows)


def _mutants(claim: Record) -> str:
    """Which changed statements its checks refute."""
    mutants = found_in(claim, "mutants")
    if not mutants:
        return ""
    killed, told = share_killed(mutants)
    rows = "".join(
        f"<tr><td>{escape(mutant['rule'])}</td><td>{line(mutant['change'])}</td>"
        f"<td>{escape(mutant['fate'])}</td><td>{sentence(mutant['by'])}</td></tr>"
        for mutant in mutants
    )
    summary = f"Would it be noticed? {killed} of {told} changed statements are refuted"
    return _fold(summary, "mutants", ("Rule", "Changed", "Fate", "By"), rows)


def _meetings(claim: Record) -> str:
    """Cases that meet its hypotheses, or why there are none."""
    meetings = found_in(claim, "meetings")
    if not meetings:
        return ""
    rows = "".join(
        f"<tr><td>{', '.join(map(line, meeting['hypotheses']))}</td>"
        f"<td>{sentence(meeting['text'])}</td></tr>"
        for meeting in meetings
    )
    met = all(meeting["case"] is not None for meeting in meetings)
    summary = "Its hypotheses can be met" if met else "Can its hypotheses be met?"
    return _fold(summary, "meetings", ("Hypotheses", "Case"), rows)
