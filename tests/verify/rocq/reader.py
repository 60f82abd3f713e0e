"""A second reader of exported source, which knows nothing of the exporter.

It splits a file into sentences, parses definitions and statements, and evaluates expressions in any
ring: so what `ring` and `vm_compute` have to show can be computed without Rocq.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
    """forall the bound names, premises imply the conclusion; and the sentences of the proof."""

    bound: list[str]
    premises: list[Tree]
    conclusion: Tree
    proof: list[list[str]] = field(default_factory=list)


@dataclass
class Module:
    """What a file defines: section variables, definitions with their parameters, statements."""

    variables: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, tuple[list[str], Tree]] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)


class Parser:
    """Recursive descent over the tokens of one expression."""

    LEVELS = (("->",), ("/\\",), ("=", "=="), ("+", "-"), ("*", "/"), ("#",), ("^",))

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
        if self.next == "-" and k == 3:
            self.take()
            left: Tree = ("neg", self.level(4))
        elif self.next == "~" and k <= 2:
            self.take()
            left = ("not", self.level(2))
        else:
            left = self.level(k + 1)
        right_first = self.LEVELS[k][0] in ("->", "/\\")
        while self.next in self.LEVELS[k]:
            token = self.take()
            left = (token, left, self.level(k if right_first else k + 1))
        return left

    def application(self) -> Tree:
        if self.next in ("if", "fun"):
            return self.special()
        head = self.atom()
        arguments = []
        while re.fullmatch(r"[A-Za-z_0-9(].*", self.next) and self.next not in ("then", "else"):
            arguments.append(self.atom())
        return ("apply", head, *arguments) if arguments else head

    def special(self) -> Tree:
        if self.take() == "if":
            condition = self.level(1)
            self.take("then")
            yes = self.level(1)
            self.take("else")
            return ("if", condition, yes, self.level(1))
        name = self.take()
        self.take("=>")
        return ("fun", name, self.level(1))

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


def statement_of(tokens: list[str]) -> Statement:
    bound: list[str] = []
    if tokens[0] == "forall":
        colon, comma = tokens.index(":"), tokens.index(",")
        bound, tokens = tokens[1:colon], tokens[comma + 1 :]
    tree, premises = Parser(tokens).whole(), []
    while tree[0] == "->":
        premises.append(tree[1])
        tree = tree[2]
    return Statement(bound, premises, tree)


def read(source: str) -> Module:
    """What a file defines and shows."""
    module, current = Module(), None
    for sentence in sentences(source):
        word = sentence[0]
        if word == "Variable":
            module.variables[sentence[1]] = " ".join(sentence[3:])
        elif word == "Definition":
            cut = sentence.index(":=")
            parameters = re.findall(r"\( (.*?) :", " ".join(sentence[2:cut]))
            names = " ".join(parameters).split()
            module.definitions[sentence[1]] = names, Parser(sentence[cut + 1 :]).whole()
        elif word in ("Lemma", "Theorem"):
            assert sentence[2] == ":"
            current = statement_of(sentence[3:])
            module.statements[sentence[1]] = current
        elif sentence[:2] == ["Print", "Assumptions"]:
            module.assumptions.append(sentence[2])
        elif word not in ("From", "Open", "Section", "End", "Fixpoint", "Proof", "Qed"):
            assert current is not None, sentence
            current.proof.append(sentence)
    return module


BOOLEAN: dict[str, Callable[..., Any]] = {
    "Qle_bool": lambda a, b: a <= b,
    "Qeq_bool": lambda a, b: a == b,
    "negb": lambda a: not a,
    "andb": lambda a, b: a and b,
    "orb": lambda a, b: a or b,
    "implb": lambda a, b: b or not a,
    "Qred": lambda a: a,
}


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "#": Fraction,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "^": lambda a, b: a**b,
}


class Evaluator:
    """Expressions of a file in a ring: numbers for the names that no definition explains.

    number: of a section variable, and the example where it depends on one. examples: how many there
    are, for sums over them.
    """

    def __init__(
        self, module: Module, number: Callable[[str, int | None], Any], examples: int = 0
    ) -> None:
        self.module, self.number, self.examples = module, number, examples
        self.known: dict[tuple[str, tuple[Any, ...]], Any] = {}

    def value(self, tree: Tree, bound: Mapping[str, Any]) -> Any:
        kind, *parts = tree
        if kind == "number":
            return parts[0]
        if kind == "name":
            return self.named(parts[0], (), bound)
        if kind == "apply":
            return self.applied(parts[0], parts[1:], bound)
        if kind == "neg":
            return -self.value(parts[0], bound)
        if kind == "if":
            condition, yes, no = parts
            return self.value(yes if self.value(condition, bound) else no, bound)
        left, right = (self.value(part, bound) for part in parts)
        return OPERATIONS[kind](left, right)

    def applied(self, head: Tree, arguments: list[Tree], bound: Mapping[str, Any]) -> Any:
        assert head[0] == "name"
        if head[1] == "total":
            (_, name, body), _ = arguments
            return sum(self.value(body, {**bound, name: j}) for j in range(self.examples))
        values = tuple(self.value(argument, bound) for argument in arguments)
        if head[1] in BOOLEAN:
            return BOOLEAN[head[1]](*values)
        return self.named(head[1], values, bound)

    def named(self, name: str, arguments: tuple[Any, ...], bound: Mapping[str, Any]) -> Any:
        if name in bound:
            return bound[name]
        if name in ("true", "false"):
            return name == "true"
        key = name, arguments
        if key not in self.known:
            if name in self.module.definitions:
                names, body = self.module.definitions[name]
                self.known[key] = self.value(body, dict(zip(names, arguments, strict=True)))
            else:
                assert name in self.module.variables, name
                assert ("nat" in self.module.variables[name]) == bool(arguments)
                self.known[key] = self.number(name, arguments[0] if arguments else None)
        return self.known[key]
