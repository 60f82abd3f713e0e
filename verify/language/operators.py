"""The table of operators: sorts, what is bound, how it is written. docs/language.md says the rest.

A new operator is a row here, a function in `verify.language.evaluation`, a row of docs/language.md,
and one of the checker, which has a table of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from verify.language.sorts import (
    EDGE,
    INT,
    NUM,
    VERTEX,
    Signature,
    Sort,
    joined,
    seq,
    signature,
    tuple_of,
)

ATOM, POWER, PRODUCT, BIG, SUM, RELATION, LOGIC = range(7)
"""How tightly a formula holds together, the tightest first: a looser part gets brackets."""


@dataclass(frozen=True)
class Operator:
    """An operator. signatures: its forms, the first that fits counts. latex: the formula, {0} for
    an argument as it is, {0!} for one with brackets where it is as loose as the whole. binds: how
    many variables its last argument binds; then {x}, {y}, {z} are those. level: how tightly the
    formula holds together."""

    name: str
    signatures: tuple[Signature, ...]
    latex: str
    level: int = ATOM
    binds: int = 0

    def form(self, given: Sequence[Sort]) -> tuple[tuple[Sort, ...], Sort] | None:
        """For arguments of these sorts: the sorts they are taken as, and the sort of the value;
        None where they do not fit."""
        for form in self.signatures:
            if (found := form.of(given)) is not None:
                return found
        return None


class _Listing(Operator):
    """`list` and `tuple`, which take any number of arguments."""

    def form(self, given: Sequence[Sort]) -> tuple[tuple[Sort, ...], Sort] | None:
        if self.name == "tuple":
            return (tuple(given), tuple_of(given)) if len(given) > 1 else None
        common: Sort | None = given[0] if given else None
        for sort in given[1:]:
            common = None if common is None else joined(common, sort)
        return None if common is None else ((common,) * len(given), seq(common))


def _row(name: str, forms: str, latex: str, level: int = ATOM, binds: int = 0) -> Operator:
    found = tuple(signature(form.strip()) for form in forms.split("|"))
    return Operator(name, found, latex, level, binds)


_SAME = "vec vec: vec | mat mat: mat"
_ORDER = "num num: bool"
_LISTS = "seq[S] seq[S]: seq[S]"

OPERATORS: dict[str, Operator] = {
    row.name: row
    for row in (
        # numbers
        _row("add", f"int int: int | num num: num | {_SAME}", "{0} + {1}", SUM),
        _row("sub", f"int int: int | num num: num | {_SAME}", "{0} - {1!}", SUM),
        _row("neg", "int: int | num: num | vec: vec | mat: mat", "-{0!}", SUM),
        _row(
            "mul",
            "int int: int | num num: num | num vec: vec | num mat: mat",
            r"{0} \, {1!}",
            PRODUCT,
        ),
        _row("div", "num num: num | vec num: vec | mat num: mat", r"\frac{{0:}}{{1:}}", POWER),
        _row("pow", "num num: num", "{0!}^{{1:}}", POWER),
        _row("rising", "num num: num", r"{0!}^{\overline{{1:}}}", POWER),
        _row("abs", "int: int | num: num", r"\lvert {0:} \rvert"),
        _row("sign", "num: int", r"\operatorname{sgn}({0:})"),
        _row("sqrt", "num: num", r"\sqrt{{0:}}"),
        _row("log", "num: num", r"\log({0:})"),
        _row("exp", "num: num", "e^{{0:}}", POWER),
        _row("erfc", "num: num", r"\operatorname{erfc}({0:})"),
        _row("tanh", "num: num", r"\tanh({0:})"),
        _row("sigmoid", "num: num", r"\operatorname{sigmoid}({0:})"),
        _row("softplus", "num: num", r"\operatorname{softplus}({0:})"),
        _row("larger", "num num: num", r"\max({0:}, {1:})"),
        _row("smaller", "num num: num", r"\min({0:}, {1:})"),
        _row("floor", "num: int", r"\lfloor {0:} \rfloor"),
        _row("ceil", "num: int", r"\lceil {0:} \rceil"),
        _row("mod", "int int: int", r"{0!} \bmod {1!}", PRODUCT),
        _row(
            "if",
            "bool S S: S",
            r"\begin{cases} {1:} & \text{if } {0:} \\ {2:} & \text{otherwise} \end{cases}",
            BIG,
        ),
        # truth
        _row("eq", "S S: bool", "{0} = {1}", RELATION),
        _row("ne", "S S: bool", r"{0} \ne {1}", RELATION),
        _row("le", _ORDER, r"{0} \le {1}", RELATION),
        _row("lt", _ORDER, "{0} < {1}", RELATION),
        _row("ge", _ORDER, r"{0} \ge {1}", RELATION),
        _row("gt", _ORDER, "{0} > {1}", RELATION),
        _row("and", "bool bool: bool", r"{0} \text{ and } {1}", LOGIC),
        _row("or", "bool bool: bool", r"{0!} \text{ or } {1!}", LOGIC),
        _row("implies", "bool bool: bool", r"{0!} \implies {1!}", LOGIC),
        _row("not", "bool: bool", r"\text{not } {0!}", LOGIC),
        _row("in", "S seq[S]: bool", r"{0} \in {1}", RELATION),
        # lists
        _row("range", "int int: seq[int]", r"\{{0:}, \dots, {1:}\}"),
        _Listing("list", (), r"\{{*}\}"),
        _Listing("tuple", (), "({*})"),
        _row("at", "seq[S] int: S", "{0!}_{{1:}}"),
        _row("card", "seq[S]: int", r"\lvert {0:} \rvert"),
        _row("union", _LISTS, r"{0} \cup {1!}", SUM),
        _row("intersection", _LISTS, r"{0} \cap {1!}", SUM),
        _row("minus", _LISTS, r"{0} \setminus {1!}", SUM),
        _row("distinct", "seq[S]: seq[S]", r"\operatorname{distinct}({0:})"),
        _row("concat", _LISTS, r"{0} \mathbin{+\!\!+} {1!}", SUM),
        _row("sorted", "seq[int]: seq[int] | seq[num]: seq[num]", r"\operatorname{sorted}({0:})"),
        _row("subsets", "seq[S]: seq[seq[S]]", "2^{{0:}}", POWER),
        _row("orders", "seq[S]: seq[seq[S]]", r"\operatorname{orders}({0:})"),
        # vectors and matrices
        _row("matmul", "mat mat: mat | mat vec: vec", r"{0} \, {1!}", PRODUCT),
        _row("dot", "vec vec: num | mat mat: num", r"\langle {0:}, {1:} \rangle"),
        _row("outer", "vec vec: mat", "{0!} {1!}^T", PRODUCT),
        _row("transpose", "mat: mat", "{0!}^T", POWER),
        _row("entry", "mat int int: num", "{0!}_{{1:}, {2:}}"),
        _row("coord", "vec int: num", "{0!}_{{1:}}"),
        _row("row", "mat int: vec", r"{0!}_{{1:}, \cdot}"),
        _row("column", "mat int: vec", r"{0!}_{\cdot, {1:}}"),
        _row("rows", "mat: int", r"\operatorname{rows}({0:})"),
        _row("cols", "mat: int", r"\operatorname{columns}({0:})"),
        _row("dim", "vec: int", r"\dim({0:})"),
        _row("beside", "mat mat: mat", r"[{0:} \;\; {1:}]"),
        _row("above", "mat mat: mat", r"\begin{bmatrix} {0:} \\ {1:} \end{bmatrix}"),
        _row("kron", "mat mat: mat", r"{0!} \otimes {1!}", PRODUCT),
        _row("frob2", "vec: num | mat: num", r"\lVert {0:} \rVert_F^2", POWER),
        _row("trace", "mat: num", r"\operatorname{tr}({0:})"),
        _row("diagonal", "mat: vec", r"\operatorname{diagonal}({0:})"),
        _row("diag", "vec: mat", r"\operatorname{diag}({0:})"),
        _row("eye", "int: mat", "I_{{0:}}"),
        _row("zeros", "int int: mat", r"0_{{0:} \times {1:}}"),
        _row("rank", "mat: int", r"\operatorname{rank}({0:})"),
        _row("det", "mat: num", r"\det({0:})"),
        _row("inverse", "mat: mat", "{0!}^{-1}", POWER),
        _row("pdet2", "mat: num", r"\operatorname{pdet}({0:})^2"),
        _row("definite", "mat: bool", r"{0} \succeq 0", RELATION),
        _row("eigenvalues", "mat: seq[num]", r"\lambda({0:})"),
        _row("singular", "mat: seq[num]", r"s({0:})"),
        _row("norm", "vec: num | mat: num", r"\lVert {0:} \rVert_2"),
        _row("nuclear", "mat: num", r"\lVert {0:} \rVert_*"),
        _row("schatten", "mat num: num", r"\lVert {0:} \rVert_{S_{{1:}}}^{{1:}}", POWER),
        _row("roots", "vec num num: int", r"\operatorname{roots}_{[{1:}, {2:}]}({0:})"),
        # a network
        _row("vertices", ": seq[vertex]", "V(G)"),
        _row("inputs", ": seq[vertex]", r"V_{\mathrm{in}}"),
        _row("hidden", ": seq[vertex]", r"V_{\mathrm{hidden}}"),
        _row("outputs", ": seq[vertex]", r"V_{\mathrm{out}}"),
        _row("edges", ": seq[edge]", "E"),
        _row("examples", ": seq[int]", r"\{1, \dots, n\}"),
        _row("into", "vertex: seq[edge]", r"\operatorname{in}({0:})"),
        _row("out_of", "vertex: seq[edge]", r"\operatorname{out}({0:})"),
        _row("held", "vertex: bool", r"{0} \text{ held}", RELATION),
        _row("tail", "edge: vertex", r"\operatorname{tail}({0:})"),
        _row("head", "edge: vertex", r"\operatorname{head}({0:})"),
        _row("edge", "vertex vertex: edge", "{0!} {1!}", PRODUCT),
        _row("users", "edge: seq[edge]", r"[{0:}]"),
        _row("learnable", "edge: bool", r"{0} \text{ learnable}", RELATION),
        _row("paths", ": seq[path]", r"\mathcal{P}"),
        _row("edges_on", "path: seq[edge]", "{0!}", POWER),
        _row("start", "path: vertex", r"\operatorname{start}({0:})"),
        _row("paths_to", "vertex: seq[seq[edge]]", r"\mathcal{H}_{{0:}}"),
        _row("weight", "edge: num", "w_{{0:}}"),
        _row("input", "vertex int: num", r"x_{{1:}, {0:}}"),
        _row("label", "int: num", "y_{{0:}}"),
        _row("loss_slope", "int: num", r"\ell'_{{0:}}", POWER),
        _row("slope_left", "vertex: num", r"\alpha^-_{{0:}}", POWER),
        _row("slope_right", "vertex: num", r"\alpha^+_{{0:}}", POWER),
        _row("pre", "vertex int: num", "z_{{0:}}(x_{{1:}})"),
        _row("post", "vertex int: num", r"\phi_{{0:}}(x_{{1:}})"),
        _row("slope", "vertex int: num", r"\phi'_{{0:}}(x_{{1:}})"),
        _row("activation", "vertex num: num", r"\sigma_{{0:}}({1:})"),
        _row("output", "int: num", r"\nu(x_{{0:}})"),
        _row("gradient", "edge int: num", r"\frac{\partial \nu(x_{{1:}})}{\partial w_{{0:}}}"),
        _row("sensitivity", "vertex int: num", r"\frac{\partial \nu(x_{{1:}})}{\partial z_{{0:}}}"),
        _row("steps", ": seq[int]", r"\{0, \dots, t_{\max}\}"),
        _row("step_size", "int: num", r"\eta({0:})"),
        _row("after", "int S: S", "[{1:}]_{w({0:})}"),
        _row("rate", "num: num | vec: vec | mat: mat", r"\frac{d}{dt} {0!}", PRODUCT),
        # binders
        _row(
            "sum",
            "seq[S] num: num | seq[S] vec: vec | seq[S] mat: mat",
            r"\sum_{{x} \in {0:}} {1}",
            BIG,
            1,
        ),
        _row("prod", "seq[S] num: num", r"\prod_{{x} \in {0:}} {1}", BIG, 1),
        _row("maximum", "seq[S] num: num", r"\max_{{x} \in {0:}} {1}", BIG, 1),
        _row("minimum", "seq[S] num: num", r"\min_{{x} \in {0:}} {1}", BIG, 1),
        _row("count", "seq[S] bool: int", r"\#\{{x} \in {0:} : {1:}\}", ATOM, 1),
        _row("each", "seq[S] bool: bool", r"\forall {x} \in {0:}:\; {1!}", LOGIC, 1),
        _row("some", "seq[S] bool: bool", r"\exists {x} \in {0:}:\; {1!}", LOGIC, 1),
        _row("filter", "seq[S] bool: seq[S]", r"\{{x} \in {0:} : {1:}\}", ATOM, 1),
        _row("map", "seq[S] T: seq[T]", r"({1:})_{{x} \in {0:}}", ATOM, 1),
        _row("the", "seq[S] bool: S", r"\text{the } {x} \in {0:} \text{ with } {1:}", LOGIC, 1),
        _row("argmax", "seq[S] num: S", r"\operatorname{arg\,max}_{{x} \in {0:}} {1}", BIG, 1),
        _row("vector", "int num: vec", r"({1:})_{{x} \le {0:}}", ATOM, 1),
        _row("matrix", "int int num: mat", r"({2:})_{{x} \le {0:}, {y} \le {1:}}", ATOM, 2),
        _row("let", "S T: T", r"{1} \quad \text{where } {x} = {0}", LOGIC, 1),
        _row(
            "fold",
            "seq[S] T T: T",
            r"\operatorname{fold}({y} \in {0:},\; {x} \leftarrow {1:};\; {2:})",
            ATOM,
            2,
        ),
        _row(
            "along",
            "vertex num: num",
            r"\operatorname{along}({0:};\; {x}, {y}, {z} \mapsto {1:})",
            ATOM,
            3,
        ),
    )
}


@cache
def form_of(name: str, given: tuple[Sort, ...]) -> tuple[tuple[Sort, ...], Sort] | None:
    """As `Operator.form` of the operator with that name: there are few forms and many terms."""
    return OPERATORS[name].form(given)


def bound_sorts(name: str, given: Sequence[Sort]) -> tuple[Sort, ...]:
    """The sorts of the variables that a binder binds, by the sorts of its other arguments."""
    if name == "vector":
        return (INT,)
    if name == "matrix":
        return (INT, INT)
    if name == "let":
        return (given[0],)
    if name == "along":
        return (VERTEX, seq(EDGE), seq(NUM))
    element = given[0].inner[0]
    return (given[1], element) if name == "fold" else (element,)


RELATIONS = ("eq", "ne", "le", "lt", "ge", "gt")
