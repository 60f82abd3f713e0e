"""Whether the packages of the wheel and their data are there.

Run with the wheel's interpreter, outside the checkout. The one argument is the checkout,
whose own copies must not be what is found.
"""

import importlib
import json
import sys
import tomllib
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

PACKAGES = ("graphs", "numerics", "verify", "verify.papers", "reports", "lemmata")
DATA = (
    ("verify.papers.lj22", "ledger.toml"),
    ("verify.checker", "statement.schema.json"),
    ("reports", "run.schema.json"),
)


def main(checkout: Path) -> str:
    """What was found. Raises SystemExit, naming the first thing that is wrong."""
    for name in (*PACKAGES, "verify.checker"):
        place = Path(importlib.import_module(name).__file__ or "").resolve()
        if checkout in place.parents:
            raise SystemExit(f"{name} comes from the checkout ({place}), not from the wheel")
    for page in ("engine", "proofs", "lj22", "j23", "dkbhl20", "zlb22"):
        text = files("reports.mathematics").joinpath(f"{page}.md").read_text(encoding="utf-8")
        if not text.startswith("# "):
            raise SystemExit(f"reports/mathematics/{page}.md is no page in the wheel")
    sizes = []
    for package, name in DATA:
        read = tomllib.loads if name.endswith(".toml") else json.loads
        data = read(files(package).joinpath(name).read_text(encoding="utf-8"))
        if not data:
            raise SystemExit(f"{package}/{name} is empty in the wheel")
        sizes.append(f"{name} ({len(data)} keys)")
    return f"lemmata {version('lemmata')}: {', '.join(PACKAGES)}; {', '.join(sizes)}"


if __name__ == "__main__":
    print(main(Path(sys.argv[1]).resolve()))
