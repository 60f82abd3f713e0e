"""The command `completion`: a script for a shell, made from the parser.

The ids are those of the baselines at the moment of completing: of claims.lock.json where the shell
stands, and of the one that Lemmata brings.
"""

from __future__ import annotations

import argparse
import shlex
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lemmata.errors import FINE

IDS = ("id", "ids")  # positionals that are ids


@dataclass(frozen=True)
class Command:
    """What may follow a command. options: each with its values (None: it takes none; empty: any),
    and with what it is for. words: of the first positional. ids: whether it takes ids."""

    name: str
    about: str
    options: Sequence[tuple[str, Sequence[str] | None, str]]
    words: Sequence[str]
    ids: bool


def completion(options: Namespace) -> int:
    """Print the script of a shell."""
    commands = list(commands_of(options.parser()))
    print({"bash": bash, "zsh": zsh, "fish": fish}[options.shell](commands), end="")
    return FINE


def commands_of(parser: argparse.ArgumentParser) -> Iterator[Command]:
    """The commands of a parser, each with what may follow it."""
    (sub,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    about = {choice.dest: choice.help or "" for choice in sub._choices_actions}
    for name, one in sub.choices.items():
        options = [
            (string, _values(action), (action.help or "").replace("%%", "%"))
            for action in one._actions
            for string in action.option_strings
        ]
        named = [action for action in one._actions if not action.option_strings]
        words = [str(choice) for action in named for choice in action.choices or ()]
        yield Command(name, about[name], options, words, any(a.dest in IDS for a in named))


def _values(action: argparse.Action) -> Sequence[str] | None:
    from verify.core.budgets import BUDGETS
    from verify.core.ledger import PAPERS

    if action.nargs == 0:
        return None
    known = {"paper": PAPERS, "budget": tuple(BUDGETS), "device": ("cpu", "cuda")}
    return tuple(map(str, action.choices or known.get(action.dest, ())))


def _sed() -> str:
    """What prints the ids of a baseline, in any shell."""
    return r"""sed -n 's/^  "\([^"]*\)": {$/\1/p'"""


def _shipped() -> str:
    from verify.runs.baseline import SHIPPED

    return shlex.quote(str(SHIPPED))


BASH = """\
# lemmata: completion for bash; put into ~/.bashrc:  eval "$(lemmata completion bash)"
COMP_WORDBREAKS=${{COMP_WORDBREAKS//@/}}
_lemmata_ids() {{
    {sed} claims.lock.json {shipped} 2>/dev/null | sort -u
}}
_lemmata() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={names}
    else
        case "${{COMP_WORDS[1]}} $before" in
{values}
        *) case "${{COMP_WORDS[1]}}" in
{rest}
            esac ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _lemmata lemmata
"""


FISH = "# lemmata: completion for fish; put it into ~/.config/fish/completions/lemmata.fish"


def bash(commands: Sequence[Command]) -> str:
    """The script for bash. Where it offers nothing, bash offers files."""
    values, rest = [], []
    for command in commands:
        for option, words, _ in command.options:
            if words is not None:
                values.append(f'        "{command.name} {option}") words="{" ".join(words)}" ;;')
        offered = " ".join([*command.words, *(option for option, *_ in command.options)])
        ids = ' $([[ "$word" == -* ]] || _lemmata_ids)' if command.ids else ""
        rest.append(f'            {command.name}) words="{offered}{ids}" ;;')
    names = shlex.quote(" ".join(["--help", "--version", *(one.name for one in commands)]))
    made = {"values": "\n".join(values), "rest": "\n".join(rest), "names": names}
    return BASH.format(shipped=_shipped(), sed=_sed(), **made)


def zsh(commands: Sequence[Command]) -> str:
    """The script for zsh, which understands that of bash."""
    first, rest = bash(commands).split("\n", 1)
    first = first.replace("bash", "zsh")
    return f"{first}\nautoload -Uz compinit bashcompinit && compinit && bashcompinit\n{rest}"


def fish(commands: Sequence[Command]) -> str:
    """The script for fish."""
    lines = [
        FISH,
        "function __lemmata_ids",
        f"    {_sed()} claims.lock.json {_shipped()} 2>/dev/null | sort -u",
        "end",
    ]
    for one in commands:
        first = "complete -c lemmata -n __fish_use_subcommand -f"
        lines.append(f"{first} -a {one.name} -d {_fish(one.about)}")
        begin = f"complete -c lemmata -n '__fish_seen_subcommand_from {one.name}'"
        for option, words, about in one.options:
            name = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            takes = "" if words is None else f" -x -a '{' '.join(words)}'" if words else " -r"
            lines.append(f"{begin} {name}{takes} -d {_fish(about)}")
        if one.words:
            lines.append(f"{begin} -f -a '{' '.join(one.words)}'")
        if one.ids:
            lines.append(f"{begin} -f -a '(__lemmata_ids)'")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    """A text in quotes, as fish reads it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
