"""The paper that docs/add-a-paper.md adds: its ledger and its claims are what the page says."""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module

import pytest

import verify.papers
from tests.documents import code_in
from tests.repository import ROOT
from tests.verify.twins.comparing import compared
from verify.core.claim import Claim
from verify.search.certificates import answer

PAGE = (ROOT / "docs/add-a-paper.md").read_text(encoding="utf-8")
FILES = ("sources", "notation", "section2", "section3", "claims", "twins")


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Claim]]:
    """The claims of the page by their ids, from files such as it tells to write."""
    papers = tmp_path_factory.mktemp("papers")
    (papers / "toy24").mkdir()
    (papers / "toy24/__init__.py").write_text('"""Somebody (2024), A toy paper."""\n')
    for name, text in zip(FILES, code_in(PAGE, "python"), strict=True):
        (papers / f"toy24/{name}.py").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify.papers, "__path__", [*verify.papers.__path__, str(papers)])
        yield {c.id: c for c in import_module("verify.papers.toy24.claims").CLAIMS}
    for name in [name for name in sys.modules if name.startswith("verify.papers.toy24")]:
        del sys.modules[name]


def test_the_ledger_lists_the_claims(claims: dict[str, Claim]) -> None:
    (ledger,) = code_in(PAGE, "toml")
    rows = tomllib.loads(ledger)["statements"]
    listed = {row["id"] + end for row in rows for end in row["main"]}
    assert {name for name, claim in claims.items() if claim.repairs is None} == listed
    assert claims["toy24.lemma1.fix"].repairs in claims


def test_the_proof_is_accepted_and_the_twin_agrees(claims: dict[str, Claim]) -> None:
    derivation = claims["toy24.thm2.bound"].derivation
    assert derivation is not None
    assert answer(derivation().record)["exit"] == 0
    twins = import_module("verify.papers.toy24.twins").TWINS
    found = compared(claims["toy24.lemma1"], twins["toy24.lemma1"])
    assert found.failing
    assert (found.apart, found.unlike) == ([], [])


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`((?:verify|tests|docs)/[\w/.]+\.(?:py|md|json|toml))`", PAGE))
    assert len(named) > 3
    assert {path for path in named if "toy24" not in path and not (ROOT / path).exists()} == set()
