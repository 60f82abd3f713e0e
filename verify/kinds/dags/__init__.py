"""Small DAG networks, for claims in code."""
