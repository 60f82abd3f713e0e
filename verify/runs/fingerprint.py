"""Fingerprints of claims: what did not change is not run again, and the baseline can tell."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from inspect import getfile
from types import FunctionType
from typing import Any

from verify.core.claim import Claim
from verify.core.code_hashes import (
    as_in_the_repository,
    file_of,
    functions_inside,
    in_papers,
    name_of,
    parts_of,
    resolved,
    source,
    with_imports,
)


def claim_fingerprint(claim: Claim) -> str:
    """SHA-256 of a claim's text, of its functions, and of the modules in which they stand, with
    all that these use of the papers (the rest is in the key of each task: verify.runs.tasks)."""
    digest = hashlib.sha256()
    words = [claim.id, claim.kind.value, claim.statement, repr(claim.pool), *claim.depends]
    words += [claim.through]
    if claim.terms is not None:
        words.append(claim.terms.digest)
    if claim.observable is not None:
        words += [claim.observable.what, *claim.observable.options]
    if claim.rate is not None:
        rate = claim.rate
        words += [
            rate.size,
            f"{rate.ladders} {rate.seeds} {rate.logarithms}",
            *map(repr, rate.claimed),
        ]
    if claim.sampled is not None:
        sampled = claim.sampled
        words += [
            sampled.quantity,
            f"{sampled.relation} {sampled.resolution} {sampled.most} {sampled.bounds}",
            sampled.stands_for,
            *sampled.scope,
        ]
    if claim.exponents is not None:
        exponents = claim.exponents
        words += [*map(repr, exponents.predicted), str(exponents.most), *exponents.scope]
    if claim.excluded is not None:
        excluded = claim.excluded
        words += [excluded.hypothesis, excluded.because, *excluded.cites]
        words += [claim_fingerprint(cited) for cited in _registered(excluded.cites)]
    words += [f"exact only: {claim.exact_only}", *claim.trusted]
    words += [f"{h.name}: {h.statement}" for h in claim.hypotheses]
    functions = _functions(claim)
    parts = [part for function in functions.values() for part in parts_of(function)]
    words += functions
    words += [name_of(part) if isinstance(part, FunctionType) else repr(part) for part in parts]
    digest.update("\n".join(_without_addresses(word) for word in words).encode())
    files = frozenset(file_of(part) for part in parts if isinstance(part, FunctionType))
    for path in filter(in_papers, with_imports(files)):
        digest.update(source(path).line)
    return digest.hexdigest()


def files_of(claim: Claim) -> frozenset[str]:
    """Where the functions of a claim, of its hypotheses and of its pool stand, and those of the
    claims that its exclusion cites."""
    uses = ("test", "repair", "break_")
    found = [getattr(hypothesis, use) for hypothesis in claim.hypotheses for use in uses]
    found += _functions(claim).values()
    functions = [function for function in found if function is not None]
    files = {file_of(part) for function in functions for part in functions_inside(function)}
    kinds = [type(one) for one in (claim.pool, claim.terms) if one is not None]
    files |= {resolved(getfile(kind)) for kind in kinds}
    if claim.excluded is not None:
        files = files.union(*map(files_of, _registered(claim.excluded.cites)))
    return frozenset(files)


def _registered(names: Iterable[str]) -> list[Claim]:
    """The claims of these ids."""
    from verify.papers.registry import find

    return [find(name) for name in names]


def _functions(claim: Claim) -> dict[str, Callable[..., Any]]:
    """The claim's functions by what they are for."""
    in_code = claim.terms is None  # else a digest stands for the measure and the hypotheses
    functions: dict[str, Callable[..., Any] | None] = {
        "measure": claim.measure if in_code else None,
        "proof": claim.proof,
        "derivation": claim.derivation,
        "experiment": claim.experiment,
        "rate": None if claim.rate is None else claim.rate.samples,
        "sampled": None if claim.sampled is None else claim.sampled.arms,
        "exponents": None if claim.exponents is None else claim.exponents.families,
        "contrasts": None if claim.exponents is None else claim.exponents.contrasts,
        "examples": claim.examples,
        "observable": None if claim.observable is None else claim.observable.planner,
    }
    functions |= {} if claim.pool is None else claim.pool.functions()
    for hypothesis in claim.hypotheses if in_code else ():
        for use in ("test", "repair", "break_"):
            functions[f"{use} {hypothesis.name}"] = getattr(hypothesis, use)
    return {use: function for use, function in functions.items() if function is not None}


def _without_addresses(text: str) -> str:
    """A repr without the memory addresses of functions, which differ from run to run, and with the
    names of modules that do not depend on where they are installed."""
    return as_in_the_repository(re.sub(r" at 0x[0-9a-f]+", "", text))
