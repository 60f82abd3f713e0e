"""Orthonormal frames of the images of Jacobians through a deep network, at one point of each.

Im J(z_l) and Im J(a_l) from below, Im J(a_l -> f)^T and Im J(z_l -> f)^T from above (z the
pre-activations, a the activations). Each frame comes from the one next to it by one matrix, so that
a rank is decided by the singular values of one layer and never by those of a long product, which
underflow into rounding. With them the Jacobian is a product of small square matrices, whose
singular values `products` finds to high relative accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks
from numerics.deep.passes import Layers
from numerics.deep.products import log_singular_values

NOISE = 1e-12  # up to this share of the largest one a singular value of a layer counts as 0
CLEAR = 1e-8  # from this share on it counts; in between the rank is not decided


@dataclass(frozen=True)
class Above:
    """Row images at one point of each of C networks. a: L + 1 frames (C, n_l, r) of
    Im J(a_l -> f)^T, l = 0 to L; z: L frames of Im J(z_l -> f)^T, l = 1 to L. The columns behind
    the rank of a frame are 0.

    rank: (C,) of the Jacobian. log_values: (C, min(n_0, n_L)), the logarithms of its singular
    values, the largest first, minus infinity behind the rank. decided: (C,), whether every rank on
    the way has a gap.
    """

    a: tuple[Tensor, ...]
    z: tuple[Tensor, ...]
    rank: Tensor
    log_values: Tensor
    decided: Tensor

    @property
    def log_pseudo_determinant(self) -> Tensor:
        """(C,): the sum of the logarithms of the singular values that are not 0."""
        return torch.where(torch.isfinite(self.log_values), self.log_values, 0.0).sum(dim=1)

    def schatten(self, exponent: float) -> Tensor:
        """(C,): the sum of s^exponent over the singular values that are not 0."""
        return torch.exp(exponent * self.log_values).sum(dim=1)


@dataclass(frozen=True)
class Below:
    """Images at one point of each of C networks. z: L frames (C, n_l, r) of Im J(z_l), l = 1 to L;
    a: L frames of Im J(a_l), l = 0 to L-1. decided: (C,), whether every rank has a gap."""

    z: tuple[Tensor, ...]
    a: tuple[Tensor, ...]
    decided: Tensor


def frames_below(networks: DeepNetworks, found: Layers, point: int = 0) -> Below:
    """Frames of the images at one point, by number, of layers that were evaluated."""
    slopes = [slope[:, point, :, None] for slope in found.slopes]
    decided = torch.ones(networks.count, dtype=torch.bool, device=networks.device)
    a, z = [_identity(networks, networks.widths[0])], []
    for layer, weight in enumerate(networks.weights):
        frame, decided = _image(weight @ a[-1], decided)
        z.append(frame)
        if layer < networks.depth - 1:
            frame, decided = _image(slopes[layer] * frame, decided)
            a.append(frame)
    return Below(tuple(z), tuple(a), decided)


def frames_above(networks: DeepNetworks, found: Layers, point: int = 0) -> Above:
    """Frames of the row images at one point, and the singular values of the Jacobian."""
    slopes = [slope[:, point, :, None] for slope in found.slopes]
    decided = torch.ones(networks.count, dtype=torch.bool, device=networks.device)
    a, z = [_identity(networks, networks.widths[-1])], []
    for layer in range(networks.depth - 1, -1, -1):
        frame = a[-1]
        if layer < networks.depth - 1:
            frame, decided = _image(slopes[layer] * frame, decided)
        z.append(frame)
        frame, decided = _image(networks.weights[layer].mT @ frame, decided)
        a.append(frame)
    rank = _columns(a[-1])
    logs = _log_values(networks, slopes, a[-1], rank)
    return Above(tuple(a[::-1]), tuple(z[::-1]), rank, logs, decided)


def _identity(networks: DeepNetworks, width: int) -> Tensor:
    one = torch.eye(width, dtype=torch.float64, device=networks.device)
    return one.expand(networks.count, width, width)


def _image(matrices: Tensor, decided: Tensor) -> tuple[Tensor, Tensor]:
    """Frames (C, n, min(n, r)) of the images of matrices (C, n, r), and which ranks are decided.

    Where the condition number shows that all columns count, Q of the QR decomposition is a frame,
    at an eighth of the cost of a singular value decomposition.
    """
    if matrices.shape[1] < matrices.shape[2]:
        return _image_by_values(matrices, decided)
    basis, upper = torch.linalg.qr(matrices)
    one = torch.eye(upper.shape[1], dtype=upper.dtype, device=upper.device).expand_as(upper)
    inverse = torch.linalg.solve_triangular(upper, one, upper=True)
    condition = upper.square().sum(dim=(1, 2)) * inverse.square().sum(dim=(1, 2))
    rest = torch.nonzero(~(condition < CLEAR**-2)).flatten()  # not a number counts among them
    if len(rest):
        basis[rest], some = _image_by_values(matrices[rest], decided[rest])
        decided = decided.clone()
        decided[rest] = some
    return basis, decided


def _image_by_values(matrices: Tensor, decided: Tensor) -> tuple[Tensor, Tensor]:
    left, values, _ = torch.linalg.svd(matrices, full_matrices=False)
    top = values[:, :1]
    kept = values > CLEAR * top
    clear = (kept | (values <= NOISE * top)).all(dim=1)
    return left * kept[:, None, :], decided & clear


def _columns(frame: Tensor) -> Tensor:
    """(C,): the number of columns that are not 0."""
    return (frame.square().sum(dim=1) > 0.5).sum(dim=1)


def _log_values(
    networks: DeepNetworks, slopes: list[Tensor], start: Tensor, rank: Tensor
) -> Tensor:
    """(C, min(n_0, n_L)): of the Jacobian restricted to (Im Jf^T), where it is injective and so
    stays of full rank in every layer; the columns behind the rank are replaced by units."""
    size = min(networks.widths[0], networks.widths[-1])
    used = min(size, start.shape[2])
    real = torch.arange(used, device=networks.device) < rank[:, None]
    frame, factors = start[:, :, :used], []
    for layer, weight in enumerate(networks.weights):
        moved = weight @ frame
        if layer < networks.depth - 1:
            moved = slopes[layer] * moved
        frame, upper = _padded_qr(moved, real)
        factors.append(upper)
    return _without_units(log_singular_values(factors), real, size)


def _padded_qr(matrices: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
    """QR of (C, n, r) whose columns behind the rank are 0; units on the diagonal there. Where a
    layer has fewer neurons than columns, rows of 0 are added: they change nothing."""
    missing = matrices.shape[2] - matrices.shape[1]
    if missing > 0:
        matrices = torch.nn.functional.pad(matrices, (0, 0, 0, missing))
    basis, upper = torch.linalg.qr(matrices)
    basis = basis * real[:, None, :]
    upper = torch.where(real[:, None, :] & real[:, :, None], upper, 0.0)
    if missing > 0:
        basis = basis[:, :-missing]
    return basis, upper + torch.diag_embed((~real).to(upper.dtype))


def _without_units(found: Tensor, real: Tensor, size: int) -> Tensor:
    """The logarithms that belong to the real columns: units are 0 among them, so the ones nearest
    to 0 go, as many as were added."""
    count, used = found.shape
    extra = (~real).sum(dim=1, keepdim=True)
    order = found.abs().argsort(dim=1, stable=True)
    numbers = torch.arange(used, device=found.device)
    dropped = torch.zeros_like(real).scatter(1, order, numbers < extra)
    kept = torch.where(dropped, -torch.inf, found).sort(dim=1, descending=True).values
    filler = kept.new_full((count, size - used), -torch.inf)
    return torch.cat([kept, filler], dim=1)
