"""What the algebra gives for one network: the output of `lemmata derive`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphs.conserved import Law, layer_laws, pair_laws, vertex_laws
from graphs.errors import NetworkError, NotRationalError
from graphs.exact import parameter_gradients, preactivations
from graphs.expanded import path_terms
from graphs.expressions import Expression
from graphs.network import Network
from graphs.polynomials import Symbols
from graphs.regions import region_slopes

PATH_CAP = 2000
TERMS_SHOWN = 60  # of an expression in plain text; LaTeX and JSON have them all


@dataclass(frozen=True)
class PathEntry:
    """An entry x_p prod_{e in p} w_e of the path enumeration function, and its path's vertices."""

    vertices: tuple[str, ...]
    term: Expression


@dataclass(frozen=True)
class Derivation:
    """All of it. Every expression is in the symbols of the network on one example.

    region: the slopes that were set, by vertex; the others are symbols. notes: what a reader
    should know of the region. paths: the path enumeration function h. output: nu(x; w) on the
    region. gradient: its derivative by parameter name. laws: see graphs.conserved; in them all
    slopes are free. laws_left_out: how many layers have no law here.
    """

    network: Network
    symbols: Symbols
    region: Mapping[str, Fraction]
    notes: tuple[str, ...]
    paths: tuple[PathEntry, ...]
    output: Expression
    gradient: Mapping[str, Expression]
    laws: tuple[Law, ...]
    laws_left_out: int

    @property
    def expressions(self) -> dict[str, Expression]:
        """Every expression by a name that says what it is."""
        return {text: expression for text, _, expression in self._rows()}

    def as_text(self) -> str:
        """Plain text, a section for each part; expressions as SymPy prints them."""
        lines = [str(self.network), "", "symbols"]
        lines += [f"  {g.text}: {g.meaning}" for g in self.symbols.generators]
        lines += ["", "activation region"]
        lines += [f"  s_{name} = {slope}" for name, slope in self.region.items()]
        lines += [f"  {note}" for note in self.notes]
        lines += ["", "path enumeration function h"]
        lines += [f"  {'->'.join(p.vertices)}: {_shown(p.term)}" for p in self.paths]
        lines += ["", "output on the region", f"  nu = {_shown(self.output)}"]
        lines += ["", "gradient on the region"]
        lines += [f"  dnu/d {name} = {_shown(part)}" for name, part in self.gradient.items()]
        lines += ["", "conserved quantities that the lemmas promise"]
        lines += _law_lines(law for law in self.laws if law.promised)
        lines += ["", "quantities that they do not promise"]
        lines += _law_lines(law for law in self.laws if not law.promised)
        if self.laws_left_out:
            lines += [f"  ({self.laws_left_out} more layers: raise the limit)"]
        return "\n".join(lines) + "\n"

    def as_latex(self) -> str:
        """One displayed formula for each expression."""
        return "".join(
            f"\\[ {name} = {expression.as_latex()} \\]\n" for _, name, expression in self._rows()
        )

    def as_json(self) -> dict[str, Any]:
        """Strict JSON: every expression as text, LaTeX and terms."""
        return {
            "format": "lemmata-derivation",
            "version": 1,
            "network": str(self.network),
            "symbols": [
                {"name": g.text, "latex": g.latex, "meaning": g.meaning}
                for g in self.symbols.generators
            ],
            "region": {name: str(slope) for name, slope in self.region.items()},
            "notes": list(self.notes),
            "paths": [{"path": list(p.vertices), **p.term.as_json()} for p in self.paths],
            "output": self.output.as_json(),
            "gradient": {name: part.as_json() for name, part in self.gradient.items()},
            "laws": [_law_json(law) for law in self.laws],
            "laws_left_out": self.laws_left_out,
        }

    def _rows(self) -> Iterator[tuple[str, str, Expression]]:
        """(name in text, name in LaTeX, expression)."""
        for number, entry in enumerate(self.paths, start=1):
            yield f"h[{'->'.join(entry.vertices)}]", f"h_{{{number}}}", entry.term
        yield "nu", r"\nu", self.output
        latex = {
            self.network.parameter_names[g.index[0]]: g.latex
            for g in self.symbols.generators
            if g.kind == "weight"
        }
        for name, part in self.gradient.items():
            yield f"dnu/d {name}", rf"\frac{{\partial \nu}}{{\partial {latex[name]}}}", part
        for number, law in enumerate(self.laws, start=1):
            where = f"{law.title}, {law.condition}" if law.condition else law.title
            yield f"quantity of {where}", f"Q_{{{number}}}", law.quantity
            yield f"defect of {where}", rf"\frac{{d}}{{dt}} Q_{{{number}}}", law.defect


def derive(
    network: Network,
    *,
    slopes: Mapping[str, Fraction | int | str] | None = None,
    weights: Sequence[Fraction] | None = None,
    x: Sequence[Fraction] | None = None,
    reading: str = "B",
    layer_limit: int = 20,
    path_cap: int = PATH_CAP,
) -> Derivation:
    """Everything that `lemmata derive` prints, for the first output of a network.

    The activation region is given by slopes, by vertex name; or it is the one of P weights and an
    input x; without either all slopes stay symbols. reading: of layers (graphs.layers).
    layer_limit: the most laws for layers. path_cap: the most paths.

    Raises NetworkError when the region is given in both ways, by half, or contradicts an
    activation; NotRationalError at a smooth activation; TooManyPathsError beyond the cap.
    """
    for name, activation in zip(network.names, network.activations, strict=True):
        if not activation.homogeneous:
            raise NotRationalError(
                f"{name!r} is {activation}, which has no slopes of its own: derive needs "
                "piecewise-linear activations"
            )
    region, notes = _region(network, slopes, weights, x)
    numbers = {network.index[name]: [slope] for name, slope in region.items()}
    symbols = Symbols.of(network, slopes=numbers, symbolic_scales=True)
    terms = path_terms(symbols, path_cap)  # refuses large networks before anything is expanded
    evaluation = symbols.evaluation
    gradients = parameter_gradients(evaluation)
    for_layers, left_out = layer_laws(network, reading, layer_limit)
    return Derivation(
        network=network,
        symbols=symbols,
        region=region,
        notes=notes,
        paths=tuple(
            PathEntry(tuple(network.names[v] for v in vertices), Expression(symbols, term))
            for vertices, term in terms
        ),
        output=Expression(symbols, evaluation.outputs[0, 0]),
        gradient={
            name: Expression(symbols, gradients[p, 0])
            for p, name in enumerate(network.parameter_names)
        },
        laws=(*vertex_laws(network), *pair_laws(network), *for_layers),
        laws_left_out=left_out,
    )


def _region(
    network: Network,
    slopes: Mapping[str, Fraction | int | str] | None,
    weights: Sequence[Fraction] | None,
    x: Sequence[Fraction] | None,
) -> tuple[dict[str, Fraction], tuple[str, ...]]:
    """Slopes by vertex name, and notes."""
    if (weights is None) != (x is None):
        raise NetworkError("a region needs both weights and an input x, or neither")
    if slopes is not None and weights is not None:
        raise NetworkError("give the region by slopes or by weights and x, not by both")
    if weights is not None and x is not None:
        pre = preactivations(network, weights, x)
        region = {name: row[0] for name, row in region_slopes(network, weights, [x]).items()}
        kinks = [name for name in region if pre[network.index[name]] == 0]
        notes = [f"{name}: pre-activation 0, the right slope was taken" for name in kinks]
        return region, ("the region of the weights and x given", *notes)
    for name in slopes or {}:
        if name not in network.index or network.index[name] in network.inputs:
            raise NetworkError(f"slope given for {name!r}, which is no vertex with an activation")
    region = {name: Fraction(slope) for name, slope in (slopes or {}).items()}
    for name, slope in region.items():
        possible = network.activations[network.index[name]].slopes
        if slope not in possible:
            listed = ", ".join(str(number) for number in dict.fromkeys(possible))
            raise NetworkError(f"slope {slope} given for {name!r}, which has the slopes {listed}")
    free = [
        name
        for v, name in enumerate(network.names)
        if name not in region
        and v not in network.inputs
        and network.activations[v].kind != "linear"
    ]
    return region, tuple(f"s_{name} free" for name in free)


def _shown(expression: Expression) -> str:
    count = expression.symbols.term_count(expression.polynomial)
    if count <= TERMS_SHOWN:
        return expression.as_text()
    return f"({count} terms; LaTeX and JSON have them)"


def _law_lines(laws: Iterator[Law]) -> list[str]:
    lines = []
    for law in laws:
        where = f" where {law.condition}" if law.condition else ""
        lines += [
            f"  {law.title}{where} ({law.lemma})",
            f"    quantity: {_shown(law.quantity)}",
            f"    {'promised' if law.promised else 'not promised'}: {law.reason}",
            f"    defect: {_shown(law.defect)}",
        ]
    return lines or ["  none"]


def _law_json(law: Law) -> dict[str, Any]:
    return {
        "lemma": law.lemma,
        "subject": law.subject,
        "condition": law.condition,
        "promised": law.promised,
        "reason": law.reason,
        "conserved": law.conserved,
        "quantity": law.quantity.as_json(),
        "defect": law.defect.as_json(),
    }
