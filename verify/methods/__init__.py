"""How evidence is found: one method a file, each from a claim and a context to evidence."""
