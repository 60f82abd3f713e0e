"""Figures 1 (left), 2 and 5 (a, b): numerical ranks of random networks against their depth.

Layer l of a deep network stands for the last hidden layer of a network of depth l. Ranks are by the
threshold of footnote 2 in passes of both precisions, each by itself; the library's own threshold,
the soft rank, r and, for small linear networks, the exact rank stand beside them.
Figure 1: scikit-learn's digits in place of Fashion-MNIST, PyTorch's default weights and biases,
batch normalisation with PyTorch's centring. Figure 2: Gaussian inputs and weights, normalisation
without centring as in (2), no skip connections. Figure 5: digits mapped to the width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, sqrt

import numpy as np

from verify.claim import Claim, Kind
from verify.experiment import Measured, Setting
from verify.papers.dkbhl20.depth_profiles import BOTH, FIELDS, Network, Profile, Sizes, profiles
from verify.papers.dkbhl20.sources import printed
from verify.plots import Plot, thinned

PRECISIONS = {"footnote": "float64", "footnote_single": "float32"}
Figures = dict[str, int | float | str]


def _doublings(most: int) -> tuple[int, ...]:
    return tuple(2**k for k in range(most.bit_length()))


DEPTHS = (1, 2, 4, 8, 10, 12, 16, 24, 32)
FIG1 = (Sizes(16, 32, (1, 8, 16), 2), Sizes(64, 128, DEPTHS, 5), Sizes(128, 512, DEPTHS, 5))
FIG2 = (
    Sizes(8, 8, _doublings(128), 4),
    Sizes(32, 32, _doublings(1024), 10),
    Sizes(32, 32, _doublings(4096), 10),
)
FIG5 = (
    Sizes(16, 32, _doublings(16), 3),
    Sizes(64, 128, _doublings(32), 5),
    Sizes(128, 512, _doublings(32), 5),
)


def _figures(found: Sequence[Profile]) -> Figures:
    """Everything by curve and depth: means over seeds."""
    figures: Figures = {}
    for one in found:
        means = {name: one.mean(name) for name in FIELDS}
        for k, depth in enumerate(one.layers):
            figures[f"{one.network.name}, depth {depth}"] = (
                f"rank by footnote 2 {means['footnote'][k]:.4g} in float64, "
                f"{means['footnote_single'][k]:.4g} in float32; by the library's threshold "
                f"{means['library'][k]:.4g}, {means['library_single'][k]:.4g}; r "
                f"{means['r'][k]:.4g}, rank_1/2 {means['soft_rank'][k]:.4g}; "
                f"{int(one.arrays['dead'][:, k].sum())} networks are 0"
            )
    return figures


def _plot(found: Sequence[Profile], title: str) -> Plot:
    """Rank by footnote 2 in float64 against depth; where a network is 0 its rank is."""
    curves = [
        thinned(one.network.name, list(map(float, one.layers)), one.mean("footnote").tolist())
        for one in found
    ]
    return Plot(title, "depth", "rank by footnote 2, float64", tuple(curves), x_log=True)


def _measured(
    agrees: bool, summary: str, found: Sequence[Profile], sizes: Sizes, data: str
) -> Measured:
    told = (
        f"{data}, width {sizes.width}, N = {sizes.samples}, depths "
        f"{', '.join(map(str, sizes.layers))}, {sizes.seeds} seeds"
    )
    count = sum(len(one.arrays["r"]) for one in found)
    plots = (_plot(found, "Rank of the last hidden layer"),)
    return Measured(agrees, summary, (told,), _figures(found), plots, count)


def _ends(one: Profile) -> str:
    """First and last means in both precisions, in words."""
    parts = [
        f"{one.mean(field)[0]:.3g} to {one.mean(field)[-1]:.3g} in {PRECISIONS[field]}"
        for field in BOTH
    ]
    return f"{one.network.name}: {', '.join(parts)}"


# Figure 1 ----------------------------------------------------------------------------------------
DIGITS = "scikit-learn's digits in place of Fashion-MNIST, PyTorch's default initialisation"
FIG1_NETWORKS = (
    Network("ReLU, vanilla", True, "none", "default", "digits"),
    Network("ReLU, BN", True, "centred", "default", "digits"),
)


def vanilla_rank_collapses(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 1 (a)."""
    sizes = sizes or FIG1[setting.scale]
    found = profiles(FIG1_NETWORKS, sizes, setting)
    vanilla = found[0]
    means = [vanilla.mean(field) for field in BOTH]
    falls = all((np.diff(mean) <= 0).all() and mean[-1] <= mean[0] / 10 for mean in means)
    library = vanilla.mean("library")[-1]
    return _measured(
        falls,
        "mean rank by the threshold of footnote 2 at the least and the largest depth: "
        f"{_ends(vanilla)} (criterion: never larger at the next depth, and at most a tenth at the "
        f"end, in both precisions); by the library's threshold for float64 {library:.3g} at the "
        "end.",
        found,
        sizes,
        DIGITS,
    )


def normalised_rank_stays(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 1 (c)."""
    sizes = sizes or FIG1[setting.scale]
    found = profiles(FIG1_NETWORKS, sizes, setting)
    least = min(float(found[1].mean(field).min()) for field in BOTH)
    return _measured(
        least >= sizes.width / 2,
        f"least mean rank over all depths and both precisions {least:.4g} of {sizes.width} "
        f"(criterion: half of the width); {_ends(found[1])}.",
        found,
        sizes,
        DIGITS,
    )


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
    return _measured(
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
    return _measured(
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
    ends = [float(one.mean(field)[-1]) for one in looked for field in BOTH]
    r = [float(one.mean("r")[-1]) for one in looked]
    exact, numerical = exact_and_numerical(setting.common)
    measured = _measured(
        max(ends) < 2 and max(r) < 1.1,
        f"mean numerical rank at the largest depth: {'; '.join(map(_ends, looked))}; mean r there "
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
    return replace(measured, figures={**measured.figures, **told})


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


# Figure 5 ----------------------------------------------------------------------------------------
MAPPED = (
    "multilayer perceptrons with BN (centred) on scikit-learn's digits, mapped to the width, in "
    "place of VGG19 and ResNet-50 on CIFAR-10"
)
FIG5_NETWORKS = tuple(
    Network(f"{'ReLU' if relu else 'linear'}, {law}", relu, "centred", law, "mapped")
    for relu in (True, False)
    for law in ("W-STD", "W-POS")
)


def variance_over(low: Fraction, high: Fraction) -> Fraction:
    """Of the uniform law on [low, high], by its first two moments.

    >>> variance_over(Fraction(0), Fraction(1))
    Fraction(1, 12)
    """
    length = high - low
    first, second = ((high**k - low**k) / (k * length) for k in (2, 3))
    return second - first**2


def variances_agree(setting: Setting) -> Measured:
    """Figure 5 (a): both variances in the unit 1/d_l, and those of drawn entries."""
    import torch

    from numerics.chains.laws import positive, torch_default

    one, two = variance_over(Fraction(-1), Fraction(1)), variance_over(Fraction(0), Fraction(2))
    width = 64
    generator = torch.Generator().manual_seed(setting.common)
    drawn = [
        float((law.draw(generator, 1000, width) * sqrt(width)).var())
        for law in (torch_default(width), positive(width))
    ]
    return Measured(
        one == two and all(abs(value - float(one)) < 0.02 for value in drawn),
        f"variances times d_l: {one} and {two}, exactly; of {1000 * width} drawn entries of each "
        f"{drawn[0]:.4f} and {drawn[1]:.4f} (criterion: the exact ones are equal, the drawn ones "
        "within 0.02 of them).",
        (f"both laws in the unit 1/√d_l; drawn at d_l = {width}",),
        {"symmetric": str(one), "positive": str(two)},
        instances=2,
    )


def positive_weights_lose_rank(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 5 (b)."""
    sizes = sizes or FIG5[setting.scale]
    found = profiles(FIG5_NETWORKS, sizes, setting)
    standard, positive = found[:2]
    less = []
    for field in BOTH:
        ends = standard.mean(field)[-1], positive.mean(field)[-1]
        apart = positive.interval(field)[1][-1] < standard.interval(field)[0][-1]
        less.append(bool(apart and ends[1] <= ends[0] / 2))
    r = standard.mean("r")[-1], positive.mean("r")[-1]
    return _measured(
        all(less),
        f"mean rank by footnote 2 of ReLU networks from depth {sizes.layers[0]} to "
        f"{sizes.layers[-1]}: {_ends(standard)}; {_ends(positive)} (criterion: at the end at most "
        f"half as much for the positive weights, 95 % intervals apart, in both precisions); r "
        f"there {r[0]:.4g} and {r[1]:.4g}; linear networks: {_ends(found[2])}; {_ends(found[3])}.",
        found,
        sizes,
        MAPPED,
    )


def _claim(
    name: str,
    title: str,
    statement: str,
    run: Callable[..., Measured],
    reading_text: str | None = None,
) -> Claim:
    reading = name.partition("@")[2] or None
    return Claim(
        f"dkbhl20.{name}",
        Kind.EXPERIMENT,
        printed(f"Figure {name[3]}"),
        title,
        statement,
        reading=reading,
        reading_text=reading_text,
        experiment=run,
    )


DROPS = "The rank of the last hidden activation quickly drops in depth for both networks."

CLAIMS = (
    _claim(
        "fig1.a",
        "the rank of vanilla networks collapses",
        "The rank of the last hidden layer of vanilla ReLU networks, initialised as in PyTorch, "
        "collapses with depth.",
        vanilla_rank_collapses,
    ),
    _claim(
        "fig1.c",
        "batch normalisation preserves a high rank",
        "Networks with batch normalisation preserve a high rank across all depths from 1 to 32.",
        normalised_rank_stays,
    ),
    _claim(
        "fig2.a@A",
        "the rank quickly drops",
        DROPS,
        partial(ranks_drop, VANILLA),
        "both networks: linear and ReLU vanilla networks",
    ),
    _claim(
        "fig2.a@B",
        "the rank quickly drops",
        DROPS,
        partial(ranks_drop, (*VANILLA, *NORMALISED)),
        "both networks: vanilla networks and networks with batch normalisation",
    ),
    _claim(
        "fig2.b",
        "batch normalisation keeps the rank above the root of the width",
        r"Batch normalisation stabilises the rank above $\sqrt d$, $d=32$.",
        above_root,
    ),
    _claim(
        "fig2.c",
        "vanilla networks collapse to rank one",
        "In vanilla networks the representation collapses to a rank one matrix, all samples on "
        "one line.",
        rank_one_in_the_end,
    ),
    _claim(
        "fig5.a",
        "both laws have one variance",
        r"The uniform laws on $[-1/\sqrt{d_l},1/\sqrt{d_l}]$ and on $[0,2/\sqrt{d_l}]$ have the "
        "same variance.",
        variances_agree,
    ),
    _claim(
        "fig5.b",
        "positive weights reduce the rank",
        r"Weights uniform on $[0,2/\sqrt{d_l}]$ in place of $[-1/\sqrt{d_l},1/\sqrt{d_l}]$ "
        "significantly reduce the rank-preserving quality of batch normalisation.",
        positive_weights_lose_rank,
    ),
)
