"""The certificate of a statement: reading it, and whether it shows what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from .arithmetic import rational as is_rational
from .budget import Budget
from .cases import Case, read_case
from .enclosures import Enclosure, Rational
from .identities import check_identity
from .interpreter import Run
from .operators import NUMBERS
from .outcomes import (
    ACCEPTED,
    DECLINED,
    REJECTED,
    Declined,
    Outcome,
    Rejected,
    Undecided,
    Undefined,
    reject,
    require,
    written,
)
from .places import Place, required, way
from .proofs import check_proof
from .reading import FORMAT, VERSION, Registered, Statement, called
from .reading import read as read_statement
from .records import array, fields, integer, rational, read_json, text
from .sorts import INT, NUM
from .terms import Node

NONE: Registered = {}
KINDS = ("counterexample", "witness", "necessity")
PRECISIONS = (40, 80, 160, 320)  # bits, tried in turn
COMPARISONS = ("eq", "ne", "le", "lt", "ge", "gt")

T = TypeVar("T")


Side = Rational | tuple[Rational, Rational]  # a number, or the ends of an enclosure


def check_content(content: bytes, registered: Registered = NONE) -> Outcome:
    """Check the content of a file. registered: the hashes of statements that are known, by name."""
    return _outcome(lambda: _check(read_json(content), registered))


def check(certificate: object, registered: Registered = NONE) -> Outcome:
    """Check a certificate that is read already. registered: as of `check_content`."""
    return _outcome(lambda: _check(certificate, registered))


def _outcome(accept: Callable[[], str]) -> Outcome:
    try:
        return Outcome.of(ACCEPTED, accept())
    except Rejected as refusal:
        return Outcome.of(REJECTED, str(refusal))
    except Declined as refusal:
        return Outcome.of(DECLINED, str(refusal))


def _check(certificate: object, registered: Registered) -> str:
    if not isinstance(certificate, dict):
        reject("a certificate is a JSON object")
    require(certificate.get("format") == FORMAT, f"its format is not {FORMAT!r}")
    for key in ("version", "kind"):
        require(key in certificate, f"the certificate lacks {key!r}")
    if integer(certificate["version"], "the version") != VERSION:
        raise Declined("the version of the format is not known here")
    kind = text(certificate["kind"], "the kind")
    if kind == "proof":
        return check_proof(certificate, registered)
    if kind == "polynomial":
        return check_identity(certificate, registered)
    if kind not in KINDS:
        raise Declined(f"the kind {kind!r} is not known here")
    more = ("without",) if kind == "necessity" else ()
    keys = ("format", "version", "kind", "statement", "case", "at", "value", *more)
    top = fields(certificate, "the certificate", keys)
    budget = Budget()
    statement = read_statement(budget, top["statement"])
    case = read_case(top["case"], statement.domain, statement.velocities)
    without = text(top["without"], "without") if more else None
    check = _Check(statement, case, budget)
    check.hypotheses(without)
    shown = check.conclusion(kind, array(top["at"], "at"), _read_value(top["value"]))
    meant = f"{without!r} in" if without else "of" if kind == "witness" else "to"
    of = called(statement.name, top["statement"], registered)
    return f"{kind} {'of ' if without else ''}{meant} {of}: {shown}"


# reading ------------------------------------------------------------------------------------------
def _read_value(value: object) -> dict[str, Side] | None:
    if value is None:
        return None
    sides = fields(value, "the value", ("left", "right"))
    return {name: _read_side(sides[name], f"the {name} side") for name in ("left", "right")}


def _read_side(value: object, where: str) -> Side:
    if not isinstance(value, list):
        return rational(value, where)
    low, high = (rational(end, f"an end of {where}") for end in array(value, where, 2))
    require(low <= high, f"the ends of {where} are not in order")
    return low, high


# the check ----------------------------------------------------------------------------------------
class _Check:
    """The evaluations of one certificate, at growing precision, on one budget."""

    def __init__(self, statement: Statement, case: Case, budget: Budget) -> None:
        self._statement, self._case = statement, case
        self._runs = [Run(case, budget, precision) for precision in PRECISIONS]

    def _settled(self, question: Callable[[Run], T], where: str) -> T:
        for run in self._runs:
            try:
                return question(run)
            except Undecided:
                continue
        raise Declined(f"{where}: numbers are not told apart with {PRECISIONS[-1]} bits")

    def hypotheses(self, without: str | None) -> None:
        """All are met; but not the one that is named, if one is."""
        names = self._statement.hypotheses
        if self._case.network is not None:
            one = self._settled(lambda run: run.of_one_loss(), "the slopes of the loss")
            require(one, "two examples have equal margins and different slopes of the loss")
        require(without is None or without in names, f"there is no hypothesis {without!r}")
        for name, node in names.items():
            met = self._settled(partial(_true, node), f"the hypothesis {name!r}")
            require(name == without or met, f"the hypothesis {name!r} is not met")
            require(name != without or not met, f"the hypothesis {name!r} is met")

    def conclusion(self, kind: str, at: list[Any], value: dict[str, Side] | None) -> str:
        """The statement is true, or false where the certificate says; the value is what it is."""
        witness = kind == "witness"
        require(not witness or not at, "at is not empty, and a witness is of the whole statement")
        return self._settled(lambda run: self._seen(run, witness, at, value), "the conclusion")

    def _seen(self, run: Run, witness: bool, at: list[Any], value: dict[str, Side] | None) -> str:
        says = self._statement.says
        try:
            place = Place(says, ()) if witness else way(run, says, at, required)
            leaf = place.leaf
            if leaf.operator not in COMPARISONS or any(
                argument.sort not in (INT, NUM) for argument in leaf.arguments
            ):
                require(value is None, "the value is not null, and no numbers are compared")
                truth, shown = run.value(*place), str(witness).lower()
            else:
                sides = run.values(*place)
                truth = NUMBERS[leaf.operator](run, *sides)
                shown = _compared(value, sides)
        except Undefined as error:
            raise Rejected("what the statement says has no value there") from error
        require(truth is witness, f"what the statement says is {str(truth).lower()} there")
        return f"{shown}{f' at {json.dumps(at)}' if value is None and at else ''}"


def _true(node: Node, run: Run) -> bool:
    """Whether a hypothesis is met; without a value it is not."""
    try:
        return bool(run.value(node, ()))
    except Undefined:
        return False


def _compared(value: dict[str, Side] | None, sides: list[Any]) -> str:
    """The sides as text, if they are those of the certificate."""
    if value is None:
        reject("the value is null where numbers are compared")
    for (name, claimed), side in zip(value.items(), sides, strict=True):
        shown = written(side) if is_rational(side) else str(side)
        require(_agrees(claimed, side), f"the {name} side is {shown}, not {_shown(claimed)}")
    return ", ".join(f"{name} {_shown(claimed)}" for name, claimed in value.items())


def _agrees(claimed: Side, side: Any) -> bool:
    if isinstance(side, Enclosure):
        return side.within(*claimed) if isinstance(claimed, tuple) else side == claimed
    return claimed[0] <= side <= claimed[1] if isinstance(claimed, tuple) else bool(claimed == side)


def _shown(claimed: Side) -> str:
    if isinstance(claimed, tuple):
        return f"between {written(claimed[0])} and {written(claimed[1])}"
    return written(claimed)
