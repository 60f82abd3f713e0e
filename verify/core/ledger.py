"""The ledger: every statement that the papers print, and which claims say what is printed.

One file a paper, `verify/papers/<paper>/ledger.toml`, in the order of the print; a paper from
outside may bring one of the same form.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "papers"
PAPERS = ("lj22", "j23", "dkbhl20", "zlb22")
"""In the order of the registry."""


class Rank(Enum):
    """What a printed statement is to its paper, the most important first."""

    MAIN = "main"  # theorem, proposition, corollary or lemma of the main text
    SUPPORTING = "supporting"  # what the paper states beside: lemmas of appendices, remarks
    STEP = "step"  # of a proof
    DEFINITION = "definition"  # a definition or an assumption
    EXPERIMENT = "experiment"


class Role(Enum):
    """What a claim is to the printed statement under whose id it stands."""

    MAIN = "main"  # says what is printed, as a fair reader takes it; one for each part
    OTHER = "other"  # says it as another fair reader could
    VARIANT = "variant"  # says what nobody printed: a consequence, a stronger or a weaker form
    REPAIR = "repair"  # says what could stand in its place


@dataclass(frozen=True)
class Paper:
    """A paper: its id, how it is cited, and its versions, the one that counts first.

    letters: what stands for the names of arrays, entries and choices of its exhibits where they are
    shown: LaTeX between dollars, or words.
    """

    id: str
    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    versions: tuple[str, ...]
    letters: Mapping[str, str] = field(default_factory=dict)

    @property
    def citation(self) -> str:
        """Authors, title and venue in one line."""
        people = f"{', '.join(self.authors)}: " if self.authors else ""
        venue = f" {self.venue}." if self.venue else ""
        return f"{people}{self.title}.{venue}"


@dataclass(frozen=True)
class Statement:
    """A printed statement.

    place: its number in the print. section: where that stands. printed: the text as printed, with
    LaTeX between dollars. restored: which symbols the source text has lost, and from what they
    were restored. main, others, variants: what follows the id in the ids of the claims that say it
    in the main reading (one for each part), in another fair reading, and of those that say what is
    not printed. because: why the main reading is the main one, where there is a choice.
    """

    id: str
    paper: str
    version: str
    place: str
    section: str
    rank: Rank
    title: str
    printed: str
    main: tuple[str, ...]
    others: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    because: str = ""
    restored: str = ""

    def role_of(self, claim_id: str, repairs: str | None) -> Role:
        """What a claim of this statement is to it. Raises KeyError for one that is not listed."""
        if repairs is not None:
            return Role.REPAIR
        end = claim_id.removeprefix(self.id)
        for role, ends in (
            (Role.MAIN, self.main),
            (Role.OTHER, self.others),
            (Role.VARIANT, self.variants),
        ):
            if end in ends:
                return role
        raise KeyError(f"the ledger does not say what {claim_id} is to {self.id}: list it there")


class LedgerError(ValueError):
    """A ledger is not what its schema says. The message names the statement and the entry."""


def read(path: Path) -> tuple[Paper, tuple[Statement, ...]]:
    """The paper of a ledger, and what it prints. Raises LedgerError and OSError."""
    from jsonschema import Draft202012Validator

    schema = json.loads(path_of_schema().read_text(encoding="utf-8"))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LedgerError(f"{path} is not TOML: {error}") from error
    for wrong in Draft202012Validator(schema).iter_errors(data):
        raise LedgerError(f"{path}, {_place(data, [*wrong.absolute_path])}: {wrong.message}")
    paper, rows = _paper(data), _rows(data)
    for number, row in enumerate(rows):
        if not row.id.startswith(paper.id):
            raise LedgerError(f"{path}, {row.id}: the ids of this paper begin with {paper.id}")
        if row.id in {other.id for other in rows[:number]}:
            raise LedgerError(f"{path}, {row.id}: it is listed twice")
    return paper, rows


def path_of_schema() -> Path:
    """Where the schema of ledgers is."""
    return Path(__file__).with_name("ledger.schema.json")


def _place(data: Mapping[str, Any], keys: list[str | int]) -> str:
    """An entry in words: a statement by its id."""
    if len(keys) > 1 and keys[0] == "statements":
        row = data["statements"][keys[1]]
        name = row.get("id", "") if isinstance(row, dict) else ""
        keys = [name or f"statement {int(keys[1]) + 1}", *keys[2:]]
    return ", ".join(map(str, keys)) or "at its top"


def _paper(data: Mapping[str, Any]) -> Paper:
    row = data["paper"]
    return Paper(
        row["id"],
        row["title"],
        tuple(row.get("authors", ())),
        row.get("year", 0),
        row.get("venue", ""),
        tuple(row.get("versions", ("",))),
        data.get("letters", {}),
    )


def _rows(data: Mapping[str, Any]) -> tuple[Statement, ...]:
    return tuple(_statement(data["paper"]["id"], row) for row in data["statements"])


@cache
def _built_in(paper: str) -> Mapping[str, Any]:
    with (FOLDER / paper / "ledger.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def papers() -> Mapping[str, Paper]:
    """The papers by their ids."""
    found = (*map(_paper, map(_built_in, PAPERS)), *(paper for paper, _ in _added.values()))
    return {paper.id: paper for paper in found}


@cache
def statements() -> Mapping[str, Statement]:
    """All printed statements by their ids, paper by paper in the order of the print."""
    listed = (*map(_rows, map(_built_in, PAPERS)), *(rows for _, rows in _added.values()))
    return {row.id: row for rows in listed for row in rows}


_added: dict[str, tuple[Paper, tuple[Statement, ...]]] = {}


def add(file: str, paper: Paper, rows: Iterable[Statement]) -> None:
    """Add the statements of a file of somebody's own, as those of a paper. Raises ValueError for
    the name of one that is built in."""
    if paper.id in PAPERS:
        raise ValueError(f"{paper.id} is built in: begin the ids with another word")
    _added[file] = (paper, tuple(rows))
    for known in (papers, statements, statement_id):
        known.cache_clear()


def _statement(paper: str, row: Mapping[str, Any]) -> Statement:
    ends = {name: tuple(row.get(name, ())) for name in ("main", "others", "variants")}
    empty = {"version": "", "section": ""}
    return Statement(**{**empty, **row, "paper": paper, "rank": Rank(row["rank"]), **ends})


@cache
def statement_id(claim_id: str) -> str:
    """The id of the printed statement that a claim is about: without reading, repair and part.

    Raises KeyError where the ledger lists none.
    """
    words = claim_id.split("@")[0].split(".")
    for length in range(len(words), 1, -1):
        if (base := ".".join(words[:length])) in statements():
            return base
    raise KeyError(f"claim {claim_id} is not in the ledger: add its statement there")


@dataclass(frozen=True)
class Counterpart:
    """What corresponds to what.

    subject: what both speak of. earlier, final: ids of the ledger; none where a version has no such
    statement. change: what the final version changed, in words.
    """

    subject: str
    earlier: tuple[str, ...]
    final: tuple[str, ...]
    change: str
