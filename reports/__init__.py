"""How it is shown: pure functions from the record of a run to files."""
