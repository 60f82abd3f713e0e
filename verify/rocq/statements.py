"""Certificates of statements for Rocq: the statement for all cases, and that one case refutes it.

The statement itself is a proposition about every network (and every list and number that a case of
its domain holds). A counterexample gives the theorem that it is false, a witness that there is a
case as it says: Rocq evaluates hypotheses and conclusion at the case. Functions are total there;
that what is said has a value is the checker's part.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files
from typing import Any

from verify.checker.budget import Budget
from verify.checker.cases import Case, read_case
from verify.checker.networks import Network
from verify.checker.nodes import nameless
from verify.checker.reading import Statement, read
from verify.checker.sorts import Sort
from verify.rocq.graph import NotExported
from verify.rocq.names import comment
from verify.rocq.source import Source, rational
from verify.rocq.terms import Written, field_name, type_of

PROOF = ["vm_compute", "reflexivity"]


def export_statement(certificate: dict[str, Any]) -> str:
    """The source of an accepted certificate of a statement. Raises NotExported."""
    kind = certificate["kind"]
    if kind not in ("counterexample", "witness"):
        raise NotExported(f"no Rocq form of a {kind} is known here")
    budget = Budget()
    statement = read(budget, certificate["statement"])
    if not statement.domain.network:
        raise NotExported("no Rocq form of statements about arrays alone is known here")
    case = read_case(certificate["case"], statement.domain, statement.velocities)
    source = Source()
    source.lines += [
        comment(f"{statement.name}: {kind}, from a certificate of Lemmata"),
        *files("verify.rocq").joinpath("prelude.v").read_text(encoding="ascii").splitlines(),
    ]
    fields = [
        (field_name(name), type_of(field.sort)) for name, field in statement.domain.fields.items()
    ]
    _write_statement(source, statement, fields, exists=kind == "witness")
    _write_case(source, statement, case)
    _write_theorem(source, statement, fields, exists=kind == "witness")
    return source.text()


def _write_statement(
    source: Source, statement: Statement, fields: Sequence[tuple[str, str]], *, exists: bool
) -> None:
    written = Written()
    binder = " ".join(["(G : network)", *(f"({name} : {kind})" for name, kind in fields)])
    names = " ".join(["G", *(name for name, _ in fields)])
    for number, (name, holds) in enumerate(statement.hypotheses.items(), start=1):
        source.remark(name)
        source.define(f"hypothesis_{number}", binder, "bool", written.term(nameless(holds, 0)))
    source.remark("what is said")
    source.define("says", binder, "bool", written.term(nameless(statement.says, 0)))
    given = [
        "well_formed G = true",
        *(f"hypothesis_{k} {names} = true" for k in range(1, len(statement.hypotheses) + 1)),
    ]
    quantified = " ".join(["G", *(name for name, _ in fields)])
    says = f"says {names} = true"
    joined = (" /\\ " if exists else " -> ").join([*given, says])
    body = f"{'exists' if exists else 'forall'} {quantified}, {joined}"
    source.remark("the statement")
    source.define("statement", "", "Prop", body)


def _write_case(source: Source, statement: Statement, case: Case) -> None:
    network = case.network
    if network is None:
        raise NotExported("the case has no network")
    numbers = {name: k for k, name in enumerate(network.vertices)}
    source.remark("the case: vertices " + ", ".join(f"{k} {v}" for v, k in numbers.items()))
    source.define("at_network", "", "network", _network(network, numbers))
    for name, field in statement.domain.fields.items():
        value = _value(case.arrays[name], field.sort, numbers)
        source.define(f"at_{field_name(name)}", "", type_of(field.sort), value)


def _network(network: Network, numbers: dict[str, int]) -> str:
    if missing := [v for v in network.vertices if v not in network.slopes]:
        raise NotExported(f"the activation of {missing[0]} is not piecewise linear")
    parameters = {name: k for k, name in enumerate(network.users)}

    def weight(e: int) -> Fraction:
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
        _list(rational(Fraction(weight(e))) for e in edges),
        *(
            _list(f"{numbers[v]}%nat" for v in group)
            for group in (network.inputs, sorted(network.held), network.outputs)
        ),
        _list(
            f"({rational(Fraction(left))}, {rational(Fraction(right))})"
            for left, right in (network.slopes[v] for v in network.vertices)
        ),
        _list(
            _list(rational(Fraction(row.get(v, 0))) for v in network.vertices) for row in network.xs
        ),
        _list(rational(Fraction(value)) for value in network.labels),
        _list(rational(Fraction(value)) for value in network.loss_slopes),
        _list(
            f"({numbers[v]}%nat, {j}%nat, {rational(Fraction(value))})"
            for (v, j), value in network.at_zero.items()
        ),
        _list(rational(Fraction(size)) for size in network.sizes),
        _list(_list(rational(Fraction(one)) for one in row) for row in network.later_slopes),
    ]
    return " ".join(["Network", *parts])


def _value(value: Any, sort: Sort, numbers: dict[str, int]) -> str:
    """A value of a case."""
    if sort.name == "seq":
        return _list(_value(part, sort.parts[0], numbers) for part in value)
    if sort.name == "vertex":
        return f"{numbers[value]}%nat"
    return f"{value}%nat" if sort.name == "edge" else rational(Fraction(value))


def _list(parts: Any) -> str:
    return f"[{'; '.join(parts)}]"


def _write_theorem(
    source: Source, statement: Statement, fields: Sequence[tuple[str, str]], *, exists: bool
) -> None:
    at = " ".join(["at_network", *(f"at_{name}" for name, _ in fields)])
    source.prove("is_a_network", "well_formed at_network = true", PROOF)
    names = ["is_a_network"]
    for number, name in enumerate(statement.hypotheses, start=1):
        source.remark(f"it meets: {name}")
        source.prove(f"meets_{number}", f"hypothesis_{number} {at} = true", PROOF)
        names.append(f"meets_{number}")
    if exists:
        source.remark("there it is as is said")
        source.prove("said", f"says {at} = true", PROOF)
        given = "said"
        for name in reversed(names):
            given = f"(conj {name} {given})"
        steps = [*(f"exists {one}" for one in at.split()), f"exact {given}"]
        source.prove("found", "statement", steps, word="Theorem")
        source.lines += ["", "Print Assumptions found."]
        return
    source.remark("there what is said is false")
    source.prove("violated", f"says {at} = false", PROOF)
    applied = f"(H {at} {' '.join(names)})"
    steps = [
        "intro H",
        f"pose proof {applied} as E",
        "rewrite violated in E",
        "discriminate E",
    ]
    source.prove("refuted", "~ statement", steps, word="Theorem")
    source.lines += ["", "Print Assumptions refuted."]
