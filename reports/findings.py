"""What a run found beside its verdicts: constants, hypotheses, weak checks, versions compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from reports import laws
from reports.pieces import badge, escape, line, link, sentence
from reports.verdicts import ORDER, Record

WEAK = 0.9  # below this share of mutants killed the report says so
NEEDED = {
    (True, True): ("●", "needed: a case whose certificate the checker has accepted"),
    (True, False): ("◐", "needed: a case, without a certificate"),
    (False, True): ("·", "none found among the cases that were looked at"),
    (False, False): ("–", "not tried, or no case was met"),
}
MEASURED = ("◑", "a slope leaves the predicted side on a family without it, measured")


def findings(record: Record, known: Mapping[str, Record]) -> str:
    """The sections that a run has something for."""
    return "".join(
        part(record, known) for part in (_constants, _matrix, _checks, _conflicts, _versions)
    )


def found_in(claim: Record, kind: str) -> list[Record]:
    """All findings of a kind (needs, mutants, bounds, meetings) in the evidence on a claim."""
    return [item for piece in claim["evidence"] for item in piece.get(kind, ())]


def by_evidence(needs: Iterable[Record]) -> tuple[list[Record], list[Record]]:
    """Those that cases speak of, and those that slopes along ladders of widths speak of."""
    found = list(needs)
    measured = [need for need in found if need.get("measured")]
    return [need for need in found if not need.get("measured")], measured


def left_in_words(measured: list[Record]) -> str:
    """How often a slope left the predicted side."""
    needed = sum(need["needed"] for need in measured)
    return f"{needed:,} of {len(measured):,} times a slope leaves the predicted side"


def in_short(record: Record) -> list[str]:
    """One line for each kind of finding, for a terminal."""
    claims = record["claims"]
    lines = []
    bounds = [(c["id"], bound) for c in claims for bound in found_in(c, "bounds")]
    if bounds:
        room = list(dict.fromkeys(name for name, bound in bounds if bound["proposal"]))
        tight = sum(bound["tight"] for _, bound in bounds)
        lines.append(f"Constants: {tight} tight; with room: {', '.join(room) or 'none'}.")
    needs, measured = by_evidence(need for c in claims for need in found_in(c, "needs"))
    if needs:
        needed = sum(need["needed"] for need in needs)
        certified = sum(need.get("certificate") is not None for need in needs)
        lines.append(
            f"Hypotheses: {needed:,} of {len(needs):,} shown to be needed, {certified:,} of them "
            "with a certificate."
        )
    if measured:
        lines.append(f"Hypotheses dropped along ladders: {left_in_words(measured)}.")
    if counted := _kills(record):
        killed, told = (sum(count[k] for count in counted.values()) for k in (0, 1))
        weak = [name for name, (dead, all_of) in counted.items() if dead < WEAK * all_of]
        lines.append(
            f"Mutants: {killed:,} of {told:,} noticed ({killed / told:.1%}); below {WEAK:.0%}: "
            f"{', '.join(weak) or 'no claim'}."
        )
    return lines + laws.in_short(record)


# constants ----------------------------------------------------------------------------------------
def _constants(record: Record, known: Mapping[str, Record]) -> str:
    rows = [(claim, bound) for claim in record["claims"] for bound in found_in(claim, "bounds")]
    if not rows:
        return ""
    better = [row for row in rows if row[1]["proposal"]]
    others = [row for row in rows if not row[1]["proposal"]]
    tight = sum(bound["tight"] for _, bound in rows)
    folded = (
        f"<details><summary>The other {len(others)}</summary>{_table_of(others, known)}</details>"
    )
    return (
        '<section id="constants"><h2>How far the constants go</h2>'
        f"<p>{len(better)} of {len(rows)} seem to have room: a better value is proposed, which no "
        f"case that was found contradicts. {tight} {'is' if tight == 1 else 'are'} tight: an exact "
        f"case has slack 0.</p>{_table_of(better, known)}{folded if others else ''}</section>\n"
    )


def _table_of(rows: list[tuple[Record, Record]], known: Mapping[str, Record]) -> str:
    """Constants with the claims that they are of."""
    if not rows:
        return ""
    body = "".join(
        f"<tr><td>{link(claim['id'], known)}</td><td>{line(bound['place'])}</td>"
        f'<td class="number">{escape(bound["printed"])}</td>'
        f'<td class="number">{escape(bound["best"])}</td><td>{_reached(bound)}</td>'
        f"<td>{sentence(bound['proposal'])}</td></tr>"
        for claim, bound in rows
    )
    heads = _heads("Claim", "Constant or exponent", "Printed", "Best found", "Reached", "Proposed")
    return (
        f'<div class="wide"><table class="constants"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _reached(bound: Record) -> str:
    if bound["tight"]:
        return f"tight, {bound['touches']:,} {'case' if bound['touches'] == 1 else 'cases'}"
    return "with room" if bound["proposal"] else "–"


# hypotheses ---------------------------------------------------------------------------------------
def _matrix(record: Record, known: Mapping[str, Record]) -> str:
    """The hypotheses against the claims: which are shown to be needed."""
    claims = [claim for claim in record["claims"] if found_in(claim, "needs")]
    if not claims:
        return ""
    cells = {
        (claim["id"], need["hypothesis"]): need
        for claim in claims
        for need in found_in(claim, "needs")
    }
    frequency = Counter(hypothesis for _, hypothesis in cells)
    columns = sorted(frequency, key=lambda name: (-frequency[name], name))
    heads = "".join(f'<th scope="col"><span>{line(name)}</span></th>' for name in columns)
    rows = "".join(
        f'<tr><th scope="row">{link(claim["id"], known)}</th>'
        f"{''.join(_cell(cells.get((claim['id'], name))) for name in columns)}</tr>"
        for claim in claims
    )
    needs, measured = by_evidence(cells.values())
    signs = [*NEEDED.values(), *([MEASURED] if measured else [])]
    key = ", ".join(f"{sign} {escape(text)}" for sign, text in signs)
    return (
        '<section id="hypotheses"><h2>Which hypotheses are needed</h2>'
        f"<p>Each hypothesis dropped, the others kept: {_counted(needs, measured)}</p>"
        f'<p class="small">{key}.</p>'
        f"<details><summary>The matrix: {len(claims)} claims, {len(columns)} hypotheses</summary>"
        f'<div class="matrix"><table><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details></section>\n"
    )


def _counted(needs: list[Record], measured: list[Record]) -> str:
    """How often cases and slopes speak for a need, in words."""
    if not needs:
        return f"{left_in_words(measured)}, along ladders of widths."
    needed = sum(need["needed"] for need in needs)
    certified = sum(need.get("certificate") is not None for need in needs)
    slopes = f" Along ladders of widths: {left_in_words(measured)}." if measured else ""
    return (
        f"{needed:,} of {len(needs):,} times a case was found that violates the claim, "
        f"{certified:,} with a certificate of its own. Where none was found, that is all that is "
        f"said.{slopes}"
    )


def _cell(need: Record | None) -> str:
    if need is None:
        return "<td></td>"
    return f"<td>{sign_of(need)}</td>"


def sign_of(need: Record) -> str:
    """The sign for what is known of the need for a hypothesis, see NEEDED and MEASURED."""
    if need["needed"] and need.get("measured"):
        return MEASURED[0]
    if need["needed"]:
        return NEEDED[True, need.get("certificate") is not None][0]
    return NEEDED[False, need["text"].startswith("none found")][0]


# mutants ------------------------------------------------------------------------------------------
def share_killed(mutants: list[Record]) -> tuple[int, int]:
    """How many mutants were killed, and how many were shown to differ from the claim."""
    fates = Counter(mutant["fate"] for mutant in mutants if mutant["rule"] != "rewrite")
    return fates["killed"], fates["killed"] + fates["survived"]


def _kills(record: Record) -> dict[str, tuple[int, int]]:
    """For each claim with mutants that differ from it, `share_killed`."""
    found = {c["id"]: share_killed(found_in(c, "mutants")) for c in record["claims"]}
    return {name: count for name, count in found.items() if count[1]}


def _checks(record: Record, known: Mapping[str, Record]) -> str:
    """Whether the checks would have noticed, claim by claim where they are weak."""
    of_claim = {c["id"]: found_in(c, "mutants") for c in record["claims"]}
    counted = _kills(record)
    if not counted:
        return ""
    killed, told = (sum(count[k] for count in counted.values()) for k in (0, 1))
    weak = {name: count for name, count in counted.items() if count[0] < WEAK * count[1]}
    rows = "".join(
        f'<tr><td>{link(name, known)}</td><td class="number">{dead} of {all_of}</td>'
        f"<td>{_survivors(of_claim[name])}</td></tr>"
        for name, (dead, all_of) in sorted(weak.items(), key=lambda row: row[1][0] / row[1][1])
    )
    table = (
        f'<div class="wide"><table class="weak"><thead><tr>'
        f"{_heads('Claim', 'Killed', 'Survived')}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return (
        '<section id="mutants"><h2>Would it have been noticed?</h2>'
        f"<p>The claims that stand were changed on purpose: of {told:,} changed statements that "
        f"differ from theirs, their own checks refute {killed:,} ({killed / told:.1%}). Below "
        f"{WEAK:.0%}: {len(weak) or 'none'} of {len(counted)} claims.</p>{table if weak else ''}"
        "</section>\n"
    )


def _survivors(mutants: list[Record]) -> str:
    alive = [line(m["change"]) for m in mutants if m["fate"] == "survived"]
    more = f" and {len(alive) - 3} more" if len(alive) > 3 else ""
    return "; ".join(alive[:3]) + more


# hypotheses that do not go together ---------------------------------------------------------------
def _conflicts(record: Record, known: Mapping[str, Record]) -> str:
    rows = "".join(
        f"<tr><td>{' <b>and</b> '.join(map(line, conflict['hypotheses']))}</td>"
        f"<td>{sentence(conflict['text'])}</td></tr>"
        for conflict in record.get("conflicts") or ()
    )
    if not rows:
        return ""
    return (
        '<section id="conflicts"><h2>Hypotheses that were never met together</h2>'
        "<p>Hypotheses of one paper, each of which some case meets.</p>"
        f'<div class="wide"><table class="conflicts"><thead><tr>{_heads("Hypotheses", "Looked at")}'
        f"</tr></thead><tbody>{rows}</tbody></table></div></section>\n"
    )


# versions -----------------------------------------------------------------------------------------
def _versions(record: Record, known: Mapping[str, Record]) -> str:
    """Two versions of a paper beside each other."""
    rows = "".join(
        f'<tr><td><b>{line(row["subject"])}</b><p class="small">{sentence(row["change"])}</p></td>'
        f"<td>{_side(row['earlier'], known)}</td><td>{_side(row['final'], known)}</td></tr>"
        for row in record.get("versions") or ()
    )
    if not rows:
        return ""
    both = [c for c in record["claims"] if c["version"] == "both" and c["repairs"] is None]
    return (
        '<section id="versions"><h2>The two versions, statement by statement</h2>'
        f"<p>{len(both)} claims are printed in both versions alike. Repairs are left out.</p>"
        f'<div class="wide"><table class="versions"><thead><tr>'
        f"{_heads('Statement', 'Earlier version', 'Final version')}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>\n"
    )


def _side(names: list[str], known: Mapping[str, Record]) -> str:
    """Verdicts with the claims that have them."""
    by_verdict: dict[str, list[str]] = {}
    for name in names:
        if name in known:
            by_verdict.setdefault(known[name]["verdict"], []).append(name)
    return (
        "".join(
            f"<p>{badge(verdict)} {', '.join(_links(by_verdict[verdict], known))}</p>"
            for verdict in sorted(by_verdict, key=lambda verdict: ORDER[verdict])
        )
        or '<p class="small">no such statement</p>'
    )


def _links(names: list[str], known: Mapping[str, Record]) -> Iterator[str]:
    return (link(name, known) for name in names)


def _heads(*names: str) -> str:
    return "".join(f'<th scope="col">{name}</th>' for name in names)
