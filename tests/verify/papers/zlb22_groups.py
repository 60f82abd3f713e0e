"""Groups of neurons by hand, and what terms are worth on them."""

from graphs.rationals import RATIONALS
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.sorts import VEC
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import profile


def layered(*sizes):
    """Fully connected layers of these sizes between the input and the output."""
    sizes = (0, *sizes, 0)
    return Shape(((), *((g,) for g in range(len(sizes) - 1))), sizes)


def without_skips(shape):
    """The same groups, in a profile in which they could skip."""
    return Shape(shape.parents, shape.sizes, (None,) * shape.count)


def worth(term, shape, **numbers):
    """The value of a term, of a vector its entries; None where it has none."""
    case = profile(shape, **numbers)
    column = Evaluation.of(type(case).scene([case], RATIONALS)).column(term)
    if not column.defined[0]:
        return None
    found = plain(column.values, term.sort, 0)
    return list(found[1:]) if term.sort == VEC else found
