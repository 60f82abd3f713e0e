"""The mutants of a measure: every change of its source and of its parameters, and a fair choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from functools import cache, partial
from types import FunctionType
from typing import Any

from verify.search.mutants.clones import Slot, parts, states
from verify.search.mutants.rules import RULE_NAMES, Site, sites
from verify.search.mutants.sources import NoSourceError

Measure = Callable[[Any], Any]
NEAR = 1  # calls between a measure and what it calls itself
READINGS = 3  # other values that are tried for a parameter
Parameter = tuple[str, str, int, str, str]  # module, function, line, way, name


@dataclass(frozen=True)
class Candidate:
    """A changed measure: by which rule, what was changed, how to build it, and how many calls lie
    between the measure and the change."""

    rule: str
    change: str
    build: Callable[[], Measure]
    depth: int = 0


def candidates(measure: Measure) -> list[Candidate]:
    """Every mutant of a measure, the statement itself before what it calls."""
    made = parts(measure)
    found = []
    for function in made.functions:
        depth = made.depth[id(function)]
        for site in sites(function):
            build = partial(_at_site, measure, site)
            found.append(Candidate(site.rule, site.change, build, depth))
    for slot, rule, words, value in _parameters(measure):
        found.append(Candidate(rule, words, partial(made.rebuilt, {}, {slot: value})))
    return found


def _at_site(measure: Measure, site: Site) -> Measure:
    built: Measure = parts(measure).rebuilt({site.function: site.code}, names=RULE_NAMES)
    return built


def chosen(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """At most so many of the candidates: two thirds from the measure and what it calls itself, the
    rest from what these call, and more from one where the other has fewer."""
    near = [one for one in found if one.depth <= NEAR]
    far = [one for one in found if one.depth > NEAR]
    share = max(most - len(far), min(len(near), most - most // 3))
    return [*_evenly(near, share), *_evenly(far, most - min(share, len(near)))]


def _evenly(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """At most so many of the candidates: each rule in turn, and of each rule evenly spaced
    places, the first one among them."""
    by_rule: dict[str, list[Candidate]] = {}
    for candidate in found:
        by_rule.setdefault(candidate.rule, []).append(candidate)
    share = dict.fromkeys(by_rule, 0)
    for _ in range(min(most, len(found))):
        open_rules = [rule for rule in by_rule if share[rule] < len(by_rule[rule])]
        share[min(open_rules, key=share.__getitem__)] += 1
    return [
        by_rule[rule][k * len(by_rule[rule]) // number]
        for rule, number in share.items()
        for k in range(number)
    ]


def built(candidate: Candidate) -> Measure | None:
    """The changed measure; None where the change does not compile."""
    try:
        return candidate.build()
    except NoSourceError:
        return None


# parameters -------------------------------------------------------------------------------------
def _parameters(measure: Measure) -> Iterator[tuple[Slot, str, str, Any]]:
    """Other values of the parameters that partials and closures bind: numbers and truth values
    nearby, and what the same parameter is in other claims."""
    made = parts(measure)
    for holder, held in made.held.items():
        key = _key(made.values[holder])
        if key is None:
            continue
        for way, name, value in held:
            if way not in ("argument", "keyword", "cell", "named default"):
                continue
            told = _name(made.values[holder], way, name)
            given = "keyword" if way == "named default" else way
            for rule, other in _others(value, (*key, given, name)):
                words = f"{told} = {_told(value)} -> {_told(other)} in {key[1].split('.')[-1]}"
                yield (holder, way, name), rule, words, other


def _others(value: Any, parameter: Parameter) -> Iterator[tuple[str, Any]]:
    if type(value) in (int, Fraction):
        yield from (("constant", value + step) for step in (1, -1))
    elif isinstance(value, bool):
        yield "operands", not value
        return
    others = [x for x in registered().get(parameter, ()) if not same(x, value)]
    numbers = isinstance(value, int | Fraction)
    near = [x for x in others if not (numbers and abs(x - value) == 1)]
    yield from (("reading", other) for other in near[:READINGS])


@cache
def registered() -> dict[Parameter, list[Any]]:
    """The values that each parameter takes among the registered claims."""
    from verify.papers.registry import all_claims

    found: dict[Parameter, list[Any]] = {}
    for claim in all_claims():
        if claim.measure is None:
            continue
        made = parts(claim.measure)
        for holder, held in made.held.items():
            key = _key(made.values[holder])
            for way, name, value in held if key is not None else ():
                values = found.setdefault((*key, way, name), [])  # type: ignore[misc]  # not None
                if not any(same(value, other) for other in values):
                    values.append(value)
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are the same; functions by identity."""
    return one is other or (type(one) is type(other) and not callable(one) and bool(one == other))


def _key(holder: Any) -> tuple[str, str, int] | None:
    """Which function of a statement has the parameters; None where it is the engine's."""
    while isinstance(holder, partial):
        holder = holder.func
    if not isinstance(holder, FunctionType) or not states(holder):
        return None
    return holder.__module__, holder.__qualname__, holder.__code__.co_firstlineno


def _name(holder: Any, way: str, name: str) -> str:
    """The name of a parameter; of a positional one the name that its function gives it."""
    if way != "argument":
        return name
    while isinstance(holder, partial):
        holder = holder.func
    number = int(name)
    names = holder.__code__.co_varnames
    return str(names[number]) if number < len(names) else name


def _told(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, partial):
        given = [*map(_told, value.args), *(f"{k}={_told(v)}" for k, v in value.keywords.items())]
        return f"{_told(value.func)}({', '.join(given)})"
    if isinstance(value, FunctionType):
        return value.__name__
    if is_dataclass(value) and hasattr(value, "name"):
        return str(value.name)
    text = repr(value) if not isinstance(value, Fraction) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
