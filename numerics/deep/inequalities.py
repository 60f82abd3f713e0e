"""The finite-depth inequalities of Jacot (2023) as slacks: at least 0 where the inequality holds.

`look` passes once over a batch of networks of one shape at two points x and y; each function takes
what it found and returns slacks (C,) or (C, L), not a number where its statement does not apply
(a hypothesis fails, a rank is not decided). Statements by their numbers in the paper; C networks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from numerics.deep.frames import Above, Below, frames_above, frames_below
from numerics.deep.networks import DeepNetworks
from numerics.deep.passes import Layers, layers, lower_jacobians, upper_jacobians, with_slopes
from numerics.deep.tangent_kernels import layer_traces, mixed_from

FACTOR = 2.0  # of Proposition 9, as printed


@dataclass(frozen=True)
class Look:
    """What one pass finds at the points x (number 0) and y (number 1) of each network."""

    networks: DeepNetworks
    layers: Layers
    lower: list[Tensor]  # Jacobians of the pre-activations of layers 1 to L: (C, 2, n_l, n_0)
    upper: list[Tensor]  # of the outputs in the activations of layers 0 to L: (C, 2, n_L, n_l)
    balanced: bool = False

    @cached_property
    def in_z(self) -> list[Tensor]:
        """Jacobians of the outputs in the pre-activations of layers 1 to L."""
        return with_slopes(self.upper, self.layers)

    @cached_property
    def at_x(self) -> Above:
        """Row images and singular values at x."""
        return frames_above(self.networks, self.layers, 0)

    @cached_property
    def at_y(self) -> Above:
        """Row images and singular values at y."""
        return frames_above(self.networks, self.layers, 1)

    @cached_property
    def under_x(self) -> Below:
        """Images at x."""
        return frames_below(self.networks, self.layers, 0)

    @cached_property
    def decided(self) -> Tensor:
        """(C,): whether all ranks at x are."""
        return self.at_x.decided & self.under_x.decided

    @cached_property
    def masked(self) -> tuple[tuple[Tensor, Tensor], ...]:
        """At x and y: (C, L) each, |W_l D_(l-1)|_F^2 and |D_l W_l|_F^2."""
        return _masked(self, 0), _masked(self, 1)

    @cached_property
    def norms(self) -> Tensor:
        """(C, L): squared norms of the parameters of each layer."""
        return self.networks.squared_norms()

    @cached_property
    def total(self) -> Tensor:
        """(C,): |theta|^2."""
        return self.norms.sum(dim=1)

    @cached_property
    def relu(self) -> Tensor:
        """(C,): whether the slope is 0."""
        return self.networks.slopes == 0

    @cached_property
    def squares(self) -> Tensor:
        """(C, L): |W_l|_F^2."""
        return torch.stack([w.square().sum(dim=(1, 2)) for w in self.networks.weights], dim=1)

    @cached_property
    def projected(self) -> tuple[Tensor, Tensor, Tensor]:
        """(C, L) each: nuclear norms, log pseudo-determinants and ranks of the N_l at x."""
        return _projected(self)

    @cached_property
    def lower_norms(self) -> Tensor:
        """(C, 2, L): operator norms of the Jacobians of the pre-activations of layers 1 to L."""
        return _operator_norms(self.lower)

    @cached_property
    def upper_norms(self) -> Tensor:
        """(C, 2, L + 1): of those of the outputs in the activations of layers 0 to L."""
        return _operator_norms(self.upper)

    @cached_property
    def in_z_norms(self) -> Tensor:
        """(C, L): operator norms at x of the Jacobians of the outputs in the pre-activations."""
        return _operator_norms([jacobian[:, :1] for jacobian in self.in_z])[:, 0]

    @cached_property
    def mixed_norms(self) -> Tensor:
        """(C,): operator norms at x of the mixed derivative of the kernel."""
        single = Layers(*(tuple(part[:, :1] for part in parts) for parts in _parts(self.layers)))
        above = [jacobian[:, :1] for jacobian in self.in_z]
        below = [jacobian[:, :1] for jacobian in self.lower]
        matrix = mixed_from(self.networks, single, below, above)[:, 0]
        return torch.linalg.eigvalsh(matrix)[:, -1]

    @property
    def depth(self) -> int:
        """L."""
        return self.networks.depth


def look(networks: DeepNetworks, points: Tensor, *, balanced: bool = False) -> Look:
    """One pass at two points (C, 2, n_0) or (2, n_0). balanced: whether the networks are, which
    Theorem 7 asks for."""
    found = layers(networks, points)
    lower, upper = lower_jacobians(networks, found), upper_jacobians(networks, found)
    return Look(networks, found, lower, upper, balanced)


# costs -------------------------------------------------------------------------------------------
def schatten(seen: Look) -> Tensor:
    """(C,): |theta|^2 - L |Jf(x)|_(2/L)^(2/L); first line of the proof of Theorem 11."""
    return _given(seen.at_x.decided, seen.total - _cost(seen, seen.at_x))


def schatten_right(seen: Look) -> Tensor:
    """(C,): sum_l |W_l D_(l-1)(x)|_F^2 - L |Jf(x)|_(2/L)^(2/L), ReLU; third display of the proof of
    Proposition 13."""
    right = seen.masked[0][0].sum(dim=1)
    return _given(seen.relu & seen.at_x.decided, right - _cost(seen, seen.at_x))


def schatten_left(seen: Look) -> Tensor:
    """(C,): sum_l |D_l(x) W_l|_F^2 - L |Jf(x)|_(2/L)^(2/L), ReLU; third display of the proof of
    Proposition 13."""
    left = seen.masked[0][1].sum(dim=1)
    return _given(seen.relu & seen.at_x.decided, left - _cost(seen, seen.at_x))


def four_costs(seen: Look) -> Tensor:
    """(C,): first inequality of the fourth display of the proof of Proposition 13, ReLU: half of
    the four masked sums at x and y minus the two costs."""
    return _given(_both(seen), _four(seen) - _cost(seen, seen.at_x) - _cost(seen, seen.at_y))


def four_masks(seen: Look) -> Tensor:
    """(C,): second inequality of that display, ReLU: 2 sum_l |W_l|_F^2 minus half of what the
    changes of the masks take, minus half of the four masked sums."""
    changed = _changes(seen)
    right = 2 * seen.squares.sum(dim=1) - (changed[0] + changed[1]).sum(dim=1) / 2
    return _given(seen.relu, right - _four(seen))


def finite(seen: Look) -> Tensor:
    """(C,): fifth display of the proof of Proposition 13, ReLU: |theta|^2 minus the mean cost at x
    and y minus C^-2 |Jf(x) - Jf(y)|_*.

    C is the largest operator norm, at x and y, of the Jacobians of the pre-activations and of the
    outputs in the activations of the layers 1 to L-1: the smallest number that uniform
    Lipschitzness of these layers can have, and so the strictest form. Not where C is 0.
    """
    jacobian = seen.lower[-1]
    nuclear = torch.linalg.svdvals(jacobian[:, 0] - jacobian[:, 1]).sum(dim=1)
    inner = [seen.lower_norms[:, :, :-1], seen.upper_norms[:, :, 1:-1]]
    constants = torch.cat(inner, dim=2).flatten(1).amax(dim=1) if seen.depth > 1 else _one(seen)
    costs = (_cost(seen, seen.at_x) + _cost(seen, seen.at_y)) / 2
    slack = seen.total - costs - nuclear / constants.square()
    return _given(_both(seen) & (constants > 0), slack)


# the bottleneck ----------------------------------------------------------------------------------
def bottleneck_total(seen: Look) -> Tensor:
    """(C,): eighth display of the proof of Theorem 15, with the U_l, V_l of the seventh and
    c_1 = |theta|^2 - k L, the least that its hypothesis allows: c_1 - 2 log |Jf(x)|_+ minus
    sum_l |W_l - U_l V_l^T|_F^2 + k - |M_l|_F^2. Rank k >= 1."""
    at, rank = seen.at_x, seen.at_x.rank
    nuclear = seen.projected[0]
    kept = _kept(seen)
    # |W - U V^T|^2 = |W|^2 + k - 2 <U, W V>, and the last is the nuclear norm of N
    terms = seen.squares + 2 * rank[:, None] - 2 * nuclear - kept
    slack = seen.total - rank * seen.depth - 2 * at.log_pseudo_determinant - terms.sum(dim=1)
    return _given(seen.decided & (rank > 0), slack)


def bottleneck_layers(seen: Look) -> Tensor:
    """(C, L): seventh display of the proof of Theorem 15, layer by layer: |W_l|_F^2 - k -
    2 log |N_l|_+ minus |W_l - U_l V_l^T|_F^2, which is 2 (|N_l|_* - k - log |N_l|_+). k >= 1."""
    nuclear, logs, ranks = seen.projected
    rank = seen.at_x.rank[:, None]
    slack = 2 * (nuclear - rank - logs)
    applies = seen.decided[:, None] & (rank > 0) & (ranks == rank)
    return _given(applies, slack)


def activations(seen: Look) -> Tensor:
    """(C,): the logarithm of the right side of Theorem 7 minus that of sum_l |a_(l-1)(x)|^2, for
    balanced networks, with the smallest c_1 and c that its hypotheses allow, the kernel over the
    weights alone (which makes c smaller than with biases). Rank k >= 1."""
    at, rank = seen.at_x, seen.at_x.rank.clamp(min=1)
    sizes = torch.stack([a[:, 0].square().sum(dim=1) for a in seen.layers.activations], dim=1)
    trace = layer_traces(seen.layers, seen.in_z, biases=False)[:, 0].sum(dim=1)
    excess = ((seen.total - rank * seen.depth) / rank).clamp(min=0.0)
    bound = trace.log() + excess - rank.log() - 2 / rank * at.log_pseudo_determinant
    applies = at.decided & (at.rank > 0) & seen.balanced
    return _given(applies, bound - sizes.sum(dim=1).log())


# the kernel --------------------------------------------------------------------------------------
def mixed_derivative(seen: Look, factor: float = FACTOR) -> Tensor:
    """(C,): |d_x d_y Theta(x, x)|_op - factor L |Jf(x)|_op^(2 - 2/L), Proposition 9 (1), which
    prints the factor 2."""
    size = seen.lower_norms[:, 0, -1]
    return seen.mixed_norms - factor * seen.depth * size ** (2 - 2 / seen.depth)


def mixed_derivative_once(seen: Look) -> Tensor:
    """(C,): the same with the factor 1, which the proof of Proposition 18 gives."""
    return mixed_derivative(seen, 1.0)


# operator norms ----------------------------------------------------------------------------------
def quotient(seen: Look) -> Tensor:
    """(C, L): |J(z_l -> f)(x)|_op - |Jf(x)|_op / |J z_l(x)|_op; display of the proof of Theorem 19
    on the Jacobian of the upper layers. Not where the divisor is 0."""
    above = seen.in_z_norms
    below = seen.lower_norms[:, 0]
    whole = below[:, -1:]
    return _given(below > 0, above - whole / torch.where(below > 0, below, 1.0))


def lower_exponential(seen: Look) -> Tensor:
    """(C, L): (|theta^(1:l)|^2 - l) / 2 - log |J z_l(x)|_op; what that display uses, as
    logarithms. Not where the Jacobian is 0 (there it holds)."""
    sums = seen.norms.cumsum(dim=1)
    numbers = torch.arange(1, seen.depth + 1, device=seen.norms.device)
    size = seen.lower_norms[:, 0]
    return _given(size > 0, (sums - numbers) / 2 - torch.where(size > 0, size, 1.0).log())


def upper_exponential(seen: Look) -> Tensor:
    """(C, L): the like for the upper layers, (|theta^(l+1:L)|^2 - (L - l)) / 2 minus
    log |J(z_l -> f)(x)|_op, l = 1 to L."""
    sums = seen.total[:, None] - seen.norms.cumsum(dim=1)
    numbers = seen.depth - torch.arange(1, seen.depth + 1, device=seen.norms.device)
    size = seen.in_z_norms
    return _given(size > 0, (sums - numbers) / 2 - torch.where(size > 0, size, 1.0).log())


INEQUALITIES: dict[str, Callable[[Look], Tensor]] = {
    "schatten": schatten,
    "prop13.schatten.right": schatten_right,
    "prop13.schatten.left": schatten_left,
    "prop13.four.costs": four_costs,
    "prop13.four.masks": four_masks,
    "prop13.finite": finite,
    "thm6.total": bottleneck_total,
    "thm6.lower": bottleneck_layers,
    "thm7": activations,
    "prop9.1": mixed_derivative,
    "prop9.1 with factor 1": mixed_derivative_once,
    "thm10.lip.quotient": quotient,
    "thm10.lip.lower": lower_exponential,
    "thm10.lip.upper": upper_exponential,
}


def all_slacks(
    networks: DeepNetworks, points: Tensor, *, balanced: bool = False
) -> dict[str, Tensor]:
    """Every inequality by name: (C, 1) or (C, L) slacks, not a number where it does not apply."""
    seen = look(networks, points, balanced=balanced)
    return {
        name: function(seen).reshape(networks.count, -1) for name, function in INEQUALITIES.items()
    }


# pieces ------------------------------------------------------------------------------------------
def _given(applies: Tensor, slack: Tensor) -> Tensor:
    return torch.where(applies, slack, torch.nan)


def _one(seen: Look) -> Tensor:
    return torch.ones_like(seen.total)


def _both(seen: Look) -> Tensor:
    return seen.relu & seen.at_x.decided & seen.at_y.decided


def _cost(seen: Look, at: Above) -> Tensor:
    """(C,): L |Jf|_(2/L)^(2/L)."""
    return seen.depth * at.schatten(2 / seen.depth)


def _operator_norms(jacobians: list[Tensor]) -> Tensor:
    """(C, N, K): of K lists of matrices (C, N, rows, columns), from their smaller Gram matrices;
    those on the side that all share are decomposed at once."""
    tops: list[Tensor] = []
    grams: dict[int, list[Tensor]] = {}
    places: list[tuple[int, int]] = []
    for jacobian in jacobians:
        rows, columns = jacobian.shape[2:]
        gram = jacobian @ jacobian.mT if rows <= columns else jacobian.mT @ jacobian
        group = grams.setdefault(gram.shape[-1], [])
        places.append((gram.shape[-1], len(group)))
        group.append(gram)
    values = {
        size: torch.linalg.eigvalsh(torch.stack(group, dim=2))[..., -1]
        for size, group in grams.items()
    }
    tops = [values[size][..., number] for size, number in places]
    return torch.stack(tops, dim=2).clamp(min=0.0).sqrt()


def _masked(seen: Look, point: int) -> tuple[Tensor, Tensor]:
    """(C, L) each: |W_l D_(l-1)|_F^2 and |D_l W_l|_F^2 at a point; D_0 and D_L are identities."""
    right, left = [], []
    slopes = [slope[:, point] for slope in seen.layers.slopes]
    for layer, weight in enumerate(seen.networks.weights):
        squares = weight.square()
        below = slopes[layer - 1].square() if layer else None
        above = slopes[layer].square() if layer < seen.depth - 1 else None
        columns, rows = squares.sum(dim=1), squares.sum(dim=2)
        right.append((columns if below is None else columns * below).sum(dim=1))
        left.append((rows if above is None else rows * above).sum(dim=1))
    return torch.stack(right, dim=1), torch.stack(left, dim=1)


def _four(seen: Look) -> Tensor:
    """(C,): half of the four masked sums."""
    parts = [part for pair in seen.masked for part in pair]
    return torch.stack(parts).sum(dim=(0, 2)) / 2


def _changes(seen: Look) -> tuple[Tensor, Tensor]:
    """(C, L) each: |W_l (D_(l-1)(x) - D_(l-1)(y))|_F^2 and |(D_l(x) - D_l(y)) W_l|_F^2."""
    zero = torch.zeros_like(seen.total)
    right, left = [zero], []
    for layer, weight in enumerate(seen.networks.weights):
        squares = weight.square()
        if layer:
            below = seen.layers.slopes[layer - 1]
            change = (below[:, 0] - below[:, 1]).square()
            right.append((squares.sum(dim=1) * change).sum(dim=1))
        if layer < seen.depth - 1:
            above = seen.layers.slopes[layer]
            change = (above[:, 0] - above[:, 1]).square()
            left.append((squares.sum(dim=2) * change).sum(dim=1))
    left.append(zero)
    return torch.stack(right, dim=1), torch.stack(left, dim=1)


def _projected(seen: Look) -> tuple[Tensor, Tensor, Tensor]:
    """(C, L) each, of N_l = P W_l P' with P to Im J(z_l -> f)^T and P' to Im J(a_(l-1)): nuclear
    norm, logarithm of the pseudo-determinant, and rank."""
    at = seen.at_x
    blocks = [
        above.mT @ weight @ below
        for above, weight, below in zip(at.z, seen.networks.weights, seen.under_x.a, strict=True)
    ]
    return _sums_of_values(blocks, at.rank)


def _kept(seen: Look) -> Tensor:
    """(C, L): |M_l|_F^2 of M_l = P D_l P' with P to Im J(a_l -> f)^T and P' to Im J(z_l); the last
    one is the rank of P P' itself."""
    at, parts = seen.at_x, []
    for layer in range(seen.depth):
        below = seen.under_x.z[layer]
        if layer < seen.depth - 1:
            below = seen.layers.slopes[layer][:, 0, :, None] * below
        parts.append((at.a[layer + 1].mT @ below).square().sum(dim=(1, 2)))
    return torch.stack(parts, dim=1)


def _sums_of_values(blocks: list[Tensor], rank: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    rows = max(block.shape[1] for block in blocks)
    columns = max(block.shape[2] for block in blocks)
    padded = [
        torch.nn.functional.pad(block, (0, columns - block.shape[2], 0, rows - block.shape[1]))
        for block in blocks
    ]
    values = torch.linalg.svdvals(torch.stack(padded, dim=1))  # (C, L, min)
    numbers = torch.arange(values.shape[2], device=values.device)
    counted = numbers < rank[:, None, None]
    ranks = (values > 1e-10 * values[..., :1]).sum(dim=2)
    logs = torch.where(counted, values, 1.0).log().sum(dim=2)
    return torch.where(counted, values, 0.0).sum(dim=2), logs, ranks


def _parts(found: Layers) -> tuple[tuple[Tensor, ...], ...]:
    return found.preactivations, found.activations, found.slopes
