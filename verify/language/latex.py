"""Terms as formulas: LaTeX by the templates of the table, with brackets where they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from verify.language.operators import ATOM, LOGIC, OPERATORS, POWER, PRODUCT, SUM
from verify.language.terms import Body, Notion, Term

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
    return _written(term, arrays_in(term) if names is None else names)[0]


def names_in(term: Term) -> dict[int, str]:
    """The names of all variables that binders in a term bind, for formulas of its parts."""
    found: dict[int, str] = {}
    for part in term.walk():
        for body in part.args:
            if isinstance(body, Body):
                numbers = (variable.args[0] for variable in body.variables)
                found.update(zip(numbers, body.names, strict=True))
    return found


def arrays_in(term: Term) -> dict[int, str]:
    """The names of the arrays of a term as if variables had them, so that no variable does."""
    found = dict.fromkeys(array.name for array in term.fields)
    return {-1 - k: name for k, name in enumerate(found)}


def _written(term: Term, names: Names) -> tuple[str, int]:
    """The formula, and how tightly it holds together."""
    if term.notion is not None:
        return _by_notion(term.notion, names), ATOM
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
    if term.op == "letter":
        name, *variables = term.args
        of = ", ".join(formula(one, names) for one in variables)
        return f"\\{name}" + (f"({of})" if of else ""), ATOM
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


def _by_notion(notion: Notion, names: Names) -> str:
    parts = [formula(argument, names) for argument in notion.arguments]
    return SLOT.sub(lambda slot: parts[int(slot[1])], notion.latex)


INDEXED = ("entry", "coord", "row", "column", "at")
AXES = {"rows": 0, "cols": 1, "dim": 0}
RANGED = {
    "sum": r"\sum_{{{x}={low}}}^{{{high}}} {body}",
    "prod": r"\prod_{{{x}={low}}}^{{{high}}} {body}",
    "maximum": r"\max_{{{low} \le {x} \le {high}}} {body}",
    "minimum": r"\min_{{{low} \le {x} \le {high}}} {body}",
}
"""Binders over whole numbers from one to another."""
QUANTIFIERS = {"each": r"\forall", "some": r"\exists"}


def _by_rule(term: Term, names: Names) -> str:
    """The formula of what has a better one than its template; "" of everything else."""
    if term.op in AXES and term.args[0].op == "field":
        return letter(term.args[0].args[0].axes[AXES[term.op]])
    if term.op == "rows" and term.args[0].op == "unfold":
        tensor, k = term.args[0].args
        return letter(tensor.args[0].axes[k - 1])
    if term.op in RANGED and term.args[0].op == "range":
        name, inside = entered(term.args[1], names)
        inner, level = _written(term.args[1].term, inside)
        if level > OPERATORS[term.op].level:
            inner = rf"\left({inner}\right)"
        low, high = (formula(end, names) for end in term.args[0].args)
        return RANGED[term.op].format(x=name, low=low, high=high, body=inner)
    if term.op in QUANTIFIERS:
        _, inside = entered(term.args[1], names)
        said = term.args[1].term
        further = said.op in QUANTIFIERS
        inner = rf"\; {formula(said, inside)}" if further else rf":\; {part_of(said, inside)}"
        return rf"{QUANTIFIERS[term.op]} {bound(term, names)} {inner}"
    if term.op == "and":
        return r" \text{ and } ".join(part_of(one, names) for one in conjuncts(term))
    if term.op == "if":
        return rf"\begin{{cases}} {_cases(term, names)} \end{{cases}}"
    if term.op == "card" and term.args[0].op == "examples":
        return "n"
    if term.op == "filter" and term.args[1].term.op == "truth":
        return formula(term.args[0], names) if term.args[1].term.args[0] else r"\varnothing"
    if rows := entries(term):
        lines = r" \\ ".join(" & ".join(formula(one, names) for one in row) for row in rows)
        return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}"
    return ""


def entries(term: Term) -> list[tuple[Term, ...]]:
    """The rows of a matrix, of a vector one entry each, all of whose entries are listed; none of
    another term."""
    if term.op not in ("matrix", "vector"):
        return []
    *sizes, body = term.args
    entry = body.term.args[0] if body.term.op == "real" else body.term
    for variable in reversed(body.variables):
        if entry.op != "at" or entry.args[1].op != "var":
            return []
        entry, index = entry.args
        if index.args[0] != variable.args[0]:
            return []
    lines = _listed(entry, sizes[0])
    if term.op == "vector":
        return [(part,) for part in lines]
    found = [_listed(row, sizes[1]) for row in lines]
    return found if all(found) else []


def _listed(term: Term, size: Term) -> tuple[Term, ...]:
    """The elements of a list that has as many as that size says; none of another term."""
    while term.op == "real":
        term = term.args[0]
    whole = term.op == "list" and size.op == "number" and size.args[0] == len(term.args)
    return term.args if whole else ()


def _cases(term: Term, names: Names) -> str:
    """The rows of `if`; where its last argument is one, too, the rows of that."""
    condition, first, other = term.args
    row = rf"{formula(first, names)} & \text{{if }} {formula(condition, names)} \\ "
    if other.op == "if":
        return row + _cases(other, names)
    return row + rf"{formula(other, names)} & \text{{otherwise}}"


def entered(body: Body, names: Names) -> tuple[str, dict[int, str]]:
    """Within a binder of one variable: how that is written, and the names there."""
    name = unused(body.names[0], names)
    return letter(name), {**names, body.variables[0].args[0]: name}


def bound(term: Term, names: Names) -> str:
    """Which elements a binder is about, or for what a letter stands."""
    many, body = term.args
    name, _ = entered(body, names)
    if term.op == "let":
        return f"{name} = {formula(many, names)}"
    if many.op == "range":
        low, high = (formula(end, names) for end in many.args)
        return rf"{low} \le {name} \le {high}"
    return rf"{name} \in {formula(many, names)}"


def conjuncts(term: Term) -> Iterator[Term]:
    """What `and` joins, as far down as it does."""
    if term.op != "and":
        yield term
    else:
        for part in term.args:
            yield from conjuncts(part)


def part_of(term: Term, names: Names) -> str:
    """The formula of one of several that are joined by a word."""
    text, level = _written(term, names)
    return rf"\left({text}\right)" if level == LOGIC else text


def _by_template(term: Term, names: Names) -> tuple[str, int]:
    operator = OPERATORS[term.op]
    inside, bound = dict(names), []
    for part in term.args:
        if isinstance(part, Body):
            for variable, name in zip(part.variables, part.names, strict=True):
                inside[variable.args[0]] = unused(name, inside)
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
        if term.op in INDEXED and slot[1] == "0" and "_" in text and not text.endswith(")"):
            level = max(level, POWER)  # no index of an index
        loose = level > operator.level or (slot[2] == "!" and level == operator.level)
        if slot[2] == ":" or not loose or level == ATOM:
            return text
        return rf"\left({text}\right)"

    return SLOT.sub(fill, operator.latex), operator.level


def unused(name: str, taken: Names) -> str:
    """A name that is not written as another one here."""
    base, _, index = name.partition("_")
    number, written = 2, {*map(letter, taken.values())}
    while letter(name) in written:
        name = f"{base}_{index}{number}"
        number += 1
    return name


def letter(name: str) -> str:
    """A name as it is written: one letter, with what follows as an index; longer ones upright."""
    base, _, index = name.partition("_")
    if len(index) > 1 and index.isalpha():
        index = rf"\mathrm{{{index}}}"
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
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", SUM if sign else POWER
