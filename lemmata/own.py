"""Claims of one's own on the command line: reading their files, and a file to start from."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.errors import FINE, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.core.claim import Claim

PAPERS = "lemmata.papers"  # the group of entry points: the id of a paper = its package
TEMPLATE = '''"""Claims of your own: `lemmata run --claims {name}` checks them."""

from lemmata import Each, Matrix, Rate, Sum, card, claim, edges, hidden, into, out_of
from lemmata import paper, rank, users, w

paper("mine", "My paper")

# A statement about matrices: axes with one name have one length.
A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
claim("mine.lemma1", rank(A @ B) <= rank(A), "The rank of $AB$ is at most that of $A$.")

# One that is false: a counterexample is found, made small, and accepted by the checker.
claim("mine.lemma2", rank(A @ B) == rank(A), "The rank of $AB$ is that of $A$.")

# A statement about networks of any shape, along their gradient flow: w(e) is the weight of an edge.
claim(
    "mine.theorem1",
    Each(
        hidden(),
        lambda v: Rate(Sum(into(v), lambda e: w(e) ** 2))
        == Rate(Sum(out_of(v), lambda e: w(e) ** 2)),
    ),
    "At every hidden vertex the squared weights in and out grow at the same rate.",
    given={{"own parameters": Each(edges(), lambda e: card(users(e)) == 1)}},
)
'''


def loaded(files: Sequence[str] = ()) -> list[Claim]:
    """The claims of these files, or folders of a package; those of installed packages are there
    beside them. One of these that cannot be read is left aside, which is told."""
    points = installed()
    if not files and not points:  # then nothing is loaded
        return []
    from verify.runs.own_claims import ClaimFileError, load, load_installed

    own = [claim for file in files for claim in load(file)]
    for point in points:
        try:
            load_installed(point)
        except ClaimFileError as error:
            print(f"the installed paper {point.name} is left aside: {error}", file=sys.stderr)
    return own


def installed() -> list[EntryPoint]:
    """The packages of papers that are installed."""
    return sorted(entry_points(group=PAPERS), key=lambda point: point.name)


def new(options: Namespace) -> int:
    """Write a file of claims to start from. Raises UsageError where there is one."""
    path = Path(options.file)
    if path.exists():
        raise UsageError(f"{path} is there already: name another file")
    path.write_text(TEMPLATE.format(name=path.name), encoding="utf-8")
    print(f"{path} is written: lemmata run --claims {path}")
    return FINE
