"""Certificates of statements for Rocq: the statement for all cases, and that one case refutes it.

The statement itself is a proposition about every case of its domain: every network, and every list
and number that a case holds. A counterexample gives the theorem that it is false, a witness that
there is a case as it says: Rocq evaluates hypotheses and conclusion at the case. Functions are
total there; that what is said has a value is the checker's part.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files
from typing import Any

from verify.checker.budget import Budget
from verify.checker.cases import Case, read_case
from verify.checker.networks import Network
from verify.checker.nodes import placed
from verify.checker.reading import Statement, read
from verify.checker.sorts import Sort
from verify.rocq.names import comment
from verify.rocq.proofs import export_proof
from verify.rocq.source import NotExported, Source, rational
from verify.rocq.terms import Written, belonging, field_name, type_of

PROOF = ["vm_compute", "reflexivity"]


class Quantified:
    """What a case holds: the network, where there is one, and lists and numbers by name."""

    def __init__(self, statement: Statement) -> None:
        self.statement, self.network = statement, statement.domain.network
        self.fields = {
            field_name(name): (name, field) for name, field in statement.domain.fields.items()
        }
        kinds = {name: type_of(field.sort) for name, (_, field) in self.fields.items()}
        self.names = [*(["G"] if self.network else []), *self.fields]
        binders = [f"({name} : {kind})" for name, kind in kinds.items()]
        self.binder = " ".join([*(["(G : network)"] if self.network else []), *binders])
        self.at = [f"at_{name}" for name in self.names]

    @property
    def conditions(self) -> list[str]:
        """What makes them a case: Boolean terms."""
        found = ["well_formed G"] if self.network else []
        for name, (_, field) in self.fields.items():
            found.append(f"{belonging(field.sort)} {name}")
            if field.least is not None:
                found.append(f"qle ({field.least}) {name}")
            if field.largest is not None:
                found.append(f"qle {name} ({field.largest})")
        return found


def export_statement(certificate: dict[str, Any]) -> str:
    """The source of an accepted certificate of a statement. Raises NotExported."""
    kind = certificate["kind"]
    if kind == "proof":
        return export_proof(certificate)
    if kind not in ("counterexample", "witness"):
        raise NotExported(f"no Rocq form of a {kind} is known here")
    statement = read(Budget(), certificate["statement"])
    case = read_case(certificate["case"], statement.domain, statement.velocities)
    quantified, exists, source = Quantified(statement), kind == "witness", Source()
    if statement.domain.activations:
        raise NotExported("no Rocq form of a statement that names activations is known here")
    if not quantified.names:
        raise NotExported(
            "no Rocq form of a statement about no network and no number is known here"
        )
    source.lines += [
        comment(f"{statement.name}: {kind}, from a certificate of Lemmata"),
        *files(__package__).joinpath("prelude.v").read_text(encoding="ascii").splitlines(),
    ]
    _write_statement(source, quantified, exists=exists)
    _write_case(source, quantified, case)
    _write_theorem(source, quantified, exists=exists)
    return source.text()


def _write_statement(source: Source, quantified: Quantified, *, exists: bool) -> None:
    written, statement = Written(), quantified.statement
    names = " ".join(quantified.names)
    source.remark("what is a case")
    source.define("is_case", quantified.binder, "bool", _joined(quantified.conditions, "&&"))
    for number, (name, holds) in enumerate(statement.hypotheses.items(), start=1):
        source.remark(name)
        body = written.term(placed(holds, ()))
        source.define(f"hypothesis_{number}", quantified.binder, "bool", body)
    source.remark("what is said")
    source.define("says", quantified.binder, "bool", written.term(placed(statement.says, ())))
    given = [
        f"is_case {names} = true",
        *(f"hypothesis_{k} {names} = true" for k in range(1, len(statement.hypotheses) + 1)),
        f"says {names} = true",
    ]
    word, link = ("exists", "/\\") if exists else ("forall", "->")
    source.remark("the statement")
    source.define("statement", "", "Prop", f"{word} {names}, {_joined(given, link)}")


def _joined(parts: Sequence[str], link: str) -> str:
    return f" {link} ".join(parts)


def _write_case(source: Source, quantified: Quantified, case: Case) -> None:
    numbers: dict[str, int] = {}
    if case.network is not None:
        numbers = {name: k for k, name in enumerate(case.network.vertices)}
        source.remark("the case: vertices " + ", ".join(f"{k} {v}" for v, k in numbers.items()))
        source.define("at_G", "", "network", _network(case.network, numbers))
    for name, (of_case, field) in quantified.fields.items():
        value = _value(case.arrays[of_case], field.sort, numbers)
        source.define(f"at_{name}", "", type_of(field.sort), value)


def _network(network: Network, numbers: dict[str, int]) -> str:
    if missing := [v for v in network.vertices if v not in network.slopes]:
        raise NotExported(f"the activation of {missing[0]} is not piecewise linear")
    parameters = {name: k for k, name in enumerate(network.users)}

    def weight(e: int) -> int | Fraction:
        edge = network.edges[e]
        return edge.fixed if edge.parameter is None else network.weights[edge.parameter]

    def parameter(e: int) -> str:
        name = network.edges[e].parameter
        return "None" if name is None else f"Some {parameters[name]}%nat"

    edges = range(len(network.edges))
    parts = [
        _list(f"{numbers[v]}%nat" for v in network.order),
        _list(f"({numbers[one.tail]}, {numbers[one.head]})%nat" for one in network.edges),
        _list(map(parameter, edges)),
        _list(rational(weight(e)) for e in edges),
        *(
            _list(f"{numbers[v]}%nat" for v in group)
            for group in (network.inputs, sorted(network.held), network.outputs)
        ),
        _list(
            f"({rational(left)}, {rational(right)})"
            for left, right in (network.slopes[v] for v in network.vertices)
        ),
        _list(_list(rational(row.get(v, 0)) for v in network.vertices) for row in network.xs),
        _list(rational(value) for value in network.labels),
        _list(rational(value) for value in network.loss_slopes),
        _list(
            f"({numbers[v]}%nat, {j}%nat, {rational(value)})"
            for (v, j), value in network.at_zero.items()
        ),
        _list(rational(size) for size in network.sizes),
        _list(_list(rational(one) for one in row) for row in network.later_slopes),
    ]
    return " ".join(["Network", *parts])


def _value(value: Any, sort: Sort, numbers: dict[str, int]) -> str:
    """A value of a case."""
    if sort.name == "seq":
        return _list(_value(part, sort.parts[0], numbers) for part in value)
    if sort.name == "vertex":
        return f"{numbers[value]}%nat"
    return f"{value}%nat" if sort.name == "edge" else rational(value)


def _list(parts: Any) -> str:
    return f"[{'; '.join(parts)}]"


def _write_theorem(source: Source, quantified: Quantified, *, exists: bool) -> None:
    at = " ".join(quantified.at)
    source.prove("at_case", f"is_case {at} = true", PROOF)
    names = ["at_case"]
    for number, name in enumerate(quantified.statement.hypotheses, start=1):
        source.remark(f"it meets: {name}")
        source.prove(f"meets_{number}", f"hypothesis_{number} {at} = true", PROOF)
        names.append(f"meets_{number}")
    if exists:
        source.remark("there it is as is said")
        source.prove("said", f"says {at} = true", PROOF)
        given = "said"
        for name in reversed(names):
            given = f"(conj {name} {given})"
        steps = [*(f"exists {one}" for one in quantified.at), f"exact {given}"]
        source.prove("found", "statement", steps, word="Theorem")
        source.lines += ["", "Print Assumptions found."]
        return
    source.remark("there what is said is false")
    source.prove("violated", f"says {at} = false", PROOF)
    steps = [
        "intro H",
        f"pose proof (H {at} {' '.join(names)}) as E",
        "rewrite violated in E",
        "discriminate E",
    ]
    source.prove("refuted", "~ statement", steps, word="Theorem")
    source.lines += ["", "Print Assumptions refuted."]
