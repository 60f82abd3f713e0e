"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


def written_whole(path: Path, text: str, *, lasting: bool = True) -> None:
    """Write a text to a file: on disk in full before it takes the place of what was there.

    Where that fails, on a full disk say, the old file stays as it is and nothing is left beside it.
    lasting: whether it is to survive a loss of power as well, which takes some milliseconds.
    Raises OSError, which names the file.
    """
    target = Path(os.path.realpath(path))  # through a link, which stays one
    draft = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        draft.replace(target)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None
        raise
