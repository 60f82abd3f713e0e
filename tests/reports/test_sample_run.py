"""The sample is worth testing with: every verdict is there, and its certificates are true."""

from reports.verdicts import HEADLINES, LOOKS
from tests.reports.sample_run import sample
from verify.search.certificates import answer, claim_of

CLAIMS = sample()["claims"]
CERTIFICATES = [claim["certificate"] for claim in CLAIMS if claim["certificate"]]


def test_every_verdict_and_every_kind_of_certificate_is_there():
    assert {claim["verdict"] for claim in CLAIMS} == set(LOOKS)
    kinds = {certificate["kind"] for certificate in CERTIFICATES}
    assert kinds == {"counterexample", "witness", "polynomial"}


def test_every_headline_is_there():
    words = {row["headline"]["word"] for row in sample()["statements"]}
    assert words == set(HEADLINES)


def test_the_checker_accepts_its_certificates():
    """Those of claims that it knows; a claim may be dropped, a certificate may not be false."""
    outcomes = {claim_of(certificate): answer(certificate) for certificate in CERTIFICATES}
    rejected = {name: found["message"] for name, found in outcomes.items() if found["exit"] == 1}
    assert rejected == {}
    assert sum(found["exit"] == 0 for found in outcomes.values()) >= 5
