"""A graph of NetworkX, and what the registered statements say of it."""

import networkx

from lemmata import check, from_networkx

graph = networkx.DiGraph([("x1", "h"), ("x2", "h"), ("h", "o"), ("x2", "o")])
network, weights = from_networkx(graph)
print(check(network, weights, seconds=20))
