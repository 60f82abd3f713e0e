"""The sample is worth testing with: every verdict is there, and its certificates are true."""

import pytest

from reports.verdicts import LOOKS
from tests.reports.sample_run import sample
from verify.checker import check

CLAIMS = sample()["claims"]
CERTIFICATES = [claim["certificate"] for claim in CLAIMS if claim["certificate"]]


def test_every_verdict_and_every_kind_of_certificate_is_there():
    assert {claim["verdict"] for claim in CLAIMS} == set(LOOKS)
    kinds = {certificate["kind"] for certificate in CERTIFICATES}
    assert kinds == {"counterexample", "witness", "balance", "polynomial"}


@pytest.mark.parametrize("certificate", CERTIFICATES, ids=lambda certificate: certificate["claim"])
def test_the_checker_accepts_its_certificates(certificate):
    outcome = check(certificate)
    assert outcome.code == 0, outcome.message
