"""Hypotheses about profiles (verify.papers.zlb22.group_notation): widths that grow, skips, a narrow
layer."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from verify.language.building import Count, Each, Some, card, floor, implies, list_
from verify.papers.zlb22.dag_notation import COUNT, DAG, P, parents
from verify.papers.zlb22.group_notation import (
    GROUPS,
    HIDDEN,
    INNER,
    LATER,
    OUTPUT,
    S,
    children,
    e,
    width,
)
from verify.papers.zlb22.profile import Profile
from verify.statements.stated import Given


def _mended(case: Profile, random: Random) -> Profile:
    return case.of(case.shape.mended())


PROFILE = Given(
    "a family of linear networks",
    DAG.holds
    & (COUNT >= 3)
    & Each(GROUPS, lambda g: (g == 1) | (card(parents(g)) > 0))
    & Each(GROUPS, lambda g: (g == OUTPUT) | (card(children(g)) > 0))
    & Each(GROUPS, lambda g: (e[g] >= 0) & (floor(e[g]) == e[g]))
    & (e[1] == 0)
    & (e[OUTPUT] == 0),
    r"a family of linear networks, $M=1,2,\dots$, on groups of neurons: each neuron of a group "
    r"has all neurons of its parent groups as incoming neurons, and group $g$ has $M^{e_g}$ of "
    r"them. One input $x=1$, one output, to which all groups lead. What such a family is made of "
    r"has Assumption 3.1 ($C_x=1$), Assumption 3.2 in both readings ($\sigma(z)=z$), Assumption "
    r"3.5 in both readings (an in-degree is at most the number of groups times the largest "
    r"$M^{e_g}$), $L$ below the number of groups, one weight for each edge, and factors and "
    r"independent normal weights as in Definition 2.2: none of these can be broken by itself here",
    _mended,
    built_in=True,
)
_FROM_EARLIER = Each(
    GROUPS,
    lambda g: (
        Each(GROUPS, lambda h: (S[g, h] == 0) | ((S[g, h] == 1) & (h < g) & (P[h] < P[g])))
        & (Count(GROUPS, lambda h: S[g, h] == 1) <= 1)
    ),
)
WITH_SKIPS = replace(
    PROFILE,
    holds=PROFILE.holds & _FROM_EARLIER,
    text=PROFILE.text + "; the neurons of a group take their skips from one group, of an earlier "
    "layer",
)


# widths -----------------------------------------------------------------------------------------
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


GROWS = Given(
    "the width grows",
    width(LATER) >= 1,
    r"the width $m$ (the least in-degree outside of the input layer and the first layer: reading A "
    r"of Definition 2.7) is $M^w$ with $w\ge1$, up to constants",
    lambda case, random: _widened(case, random, outputs=True),
    _narrowed,
)


def _deepened(case: Profile, random: Random) -> Profile:
    """The same with width in layers 2 to L-1, of which there is one at least."""
    shape = case.shape
    if all(shape.layers[g] == shape.layers[shape.output] for g in shape.later):
        for g in range(2, shape.output):
            shape = shape.fed(g, (*shape.parents[g], g - 1))
    return _widened(case.of(shape), random, outputs=False)


GROWS_INSIDE = Given(
    "the width of inner layers grows",
    width(INNER) >= 1,
    r"the width $m$ (the least in-degree in the layers $2,\dots,L-1$: reading B of Definition 2.7) "
    r"is $M^w$ with $w\ge1$, up to constants",
    _deepened,
    _narrowed,
)


# skips ------------------------------------------------------------------------------------------
def _skip_at_output(case: Profile, random: Random) -> Profile:
    shape = case.shape
    return case.of(shape.skipping(shape.output, random.choice(shape.hidden)))


NO_SKIP_AT_OUTPUT = Given(
    "no skip term at the output",
    Each(GROUPS, lambda h: S[OUTPUT, h] == 0),
    r"the output layer has no skip term",
    lambda case, random: case.of(case.shape.skipping(case.shape.output, None)),
    _skip_at_output,
)


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


EACH_SKIPS = Given(
    "a skip into each hidden neuron",
    Each(HIDDEN, lambda g: Some(GROUPS, lambda h: S[g, h] == 1)),
    r"each hidden neuron has a skip term: neuron $i$ of a group that of neuron $i$ modulo the size "
    r"of some group of an earlier layer (the input and the first layer included)",
    _skip_each,
    _without_skips,
)


def _few_takers(case: Profile, random: Random) -> Profile:
    """Skips from smaller groups come from a group that is as large, or from the input."""
    shape = case.shape
    for g, source in enumerate(shape.skips or ()):
        if source and shape.sizes[g] > shape.sizes[source]:
            before = [h for h in range(1, g) if shape.layers[h] < shape.layers[g]]
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
        for s in range(1, g)
        if layers[s] < layers[g] and shape.sizes[s] < shape.sizes[g]
    ]
    if not pairs:
        return case
    return case.of(shape.skipping(*random.choice(pairs)))


BOUNDED_SKIPS = Given(
    "each neuron the source of few skips",
    Each(
        GROUPS,
        lambda g: Each(GROUPS, lambda h: implies((S[g, h] == 1) & (h > 1), e[g] <= e[h])),
    ),
    r"each neuron is the source of a bounded number of skip connections, whatever $m$",
    _few_takers,
    _many_takers,
)


# a bottleneck layer -----------------------------------------------------------------------------
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


LAYERED = Given(
    "fully connected layers",
    Each(GROUPS, lambda g: (g == 1) | (parents(g) == list_(g - 1))),
    r"each layer reads the one before it, and no other",
    _in_layers,
    _past_a_layer,
)


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


NARROW_LAYER = Given(
    "one narrow hidden layer",
    Count(HIDDEN, lambda g: e[g] == 0) == 1,
    r"one hidden layer has a size that does not depend on $M$; all others are wide",
    _narrow_one,
    _narrow_none,
)


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


WIDE_BEHIND = Given(
    "a wide layer behind the narrow one",
    (COUNT > 3) & (e[COUNT - 1] > 0),
    r"the layer behind the narrow one is a hidden layer",
    _narrow_earlier,
    _narrow_last,
)
