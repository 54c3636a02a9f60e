"""The page of facts that conditions may name."""

from __future__ import annotations

from tools.rules_pages.markdown import NOTE, plain, table

from tenbo.facts import FACTS, Fact

_SCOPES = {
    "hand": (
        "Of a hand",
        "Of a hand as a whole, seen in one reading. For conditions, values and `times` of `[hand.*]` and `[last.*]`, "
        "and for `[points.floor]`.",
    ),
    "set": ("Of a set or pair", "Of one set or pair of a reading. For `[set.*]`."),
    "bonus": ("Of a flower or season", "Of one flower or season. For `[bonus.*]`."),
    "combo": (
        "Of a group of sets",
        "Of two, three or four chows, or pungs and kongs, of a reading, sorted by rank. For `[combo.*]`.",
    ),
    "limit": (
        "Of points and doubles",
        "Of a hand whose points and doubles are counted. For `[[limit]]` and `han` of `[payment]`.",
    ),
    "payment": (
        "Of a payment",
        "Of one payer of a scored hand. For `[payment]`, `[payment.losers]` and `[[impossible]]`.",
    ),
    "penalty": ("Of a penalty", "Of one payment of a penalty. For `amount` of `[penalty.*]`."),
}
_ABOUT = """A condition in a ruleset file asks for facts. Each means one thing; where rule books count differently there
are two facts, such as `waiting_kinds` and `waiting_kinds_left`. [Your own rules](own-rules.md) says how conditions are
written; `tenbo rules facts` prints this list."""
_TYPES = {"bool": "true or false", "int": "number", "word": "word"}


def facts_page() -> str:
    """All facts, by what they are facts of."""
    lines = [
        NOTE,
        "",
        "# Facts",
        "",
        _ABOUT,
    ]
    for scope, facts in FACTS.items():
        title, about = _SCOPES[scope]
        lines += ["", f"## {title}", "", about, ""]
        lines += table(
            ("fact", "is", "meaning"), ((f"`{fact.name}`", _TYPES[fact.type], _meaning(fact)) for fact in facts)
        )
    return "\n".join(lines) + "\n"


def _meaning(fact: Fact) -> str:
    doc = fact.doc.replace("`", "\0")
    doc = plain(doc).replace("\0", "`")
    words = ", ".join(f"`{word}`" for word in fact.words)
    return f"{doc} One of {words}." if words else doc
