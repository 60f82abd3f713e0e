"""A second device on a machine that has none: tensors that say they are on another one (`meta`, the
only name that torch takes without a driver), are computed on the CPU, and must not meet tensors of
the CPU where torch forbids it for CUDA.

What CUDA would compute is not tested so, but that every tensor is where it should be.
"""

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

DEVICE = torch.device("meta")
MOVES = {"_to_copy", "copy_"}
"""Operations that take tensors from one device to the other."""
TAKES_INDICES = {"index", "index_put", "index_put_", "_index_put_impl_"}
"""Indices may be on the CPU."""


class Elsewhere(torch.Tensor):
    """A tensor of the other device; `held` has its numbers."""

    @staticmethod
    def __new__(cls, held):
        return torch.Tensor._make_wrapper_subclass(
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=DEVICE,
        )

    def __init__(self, held):
        self.held = held

    def __repr__(self):
        return f"Elsewhere({self.held!r})"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise AssertionError(f"{func} outside of TwoDevices")


class FromData(TorchFunctionMode):
    """Numbers become a tensor here, then move: torch forgets those of `meta`. Back to numbers, the
    other way round."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        device = kwargs.get("device")
        if func in (torch.tensor, torch.as_tensor) and device is not None:
            kwargs["device"] = "cpu"
            return func(*args, **kwargs).to(device)
        if func is torch.Tensor.tolist:
            return func(args[0].cpu())
        if func is torch.Tensor.__getitem__ and isinstance(args[1], list):
            return func(args[0], torch.tensor(args[1]))
        return func(*args, **kwargs)


class TwoDevices(TorchDispatchMode):
    """Within it there is the device "meta", with numbers. Raises AssertionError where devices mix,
    or a generator of the CPU is to draw elsewhere."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def __enter__(self):
        self.data = FromData()
        self.data.__enter__()
        return super().__enter__()

    def __exit__(self, *reason):
        super().__exit__(*reason)
        self.data.__exit__(*reason)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = func.overloadpacket.__name__
        given, _ = tree_flatten((args, kwargs))
        tensors = [part for part in given if isinstance(part, torch.Tensor)]
        far = [part for part in tensors if isinstance(part, Elsewhere)]
        asked = kwargs.get("device")
        there = bool(far) if asked is None else torch.device(asked).type == DEVICE.type
        if name in MOVES:
            there = there if asked is not None else isinstance(args[0], Elsewhere)
        else:
            near = [part for part in tensors if not isinstance(part, Elsewhere) and part.ndim]
            if name in TAKES_INDICES:
                near = [part for part in near if part is args[0]]
            if far and near:
                raise AssertionError(f"{func}: tensors of two devices")
        if there and any(isinstance(part, torch.Generator) for part in given):
            raise AssertionError(f"{func}: a generator of the CPU draws elsewhere")
        if asked is not None:
            kwargs["device"] = "cpu"
        self.seen.add(name)

        def held(part):
            return part.held if isinstance(part, Elsewhere) else part

        found = func(*tree_map(held, args), **tree_map(held, kwargs))
        owners = {id(part.held): part for part in far}

        def wrapped(part):
            if not isinstance(part, torch.Tensor):
                return part
            if id(part) in owners:  # changed in place
                return owners[id(part)]
            return Elsewhere(part) if there else part

        return tree_map(wrapped, found)


def back(tensor):
    """On the CPU again, to be compared."""
    return tensor.held if isinstance(tensor, Elsewhere) else tensor
