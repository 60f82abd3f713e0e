"""Every claim says where it is printed, and its id agrees with that."""

from verify.papers.lj22.claims import CLAIMS
from verify.papers.lj22.sources import both, earlier, final


def test_the_three_kinds_of_places():
    versions = [make("Lemma 1").version for make in (final, earlier, both)]
    assert versions == ["final", "earlier", "both"]
    assert {make("Lemma 1").paper for make in (final, earlier, both)} == {"lj22"}
    assert earlier("(8)").reference == "(8)"


def test_ids_follow_the_version():
    for claim in CLAIMS:
        assert claim.source.paper == "lj22"
        expected = {"earlier"} if claim.id.startswith("lj22v1.") else {"final", "both"}
        assert claim.source.version in expected, claim.id


def test_repairs_name_what_they_repair():
    ids = {claim.id for claim in CLAIMS}
    for claim in CLAIMS:
        assert claim.id.endswith(".fix") is (claim.repairs is not None)
        assert claim.repairs is None or claim.repairs in ids
        if claim.repairs is not None:  # one repair may serve several readings
            named = (f"{claim.repairs}.fix", f"{claim.repairs.split('@')[0]}.fix")
            assert claim.id in named
