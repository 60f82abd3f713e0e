"""Formulas in a line of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.plain import cut, padded, plain, shown_width, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"decomposition $\nu=\mu\circ h$", "decomposition ν=μ∘h"),
        (r"$v\in V\setminus\{I\cup O\}$", "v∈V∖{I∪O}"),
        (r"$\mathcal R(w)$ in $\mathbb R^d$", "R(w) in R^d"),
        (r"$$a=b\tag{4}$$", "a=b (4)"),
        ("two\nlines", "two lines"),
        (r"$\foo$", r"\foo"),
        (r"$\forall e \in E :\; w_{e} \le \frac{1}{2}$", "∀ e ∈ E :w_e ≤ 1/2"),
        (r"$\frac{d}{dt} \left(\frac{a + 1}{\lvert S \rvert}\right)$", "d/dt ((a + 1)/(|S|))"),
        (r"$\lvert V_{\mathrm{in}} \rvert = 1$", "|V_in| = 1"),
        (
            r"$\begin{cases} 1 & \text{if } c > 0 \\ 2 & \text{otherwise} \end{cases} = c$",
            "[1 if c > 0; 2 otherwise] = c",
        ),
    ],
)
def test_formulas_in_a_line_of_text(text, shown):
    assert plain(text) == shown


@given(st.text(max_size=30), st.integers(0, 20))
def test_a_text_is_cut_to_a_width(text, width):
    text = visible(text)
    found = cut(text, width)
    assert shown_width(found) <= width or found == text == ""
    if shown_width(text) <= width:
        assert found == text
        assert shown_width(padded(text, width)) == width
    else:
        assert found == "" or found.endswith("…")


def test_wide_and_combining_signs():
    assert shown_width("層e\u0301") == 3
    assert cut("層層層", 4) == "層…"
