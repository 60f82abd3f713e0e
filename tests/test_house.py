"""The floors of the house: who may import whom, what is documented, what a light command loads."""

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.repository import HOUSE, ROOT, house_sources, module_name, printed_by

ALLOWED = {
    "graphs": {"graphs"},
    "numerics": {"numerics", "graphs"},
    "verify": {"verify", "numerics", "graphs"},
    "reports": {"reports", "verify"},
    "lemmata": set(HOUSE),
}
MODULES_OF = {"scikit-learn": "sklearn", "python-flint": "flint"}  # where the names differ
CHECKER = Path("verify/checker")


@cache
def imported(source: str) -> frozenset[str]:
    """The top-level names of all modules that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
            ("import_module", "__import__")
        ):
            names |= {
                argument.value.partition(".")[0]
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            }
    return frozenset(names - {""})  # but for a relative import


def declared() -> set[str]:
    """The modules of what pyproject.toml asks for: dependencies, the extras that it imports."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["fast"] + extras["pytest"] + extras["cluster"]
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in wanted}
    return {MODULES_OF.get(name, name) for name in names}


def test_imports_are_seen_wherever_they_stand():
    source = "import a.b\ndef f():\n    from c import d\n    importlib.import_module('e.f')\n"
    assert imported(source) == {"a", "c", "e"}


def test_each_floor_imports_only_floors_below():
    assert {path.parts[0] for path in house_sources()} == set(HOUSE)
    wrong = {}
    for path, source in house_sources().items():
        above = (imported(source) & set(HOUSE)) - ALLOWED[path.parts[0]]
        if above:
            wrong[str(path)] = above
    assert wrong == {}


def test_third_party_imports_are_declared():
    known = declared() | set(HOUSE) | set(sys.stdlib_module_names)
    found = {str(path): imported(source) - known for path, source in house_sources().items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_graphs_knows_no_torch():
    sources = {p: source for p, source in house_sources().items() if p.parts[0] == "graphs"}
    assert [str(path) for path, source in sources.items() if "torch" in imported(source)] == []


def test_the_checker_needs_only_the_standard_library():
    found = {p: imported(s) for p, s in house_sources().items() if CHECKER in p.parents}
    assert len(found) > 10
    assert {p: names - set(sys.stdlib_module_names) for p, names in found.items() if names} == {
        p: set() for p, names in found.items() if names
    }


def test_the_checker_knows_no_single_claim():
    words = ("lj22", "j23", "dkbhl20", "zlb22")
    for path, source in house_sources().items():
        if CHECKER in path.parents:
            assert not [word for word in words if word in source], path


def test_no_paper_imports_from_another():
    papers = Path("verify/papers")
    wrong = set()
    for path, source in house_sources().items():
        if papers in path.parents and path.parent != papers:
            own = path.relative_to(papers).parts[0]
            for node in ast.walk(ast.parse(source)):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
                of = {name.split(".")[2] for name in names if name.startswith("verify.papers.")}
                wrong |= {(str(path), other) for other in of - {own}}
    assert wrong == set()


# documentation -------------------------------------------------------------------------------
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(body: list[ast.stmt]) -> list[Definition]:
    """The public definitions of a body, those under `if` and `try` included."""
    found: list[Definition] = []
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            found.append(node)
        elif isinstance(node, ast.If | ast.Try):
            found += definitions([*node.body, *node.orelse])
    return found


def repeats(node: Definition) -> bool:
    """Whether it is one more signature, or the setter, of a name that is documented elsewhere."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(d.endswith(("overload", ".setter", ".deleter")) for d in decorators)


def undocumented(sources: dict[Path, str]) -> list[str]:
    """The public modules, classes, functions and methods without a docstring.

    A method may inherit the one of the contract that it fulfils: of a base class in the house.
    """
    trees = {path: ast.parse(source) for path, source in sources.items()}
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees.values():
        for node in definitions(tree.body):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)

    def inherited(owner: ast.ClassDef, name: str) -> bool:
        bases = [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in owner.bases]
        for base in (found for name in bases for found in classes.get(name, ())):
            for node in definitions(base.body):
                if node.name == name and ast.get_docstring(node):
                    return True
            if inherited(base, name):
                return True
        return False

    missing = []
    for path, tree in trees.items():
        module = module_name(path)
        if any(part.startswith("_") and part != "__init__" for part in path.with_suffix("").parts):
            continue
        if not ast.get_docstring(tree):
            missing.append(module)
        for node in definitions(tree.body):
            if not ast.get_docstring(node) and not repeats(node):
                missing.append(f"{module}.{node.name}")
            for method in definitions(node.body) if isinstance(node, ast.ClassDef) else []:
                documented = ast.get_docstring(method) or inherited(node, method.name)
                if not documented and not repeats(method):
                    missing.append(f"{module}.{node.name}.{method.name}")
    return missing


def test_every_public_name_is_documented():
    assert undocumented(house_sources()) == []


def test_a_missing_docstring_is_seen():
    source = '''
"""A module."""
class Base:
    """A contract."""
    def measure(self):
        """What is measured."""
class Child(Base):
    def measure(self): ...
    def other(self): ...
    def _private(self): ...
def function(): ...
'''
    found = undocumented({Path("a/b.py"): source, Path("a/c.py"): "x = 1\n"})
    assert found == ["a.b.Child", "a.b.Child.other", "a.b.function", "a.c"]


# light commands ------------------------------------------------------------------------------
@pytest.mark.parametrize("argument", ["--help", "list"])
def test_light_commands_load_nothing_heavy(argument):
    printed = printed_by(argument)
    assert printed.splitlines()[-1] == "LOADED [] CODE 0"
    assert len(printed.splitlines()) > 5


def test_list_names_every_statement():
    from verify.core.ledger import statements

    printed = printed_by("list")
    assert [name for name in statements() if f"{name} " not in printed] == []


def test_the_public_names_are_there():
    import lemmata

    assert set(lemmata.__all__) <= set(dir(lemmata))
    assert all(getattr(lemmata, name) is not None for name in lemmata.__all__)
    assert all(getattr(lemmata, name).__doc__ for name in lemmata.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lemmata.nothing  # noqa: B018 - that it cannot be had is the test
