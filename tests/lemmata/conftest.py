"""The command line in an empty folder, and runs of a few statements by methods that are cheap."""

import pytest

from tests.lemmata.command_line import CommandLine, few_claims
from tests.verify.runs.cheap_methods import CheapMethods, install


@pytest.fixture
def lemmata(capsys, tmp_path, monkeypatch) -> CommandLine:
    """The command line in an empty folder, where no baseline is known."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("verify.runs.baseline.SHIPPED", tmp_path / "claims.lock.json")
    return CommandLine(capsys)


@pytest.fixture
def cheap(monkeypatch) -> CheapMethods:
    """Cheap methods, and a run of everything is one of a few statements."""
    few_claims(monkeypatch)
    return install(monkeypatch)
