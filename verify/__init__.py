"""What is claimed and what is known: claims, hypotheses, evidence, verdicts, runs."""
