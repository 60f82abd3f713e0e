"""Looking for what is false: drawing, climbing, admission, shrinking, certificates."""
