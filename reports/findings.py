"""What the evidence on the claims of a paper says together: constants, hypotheses, weak checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from reports.pieces import escape, handle, line, of, section, sentence, table, target
from reports.verdicts import Record

WEAK = 0.9  # below this share of mutants killed a check is listed
SIGNS = {  # of the need for a hypothesis
    "●": "needed, by a case whose certificate the checker accepted",
    "◐": "needed, by a case without a certificate",
    "◑": "a slope leaves the predicted side without it, measured",
    "·": "no case found that needs it",
    "–": "not tried, or no case met the others",
}
Claims = Mapping[str, Record]


def found_in(claim: Record, kind: str) -> list[Record]:
    """All findings of a kind (needs, mutants, bounds, joint_cases) in the evidence on a claim."""
    return [item for piece in claim["evidence"] for item in piece.get(kind, ())]


def sign_of(need: Record) -> str:
    """The sign for what is known of the need for a hypothesis, one of SIGNS."""
    if need["needed"] and need.get("measured"):
        return "◑"
    if need["needed"]:
        return "◐" if need.get("certificate") is None else "●"
    return "·" if need["text"].startswith("none found") else "–"


def share_killed(mutants: Iterable[Record]) -> tuple[int, int]:
    """How many mutants were killed, and how many were shown to differ from the claim."""
    fates = Counter(mutant["fate"] for mutant in mutants if mutant["rule"] != "rewrite")
    return fates["killed"], fates["killed"] + fates["survived"]


def constants(claims: Claims) -> str:
    """How far constants and exponents go, those with room first."""
    found = [{"id": name, **b} for name, claim in claims.items() for b in found_in(claim, "bounds")]
    room = sum(bool(bound["proposal"]) for bound in found)
    tight = sum(bound["tight"] for bound in found)
    told = (
        f"{room} of {len(found)} seem to have room: a better value is proposed, which no case that "
        f"was found contradicts. {tight} {'is' if tight == 1 else 'are'} tight: an exact case has "
        "slack 0."
    )
    columns = {
        "Claim": of("id", _to),
        "Constant or exponent": of("place", line),
        "Printed": of("printed"),
        "Best found": of("best"),
        "Reached": _reached,
        "Proposed": of("proposal", sentence),
    }
    found.sort(key=lambda bound: not bound["proposal"])
    inner = table("Constants", columns, found)
    return section("How far the constants go", told, inner) if found else ""


def matrix(claims: Claims) -> str:
    """The hypotheses against the claims: which are shown to be needed."""
    needs = {
        (name, need["hypothesis"]): need
        for name, claim in claims.items()
        for need in found_in(claim, "needs")
    }
    if not needs:
        return ""
    cells = {place: sign_of(need) for place, need in needs.items()}
    frequency = Counter(hypothesis for _, hypothesis in needs)
    columns = sorted(frequency, key=lambda name: (-frequency[name], name))
    names = dict.fromkeys(name for name, _ in needs)
    heads = "".join(f'<th scope="col"><span>{line(name)}</span></th>' for name in columns)
    rows = "".join(
        f'<tr><th scope="row">{_to(name)}</th>'
        + "".join(f"<td>{cells.get((name, column), '')}</td>" for column in columns)
        + "</tr>\n"
        for name in names
    )
    key = ", ".join(f"{sign} {escape(text)}" for sign, text in SIGNS.items())
    needed = sum(need["needed"] for need in needs.values())
    told = f"Each hypothesis dropped, the others kept: {needed:,} of {len(needs):,} are needed."
    inner = (
        f"<details><summary>The matrix: {len(names)} claims, {len(columns)} hypotheses</summary>"
        f'<div class="matrix"><table><caption>{key}</caption><thead><tr><td></td>{heads}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div></details>"
    )
    return section("Which hypotheses are needed", told, inner)


def weak_checks(claims: Claims) -> str:
    """Whether the checks would have noticed, claim by claim where they are weak."""
    mutants = {name: found_in(claim, "mutants") for name, claim in claims.items()}
    counted = {name: share_killed(found) for name, found in mutants.items()}
    counted = {name: count for name, count in counted.items() if count[1]}
    if not counted:
        return ""
    killed, told = (sum(count[k] for count in counted.values()) for k in (0, 1))
    weak = {name: count for name, count in counted.items() if count[0] < WEAK * count[1]}
    words = (
        f"The claims that stand were changed on purpose: of {told:,} changed statements that "
        f"differ from theirs, their own checks refute {killed:,} ({killed / told:.1%}). Below "
        f"{WEAK:.0%}: {len(weak) or 'none'} of {len(counted)} claims."
    )
    columns: Mapping[str, Callable[[str], str]] = {
        "Claim": _to,
        "Killed": lambda name: f"{weak[name][0]} of {weak[name][1]}",
        "Survived": lambda name: _survivors(mutants[name]),
    }
    rows = sorted(weak, key=lambda name: weak[name][0] / weak[name][1])
    inner = table("Weak checks", columns, rows) if rows else ""
    return section("Would it have been noticed?", words, inner)


def _to(name: str) -> str:
    return f'<a href="{target("claim-" + name)}">{handle(name)}</a>'


def _reached(bound: Record) -> str:
    if bound["tight"]:
        return f"tight, {bound['touches']:,} {'case' if bound['touches'] == 1 else 'cases'}"
    return "with room" if bound["proposal"] else "–"


def _survivors(mutants: list[Record]) -> str:
    alive = [line(m["change"]) for m in mutants if m["fate"] == "survived"]
    more = f" and {len(alive) - 3} more" if len(alive) > 3 else ""
    return "; ".join(alive[:3]) + more
