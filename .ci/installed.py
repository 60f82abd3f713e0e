"""Whether the packages of the wheel and their data are there.

Run with the wheel's interpreter, outside the checkout. The one argument is the checkout,
whose own copies must not be what is found.
"""

import importlib
import importlib.util
import json
import sys
import tomllib
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

HOUSE = ("graphs", "numerics", "verify", "reports")
PACKAGES = (*(f"lemmata.{name}" for name in HOUSE), "lemmata.verify.papers")
DATA = (
    ("lemmata.verify.papers.lj22", "ledger.toml"),
    ("lemmata.verify.checker", "statement.schema.json"),
    ("lemmata.reports", "run.schema.json"),
    ("lemmata", "claims.lock.json"),
    ("lemmata", "statements.lock.json"),
    ("lemmata", "examples/skip.json"),
)


def main(checkout: Path) -> str:
    """What was found. Raises SystemExit, naming the first thing that is wrong."""
    for name in ("lemmata", *PACKAGES, "lemmata.verify.checker"):
        place = Path(importlib.import_module(name).__file__ or "").resolve()
        if checkout in place.parents:
            raise SystemExit(f"{name} comes from the checkout ({place}), not from the wheel")
    for page in ("engine", "proofs", "lj22", "j23", "dkbhl20", "zlb22"):
        place = files("lemmata.reports.mathematics").joinpath(f"{page}.md")
        text = place.read_text(encoding="utf-8")
        if not text.startswith("# "):
            raise SystemExit(f"reports/mathematics/{page}.md is no page in the wheel")
    for name in HOUSE:
        if importlib.util.find_spec(name) is not None:
            raise SystemExit(f"{name} is a name that the wheel takes from other packages")
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
