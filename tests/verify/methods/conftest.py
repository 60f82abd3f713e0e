"""What several tests of methods share."""

import pytest


@pytest.fixture
def unknown(monkeypatch):
    """The checker declines: claims that are measured by a function are no statements."""
    reply = {"exit": 2, "message": "declined: it is no statement"}
    monkeypatch.setattr("verify.search.admission.certificate_of", lambda claim, violation: {})
    monkeypatch.setattr("verify.search.admission.answer", lambda certificate: reply)
