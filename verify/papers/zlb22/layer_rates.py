"""Lemmas B.1, B.2, K.3, K.9 and K.10, and Lemma K.2 for the neurons below one, as rates.

What each lemma bounds is divided by the printed bound and measured along ladders of widths
(layer_norms): its exponent is 0, the neighbour above is 1/4. A factor log m bends a slope by about
1/log m, a third at these widths: an excess of m^(1/2) would be told, less might not. Where the
printed power of the logarithm is high (Lemmas B.2 and K.9) it alone would decide; there the ratio
is that without it, which may leave a claim open. Ladders measure what is typical, and not how rare
its exceptions are. Displacements are chosen after the draw: along the leading eigenvector of the
Hessian of the output and along its gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.contrasts import OF_LEMMA, contrasts_of
from verify.papers.zlb22.settings import Setting
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.width_hypotheses import LEMMA, Looked

if TYPE_CHECKING:
    import torch

    from numerics.curvature.balls import Vertex
    from numerics.curvature.networks import LayeredNetworks

ZERO, NEIGHBOUR = Fraction(0), Fraction(1, 4)
CHEAP, DEAR = (16, 128, 128), (16, 32, 128)  # seeds
WIDE = ((8, 16, 32), (16, 32, 64), (16, 32, 64, 128, 256))
NARROW = ((8, 12, 16), (8, 16, 32), (8, 16, 32, 64, 128))
CHOSEN = (
    Setting("fcn", 3, "tanh"),
    Setting("unequal", 3, "softplus"),
    Setting("dropped", 3, "softplus"),
    Setting("random", 3, "tanh"),
)
MORE = (
    Setting("fcn", 4, "softplus"),
    Setting("densenet", 4, "sigmoid"),
    Setting("unequal", 4, "tanh"),
)
INCLUDED = ", logarithms included"  # the names are those of layer_norms, which needs torch
NAMES = {
    "neurons": f"largest neuron{INCLUDED}",
    "incoming": f"|f_S| over sqrt(in-degree){INCLUDED}",
    "spectral": f"|df_S/dw| over its bound{INCLUDED}",
    "frobenius": f"|df_S/dw|_F over its bound{INCLUDED}",
    "blocks": "|H block| over its bound",
    "variance": "matrix variance over its bound",
    "series": f"|sum U_i df_k/df_i| over max |U_i|{INCLUDED}",
}


# what is drawn ------------------------------------------------------------------------------------
def at_places(
    setting: Setting,
    blocks: bool,
    width: int,
    seeds: int,
    generator: np.random.Generator,
) -> dict[str, np.ndarray]:
    """The largest of each quantity over the centre and some displacements, of S networks each."""
    measure = partial(_largest, blocks, setting.radius, ladders.target_of())
    return ladders.in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _largest(
    blocks: bool,
    radius: float,
    target: Vertex,
    networks: LayeredNetworks,
    generator: torch.Generator,
) -> dict[str, np.ndarray]:
    import torch

    from verify.papers.zlb22.layer_norms import measured

    moves = chosen_after(networks, target, radius, generator)
    places = [networks, *(networks.with_flat(networks.flat() + move) for move in moves)]
    found = [
        measured(place, target.points, generator, radius=radius, blocks=blocks) for place in places
    ]
    return {
        name: torch.stack([one[name] for one in found]).amax(dim=0).numpy() for name in found[0]
    }


def chosen_after(
    networks: LayeredNetworks, target: Vertex, radius: float, generator: torch.Generator
) -> list[torch.Tensor]:
    """Along the leading eigenvector of the Hessian of the output, both ways, and its gradient."""
    from numerics.curvature.products import gradient

    leading = ladders.leading(networks, target, generator)
    slope = gradient(target.at(networks))[:, 0]
    slope = slope / slope.norm(dim=1, keepdim=True)
    return [radius * move for move in (leading, -leading, slope)]


def along(at: Looked, generator: torch.Generator) -> dict[str, np.ndarray]:
    """The same of what a contrast looks at, without blocks of Hessians."""
    return _largest(False, at.radius, at.target, at.networks, generator)


def families_of(scale: int, *, blocks: bool) -> Sequence[Family]:
    """By scale."""
    return tuple(
        Family(
            setting.name,
            WIDE if setting.kind == "fcn" else NARROW,
            partial(at_places, setting, blocks),
            f"zlb22 layers with logarithms A {setting.key} {blocks}",
        )
        for setting in (CHOSEN if scale < 2 else (*CHOSEN, *MORE))
    )


# claims -------------------------------------------------------------------------------------------
PHRASE = (
    "one event for the whole ball; displacements chosen after the weights are drawn, of which "
    "some are looked at"
)
SETTING = (
    r"Under Assumptions 3.1, 3.2 (its words) and 3.5 (over all neurons), with "
    r"$m=\min\{\mathrm{in}(v):p(v)\ge2\}$ and fixed $L$, $R$, with probability at least "
    r"$1-\exp(-C\log^2m)$, for $\mathbf w\in\mathsf B(\mathbf w_0,R)$: "
)
SCOPE = (
    "one input of 4 entries in [-1, 1], the same at every width",
    "the first vertex k of each layer from 2 on; the largest over all choices of layers",
)


def measured_rates(quantity: str, *, contrasts: bool = False) -> Exponents:
    """One quantity along the ladders. contrasts: whether families with a hypothesis dropped are
    looked at too."""
    return Exponents(
        partial(families_of, blocks=quantity == "blocks"),
        (Predicted(NAMES[quantity], ZERO, above=NEIGHBOUR),),
        DEAR if quantity in ("blocks", "variance") else CHEAP,
        scope=SCOPE,
        contrasts=partial(contrasts_of, OF_LEMMA, along) if contrasts else None,
    )


def _rate(
    name: str, place: str, title: str, statement: str, quantity: str, depends: tuple[str, ...]
) -> Claim:
    """Of the Jacobians of Lemma B.1 contrasts are looked at."""
    return Claim(
        f"zlb22.{name}@A",
        Kind.RATE,
        printed(place),
        title,
        SETTING + statement,
        LEMMA,
        depends,
        reading="A",
        reading_text=PHRASE,
        exponents=measured_rates(quantity, contrasts=quantity in ("spectral", "frobenius")),
    )


RANGE = r"\max_{\ell'+1\le p\le\ell}"
CLAIMS = (
    _rate(
        "lemK.3",
        "Lemma K.3",
        "norm of the incoming neurons",
        r"$\lVert f_{S^{(\ell)}_k}\rVert=O\big(\sqrt{m^{(\ell)}_k}(\log m+R)^{\ell-1}\big)$.",
        "incoming",
        ("zlb22.lemK.2.lipschitz@B", "zlb22.lemK.3.norm"),
    ),
    _rate(
        "lemB.1.spectral",
        "Lemma B.1, eq. (26)",
        "Jacobian of the incoming neurons, spectral norm",
        r"for $1\le\ell'\le\ell\le L$ and any $k$, $\lVert\partial f_{S^{(\ell)}_k}/\partial"
        rf"\mathbf w^{{(\ell')}}\rVert=O\big({RANGE}\sqrt{{m^{{(\ell)}}_k/\underline m_p}}"
        r"(\log m+R)^{\ell'}\big)$.",
        "spectral",
        ("zlb22.lemK.2.lipschitz@B", "zlb22.lemK.3@A", "zlb22.lemK.6"),
    ),
    _rate(
        "lemB.1.frobenius",
        "Lemma B.1, eq. (27)",
        "Jacobian of the incoming neurons, Frobenius norm",
        r"for $1\le\ell'\le\ell\le L$ and any $k$, $\lVert\partial f_{S^{(\ell)}_k}/\partial"
        r"\mathbf w^{(\ell')}\rVert_F=O\big(\sqrt{m^{(\ell)}_k}(\log m+R)^{\ell-1}\big)$.",
        "frobenius",
        ("zlb22.lemK.3@A", "zlb22.lemK.7"),
    ),
    _rate(
        "lemB.2",
        "Lemma B.2, eq. (28)",
        "Hessian blocks",
        r"for $1\le\ell_1\le\ell_2\le\ell\le L$ and any $k$, $\lVert\partial^2\tilde "
        r"f^{(\ell)}_k/\partial\mathbf w^{(\ell_1)}\partial\mathbf w^{(\ell_2)}\rVert="
        r"\tilde O\big(\max_{\ell_1+1\le p\le\ell}\underline m_p^{-1/2}\big)$.",
        "blocks",
        ("zlb22.lemB.1.spectral@A", "zlb22.lemK.9@A", "zlb22.lemK.10@A", "zlb22.propI.1@A"),
    ),
    _rate(
        "lemK.9",
        "Lemma K.9, eqs (51) to (58)",
        "bound on the matrix variance",
        r"the matrix variance $\nu$ of the second series of (14) is "
        r"$O\big(\max_{\ell_1+1\le p\le\ell}\underline m_p^{-1}(\log m+R)^{4\ell'-2}\big)$.",
        "variance",
        ("zlb22.lemB.1.spectral@A", "zlb22.lemK.3@A", "zlb22.lemK.6", "zlb22.lemK.7"),
    ),
    Claim(
        "zlb22.lemK.10@A",
        Kind.RATE,
        printed("Lemma K.10"),
        "series through several layers",
        r"For any $\ell'<\ell$ and $k$, given fixed $U_1,\dots,U_{d_{\ell'}}\in\mathbb "
        r"R^{u_1\times u_2}$, with high probability $\lVert\sum_iU_i\,\partial\tilde "
        r"f^{(\ell)}_k/\partial f^{(\ell')}_i\rVert="
        r"O(\max_i\lVert U_i\rVert(\log m+R)^{\ell-\ell'})$.",
        depends=("zlb22.lemK.8",),
        reading="A",
        reading_text=r"probability at least $1-\exp(-C\log^2m)$, $u_1$, $u_2$ polynomial in $m$; "
        "the displacement chosen after the draw. $U_i$: the identity, signs of the neurons below, "
        "units and signs on a diagonal, orthogonal matrices",
        exponents=measured_rates("series"),
    ),
)
