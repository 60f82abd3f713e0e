"""Which statements about networks can be expanded to polynomials, told by their terms alone.

Every leaf has to be an equation of two numbers, made of numbers of the case in ways that decide
nothing about them. What asks the graph alone (which vertices, edges, paths there are, how many) may
decide. A condition of `implies` that decides about numbers is left out: then the equation is shown
whether it is met or not. Absolute values and signs are known of products of weights.
"""

from __future__ import annotations

from dataclasses import replace

from verify.language.operations import LARGEST_LITERAL
from verify.language.records import key
from verify.language.sizes import of_no_numbers
from verify.language.sorts import INT, NUM, Sort
from verify.language.statements import Statement
from verify.language.terms import Body, Term, TermError, rebuilt

_OF_THE_CASE = "weight input label loss_slope pre post slope output gradient sensitivity step_size"
_RATES = ("weight rate", "pre rate", "post rate", "output rate")
OF_THE_CASE = frozenset([*_OF_THE_CASE.split(), *_RATES])
"""What has numbers of the case for its values."""
_OF_THE_GRAPH = """
    number truth real var vertices inputs hidden outputs edges examples into out_of tail head edge
    users learnable held paths edges_on start slope_left slope_right add sub neg mul eq ne le lt ge
    gt and or implies not in range list tuple item at card union intersection minus distinct concat
    subsets mod if count each some filter map the let sum prod steps after paths_to field orders
    fold
"""
OF_THE_GRAPH = frozenset(_OF_THE_GRAPH.split())
"""What may decide, as long as no number of the case has a part in it: the slopes of an activation
left and right of 0 are numbers of the network."""
_ENTRIES = """
    number real var add sub neg mul sum prod let map list tuple item card matmul dot outer transpose
    rows cols dim beside above kron frob2 trace diagonal diag
"""
MAKING = frozenset(_ENTRIES.split())
"""What makes polynomials of polynomials."""
COMPARING = ("eq", "ne", "in", "union", "intersection", "minus", "distinct")
NO_WEIGHT_IS_0 = '["each",["edges"],["ne",["weight",["var",0]],0]]'
CHOOSING = ("at", "entry", "coord", "row", "column")  # by indices


def expansion(statement: Statement) -> Statement | None:
    """The statement without the conditions that decide about numbers, which then says more; None
    where it cannot be expanded."""
    kinds = statement.domain.activations
    if not statement.domain.network or statement.domain.smooth or (kinds and "relu" not in kinds):
        return None  # what is expanded is looked at on networks of ReLUs
    if not _Reading(statement.worked_out).expandable:
        return None
    try:
        reading = _Reading(statement.says)
        says = reading.without_conditions(statement.says)
        return replace(statement, says=says, given={}, flow={})
    except TermError:  # without its conditions it does not speak of networks
        return None


def has_signs(statement: Statement) -> bool:
    """Whether it speaks of absolute values or signs of numbers of the case."""
    reading = _Reading(statement.says)
    parts = statement.says.walk()
    return any(part.op in ("abs", "sign") and not reading.of_the_graph(part) for part in parts)


def no_weight_is_0(statement: Statement) -> bool:
    """Whether that is one of its hypotheses, in these words."""
    return NO_WEIGHT_IS_0 in map(key, statement.given.values())


class _Reading:
    """What a statement says, and which variables are bound to what has numbers of the case."""

    def __init__(self, says: Term) -> None:
        self.says = says
        self.measured: frozenset[int] = frozenset()
        self._bind(says)

    def _bind(self, term: Term) -> None:
        """From the outside in, so that what a list is made of is known before its elements."""
        parts = [part for part in term.args if isinstance(part, Term)]
        for body in (part for part in term.args if isinstance(part, Body)):
            if term.op == "along":
                self.measured |= {body.variables[2].args[0]}
            if not all(map(self.of_the_graph, parts)):
                self.measured |= {variable.args[0] for variable in body.variables}
        for child in term.children:
            self._bind(child)

    @property
    def expandable(self) -> bool:
        """Whether its leaves are equations of polynomials, at places that the graph tells."""
        return self._leads(self.says)

    def _leads(self, says: Term) -> bool:
        if says.op == "each":
            return self.of_the_graph(says.args[0]) and self._leads(says.args[1].term)
        if says.op == "implies":
            return self._leads(says.args[1])
        if says.op == "and":
            return all(map(self._leads, says.args))
        if says.op != "eq" or says.args[0].sort not in (INT, NUM):
            return False
        return all(map(self.polynomial, says.args))

    def without_conditions(self, says: Term) -> Term:
        """Without those that decide about numbers."""
        if says.op == "implies" and not self.of_the_graph(says.args[0]):
            return self.without_conditions(says.args[1])
        if says.op in ("each", "and", "implies"):
            return rebuilt(says, self.without_conditions)
        return says

    def of_the_graph(self, term: Term) -> bool:
        """Whether a term asks the graph alone."""
        if term.free & self.measured or not term.operators <= OF_THE_GRAPH:
            return False
        if not all(of_no_numbers(array.sort) for array in term.fields):
            return False
        return not any(map(_compares_lists_of_numbers, term.walk()))

    def polynomial(self, term: Term) -> bool:
        """Whether a term, its rates worked out, is made of numbers as a polynomial is."""
        if self.of_the_graph(term):
            return True
        if term.op in OF_THE_CASE:
            return all(map(self.of_the_graph, term.children))
        if term.op == "after":
            return self.of_the_graph(term.args[0]) and self.polynomial(term.args[1])
        if term.op in ("along", "activation"):
            return self.of_the_graph(term.args[0]) and self.polynomial(term.children[1])
        if term.op in ("abs", "sign"):
            return self._of_weights(term.args[0])
        if term.op == "if":
            return self.of_the_graph(term.args[0]) and all(map(self.polynomial, term.args[1:]))
        if term.op == "div":
            return self.polynomial(term.args[0]) and self.of_the_graph(term.args[1])
        if term.op == "pow":
            return self.polynomial(term.args[0]) and _small(term.args[1])
        if term.op in CHOOSING:
            return self.polynomial(term.args[0]) and all(map(self.of_the_graph, term.args[1:]))
        if term.op in ("vector", "matrix"):
            sizes = all(map(self.of_the_graph, term.args[:-1]))
            return sizes and self.polynomial(term.args[-1].term)
        if term.op in ("eye", "zeros"):
            return all(map(self.of_the_graph, term.args))
        return term.op in MAKING and all(map(self.polynomial, term.children))

    def _of_weights(self, term: Term) -> bool:
        """Whether a number is a product of weights, of their absolute values and their signs."""
        if term.op in ("weight", "number"):
            return True
        if term.op == "pow":
            return self._of_weights(term.args[0]) and _small(term.args[1])
        if term.op == "prod":
            return self.of_the_graph(term.args[0]) and self._of_weights(term.args[1].term)
        products = ("mul", "neg", "abs", "sign", "real")
        return term.op in products and all(map(self._of_weights, term.children))


def _compares_lists_of_numbers(term: Term) -> bool:
    """Elements of lists are compared as they stand: not in every arithmetic."""
    return term.op in COMPARING and any(
        part.sort != NUM and _has_numbers(part.sort) for part in term.children
    )


def _has_numbers(sort: Sort) -> bool:
    return sort == NUM or any(map(_has_numbers, sort.inner))


def _small(exponent: Term) -> bool:
    literal = exponent.args[0] if exponent.op == "real" else exponent
    return literal.op == "number" and literal.args[0] in range(1, LARGEST_LITERAL + 1)
