"""Terms about numbers and matrices as Rocq terms over an ordered field R, with MathComp.

A matrix is written with its shape: sizes are natural numbers above 0, one for each axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.checker.cases import Field
from verify.checker.sorts import INT, MAT, NUM, VEC, Sort
from verify.checker.terms import Node
from verify.rocq.names import identifier
from verify.rocq.source import NotExported
from verify.rocq.terms import field_name

Shape = tuple[str, str]
ONE = "1"
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "matmul": "*m"}
RELATIONS = {"eq": "=", "ne": "<>", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}
PREFIX = {
    "neg": "-",
    "dot": "dot",
    "frob2": "frob2",
    "trace": r"\tr",
    "norm": "norm",
    "above": "col_mx",
    "beside": "row_mx",
    "sign": "Num.sg",
    "eigenvalues": "eigenvalues",
}
AND = r" /\ "


def size_name(axis: str) -> str:
    """How the length of an axis is called."""
    return identifier("size", axis)


def matrix_type(shape: Shape) -> str:
    """The type of the matrices of a shape."""
    return f"'M[R]_({', '.join(shape)})" if shape[1] != ONE else f"'cV[R]_{shape[0]}"


def number(value: Fraction) -> str:
    """A rational that is not below 0."""
    top = f"{value.numerator}%:R"
    return top if value.denominator == 1 else f"({top} / {value.denominator}%:R)"


class Fields:
    """Writes terms. shapes: of the matrices that the proof names, by the number of the element."""

    def __init__(self, domain: Mapping[str, Field]) -> None:
        self._domain = domain
        self.shapes: dict[int, Shape] = {}

    def type_of(self, term: Node) -> str:
        """The type of a term. Raises NotExported."""
        if term.sort in (INT, NUM):
            return "R"
        return matrix_type(self.shape(term))

    def shape(self, term: Node) -> Shape:
        """The shape of a matrix or vector. Raises NotExported."""
        operator, arguments = term.operator, term.arguments
        if operator == "field" and term.sort in (VEC, MAT):
            axes = [size_name(axis) for axis in self._domain[str(term.literal)].axes]
            return axes[0], axes[1] if len(axes) > 1 else ONE
        if operator == "var" and int(term.literal) in self.shapes:
            return self.shapes[int(term.literal)]
        if operator in (
            "neg",
            "mul",
            "div",
            "add",
            "sub",
            "transpose",
            "matmul",
            "above",
            "beside",
        ):
            shapes = [self.shape(part) for part in arguments if part.sort not in (INT, NUM)]
            return _shape_of(operator, shapes[0], shapes[-1])
        raise NotExported(f"no Rocq form of a matrix that is made by {operator} is known here")

    def term(self, term: Node) -> str:
        """A number or a matrix. Raises NotExported."""
        operator, arguments, matrix = term.operator, term.arguments, term.sort in (VEC, MAT)
        if operator == "literal" and term.sort in (INT, NUM):
            value = Fraction(term.literal)
            return number(value) if value >= 0 else f"(- {number(-value)})"
        if operator == "field":
            return field_name(str(term.literal))
        if operator == "var":
            return f"v{term.literal}"
        if operator in ("rows", "cols", "dim"):
            return f"{self._size(term)}%:R"
        if operator == "at":
            return self._item(*arguments)
        if operator == "pow":
            return self._power(*arguments)
        if operator == "if":
            condition, *branches = arguments
            one, other = map(self.term, branches)
            return f"(if {self._condition(condition)} then {one} else {other})"
        if matrix:
            self.shape(term)  # that it has one
        if operator == "eigenvalues" and len(set(self.shape(arguments[0]))) != 1:
            raise NotExported("a matrix with eigenvalues need not be square")
        if operator == "norm" and arguments[0].sort != MAT:
            raise NotExported("no Rocq form of the norm of a vector is known here")
        found = [self.term(part) for part in arguments]
        if operator == "abs":
            return f"`|{found[0]}|"
        if operator == "transpose":
            return f"{found[0]}^T"
        if matrix and operator == "mul":
            return f"({found[0]} *: {found[1]})"
        if matrix and operator == "div":
            return f"({found[1]}^-1 *: {found[0]})"
        if operator in INFIX:
            return f"({found[0]} {INFIX[operator]} {found[1]})"
        if operator in PREFIX:
            return f"({PREFIX[operator]} {' '.join(found)})"
        raise NotExported(f"no Rocq form of the operator {operator} is known here")

    def says(self, term: Node) -> str:
        """A relation, or several that `and` joins, as a proposition. Raises NotExported."""
        if term.operator == "and":
            return f"({AND.join(map(self.says, term.arguments))})"
        if term.operator not in RELATIONS:
            raise NotExported(f"no Rocq form of the operator {term.operator} is known here")
        one, other = term.arguments
        if one.sort in (VEC, MAT) and self.shape(one) != self.shape(other):
            raise NotExported("two matrices need not have one shape")
        found, kind = map(self.term, term.arguments), self.type_of(one)
        return f"({f' {RELATIONS[term.operator]} '.join(found)} :> {kind})"

    def _condition(self, term: Node) -> str:
        if term.operator not in ("le", "lt", "ge", "gt"):
            raise NotExported("a condition is no inequality")
        return self.says(term)

    def _size(self, term: Node) -> str:
        shape = self.shape(term.arguments[0])
        return shape[1 if term.operator == "cols" else 0]

    def _item(self, many: Node, index: Node) -> str:
        """An element of a list, whose place is a number or a size."""
        if index.operator in ("rows", "cols", "dim"):
            return f"({self.term(many)}`_({self._size(index)}.-1))"
        if index.operator == "literal" and int(index.literal) > 0:
            return f"({self.term(many)}`_{int(index.literal) - 1})"
        raise NotExported("a place in a list is neither a number nor a size")

    def _power(self, base: Node, exponent: Node) -> str:
        if exponent.operator != "literal" or exponent.sort != INT or int(exponent.literal) < 0:
            raise NotExported("a power has another exponent than a whole number from 0 on")
        return f"({self.term(base)} ^+ {int(exponent.literal)})"


def _shape_of(operator: str, one: Shape, other: Shape) -> Shape:
    """The shape of what an operator makes of two matrices, or of one. Raises NotExported."""
    if operator == "transpose":
        return one[1], one[0]
    alike = {
        "matmul": one[1] == other[0],
        "above": one[1] == other[1],
        "beside": one[0] == other[0],
    }
    if not alike.get(operator, one == other):
        raise NotExported("two matrices need not have shapes that fit")
    if operator == "matmul":
        return one[0], other[1]
    if operator == "above":
        return f"({one[0]} + {other[0]})", one[1]
    if operator == "beside":
        return one[0], f"({one[1]} + {other[1]})"
    return one


def type_of_sort(sort: Sort, sizes: Sequence[str]) -> str:
    """The type of what has a sort and so many sizes. Raises NotExported."""
    if sort in (VEC, MAT):
        return matrix_type((sizes[0], sizes[1] if len(sizes) > 1 else ONE))
    if sort == NUM:
        return "R"
    raise NotExported(f"no Rocq form of a {sort} in a proof is known here")
