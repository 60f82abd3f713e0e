"""From latex2mathml's trees to MathML Core, the part of MathML that browsers draw.

latex2mathml writes MathML 3: fonts as `mathvariant` attributes, limits of sums as subscripts,
operators without the form that their place gives them. Browsers draw MathML Core, which knows
none of the fonts but the upright one, and nothing of TeX's spacing. The functions here rewrite
one tree: fonts become Unicode letters, limits become movable limits, spaces become TeX's.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from latex2mathml.symbols_parser import convert_symbol

from reports.alphabets import ALPHABETS, letter

OPENING = frozenset("([{⟨⌊⌈")
CLOSING = frozenset(")]}⟩⌋⌉")
BARS = frozenset("|‖")
FENCES = OPENING | CLOSING | BARS
RELATIONS = frozenset("=≠<>≤≥≡≈∼≃≅∝∈∉∋⊂⊃⊆⊇→←↦⇒⇔↘↗:≔∣∥≪≫⊥")
SIGNS = frozenset("+−±∓")  # binary after a term, unary after an operator
BINARY = SIGNS | frozenset("×⋅∘∖∪∩⊔⊗⊕")
LARGE = frozenset("∑∏⋃⋂⨁⨂⨆⋁⋀∐")
LIMIT_WORDS = re.compile(
    "max|min|sup|inf|lim|det|gcd|Pr|argmax|argmin|esssup|liminf|limsup|plim|injlim|projlim"
)
FUNCTION_WORDS = re.compile(
    "arc(cos|sin|tan)|arg|(cos|cot|sin|tan)h?|csc|deg|dim|exp|hom|ker|lg|ln|log|sec"
)
# latex2mathml makes operators of these; as operators they would be set with wide spaces
ORDINARY = frozenset("∞⊤∅∀∃∄∇∂ℓ…⋯⋮⋱℘′″‴%&$#")
# the same sign at the place where more fonts have it
BETTER_KNOWN = str.maketrans({"⧵": "∖", "―": "¯", "⟵": "←", "⟶": "→"})
PRIMES = frozenset("′″‴")  # raised by themselves, so not set as superscripts
ACCENTS = {"^": "ˆ", "~": "˜", "¯": "¯", "˙": "˙", "¨": "¨", "ˇ": "ˇ", "˘": "˘", "→": "→"}
SPACES = {
    "negativethinmathspace": "-0.167em",
    "negativemediummathspace": "-0.222em",
    "negativethickmathspace": "-0.278em",
    "thinmathspace": "0.167em",
    "thickmathspace": "0.278em",
}
# how many children each of these takes, the base included
SCRIPTS = {"msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
ARITY = {"mfrac": 2, "mroot": 2, **SCRIPTS}
BARE = re.compile(r"[\w.-]+", re.ASCII)  # a value that HTML takes without quotation marks
TOKENS = frozenset(("mi", "mo", "mn", "mtext"))
ROWS = frozenset(("mrow", "mstyle", "mtd", "math", "msqrt", "mpadded", "mphantom"))


def settle(node: Element, *, script: bool = False) -> Element:
    """The same formula in MathML Core. script: the node stands in a sub- or superscript."""
    if node.tag in TOKENS:
        return _token(node)
    inside = script or (node.tag == "mstyle" and node.get("scriptlevel") not in (None, "0"))
    children = []
    for place, child in enumerate(node):
        in_script = inside or (node.tag in SCRIPTS and place > 0)
        settled = settle(child, script=in_script)
        children += list(settled) if settled.get("_loose") and node.tag in ROWS else [settled]
    if node.tag in SCRIPTS:
        return _scripts(node, children)
    attributes = dict(node.attrib)
    if node.tag == "mspace":
        attributes["width"] = SPACES.get(attributes.get("width", "0"), attributes.get("width", "0"))
    align = attributes.pop("columnalign", None)
    if align is not None:
        attributes["class"] = align  # the page's policy knows no styles of single elements
    if node.tag in ROWS:
        children = _spaced(_embraced(_merged(children)), script=inside)
    if node.tag == "mrow" and len(children) == 1 and not attributes:
        only = children[0]
        if only.tag == "mo" and not only.get("_word"):  # braces make an operator ordinary: {=}
            only.attrib.update(lspace="0", rspace="0")
        return only
    return _element(node.tag, attributes, children)


def serialise(node: Element) -> str:
    """The tree as HTML text. Attributes that begin with an underscore are notes, left out."""
    attributes = "".join(
        f" {name}={value}" if BARE.fullmatch(value) else f' {name}="{html.escape(value)}"'
        for name, value in node.attrib.items()
        if not name.startswith("_")
    )
    inner = html.escape(node.text or "", quote=False) + "".join(serialise(child) for child in node)
    return f"<{node.tag}{attributes}>{inner}</{node.tag}>"


def texts(node: Element) -> Iterator[str]:
    """The text of every token, in reading order."""
    for element in node.iter():
        if element.text:
            yield element.text


def segments(children: Sequence[Element], *, before: bool) -> list[list[Element]]:
    """A row cut where a line may be broken: at relations and signs outside all brackets.

    before: break before the operator (displayed formulas), else after it (formulas in text, which
    may also be broken after a comma).
    """
    pieces: list[list[Element]] = [[]]
    depth = 0
    for child in children:
        symbol = _symbol(child)
        depth += (symbol in OPENING) - (symbol in CLOSING)
        if symbol in BARS:
            depth = depth - 1 if depth and pieces[-1] and _open_bar(pieces[-1]) else depth + 1
        core = _core(child)
        infix = core.get("form") != "prefix" and bool(pieces[-1])
        breakable = depth == 0 and infix and (symbol in RELATIONS or symbol in SIGNS)
        if breakable and symbol in SIGNS:
            core.set("form", "infix")  # at an end of its piece it would else be another
        if breakable and before:
            pieces.append([child])
            continue
        pieces[-1].append(child)
        if not before and (breakable or (depth == 0 and symbol == ",")):
            pieces.append([])
    return [piece for piece in pieces if piece]


def _open_bar(row: Sequence[Element]) -> bool:
    return sum(_symbol(child) in BARS for child in row) % 2 == 1


def _symbol(node: Element) -> str:
    """The text of the operator at the core of a node, or nothing."""
    core = _core(node)
    return (core.text or "") if core.tag == "mo" else ""


def _core(node: Element) -> Element:
    """What scripts stand at, or the node itself."""
    while node.tag in SCRIPTS and len(node):
        node = node[0]
    return node


def _element(tag: str, attributes: dict[str, str], children: Sequence[Element] = ()) -> Element:
    element = Element(tag, attributes)
    element.extend(children)
    return element


def _token(node: Element) -> Element:
    """One symbol: its text decoded, its font turned into letters, its kind put right."""
    text = html.unescape(node.text or "")
    if text.startswith("\\") and (code := convert_symbol(text)) is not None:
        text = chr(int(code, 16))  # after \big latex2mathml leaves commands as they are
    elif text.startswith("\\") and FUNCTION_WORDS.fullmatch(text[1:]):
        text = text[1:]
    text = text.translate(BETTER_KNOWN)
    attributes = {k: v for k, v in node.attrib.items() if k != "mathvariant"}
    variant = node.get("mathvariant")
    if variant == "normal" and len(text) == 1 and node.tag == "mi":
        attributes["mathvariant"] = "normal"
    elif variant in ALPHABETS:
        text = "".join(letter(character, variant) for character in text)
    tag = node.tag
    word = re.sub(r"\s", "", text)
    if tag in ("mi", "mo") and len(word) > 1 and word.isascii() and word.isalpha():
        tag = "mo" if LIMIT_WORDS.fullmatch(word) or node.get("movablelimits") else "mi"
        limits = {"movablelimits": "true", "lspace": "0", "rspace": "0"} if tag == "mo" else {}
        attributes = {"_word": "operator", **limits}
    elif tag == "mo" and text in ORDINARY:
        tag, attributes = "mi", {} if text == "∂" else {"mathvariant": "normal"}
    elif text in (":", ";", "≔"):
        tag = "mo"
        attributes = {"lspace": "0", "rspace": ".167em"} if text == ";" else {}
    elif tag == "mi" and len(text) == 1 and text in RELATIONS | BINARY | LARGE | OPENING | CLOSING:
        tag = "mo"
    if tag == "mo" and text in FENCES:
        if "form" in attributes:  # of \left and \right, at the ends of their row
            attributes = {}
        elif "minsize" not in attributes:
            attributes = {"stretchy": "false"}
        elif text == "|":  # which is not one of the signs that stretch amid a row
            attributes["stretchy"] = "true"
    if tag == "mo" and text in ("|", ".", "/"):
        attributes |= {"lspace": "0", "rspace": "0"}
    attributes.pop("fence", None)  # it changes nothing
    element = Element(tag, attributes)
    element.text = text
    return element


def _scripts(node: Element, children: list[Element]) -> Element:
    """Sub- and superscripts; those of sums and of words like max become movable limits."""
    surplus = len(children) - SCRIPTS[node.tag]
    if surplus > 0:  # a matrix as the base, its brackets beside it
        base_parts = _embraced(children[: surplus + 1])
        children = [_element("mrow", {}, base_parts), *children[surplus + 1 :]]
    tag, base = node.tag, children[0] if children else None
    attributes = dict(node.attrib)
    core = _symbol(base) if base is not None else ""
    if core in LARGE or (base is not None and base.tag == "mo" and base.get("movablelimits")):
        tag = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}.get(tag, tag)
    if tag in ("mover", "munder") and len(children) == 2:
        mark = children[1]
        if mark.tag == "mo" and (mark.text or "") in ACCENTS:
            mark.text = ACCENTS[mark.text or ""]
            attributes["accent" if tag == "mover" else "accentunder"] = "true"
            mark.set("stretchy", "true" if _wide(children[0]) else "false")
        elif base is not None and base.tag == "mo" and core in RELATIONS:
            base.attrib.pop("lspace", None)  # a relation stays one with a word over it
            base.attrib.pop("rspace", None)
    if tag in ("msup", "msubsup") and set(children[-1].text or "x") <= PRIMES:
        primed = _element("mrow", {"_loose": "yes"}, [children[0], children[-1]])
        return primed if tag == "msup" else _element("msub", attributes, [primed, children[1]])
    if any(child.tag == "mpadded" for child in children):  # an arrow with a text over it
        children = [_arrow_part(child) for child in children]
    if base is not None and base.get("_word"):
        attributes["_word"] = "operator"
    if base is not None and base.get("minsize", "").endswith("em"):
        return _beside_large_bracket(tag, attributes, children)
    return _element(tag, attributes, children)


def _beside_large_bracket(
    tag: str, attributes: dict[str, str], children: Sequence[Element]
) -> Element:
    """Scripts of a bracket of fixed size. A bracket that is a base would not be drawn larger, so it
    stands by itself, and an empty box of its size is the base."""
    half = float(children[0].get("minsize", "1em").removesuffix("em")) / 2
    axis = 0.25  # the height of the middle of a bracket, in ems
    size = {"width": "0", "height": f"{half + axis:.2f}em", "depth": f"{half - axis:.2f}em"}
    scripts = _element(tag, attributes, [_element("mspace", size), *children[1:]])
    return _element("mrow", {"_loose": "yes"}, [children[0], scripts])


def _wide(node: Element) -> bool:
    return len("".join(texts(node))) > 1


def _arrow_part(node: Element) -> Element:
    """The arrow made stretchy, or the text over it with a little room at both ends."""
    if node.tag == "mstyle" and len(node) == 1:
        node[0].set("stretchy", "true")
        return node[0]
    room = [_element("mspace", {"width": ".35em"}) for _ in range(2)]
    kept = [child for child in node if child.tag != "mspace"]
    return _element("mrow", {}, [room[0], *kept, room[1]])


def _merged(children: Sequence[Element]) -> list[Element]:
    """Upright letters in a row become one word; `:` and `=` become one sign."""
    row: list[Element] = []
    for child in children:
        last = row[-1] if row else None
        if last is not None and _upright(child) and _upright(last):
            last.text = (last.text or "") + (child.text or "")
            last.set("mathvariant", "normal")
        elif last is not None and last.tag == child.tag == "mo" and last.text == ":":
            if child.text == "=":
                last.text = "≔"
            else:
                row.append(child)
        else:
            row.append(child)
    for child in row:
        if child.tag == "mi" and len(child.text or "") > 1:
            child.attrib.pop("mathvariant", None)
    return row


def _embraced(children: Sequence[Element]) -> list[Element]:
    """A matrix and the brackets beside it become a row of their own, in which these stretch."""
    row: list[Element] = []
    for child in children:
        row.append(child)
        if [part.tag for part in row[-3:]] == ["mo", "mtable", "mo"]:
            brackets = row[-3], row[-1]
            if all(b.text in FENCES and "minsize" not in b.attrib for b in brackets):
                for bracket in brackets:
                    bracket.attrib.pop("stretchy", None)
                row[-3:] = [_element("mrow", {}, row[-3:])]
    return row


def _upright(node: Element) -> bool:
    text = node.text or ""
    return node.tag == "mi" and node.get("mathvariant") == "normal" and text.isalpha()


def _spaced(children: list[Element], *, script: bool) -> list[Element]:
    """TeX's spaces: signs unary where no term precedes, thin spaces at names of functions."""
    row: list[Element] = []
    for child in children:
        last = row[-1] if row else None
        symbol = _symbol(child)
        if symbol in SIGNS and (last is None or not _ends_term(last)):
            _core(child).set("form", "prefix")
        elif script and child.tag == "mo" and symbol in RELATIONS | BINARY:
            child.attrib.update(lspace="0", rspace="0")
        elif script and child.tag == "mo" and symbol == ",":
            child.set("rspace", "0")
        if not script and last is not None and _thin_space(last, child):
            row += _thin(last, child)
        row.append(child)
    return row


def _ends_term(node: Element) -> bool:
    symbol = _symbol(node)
    return symbol in CLOSING | BARS if symbol else node.tag != "mspace"


def _thin_space(left: Element, right: Element) -> bool:
    """Whether TeX sets a thin space between two neighbours because one names a function."""
    if left.tag == "mspace" or right.tag == "mspace":
        return False
    if left.get("_word"):
        return not _symbol(right) or bool(right.get("_word")) or _symbol(right) in LARGE
    return bool(right.get("_word")) and _ends_term(left)


def _thin(left: Element, right: Element) -> list[Element]:
    """A thin space beside the name of a function: its own where that is an operator."""
    for word, side in ((left, "rspace"), (right, "lspace")):
        core = _core(word)
        if core.tag == "mo" and core.get("_word"):
            core.set(side, SPACES["thinmathspace"])
            return []
    return [_element("mspace", {"width": SPACES["thinmathspace"]})]
