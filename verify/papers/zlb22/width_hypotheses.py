"""Hypotheses of statements about rates, as they can be asked of what is drawn along a ladder.

A case is what is looked at at several widths, increasing (Looked): "bounded", "fixed" and
"constant" mean that nothing is larger than at the first width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from verify.cases.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.activation_bounds import meets
from verify.papers.zlb22.dag_notation import IDENTITY_OUTPUTS as IDENTITY_OF_DAGS

if TYPE_CHECKING:
    import torch

    from numerics.curvature.balls import Vertex
    from numerics.curvature.networks import LayeredNetworks

SPREAD = 0.5  # how far from 1 the mean square of a layer's weights may be
SYMBOLS = {
    "linear": "z",
    "quadratic": "z^2",
    "cubic": "z^3",
    "relu": "ReLU",
}  # in activation_bounds
LARGEST_POWER = 3  # of the width, that in-degrees along a ladder may have


@dataclass(frozen=True)
class Looked:
    """What is looked at at one width m: networks, whose Hessian at which point, and R."""

    width: int
    networks: LayeredNetworks
    target: Vertex
    radius: float


Along = tuple[Looked, ...]


def stays(number: Callable[[Looked], float]) -> Callable[[Along], bool]:
    """The predicate that a number is nowhere larger than at the first width."""

    def holds(case: Along) -> bool:
        first, *others = map(number, case)
        return all(other <= first for other in others)

    return holds


def _smooth(case: Along) -> bool:
    kinds = {layer.activation for at in case for layer in at.networks.architecture.layers[:-1]}
    return all(meets(SYMBOLS.get(kind, kind), "B") for kind in kinds)


def _polynomial(case: Along) -> bool:
    return all(
        log(max(shape[1] for shape in at.networks.architecture.shapes))
        <= LARGEST_POWER * log(at.width)
        for at in case
    )


def _linear_outputs(case: Along) -> bool:
    return all(at.networks.architecture.layers[-1].activation == "linear" for at in case)


def _distinct(networks: LayeredNetworks) -> Iterator[torch.Tensor]:
    """By layer the weights of the first network, shared ones once, and none where no edge is."""
    for part in networks.flat()[0].split(list(networks.distinct)):
        yield part[part != 0]


def _as_defined(case: Along) -> bool:
    """The factor is the root of the in-degree; weights differ, and their mean square is near 1."""
    for at in case:
        if at.networks.architecture.scaling != "ntk":
            return False
        for place, part in enumerate(_distinct(at.networks)):
            whole = at.networks.weights[place]
            square = whole[whole != 0].square().mean()
            if abs(float(square) - 1) > SPREAD or part.unique().numel() < part.numel():
                return False
    return True


def places(at: Looked) -> int:
    """D: at how many edges of a layer one weight stands, at most."""
    most = 1
    for tie in at.networks.ties:
        if tie is not None:
            most = max(most, int(tie[0][tie[0] >= 0].bincount().max()))
    return most


BOUNDED_INPUT = Hypothesis(
    "bounded input",
    r"Assumption 3.1: $\lVert x\rVert_\infty\le C_x$, the same $C_x$ at every width",
    by_case(stays(lambda at: float(at.target.points.abs().max()))),
)
SMOOTH = Hypothesis(
    "smooth activations",
    r"Assumption 3.2: $\sigma$ and $\sigma'$ are Lipschitz",
    by_case(_smooth),
)
POLYNOMIAL_DEGREES = Hypothesis(
    "polynomial in-degrees",
    r"Assumption 3.5: no in-degree is above $m^c$, the same $c$ at every width",
    by_case(_polynomial),
)
IDENTITY_OUTPUTS = Hypothesis(
    IDENTITY_OF_DAGS.name, IDENTITY_OF_DAGS.text, by_case(_linear_outputs)
)
AS_DEFINED = Hypothesis(
    "factors and weights as defined",
    r"the factor at $v$ is $\mathrm{in}(v)^{-1/2}$, and the weights are independent and standard "
    r"normal",
    by_case(_as_defined),
)
FIXED_DEPTH = Hypothesis(
    "fixed depth",
    r"$L$ is the same at every width",
    by_case(stays(lambda at: at.networks.architecture.depth)),
)
FIXED_RADIUS = Hypothesis(
    "fixed radius",
    r"$R$ is the same at every width",
    by_case(stays(lambda at: at.radius)),
)
OWN_WEIGHTS = Hypothesis(
    "own parameters",
    r"every weight belongs to one edge",
    by_case(lambda case: all(places(at) == 1 for at in case)),
)
CONSTANT_SHARING = Hypothesis(
    "constant sharing",
    r"a weight stands at no more than $D$ places, the same $D$ at every width",
    by_case(stays(places)),
)
FEW_OUTPUTS = Hypothesis(
    "bounded number of outputs",
    r"$d_L=O(1)$: the number of outputs is the same at every width",
    by_case(stays(lambda at: at.networks.architecture.widths[-1])),
)

ASSUMPTIONS = (BOUNDED_INPUT, SMOOTH, POLYNOMIAL_DEGREES)
FIXED = (FIXED_DEPTH, FIXED_RADIUS)
LEMMA = (*ASSUMPTIONS, AS_DEFINED, *FIXED)  # of Lemmas B.1 and B.2
THEOREM = (*ASSUMPTIONS, IDENTITY_OUTPUTS, AS_DEFINED, *FIXED, OWN_WEIGHTS)  # of Theorem 3.6
OUTPUTS = (*THEOREM, FEW_OUTPUTS)  # of Corollary C.1
SHARING = (*THEOREM[:-1], CONSTANT_SHARING)  # of Theorem E.1
