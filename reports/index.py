"""What a run's record holds, by id, and where the report shows it."""

from __future__ import annotations

import urllib.parse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reports.pieces import escape, handle, line, target
from reports.verdicts import HEADLINES, LOOKS, Record, by_version

SHARED = 4  # statements with one hypothesis, from which on it is told once for all of them
TIE = "\u00a0"  # between a sign and its name
Hypothesis = tuple[str, str, str]


@dataclass(frozen=True)
class Index:
    """Papers, statements, claims and findings by id. standing: the anchors of hypotheses that many
    statements of a paper share, by paper, name and text. folder: the one with the details."""

    papers: Mapping[str, Record]
    statements: Mapping[str, Record]
    claims: Mapping[str, Record]
    findings: Mapping[str, Record]
    standing: Mapping[Hypothesis, str]
    folder: str

    @classmethod
    def of(cls, record: Record, folder: str) -> Index:
        """The index of a run's record."""
        papers, statements, claims, findings = (
            {one["id"]: one for one in record[kind]}
            for kind in ("papers", "statements", "claims", "findings")
        )
        return cls(papers, statements, claims, findings, _standing(record), folder)

    def claims_of(self, statement: Record, *roles: str) -> list[Record]:
        """The claims of a statement with one of these roles, in the order of the record."""
        found = (self.claims[name] for name in statement["claims"] if name in self.claims)
        return [claim for claim in found if claim["role"] in roles]

    def letters(self, paper: str) -> Mapping[str, str]:
        """What stands for the names of arrays, entries and choices in exhibits of a paper."""
        return self.papers[paper]["letters"] if paper in self.papers else {}

    def place(self, statement_id: str) -> str:
        """A statement by its sign and its place in the print, linked."""
        return self.places([statement_id])

    def places(self, statement_ids: Iterable[str]) -> str:
        """Statements in one line, those of the earlier version alone after the others; several that
        stand in one place with their titles."""
        found = [self.statements.get(name, {"id": name}) for name in statement_ids]
        often = Counter(statement.get("place") for statement in found)
        published, earlier = (
            [self._link(statement, often[statement.get("place")] > 1) for statement in own]
            for own in by_version(found)
        )
        told = [", ".join(published)] if published else []
        if earlier:
            every = "all " if len(earlier) > 1 else ""
            told.append(f"{', '.join(earlier)} ({every}of the earlier version)")
        return "; ".join(told)

    def _link(self, statement: Record, titled: bool) -> str:
        if "place" not in statement:
            return f"{handle(statement['id'])} (not selected)"
        sign = HEADLINES[statement["headline"]["word"]].sign
        name = line(statement["place"])
        if titled and statement["title"]:
            name += f": {line(statement['title'])}"
        return f'<a href="{target(statement["id"])}">{sign}{TIE}{name}</a>'

    def claim(self, claim_id: str) -> str:
        """A claim by its sign and its id, linked to where it is told of."""
        claim = self.claims.get(claim_id)
        if claim is None:
            return f"{handle(claim_id)} (not selected)"
        sign = LOOKS[claim["verdict"]].sign
        return f'<a href="{target("claim-" + claim_id)}">{sign}{TIE}{handle(claim_id)}</a>'

    def details(self, claim: Record, words: str) -> str:
        """A link to everything about a claim, in the folder beside the report."""
        if claim["paper"] not in self.papers:
            return ""
        fragment = target("claim-" + claim["id"])
        return f'<a href="{self.page(claim["paper"])}{fragment}">{escape(words)}</a>'

    def page(self, name: str) -> str:
        """The address of a page of the folder."""
        return f"{urllib.parse.quote(self.folder)}/{name}.html"


def _standing(record: Record) -> dict[Hypothesis, str]:
    users: defaultdict[Hypothesis, set[str]] = defaultdict(set)
    for claim in record["claims"]:
        if claim["role"] == "main":
            for h in claim["hypotheses"]:
                users[claim["paper"], h["name"], h["statement"]].add(claim["statement_id"])
    shared = (key for key, statements in users.items() if len(statements) >= SHARED)
    return {key: f"h{number}" for number, key in enumerate(shared, start=1)}
