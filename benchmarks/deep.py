"""The finite-depth inequalities of Jacot (2023) on 10,000 deep networks: ours, and one by one.

Ours: all networks of one shape in one pass (numerics.deep.inequalities). The plain way: one network
at a time, Jacobians of all layers by torch.func (forward mode from below, reverse mode from above,
each in one sweep), projections by pseudo-inverses, singular values of the formed products, the
better of one and two threads. It runs on a sample that takes networks of every shape; a formed
product knows singular values only down to rounding, so slacks are compared where that is enough.

Networks have depth 2 to 50, hidden widths 2 to 32, one to six inputs and outputs, slopes 0 (half of
them) and in (-1, 1); a part of them is made balanced. Ratios are of medians over shapes.

Run: python -m benchmarks.deep [--quick] [--networks N] [--shapes S] [--device cuda]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor

from numerics.deep.balance import balanced
from numerics.deep.families import mixed
from numerics.deep.inequalities import INEQUALITIES, all_slacks
from numerics.deep.networks import DeepNetworks

TARGET = 50.0
ROUNDING = 1e-9  # of a slack, relative to |theta|^2 + 1: below it a sign says nothing
AGREE = 1e-6
RESOLVED = 1e-9  # the share of the largest singular value from which a formed product is precise
CUTOFF = 1e-11  # of pseudo-inverses and ranks in the plain way
ROUNDS = 3
TRIED = 3  # groups on which one and two threads are compared

Slacks = dict[str, np.ndarray]
Answers = tuple[list[Any], list[float]]
Row = tuple[int, int, dict[str, Tensor], bool]  # group, network, its slacks, whether clear


@dataclass(frozen=True)
class Group:
    """Networks of one shape and their points (C, 2, n_0)."""

    networks: DeepNetworks
    points: Tensor
    balanced: bool


def drawn(count: int, shapes: int, seed: int = 0) -> list[Group]:
    """Random shapes with as many networks each; every fourth group is balanced."""
    generator = torch.Generator().manual_seed(seed)
    draw = np.random.default_rng(seed)
    groups = []
    for number in range(shapes):
        depth = int(draw.integers(2, 51))
        hidden = draw.integers(2, 33, size=depth - 1).tolist()
        widths = [int(draw.integers(1, 7)), *hidden, int(draw.integers(1, 7))]
        size = count * (number + 1) // shapes - count * number // shapes
        nets = mixed(widths, size, generator)
        points = torch.randn(size, 2, widths[0], generator=generator, dtype=torch.float64)
        even = number % 4 == 3
        groups.append(Group(balanced(nets).networks if even else nets, points, even))
    return groups


# the plain way -----------------------------------------------------------------------------------
class PlainNetwork:
    """One network as a researcher would write it."""

    def __init__(self, networks: DeepNetworks, number: int) -> None:
        self.weights = [weight[number] for weight in networks.weights]
        self.biases = [bias[number] for bias in networks.biases]
        self.slope = float(networks.slopes[number])

    def preactivations(self, x: Tensor) -> tuple[Tensor, ...]:
        """z_1 to z_L."""
        found = []
        for weight, bias in zip(self.weights, self.biases, strict=True):
            found.append(weight @ x + bias)
            x = torch.where(found[-1] >= 0, found[-1], self.slope * found[-1])
        return tuple(found)

    def shifted(self, x: Tensor, shifts: tuple[Tensor, ...]) -> Tensor:
        """The output where z_1 to z_L are shifted: its Jacobians are those in the z_l."""
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            z = weight @ x + bias + shifts[layer]
            last = layer == len(self.weights) - 1
            x = z if last else torch.where(z >= 0, z, self.slope * z)
        return x


def projection(matrix: Tensor) -> Tensor:
    return matrix @ torch.linalg.pinv(matrix, rtol=CUTOFF)


def counted(matrix: Tensor) -> Tensor:
    values = torch.linalg.svdvals(matrix)
    return values[values > CUTOFF * values[0]]


def resolved(jacobians: Sequence[Tensor]) -> bool:
    """Whether the singular values of all these are precise or nothing but rounding."""
    for jacobian in jacobians:
        s = torch.linalg.svdvals(jacobian)
        if bool(((s > 1e-15 * s[0]) & (s < RESOLVED * s[0])).any()):
            return False
    return True


def plain_slacks(
    net: PlainNetwork, points: Tensor, even: bool
) -> tuple[dict[str, Tensor], bool, list[Tensor]]:
    """Every inequality for one network at its two points (2, n_0), whether all projected matrices
    have the rank of the Jacobian, and the Jacobians of all layers."""
    depth, relu = len(net.weights), net.slope == 0
    zs, below, above, masks = [], [], [], []
    zero = tuple(torch.zeros_like(bias) for bias in net.biases)
    for x in points:
        zs.append(net.preactivations(x))
        below.append(torch.func.jacfwd(net.preactivations)(x))
        above.append(torch.func.jacrev(lambda s, x=x: net.shifted(x, s))(zero))
        masks.append(
            [torch.where(z >= 0, 1.0, net.slope * torch.ones_like(z)) for z in zs[-1][:-1]]
        )
    norms = torch.stack(
        [w.square().sum() + b.square().sum() for w, b in zip(net.weights, net.biases, strict=True)]
    )
    total, clear = norms.sum(), True
    values = [counted(jacobian[-1]) for jacobian in below]
    costs = [depth * (v ** (2 / depth)).sum() for v in values]
    found: dict[str, Tensor] = {"schatten": total - costs[0]}
    masked = []
    for d in masks:
        right = [net.weights[0]] + [w * m for w, m in zip(net.weights[1:], d, strict=True)]
        left = [w * m[:, None] for w, m in zip(net.weights, d, strict=False)] + [net.weights[-1]]
        masked.append([sum(part.square().sum() for part in side) for side in (right, left)])
    four = sum(part for pair in masked for part in pair) / 2
    if relu:
        found["prop13.schatten.right"] = masked[0][0] - costs[0]
        found["prop13.schatten.left"] = masked[0][1] - costs[0]
        found["prop13.four.costs"] = four - costs[0] - costs[1]
        changes = [one - other for one, other in zip(*masks, strict=True)]
        lost = sum(
            (net.weights[k + 1] * c).square().sum() + (net.weights[k] * c[:, None]).square().sum()
            for k, c in enumerate(changes)
        )
        plain = sum(weight.square().sum() for weight in net.weights)
        found["prop13.four.masks"] = 2 * plain - lost / 2 - four
    weights_above = [
        [b @ w for b, w in zip(jacobian, net.weights, strict=True)] for jacobian in above
    ]  # in the activations of layers 0 to L-1
    low = [torch.stack([torch.linalg.svdvals(j)[0] for j in side]) for side in below]
    up = torch.stack([torch.linalg.svdvals(j)[0] for j in above[0]])
    if relu:
        inner = [torch.linalg.svdvals(j)[0] for side in weights_above for j in side[1:]]
        constant = torch.stack([*low[0][:-1], *low[1][:-1], *inner]).max()
        nuclear = torch.linalg.svdvals(below[0][-1] - below[1][-1]).sum()
        if constant > 0:
            found["prop13.finite"] = total - (costs[0] + costs[1]) / 2 - nuclear / constant**2
    whole, rank = values[0], len(values[0])
    logs = 2 * whole.log().sum()
    if rank:
        rest, lower = torch.tensor(0.0), []
        for k, weight in enumerate(net.weights):
            one = torch.eye(len(points[0]), dtype=torch.float64)
            under = masks[0][k - 1][:, None] * below[0][k - 1] if k else one
            block = projection(above[0][k].T) @ weight @ projection(under)
            s = torch.linalg.svdvals(block)
            clear = clear and bool((s > CUTOFF * s[0]).sum() == rank)
            s = s[:rank]
            lower.append(2 * (s.sum() - rank - s.log().sum()))
            rest = rest + weight.square().sum() + 2 * rank - 2 * s.sum()
            over = (
                weights_above[0][k + 1].T if k < depth - 1 else torch.eye(len(zs[0][-1])).double()
            )
            mask = masks[0][k] if k < depth - 1 else torch.ones_like(zs[0][-1])
            kept = projection(over) @ (mask[:, None] * projection(below[0][k]))
            rest = rest - kept.square().sum()
        found["thm6.total"] = total - rank * depth - logs - rest
        found["thm6.lower"] = torch.stack(lower)
    activations = [points[0]] + [z * m for z, m in zip(zs[0], masks[0], strict=False)]
    if even and rank:
        trace = sum(
            a.square().sum() * b.square().sum() for a, b in zip(activations, above[0], strict=True)
        )
        excess = max(float(total - rank * depth) / rank, 0.0)
        size = sum(a.square().sum() for a in activations)
        found["thm7"] = trace.log() + excess - np.log(rank) - logs / rank - size.log()
    slopes = [torch.eye(len(points[0])).double()]
    slopes += [m[:, None] * j for m, j in zip(masks[0], below[0], strict=False)]
    mixed_matrix = sum(torch.kron(s.T @ s, b @ b.T) for s, b in zip(slopes, above[0], strict=True))
    top = torch.linalg.svdvals(mixed_matrix)[0]
    power = depth * low[0][-1] ** (2 - 2 / depth)
    found["prop9.1"], found["prop9.1 with factor 1"] = top - 2 * power, top - power
    sums, numbers = norms.cumsum(0), torch.arange(1, depth + 1)
    found["thm10.lip.quotient"] = torch.where(low[0] > 0, up - low[0][-1] / low[0], torch.nan)
    found["thm10.lip.lower"] = (sums - numbers) / 2 - low[0].log()
    found["thm10.lip.upper"] = (total - sums - (depth - numbers)) / 2 - up.log()
    return found, clear, [*below[0], *below[1], *(b.T for b in above[0])]


# comparison --------------------------------------------------------------------------------------
def ours(groups: Sequence[Group]) -> tuple[list[Slacks], list[float]]:
    """Slacks of every group, and seconds a network, the median of ROUNDS, by group."""
    results, seconds = [], []
    for group in groups:
        times = []
        for _ in range(ROUNDS):
            start = perf_counter()
            found = all_slacks(group.networks, group.points, balanced=group.balanced)
            arrays = {name: slack.cpu().numpy() for name, slack in found.items()}
            times.append((perf_counter() - start) / group.networks.count)
        results.append(arrays)
        seconds.append(median(times))
    return results, seconds


def one_by_one(groups: Sequence[Group], each: int) -> tuple[list[Row], list[float]]:
    """Slacks of some networks of every group, (group, number, slacks, clear); seconds a network."""
    rows, seconds = [], []
    for number, group in enumerate(groups):
        nets, times = group.networks.to("cpu"), []
        points = group.points.cpu()
        for c in np.linspace(0, nets.count - 1, min(each, nets.count)).astype(int):
            net = PlainNetwork(nets, int(c))
            start = perf_counter()
            found, clear, jacobians = plain_slacks(net, points[c], group.balanced)
            times.append(perf_counter() - start)
            clear = clear and resolved(jacobians)
            rows.append((number, int(c), found, clear))
        seconds.append(median(times))
    return rows, seconds


def compared(groups: Sequence[Group], found: list[Slacks], rows: list[Row]) -> tuple[int, float]:
    """How many slacks were compared, and the largest difference relative to |theta|^2 + |slack|."""
    most, count = 0.0, 0
    for group, number, plain, clear in rows:
        if not clear:
            continue
        size = float(groups[group].networks.squared_norms()[number].sum())
        for name, slack in plain.items():
            mine = found[group][name][number]
            theirs = np.atleast_1d(slack.numpy())
            both = np.isfinite(mine) & np.isfinite(theirs)
            if both.any():
                gap = np.abs(mine - theirs)[both] / (1 + size + np.abs(theirs[both]))
                most, count = max(most, float(gap.max())), count + int(both.sum())
    return count, most


def table(groups: Sequence[Group], found: list[Slacks]) -> list[tuple[str, int, int, int, float]]:
    """Per inequality: how many slacks, how many below 0 beyond rounding, how many of these of ReLU
    networks, the least one."""
    rows = []
    for name in INEQUALITIES:
        count = negative = relu = 0
        least = np.inf
        for group, slacks in zip(groups, found, strict=True):
            values = slacks[name]
            size = 1 + group.networks.squared_norms().sum(dim=1).cpu().numpy()[:, None]
            known = np.isfinite(values)
            below = known & (np.nan_to_num(values) < -ROUNDING * size)
            count, negative = count + int(known.sum()), negative + int(below.sum())
            relu += int(below[group.networks.slopes.cpu().numpy() == 0].sum())
            least = min(least, float(np.where(known, values, np.inf).min()))
        rows.append((name, count, negative, relu, least))
    return rows


def better_threads(call: Callable[[Sequence[Group]], Answers], groups: Sequence[Group]) -> int:
    """One or two, whichever is faster on the first few groups."""
    found = {}
    for number in (1, 2):
        torch.set_num_threads(number)
        found[number] = median(call(groups[:TRIED])[1])
    return min(found, key=lambda number: found[number])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="500 networks of 10 shapes")
    parser.add_argument("--networks", type=int, default=10_000)
    parser.add_argument("--shapes", type=int, default=50)
    parser.add_argument("--each", type=int, default=4, help="networks of a shape done one by one")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args(arguments)
    count, shapes = (500, 10) if given.quick else (given.networks, given.shapes)
    torch.set_num_threads(1)
    groups = [
        Group(one.networks.to(given.device), one.points.to(given.device), one.balanced)
        for one in drawn(count, shapes)
    ]
    each = given.each
    used = better_threads(ours, groups)
    threads = better_threads(lambda some: one_by_one(some, 1), groups)
    found: list[Slacks] = []
    rows: list[Row] = []
    fast, slow = [], []
    for number, group in enumerate(groups):  # both ways in turn: the load of the machine is shared
        torch.set_num_threads(used)
        slacks, seconds = ours([group])
        found, fast = found + slacks, fast + seconds
        torch.set_num_threads(threads)
        some, seconds = one_by_one([group], each)
        rows, slow = rows + [(number, *row[1:]) for row in some], slow + seconds
    ratio = median(slow) / median(fast)
    number, gap = compared(groups, found, rows)
    print(f"torch {torch.__version__}, {given.device}; {count} networks of {shapes} shapes")
    print(f"ours:       {1e3 * median(fast):9.3f} ms a network ({used} threads), all inequalities")
    print(
        f"one by one: {1e3 * median(slow):9.3f} ms a network ({threads} threads), "
        f"{len(rows)} of them"
    )
    print(f"ratio of medians: {ratio:,.0f} (target {TARGET:,.0f})")
    clear = sum(row[3] for row in rows)
    print(f"answers: {number} slacks of {clear} networks compared, largest difference {gap:.1e}")
    print(f"\n{'inequality':24s}{'slacks':>9s}{'below 0':>9s}{'of ReLU':>9s}{'least':>12s}")
    for name, slacks, negative, relu, least in table(groups, found):
        print(f"{name:24s}{slacks:9d}{negative:9d}{relu:9d}{least:12.3g}")
    return 0 if ratio >= TARGET and gap < AGREE and number else 1


if __name__ == "__main__":
    sys.exit(main())
