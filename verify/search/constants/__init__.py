"""How far the constants of an inequality can go: search, exact replay, and what follows."""
