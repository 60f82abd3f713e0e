"""The checker of statements before perturbed certificates: what it accepts must be so.

Certificates of false claims (examples, planted ones, those kept of LJ22) are changed at random:
numbers, operators, keys, whole parts, types, sizes, in the statement, the case, the place and the
value. Whatever is still accepted is read by the engine's interpreter and must be false there too,
at that place. Printed: how many are accepted, rejected, declined; the longest check and the most
memory; and every acceptance that the engine does not confirm, and every exception.

Run: python -m benchmarks.perturbed [--count N] [--seed N]
"""

from __future__ import annotations

import argparse
import copy
import json
import resource
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from graphs.rationals import RATIONALS
from verify.cases.case import case_from_json
from verify.cases.tensors import tensors_from_json
from verify.checker import ACCEPTED, check
from verify.core.budgets import budget_named
from verify.language.domains import domain_from_json
from verify.language.evaluation import Evaluation
from verify.language.frames import TooManyRowsError
from verify.language.operators import OPERATORS
from verify.language.records import from_json
from verify.language.statements import Statement
from verify.language.terms import TermError
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.runs.own_claims import load
from verify.search.exhibits import exhibits

ROOT = Path(__file__).parents[1]
FILES = (
    "examples/claims/dhl18.py",
    "benchmarks/planted/false_arrays.py",
    "benchmarks/planted/false_networks.py",
)
HUGE = (10**9, -(10**9), 10**30, "1/" + "3" * 60, "9" * 400)
ODD: tuple[Any, ...] = (None, True, [], {}, "", "x", -1, 0, 1, 2, "1/2", "-3/7", ["var", 0])


def seeds() -> list[dict[str, Any]]:
    """Certificates of the false claims in the files, and those that are kept."""
    context = Context(budget_named("ci"))
    kept = ((find(name), one) for name, one in exhibits("lj22").items())
    whole = (one.certificate_of(claim) for claim, one in kept if claim.terms is not None)
    found = [certificate for certificate in whole if certificate is not None]
    for file in FILES:
        for claim in load(ROOT / file):
            evidence = pointwise(claim, context)
            if evidence is not None and evidence.certificate is not None:
                found.append(evidence.certificate)
    return found


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all parts of a JSON value."""
    found = [way]
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            found += places(part, (*way, key))
    return found


def at(value: Any, way: tuple[Any, ...]) -> Any:
    """The part of a JSON value at the end of a way."""
    for key in way:
        value = value[key]
    return value


def perturbed(seed: dict[str, Any], random: Random) -> dict[str, Any]:
    """A certificate with one to three changes."""
    made = copy.deepcopy(seed)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        ways = [way for way in places(made) if way]
        way = random.choice(ways)
        holder, key = at(made, way[:-1]), way[-1]
        old = holder[key]
        change = random.random()
        if change < 0.45:
            holder[key] = nearby(old, random)
        elif change < 0.6:
            holder[key] = copy.deepcopy(at(made, random.choice(ways)))
        elif change < 0.7:
            holder[key] = random.choice(HUGE)
        elif change < 0.85:
            holder[key] = copy.deepcopy(random.choice(ODD))
        elif change < 0.93 or not isinstance(holder, list):
            del holder[key]
        else:
            holder.insert(key, copy.deepcopy(old))
    return made


def nearby(old: Any, random: Random) -> Any:
    """A value of the same kind."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return old + random.choice((-2, -1, 1, 2))
    if isinstance(old, str):
        if old in OPERATORS:
            return random.choice(sorted(OPERATORS))
        try:
            return str(Fraction(old) + Fraction(random.randint(-3, 3), random.randint(1, 3)))
        except (ValueError, ZeroDivisionError):
            return old[::-1]
    if isinstance(old, list):
        return random.sample(old, len(old))
    return {key: old[key] for key in list(old)[1:]} if isinstance(old, dict) else "0"


def confirmed(certificate: dict[str, Any]) -> bool:
    """Whether the engine, too, finds the statement false at the place (of a witness: true)."""
    data = certificate["statement"]
    domain = domain_from_json(data["domain"])
    arrays = domain.arrays
    statement = Statement(
        data["id"],
        from_json(data["says"], arrays),
        {row["name"]: from_json(row["holds"], arrays) for row in data.get("hypotheses", [])},
        {name: from_json(term, arrays) for name, term in data.get("flow", {}).items()},
        domain.activations,
    )
    read = case_from_json if domain.network else tensors_from_json
    case: Any = read(certificate["case"])
    scene = type(case).scene([case], RATIONALS)
    met = {name: bool(statement.hypothesis(name)(scene)[0]) for name in statement.given}
    left_out = certificate.get("without")
    if any(met[name] == (name == left_out) for name in met):
        return False
    if certificate["kind"] == "witness":
        column = Evaluation(scene).column(statement.worked_out)
        return bool(column.defined[0] and column.values[0])
    entries = statement.measure(scene)
    for k in range(len(entries)):
        if entries.label(k)["at"] == certificate["at"]:
            value = entries.values[k]
            return bool(value < 0) if statement.ordered else bool(value != 0)
    return False


def main() -> None:
    """Perturb, check, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random, known = Random(options.seed), seeds()
    codes: Counter[int] = Counter()
    same, beyond, longest, wrong = 0, 0, 0.0, []
    for _ in range(options.count):
        seed = random.choice(known)
        certificate = perturbed(seed, random)
        start = time.process_time()
        outcome = check(certificate)
        longest = max(longest, time.process_time() - start)
        codes[outcome.code] += 1
        if outcome.code != ACCEPTED:
            continue
        same += certificate == seed
        try:
            agrees = confirmed(certificate)
        except (TooManyRowsError, TermError):  # larger than the engine looks at, or of no array
            beyond += 1
            continue
        except Exception as error:  # noqa: BLE001 - what the engine cannot read it does not confirm
            agrees = False
            print(f"not read: {type(error).__name__}: {error}")
        if not agrees:
            wrong.append(certificate)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{options.count} perturbed certificates of {len(known)}: {codes[0]} accepted "
        f"({same} as they were), {codes[1]} rejected, {codes[2]} declined"
    )
    print(f"longest check {longest:.2f} CPU s, memory {memory:.2f} GiB with the engine")
    print(f"accepted, and not confirmed by the engine: {len(wrong)}; not read by it: {beyond}")
    for certificate in wrong[:10]:
        print(json.dumps(certificate))


if __name__ == "__main__":
    main()
