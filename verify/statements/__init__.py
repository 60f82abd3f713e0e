"""Claims as terms: what they are measured by, what many of them share."""
