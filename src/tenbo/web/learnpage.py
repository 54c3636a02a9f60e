"""The learn page: a hand, a question, the answer and why."""

from __future__ import annotations

import re
import secrets
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tenbo.errors import Problem
from tenbo.explain import explain, words
from tenbo.ruleset import Ruleset
from tenbo.situation import BY
from tenbo.web.answered import flag_labels, parted, worth
from tenbo.web.asked import asked_options, asked_rules
from tenbo.web.pages import page, preset_titles
from tenbo.web.questions import ASKS, MOST_SEEDS, Question, question
from tenbo.web.rulepages import house_query

router = APIRouter(include_in_schema=False)
_LONGEST: Final = 12
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}([ .,'’\u00a0\u202f][0-9]{3})+")
_APART: Final = re.compile(r"[^0-9]")


def _asked(request: Request) -> tuple[Ruleset, int | None, str]:
    query = request.query_params
    problems: list[Problem] = []
    rules = asked_rules(query.get("rules"), asked_options(query), problems)
    seed = query.get("seed", "")
    known = seed.isascii() and seed.isdigit() and len(seed) < _LONGEST
    ask = query.get("ask")
    return rules, int(seed) % MOST_SEEDS if known else None, ask if ask in ASKS else ASKS[0]


def _address(rules: Ruleset, seed: int, ask: str) -> str:
    return "/learn?" + urlencode({"rules": rules.name, "ask": ask, "seed": seed} | house_query(rules))


@router.get("/learn")
async def learn(request: Request) -> Response:
    """A question, and with an answer in the address whether it is right and why."""
    rules, seed, ask = _asked(request)
    if seed is None:
        return RedirectResponse(_address(rules, secrets.randbelow(MOST_SEEDS), ask), 303, {"Cache-Control": "no-store"})
    asked = question(rules, seed, ask)
    given = request.query_params.get("answer", "").strip()
    correct = right(asked, given)
    told = explain(asked.score)
    parts, whole = parted(told)
    hand = asked.score.hand
    return page(
        request,
        "learn.html",
        rules=rules,
        titles=preset_titles(),
        asks={"points": words(rules).points, "doubles": words(rules).doubles, "score": "Score"},
        ask=ask,
        question=asked,
        given=given[:_LONGEST],
        right=correct,
        fault="" if correct is not None or not given else "Answer with a number, such as 40 or 1,300",
        told=told,
        worth=worth(told),
        parts=parts,
        whole=whole,
        hand=hand,
        won=rules.words.get(hand.by or BY[0], hand.by or BY[0]),
        here=_address(rules, seed, ask),
        following=_address(rules, (seed * 7919 + 104_729) % MOST_SEEDS, ask),
        labels=flag_labels(rules),
        house=house_query(rules),
    )


@router.get("/learn.json")
async def learn_json(request: Request) -> Response:
    """The same question as data, with its answer."""
    rules, seed, ask = _asked(request)
    asked = question(rules, secrets.randbelow(MOST_SEEDS) if seed is None else seed, ask)
    return JSONResponse(
        {"seed": asked.seed, "ask": asked.ask, "question": asked.text, "answer": asked.answer}
        | {"hand": asked.score.hand.text, "score": asked.score.record()}
    )


def right(asked: Question, given: str) -> bool | None:
    """Whether an answer is right; None where it is no number. What parts thousands does not matter."""
    digits = _APART.sub("", given) if _THOUSANDS.fullmatch(given) else given
    return int(digits) == asked.answer if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST else None
