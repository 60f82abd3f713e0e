"""Formulas as MathML: all that the claims use is typeset, nothing leaks, spaces and fonts fit."""

import html
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reports.mathml import FormulaError, formula, inline, paragraphs
from tests.reports.markup import assert_well_nested

FORMULAS = r"""
\nu:\mathbb R^d\to\mathbb R
w\in\mathbb R^{\bar E}
\mathrm{IN}_v=\{u:uv\in E\}
\sigma_v(\lambda z)=\lambda\sigma_v(z)
x\mapsto\max(x,\alpha x)
z_v=\sum_{u\in\mathrm{IN}_v}w_{uv}\,\mathrm{post}_u
\mathcal P=\{p_1,\dots,p_\rho\}
\rho=|\mathcal P|
\mathrm{sgn}:\mathbb R\to\{-1,1\}
\|\cdot\|_2
\lVert x_i\rVert\le1
\mathcal R(w)=\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i;w))
\ell(z)=\log(1+e^{-z})
\partial f(x)=\mathrm{CONV}\{\lim_i\nabla f(x_i):x_i\in D^c,\ x_i\to x\}
\frac{dw(t)}{dt}\in-\partial\mathcal R(w(t))
\kappa_j:=\frac1n\ell'(y_j\nu(x_j;w))\,y_j
w(t+1)-w(t)=-\eta(t)\,d(w(t))
\eta:\mathbb N\to\mathbb R_{\ge0}
V=(I\equiv V_1)\sqcup V_2\sqcup\dots\sqcup(V_{L+1}\equiv O)
\mathbb R^{n_{i+1}\times n_i}\ni W^{[i]}=((w_{v_{i,j}v_{i+1,k}}))_{j\in[n_i],k\in[n_{i+1}]}
h:(x_1,\dots,x_d)\mapsto\big(x_p\prod_{e\in p}w_e\big)_{p\in\mathcal P}
\nu(x;w)=\big\langle(Z_p(x;w))_{p\in\mathcal P},\,h(x;w)\big\rangle_{\mathbb R^\rho}
\displaystyle\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,e\in p}[\nabla_w\mu]_p
\Big(w_e\,\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)\prod_{f\in p,f\ne e}w_f
a\cdot\sigma(x)=\mathrm{sgn}(a)\cdot\sigma(x|a|)
\sum_{u\in\mathrm{IN}_v}w_{uv}^2(t)-\sum_{b\in\mathrm{OUT}_v}w_{vb}^2(t)
v\in V\setminus(I_G\cup O_G)
\frac{d}{dt}\big[W_2(t)^\top W_2(t)\big]_{\mathrm{act}}=0
W_1=[U_1\ \ Z_1],\quad W_2=\begin{bmatrix}Y_2\\Z_2\end{bmatrix}
f(x,y)=\begin{cases}x&\text{if }x\le y\\y&\text{otherwise}\end{cases}
\begin{aligned}a&=b\\c&=d\end{aligned}
\begin{pmatrix}\frac1{\sqrt2}B\\\tilde B\end{pmatrix}^T y
F\subset E,\quad(V,E\setminus F,w)
\sum_{e\in F}w_e^2-\sum_{f\in F'}w_f^2=\sum_{e\in F}w_e^2(0)-\sum_{f\in F'}w_f^2(0)
p\subseteq q,\ |q|-|p|=1,\ \mathcal S\subset\wp(S)
(G[\mathrm{PRE}](v))(x)=x_j\text{ if }v\equiv i_j^G\text{ for some }j\in[d]
G'[w](e)=G[w](e)\,|G[w](f)|
\arg\max_{x}f(x)=\operatorname*{argmax}_{x}f(x)
\operatorname{rank}(W)\le\dim_T
w(t)\xrightarrow{t\to\infty}\bar w
f\stackrel{\text{def}}{=}g
\underbrace{a+b}_{n}
\left(\frac{\|W\|_F}{\|W\|_2}\right)^2\in[1,\infty)
\limsup_{t\to\infty}\frac1t\int_0^t\dot w(s)\,ds
\widehat{\Sigma},\hat x,\tilde x,\bar x,\overline{xy},\vec v
\mathbf W,\mathsf B,\mathfrak g,\mathbb 1
\forall\varepsilon>0\ \exists\delta:\ \emptyset\ne A\cap B
\nu=\mu\circ h,\ a\approx b\propto c\sim d
\tfrac12+\dfrac34,\ \lfloor x\rfloor,\ \lceil x\rceil
""".strip().splitlines()

LEAKS = re.compile(r"\\|\$|(?<![&#\w])&(?!\w+;|#)")


def test_a_formula_carries_its_latex_once_and_no_styles():
    long = r"a_1+a_2+a_3+a_4+a_5+a_6+a_7+a_8<f(x_1,\n x_2+x_3)".replace(r"\n", "\n")
    markup = formula(long, display=True)
    (latex,) = re.findall(r'alttext="([^"]*)"', markup)
    assert html.unescape(latex) == " ".join(long.split())
    assert markup.index("alttext") < markup.index("</math>")
    aligned = formula(r"\begin{aligned}a&=b\\c&=d\end{aligned}")
    assert "class=right" in aligned
    assert " style=" not in aligned


def shown(markup: str) -> str:
    """The text that a reader sees."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("display", [False, True])
@pytest.mark.parametrize("latex", FORMULAS)
def test_what_claims_use_is_typeset(latex, display):
    markup = formula(latex, display=display)
    assert_well_nested(markup)
    assert not LEAKS.search(shown(markup))
    letters = set(re.findall(r"[a-z]", re.sub(r"\\[A-Za-z]+|\{[a-z]+\}", "", latex)))
    assert letters <= set(unicodedata.normalize("NFKC", shown(markup)))  # nothing is lost either


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        (r"\foo x", r"\foo"),
        (r"\big\foo", r"\foo"),
        (r"a & b", "&"),
        (r"\begin{gather}x\end{gather}", "gather"),
        (r"\begin{align}x\end{align}", "align"),
        (r"\text{a $x$ b}", "$"),
        (r"\frac{1}", "argument"),
        (r"\frac{1", "braces"),
        (r"x^", "x^"),
        (r"\left(x", "left"),
        (r"\begin{cases}a", "cases"),
    ],
)
def test_what_cannot_be_typeset_is_named(latex, name):
    with pytest.raises(FormulaError) as caught:
        formula(latex)
    assert name in str(caught.value)
    assert repr(latex) in str(caught.value)


PIECES = re.findall(r"\S+|\s", r"\foo\sum\frac\mathrm\arg\max\in\big".replace("\\", " \\"))
PIECES += [*"{}_^&$x1()|", r"\{", r"\}", r"\\"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example(r"\mathrm\foo")
def test_no_string_leaks(latex):
    try:
        markup = formula(latex)
    except FormulaError:
        return
    assert_well_nested(markup)
    assert not LEAKS.search(shown(markup))


@pytest.mark.parametrize(
    ("latex", "part"),
    [
        (r"\mathrm{sgn}", "<mi>sgn</mi>"),
        (r"\mathcal R", "<mi>ℛ</mi>"),
        (r"\mathcal P", "<mi>𝒫</mi>"),
        (r"\mathbb R", "<mi>ℝ</mi>"),
        (r"\mathfrak C", "<mi>ℭ</mi>"),
        (r"\mathbf w", "<mi>𝐰</mi>"),
        (r"\big\langle x", "⟨</mo>"),
        ("F'", "<mi>F</mi><mi>′</mi>"),
        (r"A\setminus B", "∖"),
        ("D{=}I", "<mo lspace=0 rspace=0>=</mo>"),
        (r"\dot w", "accent=true"),
        (r"a:=b", "<mo>≔</mo>"),
        (r"\sum_i x", "<munder><mo>∑</mo>"),
        (r"\max_i x", "<munder>"),
    ],
)
def test_fonts_and_signs(latex, part):
    assert part in formula(latex)


@pytest.mark.parametrize("latex", ["-1", "(-1", "a=-1", r"\{-1,1\}", "a,-1", r"x\le-1"])
def test_a_sign_without_a_term_before_it_is_unary(latex):
    assert "form=prefix" in formula(latex)


@pytest.mark.parametrize("latex", ["a-1", "(a)-1", "|a|-1", "x^2-1", r"\|w\|-1"])
def test_a_sign_after_a_term_is_binary(latex):
    assert "form=prefix" not in formula(latex)


@pytest.mark.parametrize(
    "latex", [r"\begin{pmatrix}a\\b\end{pmatrix}^T", r"A=\begin{bmatrix}a&b\end{bmatrix}"]
)
def test_the_brackets_of_a_matrix_stretch_with_it_alone(latex):
    assert re.search(
        r"<mrow><mo>[(\[]</mo><mtable>.*</mtable><mo>[)\]]</mo></mrow>", formula(latex)
    )


def test_a_formula_may_be_broken_after_a_large_bracket_with_a_power():
    markup = formula(r"\big(a_1+a_2+a_3\big)^2\ge b_1+b_2+b_3+b_4+b_5", display=True)
    assert "<math displaystyle=true><mo>≥</mo>" in markup
    assert "<mpadded" not in markup
    assert "<mrow><mo" not in markup


def test_what_a_browser_knows_of_an_operator_is_not_said():
    assert "<mo>‖</mo>" not in formula(r"\|x\|")  # it would stretch
    assert formula(r"\left\|x\right\|").count("<mo>‖</mo>") == 2
    assert "fence" not in formula(r"\left(x\right)+(x)+\lVert x\rVert")
    assert formula(r"\Big|x").count("stretchy=true") == 1  # which a bar amid a row would not


def test_a_function_name_has_room_only_before_a_letter():
    assert "mspace" in formula(r"\log x")
    assert "mspace" not in formula(r"\log(x)")
    assert formula(r"2\log x").count("mspace width") == 2
    assert "<mo movablelimits=true lspace=0.167em rspace=0>max</mo><mo stretchy" in formula(
        r"2\max(x)"
    )


def test_long_formulas_may_be_broken_and_short_ones_not():
    long = r"a_1+a_2+a_3+a_4+a_5+a_6+a_7+a_8=f(x_1,x_2+x_3)"
    assert formula(long).count("<math") == 9
    assert "<mo>+</mo>" in formula(long).split("</math>")[-2]  # but never inside brackets
    assert formula("a+b=c").count("<math") == 1
    broken = formula(long, display=True)
    assert "<math displaystyle=true><mo>=" in broken
    assert "<math displaystyle=true><mo form=infix>+" in broken  # which else would be a sign


def test_text_is_escaped_and_formulas_are_not_text():
    markup = inline('for <b> & $x<y$ and `a<b`, "so"')
    assert "for &lt;b&gt; &amp; <math alttext=" in markup
    assert "<mo>&lt;</mo>" in markup
    assert "<code>a&lt;b</code>, “so”" in markup


def test_numbers_in_text_have_a_minus_sign():
    assert inline("from -2 to -1.5, (18)-(22), 0-1, x-1") == "from −2 to −1.5, (18)-(22), 0-1, x-1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("|H_f| at w_0", "|<i>H</i><sub>f</sub>| at <i>w</i>₀"),
        ("|f - f_lin|", "|f − <i>f</i><sub>lin</sub>|"),
        ("f_lin, V_12", "<i>f</i><sub>lin</sub>, <i>V</i>₁₂"),
        ("of order m^(-1/2)", "of order m<sup>−1/2</sup>"),
        ("|x|^2 <= M^w", "|x|² ≤ M<sup>w</sup>"),
        ("(log m)^0.5, m^2. So", "(log m)<sup>0.5</sup>, m². So"),
        ("w_0^1, 10^(-12)", "<i>w</i>₀¹, 10⁻¹²"),
        ("in_layer, hyp_unique and `w_0`", "in_layer, hyp_unique and <code>w_0</code>"),
        ("none is 'a tree', it's", "none is ‘a tree’, it’s"),
    ],
)
def test_words_have_their_indices_and_powers(text, shown):
    assert inline(text) == shown


def test_paragraphs_and_numbered_equations():
    markup = paragraphs("First\nline\n\nsecond $x$:\n$$a=b\\tag{4}$$\nthird")
    assert_well_nested(markup)
    assert markup.count("<p>") == 3
    assert '<div class="number">(4)</div>' in markup
    assert "tag" not in shown(markup)
    assert 'class="number"' not in paragraphs("$$a=b$$")


def test_a_single_dollar_sign_is_refused():
    with pytest.raises(FormulaError, match="without its partner"):
        paragraphs("costs 5$")
