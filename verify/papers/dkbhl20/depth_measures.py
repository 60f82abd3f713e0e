"""What is told of random networks against their depth, in both precisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured
from verify.core.plots import Plot, thinned
from verify.papers.dkbhl20.depth_profiles import BOTH, FIELDS, Profile, Sizes
from verify.papers.dkbhl20.sources import printed

PRECISIONS = {"footnote": "float64", "footnote_single": "float32"}
Figures = dict[str, int | float | str]


def doublings(most: int) -> tuple[int, ...]:
    """The powers of two up to a number.

    >>> doublings(9)
    (1, 2, 4, 8)
    """
    return tuple(2**k for k in range(most.bit_length()))


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


def measured(
    agrees: bool, summary: str, found: Sequence[Profile], sizes: Sizes, data: str
) -> Measured:
    """The outcome with all that was seen; data: of what the networks are, in words."""
    told = (
        f"{data}, width {sizes.width}, N = {sizes.samples}, depths "
        f"{', '.join(map(str, sizes.layers))}, {sizes.seeds} seeds"
    )
    count = sum(len(one.arrays["r"]) for one in found)
    plots = (_plot(found, "Rank of the last hidden layer"),)
    return Measured(agrees, summary, (told,), _figures(found), plots, count)


def ends(one: Profile) -> str:
    """First and last means in both precisions, in words."""
    parts = [
        f"{one.mean(field)[0]:.3g} to {one.mean(field)[-1]:.3g} in {PRECISIONS[field]}"
        for field in BOTH
    ]
    return f"{one.network.name}: {', '.join(parts)}"


def claim(
    name: str,
    title: str,
    statement: str,
    run: Callable[..., Measured],
    reading_text: str | None = None,
) -> Claim:
    """A claim about a figure, by the number in its name."""
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
