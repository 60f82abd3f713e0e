"""Normal forms: equal ones have equal values, in every case and for every value of the variables.

A number becomes a polynomial over the rationals. Its atoms are the terms that are no arithmetic,
with normal arguments. What is used:

- `add, sub, neg, mul`, `div` and `pow` by a whole literal from -64 to 64: the arithmetic of a
  field, with x/0 = 0 (so 1/(xy) = 1/x 1/y; but not x/x = 1);
- `sum`: it is linear, a factor without its variable moves out, sums over lists that do not depend
  on each other commute, one over `concat` is that of two, one over `filter(L, p)` is over L, with
  the factor `if(p, 1, 0)`; and a sum over `list(a, ...)` is written out, one over `map(L, t)` is
  over L, unless its variable is within a `rate`: it stands still there, which a, t need not do;
- `card` of these lists is the sum of 1;
- `dot, frob2, trace, rows, cols, dim` of matrices whose shapes are known: `Matrices`;
- the sides of `eq` and `ne` change places;
- `prod` over `list(a, ...)` is written out, over `concat` it is the product of two, and over
  `filter(L, p)` that over L of what is 1 where p is false.

Anything else is an atom. What stands within `rate` is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import count, islice

from .blocks import Matrices
from .budget import Budget
from .cases import Field
from .nodes import closed, element_sort, node, opened, spelled, whole
from .polynomials import Polynomial, constant, number_in, plus, times, total_of
from .sorts import INT, MAT, NUM, VEC
from .terms import Node, bound_by

MOST_POWER = 64
MOST_ORDERS = 24  # of sums within one another over lists that are alike
LONGEST_NAME = 100  # of an atom; a longer one is its hash: names are compared again and again
SYMMETRIC = ("eq", "ne")
MADE = ("list", "filter", "map", "concat")  # lists whose sums are those of others
WALK = 10_000  # work of going through one node, about; where it is written down alone:
SPELLING = 3_000

Binder = tuple[Node, Node]  # a variable, and the list that it runs through


class Normal:
    """Makes normal forms, and keeps the atoms that they are made of."""

    def __init__(self, budget: Budget, domain: Mapping[str, Field]) -> None:
        self.budget = budget
        self._atoms: dict[str, Node] = {}
        self._speaks: dict[str, frozenset[int]] = {}
        self._lengths: dict[str, int] = {}  # of the atoms as text
        self._forms: dict[str, str] = {}  # the normal forms of terms that were compared
        self._numbers: dict[int, tuple[Node, Polynomial]] = {}  # by the identity of the term
        self._fresh = (-k for k in count(1))
        self.matrices = Matrices(self, domain)

    def atom(self, term: Node) -> Polynomial:
        """A term as an atom."""
        return {(self.named(term),): Fraction(1)}

    def visit(self) -> None:
        """One more node has its normal form made."""
        self.budget.node()
        self.budget.steps(1, 0, WALK)

    def named(self, term: Node) -> str:
        """The name of an atom."""
        name = spelled(term)
        letters = len(name)
        self.budget.items(letters // 16 + 1)
        self.budget.steps(letters // 8 + 1, 0, WALK)
        name = _short(name)
        if name not in self._atoms:
            self._atoms[name], self._speaks[name] = term, term.free
            self._lengths[name] = letters
        return name

    def letters(self, names: Iterable[str]) -> int:
        """How long a text is that has these atoms in it."""
        return sum(self._lengths[name] for name in names)

    def meant(self, name: str) -> Node:
        """The atom of a name."""
        return self._atoms[name]

    def walk(self, term: Node, work: int = WALK) -> None:
        """A term is to be gone through, and each part of it."""
        self.budget.steps(term.size, 0, work)

    # numbers -------------------------------------------------------------------------------------
    def number(self, term: Node) -> Polynomial:
        """The normal form of a number."""
        if id(term) not in self._numbers:
            self._numbers[id(term)] = term, self._number(term)
        return self._numbers[id(term)][1]

    def _number(self, term: Node) -> Polynomial:
        self.visit()
        arguments = term.arguments
        if term.operator == "literal":
            return constant(Fraction(term.literal))
        if term.operator in ("add", "sub"):
            one, other = map(self.number, arguments)
            return plus(self.budget, one, other, 1 if term.operator == "add" else -1)
        if term.operator == "neg":
            return plus(self.budget, {}, self.number(arguments[0]), -1)
        if term.operator == "mul":
            return times(self.budget, *map(self.number, arguments))
        if term.operator == "div":
            one, other = map(self.number, arguments)
            return times(self.budget, one, self.reciprocal(other))
        if term.operator == "pow":
            return self._power(term)
        if term.operator == "sum":
            return self._sum(*arguments)
        if term.operator == "prod" and arguments[0].operator in ("list", "concat", "filter"):
            return self._product(*arguments)
        if term.operator == "card" and arguments[0].operator in MADE:
            return self._sum(arguments[0], whole(1))
        found = self.matrices.number(term)
        return self.atom(self._alike(term)) if found is None else found

    def reciprocal(self, polynomial: Polynomial) -> Polynomial:
        """1/x, and 0 for x = 0."""
        if len(polynomial) > 1:
            leading = polynomial[min(polynomial)]
            monic = plus(self.budget, {}, polynomial, 1 / leading)
            inverse = self.atom(node("#reciprocal", self.reified(monic)))
            return plus(self.budget, {}, inverse, 1 / leading)
        result = constant(1) if polynomial else {}
        for monomial, coefficient in polynomial.items():
            result = constant(1 / coefficient)
            for name in monomial:
                inverse = self.atom(node("#reciprocal", self._atoms[name]))
                result = times(self.budget, result, inverse)
        return result

    def _power(self, term: Node) -> Polynomial:
        base, exponent = term.arguments
        power = exponent.literal
        literal = exponent.operator == "literal" and exponent.sort == INT
        if not literal or not isinstance(power, int) or abs(power) > MOST_POWER:
            return self.atom(self._alike(term))
        factor, result = self.number(base), constant(1)
        if power < 0:
            factor = self.reciprocal(factor)
        for _ in range(abs(power)):
            result = times(self.budget, result, factor)
        return result

    def _product(self, many: Node, body: Node) -> Polynomial:
        if many.operator == "filter":
            within, condition = many.arguments
            return self.number(node("prod", within, node("if", condition, body, whole(1))))
        if many.operator == "concat":
            parts = [self.number(node("prod", part, body)) for part in many.arguments]
        else:
            variable = Node("var", (), next(self._fresh), many.sort.parts[0], False)
            if _in_rate(self._opened(body, variable), variable):
                return self.atom(self._alike(node("prod", many, body)))
            parts = [self.number(self._opened(body, element)) for element in many.arguments]
        result = constant(1)
        for part in parts:
            result = times(self.budget, result, part)
        return result

    # sums ----------------------------------------------------------------------------------------
    def _sum(self, many: Node, body: Node) -> Polynomial:
        self.budget.items(len(many.arguments) if many.operator == "list" else 1)
        if many.operator == "filter":
            many, condition = many.arguments
            counted = node("if", condition, whole(1), whole(0), sort=INT)
            return self._sum(many, node("mul", counted, body))
        if many.operator == "concat":
            return total_of(self.budget, (self._sum(part, body) for part in many.arguments))
        variable = Node("var", (), next(self._fresh), many.sort.parts[0], False)
        product = self._opened(body, variable)
        if many.operator in ("list", "map") and not _in_rate(product, variable):
            if many.operator == "map":
                return self._sum(many.arguments[0], self._composed(body, *many.arguments))
            return total_of(
                self.budget, (self.number(self._opened(body, e)) for e in many.arguments)
            )
        over, total = self.canonical(many), dict[tuple[str, ...], Fraction]()
        for monomial, coefficient in self.number(product).items():
            inside = [name for name in monomial if variable.literal in self._speaks[name]]
            outside = tuple(name for name in monomial if name not in inside)
            if inside:
                factors = [self._atoms[name] for name in inside]
                part = self._within([(variable, over)], factors)
            else:
                part = self.atom(node("card", over, sort=INT))
            total = plus(self.budget, total, times(self.budget, part, {outside: coefficient}))
        return total

    def _composed(self, body: Node, many: Node, value: Node) -> Node:
        """What a binder over a `map` says, as what one over the list says."""
        element = Node("var", (), next(self._fresh), many.sort.parts[0], False)
        made = self._opened(body, self._opened(value, element))
        self.walk(made)  # with what is said of the element in each place it may be large
        return closed(made, int(element.literal))

    def _opened(self, body: Node, *elements: Node) -> Node:
        """What a binder says of elements."""
        self.walk(body)
        return opened(body, *elements)

    def _within(self, binders: list[Binder], factors: list[Node]) -> Polynomial:
        """The sum, over some lists, of a product; sums among the factors are drawn out of it."""
        plain: list[Node] = []
        while factors:
            self.budget.node()
            factor = factors.pop()
            if factor.operator != "sum":
                plain.append(factor)
                continue
            many, body = factor.arguments
            variable = Node("var", (), next(self._fresh), many.sort.parts[0], False)
            binders = [*binders, (variable, many)]
            product = opened(body, variable)
            factors += product.arguments if product.operator == "#term" else (product,)
        orders = islice(self._orders(binders), MOST_ORDERS)
        return self.atom(min((self._nested(order, plain) for order in orders), key=spelled))

    def _orders(self, binders: list[Binder], *numbers: int) -> Iterator[tuple[Binder, ...]]:
        """The orders among which the one with the first text is: outside is always the first list
        of those that speak of nothing that is bound further inside."""
        if len(binders) <= 1:
            yield tuple(binders)
            return
        later = {variable.literal for variable, _ in binders}
        lists = [
            spelled(_settled(closed(many, *numbers))) if many.free.isdisjoint(later) else ""
            for _, many in binders
        ]
        self.budget.steps(sum(map(len, lists)) // 8 + 1, 0, WALK)
        first = min(filter(None, lists), default="")
        for k, (variable, many) in enumerate(binders):
            if lists[k] == first:
                for order in self._orders(
                    binders[:k] + binders[k + 1 :], *numbers, int(variable.literal)
                ):
                    yield (variable, many), *order

    def _nested(self, order: tuple[Binder, ...], factors: list[Node]) -> Node:
        """Sums within one another in this order."""
        self.budget.items(1)
        numbers = [int(variable.literal) for variable, _ in order]
        for factor in factors:
            self.budget.steps(len(spelled(factor)) // 8 + 1, 0, WALK)
        product = sorted((_settled(closed(f, *numbers)) for f in factors), key=spelled)
        made = node("#term", *product, literal="1")
        for k in reversed(range(len(order))):
            made = node("sum", _settled(closed(order[k][1], *numbers[:k])), made)
        return made

    # terms of any sort ---------------------------------------------------------------------------
    def canonical(self, term: Node) -> Node:
        """A term whose value is that of the given one, the same for terms of one normal form."""
        if term.sort in (INT, NUM):
            if term.operator in ("var", "#bound"):
                return term
            return self.reified(self.number(term))
        if term.sort in (VEC, MAT):
            grid = self.matrices.grid(term)
            return self._alike(term) if grid is None else self.matrices.reified(grid)
        return self._alike(term)

    def _alike(self, term: Node) -> Node:
        """The term with normal arguments."""
        self.visit()
        if not term.arguments or term.operator == "rate":
            self.walk(term)
            return term
        binds = bound_by(term.operator)
        kept = term.arguments[: len(term.arguments) - 1] if binds else term.arguments
        parts = [self.canonical(part) for part in kept]
        if binds:
            sorts = element_sort(term)
            variables = [Node("var", (), next(self._fresh), sort, False) for sort in sorts]
            body = self.canonical(self._opened(term.arguments[-1], *variables))
            numbers = (int(variable.literal) for variable in variables)
            parts.append(_settled(closed(body, *numbers)))
        if term.operator in SYMMETRIC:
            parts.sort(key=spelled)
        return Node(term.operator, tuple(parts), term.literal, term.sort, False)

    def reified(self, polynomial: Polynomial) -> Node:
        """A polynomial as a term."""
        value = number_in(polynomial)
        if value is not None:
            return Node("literal", (), value, NUM, False)
        letters = self.letters(name for monomial in polynomial for name in monomial)
        self.budget.items(letters // 16 + len(polynomial))  # before the term is made of them
        terms = [
            node("#term", *map(self.meant, monomial), literal=_exact(coefficient))
            for monomial, coefficient in sorted(polynomial.items())
        ]
        if len(terms) == 1 and len(terms[0].arguments) == 1 and terms[0].literal == "1":
            return terms[0].arguments[0]
        return node("#polynomial", *terms)

    def same(self, one: Node, other: Node) -> bool:
        """Whether two terms have one normal form."""
        texts = [self._text(term) for term in (one, other)]
        if texts[0] == texts[1]:
            return True
        for text, term in zip(texts, (one, other), strict=True):
            if text not in self._forms:
                self._forms[text] = self._text(self.canonical(term))
        return self._forms[texts[0]] == self._forms[texts[1]]

    def _text(self, term: Node) -> str:
        """As `spelled`; of a long one its hash, as texts are kept."""
        self.walk(term, SPELLING)
        return _short(spelled(term))


def _short(text: str) -> str:
    if len(text) <= LONGEST_NAME:
        return text
    return "#" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _settled(term: Node) -> Node:
    """A normal form of which variables were bound, with summands and factors in the order that
    they have now: before it was that of the numbers of these variables."""
    if not term.arguments:
        return term
    parts = [_settled(part) for part in term.arguments]
    if term.operator in ("#polynomial", "#term", *SYMMETRIC):
        parts.sort(key=spelled)
    return Node(term.operator, tuple(parts), term.literal, term.sort, term.moves)


def _in_rate(term: Node, variable: Node) -> bool:
    """Whether a variable is in something whose rate is asked for."""
    within = variable.literal in term.free
    if term.operator == "rate":
        return within
    return within and any(_in_rate(part, variable) for part in term.arguments)


def _exact(number: Fraction) -> str:
    if number == 1:
        return "1"
    return f"{number.numerator:x}/{number.denominator:x}"
