"""Instances with a weight law, for the tests of the chain of Daneshmand et al. (2020)."""

from fractions import Fraction
from random import Random

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.tensors import tensor
from verify.kinds.normalised.hypotheses import SYMMETRIC_LAW
from verify.kinds.normalised.pool import three_points, two_points
from verify.kinds.normalised.scene import Chained

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
    return Chained(parts)


def values(measure, case):
    """The entries by label, as fractions."""
    entries = measure(Chained.scene([case], RATIONALS))
    found = {}
    for k, value in enumerate(entries.values):
        label = tuple(tuple(x) if isinstance(x, list) else x for x in entries.label(k).values())
        found[label] = as_fraction(value)
    return found


def symmetric(law):
    """Whether the shared hypothesis finds a law symmetric."""
    case = instance(law, H=[[1]])
    return SYMMETRIC_LAW.repair(case, Random(0)) is case
