"""Each command: what it prints, what it writes, what it refuses."""

import json
import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.arguments import parse_point, parse_slopes
from lemmata.commands import parse_outputs
from lemmata.errors import UsageError
from lemmata.main import main
from reports.json_report import load, validate
from tests.lemmata.command_line import CommandLine
from tests.verify.certificates import VALID
from tests.verify.runs.cheap_methods import CheapMethods, install
from verify.controls import CONTROLS
from verify.evidence import Outcome
from verify.fingerprint import claim_fingerprint
from verify.ledger import ledger
from verify.registry import all_claims, find

QUICK = ("--budget", "smoke", "--workers", "1")
CLAIMS = all_claims()


@pytest.fixture
def lemmata(capsys, tmp_path, monkeypatch) -> CommandLine:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)


@pytest.fixture
def cheap(monkeypatch) -> CheapMethods:
    methods = install(monkeypatch)
    methods.outcomes["lj22.risk"] = Outcome.REFUTES
    methods.certificates["lj22.risk"] = VALID["risk"]
    return methods


# run and report: what is written -----------------------------------------------------------------
def test_the_record_that_is_written_is_what_the_table_shows(lemmata, cheap, tmp_path):
    called = lemmata("run", "lj22.risk", "lj22.lemma3", *QUICK, "--output", "json=out/run.json")
    assert called.code == 0
    record = load(tmp_path / "out/run.json")
    validate(record)
    ids = [claim["id"] for claim in record["claims"]]
    assert ids == ["lj22.risk", "lj22.risk.fix", "lj22.lemma3@A", "lj22.lemma3@B"]
    table = called.out.split("\n\n")[-2]
    for claim in record["claims"]:
        assert f"{claim['verdict']}" in next(
            line for line in table.splitlines() if f" {claim['id']} " in line
        )
    assert str(tmp_path / "out/run.json") in called.err


def test_certificates_go_beside_the_first_report_and_commands_find_them(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.risk", *QUICK, "--output", "html=out/a/r.html,json=out/b/r.json")
    path = tmp_path / "out/a/certificates/lj22.risk.json"
    assert json.loads(path.read_text()) == VALID["risk"]
    assert not (tmp_path / "out/b/certificates").exists()
    claim = load(tmp_path / "out/b/r.json")["claims"][0]
    assert claim["command"] == "lemmata repro out/a/certificates/lj22.risk.json"
    assert claim["command"] in (tmp_path / "out/a/r.html").read_text(encoding="utf-8")
    called = lemmata(*claim["command"].split()[1:])
    assert called.code == 0
    assert called.out.startswith("accepted: lj22.risk")


def test_without_output_nothing_but_the_journal_is_written(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.risk", *QUICK)
    assert [path.name for path in tmp_path.iterdir()] == [".lemmata"]


@pytest.mark.parametrize("differs", [False, True])
def test_outputs_never_change_the_exit_code(lemmata, cheap, differs):
    lemmata("baseline", *QUICK)
    if differs:
        cheap.outcomes["lj22.risk"] = Outcome.SUPPORTS
    words = ["run", "lj22.risk", "--fresh", "--baseline", "claims.lock.json", *QUICK]
    seen = []
    for outputs in ("", "html=r.html", "json=r.json", "html=r.html,json=r.json"):
        called = lemmata(*words, "--output", outputs)
        seen.append((called.code, called.out))
    assert len(set(seen)) == 1
    assert seen[0][0] == int(differs)


def test_findings_are_shown_even_where_they_cannot_be_written(
    lemmata, cheap, tmp_path, monkeypatch
):
    monkeypatch.setattr("lemmata.commands.check_writable", lambda path: None)  # a disk fills later
    (tmp_path / "file").write_text("")
    called = lemmata("run", "lj22.risk", *QUICK, "--output", "json=file/run.json")
    assert called.code == 4
    assert "lj22.risk" in called.out
    assert "file" in called.err.splitlines()[-1]


def test_a_report_from_a_record_is_that_of_the_run(lemmata, cheap, tmp_path):
    ran = lemmata("run", "lj22.risk", *QUICK, "--output", "html=r.html,json=r.json")
    reported = lemmata("report", "r.json", "--output", "html=again.html,json=again.json")
    assert reported.code == 0
    assert reported.out == ran.out
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "r.html").read_bytes()
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "r.json").read_bytes()


def test_a_report_of_a_void_run_says_so_and_is_fine(lemmata, cheap):
    cheap.outcomes["control.true"] = Outcome.REFUTES
    assert lemmata("run", "lj22.risk", *QUICK, "--output", "json=r.json").code == 1
    called = lemmata("report", "r.json")
    assert called.code == 0  # it reports, it does not judge
    assert "THIS RUN IS VOID" in called.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "record.json is not a run's record: the run record lacks format"),
        ("{", "record.json is not JSON"),
        ("", "record.json is not JSON"),
        ("NaN", "record.json holds NaN"),
        (json.dumps(VALID["risk"]), "record.json is not a run's record"),
    ],
)
def test_another_file_is_no_record(lemmata, tmp_path, text, told):
    (tmp_path / "record.json").write_text(text)
    assert told in lemmata.refused("report", "record.json")


def test_a_baseline_of_another_budget_is_told_on_stderr(lemmata, cheap):
    lemmata("baseline", *QUICK)
    words = ("run", "lj22.risk", "--baseline", "claims.lock.json", "--workers", "1")
    told = "the baseline is of budget smoke, this run of ci"
    assert told in lemmata(*words).err
    assert told not in lemmata(*words, "--budget", "smoke").err


def test_the_baseline_has_every_claim(lemmata, cheap, tmp_path):
    called = lemmata("baseline", "mine.json", *QUICK)
    assert called.out == f"{len(CLAIMS)} verdicts written to mine.json\n"
    rows = json.loads((tmp_path / "mine.json").read_text())["claims"]
    assert set(rows) == {claim.id for claim in CLAIMS}
    assert rows["lj22.risk"]["verdict"] == "refuted"
    assert all(row["code"] == claim_fingerprint(find(name)) for name, row in rows.items())


# what is parsed --------------------------------------------------------------------------------
names = st.text("abc/._- ", min_size=1, max_size=8)


@given(html=names.map(lambda name: f"{name}.html"), data=names.map(lambda name: f"{name}.json"))
def test_outputs_are_parsed_in_any_order(html, data):
    for parts in permutations([f"html={html}", f"json={data}"]):
        found = parse_outputs(",".join(parts))
        assert found == {"html": Path(html), "json": Path(data)}
        assert list(found) == [part[:4] for part in parts]
    assert parse_outputs("") == {}


@pytest.mark.parametrize(
    "text",
    ["pdf=x", "html", "html=", "=x", "HTML=x", "json=a,json=b", "html=a,json=a", "html=a,what"],
)
def test_outputs_that_cannot_be_are_refused_by_name(text):
    with pytest.raises(UsageError, match="--output '") as caught:
        parse_outputs(text)
    assert "give one file for each" in str(caught.value) or "html=FILE" in str(caught.value)


@given(st.lists(st.fractions(), min_size=1, max_size=4))
def test_points_are_parsed_exactly(x):
    assert parse_point(",".join(map(str, x))) == x
    slopes = {f"h={k}": value for k, value in enumerate(x)}  # a name may have the sign in it
    assert parse_slopes(",".join(f"{name}={value}" for name, value in slopes.items())) == slopes


@given(st.text("0123456789/.,-=xe ", max_size=8))
def test_points_and_slopes_that_are_none_are_refused(text):
    for parse, option in ((parse_point, "--at"), (parse_slopes, "--slopes")):
        refusal, found = None, []
        try:
            found = parse(text)
        except UsageError as error:
            refusal = str(error)
        if refusal is not None:
            assert refusal.startswith(f"{option} ")
            assert re.search("[,:] give ", refusal)
        values = found if isinstance(found, list) else found.values()
        assert all(isinstance(value, Fraction) for value in values)


# list and show -----------------------------------------------------------------------------------
def test_list_is_one_line_a_claim(lemmata):
    called = lemmata("list")
    assert called.code == 0
    lines = called.out.splitlines()
    assert [line.split()[0] for line in lines] == [claim.id for claim in CLAIMS]
    assert [line.split()[1] for line in lines] == [claim.kind.value for claim in CLAIMS]
    assert all(line.endswith(claim.title) for line, claim in zip(lines, CLAIMS, strict=True))


def test_list_takes_a_paper_and_a_keyword(lemmata):
    papers = ("lj22", "j23", "dkbhl20", "zlb22")
    parts = [lemmata("list", "--paper", paper).out.splitlines() for paper in papers]
    whole = lemmata("list").out.splitlines()
    assert [line.split()[0] for part in parts for line in part] == [
        line.split()[0] for line in whole
    ]
    lines = lemmata("list", "--paper", "lj22", "-k", "BIAS").out.splitlines()
    found = [line.split()[0] for line in lines]
    assert found == [*(f"lj22.bias@{a}{b}" for a in "AB" for b in "AB"), "lj22.exp3"]


def test_the_ledger_says_what_is_coded(lemmata):
    lines = lemmata("list", "--ledger").out.splitlines()
    rows = ledger()["claims"]
    assert [line.split()[0] for line in lines] == [row["id"] for row in rows]
    coded = {line.split()[0] for line in lines if line.split()[1] == "coded"}
    assert coded == {claim.ledger_id for claim in CLAIMS}
    part = lemmata("list", "--ledger", "--paper", "j23", "-k", "THM").out.splitlines()
    assert part
    assert all(line.startswith("j23.") and "thm" in line for line in part)


@pytest.mark.parametrize("name", [claim.id for claim in CLAIMS] + list(CONTROLS))
def test_show_has_all_of_a_claim(lemmata, name):
    called = lemmata("show", name)
    claim = CONTROLS[name][0] if name in CONTROLS else find(name)
    assert called.code == 0
    shown = called.out
    assert shown.startswith(f"{claim.id}: {claim.title}\n")
    parts = [claim.statement, claim.source.reference, claim.kind.value, *claim.depends]
    parts += [text for h in claim.hypotheses for text in (h.name, h.statement)]
    parts += [claim.reading_text or "", claim.repairs or "", claim_fingerprint(claim)[:16]]
    assert [part for part in parts if part not in shown] == []


def test_show_says_what_excludes_a_hypothesis(lemmata):
    shown = lemmata("show", "dkbhl20.lem10.b").out
    assert "'alpha above 1' is excluded by dkbhl20.def3.b: the regularity constant" in shown
    assert "excluded" not in lemmata("show", "dkbhl20.lem10.b.fix").out


def test_show_says_which_examples_meet_an_assumption(lemmata):
    shown = lemmata("show", "zlb22.ass3.2@B").out
    assert "6 of 13 examples meet it: tanh; softplus; sigmoid; sin; log cosh; z\n" in shown
    assert "not z^2: H2" in shown
    assert "examples" not in lemmata("show", "zlb22.eq9").out


def test_show_takes_the_id_of_a_statement_with_readings(lemmata):
    shown = lemmata("show", "lj22.lemma3").out
    assert (
        shown == lemmata("show", "lj22.lemma3@A").out + "\n" + lemmata("show", "lj22.lemma3@B").out
    )


# derive ------------------------------------------------------------------------------------------
NETWORK = {
    "format": "lemmata-network",
    "version": 1,
    "title": "one neuron",
    "vertices": [
        {"name": "x1", "activation": "linear"},
        {"name": "x2", "activation": "linear"},
        {"name": "h", "activation": "relu"},
        {"name": "o", "activation": "linear"},
    ],
    "inputs": ["x1", "x2"],
    "outputs": ["o"],
    "edges": [
        {"tail": "x1", "head": "h", "parameter": "a"},
        {"tail": "x2", "head": "h", "parameter": "b"},
        {"tail": "h", "head": "o", "parameter": "c"},
    ],
    "weights": {"a": "1/2", "b": -1, "c": "0x1.8p+1"},
}


def write(change=None, name: str = "net.json") -> str:
    """The network, changed, in a file of the working directory."""
    data = json.loads(json.dumps(NETWORK))
    if change is not None:
        change(data)
    Path(name).write_text(json.dumps(data))
    return name


def test_derive_gives_paths_output_gradient_and_laws(lemmata):
    called = lemmata("derive", write())
    assert (called.code, called.err) == (0, "")
    lines = [line.strip() for line in called.out.splitlines()]
    for line in (
        "x1->h->o: a*c*x1",
        "nu = a*c*s_h*x1 + b*c*s_h*x2",
        "dnu/d c = a*s_h*x1 + b*s_h*x2",
        "quantity: a**2 + b**2 - c**2",
        "defect: 0",
    ):
        assert line in lines, called.out


def test_derive_on_a_region(lemmata):
    name = write()
    # z = x1/2 - x2: active at (1, 0), inactive at (0, 1)
    active = lemmata("derive", name, "--at", "1,0").out
    assert "nu = a*c*x1 + b*c*x2" in active
    inactive = lemmata("derive", name, "--at", "0,1/1").out
    assert "nu = 0" in inactive
    assert "s_h = 0" in inactive
    by_slopes = lemmata("derive", name, "--slopes", "h=1").out
    assert "nu = a*c*x1 + b*c*x2" in by_slopes


def test_derive_as_latex_and_json(lemmata):
    name = write()
    latex = lemmata("derive", name, "--format", "latex").out
    assert r"\nu = a c s_{h} x_{1} + b c s_{h} x_{2}" in latex
    data = json.loads(lemmata("derive", name, "--format", "json").out)
    assert (data["format"], data["version"]) == ("lemmata-derivation", 1)


def remove(key):
    return lambda data: data.pop(key)


BROKEN = {
    "cycle": (
        lambda d: d["edges"].append({"tail": "o", "head": "h", "parameter": "d"}),
        "directed cycle h->o->h: remove one of its edges",
    ),
    "NaN": (lambda d: d["weights"].update(a=float("nan")), "weight of 'a' is nan: give a finite"),
    "infinite": (lambda d: d["weights"].update(a=1e999), "weight of 'a' is inf: give a finite"),
    "no number": (lambda d: d["weights"].update(a="nan"), "weight of 'a' is 'nan': give an int"),
    "activation": (
        lambda d: d["vertices"][2].update(activation="rleu"),
        "vertex 'h': unknown activation 'rleu': use one of linear, relu",
    ),
    "missing weight": (lambda d: d["weights"].pop("b"), "no weight for the parameter 'b': give"),
    "weight of nothing": (lambda d: d["weights"].update(z=1), "weight for 'z', a parameter that"),
    "no edges": (remove("edges"), "the network has no 'edges': add it"),
    "no such vertex": (lambda d: d["edges"][0].update(tail="q"), "'q', which is not among the"),
    "another version": (lambda d: d.update(version=9), "version 9: this reads"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_network_is_refused_with_file_culprit_and_remedy(lemmata, name):
    change, told = BROKEN[name]
    message = lemmata.refused("derive", write(change, "broken.json"))
    assert message.startswith("lemmata: broken.json: ")
    assert told in message


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.json"], "none.json: No such file or directory: check the path"),
        (["net.txt"], "net.txt: unknown kind of file: use a name in .json or .graphml"),
        (["net.json", "--at", "1"], "--at 1: give one number for each of the inputs x1, x2"),
        (["net.json", "--at", "1,2,3"], "--at 1,2,3: give one number for each of the inputs"),
        (["net.json", "--at", "1,x"], "--at '1,x': 'x' is no number, give numbers like 1/2,-3"),
        (["net.json", "--at", "1,1/0"], "--at '1,1/0': '1/0' is no number"),
        (["bare.json", "--at", "1,1"], "--at 1,1: bare.json has no weights, add them"),
        (["net.json", "--slopes", "h"], "--slopes 'h': give VERTEX=SLOPE"),
        (["net.json", "--slopes", "h=x"], "--slopes 'h=x': 'x' is no number"),
        (["net.json", "--slopes", "h=1/3"], "slope 1/3 given for 'h', which has the slopes 0, 1"),
        (["net.json", "--slopes", "q=1"], "slope given for 'q', which is no vertex"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_derive_cannot_use_is_refused(lemmata, words, told):
    write()
    write(remove("weights"), "bare.json")
    Path("net.txt").write_text("x")
    assert told in lemmata.refused("derive", *words)


# repro: certificates that a real run wrote -------------------------------------------------------
@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """The folder of the certificates of a real run."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verify.runs.engine.CONTROLS", {})  # they have tests of their own
        words = ["run", "lj22.gflow", "lj22.eq3", *QUICK, "--quiet"]
        words += ["--journal", str(folder / "journal"), "--output", f"json={folder / 'run.json'}"]
        assert main(words) == 0
    return folder / "certificates"


def test_certificates_of_a_run_are_accepted(lemmata, written):
    paths = sorted(written.iterdir())
    assert {"lj22.gflow.json", "lj22.eq3.json"} <= {path.name for path in paths}
    for path in paths:
        called = lemmata("repro", path)
        assert (called.code, called.err) == (0, ""), called
        assert called.out.startswith(f"accepted: {path.stem}: ")
    record = load(written.parent / "run.json")
    checked = {claim["id"]: claim["checker"] for claim in record["claims"]}
    assert checked["lj22.gflow"]["exit"] == 0


def tampered(path: Path, change) -> Path:
    certificate = json.loads(path.read_text())
    change(certificate)
    target = Path("tampered.json")
    target.write_text(json.dumps(certificate))
    return target


TAMPERINGS = {
    "value": lambda c: c.update(value=str(Fraction(c["value"]) + 1)),
    "value 0": lambda c: c.update(value="0"),
    "weight": lambda c: c["case"]["network"]["weights"].update(
        dict.fromkeys(c["case"]["network"]["weights"], "0")
    ),
    "label": lambda c: c["case"]["examples"][0].update(y="2"),
    "no case": lambda c: c.pop("case"),
    "edge": lambda c: c["entry"].update(edge=["o", "o"]),
    "claim": lambda c: c.update(claim="lj22.eq8-11.8"),  # a true one
    "format": lambda c: c.update(format="another"),
}


@pytest.mark.parametrize("how", TAMPERINGS)
def test_tampered_certificates_are_rejected(lemmata, written, how):
    called = lemmata("repro", tampered(written / "lj22.gflow.json", TAMPERINGS[how]))
    assert (called.code, called.err) == (1, ""), called
    assert called.out.startswith("rejected: ")


@pytest.mark.parametrize(
    "change",
    [{"claim": "lj22.unheard-of"}, {"kind": "hearsay"}, {"version": 99}],
    ids=lambda change: next(iter(change)),
)
def test_certificates_of_unknown_kinds_are_declined(lemmata, written, change):
    called = lemmata("repro", tampered(written / "lj22.gflow.json", lambda c: c.update(change)))
    assert (called.code, called.err) == (2, ""), called
    assert called.out.startswith("declined: ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe\x00", b"null", b"[" * 10**5])
def test_what_is_no_certificate_is_rejected(lemmata, tmp_path, content):
    (tmp_path / "junk.json").write_bytes(content)
    called = lemmata("repro", "junk.json")
    assert (called.code, called.err) == (1, ""), called
    assert called.out.startswith("rejected: ")
    assert len(called.out.splitlines()) == 1


# selftest ----------------------------------------------------------------------------------------
def test_selftest_shows_controls_and_versions(lemmata, cheap, tmp_path):
    called = lemmata("selftest")
    assert called.code == 0
    lines = called.out.splitlines()
    for name in (*CONTROLS, "control.tampered"):
        (line,) = (line for line in lines if f" {name} " in line)
        assert line.startswith("ok ")
    assert any(line.split()[0] == "torch" for line in lines)
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_a_selftest_that_fails_is_1(lemmata, cheap):
    cheap.outcomes["control.true"] = Outcome.REFUTES
    called = lemmata("selftest")
    assert called.code == 1
    (line,) = (line for line in called.out.splitlines() if " control.true " in line)
    assert line.startswith("FAILED ")
    assert "expected supported" in line
    assert "observed refuted" in line
