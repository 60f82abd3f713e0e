"""Terms: an operator and its arguments, checked when they are built, and never changed.

In Python they are written with operators, `w(e) ** 2`, `A @ B`, `x[i] <= 1`, `a & b`, and binders
take functions, `Sum(into(v), lambda e: w(e) ** 2)`, whose names are those of the formula.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, wraps
from itertools import count
from typing import Any

from verify.language.operators import OPERATORS, bound_sorts, form_of
from verify.language.sorts import BOOL, INT, MAT, NUM, TENSOR, VEC, Sort

UNNAMED = ("x", "y", "z")
"""What is bound where no function says how it is called."""
MOST_NODES = 20_000
DEEPEST = 100
_fresh = count()


Json = Any


class TermError(ValueError):
    """A term is not well formed: what is wrong, and what would do."""


@dataclass(frozen=True, eq=False)
class Term:
    """A term. op: an operator of the table, or one that has a literal (`number`, `truth`, `var`,
    `field`, `item`, `unfold`), or `real`, a whole number taken as a number. args: terms; of a
    binder the last one is a `Body`. notion: the definition that made it, if it has one of its own;
    for formulas, and nothing else."""

    op: str
    args: tuple[Any, ...]
    sort: Sort
    notion: Notion | None = None

    @cached_property
    def free(self) -> frozenset[int]:
        """The numbers of the variables that are free in it."""
        if self.op == "var":
            return frozenset((self.args[0],))
        parts = {part.free for part in self.args if isinstance(part, Term | Body)}
        return parts.pop() if len(parts) == 1 else frozenset().union(*parts)

    @cached_property
    def size(self) -> int:
        """How many operators and literals it has."""
        return 1 + sum(part.size for part in self.children)

    @cached_property
    def depth(self) -> int:
        """How deep it is."""
        return 1 + max((part.depth for part in self.children), default=0)

    @cached_property
    def children(self) -> tuple[Term, ...]:
        """The terms right below, bodies of binders among them."""
        return tuple(
            part.term if isinstance(part, Body) else part
            for part in self.args
            if isinstance(part, Term | Body)
        )

    def walk(self) -> Iterator[Term]:
        """It and all terms below."""
        waiting = [self]
        while waiting:
            yield (part := waiting.pop())
            waiting += reversed(part.children)

    @cached_property
    def operators(self) -> frozenset[str]:
        """The operators that it uses."""
        return frozenset((self.op,)).union(*(part.operators for part in self.children))

    @cached_property
    def fields(self) -> tuple[Any, ...]:
        """The arrays that it asks for, in the order in which they are written."""
        own = self.args if self.op == "field" else ()
        return tuple(dict.fromkeys((*own, *(one for part in self.children for one in part.fields))))

    @cached_property
    def binds(self) -> int:
        """How many variables are bound within it, one inside of another."""
        return max((part.binds for part in self.args if isinstance(part, Term | Body)), default=0)

    # writing terms -------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Term:
        return make("add", self, other)

    def __radd__(self, other: Any) -> Term:
        return make("add", other, self)

    def __sub__(self, other: Any) -> Term:
        return make("sub", self, other)

    def __rsub__(self, other: Any) -> Term:
        return make("sub", other, self)

    def __mul__(self, other: Any) -> Term:
        other = lifted(other)
        return make("mul", other, self) if self.sort in (VEC, MAT) else make("mul", self, other)

    def __rmul__(self, other: Any) -> Term:
        return make("mul", other, self)

    def __truediv__(self, other: Any) -> Term:
        return make("div", self, other)

    def __rtruediv__(self, other: Any) -> Term:
        return make("div", other, self)

    def __matmul__(self, other: Any) -> Term:
        return make("matmul", self, other)

    def __pow__(self, exponent: Any) -> Term:
        return make("pow", self, exponent)

    def __rpow__(self, base: Any) -> Term:
        return make("pow", base, self)

    def __mod__(self, other: Any) -> Term:
        return make("mod", self, other)

    def __rmod__(self, other: Any) -> Term:
        return make("mod", other, self)

    def __neg__(self) -> Term:
        return make("neg", self)

    def __abs__(self) -> Term:
        return make("abs", self)

    def __eq__(self, other: Any) -> Term:  # type: ignore[override]  # a statement, not its truth
        return make("eq", self, other)

    def __ne__(self, other: Any) -> Term:  # type: ignore[override]  # a statement, not its truth
        return make("ne", self, other)

    def __le__(self, other: Any) -> Term:
        return make("le", self, other)

    def __lt__(self, other: Any) -> Term:
        return make("lt", self, other)

    def __ge__(self, other: Any) -> Term:
        return make("ge", self, other)

    def __gt__(self, other: Any) -> Term:
        return make("gt", self, other)

    def __and__(self, other: Any) -> Term:
        return make("and", self, other)

    def __rand__(self, other: Any) -> Term:
        return make("and", other, self)

    def __or__(self, other: Any) -> Term:
        return make("or", self, other)

    def __ror__(self, other: Any) -> Term:
        return make("or", other, self)

    def __invert__(self) -> Term:
        return make("not", self)

    def __getitem__(self, index: Any) -> Term:
        for one in index if isinstance(index, tuple) else (index,):
            if isinstance(one, int) and one < 1:
                raise TermError(f"the index {one}: indices run from 1")
        if self.sort == MAT:
            if not isinstance(index, tuple) or len(index) != 2:
                raise TermError(f"an entry of a matrix has two indices, from 1: not {index!r}")
            return make("entry", self, *index)
        return make("coord" if self.sort == VEC else "at", self, index)

    @property
    def T(self) -> Term:  # noqa: N802 - as it is written
        """The transpose."""
        return make("transpose", self)

    __hash__ = object.__hash__  # by identity: two terms are compared by `records.key`

    def __bool__(self) -> bool:
        raise TermError(
            "a statement is neither true nor false until there is a case: write & for and, | for "
            "or, ~ for not, and two relations joined by & instead of a <= b <= c"
        )

    def __iter__(self) -> Iterator[Term]:
        raise TermError("a list of a statement is walked by Sum, Each, ..., not by a loop")

    def __repr__(self) -> str:
        return f"Term({text_of(self)})"


@dataclass(frozen=True, eq=False)
class Body:
    """The last argument of a binder: a term in which it binds variables."""

    variables: tuple[Term, ...]
    names: tuple[str, ...]
    term: Term

    @cached_property
    def free(self) -> frozenset[int]:
        """The variables that are free in it, without those that it binds."""
        return self.term.free - {variable.args[0] for variable in self.variables}

    @property
    def size(self) -> int:
        """As of its term."""
        return self.term.size

    @property
    def binds(self) -> int:
        """As of its term, and how many it binds itself."""
        return self.term.binds + len(self.variables)


@dataclass(frozen=True)
class Notion:
    """What made a term: a definition with a way of writing it.

    latex: with `{0}` where its first argument stands, and so on. names: of its arguments. makes:
    from arguments the term, with its notion; None of a constant. of: the term without.
    """

    latex: str
    names: tuple[str, ...]
    makes: Callable[..., Term] | None
    arguments: tuple[Term, ...]
    of: Term

    def in_general(self) -> Term:
        """The term of variables."""
        if self.makes is None:
            return replace(self.of, notion=self)
        return _in_general(self.makes, tuple(argument.sort for argument in self.arguments))


@cache
def _in_general(makes: Callable[..., Term], sorts: tuple[Sort, ...]) -> Term:
    return makes(*map(variable, sorts))


def written(latex: str) -> Callable[[Callable[..., Term]], Callable[..., Term]]:
    """A function of terms as a definition of a paper's: formulas write it so, and say once what it
    is; but where an argument is no term or number, as a function would be. latex: as of a `Notion`.

    >>> second_moment = written(r"M({0})")(lambda A: A @ A.T)
    """

    def decorated(function: Callable[..., Term]) -> Callable[..., Term]:
        parameters = tuple(inspect.signature(function).parameters)

        @wraps(function)
        def made(*arguments: Any) -> Term:
            found = function(*arguments)
            if not all(isinstance(one, Term | int | Fraction) for one in arguments):
                return found
            names, given = parameters[: len(arguments)], tuple(map(lifted, arguments))
            return replace(found, notion=Notion(latex, names, made, given, found))

        return made

    return decorated


def called(latex: str, term: Term) -> Term:
    """A term without variables under a name: formulas write it so, and say once what it is."""
    return replace(term, notion=Notion(latex, (), None, (), term))


@dataclass(frozen=True)
class Function:
    """What makes the body of a binder, and the names of what it binds."""

    makes: Callable[..., Any]
    names: tuple[str, ...]


def variable(sort: Sort) -> Term:
    """A new variable."""
    return Term("var", (next(_fresh),), sort)


def number(value: Fraction | int) -> Term:
    """A literal."""
    return Term("number", (Fraction(value),), INT if isinstance(value, int) else NUM)


def truth(value: bool) -> Term:
    """True or false."""
    return Term("truth", (value,), BOOL)


def lifted(value: Any) -> Term:
    """A Python value as a term. Raises TermError for a float and whatever else is none."""
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int | Fraction):
        return number(value)
    if isinstance(value, float):
        exact = Fraction(value).limit_denominator(10**6)
        raise TermError(
            f"{value!r} is not exact: write Fraction({exact.numerator}, {exact.denominator})"
        )
    if isinstance(value, list | tuple) and value:
        return make("list", *value)
    raise TermError(f"{value!r} is no term: give a term, a whole number or a Fraction")


def item(value: Any, place: int) -> Term:
    """The part of a tuple with that number, from 1: `item(tuple_(i, j), 2)` is j."""
    whole = lifted(value)
    if whole.sort.name != "tuple" or not 1 <= place <= len(whole.sort.inner):
        raise TermError(f"there is no part {place} of a {whole.sort}")
    return Term("item", (whole, place), whole.sort.inner[place - 1])


def unfold(array: Term, mode: int) -> Term:
    """The unfolding of a tensor by the axis with that number, from 1, a matrix: its i-th row holds
    the entries whose index on that axis is i. `unfold(T, 1)`."""
    axes = array.args[0].axes if array.sort == TENSOR else ()
    if mode not in range(1, len(axes) + 1):
        raise TermError(f"there is no unfolding {mode} of a {array.sort} with {len(axes)} axes")
    return Term("unfold", (array, mode), MAT)


def to_json(term: Term, levels: Mapping[int, int] | None = None) -> Json:
    """The record of a term. levels: by the number of a variable the binders around it."""
    around = levels or {}
    if term.op == "number":
        value = term.args[0]
        return int(value) if term.sort.name == "int" else str(value)
    if term.op == "truth":
        return term.args[0]
    if term.op == "var":
        return ["var", around[term.args[0]]]
    if term.op == "real":
        return to_json(term.args[0], around)
    parts: list[Json] = [term.op]
    for part in term.args:
        if isinstance(part, Body):
            numbers = (v.args[0] for v in part.variables)
            inside = {**around, **{v: len(around) + k for k, v in enumerate(numbers)}}
            parts.append(to_json(part.term, inside))
        else:
            parts.append(_argument(part, around))
    return parts


def _argument(part: Any, around: Mapping[int, int]) -> Json:
    """A term, the name of an array, or a literal."""
    return to_json(part, around) if isinstance(part, Term) else getattr(part, "name", part)


def text_of(term: Term) -> str:
    """A term on one line, for messages; free variables by their numbers."""
    levels = {number: -1 - k for k, number in enumerate(sorted(term.free))}
    return json.dumps(to_json(term, levels))


def make(name: str, *arguments: Any) -> Term:
    """The term of an operator and its arguments. Raises TermError where their sorts do not fit."""
    operator = OPERATORS[name]
    if operator.binds:
        given = [lifted(part) for part in arguments[:-1]]
        parts: list[Any] = [*given, _body(name, operator.binds, given, arguments[-1])]
    else:
        parts = [lifted(part) for part in arguments]
    sorts = [part.term.sort if isinstance(part, Body) else part.sort for part in parts]
    if TENSOR in sorts:
        raise TermError(f"{name} of a tensor: say it of its unfoldings, like unfold(T, 1)")
    form = form_of(name, tuple(sorts))
    if form is None:
        forms = " or ".join(
            f"({', '.join(map(str, form.arguments))})" for form in operator.signatures
        )
        told = ", ".join(map(str, sorts)) or "nothing"
        numbers = name in ("and", "or", "not") and {INT, NUM} & set(sorts)
        hint = HINTS.get((name, told), IN_BRACKETS if numbers else "")
        raise TermError(f"{name}({told}): it takes {forms or 'values of one sort'}{hint}")
    targets, value = form
    if name == "pow" and _whole_power(parts):
        targets, value = (INT, INT), INT
    made = Term(name, tuple(map(as_sort, parts, targets)), value)
    if made.depth > DEEPEST or made.size > MOST_NODES:
        raise TermError(
            f"a term of {made.size} parts, {made.depth} deep: at most {MOST_NODES}, {DEEPEST} deep"
        )
    return made


HINTS = {
    ("mul", "mat, mat"): "; the product of matrices is A @ B",
    ("mul", "mat, vec"): "; a matrix times a vector is A @ x",
    ("mul", "vec, vec"): "; write dot(x, y), or outer(x, y)",
    ("pow", "mat, int"): "; the square of a matrix is A @ A",
    ("eq", "mat, int"): "; write frob2(A) == 0, or A == zeros(m, n)",
    ("eq", "vec, int"): "; write frob2(x) == 0",
}
"""What may have been meant, by an operator and the sorts it was given."""
IN_BRACKETS = "; relations are joined by & and |, and denied by ~, in brackets: (a <= b) & (c <= d)"


def as_sort(part: Any, sort: Sort) -> Any:
    """A term, or a body, as one of another sort: of whole numbers as of numbers."""
    if isinstance(part, Body):
        return Body(part.variables, part.names, as_sort(part.term, sort))
    return part if part.sort == sort else Term("real", (part,), sort)


def _whole_power(parts: list[Term]) -> bool:
    base, exponent = parts
    literal = exponent.op == "number" and exponent.sort == INT
    return base.sort == INT and literal and exponent.args[0] >= 0


def _body(name: str, binds: int, given: list[Term], body: Any) -> Body:
    """The body of a binder, from a function of as many arguments as it binds."""
    if isinstance(body, Body):
        return body
    if callable(body):
        parameters = inspect.signature(body).parameters.values()
        whole = any(one.kind is one.VAR_POSITIONAL for one in parameters)  # an operator itself
        body = Function(body, UNNAMED[:binds] if whole else tuple(one.name for one in parameters))
    if not isinstance(body, Function):
        raise TermError(f"{name}: the last argument is a function, like lambda e: w(e)")
    if name not in ("vector", "matrix", "let", "along") and given[0].sort.name != "seq":
        raise TermError(f"{name}: {given[0].sort} is no list")
    if len(body.names) != binds:
        raise TermError(f"{name}: the function takes {len(body.names)} values, {binds} are bound")
    sorts = [part.sort for part in given]
    for first in (sorts, [*sorts[:1], NUM]):  # of a fold that begins with a whole number
        variables = tuple(map(variable, bound_sorts(name, first)))
        found = Body(variables, body.names, lifted(body.makes(*variables)))
        if name != "fold" or found.term.sort != NUM or sorts[1] != INT:
            break
    return found


def rebuilt(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with each term right below it changed; itself where nothing is."""
    parts: list[Any] = []
    for part in term.args:
        if isinstance(part, Body):
            new = change(part.term)
            parts.append(part if new is part.term else Body(part.variables, part.names, new))
        else:
            parts.append(change(part) if isinstance(part, Term) else part)
    if all(new is old for new, old in zip(parts, term.args, strict=True)):
        return term
    return with_arguments(term, parts)


def with_arguments(term: Term, parts: Sequence[Any]) -> Term:
    """The same operator with other arguments."""
    if term.op in OPERATORS:
        return make(term.op, *parts)
    return Term(term.op, tuple(parts), term.sort)


def with_argument(term: Term, place: int, part: Any) -> Term:
    """The same operator with another argument in one place. Raises TermError."""
    parts = [*term.args[:place], part, *term.args[place + 1 :]]
    if term.op == "real":  # what was a whole number may be a number by itself now
        return as_sort(part, term.sort)  # type: ignore[no-any-return]  # a term stays one
    return with_arguments(term, parts)


def substituted(term: Term, old: Term, new: Term) -> Term:
    """The term with a variable replaced wherever it is free."""
    if old.args[0] not in term.free:
        return term
    return new if term.op == "var" else rebuilt(term, lambda part: substituted(part, old, new))
