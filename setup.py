"""How the wheel is laid out; all else is in pyproject.toml.

In the repository five folders stand side by side. Installed so, `graphs` or `reports` would take
these names from everybody else in the environment. So the wheel has them within `lemmata`, and
what they import from each other is named so there. Beside them go the baseline and the examples.
"""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

WITHIN = ("graphs", "numerics", "verify", "reports")
IMPORTS = re.compile(rf"^(\s*from )(?=(?:{'|'.join(WITHIN)})[. ])", re.MULTILINE)
BESIDES = ("claims.lock.json", "statements.lock.json", "examples")


def renamed(source: str) -> str:
    """A source file with what it imports from the house named as in the wheel."""
    return IMPORTS.sub(r"\1lemmata.", source)


class Within(build_py):
    """Builds the one package `lemmata`."""

    def run(self) -> None:
        """Build as usual, then move, and name anew what is imported."""
        built = Path(self.build_lib)
        shutil.rmtree(built / "lemmata", ignore_errors=True)  # what an earlier build left
        super().run()
        if self.editable_mode:
            return
        package = built / "lemmata"
        for name in WITHIN:
            (built / name).replace(package / name)
        for path in package.rglob("*.py"):
            path.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
        for name in BESIDES:
            copy = shutil.copytree if Path(name).is_dir() else shutil.copy
            copy(name, package / name)


class Named(egg_info):
    """Writes the metadata, which tell whose a name is."""

    def run(self) -> None:
        """Write them as usual, but for the names of packages: these are of the repository."""
        super().run()
        (Path(self.egg_info) / "top_level.txt").write_text("lemmata\n", encoding="utf-8")


if __name__ == "__main__":
    setup(cmdclass={"build_py": Within, "egg_info": Named})
