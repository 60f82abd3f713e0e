"""What is claimed and what is known: claims, evidence, verdicts, headlines."""
