"""What several tests of claims and of the checker share."""

import pytest

from tests.verify.norms import FALSE, STATEMENT
from verify.checker import restated


@pytest.fixture
def norms(monkeypatch):
    """The checker knows that |M|_2^2 >= |M|_F^2 is a claim."""
    monkeypatch.setitem(restated.STATEMENTS, FALSE, STATEMENT)
