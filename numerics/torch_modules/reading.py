"""A module of torch as a network, by what `torch.export` sees of it at inference."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from copy import deepcopy
from fractions import Fraction
from io import StringIO
from math import sqrt
from operator import getitem
from typing import Any

import numpy as np
import torch
from torch import nn

from graphs.errors import NetworkError
from graphs.network import Network
from numerics.torch_modules.operators import (
    ACTIVATIONS,
    MENDS,
    OPERATORS,
    UnsupportedError,
    normalisation,
)
from numerics.torch_modules.wiring import Entries, Wiring, bounded

WRONG_ARGUMENTS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
PLACE = re.compile(r'this error:\n\s*File "[^"]*", line (\d+), in \S+\n\s*(\S[^\n]*)')
NORMALISATIONS = ("_native_batch_norm_legit_no_training", "batch_norm", "native_batch_norm")


def from_torch(
    module: nn.Module, shape: int | Sequence[int] | None = None
) -> tuple[Network, tuple[Fraction, ...]]:
    """A module as a network, at inference, and its weights, exactly those of the module.

    shape: of one example, without the batch, such as (3, 8, 8); may be left out where the first
    layer is linear. Inputs are `x1, x2, ...` (`x[c,i,j]` in more dimensions), vertices and
    parameters are named after the module that they come from and numbered from 1, biases are the
    weights of edges from an input `1` that is held at 1. What has `requires_grad=False` is a fixed
    weight. The weights of a batch normalisation are multiplied into those of the layer that it
    follows (in float64), where both learn and are called once. The module itself is left as it is.

    Raises NetworkError, naming the operator and its place, for what is no sum of weighted neurons
    with an activation of `graphs.activations`.
    """
    if not isinstance(module, nn.Module):
        raise NetworkError(f"{type(module).__name__} is no torch.nn.Module: give one")
    sizes = _shape(module, shape)
    bounded(sum(one.numel() for one in module.parameters()))
    reader = _Reader(_exported(module, sizes), sizes)
    title = type(module).__name__
    return reader.wiring.network(reader.read(), f"{title}, at inference")


def _shape(module: nn.Module, shape: int | Sequence[int] | None) -> tuple[int, ...]:
    if shape is not None:
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        if not sizes or any(not isinstance(n, int) or n < 1 for n in sizes):
            raise NetworkError(f"shape {shape!r}: give that of one example, such as (3, 8, 8)")
        return sizes
    leaves = (leaf for leaf in module.modules() if not list(leaf.children()))
    first = next((leaf for leaf in leaves if list(leaf.parameters())), None)
    if isinstance(first, nn.Linear):
        return (first.in_features,)
    raise NetworkError(
        f"{type(module).__name__} does not tell the shape of its input: give that of one example, "
        "such as (3, 8, 8)"
    )


def _exported(module: nn.Module, shape: tuple[int, ...]) -> Any:
    """The module in float64, at inference, on one example."""
    try:
        plain = deepcopy(module).double().cpu().eval()
    except Exception as error:  # of whatever a module does when it is copied
        raise NetworkError(
            f"{type(module).__name__} cannot be copied, as it is for float64: {error}"
        ) from error
    example = torch.zeros((1, *shape), dtype=torch.float64)
    with warnings.catch_warnings(), _silent():
        warnings.simplefilter("ignore")  # torch.export warns of what is its own
        try:
            return torch.export.export(plain, (example,), strict=False).run_decompositions({})
        except Exception as error:  # of many kinds, each with a page of explanation
            raise NetworkError(
                f"torch.export does not see through {type(module).__name__} on an example of shape "
                f"{shape}: {_reason(error)}"
            ) from error


@contextmanager
def _silent() -> Iterator[None]:
    """What goes wrong is told in one line: torch.export logs and prints pages of it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        logging.disable(before)


def _reason(error: Exception) -> str:
    """The first line, and the line of the module's own code where that is told."""
    text = str(error).strip()
    first = text.partition("\n")[0].rstrip(".")
    place = PLACE.search(text)
    return first if place is None else f"{first}; line {place[1]}, '{place[2]}'"


class _Reader:
    """Walks the operators of an exported module. known: what is computed so far, by node.
    numbers: of the tensors, as the module has them."""

    def __init__(self, program: Any, shape: tuple[int, ...]) -> None:
        self.program = program
        self.shape = shape
        self.wiring = Wiring()
        self.known: dict[Any, Any] = {}
        self.numbers: dict[Any, np.ndarray] = {}
        self.tied: dict[Any, Entries] = {}

    def read(self) -> Entries:
        """The outputs."""
        for node in self.program.graph.nodes:
            if node.op == "placeholder":
                self.known[node] = self._given(node)
            elif node.op == "call_function":
                try:
                    found = self._computed(node)
                    if isinstance(found, Entries) and not found.known and len(node.users) > 1:
                        self.wiring.settled(found)  # what is read twice is there once
                    self.known[node] = found
                except UnsupportedError as error:
                    raise UnsupportedError(f"{_name(node)} {_place(node)}: {error}") from error
                except NetworkError:
                    raise
                except WRONG_ARGUMENTS as error:
                    raise UnsupportedError(
                        f"{_name(node)} {_place(node)}: it is not known with these arguments: "
                        f"{error}"
                    ) from error
        (found,) = node.args
        if len(found) != 1:
            raise NetworkError(f"the module returns {len(found)} tensors: let it return one")
        last = self.known.get(found[0]) if isinstance(found[0], torch.fx.Node) else found[0]
        if not isinstance(last, Entries) or last.known:
            what = "a tensor of weights alone" if isinstance(last, Entries) else str(last)
            raise NetworkError(f"the module returns {what}: let it return a tensor of its input")
        return last

    def _given(self, node: Any) -> Entries:
        """The input, or a parameter, a buffer or a constant."""
        name = node.name
        signature = self.program.graph_signature
        if name in signature.user_inputs:
            return self.wiring.input(self.shape)
        told = (
            signature.inputs_to_parameters.get(name)
            or signature.inputs_to_buffers.get(name)
            or signature.inputs_to_lifted_tensor_constants[name]
        )
        learnable = name in signature.inputs_to_parameters
        held: Mapping[str, Any] = self.program.state_dict
        tensor = held[told] if told in held else self.program.constants[told]
        learnable = learnable and bool(getattr(tensor, "requires_grad", False))
        numbers = self.numbers[node] = tensor.detach().double().numpy()
        if not learnable:
            return self.wiring.parameter(told, numbers, learnable=False)
        memory = tensor.data_ptr(), tensor.shape, tensor.stride()
        if memory not in self.tied:
            self.tied[memory] = self.wiring.parameter(told, numbers, learnable=True)
        return self.tied[memory]

    def _computed(self, node: Any) -> Any:
        operator = _name(node)
        if node.target is getitem:
            values = self.known[node.args[0]]
            return values[node.args[1]] if isinstance(values, list) else values
        if operator in NORMALISATIONS:
            return self._normalised(node)
        arguments = [self._value(part) for part in node.args]
        named = {key: self._value(part) for key, part in node.kwargs.items()}
        if operator in ACTIVATIONS:
            return self._activated(node, ACTIVATIONS[operator](*arguments[1:]), arguments[0])
        if operator not in OPERATORS:
            begins = (mend for start, mend in MENDS.items() if operator.startswith(start))
            mend = next(
                begins,
                f"take linear and convolutional layers, sums, and one of {', '.join(ACTIVATIONS)}",
            )
            raise UnsupportedError(f"it is no sum of weighted neurons with an activation; {mend}")
        kinds = [one for one in (*arguments, *named.values()) if isinstance(one, torch.dtype)]
        if not all(kind.is_floating_point for kind in kinds):
            raise UnsupportedError("whole numbers and truths are no sums: keep to real numbers")
        if operator in ("_to_copy", "to", "clone"):
            named = {}
        found = OPERATORS[operator](self.wiring, *arguments, **named)
        pooled = operator.startswith(("avg", "adaptive", "mean"))
        return Entries(found.array, node.name) if pooled else found

    def _value(self, part: Any) -> Any:
        if isinstance(part, torch.fx.Node):
            return self.known[part]
        if isinstance(part, list | tuple):
            return [self._value(one) for one in part]
        return part

    def _activated(self, node: Any, activation: Any, x: Entries) -> Entries:
        if x.known:
            raise UnsupportedError("what is computed of weights alone is no weight of an edge")
        bare = all(len(form) == 1 and 1 in form.values() for form in x.array.flat)
        return self.wiring.vertices(x, activation, node.name if bare else x.label)

    def _normalised(self, node: Any) -> Entries:
        """`factors x + shifts`: of a normalisation that is called more than once, each time with
        the same parameters, as what it divides by is the same."""
        x, weight, bias, average, variance = (self._value(part) for part in node.args[:5])
        count = x.array.shape[1]
        if average is None or node.args[5] is True:
            raise UnsupportedError("it keeps no running averages: let it track them")
        eps = _eps(node)
        averages, variances = _numbers(average), _numbers(variance)
        gains = np.ones(count) if weight is None else self._plainly(node.args[1])
        shifts = np.zeros(count) if bias is None else self._plainly(node.args[2])
        factors = gains / np.array([sqrt(v + eps) for v in variances])
        name = average.label.removesuffix(".running_mean")
        names = (f"{name}.weight", f"{name}.bias")
        learnt = _learnt(weight), _learnt(bias)
        if learnt[0] and not learnt[1] and averages.any():
            raise UnsupportedError(
                "its weight learns and its bias does not, so that what is added to it follows the "
                "weight: let both learn, or none"
            )
        readers = self._readers(node.args[1:5])
        if any(_call(one) != _call(node) for one in readers) and any(learnt):
            raise UnsupportedError("another operator reads its weights: leave them to it")
        fold = self._before(node) if all(learnt) and len(readers) == 1 else None
        return normalisation(
            self.wiring, x, factors, shifts - averages * factors, names, learnt, fold
        )

    def _plainly(self, node: Any) -> np.ndarray:
        if node not in self.numbers:
            raise UnsupportedError("its weights are computed: take parameters")
        return self.numbers[node]

    def _readers(self, parts: Any) -> set[Any]:
        """The operators that read one of these tensors, under whichever of its names."""
        tensors = [self.known[part] for part in parts if part is not None]
        nodes = (one for one in self.numbers if any(self.known[one] is t for t in tensors))
        return {reader for one in nodes for reader in one.users}

    def _before(self, node: Any) -> Entries | None:
        """The weights of the layer before, where they are read there alone, and it here alone, and
        its channels are those that are normalised."""
        layer = node.args[0]
        if layer.op != "call_function" or len(layer.users) > 1 or layer.kwargs:
            return None
        linear = _name(layer) == "linear"
        if not linear and not _name(layer).startswith("conv"):
            return None
        if linear and self.known[layer].array.ndim != 2:  # it acts on the last axis
            return None
        parts = [part for part in layer.args[1:3] if part is not None]
        weights = [self.known[part] for part in parts]
        alone = self._readers(parts) == {layer} and all(part in self.numbers for part in parts)
        return weights[0] if alone and all(map(_learnt, weights)) else None


def _learnt(entries: Entries | None) -> bool:
    """Whether a tensor is one of parameters."""
    return entries is not None and all(isinstance(e, str) for e in entries.array.flat)


def _eps(node: Any) -> float:
    return float(node.args[-1] if isinstance(node.args[-1], float) else node.args[7])


def _call(node: Any) -> Any:
    """By what a normalisation is known from another; nothing of other operators."""
    return (node.args[1:5], _eps(node)) if _name(node) in NORMALISATIONS else None


def _numbers(entries: Entries) -> np.ndarray:
    return np.array([float(entry) for entry in entries.array])


def _name(node: Any) -> str:
    """The operator, without its variant and without the mark of one that works in place."""
    name = str(getattr(node.target, "__name__", node.target)).partition(".")[0]
    return name if name.startswith("__") else name.rstrip("_")


def _module(node: Any) -> tuple[str, str]:
    """The module that calls an operator: its path and its class."""
    stack = list(node.meta.get("nn_module_stack", {}).values())
    if not stack:
        return "", ""
    path, kind = stack[-1]
    return path, str(getattr(kind, "__name__", kind)).rpartition(".")[2]


def _place(node: Any) -> str:
    """Where an operator is called, in words."""
    path, kind = _module(node)
    line = node.meta.get("stack_trace", "").strip().splitlines()[-1:]
    if path:
        return f"at {path} ({kind})"
    return f"in {kind}, {line[0].strip()!r}" if line else f"in {kind}"
