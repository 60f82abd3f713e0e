"""GraphML, read by networkx, as node-link data (graphs.node_link).

Numbers stay texts, so that they are read exactly as they are written.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError

from graphs.errors import NetworkError


def parse_graphml(content: bytes) -> dict[str, Any]:
    """The first graph as node-link data; whether it is a network is not checked here.

    Raises NetworkError when the GraphML is malformed.
    """
    import networkx
    from networkx.readwrite.graphml import GraphMLReader

    class Reader(GraphMLReader):  # type: ignore[misc] # networkx has no types
        """That leaves numbers as they are written."""

        def construct_types(self) -> None:
            super().construct_types()
            self.python_type: dict[str, type] = {
                name: bool if name == "boolean" else str for name in self.xml_type.values()
            }

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ports, and keys without a type: both are no matter
            graphs = list(Reader(force_multigraph=True)(path=BytesIO(content)))
        if not graphs:
            raise NetworkError("malformed GraphML: no graph in it: export one")
        found: dict[str, Any] = networkx.node_link_data(graphs[0], edges="edges")
    except (ParseError, networkx.NetworkXError, LookupError, ValueError, TypeError) as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError(f"malformed GraphML: {error!r}: export it again") from error
    return found
