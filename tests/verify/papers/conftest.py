"""What several tests of papers share."""

import pytest

from verify.search import admission


@pytest.fixture(autouse=True)
def _little_shrinking(monkeypatch):
    """A counterexample is shrunk a little here: that it becomes small is tested by itself
    (tests/verify/test_shrinking.py)."""
    shrink = admission.shrink
    monkeypatch.setattr(admission, "shrink", lambda *told: shrink(*told[:2], min(told[2], 50)))
