"""Instances with a weight law, for the tests of the chain of Daneshmand et al. (2020)."""

from fractions import Fraction

from verify.cases.tensors import Tensors, tensor
from verify.papers.dkbhl20.drawing import three_points, two_points
from verify.papers.dkbhl20.finite_laws import SYMMETRIC_LAW
from verify.statements.stated import true_of

AXES = {
    "H": ("d", "N"),
    "W": ("d", "d"),
    "S": ("d",),
    "atoms": ("k",),
    "probs": ("k",),
    "states": ("m", "d"),
    "mass": ("m",),
    "tau": (),
}
RADEMACHER = two_points(Fraction(1))
SPARSE = three_points(Fraction(16))  # -16, 0, 16
SKEW = two_points(Fraction(2))  # 2 with probability 1/5, -1/2 with 4/5


def instance(law=RADEMACHER, gamma=1, bound=None, tied=None, **arrays):
    """An instance with these arrays, given as nested lists; tied: whether rows are one draw."""
    atoms, probs = law
    bound = max(map(abs, atoms)) if bound is None else bound
    parts = {name: tensor(AXES[name], rows) for name, rows in arrays.items()}
    parts |= {"atoms": tensor(("k",), list(atoms)), "probs": tensor(("k",), list(probs))}
    parts |= {"gamma": tensor((), Fraction(gamma)), "B": tensor((), Fraction(bound))}
    if tied is not None:
        parts["tied"] = tensor((), Fraction(tied), integer=True)
    return Tensors(parts)


def symmetric(law):
    """Whether the shared hypothesis finds a law symmetric."""
    return true_of(SYMMETRIC_LAW.holds)(instance(law, H=[[1]]))
