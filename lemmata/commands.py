"""The commands, one function each: from parsed options to an exit code.

Findings go to stdout, progress to stderr. Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.arguments import check_point, parse_point, parse_slopes
from lemmata.curvature import curvature
from lemmata.errors import DIFFERS, FINE, UsageError, remembered_interrupts
from lemmata.rocq import rocq, write_rocq

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.claim import Claim
    from verify.examples import Example
    from verify.runs.tasks import Task


def run(options: Namespace) -> int:
    """Check claims; print the table; write reports; compare with a baseline."""
    from verify.runs import baseline
    from verify.runs.selection import select

    outputs = writable_outputs(options.output)
    known = None if options.baseline is None else baseline.read(Path(options.baseline))
    chosen = select(options.ids, options.paper, options.keyword)
    whole = not (options.ids or options.paper or options.keyword)
    record = perform(chosen, options)
    if known is not None:
        record["changes"] = baseline.differences(record, known, whole=whole)
        if known.get("budget") != options.budget:
            print(
                f"the baseline is of budget {known.get('budget')}, this run of {options.budget}: "
                "verdicts may differ for that reason alone",
                file=sys.stderr,
            )
    print_table(record)
    write_outputs(record, outputs)
    broken = any(claim["verdict"] == "error" for claim in record["claims"])
    return DIFFERS if record["run"]["void"] or record["changes"] or broken else FINE


def write_baseline(options: Namespace) -> int:
    """Check every claim and write the baseline file."""
    from verify.runs import baseline
    from verify.runs.selection import select

    options.quiet = False
    record = perform(select(), options)
    baseline.write(record, Path(options.file))
    print(f"{len(record['claims'])} verdicts written to {options.file}")
    return FINE


def perform(chosen: Sequence[Claim], options: Namespace) -> dict[str, Any]:
    """The record of a run of the chosen claims."""
    from verify.runs.engine import Settings
    from verify.runs.engine import run as run_claims

    check_device(options.device)
    workers = (os.cpu_count() or 1) if options.workers is None else options.workers
    if workers < 1:
        raise UsageError(f"--workers {workers}: give at least 1")
    with remembered_interrupts() as check_interrupts:

        def progress(done: int, total: int, task: Task) -> None:
            check_interrupts()
            if not options.quiet:
                show_progress(done, total, task)

        settings = Settings(
            budget=options.budget,
            seed=options.seed,
            device=options.device,
            workers=workers,
            journal=Path(options.journal),
            fresh=options.fresh,
            command=options.typed,
            progress=progress,
        )
        return run_claims(chosen, settings)


def check_device(device: str) -> None:
    """Raises UsageError for a device that is not there."""
    if device == "cpu":
        return
    if device.split(":")[0] == "cuda":
        import torch

        if torch.cuda.is_available():
            return
    raise UsageError(f"--device {device}: not available here, use cpu")


def show_progress(done: int, total: int, task: Task) -> None:
    """One line on stderr, rewritten in place on a terminal."""
    text = f"{done:4d}/{total}  {task.claim}  {task.method}"
    if sys.stderr.isatty():
        print(f"\r{text:<78.78}", end="" if done < total else "\n", file=sys.stderr, flush=True)
    elif done == total or done % 25 == 0:
        print(text, file=sys.stderr, flush=True)


def parse_outputs(text: str) -> dict[str, Path]:
    """`html=a.html,json=b.json` as a mapping. Raises UsageError for another kind or a second."""
    outputs: dict[str, Path] = {}
    for part in filter(None, text.split(",")):
        kind, _, file = part.partition("=")
        if kind not in ("html", "json") or not file:
            raise UsageError(f"--output {part!r}: use html=FILE or json=FILE")
        if kind in outputs or Path(file) in outputs.values():
            raise UsageError(f"--output {text!r}: give one file for each kind, each its own")
        outputs[kind] = Path(file)
    return outputs


def writable_outputs(text: str) -> dict[str, Path]:
    """The outputs, each of which can be written: better to know before the run than after it."""
    outputs = parse_outputs(text)
    for path in outputs.values():
        check_writable(path)
    return outputs


def check_writable(path: Path) -> None:
    """Make the folder of a report. Raises UsageError where the report could not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--output {path}: {error.strerror}; choose another file") from error
    target = path if path.exists() else path.parent
    if path.is_dir() or not os.access(target, os.W_OK):
        raise UsageError(f"--output {path}: it cannot be written there, choose another file")


def write_outputs(record: dict[str, Any], outputs: dict[str, Path]) -> None:
    """Write the certificates in a folder beside the first of the reports, and the reports, with
    commands that find the certificates from here."""
    from reports import html, json_report

    for claim in record["claims"]:
        if outputs and claim["certificate"] is not None:
            file = next(iter(outputs.values())).parent / claim["certificate_file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(claim["certificate"], indent=1), encoding="utf-8")
            claim["command"] = shlex.join(["lemmata", "repro", str(file)])
    for kind, path in outputs.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        (html.write if kind == "html" else json_report.dump)(record, path)
        print(f"{kind}: {path.resolve()}", file=sys.stderr)


def print_table(record: dict[str, Any]) -> None:
    """The table of verdicts."""
    from reports import text

    width = shutil.get_terminal_size((100, 24)).columns
    print(text.render(record, width=width, colour=sys.stdout.isatty()), end="")


def report(options: Namespace) -> int:
    """Write reports from a record; print its table."""
    from reports import json_report

    outputs = writable_outputs(options.output)
    record = json_report.load(options.record)
    print_table(record)
    write_outputs(record, outputs)
    return FINE


def list_claims(options: Namespace) -> int:
    """List the claims, one line each; or the ledger, with what is coded."""
    from verify.runs.selection import select, select_rows

    if options.ledger:
        from verify.registry import all_claims

        coded = {claim.ledger_id for claim in all_claims()}
        for row in select_rows(options.paper, options.keyword):
            mark = "coded" if row["id"] in coded else "-"
            print(f"{row['id']:28} {mark:6} {row['kind']:12} {row['title']}")
        return FINE
    for claim in select((), options.paper, options.keyword):
        print(f"{claim.id:26} {claim.kind.value:11} {claim.title}")
    return FINE


def show(options: Namespace) -> int:
    """Show a claim or a control; where the id has only parts and readings, all of them."""
    from verify.runs.selection import named

    for number, claim in enumerate(named(options.id)):
        if number:
            print()
        show_claim(claim)
    return FINE


def show_claim(claim: Claim) -> None:
    """Print a claim: source, statement, hypotheses."""
    from verify.fingerprint import claim_fingerprint

    print(f"{claim.id}: {claim.title}")
    print(f"  {claim.source.paper}, {claim.source.version} version, {claim.source.reference}")
    print(f"  kind: {claim.kind.value}")
    if claim.reading is not None:
        print(f"  reading {claim.reading}: {claim.reading_text}")
    if claim.repairs is not None:
        print(f"  repairs: {claim.repairs}")
    print(f"\n  {claim.statement}\n")
    for number, hypothesis in enumerate(claim.hypotheses, start=1):
        print(f"  H{number} {hypothesis.name}: {hypothesis.statement}")
    if claim.exponents is not None and claim.exponents.contrasts is not None:
        for contrast in claim.exponents.contrasts(2):  # of the largest budget
            print(f"  measured without '{contrast.hypothesis}': {contrast.family.name}")
    if claim.excluded is not None:
        excluded = claim.excluded
        cites = ", ".join(excluded.cites)
        print(f"  '{excluded.hypothesis}' is excluded by {cites}: {excluded.because}")
    if claim.examples is not None:
        show_examples(claim.examples())
    if claim.depends:
        print(f"  depends on: {', '.join(claim.depends)}")
    print(f"  code: {claim_fingerprint(claim)[:16]}")


def show_examples(examples: Sequence[Example]) -> None:
    """Print which named examples meet a definition, and what the others fail."""
    from reports.text import plain

    met = [plain(example.name) for example in examples if example.meets]
    print(f"  {len(met)} of {len(examples)} examples meet it: {'; '.join(met) or 'none'}")
    for example in examples:
        failed = [f"{part.name} ({part.value})" for part in example.parts if not part.holds]
        if failed:
            print(f"  not {plain(example.name)}: {plain('; '.join(failed))}")


def derive(options: Namespace) -> int:
    """Print what the algebra gives for a network."""
    from graphs.derivation import derive as derive_all
    from graphs.files import load

    slopes = None if options.slopes is None else parse_slopes(options.slopes)
    x = None if options.at is None else parse_point(options.at)
    network, weights = load(options.network)
    check_point(options.at, options.network, network, weights, x)
    derivation = derive_all(network, slopes=slopes, weights=weights if x is not None else None, x=x)
    if options.format == "json":
        print(json.dumps(derivation.as_json(), indent=1))
    else:
        shown = derivation.as_latex() if options.format == "latex" else derivation.as_text()
        print(shown, end="")
    return FINE


def laws(options: Namespace) -> int:
    """Print the conserved quantities of a network, and how many there can be."""
    from graphs.files import load
    from graphs.laws import find_laws
    from graphs.laws.regions import region_at, region_of

    slopes = None if options.slopes is None else parse_slopes(options.slopes)
    x = None if options.at is None else parse_point(options.at)
    network, weights = load(options.network)
    check_point(options.at, options.network, network, weights, x)
    if x is not None and weights is not None:
        region = region_at(network, weights, x)
        found = find_laws(network, region, point=weights, seed=options.seed)
    else:
        found = find_laws(network, region_of(network, slopes or {}), seed=options.seed)
    if options.format == "json":
        print(json.dumps(found.as_json(), indent=1))
    else:
        print(found.as_latex() if options.format == "latex" else found.as_text(), end="")
    return FINE


def repro(options: Namespace) -> int:
    """Have the independent checker replay a certificate; its exit code is the answer."""
    from verify import checker

    path = Path(options.certificate)
    if not path.is_file():
        raise UsageError(
            f"no certificate {path}: `lemmata run --output json=FILE` writes them in a folder "
            "beside FILE"
        )
    content = path.read_bytes()
    outcome = checker.check_content(content)
    print(outcome.message)
    if options.rocq is not None and outcome.code == checker.ACCEPT:
        write_rocq(content, Path(options.rocq))
    return int(outcome.code)


def selftest(options: Namespace) -> int:
    """Run the controls, and have the checker reject what it must."""
    from verify.runs.engine import Settings
    from verify.runs.engine import run as run_claims

    record = run_claims([], Settings(budget="smoke", seed=options.seed, command="lemmata selftest"))
    for control in record["controls"]:
        state = "ok" if control["ok"] else "FAILED"
        print(
            f"{state:7} {control['id']:24} expected {control['expected']}, "
            f"observed {control['observed']}"
        )
    for name, version in record["run"]["versions"].items():
        print(f"        {name} {version}")
    return DIFFERS if record["run"]["void"] else FINE


COMMANDS = {
    "run": run,
    "list": list_claims,
    "show": show,
    "derive": derive,
    "laws": laws,
    "curvature": curvature,
    "repro": repro,
    "rocq": rocq,
    "report": report,
    "baseline": write_baseline,
    "selftest": selftest,
}
