"""Lemmas B.1 and B.2 on families of linear networks, where the orders of Jacobians and of Hessian
blocks are known from both sides.

The Jacobian of the incoming neurons of f by the weights into group g is B with each column
repeated, times the incoming neurons of g over the root of their number
(verify.kinds.profiles.group_orders): it has the norm of B up to a constant. A block has the norm
|u| |B| |a| times its factors. Along a path of groups |B|^2 is the product of the sizes over the
least of them and over the in-degrees, of all groups but the first. Below the least group every size
is at most the in-degree of the next one; what is left is a walk from above into one neuron of the
least group, whose last step has probability 1/in-degree of a later layer than that of g. So both
lemmas hold on these families.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.profiles.group_orders import block_norms, operator_norm
from verify.kinds.profiles.group_shapes import Shape
from verify.kinds.profiles.profile import Profile, ProfileScene
from verify.kinds.profiles.profile_hypotheses import PROFILE
from verify.kinds.profiles.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import argument
from verify.papers.zlb22.widths import TRUSTED
from verify.statements.quantities import each_case


def least_in_degree_above(shape: Shape, g: int) -> int:
    """The exponent of the least in-degree of the layers after that of a group; 0 of none."""
    layers = shape.layers
    later = [shape.degrees[k] for k in range(shape.count) if layers[k] > layers[g]]
    return min(later, default=0)


def _by_group(
    scene: ProfileScene, found: Callable[[Shape, int], list[int]], *, incoming: bool
) -> Entries:
    """For each hidden group that something is found of: the in-degree of the output (incoming:
    else 1) over the least in-degree of later layers, less the largest found, in exponents."""

    def values(case: Profile) -> list[tuple[dict[str, Any], Fraction]]:
        shape = case.shape
        own = shape.degrees[shape.output] if incoming else 0
        return [
            ({"head": g}, Fraction(own - least_in_degree_above(shape, g) - max(norms)))
            for g in shape.hidden
            if (norms := found(shape, g))
        ]

    return each_case(values, scene)


def jacobian_slack(scene: ProfileScene) -> Entries:
    """Lemma B.1, squared: of the incoming neurons of f by the weights into each group."""

    def norms(shape: Shape, g: int) -> list[int]:
        pairs = (operator_norm(shape, g, h) for h in shape.parents[shape.output])
        return [norm for norm, _ in filter(None, pairs)]

    return _by_group(scene, norms, incoming=True)


def block_slack(scene: ProfileScene) -> Entries:
    """Lemma B.2, squared: the largest block of the weights into each group with later ones."""
    return _by_group(scene, lambda shape, g: list(block_norms(shape, g).values()), incoming=False)


LINEAR = (
    r" Here on families of linear networks, for $k$ the output and each group of neurons in layer "
)
THROUGH = (
    "on a family of linear networks the norms of products of Gaussian matrices have the orders "
    "that are counted along paths of groups (docs/mathematics/zlb22.md#norms-of-gaussian-products)"
)
NEGATED = "the norm exceeds the bound by a power of M, with a probability that does not fall"


def _claim(
    name: str,
    place: str,
    title: str,
    statement: str,
    measure: Callable[[ProfileScene], Entries],
    depends: tuple[str, ...],
) -> Claim:
    return Claim(
        f"zlb22.{name}",
        Kind.INEQUALITY,
        printed(place),
        f"{title}, of linear networks",
        statement,
        (PROFILE,),
        depends,
        measure=measure,
        pool=profile_pool(),
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        proof=partial(argument, measure, (PROFILE,)),
        through=THROUGH,
    )


CLAIMS = (
    _claim(
        "lemB.1.linear",
        "Lemma B.1, eq. (26)",
        "Jacobian of the incoming neurons, spectral norm",
        r"For $1\le\ell'\le\ell\le L$, $\lVert\partial f_{S^{(\ell)}_k}/\partial\mathbf "
        r"w^{(\ell')}\rVert=\tilde O\big(\max_{\ell'+1\le p\le\ell}\sqrt{m^{(\ell)}_k/\underline "
        r"m_p}\big)$ on the ball." + LINEAR + r"$\ell'$.",
        jacobian_slack,
        ("zlb22.lemB.1.spectral@A",),
    ),
    _claim(
        "lemB.2.linear",
        "Lemma B.2, eq. (28)",
        "Hessian blocks",
        r"For $1\le\ell_1\le\ell_2\le\ell\le L$, $\lVert\partial^2\tilde f^{(\ell)}_k/\partial"
        r"\mathbf w^{(\ell_1)}\partial\mathbf w^{(\ell_2)}\rVert=\tilde O\big(\max_{\ell_1+1\le "
        r"p\le\ell}\underline m_p^{-1/2}\big)$ on the ball." + LINEAR + r"$\ell_1$.",
        block_slack,
        ("zlb22.lemB.2@A",),
    ),
)
