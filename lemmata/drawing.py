"""The command `draw`: a network as a picture, or as text in the terminal."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from lemmata.errors import FINE, UsageError
from lemmata.reading import read_network
from lemmata.writing import check_writable


def draw(options: Namespace) -> int:
    """Draw a network: as text, or in a file as SVG or HTML."""
    from graphs.files import to_json
    from reports.sketch import sketch

    target = None if options.output is None else Path(options.output)
    if target is not None:
        if target.suffix.lower() not in (".svg", ".html"):
            raise UsageError(f"--output {target}: give a name in .svg or .html")
        check_writable(target)
    network, weights = read_network(options.network, options.shape)
    record = to_json(network, weights)
    if target is None:
        print(sketch(record), end="")
        return FINE
    _write(record, str(network), target, options.network)
    print(f"drawn: {target}")
    return FINE


def _write(record: dict[str, object], title: str, target: Path, source: str) -> None:
    from reports.figures import drawable
    from reports.portraits import MOST, as_html, as_svg

    if not drawable(record, MOST):
        vertices, edges = MOST
        raise UsageError(
            f"{source}: {title} is too large for a picture of at most {vertices} vertices and "
            f"{edges} edges: without --output it is written as text"
        )
    picture = as_svg(record) if target.suffix.lower() == ".svg" else as_html(record, title)
    target.write_text(picture, encoding="utf-8")
