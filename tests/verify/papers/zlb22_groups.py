"""Groups of neurons by hand, and what terms are worth on them."""

from graphs.rationals import RATIONALS
from tests.verify.arrays import worth_in
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.sorts import VEC
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import Profile, profile
from verify.search.judging import scenes


def layered(*sizes):
    """Fully connected layers of these sizes between the input and the output."""
    sizes = (0, *sizes, 0)
    return Shape(((), *((g,) for g in range(len(sizes) - 1))), sizes)


def without_skips(shape):
    """The same groups, in a profile in which they could skip."""
    return Shape(shape.parents, shape.sizes, (None,) * shape.count)


def worth(term, shape, **numbers):
    """The value of a term on groups."""
    return worth_in(term, profile(shape, **numbers))


def worth_of_each(term, cases):
    """The value of a term in each of several cases, of vectors their entries; None where it has
    none. They are looked at together."""
    found = [None] * len(cases)
    for places in scenes(cases):
        column = Evaluation.of(Profile.scene([cases[k] for k in places], RATIONALS)).column(term)
        for row, k in enumerate(places):
            if column.defined[row]:
                value = plain(column.values, term.sort, row)
                found[k] = list(value[1:]) if term.sort == VEC else value
    return found
