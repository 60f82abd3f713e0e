"""The two figures of the paper run again from their statements, and what it says of two trainings.

None of them decides a statement: each supports it or leaves it open, by a criterion that its
summary names. Sizes follow the budget; `benchmarks.figures` runs them at the printed size. The
parts of a figure show the same networks: where a run keeps them, each is trained once, and one part
begins where another ends. The squared error is averaged over data and outputs (reading C); sizes,
laws and optimisers that are not printed are named in `depth_ladder`, `learned_symmetry`,
`linear_minima` and `margins`.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Experiment, Measured, Setting
from verify.core.plots import Curve, Plot, thinned
from verify.papers.j23 import depth_ladder, learned_symmetry, linear_minima, margins
from verify.papers.j23.sources import printed

if TYPE_CHECKING:
    from verify.papers.j23.depth_ladder import Run
    from verify.papers.j23.learned_symmetry import Learned

MOSTLY = 0.9  # of the pairs of depths
NEAR_RANK = 0.5  # a slope so near to a rank is nearer to no other
STRAIGHT = 0.05  # of the squared norm: how far from a line a well approximated one may be
SETTLED = 1e-6  # of a gradient
COLLAPSED = 0.1  # the share of variance within orbits that counts as collapsed
FEWER = 0.25  # crossings in the principal plane over those in random planes

Figures = dict[str, int | float | str]


# Figure 1 ----------------------------------------------------------------------------------------
def norm_against_depth(setting: Setting, sizes: depth_ladder.Sizes | None = None) -> Measured:
    """(a): ranks by depth, slopes of the norm, and failure at large depth."""
    sizes = sizes or depth_ladder.SIZES[setting.scale]
    runs = depth_ladder.climb_depths(sizes, setting.common, setting.device, kept=setting.kept)
    falling = depth_ladder.falling_share(runs)
    found = depth_ladder.ranges(runs)
    near = [abs(one.line.slope - one.rank) < NEAR_RANK for one in found]
    straight = all(one.line.off < STRAIGHT for one in found)
    ranks = len({one.rank for one in found})
    nonzero = [run.depth for run in runs if run.rank]
    failed = depth_ladder.best_runs(runs)[-1].rank == 0
    under = sum(run.fits and run.rank < 2 for run in runs)
    said = "; ".join(map(_range_text, found))
    off = max((one.line.off for one in found), default=0.0)
    return Measured(
        falling >= MOSTLY and ranks >= 2 and all(near) and straight and failed,
        f"of the pairs of depths that fit, {100 * falling:.0f} % have no larger rank at the larger "
        f"depth (criterion: {100 * MOSTLY:.0f} %); slope of the squared norm against depth in each "
        f"run of three depths or more of one rank: {said or 'no such run'} (criterion: two ranks "
        f"or more, all slopes within {NEAR_RANK} of the rank); the norm is {100 * off:.1f} % "
        f"off the lines at most (criterion: {100 * STRAIGHT:.0f} %); the best network of the "
        f"largest depth is {'' if failed else 'not '}zero (criterion: zero), the largest depth "
        f"with another one is {max(nonzero, default=0)}; {under} networks fit with rank below 2.",
        _ladder_scope(sizes),
        {**_range_figures(found), **_ladder_figures(runs)},
        (depth_ladder.norm_plot(runs),),
        instances=len(runs),
    )


def bottleneck_through_depth(setting: Setting, sizes: depth_ladder.Sizes | None = None) -> Measured:
    """(b): singular values through the network, and which layers grow with the depth."""
    sizes = sizes or depth_ladder.SIZES[setting.scale]
    seed, kept = setting.common, setting.kept
    runs = depth_ladder.climb_depths(sizes, seed, setting.device, kept=kept, downwards=True)
    found = depth_ladder.ranges(runs)
    said = "; ".join(f"rank {one.rank}: {one.growth:.2f}" for one in found)
    shown: list[Run] = [one.best[k] for one in found for k in (0, -1)]
    shown = shown[-4:] or depth_ladder.best_runs(runs)[:4]
    return Measured(
        bool(found) and all(one.growth > NEAR_RANK for one in found),
        "layers of the rank of the middle one, per layer that the depth grows by, in each run of "
        f"three depths or more of one rank: {said or 'no such run'} (criterion: all above "
        f"{NEAR_RANK}, so that more of the growth lies in the bottleneck than outside).",
        _ladder_scope(sizes),
        _ladder_figures(runs),
        tuple(depth_ladder.spectrum_plot(run) for run in shown),
        instances=len(runs),
    )


def _range_text(one: depth_ladder.Range) -> str:
    line, (first, last) = one.line, one.depths
    reach = "" if line.reach is None else f" ± {line.reach:.2f}"
    return f"rank {one.rank} at depths {first} to {last}: {line.slope:.2f}{reach}"


def _range_figures(found: list[depth_ladder.Range]) -> Figures:
    """What else is known of each run of depths: the line through all starts, and the distances."""
    return {
        f"depths {one.depths[0]} to {one.depths[1]}, rank {one.rank}": f"slope "
        f"{one.line.slope:.3f}, to the rank {one.line.slope - one.rank:+.3f}, of all "
        f"{len(one.runs)} starts that fit so {one.all_starts.slope:.3f}; off the line by "
        f"{100 * one.line.off:.2f} % at most"
        for one in found
    }


def _ladder_scope(sizes: depth_ladder.Sizes) -> tuple[str, ...]:
    told = (
        f"{sizes.runs} starts at each of {len(sizes.depths)} depths from {sizes.depths[0]} to "
        f"{sizes.depths[-1]}, width {sizes.width}, {sizes.data} data, ridge {depth_ladder.RIDGE:g}"
    )
    return (told,)


def _ladder_figures(runs: tuple[Run, ...]) -> Figures:
    return {
        f"depth {run.depth}, start {run.number + 1}": f"cost {run.cost:.4g}, squared norm "
        f"{run.norm:.4g}, rank {run.rank}, layers of it {run.narrow}, gradient {run.gradient:.1e}, "
        f"{run.status}"
        for run in runs
    }


# Figure 2 ----------------------------------------------------------------------------------------
def two_outliers(setting: Setting, sizes: learned_symmetry.Sizes | None = None) -> Measured:
    """(a): singular values of the weight matrices."""
    learned = _learned(setting, sizes, first=0)
    spectra = learned_symmetry.weight_spectra(learned, learned.best)
    counts = learned_symmetry.outliers(spectra)
    two = sum(count == 2 for count in counts)
    middle = spectra[len(spectra) // 2]
    gap = middle[1] / max(middle[2], 1e-300)
    layers = [float(layer) for layer in range(1, len(spectra) + 1)]
    count = min(6, *map(len, spectra))
    curves = [thinned(f"s{k + 1}", layers, [values[k] for values in spectra]) for k in range(count)]
    figures = _learned_figures(learned)
    for layer, values in enumerate(spectra, start=1):
        figures[f"singular values, layer {layer}"] = ", ".join(f"{v:.3g}" for v in values[:6])
    return Measured(
        2 * two > len(counts) and gap > 2,
        f"singular values above {learned_symmetry.ABOVE} in the middle half of the layers: "
        f"{', '.join(map(str, counts))} (criterion: two in most of them); in the middle layer the "
        f"second is {gap:.3g} times the third (criterion: above 2).",
        _learned_scope(learned),
        figures,
        (Plot("Singular values of the weight matrices", "layer", "singular value", tuple(curves)),),
        instances=learned.sizes.runs,
    )


def paths_that_do_not_cross(
    setting: Setting, sizes: learned_symmetry.Sizes | None = None
) -> Measured:
    """(b): crossings of paths of gradient descent in the principal plane of the sixth layer."""
    learned = _learned(setting, sizes, first=1)
    found = learned_symmetry.path_crossings(learned, learned.best)
    random = min(found.in_layer, found.in_inputs)
    curves = [_path(f"start {k + 1}", path) for k, path in enumerate(found.plane[:12])]
    return Measured(
        found.principal <= FEWER * random and found.share > 0.5,
        f"{found.principal} crossings of {learned_symmetry.PATHS} paths in the plane of the first "
        f"two principal components of layer {learned.sixth}, which has {100 * found.share:.0f} % "
        f"of the variance; in random planes of that layer {found.in_layer:.1f} on average, in "
        f"random planes of the inputs {found.in_inputs:.1f} (criterion: at most {FEWER} of both).",
        _learned_scope(learned),
        {
            **_learned_figures(learned),
            "crossings, principal plane": found.principal,
            "crossings, random planes of the layer": found.in_layer,
            "crossings, random planes of the inputs": found.in_inputs,
        },
        (Plot("Gradient descent in the principal plane", "first", "second", tuple(curves)),),
        instances=learned.sizes.runs,
    )


def _path(name: str, path: np.ndarray) -> Curve:
    return thinned(name, path[:, 0].tolist(), path[:, 1].tolist())


def collapsed_orbits(setting: Setting, sizes: learned_symmetry.Sizes | None = None) -> Measured:
    """(c): the second hidden layer on orbits of the rotations around w."""
    learned = _learned(setting, sizes, first=2)
    layers = range(1, learned.sizes.depth)
    shares = [learned_symmetry.orbit_variance(learned, learned.best, k).share for k in layers]
    found = learned_symmetry.orbit_variance(learned, learned.best)
    angles = found.angles.tolist()
    rows = zip(found.radii[::3].tolist(), found.distances[::3].tolist(), strict=True)
    curves = [thinned(f"orbit of radius {radius:.1f}", angles, row) for radius, row in rows]
    return Measured(
        found.share < COLLAPSED,
        f"variance of the second hidden layer within orbits over its total: {found.share:.3f} "
        f"(criterion: below {COLLAPSED}; of the points themselves it is 1); in layers 1 to "
        f"{len(shares)}: {', '.join(f'{share:.3f}' for share in shares)}.",
        _learned_scope(learned),
        {
            **_learned_figures(learned),
            **{f"share within orbits, layer {k}": s for k, s in zip(layers, shares, strict=True)},
        },
        (
            Plot(
                "Distance to a fixed point in the second hidden layer",
                "angle on the orbit",
                "distance",
                tuple(curves),
            ),
        ),
        instances=learned.sizes.runs,
    )


def _learned(setting: Setting, sizes: learned_symmetry.Sizes | None, first: int) -> Learned:
    sizes = sizes or learned_symmetry.SIZES[setting.scale]
    seed, kept = setting.common, setting.kept
    return learned_symmetry.learn(sizes, seed, setting.device, kept=kept, first=first)


def _learned_scope(learned: Learned) -> tuple[str, ...]:
    sizes = learned.sizes
    told = (
        f"the best of {sizes.runs} starts, depth {sizes.depth}, width {sizes.width}, d = "
        f"{sizes.dimension}, T = {sizes.steps}, {sizes.data} data, ridge "
        f"{learned_symmetry.RIDGE:g}, noise of norm {learned_symmetry.NOISE:g}"
    )
    return (told,)


def _learned_figures(learned: Learned) -> Figures:
    rows = zip(learned.costs, learned.norms, learned.statuses, strict=True)
    return {
        f"start {k + 1}": f"cost {cost:.4g}, squared norm {norm:.4g}, {status}"
        for k, (cost, norm, status) in enumerate(rows)
    }


# linear networks, cross-entropy ------------------------------------------------------------------
def linear_networks(setting: Setting) -> Measured:
    """Ends of gradient descent as local minima of C(A) + lambda R(A; L)."""
    scale = setting.scale
    depths, steps = ((2, 3), (2, 3, 4, 10), (2, 3, 4, 10))[scale], (1500, 4000, 40_000)[scale]
    size, starts = (3, 4, 6)[scale], (2, 3, 10)[scale]
    ended = []
    for depth in depths:
        rate = 0.02 / depth
        seed = setting.seed + depth
        ended += linear_minima.descend(depth, size, starts, steps, 0.05, seed, rate)
    still = [end for end in ended if end.gradient < SETTLED]
    excess = max((end.excess for end in still), default=np.inf)
    inside = min((end.inside for end in still), default=-np.inf)
    outside = min((end.outside for end in still), default=-np.inf)
    small = -linear_minima.SIZE * SETTLED
    return Measured(
        2 * len(still) >= len(ended) and excess < SETTLED and min(inside, outside) > small,
        f"{len(still)} of {len(ended)} descents end with a gradient below {SETTLED:g} (criterion: "
        f"half); at these the norm exceeds R(A; L) by a share of {excess:.1e} at most, and small "
        f"perturbations change C + λR by at least {inside:.1e} within the rank and {outside:.1e} "
        f"to a higher one (criterion: {SETTLED:g}; {small:.0e}).",
        (f"completion of {size} x {size} matrices, ridge 0.05, depths {depths}, {starts} starts",),
        {
            f"depth {end.depth}, start {k % starts + 1}": f"rank {end.rank}, cost {end.cost:.4g}, "
            f"squared norm {end.norm:.5g}, excess {end.excess:.1e}, least change {end.inside:.1e} "
            f"and {end.outside:.1e}, gradient {end.gradient:.1e}"
            for k, end in enumerate(ended)
        },
        instances=len(ended),
    )


def cross_entropy(setting: Setting) -> Measured:
    """The scaled norm that cross-entropy training ends with against the least one found."""
    scale = setting.scale
    width, starts, steps = (4, 8, 20)[scale], (3, 4, 20)[scale], (400, 1500, 20_000)[scale]
    found = [margins.margins_of(depth, width, starts, steps, setting.seed) for depth in (1, 2, 3)]
    ratios = [np.sort(one.trained / one.best) for one in found]
    curves = []
    for one in found:
        course = one.course.min(axis=1) / one.best
        curves.append(
            thinned(f"L = {one.depth}", list(map(float, range(len(course)))), list(course))
        )
    said = "; ".join(
        f"L = {one.depth}: {ratio[0]:.3f}, {median(ratio):.3f}"
        for one, ratio in zip(found, ratios, strict=True)
    )
    return Measured(
        all(ratio[0] < 1.02 and median(ratio) < 1.1 for ratio in ratios),
        "the squared norm scaled to margin 1 at the end of training over the least one found by "
        f"any optimisation, least and median over starts: {said} (criterion: below 1.02 and 1.1).",
        (f"{starts} starts a depth, 8 separable points of the plane, width {width}, no biases",),
        {
            f"L = {one.depth}": ", ".join(f"{value:.5g}" for value in (*one.trained, one.best))
            for one in found
        },
        (Plot("Scaled norm along training", "record", "over the least found", tuple(curves)),),
        instances=3 * starts,
    )


def _claim(
    name: str, reference: str, title: str, statement: str, run: Callable[..., Measured]
) -> Claim:
    experiment: Experiment = run
    return Claim(
        f"j23.{name}", Kind.EXPERIMENT, printed(reference), title, statement, experiment=experiment
    )


CLAIMS = (
    _claim(
        "rem2",
        "Remark 2",
        "cross-entropy",
        "The representation cost also describes the implicit bias of networks trained with the "
        "cross-entropy loss.",
        cross_entropy,
    ),
    _claim(
        "linlocal",
        "Section 3",
        "minima of linear networks",
        r"Gradient descent on a deep linear network converges to parameters representing a matrix "
        r"that locally minimises $C(A)+\lambda R(A;L)$.",
        linear_networks,
    ),
    _claim(
        "fig1.a",
        "Figure 1 (a)",
        "norm and rank against depth",
        r"With ridge $\lambda=0.001$ there are ranges of depth in which the network converges to "
        r"different ranks, larger depths leading to smaller rank, until training fails and "
        r"recovers the zero parameters; within each range $\lVert\theta\rVert^2$ is well "
        "approximated by an affine function of $L$ with slope equal to the rank.",
        norm_against_depth,
    ),
    _claim(
        "fig1.b",
        "Figure 1 (b)",
        "bottleneck structure at several depths",
        "The bottleneck structure remains essentially the same throughout each range of depth, "
        "with only the middle low-rank part growing with the depth.",
        bottleneck_through_depth,
    ),
    _claim(
        "fig2.a",
        "Figure 2 (a)",
        "two outliers in the bottleneck",
        r"A network trained with ridge $\lambda=0.0002$ to predict the costs along gradient "
        r"descent on $\lVert vv^\top-(ww^\top+E)\rVert_F^2$ has two outlying singular values in "
        "the weight matrices of the bottleneck.",
        two_outliers,
    ),
    _claim(
        "fig2.b",
        "Figure 2 (b)",
        "paths of gradient descent do not cross",
        "In the first two principal components of the sixth hidden layer images of paths of "
        "gradient descent do not cross.",
        paths_that_do_not_cross,
    ),
    _claim(
        "fig2.c",
        "Figure 2 (c)",
        "orbits are collapsed",
        "In the second hidden layer all points of a plane orthogonal to $w$ on the same symmetry "
        "orbit are collapsed together.",
        collapsed_orbits,
    ),
)
