"""A measure built again with something in it changed, and the measure itself left as it is.

A measure is made of functions: it calls them by name, holds them in closures, partial arguments
and containers, and has them as methods of its data. `Parts` finds them all; `Parts.rebuilt` copies
those that lead to what is changed, and shares the rest.
"""

from __future__ import annotations

import copy
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache, cached_property, partial
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

ENGINE = ("graphs", "numerics", "verify", "reports", "lemmata")
Slot = tuple[int, str, str]  # the id of what holds a value, the way it does, and under what name


def states(function: Callable[..., Any] | type) -> bool:
    """Whether a function (or class) is part of a statement, not of the engine or a library."""
    module = function.__module__ or ""
    root = module.split(".")[0]
    if module.startswith("verify.papers."):
        return True
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    library = root in sys.stdlib_module_names or "site-packages" in file
    return bool(file) and root not in ENGINE and not library


def _holds(value: Any) -> bool:
    """Whether a value may lead to functions."""
    if isinstance(value, FunctionType | partial) or hasattr(value, "__wrapped__"):
        return True
    if isinstance(value, tuple | list | dict):
        return any(map(_holds, value.values() if isinstance(value, dict) else value))
    if isinstance(value, type):
        return states(value)
    if isinstance(value, ModuleType):
        return value.__name__.startswith("verify.papers.")
    return is_dataclass(value) and states(type(value))


def _names(code: CodeType) -> Iterator[str]:
    """The names that a function's code uses, inner functions included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _method(value: Any) -> FunctionType | None:
    """The function behind an attribute of a class."""
    for name in ("fget", "func", "__func__"):
        if isinstance(value, property | cached_property | staticmethod | classmethod):
            value = getattr(value, name, value)
    return value if isinstance(value, FunctionType) else None


def parts_of(value: Any) -> Iterator[tuple[str, str, Any]]:
    """What a value holds: the way it does, the name, and what is held."""
    if isinstance(value, partial):
        yield "function", "", value.func
        yield from (("argument", str(k), held) for k, held in enumerate(value.args))
        yield from (("keyword", name, held) for name, held in value.keywords.items())
    elif isinstance(value, FunctionType):
        yield from _parts_of_function(value)
    elif hasattr(value, "__wrapped__"):
        yield "wrapped", "", value.__wrapped__
    elif isinstance(value, dict):
        yield from (("item", repr(key), held) for key, held in value.items())
    elif isinstance(value, tuple | list):
        yield from (("item", str(k), held) for k, held in enumerate(value))
    elif isinstance(value, type):
        found = ((name, _method(held)) for name, held in vars(value).items())
        written = ((name, held) for name, held in found if held and not name.startswith("__"))
        yield from (("method", name, held) for name, held in written if states(held))
    elif is_dataclass(value):
        yield "class", "", type(value)
        yield from (("field", name, held) for name, held in vars(value).items())


def _parts_of_function(function: FunctionType) -> Iterator[tuple[str, str, Any]]:
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        yield "cell", name, cell.cell_contents
    yield from (("default", str(k), held) for k, held in enumerate(function.__defaults__ or ()))
    yield from (("named default", *pair) for pair in (function.__kwdefaults__ or {}).items())
    if not states(function):
        return
    used = list(dict.fromkeys(_names(function.__code__)))
    for name in used:
        held = function.__globals__.get(name)
        if isinstance(held, ModuleType) and _holds(held):
            inside = ((other, vars(held).get(other)) for other in used)
            yield from (("global", f"{name}.{other}", x) for other, x in inside if _holds(x))
        elif held is not None:
            yield "global", name, held


@dataclass
class Parts:
    """All that a measure is made of.

    values: by id, everything that holds functions, nearest to the measure first. depth: by id, how
    many functions of the statement lie between. held: by the id of the holder, what it holds.
    holders: by id, the ids of what holds it.
    """

    root: Any
    values: dict[int, Any] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)
    held: dict[int, list[tuple[str, str, Any]]] = field(default_factory=dict)
    holders: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        waiting = deque([(self.root, 0)])
        while waiting:
            value, depth = waiting.popleft()
            if id(value) in self.values:
                continue
            self.values[id(value)], self.depth[id(value)] = value, depth
            self.held[id(value)] = list(parts_of(value))
            inner = [part for _, _, part in self.held[id(value)] if _holds(part)]
            for part in inner:
                self.holders.setdefault(id(part), []).append(id(value))
            if isinstance(value, FunctionType) and states(value):
                waiting.extend((part, depth + 1) for part in inner)
            else:
                waiting.extendleft((part, depth) for part in reversed(inner))

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """The functions that state the claim."""
        found = (value for value in self.values.values() if isinstance(value, FunctionType))
        return tuple(function for function in found if states(function))

    def rebuilt(
        self,
        codes: Mapping[FunctionType, CodeType],
        slots: Mapping[Slot, Any] | None = None,
        names: Mapping[str, Any] | None = None,
    ) -> Any:
        """The measure with other code for some functions, and other values in some slots.

        names: what the new code may call besides, by name.
        """
        changes = dict(slots or {})
        affected = {id(function) for function in codes} | {holder for holder, _, _ in changes}
        waiting = list(affected)
        while waiting:
            for holder in self.holders.get(waiting.pop(), ()):
                if holder not in affected:
                    affected.add(holder)
                    waiting.append(holder)
        return _Builder(self, codes, changes, dict(names or {}), affected).build(self.root)


@cache
def parts(measure: Any) -> Parts:
    """The parts of a measure, found once."""
    return Parts(measure)


@dataclass
class _Builder:
    """Copies of what is affected by a change."""

    parts: Parts
    codes: Mapping[FunctionType, CodeType]
    slots: Mapping[Slot, Any]
    names: dict[str, Any]
    affected: set[int]
    made: dict[int, Any] = field(default_factory=dict)

    def build(self, value: Any) -> Any:
        """The copy of a value, or the value itself where nothing in it is changed."""
        if id(value) not in self.affected or id(value) not in self.parts.values:
            return value
        if id(value) not in self.made:
            if isinstance(value, FunctionType):
                return self._function(value)
            self.made[id(value)] = self._other(value)
        return self.made[id(value)]

    def _new(self, holder: Any) -> dict[str, dict[str, Any]]:
        """What the copy of a holder holds, by way and name."""
        found: dict[str, dict[str, Any]] = {}
        for way, name, held in self.parts.held[id(holder)]:
            slot = (id(holder), way, name)
            new = self.slots[slot] if slot in self.slots else self.build(held)
            found.setdefault(way, {})[name] = new
        return found

    def _function(self, function: FunctionType) -> FunctionType:
        code = self.codes.get(function, function.__code__)
        cells = {name: CellType() for name in function.__code__.co_freevars}
        made = FunctionType(
            code,
            {**function.__globals__, **self.names},
            function.__name__,
            function.__defaults__,
            tuple(cells[name] for name in code.co_freevars),
        )
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        self.made[id(function)] = made
        new = self._new(function)
        for name, cell in cells.items():
            cell.cell_contents = new["cell"][name]
        if function.__defaults__:
            made.__defaults__ = tuple(new["default"].values())
        if function.__kwdefaults__:
            made.__kwdefaults__ = new["named default"]
        for name, value in new.get("global", {}).items():
            module, _, attribute = name.partition(".")
            if attribute:
                self._in_module(made, module, attribute, value)
            else:
                made.__globals__[name] = value
        return made

    def _in_module(self, made: FunctionType, module: str, attribute: str, value: Any) -> None:
        """Put a value into a copy of a module that a function uses by its name."""
        old = made.__globals__[module]
        if getattr(old, attribute) is not value:
            new = ModuleType(old.__name__)
            vars(new).update(vars(old))
            setattr(new, attribute, value)
            made.__globals__[module] = new

    def _other(self, value: Any) -> Any:
        new = self._new(value)
        if isinstance(value, partial):
            return partial(
                new["function"][""],
                *new.get("argument", {}).values(),
                **new.get("keyword", {}),
            )
        if isinstance(value, dict):
            return dict(zip(value, new["item"].values(), strict=True))
        if isinstance(value, tuple | list):
            kind: Any = list if isinstance(value, list) else tuple
            return kind(new["item"].values())
        if isinstance(value, type):
            return self._class(value, new["method"])
        if is_dataclass(value):
            made = copy.copy(value)
            for name, held in new.get("field", {}).items():
                object.__setattr__(made, name, held)
            object.__setattr__(made, "__class__", new["class"][""])
            return made
        return cache(new["wrapped"][""])

    def _class(self, value: type, methods: Mapping[str, Any]) -> type:
        """A class like another, with other methods."""
        found: dict[str, Any] = {}
        for name, new in methods.items():
            old = vars(value)[name]
            found[name] = new if isinstance(old, FunctionType) else type(old)(new)
        return type(value.__name__, (value,), found)
