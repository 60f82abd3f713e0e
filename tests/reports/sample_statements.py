"""A run's record of version 2, as much of it as the terminal shows."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]

AUTHORS = {"lj22": ["Thien Le", "Stefanie Jegelka"], "j23": ["Arthur Jacot"]}


def paper(name: str, authors: list[str] | None = None) -> Record:
    """A paper."""
    return {
        "id": name,
        "authors": authors or AUTHORS.get(name, ["A B"]),
        "year": 2022,
        "title": "On networks",
    }


def statement(
    name: str,
    word: str,
    *,
    rank: str = "main",
    detail: str = "",
    mended: list[str] | None = None,
    known: bool = False,
    place: str = "",
    claims: list[str] | None = None,
) -> Record:
    """A printed statement with its headline, of one claim of the same id."""
    return {
        "id": name,
        "paper": name.split(".")[0],
        "place": place or f"Theorem {name.split('.')[1]}",
        "rank": rank,
        "title": f"title of {name}",
        "headline": {
            "word": word,
            "detail": detail,
            "mended": mended or [],
            "from_baseline": known,
        },
        "claims": [name] if claims is None else claims,
    }


def claim(name: str, verdict: str, **fields: Any) -> Record:
    """A claim."""
    row = {
        "id": name,
        "role": "main",
        "verdict": verdict,
        "reason": f"reason of {name}",
        "title": "a claim, repaired" if fields.get("repairs") else "a claim",
        "statement": "$a=b$",
        "checked": None,
        "hypotheses": [{"name": "bias-free", "statement": "no constants", "checked": None}],
        "repairs": None,
        "from_baseline": False,
        "evidence": [],
    }
    return row | fields


def run_of(statements: list[Record], claims: list[Record], **fields: Any) -> Record:
    """A run of these."""
    papers = [paper(name) for name in dict.fromkeys(row["paper"] for row in statements)]
    record = {
        "run": {"budget": "ci", "void": False, "void_reasons": []},
        "papers": papers,
        "statements": statements,
        "claims": claims,
        "controls": [{"id": "control.true", "ok": True}, {"id": "control.false", "ok": True}],
        "changes": None,
    }
    return record | fields


def sample() -> Record:
    """Two papers; of one of them a few results, one of every headline."""
    statements = [
        statement("lj22.thm1-6", "false as printed", mended=["lj22.thm1-6.fix"], place="Item 6"),
        statement("lj22.lemma1", "true", detail="proved"),
        statement("lj22.cor1", "open", detail="looked at, undecided", known=True),
        statement("j23.thm1", "nothing against it", detail="checked on cases"),
        statement("j23.thm2", "true off corner cases", detail="an exact counterexample"),
        statement("j23.thm3", "vacuous"),
        statement("j23.remark", "false as printed", rank="supporting"),
        statement("j23.def", "definition", rank="definition"),
    ]
    claims = [
        claim("lj22.thm1-6", "refuted", statement="it is $Z$"),
        claim(
            "lj22.thm1-6.fix",
            "argued",
            role="repair",
            repairs="lj22.thm1-6",
            statement="it is not $Z$",
        ),
        *(
            claim(row["id"], verdict)
            for row, verdict in zip(
                statements[1:],
                ("proved", "open", "supported", "refuted", "vacuous", "refuted", "definition"),
                strict=True,
            )
        ),
    ]
    return run_of(statements, claims)


def large(count: int = 30) -> Record:
    """Four papers with many main results and still more besides."""
    words = ("true", "false as printed", "open", "nothing against it")
    names = ("lj22", "j23", "dkbhl20", "zlb22")
    statements = [
        statement(
            f"{name}.thm{k}",
            words[k % 4],
            rank="main" if k < count else "supporting",
            detail="a detail that is told in so many words that no line has room for it " * 2,
        )
        for name in names
        for k in range(2 * count)
    ]
    papers = [paper(name, ["Ada Long-Name"] * 4) for name in names]
    claims = [claim(row["id"], "open") for row in statements]
    changes = {
        "statements": [{"id": f"lj22.thm{k}", "before": "true", "after": "open"} for k in range(9)],
        "claims": [
            {"id": f"lj22.thm{k}", "what": what, "before": "proved", "after": "open"}
            for k in range(9)
            for what in ("verdict", "scope", "code")
        ],
    }
    return run_of(statements, claims, papers=papers, changes=changes)
