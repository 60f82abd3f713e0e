"""Figure 5 (a, b): positive weights of the same variance, and the rank that they leave.

Digits mapped to the width; ranks by the threshold of footnote 2 in passes of both precisions.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from verify.core.experiment import Measured, Setting
from verify.papers.dkbhl20.depth_measures import claim, doublings, ends, measured
from verify.papers.dkbhl20.depth_profiles import BOTH, Network, Sizes, profiles

FIG5 = (
    Sizes(16, 32, doublings(16), 3),
    Sizes(64, 128, doublings(32), 5),
    Sizes(128, 512, doublings(32), 5),
)
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
        last = standard.mean(field)[-1], positive.mean(field)[-1]
        apart = positive.interval(field)[1][-1] < standard.interval(field)[0][-1]
        less.append(bool(apart and last[1] <= last[0] / 2))
    r = standard.mean("r")[-1], positive.mean("r")[-1]
    return measured(
        all(less),
        f"mean rank by footnote 2 of ReLU networks from depth {sizes.layers[0]} to "
        f"{sizes.layers[-1]}: {ends(standard)}; {ends(positive)} (criterion: at the end at most "
        f"half as much for the positive weights, 95 % intervals apart, in both precisions); r "
        f"there {r[0]:.4g} and {r[1]:.4g}; linear networks: {ends(found[2])}; {ends(found[3])}.",
        found,
        sizes,
        MAPPED,
    )


CLAIMS = (
    claim(
        "fig5.a",
        "both laws have one variance",
        r"The uniform laws on $[-1/\sqrt{d_l},1/\sqrt{d_l}]$ and on $[0,2/\sqrt{d_l}]$ have the "
        "same variance.",
        variances_agree,
    ),
    claim(
        "fig5.b",
        "positive weights reduce the rank",
        r"Weights uniform on $[0,2/\sqrt{d_l}]$ in place of $[-1/\sqrt{d_l},1/\sqrt{d_l}]$ "
        "significantly reduce the rank-preserving quality of batch normalisation.",
        positive_weights_lose_rank,
    ),
)
