"""Terms, cases and certificates of statements, by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.checker.budget import Budget
from verify.checker.cases import read_case, read_domain
from verify.checker.interpreter import Run
from verify.checker.outcomes import Rejected, Undefined
from verify.checker.sorts import INT, Sort
from verify.checker.terms import Reader

Term = Any
UNDEFINED, MALFORMED = "undefined", "malformed"


def f(name: str) -> Term:
    return ["field", name]


def v(k: int) -> Term:
    return ["var", k]


def vec(*entries: Any) -> Term:
    """A vector as a term."""
    return ["vector", len(entries), ["at", ["list", *map(_num, entries)], v(0)]]


def mat(*rows: list[Any]) -> Term:
    """A matrix as a term that stands under no binder."""
    entries = [_num(entry) for row in rows for entry in row]
    place = ["add", ["mul", ["sub", v(0), 1], len(rows[0])], v(1)]
    return ["matrix", len(rows), len(rows[0]), ["at", ["list", *entries], place]]


def _num(entry: Any) -> Term:
    return str(entry) if isinstance(entry, int | Fraction) else entry


def array(sort: str, entries: Any, *axes: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A field of the domain, and its record in a case."""
    record = {"axes": list(axes), "entries": written(entries)}
    return {"sort": sort, "axes": list(axes)}, record | ({"integer": True} if sort == "int" else {})


def written(entries: Any) -> Any:
    return [written(entry) for entry in entries] if isinstance(entries, list) else str(entries)


def domain_and_case(**arrays: tuple[dict[str, Any], dict[str, Any]]) -> tuple[Any, Any]:
    domain = {"arrays": {name: pair[0] for name, pair in arrays.items()}}
    records = {name: pair[1] for name, pair in arrays.items()}
    return domain, {"format": "tensors", "arrays": records, "choice": {}}


def value(term: Term, network: Any = None, flow: Any = None, bits: int = 80, **arrays: Any) -> Any:
    """The value of a term, with vectors, matrices and lists as lists; or why it has none."""
    domain, case = ({"network": True}, network) if network else domain_and_case(**arrays)
    declared = read_domain(domain)
    sorts = declared.sorts
    try:
        velocities = Reader(Budget(), sorts, declared.network, None)
        moving = {n: velocities.read(t, n, sorts[n], INT) for n, t in (flow or {}).items()}
        node = Reader(Budget(), sorts, declared.network, moving)._term(term, ())
    except Rejected:
        return MALFORMED
    try:
        found = Run(read_case(case, declared, moving), Budget(), bits).value(node, ())
    except Undefined:
        return UNDEFINED
    return plain(found)


def sort_of(term: Term, network: bool = False, **sorts: Sort) -> str:
    """The sort of a term, or that it is malformed."""
    try:
        return str(Reader(Budget(), sorts, network, ())._term(term, ()).sort)
    except Rejected:
        return MALFORMED


def plain(found: Any) -> Any:
    return [plain(x) for x in found] if isinstance(found, tuple) else found


def near(found: Any, expected: float, tolerance: float = 1e-11) -> bool:
    """Whether a number that is not rational is enclosed around a floating-point number."""
    low, high = (Fraction(end) * Fraction(2) ** found.exponent for end in (found.low, found.high))
    return low < high and all(abs(float(end) - expected) < tolerance for end in (low, high))


def certificate(says: Term, at: list[Any], sides: Any, kind: str = "counterexample", **more: Any):
    """A certificate of a statement about arrays or a network; sides: left and right, or None."""
    domain, case, flow = more.pop("domain", None), more.pop("case", None), more.pop("flow", {})
    hypotheses = more.pop("hypotheses", {})
    arrays = {name: more.pop(name) for name in list(more) if name != "without"}
    if domain is None:
        domain, made = domain_and_case(**arrays)
        case = case or made
    return {
        "format": "lemmata-statement",
        "version": 1,
        "kind": kind,
        "statement": {
            "id": "mine.lemma1",
            "domain": domain,
            "flow": flow,
            "hypotheses": [{"name": name, "holds": term} for name, term in hypotheses.items()],
            "says": says,
        },
        "case": case,
        "at": at,
        "value": None if sides is None else {"left": sides[0], "right": sides[1]},
    } | more


def network(
    edges: list[str],
    weights: list[Any],
    activations: dict[str, str] | None = None,
    examples: list[tuple[list[Any], Any, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A case: edges "tail>head" or "tail>head=parameter"; a weight for each parameter in the order
    of first appearance; examples x, y, slope; inputs begin with x, outputs with o."""
    pairs, parameters = [], []
    for edge in edges:
        ends, _, parameter = edge.partition("=")
        pairs.append(ends.split(">"))
        parameters.append(parameter or ends)
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    held = more.pop("held", {})
    vertices = []
    for name in names:
        kind, _, slope = (activations or {}).get(name, "linear").partition(" ")
        vertices.append({"name": name, "activation": kind} | ({"slope": slope} if slope else {}))
    fixed = more.pop("fixed", {})
    kept = [p for p in dict.fromkeys(parameters) if p not in fixed]
    return {
        "network": {
            "format": "lemmata-network",
            "version": 1,
            "vertices": vertices,
            "inputs": [name for name in names if name.startswith("x") or name in held],
            "outputs": [name for name in names if name.startswith("o")],
            "constants": {name: str(number) for name, number in held.items()},
            "edges": [
                {"tail": tail, "head": head}
                | ({"fixed": str(fixed[p])} if p in fixed else {"parameter": p})
                for (tail, head), p in zip(pairs, parameters, strict=True)
            ],
            "weights": {p: str(w) for p, w in zip(kept, weights, strict=True)},
        },
        "examples": [
            {"x": written(x), "y": str(y), "slope": str(slope)}
            for x, y, slope in examples or [([1], 1, -1)]
        ],
    } | more
