"""The checker accepts what is so and nothing else."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import verify.checker
from tests.verify import certificates as c
from tests.verify.corruptions import changed, everywhere
from tests.verify.failing_hypotheses import HYPOTHESES
from tests.verify.invalid.seeds import seeds
from tests.verify.necessity_certificates import NEEDING
from verify.checker import restated as checker
from verify.checker.restated import NETWORK_STATEMENTS, STATEMENTS, check, read_json
from verify.controls import CONTROLS
from verify.registry import all_claims

CHECKER = Path(checker.__file__)
SCHEMA = json.loads((CHECKER.parent / "certificate.schema.json").read_text("utf-8"))
SCHEMA_CHECK = Draft202012Validator(SCHEMA)
GENUINE = {**seeds(), **NEEDING}

FALSE_CLAIMS = {v["claim"] for v in c.VALID.values()}


# what is so ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", c.STATED)
def test_statements_about_networks_fail_where_they_do_by_hand(name: str) -> None:
    left, right = c.SIDES[name]
    assert c.STATED[name]["value"] == {"left": left, "right": right}
    assert verify.checker.check(c.STATED[name]).code == checker.ACCEPT
    wrong = changed(c.STATED[name], "value", "left", to="5/7")
    assert verify.checker.check(wrong).code == checker.REJECT


@pytest.mark.parametrize("name", c.VALID)
def test_valid_certificates_are_accepted(name: str) -> None:
    code, message = check(c.VALID[name])
    assert code == checker.ACCEPT, message
    assert message.startswith(f"accepted: {c.VALID[name]['claim']}: ")
    assert "\n" not in message


def test_it_judges_claims_that_are_not_in_the_language_and_controls() -> None:
    """And each claim about a network is judged in a test."""
    older = {claim.id for claim in all_claims() if claim.terms is None}
    assert STATEMENTS.keys() <= older | CONTROLS.keys()
    assert NETWORK_STATEMENTS.keys() == FALSE_CLAIMS


def test_numbers_may_be_integers_or_unreduced() -> None:
    certificate = changed(c.VALID["control.planted"], "value", to="4/2")
    certificate = changed(certificate, "case", "network", "weights", "w[x->h]", to=1)
    assert check(certificate).code == checker.ACCEPT


# what is not so --------------------------------------------------------------------------------
@pytest.mark.parametrize("name", c.VALID)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    corrupted = list(everywhere(c.VALID[name]))
    accepted = [what for what, broken in corrupted if check(broken).code == checker.ACCEPT]
    assert not accepted
    assert len(corrupted) > 100


@pytest.mark.parametrize("name", HYPOTHESES)
def test_a_case_outside_the_hypotheses_is_rejected_for_that(name: str) -> None:
    certificate, reason = HYPOTHESES[name]
    code, message = check(certificate)
    assert code == checker.REJECT
    assert reason in message


@pytest.mark.parametrize("name", c.VALID)
def test_a_case_refutes_no_other_claim(name: str) -> None:
    certificate = c.VALID[name]
    others = STATEMENTS.keys() - {certificate["claim"]}
    outcomes = {claim: check({**certificate, "claim": claim}) for claim in others}
    assert not {claim for claim, (code, _) in outcomes.items() if code == checker.ACCEPT}


ACTIVATIONS = ["linear", "relu", "relu", "leaky_relu 1/2", "abs"]
FRACTIONS = st.builds(Fraction, st.integers(-4, 4), st.sampled_from([1, 2, 3]))


@st.composite
def small_cases(draw: st.DrawFn) -> dict[str, Any]:
    """A case on one or two inputs, at most three inner vertices and two examples."""
    inputs = ["x", "x2"][: draw(st.integers(1, 2))]
    inner = ["u", "v", "h"][: draw(st.integers(0, 3))]
    before = list(inputs)
    edges = []
    for name in [*inner, "o"]:
        parents = draw(st.lists(st.sampled_from(before), min_size=1, unique=True))
        if name == "o":
            tails = {edge.split(">")[0] for edge in edges}
            parents = sorted({*parents, *(set(before) - tails)})
        edges += [f"{parent}>{name}" for parent in parents]
        before.append(name)
    kinds = {name: draw(st.sampled_from(ACTIVATIONS)) for name in [*inner, "o"]}
    weights = [str(draw(FRACTIONS)) for _ in edges]
    net = c.network(edges, kinds, weights=weights)
    examples = [
        c.example(
            *(draw(FRACTIONS) / 6 for _ in inputs),
            y=draw(st.sampled_from([1, -1])),
            slope=str(draw(FRACTIONS)),
        )
        for _ in range(draw(st.integers(1, 2)))
    ]
    net["inputs"] = inputs
    return {"network": net, "examples": examples}


def all_entries(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Entries of every form on a small case."""
    net = case["network"]
    names = [vertex["name"] for vertex in net["vertices"]]
    entries: list[dict[str, Any]] = [{}, c.FIRST]
    entries += [{"vertex": name} for name in names]
    entries += [{"vertex": name, "example": 0} for name in names]
    return entries


@given(small_cases(), st.sampled_from(sorted(FALSE_CLAIMS)))
def test_the_value_must_be_the_residual(case: dict[str, Any], claim: str) -> None:
    for entry in all_entries(case):
        certificate = c.certificate("counterexample", claim, case=case, entry=entry, value="77/7")
        found = re.search(r" is (\S+), not 11, at ", check(certificate).message)
        if found:
            assert check({**certificate, "value": found[1]}).code == checker.ACCEPT
            near = str(Fraction(found[1]) * Fraction(10**9 + 1, 10**9))
            assert check({**certificate, "value": near}).code == checker.REJECT


@given(st.randoms(use_true_random=False), st.sampled_from(sorted(c.VALID)))
def test_junk_anywhere_never_breaks_the_checker(random: Random, name: str) -> None:
    data = c.VALID[name]
    for _ in range(20):
        path: list[Any] = []
        place: Any = data
        while isinstance(place, (dict, list)) and place and (not path or random.random() < 0.9):
            keys = list(place) if isinstance(place, dict) else range(len(place))
            path.append(random.choice(list(keys)))
            place = place[path[-1]]
        junk = random.choice([None, True, -1, 10**40, 0.5, "", "x", "1/3", [], {}, [[]], {"x": 1}])
        outcome = check(changed(data, *path, to=junk))
        assert outcome.code in (checker.ACCEPT, checker.REJECT, checker.DECLINE)
        assert "\n" not in outcome.message


@pytest.mark.parametrize("junk", [None, [], "", 1, {}, {"format": "lemmata-certificate"}, [[[]]]])
def test_what_is_no_certificate_is_rejected(junk: object) -> None:
    assert check(junk).code == checker.REJECT


def test_an_entry_that_is_no_object_is_rejected() -> None:
    assert check({**c.VALID["control.false"], "entry": 5}).code == checker.REJECT


def test_deep_nesting_is_rejected() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("entry", "value", "case", "kind"):
        assert check({**c.VALID["control.false"], key: deep}).code == checker.REJECT


# what is beyond it ------------------------------------------------------------------------------
def _layered(depth: int, width: int) -> list[str]:
    names = [["x"], *([f"{k}.{i}" for i in range(width)] for k in range(depth)), ["o"]]
    return [f"{a}>{b}" for k in range(depth + 1) for a in names[k] for b in names[k + 1]]


MANY_PATHS = c.network(_layered(12, 6), weights=[1] * len(_layered(12, 6)))
LONG = "9" * 3000


def chain_of(weights: list[int | str]) -> dict[str, Any]:
    """x > v1 > v2 > ... > o, all linear."""
    names = ["x", *(f"v{k}" for k in range(1, len(weights))), "o"]
    return c.network([f"{a}>{b}" for a, b in pairwise(names)], weights=weights)


LONG_NUMBERS = c.counterexample(
    "control.planted.lj22",
    chain_of([f"{9**900 + k}/{7**1000 + k}" for k in range(300)]),
    [c.example(1)],
    {"vertex": "v1"},
    1,
)
DECLINED: dict[str, tuple[c.Certificate, str]] = {
    "long numbers": (LONG_NUMBERS, "too long for so large"),
    "kind": (changed(c.VALID["control.false"], "kind", to="sum of squares"), "kind"),
    "claim": (changed(c.VALID["control.false"], "claim", to="lj22.thm9"), "claim"),
    "reading": (changed(c.VALID["control.planted"], "claim", to="control.planted.lj22@A"), "claim"),
    "a claim in the language": (
        changed(c.VALID["control.planted"], "claim", to="lj22.lemma2a"),
        "claim",
    ),
    "version": (changed(c.VALID["control.false"], "version", to=2), "version 2"),
    "version of the network": (
        changed(c.VALID["control.false"], "case", "network", "version", to=3),
        "version 3",
    ),
    "number": (changed(c.VALID["control.false"], "value", to=LONG), "3000 characters"),
    "kind of the new checker": (
        changed(c.VALID["control.false"], "kind", to="polynomial"),
        "the kind 'polynomial'",
    ),
}


@pytest.mark.parametrize("name", DECLINED)
def test_what_is_beyond_it_is_declined(name: str) -> None:
    certificate, reason = DECLINED[name]
    code, message = check(certificate)
    assert code == checker.DECLINE
    assert reason in message


LIMITS = {
    "MOST_EVALUATIONS": ("control.planted, h on and off", 3),
    "LARGEST_FILE": ("control.false", 100),
    "LONGEST_NUMBER": ("control.planted, h on and off", 1),
    "LONGEST_EVALUATION": ("control.false", 0),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_what_is_too_large_is_declined(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, small = LIMITS[limit]
    content = json.dumps(c.VALID[name]).encode()
    assert checker.check_content(content).code == checker.ACCEPT
    monkeypatch.setattr(checker, limit, small)
    assert checker.check_content(content).code == checker.DECLINE


def test_python_integers_beyond_reading_are_declined() -> None:
    assert check(changed(c.VALID["control.false"], "value", to=10**5000)).code == checker.DECLINE


def test_messages_are_one_short_line() -> None:
    for name in ("o" * 1000, "o\no", "\ud800", "\u2028"):
        outcome = check(changed(c.VALID["control.false"], "case", "network", "outputs", to=[name]))
        assert outcome.code == checker.REJECT
        assert len(outcome.message) <= checker.LONGEST_MESSAGE
        assert outcome.message.isascii()
        assert outcome.message.isprintable()


def test_long_results_are_told_without_their_digits() -> None:
    long = "9" * 1900
    net = c.network(["x>g", "g>h", "h>o"], weights=[long, long, long])
    net["vertices"][-1]["activation"] = "relu"
    certificate = c.counterexample("control.false", net, [c.example("1/2", y=-1)], c.FIRST, 2)
    assert "a very long number" in check(certificate).message


# files and the program ----------------------------------------------------------------------------
FALSE = json.dumps(c.VALID["control.false"])
FILES: dict[str, tuple[bytes, int]] = {
    "valid": (FALSE.encode(), 0),
    "declined": (FALSE.replace("control.false", "lj22.thm9").encode(), 2),
    "wrong value": (FALSE.replace('"value": "1"', '"value": "-2"').encode(), 1),
    "duplicate key": (FALSE.replace('"value"', '"value": "-1", "value"').encode(), 1),
    "duplicate key inside": (FALSE.replace('"x": [', '"x": ["1"], "x": [').encode(), 1),
    "float": (FALSE.replace('"value": "1"', '"value": -1.0').encode(), 1),
    "exponent": (FALSE.replace('"value": "1"', '"value": -1e0').encode(), 1),
    "NaN": (FALSE.replace('"value": "1"', '"value": NaN').encode(), 1),
    "infinity": (FALSE.replace('"value": "1"', '"value": -Infinity').encode(), 1),
    "long integer": (FALSE.replace('"value": "1"', f'"value": {LONG}').encode(), 2),
    "not UTF-8": (b"\xff\xfe" + FALSE.encode(), 1),
    "byte order mark": (b"\xef\xbb\xbf" + FALSE.encode(), 1),
    "two documents": ((FALSE + FALSE).encode(), 1),
    "cut short": (FALSE[:-1].encode(), 1),
    "empty": (b"", 1),
    "nested": (b"[" * 100_000, 1),
    "a list": (f"[{FALSE}]".encode(), 1),
}


@pytest.mark.parametrize("name", FILES)
def test_contents_of_files(name: str) -> None:
    content, code = FILES[name]
    assert checker.check_content(content).code == code


def run_checker(*arguments: str) -> tuple[int, str]:
    """The checker by itself: -I and -S leave it the standard library alone."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert finished.stderr == ""
    return finished.returncode, finished.stdout


@pytest.mark.parametrize(
    ("name", "word"), [("valid", "accepted"), ("NaN", "rejected"), ("declined", "declined")]
)
def test_the_program(name: str, word: str, tmp_path: Path) -> None:
    content, code = FILES[name]
    path = tmp_path / "certificate.json"
    path.write_bytes(content)
    returned, output = run_checker(str(path))
    assert returned == code
    assert output.startswith(f"{word}: ")
    assert output.count("\n") == 1


def test_the_program_without_a_file(tmp_path: Path) -> None:
    assert run_checker()[0] == 2
    returned, output = run_checker(str(tmp_path / "nothing.json"))
    assert returned == 1
    assert "cannot be read" in output


def test_the_checker_imports_the_standard_library_alone() -> None:
    tree = ast.parse(CHECKER.read_text("utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).split(".")[0])
    assert names
    assert names <= sys.stdlib_module_names


# the schema -----------------------------------------------------------------------------------
def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", GENUINE)
def test_valid_certificates_meet_the_schema(name: str) -> None:
    SCHEMA_CHECK.validate(GENUINE[name])


def test_what_fails_the_schema_is_not_accepted_and_most_malformed_fails_it() -> None:
    verdicts: Counter[bool] = Counter()
    for name in ("control.planted, h on and off", "control.false"):
        for what, broken in everywhere(c.VALID[name]):
            if not SCHEMA_CHECK.is_valid(broken):
                assert check(broken).code != checker.ACCEPT, what
                verdicts[False] += 1
            else:
                verdicts[True] += 1
    assert verdicts[False] > verdicts[True]


def test_the_checker_reads_what_json_writes() -> None:
    for certificate in c.VALID.values():
        assert read_json(json.dumps(certificate).encode()) == certificate
