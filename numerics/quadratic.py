"""Quadratic forms of the weights of many networks: those of vertices and pairs, and their values.

A form of a network is a list of entries (a, b, x), standing for the sum of x w_a w_b, with the
numbers of its own parameters, as in numerics.flow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network
from numerics.flow.options import Forms
from numerics.program import Program

Entry = tuple[int, int, float]


def vertex_forms(network: Network) -> list[list[Entry]]:
    """For each inner vertex, all of whose edges have parameters of their own: the sum of the
    squared in-weights less that of the squared out-weights (LJ22, Lemma 2)."""
    forms = []
    for v in network.inner:
        sides = [(e, 1.0) for e in network.in_edges[v]] + [(e, -1.0) for e in network.out_edges[v]]
        if all(network.own_parameter(e) for e, _ in sides):
            forms.append([(p, p, x) for e, x in sides for p in (network.parameter_of[e],)])
    return forms


def pair_forms(network: Network) -> list[list[Entry]]:
    """For each pair u, v of inner vertices with equal neighbourhoods: the sum of w_au w_av less
    that of w_ub w_vb. In a fully connected network these are the entries off the diagonal of
    W_j W_j^T - W_(j+1)^T W_(j+1), those of the vertices are on it."""
    forms = []
    own = network.parameter_of
    for u, v in equal_neighbourhoods(network):
        tail = {network.tails[f]: f for f in network.in_edges[v]}
        head = {network.heads[f]: f for f in network.out_edges[v]}
        pairs = [(e, tail[network.tails[e]], 1.0) for e in network.in_edges[u]]
        pairs += [(e, head[network.heads[e]], -1.0) for e in network.out_edges[u]]
        if all(network.own_parameter(edge) for e, f, _ in pairs for edge in (e, f)):
            forms.append([(own[e], own[f], x) for e, f, x in pairs])
    return forms


class QuadraticForms:
    """The forms of all networks of a program, evaluated together.

    starts: (F + 1,), where the entries of each of the F forms begin; rows, columns: flat parameter
    numbers, values: float64, form: the form of each entry; owner: (F,) the network of each form.
    """

    def __init__(self, program: Program, given: Any) -> None:
        """given: for each network a list of forms, each a list of entries (a, b, x)."""
        forms = Forms.of(given, np.diff(program.parameter_offsets))
        owner = np.repeat(np.arange(len(forms.offsets) - 1), np.diff(forms.offsets))
        form = np.repeat(np.arange(len(owner)), np.diff(forms.starts))
        shift = program.parameter_offsets[owner[form]] if len(form) else np.zeros(0, np.int64)
        device = program.device
        self.count = len(owner)
        self.starts = forms.starts
        self.owner = torch.from_numpy(owner).to(device)
        self.rows = torch.from_numpy(forms.rows + shift).to(device)
        self.columns = torch.from_numpy(forms.columns + shift).to(device)
        self.values = torch.from_numpy(forms.values).to(device)
        self.form = torch.from_numpy(form).to(device)

    def between(self, one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """(F,): one^T A other, for the symmetric matrix A of each form."""
        a, b = self.rows, self.columns
        terms = self.values * (one[a] * other[b] + one[b] * other[a]) / 2
        zeros = torch.zeros(self.count, dtype=torch.float64, device=terms.device)
        return zeros.index_add_(0, self.form, terms)
