"""What the language does not hold, a folder each."""
