"""The command line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from lemmata import __version__
from lemmata.arguments import Several, brought, seed, together
from lemmata.commands import COMMANDS
from lemmata.config import CHECKS, configured
from lemmata.errors import USAGE, UsageError, user_errors
from lemmata.terminal import clean_streams, command_line, prepare

EPILOGUE = (
    "exit codes: 0 as expected, 1 findings differ from the baseline (or a check broke, a "
    "certificate is not accepted, the run is void), 2 interrupted, 3 internal error, 4 usage, "
    "5 nothing selected"
)


JOURNAL = ".lemmata/journal"
NOTHING_GIVEN = re.compile(r"(--[a-z-]+=|-\w=?)--")
KEYWORD = "what has this in its id, its title or its place, e.g. 'item 6'"


def parser(defaults: Mapping[str, Mapping[str, Any]] | None = None) -> argparse.ArgumentParser:
    """The arguments of every command. defaults: by command, of options."""
    top = argparse.ArgumentParser(
        prog="lemmata",
        description="Check the statements of neural-network theory papers, as printed.",
        epilog=EPILOGUE,
    )
    top.add_argument("--version", action="version", version=f"lemmata {__version__}")
    sub = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _run(sub.add_parser("run", help="check claims and write reports"))
    _list(sub.add_parser("list", help="list the printed statements with their headlines"))
    show = sub.add_parser("show", help="show a printed statement or a claim")
    show.add_argument("id", help="an id, as `lemmata list` shows it")
    _own(show)
    _known(show)
    _check(sub.add_parser("check", help="check the registered statements on a network"))
    _derive(sub.add_parser("derive", help="what the algebra gives for a network"))
    _laws(sub.add_parser("laws", help="all quantities that gradient flow conserves in a network"))
    _curvature(sub.add_parser("curvature", help="Hessians and the tangent kernel of a network"))
    _draw(sub.add_parser("draw", help="a picture of a network, or its text in the terminal"))
    repro = sub.add_parser("repro", help="have the independent checker replay a certificate")
    repro.add_argument("certificate", help="a certificate file (JSON)")
    repro.add_argument("--rocq", metavar="FILE.v", help="write it as Rocq source too, if accepted")
    rocq = sub.add_parser("rocq", help="export the certificates of a run to Rocq, and compile them")
    rocq.add_argument("certificates", help="the folder of certificates that a run wrote")
    rocq.add_argument("folder", help="where the Rocq source goes")
    new = sub.add_parser("new", help="write a file to start from")
    new.add_argument("what", choices=("claim",), help="claim: claims of your own")
    new.add_argument("file", nargs="?", default="claims.py", help="where to (default: claims.py)")
    report = sub.add_parser("report", help="write reports from the record of a run")
    report.add_argument("record", help="the JSON record that a run wrote")
    report.add_argument("--paper", help="what it says of this paper alone")
    _output(report)
    diff = sub.add_parser("diff", help="what differs between two runs or baselines")
    diff.add_argument("before", metavar="A", help="the JSON record of a run, or a baseline")
    diff.add_argument("after", metavar="B", help="another")
    diff.add_argument("--format", choices=("text", "md", "json"), default="text")
    baseline = sub.add_parser("baseline", help="check every claim and write the baseline file")
    baseline.add_argument("file", nargs="?", default="claims.lock.json")
    baseline.add_argument("--update", action="store_true", help="replace the one that is there")
    baseline.add_argument("--reason", metavar="WHY", help="why it changes; the baseline keeps it")
    baseline.add_argument(
        "--changed",
        action="store_true",
        help="look at statements alone that are not as the baseline knows them",
    )
    baseline.add_argument(
        "--exhibits", action="store_true", help="keep the counterexamples beside the papers, too"
    )
    _own(baseline)
    _how(baseline)
    journal = sub.add_parser("journal", help="tell how large the journal is, or clean it")
    journal.add_argument("what", nargs="?", choices=("show", "clean"), default="show")
    journal.add_argument("--journal", default=JOURNAL, help=f"where it is (default {JOURNAL})")
    journal.add_argument("--days", type=int, default=0, help="keep what so many days used (0)")
    completion = sub.add_parser("completion", help="print a script that completes words in a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    selftest = sub.add_parser("selftest", help="check the installation on known answers")
    selftest.add_argument("--seed", type=seed, default=0)
    for name, command in sub.choices.items():
        command.set_defaults(**(defaults or {}).get(name, {}))
    return top


def _run(run: argparse.ArgumentParser) -> None:
    run.add_argument("ids", nargs="*", metavar="ID", help="statements or claims")
    run.add_argument("--paper", help="all claims of a paper, e.g. lj22")
    _own(run)
    run.add_argument("-k", dest="keyword", help=KEYWORD)
    run.add_argument(
        "--baseline", type=brought, metavar="FILE", help="compare what is found with this file"
    )
    _known(run)
    run.add_argument("--history", metavar="FILE", help="add a line of JSON about this run")
    run.add_argument(
        "-x",
        dest="stop",
        action="store_true",
        help="stop at the first claim that fails: its check breaks, or it is not as the baseline "
        "says",
    )
    run.add_argument(
        "--lf", dest="failed", action="store_true", help="what failed last time, or all if none did"
    )
    _how(run)
    _output(run)


def _how(command: argparse.ArgumentParser) -> None:
    command.add_argument("--budget", default="ci", help="smoke, ci or full (default ci)")
    command.add_argument("--seed", type=seed, default=0, help="root seed (default 0)")
    command.add_argument("--workers", type=int, help="processes (default: one for each core)")
    command.add_argument(
        "--executor",
        default="",
        metavar="ADDRESS",
        help="the workers of a Dask cluster instead: dask://HOST:PORT or tls://HOST:PORT",
    )
    command.add_argument("--device", default="cpu", help="device of the float trials: cpu or cuda")
    command.add_argument("--journal", default=JOURNAL, help="where finished tasks go")
    told = command.add_mutually_exclusive_group()
    told.add_argument("--quiet", action="store_true", help="no progress")
    told.add_argument(
        "--progress", action="store_true", help="progress even where stderr is no terminal"
    )
    command.add_argument("--fresh", action="store_true", help="run every task again")
    command.add_argument(
        "--graded", action="store_true", help="count how often false statements fail (full: always)"
    )


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--output",
        action=Several,
        metavar="KIND=FILE,...",
        help="html=FILE, json=FILE, junit=FILE, md=FILE, and github (annotations, and the summary "
        "of the step); certificates go beside the first",
    )


def _list(command: argparse.ArgumentParser) -> None:
    command.add_argument("--paper", help="statements of this paper alone")
    command.add_argument("-k", dest="keyword", help=KEYWORD)
    command.add_argument(
        "--claims",
        nargs="?",
        const="",
        type=brought,
        metavar="FILE",
        help="the claims that say them, with their verdicts; of FILE: those of your own",
    )
    command.add_argument("--json", action="store_true", help="as JSON, formulas in LaTeX")
    command.set_defaults(files=())  # as `[tool.lemmata]` names them
    _known(command)


def _own(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--claims",
        dest="files",
        type=brought,
        metavar="FILE",
        action=Several,
        help="claims of your own, a file as `lemmata new claim` writes one",
    )


def _known(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--known",
        type=brought,
        metavar="FILE",
        help="the baseline that tells what is known already (default: claims.lock.json, here or as "
        "Lemmata brings it)",
    )


def _network(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "network",
        type=brought,
        help="a network file (JSON or GraphML), or a torch module as module:object or "
        "file.py:object",
    )
    command.add_argument(
        "--shape", metavar="N1,N2,...", help="of one input of a torch module, without the batch"
    )


def _check(check: argparse.ArgumentParser) -> None:
    _network(check)
    check.add_argument(
        "--at",
        metavar="X1,X2,...",
        action="append",
        default=[],
        help="an input, with the network's own weights (default: drawn ones); may be given again",
    )
    check.add_argument("--paper", help="statements of this paper alone")
    check.add_argument("-k", dest="keyword", help=KEYWORD)
    check.add_argument("--seed", type=seed, default=0, help="of the draws (default 0)")
    check.add_argument(
        "--seconds", type=float, default=60.0, help="then the rest is left out (default 60)"
    )
    check.add_argument("--quiet", action="store_true", help="no progress on stderr")
    _output(check)


def _laws(command: argparse.ArgumentParser) -> None:
    _derive(command)
    command.add_argument("--seed", type=seed, default=0, help="of the sample points (default 0)")


def _curvature(command: argparse.ArgumentParser) -> None:
    _network(command)
    command.add_argument(
        "--at",
        metavar="X1,X2,...",
        action="append",
        required=True,
        help="a point (--at=-1,2 where the first is negative); may be given again",
    )
    command.add_argument("--draws", type=int, help="draw standard normal weights so many times")
    command.add_argument("--seed", type=seed, default=0, help="of the draws (default 0)")
    command.add_argument("--format", choices=("text", "json"), default="text")


def _draw(command: argparse.ArgumentParser) -> None:
    _network(command)
    command.add_argument("--output", metavar="FILE", help="draw it as FILE.svg or FILE.html")


def _derive(command: argparse.ArgumentParser) -> None:
    _network(command)
    command.add_argument("--format", choices=("text", "latex", "json"), default="text")
    region = command.add_mutually_exclusive_group()
    region.add_argument(
        "--at", metavar="X1,X2,...", help="the activation region of the file's weights at this x"
    )
    region.add_argument(
        "--slopes", metavar="V=S,...", help="the activation region with these slopes at vertices"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    prepare()
    words = sys.argv[1:] if arguments is None else arguments
    wrong: UsageError | None = None
    defaults: dict[str, dict[str, Any]] = {}
    try:
        defaults = configured()
    except UsageError as error:  # told where a command begins: help is given all the same
        wrong = error
    with clean_streams():
        options = parser_or_usage(words, defaults)
        if isinstance(options, int):
            return options
        with user_errors(journal=options.command in CHECKS) as outcome:
            if wrong is not None:
                raise wrong
            options.parser = parser
            options.typed = command_line(["lemmata", *words])
            outcome.code = COMMANDS[options.command](options)
            sys.stdout.flush()  # here, where a reader that has gone away is no surprise
        return outcome.code


def parser_or_usage(
    arguments: Sequence[str], defaults: Mapping[str, Mapping[str, Any]]
) -> argparse.Namespace | int:
    """The parsed options, or an exit code where argparse printed help or a complaint."""
    top = parser(defaults)
    try:
        command = next((word for word in arguments if not word.startswith("-")), None)
        if command is not None and command not in COMMANDS:
            from difflib import get_close_matches

            meant = get_close_matches(command, COMMANDS, n=1)
            hint = f"did you mean {meant[0]}?" if meant else "`lemmata --help` lists them"
            top.error(f"no command {command!r}: {hint}")
        for word in arguments[: [*arguments, "--"].index("--")]:
            if NOTHING_GIVEN.fullmatch(word):  # which argparse takes for a list without words
                top.error(f"{word}: give a value")
        return top.parse_args(together(arguments))
    except SystemExit as stop:
        return USAGE if stop.code else 0


if __name__ == "__main__":
    sys.exit(main())
