"""What is measured of wide networks for the theorems on rates, once for all claims that need it.

Norms and remainders at the centre, along gradient descent and at the largest values that ascent
finds in the ball, one event for the whole of it. What ascent finds is a lower bound of the
supremum. One input with entries in [-1, 1], the same at every width; the width m is the typical
in-degree after the first layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.kinds.statistics.exponents import Family
from verify.papers.zlb22.settings import INPUTS, Setting

if TYPE_CHECKING:
    import torch

    from numerics.curvature.balls import Ascent, Vertex
    from numerics.curvature.networks import LayeredNetworks
    from numerics.curvature.wirings import Wiring

CENTRE, BALL = "|H| at the centre", "largest |H| in the ball"
REST = "largest |f - f_lin| in the ball"
CHANGE = "largest |H(w) - H(w0)| over |H(w0)|"

ROOM = 2**19  # weights of networks measured at a time
ASCENT_STEPS, REMAINDER_STEPS, DESCENT_STEPS = 4, 6, 6
ROUGH = 1e-2  # relative, of norms: far below their spread
Values = Mapping[str, np.ndarray]
Ladders = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def in_chunks(
    measure: Callable[[LayeredNetworks, torch.Generator], Values],
    wiring: Callable[[int, torch.Generator], Wiring],
    seeds: int,
    generator: np.random.Generator,
) -> dict[str, np.ndarray]:
    """What `measure` gives of S networks, as many at a time as there is room for."""
    from numerics.curvature.wirings import generator_of
    from numerics.training import threads_for

    own = generator_of(generator)
    parts: list[Values] = []
    done, size = 0, wiring(1, own).architecture.parameter_count
    while done < seeds:
        count = min(seeds - done, max(1, ROOM // size))
        with threads_for(0):  # one: batches are many small products
            parts.append(measure(wiring(count, own).draw(count, own), own))
        done += count
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def target_of() -> Vertex:
    """The first output at one fixed input."""
    from numerics.curvature.balls import Vertex
    from numerics.curvature.wirings import points

    return Vertex(points(INPUTS, 1, "uniform"))


# in the ball -------------------------------------------------------------------------------------
def in_the_ball(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Norms, remainders and the change of the Hessian in the ball, of S networks each."""
    measure = partial(_measured, setting.radius)
    return in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _measured(radius: float, networks: LayeredNetworks, generator: torch.Generator) -> Values:
    import torch

    from numerics.curvature.remainders import kink_moves, largest_remainder, linearisation

    target = target_of()
    linear = linearisation(networks, target)
    risen, starts = risen_from(networks, target, radius, generator)
    if any(layer.activation == "relu" for layer in networks.architecture.layers):
        starts += kink_moves(linear, radius)
    rest, place = largest_remainder(linear, radius, starts, REMAINDER_STEPS)
    after = descended(networks, target, radius)
    moved = networks.with_flat(networks.flat() + place)
    sizes = [risen.norms, norms(moved, target, generator), norms(after, target, generator)]
    along = linear.remainder(after.flat() - networks.flat())[0].abs()
    found = {
        CENTRE: risen.start,
        BALL: torch.stack(sizes).amax(dim=0),
        REST: torch.maximum(rest, along),
    }
    return {name: tensor.numpy() for name, tensor in found.items()}


def risen_from(
    networks: LayeredNetworks, target: Vertex, radius: float, generator: torch.Generator
) -> tuple[Ascent, list[torch.Tensor]]:
    """Ascent of |H| in the ball, and moves (S, P) from which other ascents may start: along the
    leading eigenvector at the centre, to where |H| is large, and a random one."""
    import torch

    from numerics.curvature.balls import ascend

    risen = ascend(
        networks, target, radius, generator, steps=ASCENT_STEPS, restarts=0, tolerance=ROUGH
    )
    away = risen.networks.flat() - networks.flat()
    noise = torch.randn(away.shape, generator=generator, dtype=torch.float64)
    top = leading(networks, target, generator)
    return risen, [top, -top, away, networks.with_flat(noise).flat()]


def changes(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """How far the Hessian moves in the ball relative to its norm at the centre."""
    measure = partial(_changes, setting.radius)
    return in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _changes(radius: float, networks: LayeredNetworks, generator: torch.Generator) -> Values:
    import torch

    from numerics.curvature.remainders import hessian_change, largest_remainder, linearisation

    target = target_of()
    risen, starts = risen_from(networks, target, radius, generator)
    _, place = largest_remainder(linearisation(networks, target), radius, starts, REMAINDER_STEPS)
    moved = networks.with_flat(networks.flat() + place)
    found = [hessian_change(networks, w, target, generator) for w in (risen.networks, moved)]
    return {CHANGE: (torch.maximum(*found) / risen.start).numpy()}


def norms(networks: LayeredNetworks, target: Vertex, generator: torch.Generator) -> torch.Tensor:
    """(S,): |H|."""
    from numerics.curvature.norms import NOTHING, hessian_norms

    found = hessian_norms(
        target.at(networks), generator, certificate=NOTHING, tolerance=ROUGH, steps=60
    )
    return found.eigenvalue[:, 0].abs()


def leading(networks: LayeredNetworks, target: Vertex, generator: torch.Generator) -> torch.Tensor:
    """(S, P): unit vectors of the largest eigenvalue in magnitude."""
    from numerics.curvature.norms import NOTHING, hessian_norms

    found = hessian_norms(
        target.at(networks), generator, certificate=NOTHING, tolerance=ROUGH, steps=60
    )
    return found.leading()[:, 0]


def descended(networks: LayeredNetworks, target: Vertex, radius: float) -> LayeredNetworks:
    """After gradient descent on the square loss towards the value 1 at the input, the last place
    in the ball: half a Newton step of the linearised loss each time."""
    import torch

    from numerics.curvature.remainders import linearisation

    centre, place = networks.flat(), networks
    for _ in range(DESCENT_STEPS):
        here = linearisation(place, target)
        kernel = here.slope.square().sum(dim=1)
        step = (here.value - 1) / (2 * kernel)
        moves = place.flat() - step[:, None] * here.slope - centre
        far = torch.linalg.vector_norm(moves, dim=1, keepdim=True) / radius
        place = networks.with_flat(centre + moves / far.clamp(min=1.0))
    return place


# families ----------------------------------------------------------------------------------------
Chosen = tuple[str, int, str, Ladders]  # family, depth, activation, widths
FLAT = ((16, 32, 64), (32, 128, 512), (32, 128, 512, 2048, 8192))  # one hidden layer
DEEP = ((8, 16, 32), (16, 64, 256), (16, 32, 64, 128, 256))
DEEPER = ((8, 16, 32), (16, 48, 144), (16, 32, 64, 128, 256))
DEAR = ((8, 16, 32), (12, 36, 108), (12, 24, 48, 96))  # edges are dropped, or sizes differ
PLAIN = (
    ("fcn", 2, "tanh", FLAT),
    ("fcn", 3, "softplus", DEEP),
    ("densenet", 3, "tanh", DEEP),
    ("dropped", 3, "softplus", DEAR),
    ("random", 3, "tanh", DEEP),
)
FULL = (
    *PLAIN,
    ("fcn", 4, "sigmoid", DEEP),
    ("unequal", 3, "tanh", DEAR),
    ("densenet", 4, "softplus", DEEP),
    ("spread", 3, "softplus", DEAR),
)
RADII = ((1.0,), (1.0,), (0.5, 1.0, 3.0))


def families_of(
    values: Callable[..., Values], scale: int, chosen: tuple[Chosen, ...] | None = None
) -> tuple[Family, ...]:
    """The families of a scale, measured by `values`."""
    plain = FULL if scale == 2 else PLAIN
    return tuple(
        family_of(values, Setting(kind, depth, activation, radius), ladders)
        for kind, depth, activation, ladders in (plain if chosen is None else chosen)
        for radius in RADII[scale]
    )


def family_of(values: Callable[..., Values], setting: Setting, ladders: Ladders) -> Family:
    """One family; all that are measured alike share what is drawn."""
    key = f"zlb22 {values.__name__} {setting.key}"
    return Family(setting.name, ladders, partial(values, setting), key)
