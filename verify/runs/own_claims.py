"""Claims of one's own: a file of statements in the language, in any repository.

    from lemmata import Matrix, claim, rank

    A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
    claim("mine.lemma1", rank(A @ B) <= rank(A), "A product has at most the rank of a factor.")

`load` reads such a file, and its claims stand beside the built-in ones: the same search, exact
counterexamples, certificates that the checker accepts, mutants, constants and reports.

A whole paper is a package: a ledger of what is printed, and modules that state its claims. An
installed one names itself in an entry point of the group `lemmata.papers`: docs/tutorial.md.
"""

from __future__ import annotations

import re
import runpy
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from importlib import import_module, invalidate_caches
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verify.core import ledger
from verify.core.claim import Claim, Source
from verify.core.ledger import LedgerError, Paper, Rank
from verify.core.ledger import read as read_ledger
from verify.language.latex import formula
from verify.language.proofs import Proof
from verify.language.rates import Motion
from verify.language.statements import Statement
from verify.language.terms import Term, TermError
from verify.papers import registry
from verify.statements.stated import Given, in_words, stated

IDS = re.compile(r"\w[\w@+-]*(\.[\w@+-]+)+", re.ASCII)  # what a file can be called after
LONGEST_TITLE = 100  # characters; a longer text is not the title of its claim


class ClaimFileError(ValueError):
    """A file of claims that cannot be read: where, and why."""


@dataclass
class Book:
    """What a file or package says: its paper, its claims, the rows of its ledger. listed: whether
    these are those of a ledger that it brings."""

    file: str
    paper: Paper
    claims: list[Claim] = field(default_factory=list)
    rows: list[ledger.Statement] = field(default_factory=list)
    listed: bool = False

    def row(self, claim_id: str) -> ledger.Statement:
        """The printed statement that a claim is about. Raises TermError where none is listed."""
        rows = {row.id: row for row in self.rows}
        words = claim_id.split("@")[0].split(".")
        for length in range(len(words), 1, -1):
            if (base := ".".join(words[:length])) in rows:
                return rows[base]
        raise TermError(f"claim({claim_id!r}): the ledger has no statement of this id")


_open: ContextVar[Book | None] = ContextVar("book", default=None)


def paper(
    id: str,  # noqa: A002 - as it is called everywhere
    title: str = "",
    *,
    authors: Sequence[str] = (),
    year: int = 0,
    venue: str = "",
    ledger: str = "",
) -> None:
    """Tell which paper the claims of this file are from: the first word of their ids.

    Example: `paper("dhl18", "Algorithmic regularization", authors=("Simon S. Du",), year=2018)`

    id: like "dhl18". ledger: a file beside this one, which tells title, authors and venue, and all
    that is printed; then every claim is about a statement of it, and every statement has claims.
    Raises TermError where the file has claims already, LedgerError for a ledger that is none.
    """
    book = _open.get()
    if book is None:
        return
    texts = (id, title, venue, ledger, *authors)
    if not all(isinstance(one, str) for one in texts) or not isinstance(year, int):
        raise TermError(f"paper({id!r}): the year is a whole number, all else is text")
    _check_texts(f"paper({id!r})", texts)
    if book.claims:
        raise TermError(f"paper({id!r}): name it before the first claim")
    if not ledger:
        book.paper = Paper(id, title, tuple(authors), year, venue, ("",))
        return
    if title or authors or year or venue:
        raise TermError(f"paper({id!r}): the ledger tells title, authors, year and venue")
    here = Path(book.file)
    path = (here if here.is_dir() else here.parent) / ledger
    if not path.is_file():
        raise TermError(f"paper({id!r}): there is no ledger {path}")
    book.paper, rows = read_ledger(path)
    book.rows, book.listed = list(rows), True
    if book.paper.id != id:
        raise TermError(f"paper({id!r}): its ledger is of {book.paper.id}")


def claim(
    id: str,  # noqa: A002 - as it is called everywhere
    says: Term,
    text: str = "",
    *,
    given: Mapping[str, Term] | Sequence[Term] | Term = (),
    flow: Mapping[str, Term] | None = None,
    activations: str | Sequence[str] = (),
    title: str = "",
    place: str = "",
    reading: str = "",
    depends: Sequence[str] = (),
    repairs: str = "",
    proof: Callable[[Proof], Any] | Sequence[Callable[[Proof], Any]] = (),
) -> Claim:
    """A claim: what a statement says, for all cases that meet its hypotheses.

    Example: `claim("mine.lemma1", rank(A @ B) <= rank(A), "The rank of $AB$ is bounded.")`

    id: "paper.statement", or "paper.statement.fix" of what could stand in its place (repairs: the
    id of that statement). says: a relation, like `rank(A @ B) <= rank(A)`. text: the statement as
    printed, with LaTeX between dollars; its formula where none is given. given: hypotheses, by name
    or in a list. flow: for `Rate` in a case of arrays, the velocity of each array that moves.
    activations: of networks, like "tanh" or ["tanh", "relu"], where they are not piecewise linear
    or not of every such kind: those of the hidden vertices, and of outputs that are not linear.
    place: where it is printed, like "Lemma 1". reading: how the print is read here, of an id that
    ends in @A or @B. depends: ids of claims that the paper uses for it. proof: what adds the steps
    of a proof, see docs/language.md, "Writing a proof"; one for each part that `and` joins. Raises
    TermError, which names what is wrong.
    """
    several = (given,) if isinstance(given, Term) else given
    hypotheses = several if isinstance(several, Mapping) else {in_words(t): t for t in several}
    if not IDS.fullmatch(id):
        raise TermError(
            f"claim({id!r}): an id is a paper and a statement, like mine.lemma1, of letters, "
            "digits and _ - + @"
        )
    _check_texts(f"claim({id!r})", (text, title, place, reading, *hypotheses))
    book = _open.get()
    row = book.row(id) if book is not None and book.listed else None
    printed = row.printed if row is not None and id == row.id else ""
    shown = f"${formula(says)}$"
    named = title or (row.title if row is not None and printed else "")
    made = stated(
        id,
        Source(id.split(".")[0], row.version if row else "", place or (row.place if row else id)),
        named or (text if 0 < len(text) <= LONGEST_TITLE else shown),
        text if row is not None and text else shown,
        says,
        [Given(name, holds) for name, holds in hypotheses.items()],
        flow=flow,
        activations=(activations,) if isinstance(activations, str) else tuple(activations),
        proofs=[proof] if callable(proof) else proof,
        repairs=repairs or None,
        reading=id.partition("@")[2].split(".")[0] or None,
        reading_text=reading or None,
        depends=tuple(depends),
    )
    assert made.terms is not None
    _check_motion(made.terms)
    if book is not None:
        _enter(book, made, text or shown)
    return made


def _check_texts(what: str, texts: Iterable[str]) -> None:
    """Raises TermError for one that no file can hold."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TermError(f"{what}: {text!a} holds half a character: mend it") from error


def _check_motion(statement: Statement) -> None:
    """Raises TermError where a rate is asked for of what does not move, or a velocity is told of an
    array that the statement does not speak of."""
    terms = (statement.says, *statement.given.values(), *statement.flow.values())
    parts = (part for term in terms for part in term.walk())
    spoken = {part.args[0].name for part in parts if part.op == "field"}
    if idle := set(statement.flow) - spoken:
        raise TermError(f"{statement.id}: it does not speak of {min(idle)}, which moves by flow=")
    motion = Motion(statement.flow)
    for part in statement.says.walk():
        if part.op == "rate" and not motion.moves(part.args[0]):
            raise TermError(
                f"{statement.id}: nothing moves in the rate of {in_words(part.args[0])}: name the "
                "velocities, like flow={'W': -W}"
            )


def _enter(book: Book, made: Claim, text: str) -> None:
    """Add a claim to the book. Raises TermError for an id that is there, or of another paper."""
    if any(other.id == made.id for other in book.claims):
        raise TermError(f"claim({made.id!r}): there is one of this id already")
    if not book.claims and not book.paper.id:
        book.paper = replace(book.paper, id=made.source.paper)
    if made.source.paper != book.paper.id:
        raise TermError(f"claim({made.id!r}): the ids of this file begin with {book.paper.id}")
    made = replace(made, source=replace(made.source, file=book.file))
    book.claims.append(made)
    if book.listed:
        try:
            book.row(made.id).role_of(made.id, made.repairs)
        except KeyError as error:
            raise TermError(f"claim({made.id!r}): {error.args[0]}") from error
    elif made.repairs is None:
        _list(book, made, text)


def _list(book: Book, made: Claim, text: str) -> None:
    """Add the statement of a claim to the book; of several readings, which differ in what follows @
    in their ids, the first is the main one."""
    name = made.id.split("@")[0]
    end = made.id.removeprefix(name)
    for number, row in enumerate(book.rows):
        if row.id == name:
            book.rows[number] = replace(row, others=(*row.others, end))
            return
    place = made.source.reference
    row = ledger.Statement(name, book.paper.id, "", place, "", Rank.MAIN, made.title, text, (end,))
    book.rows.append(row)


def load(path: str | Path) -> tuple[Claim, ...]:
    """The claims of a file, or of a package (its folder), which stand beside the built-in ones from
    now on.

    Raises ClaimFileError with the place in the file and the reason.
    """
    where = Path(path).resolve()
    if not where.is_file() and not (where / "__init__.py").is_file():
        kind = "the folder has no __init__.py" if where.is_dir() else "there is no such file"
        raise ClaimFileError(f"{path}: {kind}: `lemmata new claim` writes a file to start from")
    book = Book(str(where), Paper("", f"Claims of {where.name}", (), 0, "", ("",)))
    token = _open.set(book)
    try:
        runpy.run_path(str(where)) if where.is_file() else _import(where)
    except SystemExit as error:
        raise ClaimFileError(f"{path} ends the program: it may only state claims") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ClaimFileError(_told(str(path), where, error)) from error
    finally:
        _open.reset(token)
    if not book.claims:
        raise ClaimFileError(f"{path} states no claim: call claim(id, statement)")
    _covered(book, str(path))
    if twice := [one.id for one in book.claims if _is_known(one.id, book.file)]:
        raise ClaimFileError(f"{path}: another file states {twice[0]} already: rename one")
    try:
        ledger.add(book.file, book.paper, book.rows)
    except ValueError as error:
        raise ClaimFileError(f"{path}: {error}") from error
    registry.add(book.file, book.claims)
    return tuple(book.claims)


def _is_known(claim_id: str, file: str) -> bool:
    """Whether a claim of another file, or a built-in one, has this id."""
    other = registry.of_a_file(claim_id) or registry.built_in(claim_id)
    return other is not None and other.source.file != file


def _covered(book: Book, path: str) -> None:
    """Raises ClaimFileError where a statement of the ledger lacks a claim that it lists, or a claim
    mends one that is not there."""
    there = {claim.id for claim in book.claims}
    listed = [row.id + end for row in book.rows for end in (*row.main, *row.others, *row.variants)]
    for name in listed if book.listed else ():
        if name not in there:
            raise ClaimFileError(f"{path}: the ledger lists {name}, and no claim has this id")
    for claim in book.claims:
        if book.listed and claim.repairs is not None and claim.repairs not in there:
            raise ClaimFileError(f"{path}: {claim.id} mends {claim.repairs}, which is not there")


def _import(folder: Path) -> None:
    """Import a package anew, by the name that it has where its top folder lies."""
    top, names = folder, [folder.name]
    while (top.parent / "__init__.py").is_file():
        top = top.parent
        names.insert(0, top.name)
    name = ".".join(names)
    for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[loaded]
    with _found_in(top.parent):
        module = import_module(name)
    if Path(str(module.__file__)).parent != folder:
        raise ImportError(f"another package is called {name}: {module.__file__}; rename this one")


@contextmanager
def _found_in(folder: Path) -> Iterator[None]:
    """Within it, packages are looked for in this folder first."""
    invalidate_caches()
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _told(path: str, where: Path, error: BaseException) -> str:
    """Where a file went wrong, and why, in a line."""
    reason = f"{type(error).__name__}: {error}"
    if isinstance(error, TermError | LedgerError):
        reason = str(error)
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{error.filename if where.is_dir() else path}, line {error.lineno}: {reason}"
    ours = [f for f in traceback.extract_tb(error.__traceback__) if _is_of(where, f.filename)]
    if not ours:
        return f"{path}: {reason}"
    return f"{ours[-1].filename if where.is_dir() else path}, line {ours[-1].lineno}: {reason}"


def _is_of(where: Path, file: str) -> bool:
    return Path(file) == where or where in Path(file).parents


def load_installed(point: EntryPoint) -> tuple[Claim, ...]:
    """The claims of a package that is installed, of an entry point that names it. Raises
    ClaimFileError."""
    try:
        spec = find_spec(point.module)
    except (Exception, SystemExit) as error:  # of whatever kind: it is somebody else's package
        raise ClaimFileError(f"{point.value}: {type(error).__name__}: {error}") from error
    if spec is None or spec.origin is None:
        raise ClaimFileError(f"there is no package {point.module}")
    origin = Path(spec.origin)
    return load(origin.parent if origin.name == "__init__.py" else origin)
