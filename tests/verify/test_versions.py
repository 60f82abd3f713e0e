from verify.papers.registry import all_claims
from verify.papers.versions import comparison, counterparts

CLAIMS = all_claims()
STATEMENTS = {claim.ledger_id for claim in CLAIMS}


def test_every_id_is_a_statement_with_claims_of_the_right_version():
    versions = {claim.ledger_id: claim.source.version for claim in CLAIMS}
    for pairs in counterparts().values():
        for pair in pairs:
            assert {versions[name] for name in pair.earlier} <= {"earlier"}
            assert {versions[name] for name in pair.final} <= {"final", "both"}
            assert pair.earlier


def test_every_statement_of_the_earlier_version_alone_has_its_place():
    found = {name for pair in counterparts()["lj22"] for name in pair.earlier}
    earlier = {c.ledger_id for c in CLAIMS if c.source.version == "earlier"}
    assert earlier - found == set()


def test_the_comparison_lists_readings_and_leaves_out_repairs():
    rows = {row["subject"]: row for row in comparison(CLAIMS)}
    row = rows["Pairs of neurons with equal neighbourhoods, (5)"]
    assert row["earlier"] == ["lj22v1.lemma3b"]
    assert row["final"] == ["lj22.lemma2b@A"]
    assert not any(".fix" in name for row in rows.values() for name in row["final"])
    assert comparison([]) == []
    one = comparison([claim for claim in CLAIMS if claim.id == "lj22.lemma2b@A"])
    assert [(row["earlier"], row["final"]) for row in one] == [([], ["lj22.lemma2b@A"])]
