"""The checker accepts what is so and nothing else."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
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
from verify.checker.restated import STATEMENTS, check, read_json
from verify.papers.registry import all_claims
from verify.runs.controls import CONTROLS

CHECKER = Path(checker.__file__)
SCHEMA = json.loads((CHECKER.parent / "certificate.schema.json").read_text("utf-8"))
SCHEMA_CHECK = Draft202012Validator(SCHEMA)
GENUINE = {**seeds(), **NEEDING}

SPECTRUM = "control.planted.dkbhl20"


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
    claims = [*all_claims(), *(control for control, _ in CONTROLS.values())]
    assert STATEMENTS.keys() <= {claim.id for claim in claims if claim.terms is None}


def test_numbers_may_be_integers_or_unreduced() -> None:
    certificate = changed(c.VALID[SPECTRUM], "value", to="-4/2")
    certificate = changed(certificate, "case", "arrays", "lam", "entries", 0, to=1)
    assert check(certificate).code == checker.ACCEPT


# what is not so --------------------------------------------------------------------------------
@pytest.mark.parametrize("name", c.VALID)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    corrupted = list(everywhere(c.VALID[name]))
    accepted = [what for what, broken in corrupted if check(broken).code == checker.ACCEPT]
    assert not accepted
    assert len(corrupted) > 100


@pytest.mark.parametrize("name", ["control.false", "control.planted, h on and off"])
def test_corrupted_certificates_of_statements_are_not_accepted(name: str) -> None:
    corrupted = list(everywhere(c.STATED[name]))
    accepted = [w for w, broken in corrupted if verify.checker.check(broken).code == checker.ACCEPT]
    supposed = name != "control.false"  # of which labels are any
    assert all(what.startswith("case: y is") and not supposed for what in accepted)
    assert len(corrupted) > 250


@pytest.mark.parametrize("name", HYPOTHESES)
def test_a_case_outside_the_hypotheses_is_rejected_for_that(name: str) -> None:
    certificate, reason = HYPOTHESES[name]
    code, message = verify.checker.check(certificate)
    assert code == checker.REJECT
    assert reason in message


@pytest.mark.parametrize("name", c.VALID)
def test_a_case_refutes_no_other_claim(name: str) -> None:
    certificate = c.VALID[name]
    others = STATEMENTS.keys() - {certificate["claim"]}
    outcomes = {claim: check({**certificate, "claim": claim}) for claim in others}
    assert not {claim for claim, (code, _) in outcomes.items() if code == checker.ACCEPT}


SPECTRA = st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any)


@given(SPECTRA)
def test_the_value_must_be_the_residual(numbers: list[int]) -> None:
    """Of eigenvalues that are scaled so that their sum is their number."""
    spectrum = [str(Fraction(k * len(numbers), sum(numbers))) for k in numbers]
    case = changed(c.VALID[SPECTRUM]["case"], "arrays", "lam", "entries", to=spectrum)
    certificate = {**c.VALID[SPECTRUM], "case": case, "value": "-77/7"}
    found = re.search(r" is (\S+), not -11, at ", check(certificate).message)
    assert found or check(certificate).code == checker.ACCEPT
    if found and Fraction(found[1]) < 0:
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
    assert check({**c.VALID[SPECTRUM], "entry": 5}).code == checker.REJECT


def test_deep_nesting_is_rejected() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("entry", "value", "case", "kind"):
        assert check({**c.VALID[SPECTRUM], key: deep}).code == checker.REJECT


# what is beyond it ------------------------------------------------------------------------------
LONG = "9" * 3000


DECLINED: dict[str, tuple[c.Certificate, str]] = {
    "kind": (changed(c.VALID[SPECTRUM], "kind", to="sum of squares"), "kind"),
    "claim": (changed(c.VALID[SPECTRUM], "claim", to="lj22.thm9"), "claim"),
    "reading": (changed(c.VALID[SPECTRUM], "claim", to=f"{SPECTRUM}@A"), "claim"),
    "a claim in the language": (
        changed(c.VALID[SPECTRUM], "claim", to="lj22.lemma2a"),
        "claim",
    ),
    "version": (changed(c.VALID[SPECTRUM], "version", to=2), "version 2"),
    "number": (changed(c.VALID[SPECTRUM], "value", to=LONG), "3000 characters"),
    "kind of the new checker": (
        changed(c.VALID[SPECTRUM], "kind", to="polynomial"),
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
    "LARGEST_FILE": (SPECTRUM, 100),
    "LONGEST_NUMBER": ("control.planted.zlb22", 0),
    "MOST_ROWS": (SPECTRUM, 1),
    "MOST_BITS": (SPECTRUM, 1),
    "MOST_LAYERS": ("control.planted.j23", 0),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_what_is_too_large_is_declined(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, small = LIMITS[limit]
    content = json.dumps(c.VALID[name]).encode()
    assert checker.check_content(content).code == checker.ACCEPT
    monkeypatch.setattr(checker, limit, small)
    assert checker.check_content(content).code == checker.DECLINE


def test_python_integers_beyond_reading_are_declined() -> None:
    assert check(changed(c.VALID[SPECTRUM], "value", to=10**5000)).code == checker.DECLINE


def test_messages_are_one_short_line() -> None:
    for name in ("o" * 1000, "o\no", "\ud800", "\u2028"):
        outcome = check({**c.VALID[SPECTRUM], "entry": {name: 1}})
        assert outcome.code == checker.REJECT
        assert len(outcome.message) <= checker.LONGEST_MESSAGE
        assert outcome.message.isascii()
        assert outcome.message.isprintable()


def test_long_results_are_told_without_their_digits() -> None:
    where = ("case", "arrays", "W1", "entries", 0, 0)
    certificate = changed(c.VALID["control.planted.j23"], *where, to="9" * 1900)
    assert "a very long number" in check(certificate).message


# files and the program ----------------------------------------------------------------------------
FALSE = json.dumps(c.VALID[SPECTRUM])
FILES: dict[str, tuple[bytes, int]] = {
    "valid": (FALSE.encode(), 0),
    "declined": (FALSE.replace(SPECTRUM, "lj22.thm9").encode(), 2),
    "wrong value": (FALSE.replace('"value": "-2"', '"value": "-3"').encode(), 1),
    "duplicate key": (FALSE.replace('"value"', '"value": "-1", "value"').encode(), 1),
    "duplicate key inside": (FALSE.replace('"axes": [', '"axes": ["d"], "axes": [').encode(), 1),
    "float": (FALSE.replace('"value": "-2"', '"value": -1.0').encode(), 1),
    "exponent": (FALSE.replace('"value": "-2"', '"value": -1e0').encode(), 1),
    "NaN": (FALSE.replace('"value": "-2"', '"value": NaN').encode(), 1),
    "infinity": (FALSE.replace('"value": "-2"', '"value": -Infinity').encode(), 1),
    "long integer": (FALSE.replace('"value": "-2"', f'"value": {LONG}').encode(), 2),
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
    for name in c.VALID:
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
