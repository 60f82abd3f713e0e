"""Whether a hostile file is refused with a line: valid ones, changed, put before each reader.

A valid file is changed as Hypothesis draws it: values of the document (gone, doubled, moved, or
another that is known to be hard), or bytes of its text. Then what reads such files reads it, as the
command line does, and either takes it or refuses it in plain words. Counted as a fault: an internal
error, an exit code that the reader does not have, signs on the terminal that steer it, a text of
the data that is run as code, and with `--strict` more than 10 CPU seconds, or 1 GiB more memory.
With `--guided` the changes that reach new code are followed, by atheris, where that is installed.

Run: python -m benchmarks.fuzzed_files [--examples 1000] [--only NAME [--guided]] [--strict]
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx
from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st

from lemmata.config import configured
from lemmata.errors import user_errors
from lemmata.main import main as lemmata
from reports.history import before, check, entry

ROOT = Path(__file__).resolve().parent.parent
RUN = "ran"  # the file that a text of the data makes where it is run
HARD: tuple[Any, ...] = (
    *(
        "",
        "\x1b[2J",
        "\ud800",
        "\u202e",
        "\x00",
        "<script>",
        "]]>",
        "::error::x",
        "x" * 9999,
    ),
    *("1e400", "1e-99999999", "7/0", "nan", "0x1p2000", "9" * 6000, "1/3", "relu", "x", "h", "o"),
    f"__import__('pathlib').Path('{RUN}').touch()",
    *(0, -1, 10**20, 10**400, 2**63, 1e308, float("nan"), float("inf"), -0.0, 0.5, True, None),
    *([], {}, [[[[[]]]]], [1, 2, 3], {"a": {"b": [None]}}),
)
BYTES = (
    b"[" * 3000,
    b"{",
    b'"',
    b"\xff",
    b"\x00",
    b"9" * 5000,
    b"1e999999",
    b"\xed\xa0\x80",
    b"]]>",
)
BYTES += (rb"\ud800", b"&#27;", b"&x;")
STEERING = frozenset(map(chr, (0, 7, 8, 27, 127, 155, 0x202E)))
INSTRUMENTED = (
    *("graphs.numerals", "graphs.documents", "graphs.node_link", "graphs.graphml", "graphs.files"),
    *("verify.checker.reading", "verify.checker.terms", "verify.checker.statements"),
    *("verify.runs.baseline", "reports.json_report", "lemmata.config"),
)
"""What reads, where atheris tells new code."""
LONGEST = 10.0  # CPU seconds
LARGEST = 2**20  # kB more than before


class Fault(Exception):
    """What a file should not bring about."""


@dataclass(frozen=True)
class Reader:
    """One that reads files. seeds: valid documents. written: the text of one. read: reads a file
    and gives an exit code. codes: those that it may give."""

    seeds: tuple[Any, ...] = field(repr=False)
    read: Callable[[Path], int]
    written: Callable[[Any], bytes] = lambda value: json.dumps(value).encode()
    name: str = "in.json"
    codes: frozenset[int] = frozenset({0, 4})


# changes -----------------------------------------------------------------------------------------
def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all that a document holds."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield (*way, key)
            yield from _places(value[key], (*way, key))


def _at(value: Any, way: Sequence[Any]) -> Any:
    for key in way:
        value = value[key]
    return value


@st.composite
def changed_values(draw: st.DrawFn, document: Any) -> Any:
    """The document with one to three values changed."""
    found = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        ways = list(_places(found))
        if not ways:
            break
        way = draw(st.sampled_from(ways))
        around, key = _at(found, way[:-1]), way[-1]
        change = draw(st.sampled_from(["delete", "replace", "move", "double", "rename"]))
        if change == "delete":
            del around[key]
        elif change == "replace":
            around[key] = copy.deepcopy(draw(st.sampled_from(HARD)))
        elif change == "move":
            around[key] = copy.deepcopy(_at(found, draw(st.sampled_from(ways))))
        elif isinstance(around, list):
            around.insert(key, copy.deepcopy(around[key]))
        elif change == "rename":
            around[draw(st.sampled_from([h for h in HARD if isinstance(h, str)]))] = around.pop(key)
    return found


@st.composite
def changed_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """The text with one to three of its places changed."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(content)))
        there, behind = content[:place], content[place:]
        change = draw(st.sampled_from(["flip", "cut", "insert", "delete", "double"]))
        if change == "flip" and behind:
            content = there + bytes([behind[0] ^ 1 << draw(st.integers(0, 7))]) + behind[1:]
        elif change == "cut":
            content = there
        elif change == "insert":
            content = there + draw(st.sampled_from(BYTES)) + behind
        elif change == "delete":
            content = there + behind[draw(st.integers(1, 50)) :]
        elif change == "double":
            content = there + behind[: draw(st.integers(1, 100))] + behind
    return content


@st.composite
def hostile(draw: st.DrawFn, reader: Reader) -> bytes:
    """A file for a reader."""
    seed = draw(st.sampled_from(reader.seeds))
    if isinstance(seed, bytes):
        return draw(changed_bytes(seed))
    content = reader.written(draw(changed_values(seed)))
    return draw(changed_bytes(content)) if draw(st.booleans()) else content


# readers -----------------------------------------------------------------------------------------
def _command(path: Path, *words: str) -> int:
    return lemmata([word if word != "FILE" else str(path) for word in words])


def _asked(read: Callable[[Path], object], path: Path) -> int:
    with user_errors() as outcome:
        read(path)
    return outcome.code


def _node_link() -> networkx.DiGraph:
    graph = networkx.DiGraph(title="small")
    graph.add_node("x", input="true")
    graph.add_node("h", activation="relu", bias="0.5")
    graph.add_edge("x", "h", weight=0.5)
    graph.add_edge("h", "o", weight=1.25, parameter="a")
    graph.add_edge("x", "o", weight=2, fixed=True)
    return graph


def readers() -> dict[str, Reader]:
    """All of them, by name."""
    from tests.reports.sample_run import sample
    from tests.verify.certificates import STATED

    skip = json.loads((ROOT / "examples/skip.json").read_text())
    networks = (skip, networkx.node_link_data(_node_link(), edges="links"))
    graphml = ("".join(networkx.generate_graphml(_node_link())).encode(),)
    record = sample()
    line = entry(record, "1", None)
    record["history"] = [line, line]
    outputs = "html=o.html,md=o.md,junit=o.xml,json=o.json"
    history = f"{json.dumps(line)}\n".encode() * 2
    table = (
        b'[tool.lemmata]\nbudget = "smoke"\nseed = 3\noutput = ["json=a.json"]\nclaims = ["x.py"]\n'
    )
    other = ROOT / "examples/paper/claims.lock.json"
    known = json.loads(other.read_text(encoding="utf-8"))
    return {
        "draw": Reader(networks, lambda path: _command(path, "draw", "FILE")),
        "graphml": Reader(graphml, lambda path: _command(path, "draw", "FILE"), name="in.graphml"),
        "derive": Reader(networks, lambda path: _command(path, "derive", "FILE")),
        "laws": Reader(networks, lambda path: _command(path, "laws", "FILE")),
        "certificate": Reader(
            tuple(STATED.values()),
            lambda path: _command(path, "repro", "FILE"),
            codes=frozenset({0, 1, 2}),
        ),
        "record": Reader((record,), lambda p: _command(p, "report", "FILE", "--output", outputs)),
        "baseline": Reader((known,), lambda p: _command(p, "list", "--known", "FILE")),
        "difference": Reader(
            (record, known),
            lambda path: _command(path, "diff", "FILE", str(other)),
            codes=frozenset({0, 1, 4}),
        ),
        "history": Reader(
            (history,), partial(_asked, lambda path: (check(path), before(path))), name="in.jsonl"
        ),
        "configuration": Reader(
            (table,), partial(_asked, lambda path: configured(path.parent)), name="pyproject.toml"
        ),
    }


def put_before(reader: Reader, content: bytes, *, strict: bool = False) -> tuple[int, float]:
    """What a reader says to a file with this content, and in how many CPU seconds. Works in a
    folder of its own. Raises Fault."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = Path(reader.name)
        path.write_bytes(content)
        start = time.process_time()
        with redirect_stdout(out), redirect_stderr(err):
            code = reader.read(path.resolve())
        took = time.process_time() - start
        if Path(RUN).exists():
            raise Fault("a text of the data was run")
    told = out.getvalue() + err.getvalue()
    if code not in reader.codes or "Traceback" in told:
        raise Fault(f"exit code {code}: {err.getvalue()[-500:]}")
    if found := STEERING.intersection(told):
        raise Fault(f"written to the terminal: {sorted(map(ascii, found))}")
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if strict and (took > LONGEST or more > LARGEST):
        raise Fault(f"{took:.1f} CPU seconds, {more / 2**20:.1f} GiB more memory")
    return code, took


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--examples", type=int, default=1000)
    parser.add_argument("--only")
    parser.add_argument("--guided", action="store_true")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args(arguments)
    if options.guided:
        _guided(options.only or "draw", options.examples)
    faults = 0
    for name, reader in readers().items():
        if options.only in (None, name):
            faults += _fuzzed(name, reader, options.examples, options.strict)
    return 1 if faults else 0


def _guided(name: str, examples: int) -> None:
    """Let atheris look for changes that reach new code; it ends the process."""
    import atheris

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        for module in INSTRUMENTED:
            import_module(module)
    reader = readers()[name]

    @settings(
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),  # large files are wanted
    )
    @given(hostile(reader))
    def files(content: bytes) -> None:
        put_before(reader, content)

    kept = f"-artifact_prefix={tempfile.mkdtemp()}/"
    atheris.Setup([sys.argv[0], f"-runs={examples}", kept], files.hypothesis.fuzz_one_input)
    atheris.Fuzz()


def _fuzzed(name: str, reader: Reader, examples: int, strict: bool) -> bool:
    """Whether a fault was found among so many files for one reader."""
    taken = refused = 0
    slowest = 0.0

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),  # large files are wanted
    )
    @given(hostile(reader))
    def files(content: bytes) -> None:
        nonlocal taken, refused, slowest
        code, took = put_before(reader, content, strict=strict)
        target(took)  # towards what takes long
        taken, refused = taken + (code == 0), refused + (code != 0)
        slowest = max(slowest, took)

    try:
        files()
    except Fault as fault:
        print(f"{name:14} FAULT {fault}\n{fault.__notes__ if hasattr(fault, '__notes__') else ''}")
        return True
    print(
        f"{name:14} {taken:7,} taken, {refused:7,} refused, slowest {slowest:.2f} CPU s", flush=True
    )
    return False


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
