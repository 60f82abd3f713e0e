"""Cases of laws of finite support on matrices (Daneshmand et al., 2020)."""

from verify.cases.tensors import Tensors, tensor
from verify.papers.dkbhl20.laws import correlated


def law(*points, **numbers):
    """Pairs of a probability and the common correlation of a 2 x 2 matrix."""
    return of_matrices([(p, correlated(2, c)) for p, c in points], **numbers)


def of_matrices(points, **numbers):
    """Pairs of a probability and a matrix."""
    made = {"M": tensor(("s", "d", "d"), [m for _, m in points])}
    made["p"] = tensor(("s",), [p for p, _ in points])
    return Tensors(made | {name: tensor((), value) for name, value in numbers.items()})
