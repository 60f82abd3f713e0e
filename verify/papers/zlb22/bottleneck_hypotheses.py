"""Hypotheses about bottleneck neurons of profiles (verify.papers.zlb22.group_notation): how many
there are, and where.

Bottleneck neurons are those of in-degree below M^w, outside of the input layer and the first layer;
w is a number of the instance.
"""

from __future__ import annotations

from random import Random

from verify.language.building import Each, Filter, Max, Whole, card, intersection
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import parents
from verify.papers.zlb22.group_notation import LATER, OUTPUT, degree, e
from verify.papers.zlb22.profile import LARGEST_EXPONENT, Profile
from verify.statements.stated import Given, unless

w = Whole("w", 1, LARGEST_EXPONENT)
NARROW = Filter(LATER, lambda g: degree(g) < w)
OTHERS = Filter(LATER, lambda g: degree(g) >= w)


def narrow_parents(g: Term) -> Term:
    """The parents of a group that are bottlenecks."""
    return intersection(parents(g), NARROW)


def narrow(case: Profile) -> list[int]:
    """The groups of bottleneck neurons: outside of the input layer and the first layer, of
    in-degree below M^w."""
    shape, least = case.shape, case.whole("w")
    return [g for g in shape.later if shape.degrees[g] < least]


def others(case: Profile) -> list[int]:
    """The other groups outside of the input layer and the first layer."""
    shape, least = case.shape, case.whole("w")
    return [g for g in shape.later if shape.degrees[g] >= least]


def _with_first_layer(case: Profile, g: int, random: Random) -> Profile:
    """A group that reads a large group of the first layer, none of which are bottlenecks."""
    shape = case.shape
    first = random.choice([h for h in shape.hidden if shape.layers[h] == 1 and h < g] or [1])
    shape = shape.fed(g, (*shape.parents[g], first))
    return case.of(shape.sized(first, max(case.whole("w"), shape.sizes[first])))


def _widen_one(case: Profile, g: int, random: Random) -> Profile:
    """A hidden parent of a group made large, or one of the first layer joined to it."""
    hidden = [h for h in case.shape.parents[g] if h]
    if hidden and random.random() < 0.7:
        wider = case.of(case.shape.sized(random.choice(hidden), case.whole("w")))
        if g not in narrow(wider):
            return wider
    return _with_first_layer(case, g, random)


def _with_others(case: Profile, random: Random) -> Profile:
    """The output, or another group, made wide."""
    if others(case):
        return case
    output = case.shape.output
    return _widen_one(
        case, output if random.random() < 0.8 else random.choice(case.shape.later), random
    )


SPLIT = Given(
    "bottleneck neurons",
    (w >= 1) & (card(OTHERS) > 0),
    r"outside of the input layer and the first layer the bottleneck neurons are those of in-degree "
    r"of lower order than $M^w$; there are others, and $m$ is the least in-degree of these",
    _with_others,
    built_in=True,
)


def _narrow_output(case: Profile, random: Random) -> Profile:
    shape = case.shape
    for h in shape.parents[shape.output]:
        shape = shape.sized(h, 0)
    return case.of(shape)


OUTPUT_WIDE = degree(OUTPUT) >= w
INCOMING = Given(
    "bottleneck neurons are incoming neurons",
    OUTPUT_WIDE,
    r"every bottleneck neuron serves as incoming neuron of another one (the output is none)",
    unless(OUTPUT_WIDE, lambda case, random: _widen_one(case, case.shape.output, random)),
    _narrow_output,
)


def _shrunk(case: Profile, random: Random, size: int) -> Profile:
    """All bottleneck groups made as small as that, those that become narrow by it too."""
    while large := [g for g in narrow(case) if case.shape.sizes[g] > size]:
        case = case.of(case.shape.sized(large[0], size))
    return case if others(case) else _with_first_layer(case, case.shape.output, random)


def _many(case: Profile, random: Random) -> Profile:
    """A group of bottlenecks, which the output reads, as large as any; a new one where there is
    none."""
    shape = case.shape
    groups = [g for g in narrow(case) if g != shape.output]
    if not groups:
        place = shape.output
        shape = shape.inserted(place, 0, (0,)).inserted(place + 1, 0, (place,))
        groups = [place + 1]
    chosen, output = random.choice(groups), shape.output
    shape = shape.sized(chosen, max(1, *shape.sizes))
    return case.of(shape.fed(output, (*shape.parents[output], chosen)))


CONSTANT_NUMBER = Given(
    "a constant number of bottleneck neurons",
    Each(NARROW, lambda g: e[g] == 0),
    r"the number of bottleneck neurons does not depend on $M$",
    lambda case, random: _shrunk(case, random, 0),
    _many,
)


FEW = Each(OTHERS, lambda g: Each(narrow_parents(g), lambda h: e[h] < degree(g)))
FEW_AMONG = Given(
    "few bottlenecks among incoming neurons",
    FEW,
    r"of the $m_k$ incoming neurons of each neuron that is no bottleneck (outside of the input "
    r"layer and the first layer) $o(m_k)$ are bottleneck neurons",
    unless(FEW, lambda case, random: _shrunk(case, random, case.whole("w") - 1)),
    _many,
)


def _more_others(case: Profile, random: Random) -> Profile:
    """A hidden group that is no bottleneck made larger than those that are; else there are none."""
    case = _shrunk(case, random, random.randint(1, LARGEST_EXPONENT - 1))
    later = [g for g in case.shape.later if g != case.shape.output]
    if not later:
        return _widen_one(case, case.shape.output, random)
    free = [g for g in later if g in others(case)]
    g = random.choice(free or later)
    if not free:
        case = _with_first_layer(case, g, random)
    most = max((case.shape.sizes[h] for h in narrow(case)), default=-1)
    return case.of(case.shape.sized(g, max(case.shape.sizes[g], most + 1)))


FEWER = Each(NARROW, lambda g: e[g] < Max(OTHERS, lambda h: e[h]))
FEW_OF_ALL = Given(
    "fewer bottlenecks than others",
    FEWER,
    r"the number of bottleneck neurons is of lower order than that of the other neurons outside of "
    r"the input layer and the first layer",
    unless(FEWER, _more_others),
    _many,
)


def _with_two(case: Profile, random: Random) -> Profile:
    """All hidden groups made large; then two single neurons that hang on one neuron each: on a new
    one, or on what is there, each other included."""
    shape = case.shape
    for g in shape.hidden:
        shape = shape.sized(g, max(1, shape.sizes[g]))
    for _ in range(2):
        single = [g for g in shape.hidden if shape.sizes[g] == 0]
        if not single or random.random() < 0.5:
            place = random.randint(1, shape.output)
            wide = [g for g in range(1, place + 1) if shape.layers[g] == 1 or shape.degrees[g]]
            shape = shape.inserted(place, 0, shape.parents[random.choice(wide)])
            single = [place]
        parent = random.choice(single)
        child = random.randint(parent + 1, shape.output)
        shape = shape.inserted(child, 0, (parent,))
        wide = [g for g in range(child + 1, shape.count) if shape.degrees[g] >= 1]
        taker = random.choice(wide)
        shape = shape.fed(taker, (*shape.parents[taker], child))
    return case.of(shape.mended()).with_whole("w", 1)


def _more_than_two(case: Profile, random: Random) -> Profile:
    """M neurons in place of one of the two."""
    small = narrow(case)
    return case.of(case.shape.sized(random.choice(small), 1)) if small else case


JUST_TWO = (
    (w == 1)
    & (card(NARROW) == 2)
    & Each(NARROW, lambda g: (g < OUTPUT) & (e[g] == 0) & (card(parents(g)) == 1))
)
TWO = Given(
    "two bottleneck neurons of in-degree 1",
    JUST_TWO,
    r"exactly two hidden neurons have in-degree 1; all other in-degrees after the first layer grow "
    r"($w=1$)",
    unless(JUST_TWO, _with_two),
    _more_than_two,
)
