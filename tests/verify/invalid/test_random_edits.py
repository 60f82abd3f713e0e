"""Random edits never break the checker, and what it accepts after them is genuine."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.verify.certificates import VALID
from tests.verify.corruptions import DELETED, changed
from tests.verify.invalid.edits import places, variants
from tests.verify.invalid.second_opinion import genuine
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check, check_content

CODES = (ACCEPT, REJECT, DECLINE)
RANDOM = st.randoms(use_true_random=False)
NAMES = st.sampled_from(sorted(VALID))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from("dn12"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def edited(certificate: dict[str, Any], random: Random) -> dict[str, Any]:
    """One place changed, or two values swapped, or a part replaced by a part from elsewhere."""
    listed = list(places(certificate))
    path, value = random.choice(listed)
    way = random.randrange(3)
    if way == 0:
        return dict(changed(certificate, *path, to=random.choice(list(variants(value)))))
    other, from_there = random.choice(listed)
    copy = changed(certificate, *path, to=json.loads(json.dumps(from_there)))
    if way == 1 and path[: len(other)] != other and other[: len(path)] != path:
        copy = changed(copy, *other, to=json.loads(json.dumps(value)))
    return dict(copy)


@given(NAMES, RANDOM, st.integers(1, 4))
def test_edited_certificates_are_rejected_or_genuine(name: str, random: Random, count: int) -> None:
    certificate = VALID[name]
    for _ in range(count):
        certificate = edited(certificate, random)
    code, message = check(certificate)
    assert code in CODES
    assert "\n" not in message
    if code == ACCEPT:
        assert genuine(certificate), message


@given(NAMES, RANDOM, JSON)
def test_any_json_anywhere_never_breaks_it(name: str, random: Random, junk: Any) -> None:
    path, _ = random.choice(list(places(VALID[name])))
    for other in (junk, [junk], {"x": junk}, DELETED):
        assert check(changed(VALID[name], *path, to=other)).code in CODES


@given(NAMES, RANDOM)
def test_bytes_that_are_changed_never_break_it(name: str, random: Random) -> None:
    content = bytearray(json.dumps(VALID[name]).encode())
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(content))
        content[at : at + random.randint(0, 2)] = random.choice(
            [b"", b"9", b"-", b'"', b"{", b"]", b",", b"\\", b"\xff", b"\x00", b"1e9", b"null"]
        )
    code, message = check_content(bytes(content))
    assert code in CODES
    assert message.isascii()


@given(st.binary(max_size=60))
def test_any_bytes_are_rejected(content: bytes) -> None:
    assert check_content(content).code == REJECT
