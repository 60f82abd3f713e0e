"""A second reader of exported source, which knows nothing of the exporter.

It splits a file into sentences, parses definitions and statements, and evaluates expressions: so
what `vm_compute` has to show can be computed without Rocq.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

TOKEN = re.compile(
    r"\s+|[A-Za-z_][A-Za-z0-9_']*|[0-9]+|:=|->|=>|/\\|==|[-+*/^#=~|(),:.\[\]]", re.ASCII
)
Tree = tuple[Any, ...]


def without_comments(source: str) -> str:
    """The source with its comments, which may nest, blanked. Fails where one does not end."""
    depth, kept = 0, []
    for part in re.split(r"(\(\*|\*\))", source):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
            assert depth >= 0
        elif depth:
            assert '"' not in part, "a string opens in a comment"
        else:
            kept.append(part)
    assert depth == 0
    return " ".join(kept)


def sentences(source: str) -> list[list[str]]:
    """The tokens of each sentence, without its period. Fails where a character is no token."""
    text, at = without_comments(source), 0
    found: list[list[str]] = [[]]
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at : at + 40]
        token, at = match[0], match.end()
        if token == "." and (at == len(text) or text[at].isspace()):
            found.append([])
        elif not token.isspace():
            found[-1].append(token)
    assert not found[-1], "the last sentence does not end with a period"
    return found[:-1]


@dataclass
class Statement:
    """A conclusion, and the sentences of its proof."""

    conclusion: Tree
    proof: list[list[str]] = field(default_factory=list)


@dataclass
class Module:
    """What a file defines, states, and is asked the axioms of."""

    definitions: dict[str, Tree] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)


class Parser:
    """Recursive descent over the tokens of one expression."""

    LEVELS = (("/\\",), ("=", "=="), ("+", "-"), ("*", "/"), ("#",))

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.next
        assert token, "the expression ends too early"
        assert expected in (None, token), (expected, self.tokens[self.at :][:8])
        self.at += 1
        return token

    def whole(self) -> Tree:
        tree = self.level(0)
        assert self.at == len(self.tokens), self.tokens[self.at :][:8]
        return tree

    def level(self, k: int) -> Tree:
        if k == len(self.LEVELS):
            return self.application()
        if self.next == "-" and k == 2:
            self.take()
            left: Tree = ("neg", self.level(3))
        elif self.next == "~" and k <= 1:
            self.take()
            left = ("not", self.level(1))
        else:
            left = self.level(k + 1)
        right_first = self.LEVELS[k][0] == "/\\"
        while self.next in self.LEVELS[k]:
            token = self.take()
            left = (token, left, self.level(k if right_first else k + 1))
        return left

    def application(self) -> Tree:
        head = self.atom()
        arguments = []
        while re.fullmatch(r"[A-Za-z_0-9(].*", self.next):
            arguments.append(self.atom())
        return ("apply", head, *arguments) if arguments else head

    def atom(self) -> Tree:
        token = self.take()
        if token == "(":
            tree = self.level(0)
            self.take(")")
            return tree
        if token.isdigit():
            return ("number", int(token))
        assert re.fullmatch(r"[A-Za-z_].*", token), token
        return ("name", token)


def read(source: str) -> Module:
    """What a file defines and shows."""
    module, current = Module(), None
    for sentence in sentences(source):
        word = sentence[0]
        if word == "Definition":
            cut = sentence.index(":=")
            module.definitions[sentence[1]] = Parser(sentence[cut + 1 :]).whole()
        elif word in ("Lemma", "Theorem"):
            assert sentence[2] == ":"
            current = Statement(Parser(sentence[3:]).whole())
            module.statements[sentence[1]] = current
        elif sentence[:2] == ["Print", "Assumptions"]:
            module.assumptions.append(sentence[2])
        elif word not in ("From", "Open", "Proof", "Qed"):
            assert current is not None, sentence
            current.proof.append(sentence)
    return module


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Qle_bool": lambda a, b: a <= b,
    "Qeq_bool": lambda a, b: a == b,
    "Qred": lambda a: a,
}


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "#": Fraction,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
}


class Evaluator:
    """What the expressions of a file are."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known: dict[str, Any] = {"true": True, "false": False}

    def value(self, tree: Tree) -> Any:
        kind, *parts = tree
        if kind == "number":
            return parts[0]
        if kind == "name":
            return self.named(parts[0])
        if kind == "apply":
            (_, name), *arguments = parts
            return FUNCTIONS[name](*map(self.value, arguments))
        if kind == "neg":
            return -self.value(parts[0])
        left, right = map(self.value, parts)
        return OPERATIONS[kind](left, right)

    def named(self, name: str) -> Any:
        if name not in self.known:
            self.known[name] = self.value(self.module.definitions[name])
        return self.known[name]
