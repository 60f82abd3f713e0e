"""Reading HTML strictly: every tag closed, in order."""

from html.parser import HTMLParser

VOID = {"meta", "wbr", "br", "hr", "link", "img", "input", "!doctype"}


class Page(HTMLParser):
    """What a page holds. Raises AssertionError on a tag that is not closed in order."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.around: list[tuple[str, set[str]]] = []  # open tags and the names of their attributes
        self.at: list[tuple[str, set[str]]] = []  # tags, and all such names on them or around them
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []  # tag, name, value
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        own = {name for name, _ in attributes}
        self.at.append((tag, own.union(*(names for _, names in self.around))))
        if tag not in VOID:
            self.open.append(tag)
            self.around.append((tag, own))

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        self.around.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        """The words that a reader sees."""
        return " ".join("".join(self.words).split())

    @property
    def apart(self) -> str:
        """The same with a space wherever a tag stands."""
        return " ".join(" ".join(self.words).split())

    def inside(self, tag: str) -> list[set[str]]:
        """For each such tag the names of the attributes that it or a tag around it has."""
        return [names for there, names in self.at if there == tag]

    def values(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, attribute, value in self.attributes if attribute == name]


def assert_well_nested(markup: str) -> None:
    """Raises AssertionError when a tag is not closed in order."""
    Page(markup)
