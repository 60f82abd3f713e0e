"""What the algebra gives for one network: the output of `lemmata derive`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from graphs.conserved import Law, layer_laws, pair_laws, squares, vertex_laws
from graphs.errors import NetworkError, TooManyPathsError
from graphs.exact import parameter_gradients, preactivations
from graphs.expanded import path_terms
from graphs.expressions import Expression
from graphs.network import Network
from graphs.paths import count_paths
from graphs.polynomials import Symbols
from graphs.regions import region_slopes
from graphs.rings import Polynomial
from graphs.smoothness import check_regions, kept_balances, what_is_known

PATH_CAP = 2000
FACTOR_CAP = 250_000  # of the products in the gradient, all together
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

    Around smooth activations there is no region: output is None, gradient and laws are empty, and
    known says what is known. balances: the quantities at vertices that are conserved all the same.
    """

    network: Network
    symbols: Symbols
    region: Mapping[str, Fraction]
    notes: tuple[str, ...]
    paths: tuple[PathEntry, ...]
    output: Expression | None
    gradient: Mapping[str, Expression]
    laws: tuple[Law, ...]
    laws_left_out: int
    known: tuple[str, ...] = ()
    balances: Mapping[str, Expression] = field(default_factory=dict)

    @property
    def expressions(self) -> dict[str, Expression]:
        """Every expression by a name that says what it is."""
        return {text: expression for text, _, expression in self._rows()}

    def as_text(self) -> str:
        """Plain text, a section for each part; expressions as SymPy prints them."""
        lines = [str(self.network), "", "symbols"]
        lines += [f"  {g.text}: {g.meaning}" for g in self.symbols.generators]
        if self.output is None:
            return "\n".join([*lines, *self._path_lines(), *self._known_lines()]) + "\n"
        lines += ["", "activation region"]
        lines += [f"  s_{name} = {slope}" for name, slope in self.region.items()]
        lines += [f"  {note}" for note in self.notes]
        lines += self._path_lines()
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

    def _path_lines(self) -> list[str]:
        paths = [f"  {'->'.join(p.vertices)}: {_shown(p.term)}" for p in self.paths]
        return ["", "path enumeration function h", *paths]

    def _known_lines(self) -> list[str]:
        """What is said of smooth activations."""
        lines = ["", "output and gradient", "  no polynomials: there are no activation regions"]
        lines += ["", "conserved quantities around smooth activations"]
        lines += [f"  {sentence}" for sentence in self.known]
        lines += [f"  vertex {name}: {_shown(part)}" for name, part in self.balances.items()]
        return lines

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
            "output": None if self.output is None else self.output.as_json(),
            "gradient": {name: part.as_json() for name, part in self.gradient.items()},
            "laws": [_law_json(law) for law in self.laws],
            "laws_left_out": self.laws_left_out,
            "known": list(self.known),
            "balances": {name: part.as_json() for name, part in self.balances.items()},
        }

    def _rows(self) -> Iterator[tuple[str, str, Expression]]:
        """(name in text, name in LaTeX, expression)."""
        for number, entry in enumerate(self.paths, start=1):
            yield f"h[{'->'.join(entry.vertices)}]", f"h_{{{number}}}", entry.term
        if self.output is not None:
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
        for number, (name, balance) in enumerate(self.balances.items(), start=1):
            yield f"quantity of vertex {name}", f"Q_{{{number}}}", balance


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
    activation; NotRationalError for a region of a network with a smooth activation;
    TooManyPathsError beyond the cap.
    """
    check_length(network)
    if not network.homogeneous:
        if slopes is not None or x is not None:
            check_regions(network)
        return _around_smooth(network, path_cap)
    region, notes = _region(network, slopes, weights, x)
    numbers = {network.index[name]: [slope] for name, slope in region.items()}
    symbols = Symbols.of(network, slopes=numbers, symbolic_scales=True)
    terms = path_terms(symbols, path_cap)
    evaluation = symbols.evaluation
    gradients = parameter_gradients(evaluation)
    for_layers, left_out = layer_laws(network, reading, layer_limit)
    return Derivation(
        network=network,
        symbols=symbols,
        region=region,
        notes=notes,
        paths=_entries(symbols, terms),
        output=Expression(symbols, evaluation.outputs[0, 0]),
        gradient={
            name: Expression(symbols, gradients[p, 0])
            for p, name in enumerate(network.parameter_names)
        },
        laws=(*vertex_laws(network), *pair_laws(network), *for_layers),
        laws_left_out=left_out,
    )


def _around_smooth(network: Network, path_cap: int) -> Derivation:
    """What is left where no activation region makes the output a polynomial."""
    symbols = Symbols.of(network, symbolic_scales=True)
    balances = {
        network.names[v]: squares(symbols, network.in_edges[v])
        - squares(symbols, network.out_edges[v])
        for v in kept_balances(network)
    }
    return Derivation(
        network=network,
        symbols=symbols,
        region={},
        notes=(),
        paths=_entries(symbols, path_terms(symbols, path_cap)),
        output=None,
        gradient={},
        laws=(),
        laws_left_out=0,
        known=what_is_known(network),
        balances={name: Expression(symbols, part) for name, part in balances.items()},
    )


def _entries(
    symbols: Symbols, terms: Sequence[tuple[tuple[int, ...], Polynomial]]
) -> tuple[PathEntry, ...]:
    names = symbols.union.networks[0].names
    return tuple(
        PathEntry(tuple(names[v] for v in vertices), Expression(symbols, term))
        for vertices, term in terms
    )


def check_length(network: Network, cap: int = FACTOR_CAP) -> None:
    """Raises TooManyPathsError where the gradient of the first output is too long to be written:
    more than `cap` factors in its products, one product for each path and each edge on it."""
    counts = count_paths(network, targets=(network.outputs[0],))
    ends = zip(network.tails, network.heads, strict=True)
    products = sum(counts.into[tail] * counts.out_of[head] for tail, head in ends)
    longest = max(network.depths)
    if products * longest > cap:
        raise TooManyPathsError(
            f"the gradient of {network} has {products} products of up to {longest} weights, too "
            "long to be written: `laws` finds the conserved quantities without it"
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
