"""Arrays of a certificate as formulas."""

from reports.arrays import arrays, lengths
from reports.exhibit import found_value
from tests.reports.markup import Page

LETTERS = {"gap2": "$s_{k+1}$", "blocks": "number of blocks"}


def shown(**written):
    parts = {
        name: {"axes": list("abcd"[: len(lengths_of(value))]), "entries": value}
        for name, value in written.items()
    }
    return arrays({"arrays": parts}, LETTERS)


def lengths_of(value):
    found = []
    while isinstance(value, list):
        found.append(len(value))
        value = value[0]
    return found


def test_a_matrix_is_a_table_with_its_name():
    page = shown(W1=[["1/2", "-3"], ["0", "-1/3"]])
    assert page.count("<mtr>") == 2
    assert page.count("<mtd>") == 4
    assert page.count("<mfrac>") == 2
    assert page.startswith('<p class="arrays">')
    assert "<msub><mi>W</mi><mn>1</mn></msub>" in page


def test_a_row_and_a_tensor():
    row = shown(x=["1", "2"])
    assert "(1,2)" in Page(row).text
    assert row == shown(x=[["1", "2"]])
    assert "<mtr>" not in row
    words = shown(blocks=[[["1", "3"]], [["2", "3"]]])
    assert "number of blocks, slice 2: " in words
    assert shown(T=[[["1", "3"]], [["2", "3"]]]).count("<mo>,</mo>") == 2


def test_numbers_stand_in_one_line_behind_the_matrices():
    page = shown(n="224", M=[["1"], ["2"]], blocks="3", a1="2", x=["3", "4"])
    assert page.count("<li>") == 2
    assert page.index("<mi>M</mi>") < page.index("224")
    assert "number of blocks" in page


def test_what_is_large_is_left_to_the_certificate():
    page = shown(M=[["1"] * 9])
    assert "1 × 9, in the certificate" in page
    assert "<mtable>" not in page


def test_lengths():
    assert lengths([["1", "2"]], 2) == (1, 2)
    assert lengths("1", 0) == ()


def test_names_are_shown_by_the_letters_of_the_paper_or_not_at_all():
    page = shown(gap2="3", secret=[["1"]], other="2")
    assert "<mi>s</mi>" in page
    assert "gap2" not in page.replace("alttext", "")
    assert "secret" not in page
    assert "2 further arrays in the certificate" in page


def test_a_witness_is_told_to_make_the_statement_true():
    for kind, word in (("witness", "true"), ("counterexample", "false")):
        claim = {"certificate": {"kind": kind, "at": [], "value": None}}
        assert found_value(claim) == f"<p>What the statement says is {word}.</p>"
