"""The conserved quantities of gradient flow of any network, whatever the data and the loss."""

from graphs.laws.answer import Laws
from graphs.laws.find import find_laws
from graphs.laws.law import Law

__all__ = ["Law", "Laws", "find_laws"]
