"""Imports go one way: no circle of files, function-level imports counted, and folders in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name

import networkx as nx

from tests.repository import house_sources, module_name

ORDER = ("core", "cases", "language", "statements", "kinds", "papers", "search", "methods", "runs")
"""The folders of verify: each imports from itself and from those before it."""


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """The dotted names that are imported, at the top or in functions, but for types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            names = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
            yield from (resolve_name(name, package) for name in names)
        yield from imported(node, package)


def graph(sources: dict[str, str]) -> nx.DiGraph:
    """Which module imports which."""
    packages = {module.rpartition(".")[0] for module in sources}
    found = nx.DiGraph()
    found.add_nodes_from(sources)
    for module, text in sources.items():
        package = module if module in packages else module.rpartition(".")[0]
        modules = (
            name if name in sources else name.rpartition(".")[0]
            for name in imported(ast.parse(text), package)
        )
        names = set(modules) & sources.keys()
        found.add_edges_from((module, name) for name in names - {module})
    return found


@cache
def ours() -> nx.DiGraph:
    return graph({module_name(path): text for path, text in house_sources().items()})


def circles(modules: nx.DiGraph) -> list[set[str]]:
    return [found for found in nx.strongly_connected_components(modules) if len(found) > 1]


def against_the_order(modules: nx.DiGraph) -> list[tuple[str, str]]:
    place = {f"verify.{folder}": number for number, folder in enumerate(ORDER)}

    def of(module: str) -> int | None:
        return place.get(".".join(module.split(".")[:2]))

    pairs = ((a, b, of(a), of(b)) for a, b in modules.edges)
    return [(a, b) for a, b, i, j in pairs if i is not None and j is not None and i < j]


def test_no_files_import_each_other_in_a_circle():
    assert circles(ours()) == []


def test_folders_import_from_those_below():
    modules = ours()
    assert {module.split(".")[1] for module in modules if module.startswith("verify.")} == {
        *ORDER,
        "checker",
        "rocq",
    }
    assert against_the_order(modules) == []
    above = {b for a, b in modules.edges if a.startswith("verify.checker") and "checker" not in b}
    assert above == set()


def test_a_circle_by_an_import_in_a_function_is_seen():
    late = "def f():\n    from verify.cases import a\n"
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import verify.cases.a\n"
    one = {"verify.cases.a": "import verify.core.b\n", "verify.core.b": late}
    assert circles(graph(one)) == [{"verify.cases.a", "verify.core.b"}]
    assert against_the_order(graph(one)) == [("verify.core.b", "verify.cases.a")]
    assert circles(graph({**one, "verify.core.b": types})) == []


def test_a_circle_by_relative_imports_is_seen():
    some = {
        "verify.core": "",
        "verify.core.a": "from .b import x\n",
        "verify.core.b": "from . import a\n",
    }
    assert circles(graph(some)) == [{"verify.core.a", "verify.core.b"}]
