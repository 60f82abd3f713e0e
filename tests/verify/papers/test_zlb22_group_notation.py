"""Families of linear networks: exponents worked by hand, and against sums over all paths between
neurons."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import find

from numerics.curvature.norms import hessian_norms
from numerics.curvature.passes import at_each_point
from numerics.curvature.products import hessians
from tests.verify.papers.zlb22_groups import layered, without_skips, worth, worth_of_each
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import tensors_from_json
from verify.language.building import Map, between
from verify.papers.zlb22.bottleneck_hypotheses import (
    CONSTANT_NUMBER,
    FEW_AMONG,
    FEW_OF_ALL,
    INCOMING,
    SPLIT,
)
from verify.papers.zlb22.dag_notation import P
from verify.papers.zlb22.group_notation import (
    INNER,
    LARGEST_WITH_SKIPS,
    LATER,
    NORM,
    NORM_WITH_SKIPS,
    VISITS,
    VISITS_WITH_SKIPS,
    degree,
    width,
)
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import Profile, profile
from verify.papers.zlb22.profile_hypotheses import (
    BOUNDED_SKIPS,
    EACH_SKIPS,
    GROWS,
    GROWS_INSIDE,
    NO_SKIP_AT_OUTPUT,
    PROFILE,
    WITH_SKIPS,
)
from verify.papers.zlb22.profile_networks import wiring_of_profile
from verify.papers.zlb22.profile_pool import as_profile, profile_pool
from verify.statements.stated import true_of

FORM = {False: PROFILE.holds, True: WITH_SKIPS.holds}  # with skips


HANGING = Shape(  # M single-parent neurons on one neuron, beside M^2 wide ones
    ((), (0,), (1,), (1,), (2,), (3, 4)), (0, 2, 0, 2, 1, 0)
)
COMMON = Shape(  # M neurons that all take the same neuron
    ((), (0,), (0,), (1, 2), (3,)), (0, 0, 1, 1, 0), (None, None, None, 1, None)
)


def visits(shape):
    """Of each group the exponents of the sum of E b_v^2 over its neurons, and of the largest."""
    return visits_of_each([shape])[0]


def visits_of_each(shapes):
    """The same of several shapes, all with skips or all without."""
    cases = [profile(shape) for shape in shapes]
    with_skips = shapes[0].skips is not None
    totals = worth_of_each(VISITS_WITH_SKIPS if with_skips else VISITS, cases)
    if with_skips:
        largest = worth_of_each(LARGEST_WITH_SKIPS, cases)
    else:
        largest = [
            [total - size for total, size in zip(row, shape.sizes, strict=True)]
            for row, shape in zip(totals, shapes, strict=True)
        ]
    return [list(zip(*rows, strict=True)) for rows in zip(totals, largest, strict=True)]


def norm(shape):
    """The exponent of the bound on |H_f|^2."""
    return worth(NORM if shape.skips is None else NORM_WITH_SKIPS, shape)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (layered(1, 1), [(0, -1), (0, -1), (0, 0)]),  # 1/m at every neuron
        (layered(1, 2), [(0, -1), (0, -2), (0, 0)]),
        (layered(1, 0, 1), [(0, -1), (0, 0), (0, -1), (0, 0)]),  # all pass the single one
        (layered(1, 0), [(0, -1), (0, 0), (0, 0)]),
        # the share M/M^2 of incoming neurons reads the single one
        (HANGING, [(0, -2), (-1, -1), (0, -2), (-1, -2), (0, 0)]),
        # the sum over M takers of 1/M each; a taken neuron is also read
        (COMMON, [(0, 0), (0, -1), (0, -1), (0, 0)]),
    ],
)
def test_exponents_by_hand(shape, expected):
    assert visits(shape)[1:] == expected
    if shape.skips is None:
        assert visits(without_skips(shape))[1:] == expected


@pytest.mark.parametrize(
    ("shape", "exponent"),
    [(layered(1, 1), -1), (layered(2, 1), -1), (layered(1, 0, 1), 0), (HANGING, -1), (COMMON, 0)],
)
def test_the_bound_on_the_norm(shape, exponent):
    assert norm(shape) == exponent


def test_degrees_layers_and_widths():
    assert HANGING.degrees[1:] == (0, 2, 2, 0, 2)
    assert worth(Map(between(2, 6), degree), HANGING) == HANGING.degrees[1:]
    assert HANGING.layers == tuple(worth(P, HANGING)) == (0, 1, 2, 2, 3, 4)
    assert worth(width(LATER), HANGING) == worth(width(INNER), HANGING) == 0
    assert worth(width(LATER), layered(1, 0)) == 0
    assert worth(width(INNER), layered(1, 0)) == 1
    assert worth(width(INNER), layered(2)) is None


# networks with neurons --------------------------------------------------------------------------
def neurons(shape, base):
    """Every neuron's group, incoming neurons and skip, of the network with this M."""
    starts, group = [0], []
    for size in shape.sizes:
        starts.append(starts[-1] + base**size)
        group += [len(starts) - 2] * base**size
    into, takes = [], []
    for v, g in enumerate(group):
        into.append([u for u, h in enumerate(group) if h in shape.parents[g]])
        source = None if shape.skips is None else shape.skips[g]
        place = v - starts[g]
        takes.append(
            None if source is None else starts[source] + place % base ** shape.sizes[source]
        )
    return group, into, takes


def squares(into, takes):
    """E (df/df_v)^2 of every neuron, as the sum over all paths from it to the last one."""
    found = [Fraction(0)] * len(into)

    def back(v, coefficient):
        found[v] += coefficient
        for u in into[v]:
            back(u, coefficient / len(into[v]))
        if takes[v] is not None:
            back(takes[v], coefficient)

    back(len(into) - 1, Fraction(1))
    return found


def within(number, base, exponent, factor):
    """Whether a number is base^exponent up to a factor either way."""
    return Fraction(base) ** exponent / factor <= number <= Fraction(base) ** exponent * factor


def drawn(seed, count, *, skips):
    pool, random = profile_pool(skips=skips), Random(seed)
    shapes = [pool.draw(random, large=False).shape for _ in range(count)]
    small = [shape for shape in shapes if sum(4**size for size in shape.sizes) < 120]
    return [shape for shape in small if shape.count <= 6]


@pytest.mark.parametrize("skips", [False, True])
def test_exponents_are_those_of_sums_over_paths(skips):
    """Within a factor that does not depend on M."""
    shapes = drawn(3, 60, skips=skips)
    assert len(shapes) > 10
    for shape, counted in zip(shapes, visits_of_each(shapes), strict=True):
        for base in (2, 4):
            group, into, takes = neurons(shape, base)
            found = squares(into, takes)
            for g in shape.hidden:
                own = [x for x, h in zip(found, group, strict=True) if h == g]
                total, largest = counted[g]
                assert within(sum(own), base, total, 2**shape.count)
                assert within(max(own), base, largest, 2**shape.count)


def test_without_skips_they_are_probabilities():
    for shape in drawn(4, 30, skips=False):
        _, into, takes = neurons(shape, 2)
        found = squares(into, takes)
        assert found[0] == 1  # every walk ends at the input
        assert max(found) == 1


def squared_blocks(into, takes):
    """E of the squared block of the weights into each neuron and those above, by expanding f."""
    from sympy import Poly, symbols

    w = {(u, v): symbols(f"w{u}_{v}") for v, row in enumerate(into) for u in row}
    value = []  # without factors: these are put in below, 1/in on squares
    for v, row in enumerate(into):
        total = 1 if v == 0 else sum(w[u, v] * value[u] for u in row)
        value.append(total if takes[v] is None else total + value[takes[v]])
    block = [Fraction(0)] * len(into)
    for powers, coefficient in Poly(value[-1], *w.values()).as_dict().items():
        assert set(powers) <= {0, 1}
        assert coefficient == 1  # each path has its own monomial
        edges = [edge for edge, power in zip(w, powers, strict=True) if power]
        square = Fraction(1)
        for _, head in edges:
            square /= len(into[head])
        for _, v in edges:  # one second derivative for each weight above
            block[v] += square * sum(tail >= v for tail, _ in edges)
    return block


def test_polynomials_confirm_the_bound():
    shape = Shape(((), (0,), (1,), (1, 2), (3,)), (0, 1, 0, 1, 0), (None, None, None, 1, None))
    _, into, takes = neurons(shape, 2)
    block, plain = squared_blocks(into, takes), squares(into, takes)
    assert all(block[v] >= plain[v] > 0 for v in range(1, len(into) - 1))
    assert block[len(into) - 2] == plain[len(into) - 2]  # one weight above
    assert block[1] > plain[1]


def test_a_skip_into_the_output_bends_nothing():
    """The neuron that the output takes has E b_v^2 above 1, and blocks as the others have."""
    shape = Shape(((), (0,), (1,)), (0, 1, 0), (None, 0, 1))
    for base in (2, 3):
        _, into, takes = neurons(shape, base)
        assert squares(into, takes)[1] == 1 + Fraction(1, base)
        assert squared_blocks(into, takes)[1 : base + 1] == [Fraction(1, base)] * base
    assert visits(shape)[1] == (0, -1)
    assert norm(shape) == -1


def test_a_taken_neuron_that_bends():
    """Skips alone lead from the single neuron to the output; other ways from it have weights."""
    shape = Shape(((), (0,), (0, 1), (2,)), (0, 0, 1, 0), (None, 0, 1, 2))
    _, into, takes = neurons(shape, 3)
    assert squared_blocks(into, takes)[1] >= squares(into, takes)[1] - 1 >= 1
    assert norm(shape) == 0


# hypotheses -------------------------------------------------------------------------------------
NARROW_OUTPUT = layered(1, 0)
CASES = [
    (PROFILE, layered(1, 1), {}, True),
    (PROFILE, layered(), {}, False),
    (PROFILE, Shape(((), (0,), (0,), (1,)), (0, 1, 1, 0)), {}, False),  # group 2 leads nowhere
    (PROFILE, Shape(((), (0,), (), (1, 2)), (0, 1, 1, 0)), {}, False),
    (PROFILE, Shape(((), (0,), (1,)), (0, 1, 1)), {}, False),  # M outputs
    (WITH_SKIPS, COMMON, {}, True),
    (WITH_SKIPS, COMMON.skipping(2, 1), {}, False),  # from the same layer
    (GROWS, layered(1, 2), {}, True),
    (GROWS, NARROW_OUTPUT, {}, False),
    (GROWS_INSIDE, NARROW_OUTPUT, {}, True),
    (GROWS_INSIDE, layered(2), {}, False),
    (NO_SKIP_AT_OUTPUT, COMMON, {}, True),
    (NO_SKIP_AT_OUTPUT, COMMON.skipping(4, 1), {}, False),
    (EACH_SKIPS, COMMON, {}, False),
    (EACH_SKIPS, COMMON.skipping(1, 0).skipping(2, 0), {}, True),
    (BOUNDED_SKIPS, COMMON, {}, False),
    (BOUNDED_SKIPS, COMMON.skipping(3, 2), {}, True),
    (BOUNDED_SKIPS, COMMON.skipping(3, 0), {}, True),  # the input is no neuron with weights
    (SPLIT, HANGING, {"w": 2}, True),
    (SPLIT, HANGING, {"w": 0}, False),
    (SPLIT, HANGING, {"w": 3}, False),
    (INCOMING, HANGING, {"w": 2}, True),
    (INCOMING, NARROW_OUTPUT, {"w": 1}, False),
    (CONSTANT_NUMBER, HANGING, {"w": 1}, False),
    (CONSTANT_NUMBER, HANGING.sized(4, 0), {"w": 1}, True),
    (FEW_AMONG, HANGING, {"w": 2}, True),
    (FEW_AMONG, HANGING.sized(4, 2), {"w": 2}, False),
    (FEW_OF_ALL, HANGING, {"w": 2}, True),
    (FEW_OF_ALL, HANGING.sized(4, 2), {"w": 2}, False),
]


@pytest.mark.parametrize(("hypothesis", "shape", "numbers", "answer"), CASES)
def test_hypotheses_by_hand(hypothesis, shape, numbers, answer):
    assert true_of(hypothesis.holds)(profile(shape, **numbers)) is answer


# the pool ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("skips", [False, True])
def test_drawn_profiles_are_well_formed(skips):
    pool, random = profile_pool(("w", 1, 2), skips=skips), Random(8)
    cases = []
    for number in range(40):
        case = pool.draw(random, large=number % 2 == 0)
        cases += [case, case.varied(random)]
        assert ("S" in case.arrays) is skips
        shape = case.shape
        for g in shape.hidden if shape.count > 3 else ():
            cases.append(case.of(shape.contracted(g).mended()))
    assert all(worth_of_each(FORM[skips], cases))


@pytest.mark.parametrize("skips", [False, True])
def test_any_arrays_make_a_profile(skips):
    pool, random = profile_pool(("w", 1, 2), skips=skips), Random(9)
    plain = replace(pool, adapt=None)
    cases = [as_profile(TensorPool.draw(plain, random), random) for _ in range(100)]
    assert all(worth_of_each(FORM[skips], cases))
    assert max(case.shape.count for case in cases) > 6


@pytest.mark.parametrize("skips", [False, True])
def test_profiles_drawn_structurally(skips):
    pool = profile_pool(("w", 1, 2), skips=skips)
    least = find(pool.drawn(), lambda case: True)
    grown = find(pool.drawn(), lambda case: 2 in case.shape.sizes)
    assert all(worth_of_each(FORM[skips], [least, grown]))
    assert (least.shape.count, grown.whole("w")) == (4, 1)


def test_other_entries_are_no_profile():
    case = profile(layered(1, 1))
    for name, place in (("E", 3), ("E", 4), ("E", 8), ("e", 1)):
        array = case.arrays[name]
        entries = (*array.entries[:place], Fraction(3, 2), *array.entries[place + 1 :])
        assert not true_of(PROFILE.holds)(case.changing(**{name: replace(array, entries=entries)}))


def test_written_and_read_again():
    case = profile(COMMON, w=1)
    again = tensors_from_json(case.to_json())
    assert Profile(again.arrays).shape == COMMON


def test_described():
    words = "groups 2: 1 from 1; 3: M from 1; 4: M from 2, 3 skips 2; 5: 1 from 4; w = 1"
    assert profile(COMMON, w=1).described() == words


# networks with weights ----------------------------------------------------------------------------
def test_the_groups_of_a_network():
    wiring = wiring_of_profile(HANGING, 9, unit=Fraction(1, 2), inputs=3)
    assert wiring.architecture.widths == (3, 9, 1, 9, 3, 1)
    assert [layer.sources for layer in wiring.architecture.layers] == list(HANGING.parents[1:])
    assert [int(wiring.degrees(g).min()) for g in range(1, 6)] == [3, 9, 9, 1, 12]
    skips = wiring_of_profile(COMMON.skipping(3, 2).sized(2, 2), 2).architecture.layers[2].skips
    assert skips == ((2, 0), (2, 1))
    assert wiring_of_profile(COMMON, 2).architecture.layers[2].skips == ((1, 0), (1, 0))


def slope(shape, widths, seeds=64):
    """Of the mean logarithm of |H_f| at x = 1, in log M."""
    generator = torch.Generator().manual_seed(5)
    means = []
    for base in widths:
        networks = wiring_of_profile(shape, base).draw(seeds, generator)
        point = torch.ones(1, 1, dtype=torch.float64)
        found = hessian_norms(
            at_each_point(networks, point), generator, certificate="nothing", tolerance=1e-2
        )
        means.append(found.eigenvalue.abs().log().mean().item())
    return np.polyfit(np.log(widths), means, 1)[0]


@pytest.mark.parametrize(
    ("shape", "widths"),
    [
        (layered(1, 1), (8, 24, 72)),
        (layered(1, 0, 1), (8, 24, 72)),
        (layered(1, 2), (4, 8, 16)),
        (HANGING, (4, 8, 16)),
        (COMMON, (8, 24, 72)),
        (COMMON.skipping(3, 2), (8, 24, 72)),
        (COMMON.skipping(3, 0), (8, 24, 72)),
    ],
)
def test_measured_norms_have_the_counted_exponent(shape, widths):
    """Of these families the bound from below is the order."""
    assert slope(shape, widths) == pytest.approx(norm(shape) / 2, abs=0.13)


def test_the_block_of_a_neuron_has_rank_one():
    """Of the weights into it and all those above it: the bound's only inequality is the mean."""
    generator = torch.Generator().manual_seed(2)
    shape = layered(1, 1, 1)
    networks = wiring_of_profile(shape, 3).draw(1, generator)
    found = at_each_point(networks, torch.ones(1, 1, dtype=torch.float64))
    (hessian,) = hessians(found)[0]
    into = slice(3, 6)  # of the first neuron of the second layer
    above = slice(12, None)
    values = torch.linalg.svdvals(hessian[into, above])
    assert values[0] > 1e-3
    assert values[1] < 1e-12
    assert torch.linalg.matrix_norm(hessian, 2) >= values[0]
