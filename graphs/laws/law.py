"""One conserved quantity: a polynomial of degree at most 2 in the parameters, and why it is one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphs.network import Network
from graphs.notation import unique, weight_names

ONE = -1  # stands for the constant 1 where a monomial names a parameter
UNNAMED = "unnamed"
Term = tuple[int, int, Fraction]


@dataclass(frozen=True)
class Mixing:
    """Why a law holds: the infinitesimal change of the hidden vertices that it comes from.

    entries: (v, u, T_vu) with u <= v, T symmetric; see graphs.laws.mixing. Entries (v, v) alone are
    the potential of graphs.balance.
    """

    entries: tuple[tuple[int, int, Fraction], ...]


@dataclass(frozen=True)
class Translation:
    """Why a linear law holds: the path sums of the parameters it moves cancel (translations)."""


@dataclass(frozen=True)
class Expansion:
    """Why a law holds: its rate of change, with free slopes, is the zero polynomial."""


@dataclass(frozen=True)
class Product:
    """Why a quadratic law holds: it is the product of two linear ones."""


@dataclass(frozen=True)
class Motionless:
    """Why a linear law holds: its parameter reaches no output, and never moves."""


Proof = Mixing | Translation | Expansion | Product | Motionless


@dataclass(frozen=True)
class Law:
    """Q(w) = sum of coefficient * w_e * w_f over terms (e, f, coefficient), e <= f.

    terms: parameters by their number in the network; e = ONE for a linear term. name: the ledger's
    id of the statement that explains it, or "unnamed". subject: which vertices, layers or edges
    it is about, in words. proof: None where it is only what the samples leave ("not proved").
    """

    terms: tuple[Term, ...]
    name: str
    subject: str
    proof: Proof | None

    @property
    def linear(self) -> bool:
        """Whether the degree is 1."""
        return all(e == ONE for e, _, _ in self.terms)

    def as_text(self, names: tuple[str, ...]) -> str:
        """The polynomial, with a name for each parameter.

        >>> Law(((0, 0, Fraction(1)), (1, 2, Fraction(-2))), "", "", None).as_text(("a", "b", "c"))
        'a^2 - 2*b*c'
        """
        return _joined([(c, _monomial(e, f, names, "*")) for e, f, c in self.terms], "{}*{}", str)

    def as_latex(self, names: tuple[str, ...]) -> str:
        """The polynomial as LaTeX."""
        return _joined(
            [(c, _monomial(e, f, names, r"\,")) for e, f, c in self.terms], "{} {}", _tex
        )

    def as_json(self, network: Network) -> dict[str, Any]:
        """Strict JSON: parameters by name, coefficients "p/q"."""
        parameters = network.parameter_names
        return {
            "name": self.name,
            "subject": self.subject,
            "proof": None if self.proof is None else type(self.proof).__name__.lower(),
            "terms": [
                {"factors": [parameters[k] for k in (e, f) if k != ONE], "coefficient": str(c)}
                for e, f, c in self.terms
            ],
        }


def text_names(network: Network) -> tuple[str, ...]:
    """For each parameter an identifier."""
    count = range(network.parameter_count)
    return tuple(unique(weight_names(network, p)[0] for p in count))


def latex_names(network: Network) -> tuple[str, ...]:
    """For each parameter its LaTeX."""
    return tuple(weight_names(network, p)[1] for p in range(network.parameter_count))


def sorted_terms(coefficients: dict[tuple[int, int], Fraction]) -> tuple[Term, ...]:
    """Terms from coefficients of monomials (e, f) with e <= f, those that are 0 left out."""
    return tuple((e, f, c) for (e, f), c in sorted(coefficients.items()) if c)


def _monomial(e: int, f: int, names: tuple[str, ...], times: str) -> str:
    if e == ONE:
        return names[f]
    return f"{names[e]}^2" if e == f else f"{names[e]}{times}{names[f]}"


def _tex(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number)
    return rf"\tfrac{{{number.numerator}}}{{{number.denominator}}}"


def _joined(parts: list[tuple[Fraction, str]], times: str, shown: Any) -> str:
    text = ""
    for coefficient, monomial in parts:
        size = abs(coefficient)
        term = monomial if size == 1 else times.format(shown(size), monomial)
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} {term}" if text else (f"-{term}" if coefficient < 0 else term)
    return text or "0"
