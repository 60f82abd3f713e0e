"""Figures 1 (left) and 2: numerical ranks of random networks against their depth.

Layer l of a deep network stands for the last hidden layer of a network of depth l. Ranks are by the
threshold of footnote 2 in passes of both precisions, each by itself; the library's own threshold,
the soft rank, r and, for small linear networks, the exact rank stand beside them.
Figure 1: scikit-learn's digits and Gaussian clusters in place of Fashion-MNIST, PyTorch's default
weights and biases, batch normalisation with PyTorch's centring. Figure 2: Gaussian inputs and
weights, normalisation without centring as in (2), no skip connections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf, sqrt

import numpy as np

from verify.core.experiment import Measured, Setting
from verify.papers.dkbhl20.depth_measures import PRECISIONS, claim, doublings, ends, measured
from verify.papers.dkbhl20.depth_profiles import BOTH, Network, Sizes, profiles
from verify.papers.dkbhl20.outside import together

DEPTHS = (1, 2, 4, 8, 10, 12, 16, 24, 32)
FIG1 = (Sizes(16, 32, (1, 8, 16), 2), Sizes(64, 128, DEPTHS, 5), Sizes(128, 512, DEPTHS, 5))
FIG2 = (
    Sizes(8, 8, doublings(128), 4),
    Sizes(32, 32, doublings(1024), 10),
    Sizes(32, 32, doublings(4096), 10),
)


# Figure 1 ----------------------------------------------------------------------------------------
DATA = {
    "digits": "scikit-learn's digits in place of Fashion-MNIST, PyTorch's default initialisation",
    "clusters": "Gaussian clusters in place of Fashion-MNIST, PyTorch's default initialisation",
}


def fig1_networks(data: str) -> tuple[Network, Network]:
    """Without and with batch normalisation, on one data set."""
    return (
        Network("ReLU, vanilla", True, "none", "default", data),
        Network("ReLU, BN", True, "centred", "default", data),
    )


def vanilla_rank_collapses(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """Figure 1 (a)."""
    found = profiles(fig1_networks(data), sizes, setting)
    vanilla = found[0]
    means = [vanilla.mean(field) for field in BOTH]
    falls = all((np.diff(mean) <= 0).all() and mean[-1] <= mean[0] / 10 for mean in means)
    library = vanilla.mean("library")[-1]
    return measured(
        falls,
        "mean rank by the threshold of footnote 2 at the least and the largest depth: "
        f"{ends(vanilla)} (criterion: never larger at the next depth, and at most a tenth at the "
        f"end, in both precisions); by the library's threshold for float64 {library:.3g} at the "
        "end.",
        found,
        sizes,
        DATA[data],
    )


def normalised_rank_stays(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """Figure 1 (c)."""
    found = profiles(fig1_networks(data), sizes, setting)
    least = min(float(found[1].mean(field).min()) for field in BOTH)
    return measured(
        least >= sizes.width / 2,
        f"least mean rank over all depths and both precisions {least:.4g} of {sizes.width} "
        f"(criterion: half of the width); {ends(found[1])}.",
        found,
        sizes,
        DATA[data],
    )


def on_all_data(
    judge: Callable[[Setting, Sizes, str], Measured], setting: Setting, sizes: Sizes | None = None
) -> Measured:
    """Figure 1 on both data sets, which must agree."""
    chosen = sizes or FIG1[setting.scale]
    return together({data: judge(setting, chosen, data) for data in DATA})


# Figure 2 ----------------------------------------------------------------------------------------
GAUSSIAN = "Gaussian inputs and weights, no biases, normalisation without centring"
VANILLA = (
    Network("linear, vanilla", False, "none", "W-G", "gaussian"),
    Network("ReLU, vanilla", True, "none", "W-G", "gaussian"),
)
NORMALISED = (
    Network("linear, BN", False, "plain", "W-G", "gaussian"),
    Network("ReLU, BN", True, "plain", "W-G", "gaussian"),
)
EXACT_WIDTH, EXACT_DEPTH = 8, 256


def ranks_drop(
    networks: Sequence[Network], setting: Setting, sizes: Sizes | None = None
) -> Measured:
    """Figure 2 (a), for the networks of one reading."""
    sizes = sizes or FIG2[setting.scale]
    found = profiles((*VANILLA, *NORMALISED), sizes, setting)
    looked = [one for one in found if one.network in networks]
    early = {
        (one.network.name, field): one.mean(field)[one.at(2 * sizes.width)]
        for one in looked
        for field in BOTH
    }
    said = "; ".join(
        f"{name} {value:.3g} in {PRECISIONS[field]}" for (name, field), value in early.items()
    )
    return measured(
        all(value <= sizes.width / 2 for value in early.values()),
        f"mean rank by footnote 2 at depth {2 * sizes.width}: {said} (criterion: at most half of "
        f"the width {sizes.width} for each, in both precisions).",
        found,
        sizes,
        GAUSSIAN,
    )


def above_root(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 2 (b)."""
    sizes = sizes or FIG2[setting.scale]
    found = profiles((*VANILLA, *NORMALISED), sizes, setting)
    looked = found[len(VANILLA) :]
    least = {
        (one.network.name, field): float(one.mean(field).min()) for one in looked for field in BOTH
    }
    said = "; ".join(
        f"{name} {value:.4g} in {PRECISIONS[field]}" for (name, field), value in least.items()
    )
    root = sqrt(sizes.width)
    soft = ", ".join(f"{one.network.name} {one.mean('soft_rank').min():.3g}" for one in looked)
    return measured(
        all(value >= root for value in least.values()),
        f"least mean rank by footnote 2 over the depths: {said} (criterion: at least √d = "
        f"{root:.3f}); of rank_1/2: {soft}.",
        found,
        sizes,
        GAUSSIAN,
    )


def rank_one_in_the_end(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 2 (c)."""
    sizes = sizes or FIG2[setting.scale]
    found = profiles((*VANILLA, *NORMALISED), sizes, setting)
    looked = found[: len(VANILLA)]
    last = [float(one.mean(field)[-1]) for one in looked for field in BOTH]
    r = [float(one.mean("r")[-1]) for one in looked]
    exact, numerical = exact_and_numerical(setting.common)
    found_all = measured(
        max(last) < 2 and max(r) < 1.1,
        f"mean numerical rank at the largest depth: {'; '.join(map(ends, looked))}; mean r there "
        f"{', '.join(f'{value:.4f}' for value in r)} (criterion: rank below 2 by footnote 2 in "
        f"both precisions, r below 1.1). Without rounding the rank of a linear network does not "
        f"fall: at width {EXACT_WIDTH}, depth {EXACT_DEPTH} it is {exact} exactly, and {numerical} "
        "by footnote 2.",
        found,
        sizes,
        GAUSSIAN,
    )
    told = {
        f"exact rank, width {EXACT_WIDTH}, depth {EXACT_DEPTH}": exact,
        "of the same network by footnote 2": numerical,
    }
    return replace(found_all, figures={**found_all.figures, **told})


def exact_and_numerical(
    seed: int, width: int = EXACT_WIDTH, depth: int = EXACT_DEPTH
) -> tuple[int, int]:
    """The rank of W_L ... W_1 X of one Gaussian network modulo a prime (a lower bound on the one
    over the rationals), and that of footnote 2 in float64."""
    import torch

    from numerics.chains.inputs import full
    from numerics.chains.laws import gaussian
    from numerics.chains.ranks import product_ranks
    from numerics.chains.relu import Architecture, depth_profile

    given = full(torch.Generator().manual_seed(seed), 1, width, width)
    exact = product_ranks(gaussian(), inf, [seed], inputs=given.numpy(), layers=(depth,))
    architecture = Architecture((width,) * depth, gaussian(), relu=False)
    seen = depth_profile(given, architecture, [seed], (depth,))
    return int(exact[0, 0]), int(seen.footnote[0, 0])


# claims -------------------------------------------------------------------------------------------
DROPS = "The rank of the last hidden activation quickly drops in depth for both networks."

CLAIMS = (
    claim(
        "fig1.a",
        "the rank of vanilla networks collapses",
        "The rank of the last hidden layer of vanilla ReLU networks, initialised as in PyTorch, "
        "collapses with depth.",
        partial(on_all_data, vanilla_rank_collapses),
    ),
    claim(
        "fig1.c",
        "batch normalisation preserves a high rank",
        "Networks with batch normalisation preserve a high rank across all depths from 1 to 32.",
        partial(on_all_data, normalised_rank_stays),
    ),
    claim(
        "fig2.a@A",
        "the rank quickly drops",
        DROPS,
        partial(ranks_drop, VANILLA),
        "both networks: linear and ReLU vanilla networks",
    ),
    claim(
        "fig2.a@B",
        "the rank quickly drops",
        DROPS,
        partial(ranks_drop, (*VANILLA, *NORMALISED)),
        "both networks: vanilla networks and networks with batch normalisation",
    ),
    claim(
        "fig2.b",
        "batch normalisation keeps the rank above the root of the width",
        r"Batch normalisation stabilises the rank above $\sqrt d$, $d=32$.",
        above_root,
    ),
    claim(
        "fig2.c",
        "vanilla networks collapse to rank one",
        "In vanilla networks the representation collapses to a rank one matrix, all samples on "
        "one line.",
        rank_one_in_the_end,
    ),
)
