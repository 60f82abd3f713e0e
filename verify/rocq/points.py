"""Counterexamples and witnesses as Rocq source: closed arithmetic with rationals, computed.

The network is evaluated forward and backward at its weights, step by step; the hypotheses about
numbers are Boolean facts, the residual is the value of the certificate and not 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verify.checker.restated import STATEMENTS
from verify.rocq import facts
from verify.rocq.evaluated import Point, rational, read_point
from verify.rocq.graph import Graph
from verify.rocq.identities import layer_coefficients, vertex_coefficients
from verify.rocq.laws import paired_edges
from verify.rocq.names import at_example, identifier
from verify.rocq.source import Source, signed_sum
from verify.rocq.traced import write_traced

Entry = dict[str, Any]
RISK = (facts.unit_data, facts.loss)
FLOW = (*RISK, facts.flow_point)


@dataclass(frozen=True)
class Form:
    """A claim: the residual of an entry, and what is supposed of the numbers."""

    residual: Callable[[Point, Entry], str]
    supposed: tuple[Callable[[Point, Entry], list[facts.Fact]], ...] = ()


def write_point(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The definitions and theorems of a counterexample or witness. Returns the theorems' names."""
    if certificate["claim"] in FORMS and certificate["kind"] != "necessity":
        theorems = _write_form(source, certificate)
    else:
        theorems = write_traced(source, certificate)
    value = rational(Fraction(certificate["value"]))
    for name, statement, lemma in (
        ("residual_value", f"residual == {value}", "Qeq_bool_eq"),
        ("violated", "~ residual == 0", "Qeq_bool_neq"),
    ):
        steps = [f"apply {lemma}", "vm_compute", "reflexivity"]
        source.prove(name, statement, steps, word="Theorem")
    theorems += ["residual_value", "violated"]
    if STATEMENTS[certificate["claim"]].inequality:
        steps = ["vm_compute", "reflexivity"]
        source.prove("negative", "Qle_bool 0 residual = false", steps, word="Theorem")
        theorems.append("negative")
    return theorems


def _write_form(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The definitions of a case of a claim with a form of its own."""
    claim, entry = certificate["claim"], certificate["entry"]
    form, point = FORMS[claim], read_point(certificate["case"])
    source.remark("the slope of an activation at z; at a kink the one to its right")
    source.define("slope", "(left right z : Q)", "Q", "if Qle_bool 0 z then right else left")
    source.define("same", "(a b : bool)", "bool", "if a then b else negb b")
    point.write(source)
    if claim == "control.false":
        point.write_mirrored(source, entry["example"])
    residual = form.residual(point, entry)
    found = [fact for supposed in form.supposed for fact in supposed(point, entry)]
    facts.write(source, found)
    source.remark("the residual")
    source.define("residual", "", "Q", f"Qred ({residual})")
    return ["hypotheses"] if found else []


# residuals ----------------------------------------------------------------------------------------
def _output(point: Point, entry: Entry, of: str = "post") -> str:
    return at_example(identifier(of, point.graph.output), entry["example"])


def oddness(point: Point, entry: Entry) -> str:
    """nu(-x) + nu(x)."""
    return f"{_output(point, entry, 'mirrored_post')} + {_output(point, entry)}"


def gradient_minus_velocity(point: Point, entry: Entry, sign: int = 1) -> str:
    """dR/dw - dw/dt (sign 1), or dw/dt - dR/dw (sign -1), with dR/dw the sum over examples."""
    graph = point.graph
    e = graph.edge(*entry["edge"])
    risk = " + ".join(
        f"{at_example('kappa', j)} * {at_example(graph.derivative(e), j)}"
        for j in range(point.count)
    )
    moved = identifier("v", *entry["edge"])
    return f"({risk}) - {moved}" if sign == 1 else f"{moved} - ({risk})"


def rate_of_squares(
    point: Point, entry: Entry, coefficients: Callable[[Graph, Entry], dict[int, int]]
) -> str:
    """The rate of the sum of c_e w_e^2."""
    graph = point.graph
    return signed_sum(
        (2 * c, f"{graph.weight(e)} * {_velocity(graph, e)}")
        for e, c in coefficients(graph, entry).items()
    )


def doubled(graph: Graph, entry: Entry) -> dict[int, int]:
    """The planted control: the out-edges are counted twice."""
    return {e: c if c > 0 else 2 * c for e, c in vertex_coefficients(graph, entry).items()}


def rate_of_products(point: Point, entry: Entry, first: str = "in") -> str:
    """The rate of the sum of w_au w_av minus that of w_ub w_vb; the other way round by first."""
    graph, (u, v) = point.graph, entry["pair"]
    sides = []
    for incoming in (True, False) if first == "in" else (False, True):
        terms = [
            f"{graph.weight(e)} * {_velocity(graph, f)} + {graph.weight(f)} * {_velocity(graph, e)}"
            for e, f in paired_edges(graph, u, v, incoming)
        ]
        sides.append(f"({' + '.join(terms)})")
    return " - ".join(sides)


def _velocity(graph: Graph, e: int) -> str:
    return identifier("v", graph.edges[e].tail, graph.edges[e].head)


LAYERS = partial(rate_of_squares, coefficients=layer_coefficients)
FORMS = {
    "control.false": Form(oddness),
    "lj22.eq31": Form(partial(gradient_minus_velocity, sign=-1), FLOW),
    "control.planted.lj22": Form(partial(rate_of_squares, coefficients=doubled), FLOW),
    **{claim: Form(LAYERS, FLOW) for claim in ("lj22.lemma3@A", "lj22v1.eq8.b@A", "lj22.bias@BA")},
    "lj22.lemma2b@A": Form(rate_of_products, (*FLOW, facts.patterns)),
    "lj22v1.lemma3b": Form(rate_of_products, FLOW),
    "lj22.lemma4": Form(
        partial(rate_of_products, first="out"), (*RISK, facts.no_kink, facts.opposite)
    ),
}
