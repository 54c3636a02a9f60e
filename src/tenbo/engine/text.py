"""Readings as text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.engine.context import LOOSE, THIRTEEN_ORPHANS, Reading, Split
from tenbo.hand import Hand

_LETTERS: Final = "mpsz"
_FIVE: Final = 5
_KEPT: Final = 8192


def before(hand: Hand, a: Reading, b: Reading) -> bool:
    """Whether a reading's text comes before another's."""
    if hand._red:
        return reading_text(hand, a) < reading_text(hand, b)
    for suit in range(4):
        one, other = a[suit + 1], b[suit + 1]
        if one is not other:
            mine, its = _split_text(suit, one), _split_text(suit, other)  # type: ignore[arg-type]
            if mine != its:
                return mine < its
    return False


def _split_text(suit: int, split: Split) -> str:
    """A suit's concealed groups as text, without red fives."""
    text = split.text
    if text is None:
        groups = [(sorted(d.group_tiles(code)), _group_text(suit, code)) for code in split.codes if code < d.MELD]
        text = split.text = " ".join(text for _, text in sorted(groups))
    return text


def _group_text(suit: int, code: int) -> str:
    digits = "".join(map(str, d.group_tiles(code)))
    if code >= d.WIN_CHOW:
        digits = f"{digits[:-1]}+{digits[-1]}"
    return digits + _LETTERS[suit]


def red_in(hand: Hand, suit: int) -> bool:
    """Whether a suit of the hand has a red five."""
    red = t.FIRST_RED + suit
    return suit < 3 and (red == hand.win or red in hand.concealed or any(red in meld.tiles for meld in hand.melds))


def groups(hand: Hand, suit: int, split: Split) -> list[tuple[int, tuple[int, ...]]]:
    """A suit's groups: group code and tiles (the winning tile last where the group holds it).

    Red fives are given to the concealed groups in their order; the winning tile keeps its own.
    """
    out = list(_concealed(suit, split.codes, *_reds(hand, suit)))
    melds = [meld for meld in hand.melds if meld.suit == suit]
    for code in split.codes:
        if code >= d.MELD:
            meld = next(meld for meld in melds if d.MELD + meld.code == code)
            melds.remove(meld)
            out.append((code, meld.tiles))
    return out


def _reds(hand: Hand, suit: int) -> tuple[int, bool]:
    """How many concealed red fives a suit has without the winning tile, and whether that is one."""
    red = t.FIRST_RED + suit
    return (hand.concealed.count(red), hand.win == red) if suit < 3 else (0, False)


@lru_cache(_KEPT)
def _concealed(suit: int, codes: d.Codes, reds: int, red_win: bool) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The concealed groups among some, and their tiles."""
    red = t.FIRST_RED + suit
    out = []
    for code in codes:
        if code >= d.MELD:
            continue
        tiles = []
        ranks = d.group_tiles(code)
        last = len(ranks) - 1 if code >= d.WIN_CHOW else -1
        for i, rank in enumerate(ranks):
            if i == last and red_win:
                tiles.append(red)
            elif i != last and rank == _FIVE and reds:
                reds -= 1
                tiles.append(red)
            else:
                tiles.append(9 * suit + rank - 1)
        out.append((code, tuple(tiles)))
    return tuple(out)


@lru_cache(_KEPT)
def _red_text(suit: int, codes: d.Codes, reds: int, red_win: bool) -> str:
    """A suit's concealed groups as text, with red fives."""
    written = []
    for code, tiles in _concealed(suit, codes, reds, red_win):
        text = t.write(tiles)
        if code >= d.WIN_CHOW:
            text = f"{t.write(tiles[:-1])[:-1]}+{t.TEXTS[tiles[-1]]}"
        written.append((sorted(t.kind(tile) for tile in tiles), text))
    return " ".join(text for _, text in sorted(written))


def reading_text(hand: Hand, reading: Reading) -> str:
    """A reading as text: concealed groups in order, the winning tile with + at the end of its group, then the table."""
    form, *splits = reading
    if form == THIRTEEN_ORPHANS and hand.win is not None:
        return f"{t.write(hand.concealed)}+{t.TEXTS[hand.win]}"
    texts = []
    if not hand._red:
        texts = [_split_text(suit, split) if split.text is None else split.text for suit, split in enumerate(splits)]
    else:
        for suit, split in enumerate(splits):
            red = t.FIRST_RED + suit
            if suit == 3 or (red != hand.win and red not in hand.concealed):
                texts.append(_split_text(suit, split) if split.text is None else split.text)
            else:
                texts.append(_red_text(suit, split.codes, *_reds(hand, suit)))
    if form == LOOSE:
        rest = list(hand.concealed)
        for suit, split in enumerate(splits):
            for _, tiles in _concealed(suit, split.codes, *_reds(hand, suit)):
                for tile in tiles:
                    rest.remove(tile)
        texts.append(t.write(rest))
    return " ".join(filter(None, [*texts, *[meld.text for meld in hand.melds]]))
