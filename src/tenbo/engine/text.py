"""Readings as text."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.engine.context import LOOSE, THIRTEEN_ORPHANS, Reading, Split
from tenbo.hand import Hand

_LETTERS: Final = "mpsz"
_FIVE: Final = 5


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
    red = t.FIRST_RED + suit if suit < 3 else -1
    reds = hand.concealed.count(red)
    melds = [meld for meld in hand.melds if meld.suit == suit]
    out = []
    for code in split.codes:
        if code >= d.MELD:
            meld = next(meld for meld in melds if d.MELD + meld.code == code)
            melds.remove(meld)
            out.append((code, meld.tiles))
            continue
        tiles = []
        ranks = d.group_tiles(code)
        last = len(ranks) - 1 if code >= d.WIN_CHOW else -1
        for i, rank in enumerate(ranks):
            if i == last and hand.win is not None:
                tiles.append(hand.win)
            elif rank == _FIVE and reds:
                reds -= 1
                tiles.append(red)
            else:
                tiles.append(9 * suit + rank - 1)
        out.append((code, tuple(tiles)))
    return out


def reading_text(hand: Hand, reading: Reading) -> str:
    """A reading as text: concealed groups in order, the winning tile with + at the end of its group, then the table."""
    form, *splits = reading
    if form == THIRTEEN_ORPHANS and hand.win is not None:
        return f"{t.write(hand.concealed)}+{t.TEXTS[hand.win]}"
    if not hand._red and form != LOOSE:
        texts = [_split_text(suit, split) if split.text is None else split.text for suit, split in enumerate(splits)]
        texts += [meld.text for meld in hand.melds]
        return " ".join(filter(None, texts))
    texts = []
    used: list[int] = []
    for suit, split in enumerate(splits):
        if not red_in(hand, suit):
            text = _split_text(suit, split)
            if text:
                texts.append(text)
            if form == LOOSE:
                used += [9 * suit + r - 1 for code in split.codes if code < d.MELD for r in d.group_tiles(code)]
            continue
        written = []
        for code, codes in groups(hand, suit, split):
            if code >= d.MELD:
                continue
            used += codes
            text = t.write(codes)
            if code >= d.WIN_CHOW:
                text = f"{t.write(codes[:-1])[:-1]}+{t.TEXTS[codes[-1]]}"
            written.append((sorted(t.kind(tile) for tile in codes), text))
        texts += [text for _, text in sorted(written)]
    if form == LOOSE:
        rest = list(hand.concealed)
        for tile in used:
            rest.remove(tile)
        if rest:
            texts.append(t.write(rest))
    return " ".join([*texts, *(meld.text for meld in hand.melds)])
