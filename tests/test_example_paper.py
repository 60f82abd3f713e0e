"""The paper of a package of its own in examples/paper: what it states, and how it is found."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lemmata.commands import COMMANDS
from lemmata.main import main
from tests.documents import code_in
from tests.repository import ROOT
from tests.verify.own_claims import as_before
from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.evidence import Outcome
from verify.core.ledger import LedgerError, papers, read, statements
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.own_claims import ClaimFileError, load
from verify.search.certificates import answer

FOLDER = ROOT / "examples/paper"
LOCK = json.loads((FOLDER / "claims.lock.json").read_text(encoding="utf-8"))
PAPER = '[paper]\nid = "toy24"\ntitle = "A toy"\n'
ROW = '[[statements]]\nid = "toy24.a"\nplace = "Lemma 1"\nrank = "main"\ntitle = "A"\n'
LEDGER = PAPER + ROW + "printed = '''$A$'''\nmain = ['']\n"
START = 'from lemmata import Matrix, claim, paper, rank\nA = Matrix("A", "m", "n")\n'
STATES = 'paper("toy24", ledger="ledger.toml")\nclaim("toy24.a", rank(A) >= 1)\n'


@pytest.fixture
def claims() -> Iterator[dict[str, Claim]]:
    """Those of the package."""
    with as_before():
        yield {claim.id: claim for claim in load(FOLDER / "balanced_layers")}


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Path]:
    """A package with one lemma."""
    folder = tmp_path / "toy_paper"
    folder.mkdir()
    (folder / "ledger.toml").write_text(LEDGER)
    (folder / "__init__.py").write_text(START + STATES)
    with as_before():
        yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "toy_paper"]:
        del sys.modules[name]


def test_the_baseline_is_of_these_claims(claims: dict[str, Claim]) -> None:
    assert {name: claim_fingerprint(claim) for name, claim in claims.items()} == {
        name: row["code"] for name, row in LOCK["claims"].items()
    }
    verdicts = {name: row["verdict"] for name, row in LOCK["claims"].items()}
    false = {name for name, verdict in verdicts.items() if verdict == "refuted"}
    assert false == {"dhl18.thm2_3.neurons", "dhl18.step.kept"}
    headlines = Counter(row["headline"] for row in LOCK["statements"].values())
    assert headlines == {"true": 2, "nothing against it": 5}  # as the page tells


def test_its_proofs_are_accepted(claims: dict[str, Claim]) -> None:
    made = {name: claim.derivation() for name, claim in claims.items() if claim.derivation}
    assert sorted(made) == ["dhl18.factors", "dhl18.step.change", "dhl18.thm2_2"]
    for name, proof in made.items():
        assert answer(proof.record)["exit"] == 0
        assert LOCK["claims"][name]["verdict"] == "proved"


def test_what_is_false_is_found_and_what_is_printed_is_not(claims: dict[str, Claim]) -> None:
    context = Context(budget_named("smoke"))
    found = {name: pointwise(claims[name], context).outcome for name in sorted(claims)}
    refuted = {name for name, outcome in found.items() if outcome is Outcome.REFUTES}
    assert refuted == {"dhl18.thm2_3.neurons", "dhl18.step.kept"}


def test_the_ledger_tells_what_is_printed(claims: dict[str, Claim]) -> None:
    assert papers()["dhl18"].authors[0] == "Simon S. Du"
    theorem = statements()["dhl18.thm2_1"]
    assert (claims["dhl18.thm2_1"].title, theorem.rank.value) == (theorem.title, "main")
    assert claims["dhl18.thm2_3.neurons"].role.value == "variant"
    assert claims["dhl18.step.bound"].source.reference == "Proof of Lemma 3.1"


# an installed package -----------------------------------------------------------------------------
def install(folder: Path, name: str, module: str) -> None:
    """What installing a package with an entry point leaves in a folder of `sys.path`."""
    info = folder / f"{module.split('.')[0]}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[lemmata.papers]\n{name} = {module}\n")


def test_an_installed_paper_is_listed_and_selected(
    toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(toy.parent, "toy24", "toy_paper")
    monkeypatch.syspath_prepend(toy.parent)
    monkeypatch.chdir(toy.parent)
    assert main(["list", "--paper", "toy24"]) == 0
    assert "toy24.a" in capsys.readouterr().out
    chosen: list[str] = []

    def seen(found: list[Claim], *_: object) -> dict[str, object]:
        chosen.extend(claim.id for claim in found)
        raise ClaimFileError("enough")

    monkeypatch.setattr("lemmata.commands.perform", seen)
    main(["run", "--paper", "toy24"])
    assert chosen == ["toy24.a"]
    main(["run"])  # without being named it is not run
    assert "lj22.lemma1" in chosen
    assert chosen.count("toy24.a") == 1
    assert COMMANDS["run"] is not None


def test_a_broken_installed_paper_is_left_aside_and_told(
    toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(toy.parent, "toy24", "toy_paper")
    install(toy.parent, "gone", "no_such_package")
    (toy / "__init__.py").write_text("from lemmata import nothing\n")
    monkeypatch.syspath_prepend(toy.parent)
    assert main(["list", "-k", "lj22.lemma1"]) == 0
    told = capsys.readouterr()
    assert "the installed paper gone is left aside: there is no package no_such_package" in told.err
    assert "the installed paper toy24 is left aside" in told.err
    assert "__init__.py, line 1" in told.err
    assert "lj22.lemma1" in told.out


# what is wrong ------------------------------------------------------------------------------------
def test_a_package_is_read_anew(toy: Path) -> None:
    (toy / "more.py").write_text(START + 'claim("toy24.a", rank(A) >= 1)\n')
    states = 'from lemmata import paper\npaper("toy24", ledger="ledger.toml")\nfrom . import more\n'
    (toy / "__init__.py").write_text(states)
    one = load(toy)[0]
    (toy / "more.py").write_text(START + 'claim("toy24.a", rank(A) >= 10)\n')
    two = load(toy)[0]
    assert claim_fingerprint(one) != claim_fingerprint(two)


@pytest.mark.parametrize(
    ("states", "told"),
    [
        ('paper("toy24", ledger="none.toml")', "there is no ledger"),
        ('paper("toy25", ledger="ledger.toml")', "its ledger is of toy24"),
        ('paper("toy24", "A title", ledger="ledger.toml")', "the ledger tells title"),
        (STATES + 'claim("toy24.b", rank(A) >= 1)', "the ledger has no statement of this id"),
        (STATES + 'claim("toy24.a.part", rank(A) >= 1)', "does not say what toy24.a.part is"),
        (STATES.replace("toy24.a", "toy24.a.fix"), "the ledger lists toy24.a, and no claim has"),
        (STATES + 'claim("toy24.a.fix", rank(A) >= 0, repairs="toy24.c")', "mends toy24.c"),
    ],
)
def test_ledger_and_claims_cover_each_other(toy: Path, states: str, told: str) -> None:
    if told == "the ledger lists toy24.a, and no claim has":
        states = states.replace("1)", '1, repairs="toy24.a")')
    (toy / "__init__.py").write_text(START + states + "\n")
    with pytest.raises(ClaimFileError, match=told):
        load(toy)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[paper", "is not TOML"),
        (PAPER, "'statements' is a required property"),
        (LEDGER.replace('rank = "main"', 'rank = "chief"'), "toy24.a, rank: 'chief' is not one of"),
        (LEDGER.replace("title", "titel"), "paper: 'title' is a required property"),
        (LEDGER + LEDGER[len(PAPER) :], "toy24.a: it is listed twice"),
        (LEDGER.replace('id = "toy24.a"', 'id = "toy25.a"'), "toy25.a: the ids of this paper"),
        (LEDGER.replace('id = "toy24.a"\n', ""), "statement 1: 'id' is a required property"),
    ],
)
def test_a_ledger_that_is_wrong_is_told_with_its_place(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "ledger.toml"
    path.write_text(text)
    with pytest.raises(LedgerError, match=told):
        read(path)


def test_a_folder_without_a_package_is_told(tmp_path: Path) -> None:
    with pytest.raises(ClaimFileError, match=r"the folder has no __init__\.py"):
        load(tmp_path)


def test_the_built_in_ledgers_are_of_the_same_form() -> None:
    for name in ("lj22", "j23", "dkbhl20", "zlb22"):
        paper, rows = read(ROOT / "verify/papers" / name / "ledger.toml")
        assert paper == papers()[name]
        assert rows == tuple(row for row in statements().values() if row.paper == name)


# the page about it --------------------------------------------------------------------------------
PAGE = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")


def test_the_page_tells_what_its_claims_are(tmp_path: Path) -> None:
    first, mended, proved = code_in(PAGE, "python")
    start = first[: first.index("claim(")]
    outcomes = []
    for text in (first, start + mended, start + proved):
        path = tmp_path / "mine.py"
        path.write_text(text)
        with as_before():
            (claim,) = load(path)
            outcomes.append(pointwise(claim, Context(budget_named("smoke"))).outcome)
            if claim.derivation is not None:
                assert answer(claim.derivation().record)["exit"] == 0
    assert outcomes == [Outcome.REFUTES, Outcome.SUPPORTS, Outcome.SUPPORTS]


def test_the_page_counts_the_lines_of_the_package() -> None:
    told = re.findall(r"^\| `([\w./]+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert len(told) == 5
    for name, lines in told:
        assert len((FOLDER / name).read_text(encoding="utf-8").splitlines()) == int(lines), name
