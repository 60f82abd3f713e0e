"""Groups of neurons by hand, and what terms are worth on them."""

from tests.verify.arrays import worth_in
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
    """The value of a term on groups."""
    return worth_in(term, profile(shape, **numbers))
