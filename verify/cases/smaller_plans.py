"""Smaller plans of a structured case, and what is kept of its numbers under them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from graphs.errors import NetworkError
from verify.cases.networks_of_pieces import Contents, Plan, Spec, fill

if TYPE_CHECKING:
    from verify.cases.case import Case
    from verify.cases.structured import Structured

Names = Callable[[str], str]
GONE = "gone/"  # before the names of what a plan loses


def smaller(case: Structured) -> Iterator[Case]:
    """Cases of smaller plans, the boldest first, with the numbers that are left."""
    kept = Contents.of(case)
    plan = case.plan
    for k in range(len(plan.pieces)):
        if k not in plan.at or len(plan.at) > 2:
            left = _without_names(kept, plan, k)
            yield from _filled(_without_piece(plan, k), case, left)
            turned = tuple(tuple(-value for value in row) for row in left.rows)
            yield from _filled(_without_piece(plan, k), case, replace(left, rows=turned))
    for other in _smaller_plans(plan):
        for some in (kept, *_reordered(kept, plan, other)):
            yield from _filled(other, case, some)


def _filled(plan: Plan, case: Structured, kept: Contents) -> Iterator[Structured]:
    """The case of a plan, if its pieces fit: with the first coordinates of the examples, and where
    there are fewer than before with those that are not 0."""
    try:
        yield fill(plan, case, kept)
        if plan.inputs < case.plan.inputs:
            order = sorted(range(case.plan.inputs), key=lambda i: not any(r[i] for r in kept.rows))
            rows = tuple(tuple(row[i] for i in order) for row in kept.rows)
            yield fill(plan, case, replace(kept, rows=rows))
    except NetworkError:
        return


# names ------------------------------------------------------------------------------------------
def renamed(kept: Contents, name: Names) -> Contents:
    """The same under other names: `name` takes the name of a vertex (or of the tensor of a
    convolution)."""

    def turned(text: str) -> str:
        words = re.split(r"([\[\]>]|->)", text)
        new = [name(word) for word in words]
        return GONE + text if any(word.startswith(GONE) for word in new) else "".join(new)

    choice = dict(kept.choice)
    if "dormant" in choice:
        choice["dormant"] = [turned(v) for v in choice["dormant"]]
        choice["direction"] = {turned(p): step for p, step in choice["direction"].items()}
    return Contents(
        {turned(p): weight for p, weight in kept.weights.items()},
        {turned(v): activation for v, activation in kept.activations.items()},
        choice,
        kept.rows,
    )


def _without_names(kept: Contents, plan: Plan, k: int) -> Contents:
    """What is left when piece k goes: later pieces get its number, and their first one reads what
    piece k has read."""
    gone = k + 1
    own = re.compile(rf"(.*->[gh]{gone}\.\d+\]|{gone}/.*)")
    weights = {p: weight for p, weight in kept.weights.items() if not own.fullmatch(p)}

    def name(word: str) -> str:
        match = re.fullmatch(r"([gh])(\d+)\.(\d+)|(\d+)(/k)", word)
        if match is None:
            return word
        number = int(match[2] or match[4])
        if number < gone:
            return word
        if number > gone:
            return f"{number - 1}/k" if match[4] else f"{match[1]}{number - 1}.{match[3]}"
        before = f"h{number - 1}.{match[3]}" if number > 1 else f"x{match[3]}"
        return GONE + word if match[1] == "g" else before

    activations = {
        v: a for v, a in kept.activations.items() if not re.fullmatch(rf"[gh]{gone}\.\d+", v)
    }
    return renamed(replace(kept, weights=weights, activations=activations), name)


def _reordered(kept: Contents, plan: Plan, other: Plan) -> Iterator[Contents]:
    """The same with another neuron in the last place of a layer that loses one."""
    for number, (new, old) in enumerate(zip(other.pieces, plan.pieces, strict=True), start=1):
        if old.kind not in ("dense", "block"):
            continue
        for letter, less, more in (("h", new.width, old.width), ("g", new.inner, old.inner)):
            for k in range(1, more) if less == more - 1 else ():
                yield swapped(kept, f"{letter}{number}.{k}", f"{letter}{number}.{more}")


def swapped(kept: Contents, one: str, other: str) -> Contents:
    """The same with the numbers and activations of two neurons of a layer exchanged."""
    place = {one: other, other: one}
    return renamed(kept, lambda word: place.get(word, word))


# plans --------------------------------------------------------------------------------------------
def _without_piece(plan: Plan, k: int) -> Plan:
    pieces = plan.pieces[:k] + plan.pieces[k + 1 :]
    at = tuple(number - (number > k) for number in plan.at if number != k)
    return replace(plan, pieces=pieces, at=at)


def _smaller_plans(plan: Plan) -> Iterator[Plan]:
    if plan.skips:
        yield replace(plan, skips=0)
    if plan.head:
        yield replace(plan, head=False)
    yield from _small_pair(plan)
    for inputs in sorted({1, plan.inputs // 2, plan.inputs - 1}):
        if 0 < inputs < plan.inputs:
            yield replace(plan, inputs=inputs)
    for k, spec in enumerate(plan.pieces):
        for plain in _smaller_specs(spec):
            yield from _with_spec(plan, k, plain)


def _small_pair(plan: Plan) -> Iterator[Plan]:
    """The plan with small widths of the two pieces that it is about, at once: what one of them may
    be can depend on the other."""
    if len(plan.at) != 2:
        return
    first, second = (plan.pieces[k] for k in plan.at)
    for widths in product((1, 2), repeat=4):
        spec = replace(first, width=widths[0], inner=widths[1])
        other = replace(second, width=widths[2], inner=widths[3])
        old = (first.width, first.inner, second.width, second.inner)
        if widths != old and all(new <= size for new, size in zip(widths, old, strict=True)):
            pieces = list(plan.pieces)
            pieces[plan.at[0]], pieces[plan.at[1]] = spec, other
            yield replace(plan, pieces=tuple(pieces))


def _with_spec(plan: Plan, k: int, spec: Spec) -> Iterator[Plan]:
    """The plan with another piece k; before a convolution also with as many neurons as it reads."""
    pieces = (*plan.pieces[:k], spec, *plan.pieces[k + 1 :])
    yield replace(plan, pieces=pieces)
    if spec.kind != "convolution" or not spec.size:
        return
    for channels in (1, 2):
        count = channels * prod(spec.size)
        if k == 0 and count < plan.inputs:
            yield replace(plan, pieces=pieces, inputs=count)
        elif k > 0 and plan.pieces[k - 1].kind in ("dense", "graph"):
            before = replace(plan.pieces[k - 1], width=count)
            yield replace(plan, pieces=(*pieces[: k - 1], before, *pieces[k:]))


def _smaller_specs(spec: Spec) -> Iterator[Spec]:
    if spec.kind == "convolution":
        yield from _smaller_filters(spec)
    for name in ("width", "inner"):
        number = getattr(spec, name)
        for less in sorted({1, number - 1}):
            if 0 < less < number:
                yield replace(spec, **{name: less})


def _smaller_filters(spec: Spec) -> Iterator[Spec]:
    one = replace(spec, stride=(1,), padding=(0,), dilation=(1,), mode="zero")
    for kernel in (1, 2):
        plain = replace(one, kernel=(kernel,))
        if not spec.size:
            yield plain
        for size in range(kernel, min(4, prod(spec.size) + 1)) if spec.size else ():
            yield replace(plain, size=(size,))
    if spec.mode != "zero":
        yield replace(spec, mode="zero", padding=(0,) * len(spec.padding))
    for name, least in (("padding", 0), ("stride", 1), ("dilation", 1), ("kernel", 1), ("size", 1)):
        value = getattr(spec, name)
        for axis, number in enumerate(value):
            for less in sorted({least, number - 1}):
                if least <= less < number:
                    changed: Any = {name: (*value[:axis], less, *value[axis + 1 :])}
                    yield replace(spec, **changed)
