"""What is known of the laws of one network: the output of `lemmata laws`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphs.laws.law import Law, Motionless, latex_names, text_names
from graphs.laws.lie import Bound
from graphs.network import Network
from graphs.smoothness import what_is_known


@dataclass(frozen=True)
class Laws:
    """The laws of a network on a region, and how many there can be.

    laws: proved, independent as polynomials; with the products of two linear ones they span all
    that is proved. unproved: what the samples leave beside them, if anything. above: at most so
    many polynomials can stand in `laws` without the idle parameters (None where that was not
    bounded, for the reason `obstacle`). at: the bound on independent conserved functions of any
    kind near a point, idle parameters not counted.
    """

    network: Network
    region: Mapping[int, Fraction]
    laws: tuple[Law, ...]
    unproved: tuple[Law, ...]
    above: int | None
    obstacle: str
    at: Bound

    @property
    def idle(self) -> int:
        """How many parameters reach no output."""
        return sum(isinstance(law.proof, Motionless) for law in self.laws)

    @property
    def linear(self) -> int:
        """How many of the laws are linear."""
        return sum(law.linear for law in self.laws)

    @property
    def quadratic(self) -> int:
        """How many are not: the products of linear ones are not counted."""
        return len(self.laws) - self.linear

    @property
    def all_quadratic(self) -> bool:
        """Whether it is proved that there are no other laws of degree 2."""
        return self.above == len(self.laws) - self.idle

    @property
    def independent(self) -> int:
        """How many of the laws are independent functions near the point, at least."""
        return self.at.lower + self.idle

    @property
    def bound(self) -> int:
        """How many independent conserved functions there are near the point, at most."""
        return self.at.count + self.idle

    @property
    def complete(self) -> bool:
        """Whether every conserved function near the point is a function of the laws."""
        return self.at.count == self.at.lower

    @property
    def named(self) -> dict[str, int]:
        """How many laws have each name."""
        return dict(sorted(Counter(law.name for law in self.laws).items()))

    def as_json(self) -> dict[str, Any]:
        """Strict JSON."""
        net = self.network
        point = zip(net.parameter_names, self.at.point, strict=False)
        return {
            "format": "lemmata-laws",
            "version": 1,
            "network": str(net),
            "region": {net.names[v]: str(slope) for v, slope in self.region.items()},
            "parameters": net.parameter_count,
            "linear": self.linear,
            "quadratic": self.quadratic,
            "named": self.named,
            "laws": [law.as_json(net) for law in self.laws],
            "all_quadratic": self.all_quadratic,
            "at_most": None if self.above is None else self.above + self.idle,
            "known": list(what_is_known(net)),
            "not_proved": [law.as_json(net) for law in self.unproved],
            "independent": self.independent,
            "bound": self.bound,
            "complete": self.complete,
            "bracket_depth": self.at.depth,
            "point": {name: str(value) for name, value in point},
        }

    def as_latex(self) -> str:
        """One displayed formula for each law that is proved."""
        names = latex_names(self.network)
        return "".join(
            f"\\[ Q_{{{k}}} = {law.as_latex(names)} \\]\n"
            for k, law in enumerate(self.laws, start=1)
        )

    def as_text(self) -> str:
        """Plain text: the laws by name, what is certain, what is not."""
        net, names = self.network, text_names(self.network)
        lines = [str(net)]
        if self.region:
            slopes = ", ".join(f"{net.names[v]}={slope}" for v, slope in self.region.items())
            lines.append(f"on the region with the slopes {slopes}")
        lines += ["", "conserved by gradient flow, whatever the data and the loss"]
        for law in self.laws:
            lines += [f"  {law.name}: {law.subject}", f"    {law.as_text(names)}"]
        lines += [] if self.laws else ["  none of degree 1 or 2"]
        lines += ["", *self._counts()]
        if self.unproved:
            lines += ["", "not excluded by the samples, not proved"]
            lines += [f"  {law.as_text(names)}" for law in self.unproved]
        known = what_is_known(net)
        lines += ["", "around smooth activations"] if known else []
        lines += [f"  {sentence}" for sentence in known]
        return "\n".join(lines) + "\n"

    def _counts(self) -> list[str]:
        kinds = ", ".join(f"{count} {name}" for name, count in self.named.items())
        word = "law" if len(self.laws) == 1 else "laws"
        lines = [f"{len(self.laws)} {word}: {self.linear} linear, {self.quadratic} quadratic"]
        lines[0] += f" ({kinds})" if kinds else ""
        if self.linear:
            lines.append("products of two linear laws are conserved too, and not listed")
        if self.all_quadratic:
            lines.append("certified: there is no other law of degree 1 or 2")
        elif self.above is None:
            lines.append(f"not certified that there is no other: {self.obstacle}")
        else:
            lines.append(f"gap: at most {self.above + self.idle} of degree 1 or 2")
        near = f"the point w = {self._point()}" if self.at.point else "any point"
        how = "the fields" if self.at.depth == 1 else f"brackets of up to {self.at.depth} fields"
        if self.complete:
            lines.append(
                f"certified: {self.independent} independent, and no other conserved quantity of "
                f"any kind near {near}"
            )
        else:
            lines.append(
                f"gap: {self.independent} independent; at most {self.bound} conserved quantities "
                f"of any kind near {near}"
            )
        lines[-1] += f" (by {how})" if self.at.depth else ""
        return lines

    def _point(self) -> str:
        shown = [str(value) for value in self.at.point[:3]]
        more = ", ..." if len(self.at.point) > 3 else ""
        return f"({', '.join(shown)}{more})"
