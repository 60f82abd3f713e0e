r"""Text with LaTeX formulas, as HTML with MathML, typeset offline.

`$...$` is a formula in the text, `$$...$$` a displayed one, `\tag{4}` at its end an equation
number, `` `...` `` code. What cannot be typeset is refused: no LaTeX command ever shows as text.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from reports.mathml_core import ARITY, segments, serialise, settle, texts
from reports.names import SUBSCRIPTS, SUPERSCRIPTS

ENVIRONMENTS = re.compile(r"cases|[pbBvV]?matrix|smallmatrix|array|split|align\*|substack")
# latex2mathml does not know these; the right-hand sides say the same in words that it knows
TRANSLATIONS = (
    (re.compile(r"\\(begin|end)\{aligned\}"), r"\\\1{split}"),
    (re.compile(r"\\tag\{([^{}]*)\}"), r"\\qquad\\text{(\1)}"),
    (re.compile(r"\\operatorname\s+\*"), r"\\operatorname*"),
)
LONG = 14  # symbols; a longer formula may be broken over two lines
NUMBER = re.compile(r"\\tag\{([^{}]*)\}\s*$")
# In words without LaTeX, which a terminal shows as they are: w_0, f_lin; m^(-1/2), M^2.
LOWERED = re.compile(r"\b([A-Za-z])_([A-Za-z]{1,3}|\d+)\b")
RAISED = re.compile(r"(?<=[\w)|\]>])\^(?:\(([^()]*)\)|([−-]?\w+(?:\.\d+)?))")
JOINER = "\u2060"
CUT = re.compile(r"(\$\$.*?\$\$|\$.*?\$|`[^`]*`)", re.DOTALL)


class FormulaError(ValueError):
    """A formula cannot be typeset. The message names the command and the formula."""


def formula(latex: str, *, display: bool = False) -> str:
    """One LaTeX formula as MathML (one or more `<math>` elements, between which lines may break).

    The first carries the LaTeX as its `alttext`, to be copied. Raises FormulaError when a command
    or an environment is not known, braces do not match, or anything of the LaTeX would show as
    text.

    >>> formula("x")
    '<math alttext=x><mi>x</mi></math>'
    """
    return _formula(latex, display)


@lru_cache(maxsize=1 << 15)  # hypotheses are written again and again
def _formula(latex: str, display: bool) -> str:
    tree = settle(_tree(latex))
    _refuse_leaks(tree, latex)
    row = list(tree)
    if len(row) == 1 and row[0].tag == "mrow":
        row = list(row[0])
    if len(row) == 1 and row[0].tag == "mstyle" and row[0].get("displaystyle") == "true":
        row, display = list(row[0]), True
    long = sum(1 for _ in texts(tree)) > LONG
    pieces = segments(row, before=display) if long else [row]
    style = {"displaystyle": "true"} if display else {}
    elements = []
    source = {"alttext": " ".join(latex.split())}
    for piece in pieces:
        math = Element("math", source | style)
        math.extend(piece)
        elements.append(serialise(math))
        source = {}
    return "".join(elements)


def inline(text: str) -> str:
    """A line of text with formulas as HTML for one line (a title, a table cell).

    Raises FormulaError.
    """
    return "".join(_prose(part) if kind == "text" else formula(part) for kind, part in _parts(text))


def paragraphs(text: str) -> str:
    """Text with formulas as HTML blocks: paragraphs, and displayed equations with their numbers.

    Raises FormulaError.
    """
    blocks: list[str] = []
    running = ""
    for kind, part in _parts(text):
        if kind == "display":
            blocks.append(_paragraph(running))
            blocks.append(_equation(part))
            running = ""
        elif kind == "inline":
            running += formula(part)
        else:
            *finished, rest = re.split(r"\n\s*\n", part)
            for piece in finished:
                blocks.append(_paragraph(running + _prose(piece)))
                running = ""
            running += _prose(rest)
    blocks.append(_paragraph(running))
    return "".join(blocks)


def _parts(text: str) -> list[tuple[str, str]]:
    """The text cut into ("text" | "inline" | "display", content). No line is broken between a
    formula and a mark that belongs to it."""
    parts = []
    for piece in CUT.split(text):
        if piece.startswith("$$") and len(piece) > 4:
            parts.append(("display", piece[2:-2].strip()))
        elif piece.startswith("$") and len(piece) > 2:
            if parts and parts[-1][1][-1:] in ("(", "["):
                parts[-1] = ("text", parts[-1][1] + JOINER)
            parts.append(("inline", piece[1:-1]))
        elif "$" in piece and not piece.startswith("`"):
            raise FormulaError(f"a dollar sign without its partner in {text!r}: write $formula$")
        elif piece:
            joined = parts and parts[-1][0] == "inline" and piece[0] in ",.;:!?)]-"
            parts.append(("text", JOINER + piece if joined else piece))
    return parts


def _prose(text: str) -> str:
    if text.startswith("`"):
        return f"<code>{html.escape(text.strip('`'))}</code>"
    text = re.sub(r'(^|[\s(\[])"', r"\1“", text).replace('"', "”")
    text = re.sub(r"(^|[\s(\[])'(?=\w)", r"\1‘", text).replace("'", "’")
    text = re.sub(r"(?<![\w)\]-])-(?=\d)", "−", text)
    text = text.replace(" <= ", " ≤ ").replace(" >= ", " ≥ ").replace(" - ", " − ")
    lowered = LOWERED.sub(
        lambda found: f"<i>{found[1]}</i>{_small('sub', found[2], SUBSCRIPTS)}", html.escape(text)
    )
    return RAISED.sub(lambda found: _small("sup", found[1] or found[2], SUPERSCRIPTS), lowered)


def _small(tag: str, text: str, letters: dict[int, int]) -> str:
    """An index or a power, of a whole number as small digits."""
    whole = re.fullmatch(r"[−-]?[0-9]+", text)
    return text.translate(letters) if whole else f"<{tag}>{text}</{tag}>"


def _paragraph(inner: str) -> str:
    return f"<p>{inner.strip()}</p>" if inner.strip() else ""


def _equation(latex: str) -> str:
    number = NUMBER.search(latex)
    body = f'<div class="formula">{formula(NUMBER.sub("", latex), display=True)}</div>'
    if not number:
        return body
    return f'<div class="equation">{body}<div class="number">({html.escape(number[1])})</div></div>'


def _tree(latex: str) -> Element:
    """latex2mathml's tree. Raises FormulaError for what it cannot read."""
    source = latex
    for pattern, replacement in TRANSLATIONS:
        source = pattern.sub(replacement, source)
    for environment in re.findall(r"\\begin\{([^{}]*)\}", source):
        if not ENVIRONMENTS.fullmatch(environment):
            raise FormulaError(
                f"environment {environment!r} in the formula {latex!r} cannot be typeset: "
                "use cases, aligned, align*, array or one of the matrices"
            )
    bare = re.sub(r"\\[\\{}]", "", source)
    if bare.count("{") != bare.count("}"):
        raise FormulaError(f"braces do not match in the formula {latex!r}")
    try:
        return convert_to_element(source)
    except Exception as error:  # latex2mathml raises bare exceptions of a dozen kinds
        what = type(error).__name__
        raise FormulaError(f"the formula {latex!r} is not well formed ({what} {error})") from error


def _refuse_leaks(tree: Element, latex: str) -> None:
    """Raises FormulaError when part of the LaTeX is left as text in the tree."""
    source = latex.replace("\\\\", " ")  # line ends of matrices
    commands = set(re.findall(r"\\([A-Za-z]+)", source))
    commands -= set(re.findall(r"(?<![\\A-Za-z])[A-Za-z]+", source))  # also written as words
    for element in tree.iter():
        if len(element) != ARITY.get(element.tag, len(element)):
            raise FormulaError(
                f"an argument is missing in the formula {latex!r}: write it in braces"
            )
        text = element.text or ""
        if leak := re.search(r"\\([A-Za-z]+\*?|.)?|\$", text):
            leaked = leak.group(0)
        elif element.tag == "mtext":
            continue
        elif (text in ("&", "#", "_", "^") and f"\\{text}" not in source) or (
            text in commands and not element.get("_word")
        ):
            leaked = text
        else:
            continue
        raise FormulaError(
            f"{leaked!r} in the formula {latex!r} cannot be typeset: "
            "use commands that latex2mathml knows, or translate it in reports.mathml"
        )
