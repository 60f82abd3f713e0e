"""A NetworkX graph as a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphs.documents import Weights, from_json
from graphs.errors import NetworkError
from graphs.network import Network
from graphs.node_link import WORDS, as_document
from graphs.problems import Problems

if TYPE_CHECKING:
    import networkx


def from_networkx(
    graph: networkx.DiGraph, tell: Callable[[str], None] = lambda message: None
) -> tuple[Network, Weights | None]:
    """A directed acyclic graph as a network, and its weights if it has some.

    Attributes of nodes and edges are read as those of node-link data (graphs.node_link); all are
    optional. tell: gets one line on what the graph does not say and was guessed.

    Raises NetworkError and its subclasses, naming everything that is wrong.

    >>> import networkx
    >>> graph = networkx.DiGraph([("x", "h"), ("h", "o"), ("x", "o")])
    >>> str(from_networkx(graph)[0])
    'network (3 vertices, 3 edges, 3 parameters)'
    """
    from networkx import node_link_data

    if not hasattr(graph, "is_directed") or not graph.is_directed() or graph.is_multigraph():
        raise NetworkError(f"{type(graph).__name__}: give a networkx.DiGraph")
    problems, guesses = Problems(), list[str]()
    document = as_document(node_link_data(graph, edges="edges"), problems, guesses)
    found = from_json(document, WORDS, problems)
    if guesses:
        tell(f"not said in the graph, so taken: {'; '.join(guesses)}")
    return found
