"""Hypotheses about profiles (verify.kinds.profiles.profile): widths that grow, skips, a narrow
layer."""

from __future__ import annotations

from random import Random

from verify.cases.hypotheses import Hypothesis, by_case
from verify.kinds.profiles.group_shapes import Shape
from verify.kinds.profiles.profile import Profile


def _mended(case: Profile, random: Random) -> Profile:
    return case.of(case.shape.mended())


PROFILE = Hypothesis(
    "a family of linear networks",
    r"a family of linear networks, $M=1,2,\dots$, on groups of neurons: each neuron of a group "
    r"has all neurons of its parent groups as incoming neurons, and group $g$ has $M^{e_g}$ of "
    r"them. One input $x=1$, one output, to which all groups lead. What such a family is made of "
    r"has Assumption 3.1 ($C_x=1$), Assumption 3.2 in both readings ($\sigma(z)=z$), Assumption "
    r"3.5 in both readings (an in-degree is at most the number of groups times the largest "
    r"$M^{e_g}$), $L$ below the number of groups, one weight for each edge, and factors and "
    r"independent normal weights as in Definition 2.2: none of these can be broken by itself here",
    by_case(lambda case: case.well_formed),
    _mended,
)


# widths -----------------------------------------------------------------------------------------
def width(shape: Shape, *, outputs: bool = True) -> int | None:
    """The exponent of the width: of the least in-degree outside of the input layer and the first
    layer (reading A of Definition 2.7); without outputs over layers 2 to L-1 (reading B). None
    where there is no such neuron."""
    last = shape.layers[shape.output]
    spoken_of = [g for g in shape.later if outputs or shape.layers[g] < last]
    return min((shape.degrees[g] for g in spoken_of), default=None)


def _grows(case: Profile, *, outputs: bool) -> bool:
    return (width(case.shape, outputs=outputs) or 0) >= 1


def _widened(case: Profile, random: Random, *, outputs: bool, least: int = 1) -> Profile:
    """Some hidden parent of each narrow group made larger."""
    shape = case.shape
    for g in range(2, shape.count):
        narrow = shape.layers[g] >= 2 and shape.degrees[g] < least
        if narrow and (outputs or g != shape.output):
            hidden = [h for h in shape.parents[g] if h]
            shape = shape.sized(random.choice(hidden), least)
    return case.of(shape)


def _narrowed(case: Profile, random: Random) -> Profile:
    """All parents of a group made single."""
    shape = case.shape
    if not shape.later:
        return case
    for h in shape.parents[random.choice(shape.later)]:
        shape = shape.sized(h, 0)
    return case.of(shape)


GROWS = Hypothesis(
    "the width grows",
    r"the width $m$ (the least in-degree outside of the input layer and the first layer: reading A "
    r"of Definition 2.7) is $M^w$ with $w\ge1$, up to constants",
    by_case(lambda case: _grows(case, outputs=True)),
    lambda case, random: _widened(case, random, outputs=True),
    _narrowed,
)


def _deepened(case: Profile, random: Random) -> Profile:
    """The same with width in layers 2 to L-1, of which there is one at least."""
    shape = case.shape
    if width(shape, outputs=False) is None:
        for g in range(2, shape.output):
            shape = shape.fed(g, (*shape.parents[g], g - 1))
    return _widened(case.of(shape), random, outputs=False)


GROWS_INSIDE = Hypothesis(
    "the width of inner layers grows",
    r"the width $m$ (the least in-degree in the layers $2,\dots,L-1$: reading B of Definition 2.7) "
    r"is $M^w$ with $w\ge1$, up to constants",
    by_case(lambda case: _grows(case, outputs=False)),
    _deepened,
    _narrowed,
)


# skips ------------------------------------------------------------------------------------------
def _plain_output(case: Profile) -> bool:
    skips = case.shape.skips
    return skips is None or skips[-1] is None


def _skip_at_output(case: Profile, random: Random) -> Profile:
    shape = case.shape
    return case.of(shape.skipping(shape.output, random.choice(shape.hidden)))


NO_SKIP_AT_OUTPUT = Hypothesis(
    "no skip term at the output",
    r"the output layer has no skip term",
    by_case(_plain_output),
    lambda case, random: case.of(case.shape.skipping(case.shape.output, None)),
    _skip_at_output,
)


def _each_skips(case: Profile) -> bool:
    shape = case.shape
    return shape.skips is not None and all(shape.skips[g] is not None for g in shape.hidden)


def _skip_each(case: Profile, random: Random) -> Profile:
    """A skip from some earlier layer where there is none."""
    shape = case.shape
    for g in shape.hidden:
        if shape.skips is not None and shape.skips[g] is None:
            before = [h for h in range(g) if shape.layers[h] < shape.layers[g]]
            shape = shape.skipping(g, random.choice(before))
    return case.of(shape)


def _without_skips(case: Profile, random: Random) -> Profile:
    shape = case.shape
    return case.of(shape.skipping(random.choice(shape.hidden), None))


EACH_SKIPS = Hypothesis(
    "a skip into each hidden neuron",
    r"each hidden neuron has a skip term: neuron $i$ of a group that of neuron $i$ modulo the size "
    r"of some group of an earlier layer (the input and the first layer included)",
    by_case(_each_skips),
    _skip_each,
    _without_skips,
)


def _bounded(case: Profile) -> bool:
    shape = case.shape
    pairs = [(g, s) for g, s in enumerate(shape.skips or ()) if s]
    return all(shape.sizes[g] <= shape.sizes[s] for g, s in pairs)


def _few_takers(case: Profile, random: Random) -> Profile:
    """Skips from smaller groups come from a group that is as large, or from the input."""
    shape = case.shape
    for g, source in enumerate(shape.skips or ()):
        if source and shape.sizes[g] > shape.sizes[source]:
            before = [h for h in shape.hidden if shape.layers[h] < shape.layers[g]]
            large = [h for h in before if shape.sizes[h] >= shape.sizes[g]]
            shape = shape.skipping(g, random.choice(large) if large else 0)
    return case.of(shape)


def _many_takers(case: Profile, random: Random) -> Profile:
    """A group that takes its skips from a smaller one."""
    shape = case.shape
    layers = shape.layers
    pairs = [
        (g, s)
        for g in shape.hidden
        for s in shape.hidden
        if layers[s] < layers[g] and shape.sizes[s] < shape.sizes[g]
    ]
    if not pairs:
        return case
    return case.of(shape.skipping(*random.choice(pairs)))


BOUNDED_SKIPS = Hypothesis(
    "each neuron the source of few skips",
    r"each neuron is the source of a bounded number of skip connections, whatever $m$",
    by_case(_bounded),
    _few_takers,
    _many_takers,
)


# a bottleneck layer -----------------------------------------------------------------------------
def _layered(case: Profile) -> bool:
    return all(row == (g,) for g, row in enumerate(case.shape.parents[1:]))


def _in_layers(case: Profile, random: Random) -> Profile:
    shape = case.shape
    for g in range(1, shape.count):
        shape = shape.fed(g, (g - 1,))
    return case.of(shape)


def _past_a_layer(case: Profile, random: Random) -> Profile:
    """Edges that pass a layer by, from one that is two before."""
    shape = case.shape
    if shape.count < 4:
        return case
    g = random.randint(3, shape.output)
    return case.of(shape.fed(g, (*shape.parents[g], g - 2)))


LAYERED = Hypothesis(
    "fully connected layers",
    r"each layer reads the one before it, and no other",
    by_case(_layered),
    _in_layers,
    _past_a_layer,
)


def _one_narrow(case: Profile) -> bool:
    shape = case.shape
    return [shape.sizes[g] for g in shape.hidden].count(0) == 1


def _narrow_one(case: Profile, random: Random) -> Profile:
    shape = case.shape
    chosen = random.choice(shape.hidden)
    for g in shape.hidden:
        shape = shape.sized(g, 0 if g == chosen else max(1, shape.sizes[g]))
    return case.of(shape)


def _narrow_none(case: Profile, random: Random) -> Profile:
    shape = case.shape
    for g in shape.hidden:
        shape = shape.sized(g, max(1, shape.sizes[g]))
    return case.of(shape)


NARROW_LAYER = Hypothesis(
    "one narrow hidden layer",
    r"one hidden layer has a size that does not depend on $M$; all others are wide",
    by_case(_one_narrow),
    _narrow_one,
    _narrow_none,
)


def _wide_behind(case: Profile) -> bool:
    shape = case.shape
    return shape.count > 3 and shape.sizes[shape.output - 1] > 0


def _narrow_earlier(case: Profile, random: Random) -> Profile:
    """The sizes of the narrow layer, where it is the last one, and of another one exchanged."""
    shape = case.shape
    last = shape.output - 1
    if shape.sizes[last] or last < 2:
        return case
    g = random.randrange(1, last)
    return case.of(shape.sized(last, max(1, shape.sizes[g])).sized(g, 0))


def _narrow_last(case: Profile, random: Random) -> Profile:
    """The sizes of the narrow layer and of the last hidden one exchanged."""
    shape = case.shape
    last = shape.output - 1
    small = [g for g in shape.hidden if shape.sizes[g] == 0]
    if not small:
        return case
    return case.of(shape.sized(small[0], shape.sizes[last]).sized(last, 0))


WIDE_BEHIND = Hypothesis(
    "a wide layer behind the narrow one",
    r"the layer behind the narrow one is a hidden layer",
    by_case(_wide_behind),
    _narrow_earlier,
    _narrow_last,
)
