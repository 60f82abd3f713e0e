"""Lemmas B.1 and B.2 on families of linear networks, where the orders of Jacobians and of Hessian
blocks are known from both sides.

The Jacobian of the incoming neurons of f by the weights into group g is B with each column
repeated, times the incoming neurons of g over the root of their number
(verify.papers.zlb22.group_orders): it has the norm of B up to a constant. A block has the norm
|u| |B| |a| times its factors. Along a path of groups |B|^2 is the product of the sizes over the
least of them and over the in-degrees, of all groups but the first. Below the least group every size
is at most the in-degree of the next one; what is left is a walk from above into one neuron of the
least group, whose last step has probability 1/in-degree of a later layer than that of g. So both
lemmas hold on these families.
"""

from __future__ import annotations

from functools import partial

from verify.core.claim import Claim
from verify.language.building import Each
from verify.language.terms import Term
from verify.papers.zlb22.group_notation import HIDDEN, OUTPUT, degree
from verify.papers.zlb22.group_orders import jacobian_norm, largest_block, least_degree_above
from verify.papers.zlb22.profile_hypotheses import PROFILE
from verify.papers.zlb22.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import argument
from verify.papers.zlb22.widths import TRUSTED
from verify.statements.stated import stated

JACOBIANS = Each(
    HIDDEN,
    lambda g: degree(OUTPUT) - least_degree_above(g) >= jacobian_norm(g, OUTPUT),
)
"""Lemma B.1, squared: of the incoming neurons of f by the weights into each group."""
BLOCKS = Each(HIDDEN, lambda g: -least_degree_above(g) >= largest_block(g, OUTPUT))
"""Lemma B.2, squared: the largest block of the weights into each group with later ones."""
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
    says: Term,
    depends: tuple[str, ...],
) -> Claim:
    return stated(
        f"zlb22.{name}",
        printed(place),
        f"{title}, of linear networks",
        statement,
        says,
        (PROFILE,),
        depends=depends,
        pool=profile_pool(),
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        proof=partial(argument, says, (PROFILE,)),
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
        JACOBIANS,
        ("zlb22.lemB.1.spectral@A",),
    ),
    _claim(
        "lemB.2.linear",
        "Lemma B.2, eq. (28)",
        "Hessian blocks",
        r"For $1\le\ell_1\le\ell_2\le\ell\le L$, $\lVert\partial^2\tilde f^{(\ell)}_k/\partial"
        r"\mathbf w^{(\ell_1)}\partial\mathbf w^{(\ell_2)}\rVert=\tilde O\big(\max_{\ell_1+1\le "
        r"p\le\ell}\underline m_p^{-1/2}\big)$ on the ball." + LINEAR + r"$\ell_1$.",
        BLOCKS,
        ("zlb22.lemB.2@A",),
    ),
)
