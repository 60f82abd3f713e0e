"""The files of the repository, as the whole-repository tests see them."""

import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ("graphs", "numerics", "verify", "reports", "lemmata")
LEFT_BY_TOOLS = {".venv", ".git", "build", "dist", "__pycache__", ".lemmata", ".hypothesis"}


@cache
def tracked_files() -> tuple[Path, ...]:
    """The tracked files, relative to the root (outside a checkout: all but what tools leave)."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        listed = ""
    names = [Path(name) for name in listed.split("\0") if name]
    if not names:
        names = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
        names = [name for name in names if not LEFT_BY_TOOLS & set(name.parts)]
    return tuple(sorted(name for name in names if (ROOT / name).is_file()))


@cache
def texts() -> dict[Path, str]:
    """Path and text of each tracked file that is text."""
    found = {}
    for name in tracked_files():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            found[name] = data.decode("utf-8")
    return found


@cache
def house_sources() -> dict[Path, str]:
    """Path and text of each tracked Python file of the five packages."""
    return {p: text for p, text in texts().items() if p.parts[0] in HOUSE and p.suffix == ".py"}


def module_name(path: Path) -> str:
    """The dotted name of a Python file, `verify.papers` for its `__init__`."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


COMMAND = """
import sys
sys.argv = ["lemmata", *sys.argv[1:]]
from lemmata.main import main
try:
    code = main()
except SystemExit as stopped:
    code = stopped.code
HEAVY = {"torch", "sympy", "numpy", "networkx", "latex2mathml"}
print("LOADED", sorted(HEAVY & set(sys.modules)), "CODE", code or 0)
"""


def printed_by(argument: str) -> str:
    """What `lemmata <argument>` prints, and then which heavy packages it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, argument],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
