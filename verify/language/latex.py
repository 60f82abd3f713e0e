"""Terms as formulas: LaTeX by the templates of the table, with brackets where they are needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from verify.language.operators import ATOM, OPERATORS, POWER, PRODUCT, SUM
from verify.language.terms import Body, Term

_GREEK = """
    alpha beta gamma delta epsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi
    omega
"""
GREEK = frozenset(_GREEK.split())
SLOT = re.compile(r"\{(\d)([:!]?)\}|\{([xyz*])\}")
MADE_OF = {"weight rate": "weight", "pre rate": "pre", "post rate": "post", "output rate": "output"}

Names = Mapping[int, str]


def formula(term: Term, names: Names | None = None) -> str:
    """The formula of a term, as LaTeX."""
    return _written(term, names or {})[0]


def names_in(term: Term) -> dict[int, str]:
    """The names of all variables that binders in a term bind, for formulas of its parts."""
    found: dict[int, str] = {}
    for part in term.walk():
        for body in part.args:
            if isinstance(body, Body):
                numbers = (variable.args[0] for variable in body.variables)
                found.update(zip(numbers, body.names, strict=True))
    return found


def _written(term: Term, names: Names) -> tuple[str, int]:
    """The formula, and how tightly it holds together."""
    if term.op == "number":
        return _number(term.args[0])
    if term.op == "truth":
        return rf"\text{{{'true' if term.args[0] else 'false'}}}", ATOM
    if term.op == "var":
        return letter(names.get(term.args[0], "?")), ATOM
    if term.op == "field":
        return letter(term.args[0].name), ATOM
    if term.op == "real":
        return _written(term.args[0], names)
    if term.op == "item":
        return f"({formula(term.args[0], names)})_{{{term.args[1]}}}", POWER
    if term.op == "unfold":
        return f"{letter(term.args[0].args[0].name)}_{{({term.args[1]})}}", ATOM
    if term.op in MADE_OF:
        inner = Term(MADE_OF[term.op], term.args, term.sort)
        return rf"\frac{{d}}{{dt}} {formula(inner, names)}", PRODUCT
    if short := _by_rule(term, names):
        return short, ATOM if term.op in AXES else OPERATORS[term.op].level
    return _by_template(term, names)


INDEXED = ("entry", "coord", "row", "column", "at")
AXES = {"rows": 0, "cols": 1, "dim": 0}
RANGED = {
    "sum": r"\sum_{{{x}={low}}}^{{{high}}} {body}",
    "prod": r"\prod_{{{x}={low}}}^{{{high}}} {body}",
    "maximum": r"\max_{{{low} \le {x} \le {high}}} {body}",
    "minimum": r"\min_{{{low} \le {x} \le {high}}} {body}",
    "each": r"{body} \quad \text{{for all }} {low} \le {x} \le {high}",
    "some": r"{body} \quad \text{{for some }} {low} \le {x} \le {high}",
}
"""Binders over whole numbers from one to another."""


def _by_rule(term: Term, names: Names) -> str:
    """The formula of what has a shorter one than its template; "" of everything else."""
    if term.op in AXES and term.args[0].op == "field":
        return letter(term.args[0].args[0].axes[AXES[term.op]])
    if term.op in RANGED and term.args[0].op == "range":
        body = term.args[1]
        name = _unused(body.names[0], names)
        inside = {**names, body.variables[0].args[0]: name}
        inner, level = _written(body.term, inside)
        if level > OPERATORS[term.op].level or (level == PRODUCT and body.term.op == "neg"):
            inner = rf"\left({inner}\right)"
        low, high = (formula(end, names) for end in term.args[0].args)
        return RANGED[term.op].format(x=letter(name), low=low, high=high, body=inner)
    return ""


def _by_template(term: Term, names: Names) -> tuple[str, int]:
    operator = OPERATORS[term.op]
    inside, bound = dict(names), []
    for part in term.args:
        if isinstance(part, Body):
            for variable, name in zip(part.variables, part.names, strict=True):
                inside[variable.args[0]] = _unused(name, inside)
                bound.append(letter(inside[variable.args[0]]))
    parts = [
        _written(part.term, inside) if isinstance(part, Body) else _written(part, names)
        for part in term.args
    ]

    def fill(slot: re.Match[str]) -> str:
        if slot[3] == "*":
            return ", ".join(text for text, _ in parts)
        if slot[3]:
            return bound["xyz".index(slot[3])]
        text, level = parts[int(slot[1])]
        if term.op in INDEXED and slot[1] == "0" and "_" in text:
            level = max(level, POWER)  # no index of an index
        loose = level > operator.level or (slot[2] == "!" and level == operator.level)
        if slot[2] == ":" or not loose or level == ATOM:
            return text
        return rf"\left({text}\right)"

    return SLOT.sub(fill, operator.latex), operator.level


def _unused(name: str, taken: Names) -> str:
    """A name that stands for no other variable here."""
    base, _, index = name.partition("_")
    number = 2
    while name in taken.values():
        name = f"{base}_{index}{number}"
        number += 1
    return name


def letter(name: str) -> str:
    """A name as it is written: one letter, with what follows as an index; longer ones upright."""
    base, _, index = name.partition("_")
    if not index and (numbered := re.fullmatch(r"([A-Za-z])(\d+)", base)):
        base, index = numbered[1], numbered[2]
    if base in GREEK:
        base = f"\\{base}"
    elif len(base) > 1:
        base = rf"\mathrm{{{base}}}"
    return base + (f"_{{{index}}}" if index else "")


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), ATOM if value >= 0 else SUM
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", SUM if sign else ATOM
