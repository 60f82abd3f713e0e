"""The comment on centring in batch normalisation, and Fig. 7.

(a) is exact on chains of signs, where a unique invariant law is one of the whole chain, and sampled
without uniqueness, from inputs of full rank with an offset. (b): the size of the average of a row,
whose square falls like 1/d if the coordinates of a row are nearly independent (footnote 8). (c),
(d): `centring_runs`, at full size `convolution_training` too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured
from verify.core.experiment import Setting as Budgeted
from verify.core.plots import Curve, Plot, thinned
from verify.kinds.statistics.rate import Claimed, Rate
from verify.kinds.statistics.sampling import Arm, Relation, Sampled
from verify.papers.dkbhl20.centring_runs import Course, both_chains, trained
from verify.papers.dkbhl20.long_runs import BASE, SCOPE, Setting, run_of
from verify.papers.dkbhl20.outside import together
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.symmetric_rows import LAWS, MEANS_VANISH, SUPPOSED
from verify.papers.dkbhl20.symmetric_rows_proofs import the_chain_is_odd
from verify.papers.dkbhl20.training_figures import CONVOLUTIONS, Sizes, all_runs, measured
from verify.statements.stated import stated

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

PLACES = ((0, 0), (3, 2))
SYMMETRIC = (("W-U3",), ("W-U3", "W-G", "W-R"), ("W-U3", "W-G", "W-R", "W-BETA(2)", "W-T(5)"))
SPREAD = (("X-FULL",), ("X-FULL", "X-COLL(1/10)", "X-MEAN(1)"))
LAYERS = 600  # at gamma = 1
NEAR = 0.05  # of an average: as much as centring may change it
ALIKE = 0.05  # accuracies
LEARNT = 0.8


# (a) ----------------------------------------------------------------------------------------------
def entry_arms(scale: int) -> list[Arm]:
    """The average of an entry of H along a chain."""

    def drawn(setting: Setting, name: str) -> Callable[[int, np.random.Generator], np.ndarray]:
        def draw(count: int, generator: np.random.Generator) -> np.ndarray:
            return np.asarray(run_of(setting, count, generator, scale, hidden=PLACES).mean(name))

        return draw

    arms = []
    for law in SYMMETRIC[scale]:
        for gamma in (0.1, 1.0):
            setting = replace(BASE, law=law, gamma=gamma, start="X-MEAN(3)")
            for i, j in PLACES:
                name = f"H[{i},{j}]"
                arms.append(Arm(f"{name}: {setting.name}", drawn(setting, name)))
    return arms


# (b) ----------------------------------------------------------------------------------------------
def row_averages(
    width: int, count: int, generator: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """The mean over rows and layers of the square of a row's average, each seed eight chains."""

    def mean(seen: Seen) -> np.ndarray:
        return np.asarray(seen.mean("row_means").reshape(count, 8).mean(axis=1))

    return {
        f"{start}, gamma = {gamma:g}": mean(
            run_of(
                replace(BASE, width=width, gamma=gamma, start=start),
                8 * count,
                generator,
                1,
                depth=int(LAYERS / gamma),
            )
        )
        for start in SPREAD[1]
        for gamma in (0.1, 1.0)
    }


FALLING = Rate(
    "width",
    ((8, 16, 32), (8, 16, 32), (8, 16, 32, 64, 128)),
    (4, 8, 16),
    row_averages,
    tuple(
        Claimed(f"{start}, gamma = {gamma:g}", None, Fraction(-1, 4))
        for start in SPREAD[1]
        for gamma in (0.1, 1.0)
    ),
    ("N = d, W-U3", SCOPE[0]),
)


# (c) ----------------------------------------------------------------------------------------------
def redundant_centring(budgeted: Budgeted) -> Measured:
    """Averages of r and of rank_(1/2) with and without centring."""
    scale = budgeted.scale
    width, count, depth = (8, 16, 32)[scale], (8, 16, 32)[scale], (1000, 8000, 50_000)[scale]
    starts = ("X-FULL", "X-MEAN(1)", "X-MEAN(3)", "X-COLL(1/10)", "X-LOW(2)")
    settings = [
        Setting(width, gamma, start=start, samples=2)
        for start in starts
        for gamma in (0.1, 1.0, inf)
    ]
    pairs = [both_chains(each, count, budgeted.seed + k, depth) for k, each in enumerate(settings)]
    worst = max(pairs, key=lambda pair: pair.apart)
    return Measured(
        worst.apart <= NEAR,
        f"the averages of r and of rank_(1/2) with and without centring differ by "
        f"{100 * worst.apart:.1f} % at most over {len(pairs)} settings, in {worst.setting.name} "
        f"(criterion: {100 * NEAR:.0f} %).",
        (f"{count} chains of {depth} layers a setting, the same inputs and weights for both",),
        {
            pair.setting.name: f"r {pair.plain[0].mean():.3f} and {pair.centred[0].mean():.3f} "
            f"centred, soft rank {pair.plain[1].mean():.3f} and {pair.centred[1].mean():.3f}"
            for pair in pairs
        },
        instances=2 * count * len(pairs),
    )


# (d) ----------------------------------------------------------------------------------------------
def same_training(budgeted: Budgeted) -> Measured:
    """Fig. 7 at a small size; at full size convolutional networks must agree too."""
    parts = {"perceptrons": same_perceptrons(budgeted)}
    if budgeted.scale == 2:
        parts["convolutional networks"] = same_convolutions(budgeted, CONVOLUTIONS)
    return together(parts)


def same_convolutions(budgeted: Budgeted, sizes: Sizes) -> Measured:
    """Accuracy and r along training with the best rate of each, with and without centring."""
    runs = all_runs((("centred", "standard"), ("plain", "standard")), sizes, budgeted)
    apart, learnt, said = 0.0, 1.0, []
    for depth in sizes.depths:
        one, two = (runs["digits", name, depth] for name in ("BN", "BN without centring"))
        gaps = np.abs(one.course("accuracy") - two.course("accuracy"))[1:]
        apart = max(apart, float(gaps.max()))
        learnt = min(learnt, *(float(each.final().mean()) for each in (one, two)))
        said.append(f"{one.course('r')[-1]:.2f} and {two.course('r')[-1]:.2f} at {depth}")
    return measured(
        apart <= ALIKE and learnt > LEARNT,
        f"the mean training accuracies along training differ by {apart:.3f} at most (criterion: "
        f"{ALIKE}), and are {learnt:.3f} or more at the end (criterion: above {LEARNT}); r of the "
        f"last hidden layer ends with and without centring, by depth, at {'; '.join(said)}.",
        runs,
        sizes,
        "r",
    )


def same_perceptrons(budgeted: Budgeted) -> Measured:
    """Accuracy and r along training, with and without centring."""
    scale = budgeted.scale
    depth, width = (3, 4, 8)[scale], (32, 32, 128)[scale]
    epochs, runs = (3, 4, 40)[scale], (1, 2, 5)[scale]
    courses: dict[bool, list[Course]] = {
        centred: [
            trained(depth, width, epochs, budgeted.seed % 2**31 + k, centred=centred)
            for k in range(runs)
        ]
        for centred in (False, True)
    }

    def means(centred: bool, what: str) -> np.ndarray:
        return np.asarray(np.mean([getattr(one, what) for one in courses[centred]], axis=0))

    apart = float(np.abs(means(False, "accuracies") - means(True, "accuracies"))[1:].max())
    learnt = float(min(means(centred, "accuracies")[-1] for centred in (False, True)))
    curves: dict[str, list[Curve]] = {"accuracies": [], "ranks": []}
    for what, lines in curves.items():
        for centred, word in ((False, "without centring"), (True, "with centring")):
            values = means(centred, what).tolist()
            lines.append(thinned(word, list(map(float, range(epochs + 1))), values))
    told = (
        f"perceptrons with {depth} hidden layers of {width}, ReLU, digits in place of CIFAR-10, "
        f"{runs} runs of {epochs} epochs each"
    )
    last = {word: means(word == "with", "ranks")[-1] for word in ("with", "without")}
    return Measured(
        apart <= ALIKE and learnt > LEARNT,
        f"the mean training accuracies after each epoch differ by {apart:.3f} at most (criterion: "
        f"{ALIKE}), and are {learnt:.3f} or more at the end (criterion: above {LEARNT}); r of the "
        f"last hidden layer ends at {last['with']:.2f} with and {last['without']:.2f} without "
        "centring.",
        (told,),
        {
            f"epoch {epoch}": f"accuracy {means(True, 'accuracies')[epoch]:.4f} with, "
            f"{means(False, 'accuracies')[epoch]:.4f} without; r "
            f"{means(True, 'ranks')[epoch]:.3f} with, {means(False, 'ranks')[epoch]:.3f} without"
            for epoch in range(epochs + 1)
        },
        (
            Plot("Training accuracy", "epoch", "accuracy", tuple(curves["accuracies"])),
            Plot("r of the last hidden layer", "epoch", "r", tuple(curves["ranks"])),
        ),
        instances=2 * runs,
    )


# claims -------------------------------------------------------------------------------------------
PLACE = "Comment on BN-centering, Appendix C"
CLAIMS = (
    stated(
        "dkbhl20.bncentering.a",
        printed(PLACE),
        "rows have mean zero",
        r"With $\nu_\gamma$ the unique invariant distribution, $\mathbb E[H_{i:}]=0$ for "
        r"$H\sim\nu_\gamma$ (Lemma 4).",
        MEANS_VANISH,
        SUPPOSED,
        depends=("dkbhl20.lem4.a",),
        pool=LAWS,
        proof=the_chain_is_odd,
    ),
    Claim(
        "dkbhl20.bncentering.a.runs",
        Kind.EXPECTATION,
        printed(PLACE),
        "rows have mean zero, without uniqueness",
        r"Not printed: for $\mathrm{rank}(X)=d$ and symmetric weights the averages of $H_{ij}$ "
        r"along the chain have mean $0$, also from inputs with an offset.",
        depends=("dkbhl20.bncentering.a",),
        sampled=Sampled(
            "the average of an entry of H",
            entry_arms,
            Relation.ZERO,
            0.1,
            (32, 64, 256),
            SCOPE,
            stands_for="a limit of averages, which those over a run are near",
        ),
    ),
    Claim(
        "dkbhl20.bncentering.b",
        Kind.RATE,
        printed(f"{PLACE}, footnote 8"),
        "averages of rows are close to zero",
        r"The rows of $H_\ell^{(\gamma)}$ are mean-zero, hence their average is close to zero: it "
        r"converges to zero for $d$ sufficiently large (seen is that its mean square falls like "
        r"$d^{-1/4}$ or faster; independent coordinates give $d^{-1}$).",
        depends=("dkbhl20.bncentering.a",),
        rate=FALLING,
    ),
    Claim(
        "dkbhl20.bncentering.c",
        Kind.EXPERIMENT,
        printed(f"{PLACE}; Section 2, after eq. (2)"),
        "centring is redundant",
        "The mean-zero operation in batch normalisation is redundant.",
        depends=("dkbhl20.bncentering.b",),
        experiment=redundant_centring,
    ),
    Claim(
        "dkbhl20.bncentering.d",
        Kind.EXPERIMENT,
        printed("Fig. 7, Appendix C"),
        "centring does not affect training",
        r"Centring does not affect the performance of batch normalisation: training accuracy and "
        r"$r(H_L)$ against iterations are those without it.",
        experiment=same_training,
    ),
)
