"""The documentation as pages: `make docs` builds them, without a network, into build/docs.

Formulas are MathML, typeset as in the reports. The pages on commands and on public names are made
from the code.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from argparse import ArgumentParser, HelpFormatter, _SubParsersAction
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import lemmata  # noqa: E402 - found beside this folder
from lemmata.main import parser  # noqa: E402 - likewise found
from reports import mathml  # noqa: E402 - likewise found
from verify.runs.tasks import AFTERWARDS, METHODS  # noqa: E402 - likewise found

project, author, version = "Lemmata", "the Lemmata team", lemmata.__version__
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
smartquotes = False  # two hyphens are an option
html_theme = "furo"
html_static_path, html_css_files = ["static"], ["pages.css"]
html_title = f"Lemmata {version}"
html_math_renderer = "mathml"
MADE = HERE / "reference"  # pages that are made here
COLUMNS = 96  # of help texts
OUTSIDE = r"(?:\.\./)+(?:examples/|verify/|reports/|action\.yml)[^)]*\)"  # links to no page


def setup(app: Any) -> None:
    """What Sphinx asks of this file before it reads a page."""
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    MADE.mkdir(exist_ok=True)
    (MADE / "commands.md").write_text(commands(), encoding="utf-8")
    (MADE / "names.md").write_text(names(), encoding="utf-8")
    (MADE / "methods.md").write_text(methods(), encoding="utf-8")
    (MADE / "benchmarks.md").write_text(benchmarks(), encoding="utf-8")
    (MADE / "readme.md").write_text(readme(), encoding="utf-8")
    app.connect("source-read", _linked)


def _linked(app: Any, name: str, text: list[str]) -> None:
    """In a page, links to the README lead to its page here; those to other files outside of this
    folder are left away."""
    text[0] = re.sub(r"\]\((?:\.\./)+README\.md", "](/reference/readme.md", text[0])
    text[0] = re.sub(rf"\[([^]]*)\]\({OUTSIDE}", r"\1", text[0])


def readme() -> str:
    """The README as a page: links to pages lead to these, those to other files are left away."""
    text = (HERE.parent / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](/", text)
    return re.sub(r"(?<!!)\[([^]]*)\]\((?!/|https?:|#)[^)]*\)", r"\1", text)


def _inline(self: Any, node: Any) -> None:
    self.body.append(mathml.formula(node.astext()))
    raise SkipNode


def _displayed(self: Any, node: Any) -> None:
    self.body.append(f"<p>{mathml.formula(node.astext(), display=True)}</p>")
    raise SkipNode


# reference ----------------------------------------------------------------------------------------
def commands() -> str:
    """Every command with its help, from the parser of the command line."""
    top = parser()
    (sub,) = (action for action in top._actions if isinstance(action, _SubParsersAction))
    pages = [("lemmata", top), *((f"lemmata {name}", one) for name, one in sub.choices.items())]
    told = [f"## {name}\n\n```text\n{_help(one)}```\n" for name, one in pages]
    return "\n".join(["# Commands\n", *told])


def _help(one: ArgumentParser) -> str:
    one.formatter_class = partial(HelpFormatter, width=COLUMNS)  # type: ignore[assignment]  # called like a class
    return one.format_help()


def names() -> str:
    """What `from lemmata import ...` gives, with docstrings."""
    told = "[language](/language.md) says what each operator is and where it is defined"
    parts = [f"# Public names\n\n`from lemmata import ...` gives these. {told}.\n"]
    for name in lemmata.public_names():
        found = getattr(lemmata, name)
        told = "\n".join(map(_line, (inspect.getdoc(found) or "").splitlines()))
        signature = _signature(found)
        call = f"```python\n{name}{signature}\n```\n\n" if signature else ""
        parts.append(f"## {name}\n\n{call}{told}\n")
    return "\n".join(parts)


def methods() -> str:
    """What looks for evidence, in the order in which it does, in its own words."""
    told = "From a claim to evidence, in the order in which they are tried; `lemmata run` asks\n"
    told += "those that apply to the claim. The last two look at claims that are refuted."
    files = [HERE.parent / f"verify/methods/{name}.py" for name in (*METHODS, *AFTERWARDS)]
    return _modules("Methods", told, files)


def benchmarks() -> str:
    """What each benchmark compares, in its own words."""
    told = "Most compare with the plain way to do the same, check that the answers agree, and\n"
    told += "print ratios of medians: `python -m benchmarks.NAME`, in the repository."
    files = sorted((HERE.parent / "benchmarks").glob("*.py"))
    return _modules("Benchmarks", told, [path for path in files if "__main__" in path.read_text()])


def _modules(title: str, told: str, files: Iterable[Path]) -> str:
    """Modules with their docstrings, in which nothing but `code` is markup."""
    parts = [f"# {title}\n\n{told}\n"]
    for path in files:
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        pieces = re.split(r"(`[^`]+`)", text)
        pieces[::2] = [re.sub(r"([*_$<|\[\]])", r"\\\1", piece) for piece in pieces[::2]]
        parts.append(f"## {path.stem}\n\n{''.join(pieces)}\n")
    return "\n".join(parts)


def _line(text: str) -> str:
    """A line of a docstring: formulas typeset, sorts and examples as code."""
    word, _, rest = text.partition(": ")
    if word == "Formula":
        return f"- {word}: ${rest}$"
    return f"- {word}: `{rest}`" if word in ("Sorts", "Example") and "`" not in rest else text


def _signature(found: Any) -> str:
    """How it is called, where that tells more than the sorts do."""
    try:
        signature = str(inspect.signature(found)) if callable(found) else ""
    except ValueError:
        return ""
    return "" if "*arguments" in signature else re.sub(r"'([^']+)'", r"\1", signature)
