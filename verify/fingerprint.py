"""Fingerprints of claims: what did not change is not run again, and the baseline can tell."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any

from verify.claim import Claim
from verify.code_hashes import file_of, name_of, parts_of, with_imports


def claim_fingerprint(claim: Claim) -> str:
    """SHA-256 of a claim's text, of its functions, and of the modules in which they stand, with
    all that these use of the papers (the engine's fingerprint leaves the papers out)."""
    digest = hashlib.sha256()
    words = [claim.id, claim.kind.value, claim.statement, repr(claim.pool), *claim.depends]
    words += [claim.through]
    if claim.terms is not None:
        words.append(claim.terms.digest)
    if claim.watch is not None:
        words += [claim.watch.what, *claim.watch.options]
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
    flags = (claim.exact_only, claim.floats)
    words += [f"exact only, floats: {flags}", *claim.trusted]
    words += [f"{h.name}: {h.statement}" for h in claim.hypotheses]
    functions = _functions(claim)
    parts = [part for function in functions.values() for part in parts_of(function)]
    words += functions
    words += [part if isinstance(part, str) else name_of(part) for part in parts]
    digest.update("\n".join(_without_addresses(word) for word in words).encode())
    files = {file_of(part) for part in parts if not isinstance(part, str)}
    for path in sorted(with_imports(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _registered(names: Iterable[str]) -> list[Claim]:
    """The claims of these ids."""
    from verify.registry import find

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
        "watch": None if claim.watch is None else claim.watch.planner,
    }
    functions |= {} if claim.pool is None else claim.pool.functions()
    for hypothesis in claim.hypotheses if in_code else ():
        for use in ("test", "repair", "break_"):
            functions[f"{use} {hypothesis.name}"] = getattr(hypothesis, use)
    return {use: function for use, function in functions.items() if function is not None}


def _without_addresses(text: str) -> str:
    """A repr without the memory addresses of functions, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)
