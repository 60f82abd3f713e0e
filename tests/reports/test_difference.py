"""Word-level differences: nothing of the new text is lost, nothing old is passed off as new."""

import re

from hypothesis import given
from hypothesis import strategies as st

from reports.difference import changed, hypotheses_changed
from tests.reports.markup import Page

WORDS = st.lists(st.sampled_from(["for", "all", "$x$", "v", "of", "norm,", "(a)"]), max_size=12)


def plain(markup: str) -> str:
    return Page(markup).text.replace(" ", "")


def without(tag: str, markup: str) -> str:
    return re.sub(rf"<{tag}>.*?</{tag}>", "", markup)


@given(WORDS, WORDS)
def test_without_what_is_gone_it_is_the_new_text_and_without_what_is_new_the_old(old, new):
    before, after = " ".join(old), " ".join(new)
    found = changed(before, after)
    same = "".join(after.split()).replace("$", "")
    assert plain(without("del", found)) == same
    if "<ins>" in found or "<del>" in found:
        assert plain(without("ins", found)) == "".join(before.split()).replace("$", "")


def test_a_changed_formula_is_marked_as_a_whole():
    found = changed("Then $$a=b\\tag{6}$$ for ($x$), so.", "Then $$a=c\\tag{6}$$ for ($x$), so.")
    assert found.count("<ins>") == found.count("<del>") == 1
    assert found.count('class="display"') == 2
    assert "tag" not in Page(found).text
    assert "(\u2060<math" in found
    assert "</math>\u2060), so." in found


def test_a_formula_whose_relation_runs_into_a_letter_is_typeset():
    for bar in ("$", "$$"):
        found = changed(f"Then {bar}a\\gek{bar} so.", f"Then {bar}b\\gek{bar} so.")
        assert found.count("<math") == 2
        assert "latex" not in found
        assert "a≥k" in plain(found)


def test_a_mark_that_is_new_stands_at_its_word():
    assert (
        changed("for all $k$ it holds", "for all $k$, and $l$, it holds").count("</math><ins>, ")
        == 1
    )


def test_texts_that_share_little_are_not_compared():
    assert "<ins>" not in changed("one two three four", "five six seven eight")


def test_a_label_of_repairs_is_left_out():
    assert (
        Page(changed("for all v.", "for all v. Repaired: not for u.")).text
        == "for all v. not for u."
    )


def test_hypotheses_that_are_added_said_otherwise_or_dropped():
    old = [{"name": "a", "statement": "1"}, {"name": "b", "statement": "2"}]
    new = [{"name": "a", "statement": "3"}, {"name": "c", "statement": "4"}]
    added, dropped = hypotheses_changed(old, new)
    assert [h["name"] for h in added] == ["a", "c"]
    assert dropped == ["b"]


def test_in_short_only_the_words_beside_a_change_are_kept():
    words = [f"word{k}" for k in range(90)]
    after = [*words[:45], "new", *words[45:]]
    found = Page(changed(" ".join(words), " ".join(after), short=True)).text
    assert found.startswith("… word40")
    assert "word44 new word45" in found
    assert found.endswith("word49 …")
    assert "…" not in changed(" ".join(words), " ".join(after))
