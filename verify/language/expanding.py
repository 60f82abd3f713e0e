"""Which statements about networks can be expanded to polynomials, told by their terms alone.

Every leaf has to be an equation of two numbers, made of numbers of the case in ways that decide
nothing about them. What asks the graph alone (which vertices, edges, paths there are, how many) may
decide. A condition of `implies` that decides about numbers is left out: then the equation is shown
whether it is met or not. Absolute values and signs are known of products of weights.
"""

from __future__ import annotations

from verify.language.operations import LARGEST_LITERAL
from verify.language.sorts import INT, NUM, Sort
from verify.language.statements import Statement
from verify.language.terms import Term, TermError, rebuilt

_OF_THE_CASE = "weight input label loss_slope pre post slope output gradient"
_RATES = ("weight rate", "pre rate", "post rate", "output rate")
OF_THE_CASE = frozenset([*_OF_THE_CASE.split(), *_RATES])
"""What has numbers of the case for its values."""
_OF_THE_GRAPH = """
    number truth real var vertices inputs hidden outputs edges examples into out_of tail head users
    learnable held paths edges_on start slope_left slope_right add sub neg mul eq ne le lt ge gt and
    or implies not in range list tuple item at card union intersection minus distinct concat subsets
    mod if count each some filter map the let sum prod
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
CHOOSING = ("at", "entry", "coord", "row", "column")  # by indices


def expansion(statement: Statement) -> Statement | None:
    """The statement without the conditions that decide about numbers, which then says more; None
    where it cannot be expanded."""
    if not statement.domain.network or not _may_be(statement.worked_out):
        return None
    try:
        return Statement(statement.id, _without_conditions(statement.says))
    except TermError:  # without its conditions it does not speak of networks
        return None


def has_signs(statement: Statement) -> bool:
    """Whether it speaks of absolute values or signs of numbers of the case."""
    return any(
        part.op in ("abs", "sign") and not of_the_graph(part) for part in statement.says.walk()
    )


NO_WEIGHT_IS_0 = '["each",["edges"],["ne",["weight",["var",0]],0]]'


def no_weight_is_0(statement: Statement) -> bool:
    """Whether that is one of its hypotheses, in these words."""
    from verify.language.records import key

    return NO_WEIGHT_IS_0 in map(key, statement.given.values())


def _may_be(says: Term) -> bool:
    """Whether its leaves, rates worked out, are equations of polynomials, at places that the graph
    tells."""
    if says.op == "each":
        return of_the_graph(says.args[0]) and _may_be(says.args[1].term)
    if says.op == "implies":
        return _may_be(says.args[1])
    if says.op == "and":
        return all(map(_may_be, says.args))
    if says.op != "eq" or says.args[0].sort not in (INT, NUM):
        return False
    return all(map(polynomial, says.args))


def _without_conditions(says: Term) -> Term:
    if says.op == "implies" and not of_the_graph(says.args[0]):
        return _without_conditions(says.args[1])
    if says.op in ("each", "and", "implies"):
        return rebuilt(says, _without_conditions)
    return says


def of_the_graph(term: Term) -> bool:
    """Whether a term asks the graph alone."""
    return term.operators <= OF_THE_GRAPH and not any(map(_of_numbers, term.walk()))


def _of_numbers(term: Term) -> bool:
    """Whether there may be numbers of the case in it: in what is bound, and in lists."""
    return _has_numbers(term.sort) and (term.op == "var" or term.sort != NUM)


def _has_numbers(sort: Sort) -> bool:
    return sort == NUM or any(map(_has_numbers, sort.inner))


def polynomial(term: Term) -> bool:
    """Whether a term, its rates worked out, is made of numbers of the case as a polynomial is."""
    if of_the_graph(term):
        return True
    if term.op in OF_THE_CASE:
        return all(map(of_the_graph, term.children))
    if term.op in ("abs", "sign"):
        return _of_weights(term.args[0])
    if term.op == "if":
        return of_the_graph(term.args[0]) and all(map(polynomial, term.args[1:]))
    if term.op == "div":
        return polynomial(term.args[0]) and of_the_graph(term.args[1])
    if term.op == "pow":
        return polynomial(term.args[0]) and _small(term.args[1])
    if term.op in CHOOSING:
        return polynomial(term.args[0]) and all(map(of_the_graph, term.args[1:]))
    if term.op in ("vector", "matrix"):
        return all(map(of_the_graph, term.args[:-1])) and polynomial(term.args[-1].term)
    if term.op in ("eye", "zeros"):
        return all(map(of_the_graph, term.args))
    return term.op in MAKING and all(map(polynomial, term.children))


def _small(exponent: Term) -> bool:
    literal = exponent.args[0] if exponent.op == "real" else exponent
    return literal.op == "number" and literal.args[0] in range(1, LARGEST_LITERAL + 1)


def _of_weights(term: Term) -> bool:
    """Whether a number is a product of weights, of their absolute values and their signs."""
    if term.op in ("weight", "number"):
        return True
    if term.op == "pow":
        return _of_weights(term.args[0]) and _small(term.args[1])
    if term.op == "prod":
        return of_the_graph(term.args[0]) and _of_weights(term.args[1].term)
    return term.op in ("mul", "neg", "abs", "sign", "real") and all(map(_of_weights, term.children))
