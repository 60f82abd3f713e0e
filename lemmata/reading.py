"""Networks as the command line names them: by a file, or by a module of torch."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from lemmata.errors import UsageError

if TYPE_CHECKING:
    from graphs.network import Network


def read_network(text: str, shape: str | None = None) -> tuple[Network, Sequence[Fraction] | None]:
    """The network of a file, or of a torch module that `module:object` or `file.py:object` names,
    and its weights; what was guessed goes to stderr.

    Raises UsageError, NetworkError.
    """
    sizes = None if shape is None else _shape(shape)
    place, colon, name = text.rpartition(":")
    if Path(text).exists() or not (colon and _dotted(name)):  # on Windows C:\net.json has a colon
        if text.endswith(".py"):
            raise UsageError(f"{text}: name a torch.nn.Module of it, as {text}:NAME")
        if sizes is not None:
            raise UsageError(f"--shape {shape}: {text} is a file, which tells its inputs")
        from graphs.files import load

        return load(text, lambda guess: print(guess, file=sys.stderr))
    found = _named(text, place, name)
    from numerics.torch_modules.reading import from_torch

    if isinstance(found, type | FunctionType):
        try:
            found = found()
        except (Exception, SystemExit) as error:  # of the user's own class
            raise UsageError(
                f"{text}: {name}() fails with {type(error).__name__}: {error}; name a module that "
                "is made, or a class or function that takes no arguments"
            ) from error
    return from_torch(found, sizes)


def _dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _named(text: str, place: str, name: str) -> Any:
    """The object of a module or a file."""
    try:
        if place.endswith(".py"):
            module = _of_file(Path(place))
        else:
            if not _dotted(place):
                raise UsageError(f"{text}: {place} is neither a file nor the name of a module")
            if str(Path.cwd()) not in sys.path:
                sys.path.append(str(Path.cwd()))
            module = importlib.import_module(place)
    except UsageError:
        raise
    except (ModuleNotFoundError, FileNotFoundError) as error:
        raise UsageError(f"{text}: there is no module {place}: {error}") from error
    except (Exception, SystemExit) as error:  # of the user's own file
        raise UsageError(f"{text}: {place} fails with {type(error).__name__}: {error}") from error
    for part in name.split("."):
        if not hasattr(module, part):
            raise UsageError(f"{text}: {place} has no {name}; name a torch.nn.Module there")
        module = getattr(module, part)
    return module


def _of_file(file: Path) -> Any:
    """The module that a file is, under a name of its own, as its classes ask for it there."""
    name = f"_lemmata_of_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _shape(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError as error:
        raise UsageError(f"--shape {text!r}: give whole numbers like 3,8,8") from error
