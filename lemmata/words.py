"""Words of the command line that argparse does not know by itself."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any

GIVEN = "--output="
REPORT = re.compile(r"github|(html|json|junit|md)=.*")


class Several(argparse.Action):
    """An option that may be given again: a list of what was given. Its default is a tuple, of
    which nothing is left once it is given."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, **{"default": (), **more})

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Add one more."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*(before if isinstance(before, list) else ()), values])


def together(words: Sequence[str]) -> list[str]:
    """The words with reports after `--output` joined by commas, as `--output` takes them.

    >>> together(["run", "--output", "html=a.html", "md=b.md", "github", "lj22.risk"])
    ['run', '--output', 'html=a.html,md=b.md,github', 'lj22.risk']
    """
    found: list[str] = []
    for word in words:
        after = found[-2:-1] == ["--output"] or "".join(found[-1:]).startswith(GIVEN)
        if after and REPORT.fullmatch(word):
            found[-1] += f",{word}"
        else:
            found.append(word)
    return found
