"""`[tool.lemmata]`: what it sets, what the command line sets over it, what it refuses."""

import json

import pytest

from lemmata.config import KEYS, configured
from lemmata.errors import UsageError
from lemmata.main import parser

QUICK = ("--workers", "1")


def write(folder, table: str, head: str = "[tool.lemmata]"):
    (folder / "pyproject.toml").write_text(f"{head}\n{table}\n")


def test_every_key_is_an_option_of_its_commands():
    for key in KEYS.values():
        for command, option in key.options.items():
            words = {"show": ["show", "x"], "list": ["list"]}.get(command, [command])
            assert hasattr(parser().parse_args(words), option), (command, option)


def test_it_holds_where_the_command_line_is_silent(lemmata, cheap, tmp_path):
    write(tmp_path, 'budget = "smoke"\nseed = 7\noutput = ["json=run.json"]\nhistory = "h.jsonl"')
    assert lemmata("run", "lj22.risk", *QUICK).code == 0
    run = json.loads((tmp_path / "run.json").read_text())["run"]
    assert (run["budget"], run["seed"]) == ("smoke", 7)
    assert len((tmp_path / "h.jsonl").read_text().splitlines()) == 1
    assert lemmata("run", "lj22.risk", *QUICK, "--seed", "8", "--output", "json=o.json").code == 0
    run = json.loads((tmp_path / "o.json").read_text())["run"]
    assert (run["budget"], run["seed"]) == ("smoke", 8)


def test_the_command_line_replaces_lists_and_does_not_add_to_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 'claims = ["a.py", "b.py"]\noutput = "html=r.html,github"\nbaseline = "x.json"')
    defaults = configured()
    assert tuple(parser(defaults).parse_args(["run"]).files) == ("a.py", "b.py")
    assert tuple(parser(defaults).parse_args(["run"]).output) == ("html=r.html", "github")
    given = parser(defaults).parse_args(["run", "--claims", "c.py", "--claims", "d.py"])
    assert given.files == ["c.py", "d.py"]
    assert parser(defaults).parse_args(["baseline"]).file == "x.json"
    assert parser(defaults).parse_args(["baseline", "y.json"]).file == "y.json"


def test_files_are_as_seen_from_its_folder(tmp_path, monkeypatch):
    write(tmp_path, 'claims = "a.py"\noutput = ["md=out/r.md", "github"]\nbudget = "smoke"')
    below = tmp_path / "one" / "two"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    options = configured()["run"]
    up = "../" * 2
    assert options["files"] == (f"{up}a.py",)
    assert options["output"] == (f"md={up}out/r.md", "github")
    assert options["budget"] == "smoke"
    write(below, "", "[tool.other]")  # one that says nothing of it is passed over
    assert configured()["run"]["budget"] == "smoke"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('bugdet = "ci"', r"no key 'bugdet', did you mean 'budget'\?"),
        ("Baseline = 'x'", r"no key 'Baseline', did you mean 'baseline'\?"),
        ("zzz = 1", r"no key 'zzz', did you mean '\w+'\?"),
        ("budget = 3", "budget is 3 and needs to be a text"),
        ("seed = true", "seed is True and needs to be a whole number"),
        ("graded = 1", "graded is 1 and needs to be true or false"),
        ("claims = [1]", r"claims is \[1\] and needs to be a list of texts"),
        ("seed = -1", "seed: '-1' is no seed"),
        (f"seed = {10**40}", "seed: '10+' is no seed"),
        ('journal = "a\\u0000b"', "leave out the character of code 0"),
        ('claims = ["a\\u0000b"]', "leave out the character of code 0"),
    ],
)
def test_what_it_cannot_hold_is_named(tmp_path, table, told):
    write(tmp_path, table)
    with pytest.raises(UsageError, match=told) as caught:
        configured(tmp_path)
    assert f"{tmp_path / 'pyproject.toml'}, [tool.lemmata]: " in str(caught.value)


@pytest.mark.parametrize("text", [f"a = {'[' * 9**4}", f"a = {'9' * 9**4}", "a = '\x00'"])
def test_what_is_no_toml_is_named(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(UsageError, match=r"pyproject\.toml is not TOML"):
        configured(tmp_path)


def test_a_file_without_a_table_of_tools_says_nothing(tmp_path):
    (tmp_path / "pyproject.toml").write_text("tool = 3\n")
    assert configured(tmp_path) == {}


def test_a_wrong_table_is_4_before_the_work(lemmata, cheap, tmp_path):
    write(tmp_path, 'bugdet = "smoke"')
    assert "did you mean 'budget'?" in lemmata.refused("run", "lj22.risk")
    write(tmp_path, "", "[tool.lemmata")
    assert "is not TOML" in lemmata.refused("run", "lj22.risk")
    write(tmp_path, "lemmata = 3", "[tool]")
    assert "make it a table" in lemmata.refused("run", "lj22.risk")
    assert cheap.performed == []
    assert lemmata("--help").code == 0
