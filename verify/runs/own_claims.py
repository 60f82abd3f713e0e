"""Claims of one's own: a file of statements in the language, in any repository.

    from lemmata import Matrix, claim, rank

    A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
    claim("mine.lemma1", rank(A @ B) <= rank(A), "A product has at most the rank of a factor.")

`load` reads such a file, and its claims stand beside the built-in ones: the same search, exact
counterexamples, certificates that the checker accepts, mutants, constants and reports.
"""

from __future__ import annotations

import runpy
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verify.core import ledger
from verify.core.claim import Claim, Source
from verify.core.ledger import Paper, Rank
from verify.language.latex import formula
from verify.language.proofs import Proof
from verify.language.rates import Motion
from verify.language.statements import Statement
from verify.language.terms import Term, TermError
from verify.papers import registry
from verify.statements.stated import Given, in_words, stated

LONGEST_TITLE = 100  # characters; a longer text is not the title of its claim


class ClaimFileError(ValueError):
    """A file of claims that cannot be read: where, and why."""


@dataclass
class Book:
    """What a file says: its paper, its claims, the rows of its ledger."""

    file: str
    paper: Paper
    claims: list[Claim] = field(default_factory=list)
    rows: list[ledger.Statement] = field(default_factory=list)


_open: ContextVar[Book | None] = ContextVar("book", default=None)


def paper(
    id: str,  # noqa: A002 - as it is called everywhere
    title: str,
    *,
    authors: Sequence[str] = (),
    year: int = 0,
    venue: str = "",
) -> None:
    """Tell which paper the claims of this file are from: the first word of their ids.

    Example: `paper("dhl18", "Algorithmic regularization", authors=("Simon S. Du",), year=2018)`

    id: like "dhl18". Raises TermError where the file has claims already.
    """
    book = _open.get()
    if book is None:
        return
    if book.claims:
        raise TermError(f"paper({id!r}): name it before the first claim")
    book.paper = Paper(id, title, tuple(authors), year, venue, ("",))


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
    place: where it is printed, like "Lemma 1". proof: what adds the steps of a proof, see
    docs/language.md, "Writing a proof"; one for each part that `and` joins. Raises TermError, which
    names what is wrong.
    """
    several = (given,) if isinstance(given, Term) else given
    hypotheses = several if isinstance(several, Mapping) else {in_words(t): t for t in several}
    if id.count(".") < 1 or id.startswith("."):
        raise TermError(f"claim({id!r}): an id is a paper and a statement, like mine.lemma1")
    shown = f"${formula(says)}$"
    made = stated(
        id,
        Source(id.split(".")[0], "", place or id),
        title or (text if 0 < len(text) <= LONGEST_TITLE else shown),
        shown,
        says,
        [Given(name, holds) for name, holds in hypotheses.items()],
        flow=flow,
        activations=(activations,) if isinstance(activations, str) else tuple(activations),
        proofs=[proof] if callable(proof) else proof,
        repairs=repairs or None,
    )
    assert made.terms is not None
    _check_motion(made.terms)
    book = _open.get()
    if book is not None:
        _enter(book, made, text or shown)
    return made


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
    if made.repairs is None:
        row = ledger.Statement(
            made.id,
            book.paper.id,
            "",
            made.source.reference,
            "",
            Rank.MAIN,
            made.title,
            text,
            ("",),
        )
        book.rows.append(row)


def load(path: str | Path) -> tuple[Claim, ...]:
    """The claims of a file, which stand beside the built-in ones from now on.

    Raises ClaimFileError with the place in the file and the reason.
    """
    file = str(Path(path).resolve())
    if not Path(file).is_file():
        raise ClaimFileError(f"no file {path}: `lemmata new claim` writes one to start from")
    book = Book(file, Paper("", f"Claims of {Path(path).name}", (), 0, "", ("",)))
    token = _open.set(book)
    try:
        runpy.run_path(file)
    except SystemExit as error:
        raise ClaimFileError(f"{path} ends the program: it may only state claims") from error
    except Exception as error:
        raise ClaimFileError(_told(str(path), file, error)) from error
    finally:
        _open.reset(token)
    if not book.claims:
        raise ClaimFileError(f"{path} states no claim: call claim(id, statement)")
    known = {claim.id for claim in registry.all_claims() if claim.source.file != file}
    if twice := [one.id for one in book.claims if one.id in known]:
        raise ClaimFileError(f"{path}: another file states {twice[0]} already: rename one")
    try:
        ledger.add(book.file, book.paper, book.rows)
    except ValueError as error:
        raise ClaimFileError(f"{path}: {error}") from error
    registry.add(book.file, book.claims)
    return tuple(book.claims)


def _told(path: str, file: str, error: Exception) -> str:
    """Where a file went wrong, and why, in a line."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    line = error.lineno if isinstance(error, SyntaxError) else (lines[-1] if lines else None)
    reason = str(error) if isinstance(error, TermError) else f"{type(error).__name__}: {error}"
    return f"{path}{f', line {line}' if line else ''}: {reason}"
