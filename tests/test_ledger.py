"""The ledger (all statements of the papers) and the registry (those coded) cover each other."""

import json
import re

import pytest

from tests.repository import ROOT
from verify.claim import Claim
from verify.registry import all_claims

LEDGER = json.loads((ROOT / "verify/papers/ledger.json").read_text(encoding="utf-8"))
ENTRIES = {entry["id"]: entry for entry in LEDGER["claims"]}
NOT_CODED = LEDGER["not_coded"]
KINDS = (
    "definition",
    "assumption",
    "identity",
    "inequality",
    "rate",
    "limit",
    "law",
    "expectation",
    "probability",
    "existence",
    "experiment",
    "remark",
)


def entry_of(claim: Claim) -> str | None:
    """The ledger's id for a claim, None where the ledger lists no statement for it."""
    try:
        return claim.ledger_id if claim.ledger_id in ENTRIES else None
    except KeyError:
        return None


def coded() -> dict[str, list[Claim]]:
    """The registered claims by the ledger's id."""
    found: dict[str, list[Claim]] = {}
    for claim in all_claims():
        found.setdefault(entry_of(claim) or "", []).append(claim)
    return found


def test_every_registered_claim_is_in_the_ledger():
    claims = all_claims()
    assert claims
    assert [claim.id for claim in claims if entry_of(claim) is None] == []


def test_every_entry_is_coded_or_marked_as_not_coded_and_none_is_both():
    registered = set(coded()) - {""}
    assert sorted(set(NOT_CODED) - set(ENTRIES)) == []
    assert sorted(set(ENTRIES) - registered - set(NOT_CODED)) == []
    assert sorted(registered & set(NOT_CODED)) == []


def test_claim_ids_are_unique():
    ids = [claim.id for claim in all_claims()]
    assert sorted({name for name in ids if ids.count(name) > 1}) == []


def test_every_reading_and_part_that_the_ledger_names_is_coded():
    missing = []
    for name, claims in coded().items():
        entry = ENTRIES.get(name, {})
        statements, _, readings = zip(*(claim.id.partition("@") for claim in claims), strict=True)
        parts = [statement.removeprefix(f"{name}.") for statement in statements]
        for wanted in entry.get("readings", []) + entry.get("printings", []):
            if not any(wanted in reading for reading in readings):
                missing.append(f"{name}@{wanted}")
        missing += [  # a part may itself have parts
            f"{name}.{part}"
            for part in entry.get("parts", [])
            if not any(f"{coded_part}.".startswith(f"{part}.") for coded_part in parts)
        ]
    assert missing == []


def test_claims_and_entries_agree_on_the_paper():
    for name, claims in coded().items():
        if name:
            assert {claim.source.paper for claim in claims} == {ENTRIES[name]["paper"]}, name


# the ledger by itself ------------------------------------------------------------------------
def test_ids_are_listed_once():
    assert len(ENTRIES) == len(LEDGER["claims"]) > 300
    assert len(set(NOT_CODED)) == len(NOT_CODED)


@pytest.mark.parametrize("paper", [paper["id"] for paper in LEDGER["papers"]])
def test_entries_are_well_formed(paper):
    entries = [entry for entry in ENTRIES.values() if entry["paper"] == paper]
    assert len(entries) > 40
    versions = next(p["versions"] for p in LEDGER["papers"] if p["id"] == paper)
    for entry in entries:
        assert re.fullmatch(rf"{paper}(v1)?\.[\w.-]+", entry["id"])
        assert entry["version"] in versions
        assert entry["id"].startswith(f"{paper}v1.") is (entry["version"] == "earlier")
        assert entry["kind"].startswith(KINDS), entry
        assert entry["title"]
        assert not set("$\\") & set(entry["title"]), f"LaTeX in the title of {entry['id']}"


def test_every_entry_belongs_to_a_listed_paper():
    papers = {paper["id"] for paper in LEDGER["papers"]}
    assert {entry["paper"] for entry in ENTRIES.values()} == papers
