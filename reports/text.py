"""What a run found, for a terminal: at most forty lines, headlines of the main results first."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from reports.mends import mend
from reports.plain import cut, padded, plain, shown_width, visible
from reports.troubles import CODE_CHANGED, arrow
from reports.verdicts import (
    HEADLINES,
    Record,
    by_version,
    counted,
    detail,
    headline_counts,
    joined,
    paper_sentence,
    worst_first,
)

LINES = 40
SIGNS = {word: look.sign for word, look in HEADLINES.items()}
COLOURS = {  # ANSI; the words say the same without them
    "error": "1;31",
    "false as printed": "31",
    "true off corner cases": "35",
    "vacuous": "35",
    "open": "33",
    "nothing against it": "36",
    "true": "34",
    "definition": "2",
}
FEW = 5  # of so many statements the claims are told, too
NEAR = 3  # statements near a false one
MOST_CHANGES = 6
NOT_NOW = "not run at this budget"


def render(record: Record, *, width: int = 100, colour: bool = False, spare: int = 2) -> str:
    """What is known of the main results of each paper, counts of the rest, and what changed.

    record: a run's record. width: of the terminal, in characters; no line is longer. colour:
    whether to write ANSI colours (only for a terminal). spare: lines to leave for what comes after.
    """
    page = _Page(record, width, colour)
    above, below = page.above(), page.below()
    room = LINES - spare - len(above) - len(below)
    return "\n".join([*above, *page.papers(room), *below]) + "\n"


class _Page:
    """The lines of one run."""

    def __init__(self, record: Record, width: int, colour: bool) -> None:
        self.record, self.width, self.colour = record, width, colour
        self.claims = {claim["id"]: claim for claim in record["claims"]}

    def above(self) -> list[str]:
        """That the run is void, and what broke."""
        lines = []
        if left := self.record["run"].get("left", 0):
            stopped = f"STOPPED with {_many(left, 'task')} left: what was known by then."
            lines += self._wrapped(stopped, most=2)
        if self.record["run"]["void"]:
            reasons = "; ".join(self.record["run"]["void_reasons"])
            lines += self._wrapped(f"THIS RUN IS VOID: {reasons}", most=4)
        broken = [c for c in self.claims.values() if c["verdict"] == "error"]
        told = [self._line(f"! {c['id']}: {plain(c['reason'])}") for c in broken]
        if told:
            heading = f"{_many(len(broken), 'check')} broke:"
            lines += [heading, *_some(told, 4)]
        return [self._painted("error", line) for line in lines] + ([""] if lines else [])

    def papers(self, room: int) -> list[str]:
        """What is known of the statements of each paper, in so many lines."""
        everything = self.record["statements"]
        if not everything:
            return ["no statements", ""]
        groups = {}
        heads = {}
        for paper in dict.fromkeys(row["paper"] for row in everything):
            rows = [row for row in everything if row["paper"] == paper]
            main = [row for row in rows if row["rank"] == "main"]
            groups[paper] = main or rows
            several = all(by_version(groups[paper]))
            heads[paper] = self._wrapped(self._sentence(paper, rows), most=5 if several else 3)
        room -= sum(len(lines) + 1 for lines in heads.values())
        if self._fits(everything, room):  # of a small run all is told
            groups = {p: [row for row in everything if row["paper"] == p] for p in groups}
        shares = _shares({paper: len(rows) for paper, rows in groups.items()}, room)
        lines = []
        for paper, rows in groups.items():
            lines += [*heads[paper], *self._results(rows, shares[paper]), ""]
        return lines

    def _fits(self, rows: Sequence[Record], room: int) -> bool:
        return len(rows) + (sum(len(r["claims"]) for r in rows) if len(rows) <= FEW else 0) <= room

    def below(self) -> list[str]:
        """Counts of the rest, what changed, and whether the controls behaved."""
        lines = []
        rest = [row for row in self.record["statements"] if row["rank"] != "main"]
        if rest and len(rest) < len(self.record["statements"]):
            lines += self._wrapped(f"Other statements: {counted(rest)}.", most=2)
        lines += self._changes()
        controls = self.record["controls"]
        fine = sum(control["ok"] for control in controls)
        lines.append(f"Controls: {fine} of {len(controls)} as expected.")
        return lines

    def _changes(self) -> list[str]:
        changes = self.record["changes"]
        if changes is None:
            return []
        rows = [(c["id"], arrow(c["before"], c["after"])) for c in changes["statements"]]
        scopes = []
        for change in changes["claims"]:
            if change["what"] in ("verdict", "new", "gone"):
                rows.append((change["id"], arrow(change["before"], change["after"])))
            elif change["what"] == "scope":
                scopes.append((change["id"], f"another scope: {change['after']}"))
        rows += scopes  # after what is known otherwise
        code = [change["id"] for change in changes["claims"] if change["what"] == "code"]
        if not rows and not code:
            return ["Against the baseline: nothing changed."]
        lines = [f"Against the baseline: {_many(len(rows), 'change')}."] if rows else []
        lines += _some([self._line(f"  {name}: {plain(text)}") for name, text in rows])
        if code:
            lines.append(self._line(f"{CODE_CHANGED} ({', '.join(code)})"))
        return lines

    # one paper --------------------------------------------------------------------------------
    def _sentence(self, paper: str, rows: Sequence[Record]) -> str:
        """For example `Le and Jegelka 2022 (lj22): Of 14 main results 9 are true and 5 open.`."""
        about = next((p for p in self.record["papers"] if p["id"] == paper), None)
        name = f"{_cited(about)} ({paper})" if about else paper
        return f"{name}: {paper_sentence(rows)}"

    def _results(self, rows: Sequence[Record], share: int) -> list[str]:
        """A line for each result, those of the published version first, the worst first; what has
        no room is counted in one line."""
        ranked = [row for own in by_version(rows) for row in worst_first(own)]
        shown, left = ranked, []
        if len(ranked) > share:
            shown, left = ranked[: max(share - 1, 0)], ranked[max(share - 1, 0) :]
        places = max((shown_width(_place(row)) for row in shown), default=0)
        ids = max((shown_width(row["id"]) for row in shown), default=0)
        lines = []
        for row in shown:
            lines.append(self._result(row, min(places, self.width // 4), ids))
            if len(self.record["statements"]) <= FEW:
                for name in row["claims"]:
                    lines += [self._claim(self.claims[name]), *self._near(self.claims[name])]
        if left and share > 0:
            lines.append(self._left(left))
        return lines

    def _result(self, row: Record, places: int, ids: int) -> str:
        """For example `× Theorem 1   false as printed; mended: Y for Z (argued)   lj22.thm1`."""
        word = row["headline"]["word"]
        place = padded(cut(_place(row), places), places)
        room = self.width - places - ids - 8
        told = cut(self._told(row), room)
        sign = self._painted(word, SIGNS[word])
        return f"  {sign} {place}  {padded(told, room)}  {visible(row['id'])}"

    def _told(self, row: Record) -> str:
        """The headline, what it rests on, and how the statement is mended."""
        headline = row["headline"]
        parts = [headline["word"]]
        if headline["mended"]:
            name = headline["mended"][0]
            parts.append(f"mended: {self._mend(name)}")
        if headline["from_baseline"]:
            parts.append(NOT_NOW)
        if (told := detail(headline)) and told != headline["word"]:
            parts.append(plain(told))
        return "; ".join(parts)

    def _mend(self, name: str) -> str:
        repair = self.claims.get(name)
        if repair is None:
            return name
        printed = self.claims.get(repair["repairs"])
        what = plain(mend(repair, printed)) or name
        return f"{what} ({repair['verdict']})"

    def _left(self, rows: Sequence[Record]) -> str:
        sign = SIGNS["true"] if set(headline_counts(rows)) == {"true"} else "…"
        names = "; ".join(map(_place, rows))
        return self._line(f"  {sign} and {counted(rows)}: {names}")

    def _claim(self, claim: Record) -> str:
        role = "" if claim["role"] == "main" else f", {claim['role']}"
        reason = NOT_NOW if claim["from_baseline"] else plain(claim["reason"])
        return self._line(f"      {claim['id']}{role}: {claim['verdict']}: {reason}")

    def _near(self, claim: Record) -> list[str]:
        """What stands near a false statement, a line each."""
        near = (claim.get("grade") or {}).get("near") or []
        return [self._line(f"          stands: {plain(one['change'])}") for one in near[:NEAR]]

    # lines ------------------------------------------------------------------------------------
    def _wrapped(self, text: str, most: int) -> list[str]:
        lines = textwrap.wrap(plain(text), self.width, subsequent_indent="  ")
        if len(lines) > most:
            rest = " ".join(line.strip() for line in lines[most - 1 :])
            lines = [*lines[: most - 1], self._line(f"  {rest}")]
        return lines

    def _line(self, text: str) -> str:
        return cut(text, self.width)

    def _painted(self, word: str, text: str) -> str:
        return f"\x1b[{COLOURS[word]}m{text}\x1b[0m" if self.colour else text


def _place(row: Record) -> str:
    """Where a statement stands, and that it is of an earlier version."""
    return f"{'earlier version: ' if by_version([row])[1] else ''}{plain(row['place'])}"


def _shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """How many lines each gets: as many as it needs, where there are fewer the same for all."""
    shares = dict.fromkeys(sizes, 0)
    for _ in range(room):
        hungry = [name for name in sizes if shares[name] < sizes[name]]
        if not hungry:
            break
        shares[min(hungry, key=lambda name: shares[name])] += 1
    return shares


def _some(lines: Sequence[str], most: int = MOST_CHANGES) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"  and {len(lines) - most + 1} more"]


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _cited(paper: Record) -> str:
    """`Le and Jegelka 2022`."""
    names = [author.split()[-1] for author in paper["authors"]]
    if not names:
        return str(paper["title"])
    return f"{joined(names) if len(names) <= 3 else f'{names[0]} et al.'} {paper['year']}"
