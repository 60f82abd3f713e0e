"""A polynomial with the names of its symbols: shown as text, LaTeX, SymPy or JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphs.polynomials import Symbols
from graphs.rings import Polynomial


@dataclass(frozen=True)
class Expression:
    """A polynomial in normal form and the symbols it is written in."""

    symbols: Symbols
    polynomial: Polynomial

    @property
    def is_zero(self) -> bool:
        """Whether it is the zero polynomial."""
        return self.symbols.is_zero(self.polynomial)

    def as_sympy(self) -> Any:
        """A SymPy expression, expanded."""
        return self.symbols.to_sympy(self.polynomial)

    def as_text(self) -> str:
        """Plain text, which SymPy and Python read back."""
        return str(self.as_sympy())

    def as_latex(self) -> str:
        """LaTeX, without dollar signs."""
        return self.symbols.to_latex(self.polynomial)

    def as_json(self) -> dict[str, Any]:
        """Text, LaTeX and the terms: each a coefficient "p/q" and exponents by symbol."""
        terms = [
            {"coefficient": str(coefficient), "powers": dict(monomial)}
            for monomial, coefficient in self.symbols.to_dict(self.polynomial).items()
        ]
        return {"text": self.as_text(), "latex": self.as_latex(), "terms": terms}
