"""How the symbols of a network are written: in plain text (and SymPy), and in LaTeX."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from graphs.network import Network

SYMPY_NAMES = {"C", "E", "I", "N", "O", "Q", "S", "pi"}  # sympify reads these as its own objects
LATEX_ESCAPES = {"_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "~": r"\sim "}


def identifier(name: str) -> str:
    """The name with everything that is no letter, digit or underscore replaced.

    >>> identifier("h1->o")
    'h1_o'
    """
    return re.sub(r"\W+", "_", name).strip("_")


def vertex_latex(name: str) -> str:
    """A vertex name in a formula: one letter, a letter with an index, or upright text.

    >>> vertex_latex("h12"), vertex_latex("o")
    ('h_{12}', 'o')
    """
    if re.fullmatch(r"[A-Za-z]", name):
        return name
    short = re.fullmatch(r"([A-Za-z])(\d+)", name)
    if short:
        return f"{short[1]}_{{{short[2]}}}"
    kept = re.sub(r"[\\{}^]", " ", name)
    return r"\mathrm{" + "".join(LATEX_ESCAPES.get(letter, letter) for letter in kept) + "}"


def weight_names(network: Network, parameter: int) -> tuple[str, str, str]:
    """Text, LaTeX and meaning of a parameter; `w[a->b]` becomes `w_a_b`, in LaTeX `w_{a b}`."""
    name = network.parameter_names[parameter]
    edges = network.edges_of_parameter[parameter]
    tail, head = (network.names[ends[edges[0]]] for ends in (network.tails, network.heads))
    if name == f"w[{tail}->{head}]":
        text = f"w_{identifier(tail)}_{identifier(head)}"
        latex = f"w_{{{vertex_latex(tail)} {vertex_latex(head)}}}"
    else:
        text = identifier(name) or "w"
        indexed = re.fullmatch(r"([A-Za-z])\[([\w., ]+)\]", name)
        latex = f"{indexed[1]}_{{{indexed[2]}}}" if indexed else vertex_latex(name)
    edge_names = ", ".join(network.edge_name(e) for e in edges)
    return text, latex, f"weight of {edge_names}"


def input_names(name: str) -> tuple[str, str]:
    """Text and LaTeX of the value of an input: its own name if that begins with x."""
    if re.fullmatch(r"x\d*", name):
        return name, vertex_latex(name)
    return f"x_{identifier(name)}", f"x_{{{vertex_latex(name)}}}"


def subscripted(latex: str, index: int) -> str:
    """The symbol with one more index at the end of its subscript.

    >>> subscripted("x_{1}", 2), subscripted("x", 2)
    ('x_{1,2}', 'x_{2}')
    """
    if latex.endswith("}") and "_{" in latex:
        return f"{latex[:-1]},{index}}}"
    return f"{latex}_{{{index}}}"


def unique(texts: Iterable[str]) -> list[str]:
    """The identifiers, changed where two would coincide or Python or SymPy read another thing.

    >>> unique(["w_a_b", "w_a_b", "lambda"])
    ['w_a_b', 'w_a_b_', 'lambda_']
    """
    taken: set[str] = set(SYMPY_NAMES)
    result = []
    for text in texts:
        candidate = f"n{text}" if text[:1].isdigit() else text
        while candidate in taken or keyword.iskeyword(candidate):
            candidate += "_"
        taken.add(candidate)
        result.append(candidate)
    return result
