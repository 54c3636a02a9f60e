"""The score page, its live answers and its twin in JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tenbo import tiles
from tenbo.records import score_record, waits_record
from tenbo.ruleset import Ruleset
from tenbo.web.answered import Answer, answer, chips
from tenbo.web.asked import Asked, read_asked, written
from tenbo.web.faults import plainly
from tenbo.web.pages import compressed, page, preset_titles, render

router = APIRouter(include_in_schema=False)

_SUITS: Final = tuple(tuple(f"{rank}{suit}" for rank in range(1, 10)) for suit in "mps")
_HONOURS: Final = tuple(f"{rank}z" for rank in range(1, 8))
_FLOWERS: Final = tuple(f"{rank}f" for rank in range(1, 9))


_EXAMPLES: Final = {
    "riichi": "hand=345m234p3456788s%2B8s&flag=riichi",
    "reach": "hand=345m234p3456788s%2B8s&flag=riichi",
    "basic": "hand=3457899p[777z][2222z]%2B6p",
    "simplified": "hand=5p123s15f[222p][444z](7777z)%2B5p",
}


def _parts(found: Answer) -> dict[str, Any]:
    name = found.asked.rules.name
    return {"answer": found, "example": f"rules={name}&{_EXAMPLES.get(name, '')}"}


def keyboard_of(rules: Ruleset) -> list[tuple[str, ...]]:
    """The rows of the tile keyboard."""
    return [*_SUITS, _HONOURS, *([_FLOWERS] if rules.bonus_tiles else [])]


def live_record(found: Answer, **more: Any) -> dict[str, Any]:
    """What a page that shows a hand is told when the hand has changed.

    Args:
        found: The answer.
        **more: What else the templates need.
    """
    main, other = chips(found.asked)
    entry = found.entry
    values = {**_parts(found), "at": None, **more}
    return {
        "line": render("_line.html", **values),
        "result": render("_result.html", **values),
        "title": f"{found.head if found.stage == 'scored' else 'Score a hand'} – tenbo",
        "why": {chip.flag: chip.why for chip in (*main, *other) if chip.why},
        "hand": {
            "tiles": [tiles.TEXTS[code] for code in entry.concealed],
            "melds": [{"text": m.text, "tiles": [tiles.TEXTS[code] for code in m.tiles]} for m in entry.melds],
            "bonus": [tiles.TEXTS[code] for code in entry.bonus],
            "win": None if entry.win is None else tiles.TEXTS[entry.win],
        },
    }


@router.get("/")
async def score_page(request: Request) -> Response:
    """The page, with the hand that its address holds."""
    asked = read_asked(request.query_params)
    found = answer(asked)
    return page(
        request,
        "score.html",
        **_parts(found),
        dropped=dropped(asked),
        at=None,
        titles=preset_titles(),
        keyboard=keyboard_of(asked.rules),
        codes=tiles.CODES,
        entry_sorted=tiles.in_order(found.entry.concealed),
        chips=chips(asked),
        options={name: written(value) for name, value in asked.rules.values.items()},
    )


def dropped(asked: Asked) -> list[str]:
    """What the address says and cannot be used, and why, in words."""
    return [plainly(problem, asked.rules) for problem in asked.problems]


@router.get("/score/live")
async def live(request: Request) -> Response:
    """The parts of the page that change with the hand."""
    record = live_record(answer(read_asked(request.query_params)))
    return compressed(request, json.dumps(record, ensure_ascii=False).encode(), "application/json")


@router.get("/score.json")
async def score_json(request: Request) -> Response:
    """The same as a record and what REST answers to it."""
    asked = read_asked(request.query_params)
    record = asked.record()
    left_out = [
        {"at": problem.at, "message": text} for problem, text in zip(asked.problems, dropped(asked), strict=True)
    ]
    more = {"left_out": left_out} if left_out else {}
    return JSONResponse({"record": record, "answer": _record(asked, record), **more})


def _record(asked: Asked, record: dict[str, Any]) -> dict[str, Any]:
    if asked.entry.completed().win is None and not asked.rules.losers:
        return waits_record(record, paths=False)
    return score_record(record, paths=False)
