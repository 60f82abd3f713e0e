"""Hypotheses about profiles (verify.profile): widths that grow, bottlenecks, skips."""

from __future__ import annotations

from random import Random

from verify.hypotheses import Hypothesis, by_case
from verify.profile import LARGEST_EXPONENT, Profile, Shape


def _mended(case: Profile, random: Random) -> Profile:
    return case.of(case.shape.mended())


PROFILE = Hypothesis(
    "a family of linear networks",
    r"a family of linear networks, $M=1,2,\dots$, on groups of neurons: each neuron of a group "
    r"has all neurons of its parent groups as incoming neurons, and group $g$ has $M^{e_g}$ of "
    r"them. One input $x=1$, one output, to which all groups lead. Assumptions 3.1, 3.2 "
    r"($\sigma(z)=z$) and 3.5 hold, $L$ is fixed, factors and weights are as in Definition 2.2",
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


# bottlenecks ------------------------------------------------------------------------------------
def narrow(case: Profile) -> list[int]:
    """The groups of bottleneck neurons: outside of the input layer and the first layer, of
    in-degree below M^w."""
    shape, least = case.shape, case.whole("w")
    return [g for g in shape.later if shape.degrees[g] < least]


def others(case: Profile) -> list[int]:
    """The other groups outside of the input layer and the first layer."""
    shape, least = case.shape, case.whole("w")
    return [g for g in shape.later if shape.degrees[g] >= least]


def width_of_others(case: Profile) -> int:
    """The exponent of the least in-degree of neurons that are no bottlenecks; 0 of none."""
    return min((case.shape.degrees[g] for g in others(case)), default=0)


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
    case = case.with_whole("w", min(max(1, case.whole("w")), LARGEST_EXPONENT))
    if others(case):
        return case
    output = case.shape.output
    return _widen_one(
        case, output if random.random() < 0.8 else random.choice(case.shape.later), random
    )


SPLIT = Hypothesis(
    "bottleneck neurons",
    r"outside of the input layer and the first layer the bottleneck neurons are those of in-degree "
    r"of lower order than $M^w$; there are others, and $m$ is the least in-degree of these",
    by_case(lambda case: case.whole("w") >= 1 and bool(others(case))),
    _with_others,
)


def _output_wide(case: Profile) -> bool:
    return case.shape.output not in narrow(case)


def _widen_output(case: Profile, random: Random) -> Profile:
    return case if _output_wide(case) else _widen_one(case, case.shape.output, random)


def _narrow_output(case: Profile, random: Random) -> Profile:
    shape = case.shape
    for h in shape.parents[shape.output]:
        shape = shape.sized(h, 0)
    return case.of(shape)


INCOMING = Hypothesis(
    "bottleneck neurons are incoming neurons",
    r"every bottleneck neuron serves as incoming neuron of another one (the output is none)",
    by_case(_output_wide),
    _widen_output,
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


CONSTANT_NUMBER = Hypothesis(
    "a constant number of bottleneck neurons",
    r"the number of bottleneck neurons does not depend on $M$",
    by_case(lambda case: all(case.shape.sizes[g] == 0 for g in narrow(case))),
    lambda case, random: _shrunk(case, random, 0),
    _many,
)


def _few_among(case: Profile) -> bool:
    shape, small = case.shape, set(narrow(case))
    return all(
        shape.sizes[h] < shape.degrees[g]
        for g in others(case)
        for h in shape.parents[g]
        if h in small
    )


def _fewer_among(case: Profile, random: Random) -> Profile:
    """Bottlenecks fewer than M^w."""
    return case if _few_among(case) else _shrunk(case, random, case.whole("w") - 1)


FEW_AMONG = Hypothesis(
    "few bottlenecks among incoming neurons",
    r"of the $m_k$ incoming neurons of each neuron that is no bottleneck (outside of the input "
    r"layer and the first layer) $o(m_k)$ are bottleneck neurons",
    by_case(_few_among),
    _fewer_among,
    _many,
)


def _fewer(case: Profile) -> bool:
    sizes = case.shape.sizes
    return all(sizes[g] < max((sizes[h] for h in others(case)), default=-1) for g in narrow(case))


def _more_others(case: Profile, random: Random) -> Profile:
    """A hidden group that is no bottleneck made larger than those that are; else there are none."""
    if _fewer(case):
        return case
    case = _shrunk(case, random, random.randint(1, LARGEST_EXPONENT - 1))
    later = [g for g in case.shape.later if g != case.shape.output]
    if not later:
        return _widen_output(case, random)
    free = [g for g in later if g in others(case)]
    g = random.choice(free or later)
    if not free:
        case = _with_first_layer(case, g, random)
    most = max((case.shape.sizes[h] for h in narrow(case)), default=-1)
    return case.of(case.shape.sized(g, max(case.shape.sizes[g], most + 1)))


FEW_OF_ALL = Hypothesis(
    "fewer bottlenecks than others",
    r"the number of bottleneck neurons is of lower order than that of the other neurons outside of "
    r"the input layer and the first layer",
    by_case(_fewer),
    _more_others,
    _many,
)


def _two(case: Profile) -> bool:
    shape, small = case.shape, narrow(case)
    fit = [g < shape.output and shape.sizes[g] == 0 and len(shape.parents[g]) == 1 for g in small]
    return case.whole("w") == 1 and len(small) == 2 and all(fit)


def _with_two(case: Profile, random: Random) -> Profile:
    """All hidden groups made large; then two single neurons that hang on one neuron each: on a new
    one, or on what is there, each other included."""
    if _two(case):
        return case
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


TWO = Hypothesis(
    "two bottleneck neurons of in-degree 1",
    r"exactly two hidden neurons have in-degree 1; all other in-degrees after the first layer grow "
    r"($w=1$)",
    by_case(_two),
    _with_two,
    _more_than_two,
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
