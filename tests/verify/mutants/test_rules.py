"""The changes that make another statement, and the rewrites that do not."""

from collections import Counter
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.mutants import samples
from verify.papers import registry
from verify.papers.registry import all_claims, find
from verify.search.mutants import candidates as module
from verify.search.mutants.candidates import candidates, chosen
from verify.search.mutants.clones import parts
from verify.search.mutants.rewrites import rewrites
from verify.search.mutants.rules import sites
from verify.search.mutants.sources import NoSourceError, definition_of

RATIONALS = st.fractions(-3, 3, max_denominator=5)


def changes(function):
    """What the rules change in a function, without the places."""
    return sorted((site.rule, site.change.rsplit(" in ", 1)[0]) for site in sites(function))


def test_the_changes_of_a_formula_are_those_that_were_counted_by_hand():
    assert changes(samples.scaled) == [
        ("constant", "HALF -> -1/2"),
        ("constant", "HALF -> 1"),
        ("constant", "HALF -> 3/2"),
        ("sign", "factor * x + HALF -> factor * x - HALF"),
        ("term", "factor * x + HALF -> HALF"),
        ("term", "factor * x + HALF -> factor * x"),
        ("term", "factor * x -> factor"),
        ("term", "factor * x -> x"),
    ]


def test_the_changes_of_a_recursion():
    assert ("strictness", "x <= 1 -> x < 1") in changes(samples.falling)
    assert ("constant", "1 -> 2") in changes(samples.falling)
    assert ("operands", "x - 1 -> 1 - x") in changes(samples.falling)


def test_quantifiers_operands_and_ranges():
    found = [one for one in changes(samples.spread) if ")" not in one[1]]
    assert found == [
        ("operands", "left @ right -> right @ left"),
        ("quantifier", "all -> any"),
        ("quantifier", "xs.max -> xs.min"),
        ("range", "1 -> 0"),
        ("range", "1 -> 2"),
        ("strictness", "x > y -> x >= y"),
    ]
    rules = Counter(rule for rule, _ in changes(samples.spread))
    assert rules["term"] == 3  # of the conjunction
    assert rules["quantifier"] == 4  # also "or", and the first x alone


def test_a_loop_that_might_never_end_is_left_alone():
    assert sites(samples.endless) == ()


def test_the_mutants_do_what_they_say():
    told = {one.change.split(" in ")[0]: one.build() for one in candidates(samples.given)}
    x = Fraction(3)
    assert samples.given(x) == 2 * 27 + Fraction(1, 2) - 4
    assert told["x + 1 -> x - 1"](x) == 2 * 27 + Fraction(1, 2) - 2
    assert told["factor * x + HALF -> factor * x"](x) == 2 * 27 - 4
    assert told["HALF -> 3/2"](x) == 2 * 27 + Fraction(3, 2) - 4
    assert told["shift = 1 -> 0"](x) == 2 * 27 + Fraction(1, 2) - 3


@given(RATIONALS)
def test_a_rewrite_says_the_same(x):
    for measure in (samples.given, samples.on_line, samples.through_cache):
        found = rewrites(measure)
        assert found
        for candidate in found:
            assert candidate.build()(x) == measure(x)


def test_a_rewrite_leaves_lists_in_their_order():
    assert all(one.build()() == [1, 2, 3] for one in rewrites(samples.joined))


@pytest.mark.parametrize("most", [1, 5, 24, 1000])
def test_no_more_mutants_than_asked_for_and_the_same_ones_each_time(most):
    found = candidates(find("lj22.thm1-2").measure)
    some = chosen(found, most)
    assert len(some) == min(most, len(found))
    assert len({id(one) for one in some}) == len(some)
    again = chosen(candidates(find("lj22.thm1-2").measure), most)
    assert [one.change for one in some] == [one.change for one in again]


def test_every_rule_has_its_turn():
    found = candidates(find("lj22.thm1-2").measure)
    rules = Counter(one.rule for one in chosen(found, 24))
    assert set(rules) >= {one.rule for one in found if one.depth <= 1}


def of_part(scene, *, part):
    return {"a": scene, "b": -scene}[part]


def test_other_readings_are_mutants(monkeypatch):
    claims = [SimpleNamespace(measure=partial(of_part, part=part)) for part in "ab"]
    monkeypatch.setattr(registry, "all_claims", lambda: claims)
    monkeypatch.setattr(module, "registered", module.registered.__wrapped__)
    told = {one.change for one in candidates(claims[0].measure) if one.rule == "reading"}
    assert told == {"part = 'a' -> 'b' in of_part"}


def test_every_change_of_the_papers_compiles():
    seen = set()
    for claim in all_claims():
        for function in parts(claim.measure).functions if claim.measure else ():
            if function not in seen:
                seen.add(function)
                assert all(site.code is not function.__code__ for site in sites(function))
    assert len(seen) > 80


def test_a_function_without_source_is_told():
    made: dict[str, object] = {}
    exec("def nowhere(x): return x + 1", made)
    with pytest.raises(NoSourceError, match="no source"):
        definition_of(made["nowhere"])
