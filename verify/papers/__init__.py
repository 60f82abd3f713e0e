"""The papers: one folder each, one file a section, named as the paper names it."""
