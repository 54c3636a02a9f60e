"""The plain facts that rules may name, each with one line of documentation.

A fact means one thing. Where rule books differ in what they count, there are two facts, never one with a switch.
Scopes: *hand* facts are true of a whole hand as seen in one reading; *set* facts of one set or pair; *bonus* facts
of one flower or season; *combo* facts of a group of chows or pungs; *limit* facts of a hand whose points and doubles
are already counted; *payment* facts of one payer of a scored hand; *penalty* facts of one payment of a penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEATS: Final = ("E", "S", "W", "N")
FORMS: Final = ("standard", "seven_pairs", "thirteen_orphans", "loose")
WAITS: Final = ("none", "open", "edge", "closed", "pair", "pung", "single")
SUITS: Final = ("m", "p", "s", "z")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: its name, scope, type ("bool", "int" or "word"), documentation, words, and its width in bits.

    ``source`` says where it comes from: "sum" facts add up over the suits of a reading, "hand" facts belong to the
    hand as a whole, the others are worked out.
    """

    name: str
    scope: str
    type: str
    doc: str
    source: str = ""
    bits: int = 0
    words: tuple[str, ...] = ()


def _sum(name: str, bits: int, doc: str, kind: str = "int", words: tuple[str, ...] = ()) -> Fact:
    return Fact(name, "hand", kind, doc, "sum", bits, words)


def _hand(name: str, kind: str, doc: str, words: tuple[str, ...] = ()) -> Fact:
    return Fact(name, "hand", kind, doc, "hand", 0, words)


HAND_FACTS: Final[tuple[Fact, ...]] = (
    _hand("winner", "bool", "The hand went out."),
    _hand("self_draw", "bool", "The winning tile was drawn from the wall."),
    _hand("discard", "bool", "The winning tile was claimed: a discard, or the tile of a robbed kong."),
    _hand("seat", "word", "The player's own wind.", SEATS),
    _hand("round", "word", "The prevailing wind.", SEATS),
    _hand("dealer", "bool", "The player is East."),
    _hand("dealt", "bool", "East's hand complete as dealt; it had no wait."),
    _hand("riichi", "bool", "A ready hand was declared (double riichi included)."),
    _hand("double_riichi", "bool", "Declared at the first turn, before any call."),
    _hand("ippatsu", "bool", "Won within one turn of the declaration, no call between."),
    _hand("last_tile", "bool", "Won on the last wall tile or the last discard."),
    _hand("after_kong", "bool", "Won on the replacement tile after a kong."),
    _hand("robbing_kong", "bool", "Won on the tile added to another player's exposed pung."),
    _hand("first_turn", "bool", "Complete on the first draw, before any call."),
    _hand("dora", "int", "Tiles that the indicators make worth more."),
    _hand("ura", "int", "The same for the indicators underneath."),
    _hand("red_fives", "int", "Red fives in the hand."),
    _hand("flowers", "int", "Flowers set aside (0-4)."),
    _hand("seasons", "int", "Seasons set aside (0-4)."),
    _hand("own_flower", "bool", "The flower with the number of the player's seat is set aside."),
    _hand("own_season", "bool", "The season with the number of the player's seat is set aside."),
    _sum("form", 2, "Shape of the reading; `loose` is a hand that did not go out.", "word", FORMS),
    _sum("chows", 3, "Chows, exposed ones included."),
    _sum("pungs", 3, "Threes of a kind; kongs are counted apart."),
    _sum("kongs", 3, "Fours of a kind laid on the table."),
    _sum("pairs", 3, "Pairs: one in a standard reading, seven in seven pairs, any number in a loose hand."),
    _sum("concealed_pungs", 3, "Pungs and kongs that the player made alone; one completed by a claimed tile is not."),
    _sum("concealed_kongs", 3, "Concealed kongs."),
    _sum("exposed_kongs", 3, "Exposed kongs, added ones included."),
    _sum("added_kongs", 3, "Kongs made by adding the fourth tile to an exposed pung, where the hand text says so."),
    _sum("open_sets", 3, "Sets exposed before the win; a concealed kong is none."),
    _sum("exposed_sets", 3, "The same and the set or pair that a claimed winning tile completed."),
    _sum("dragon_sets", 3, "Pungs and kongs of dragons."),
    _sum("wind_sets", 3, "Pungs and kongs of winds."),
    _sum("own_wind_sets", 1, "Pungs and kongs of the player's own wind."),
    _sum("round_wind_sets", 1, "Pungs and kongs of the prevailing wind."),
    _sum("dragon_pairs", 2, "Pairs of dragons."),
    _sum("wind_pairs", 3, "Pairs of winds."),
    _sum("own_wind_pairs", 1, "Pairs of the player's own wind."),
    _sum("round_wind_pairs", 1, "Pairs of the prevailing wind."),
    _sum("groups_with_terminal", 3, "Sets and pairs that hold a 1 or 9."),
    _sum("groups_with_honour", 3, "Sets and pairs of honours."),
    _sum("equal_chow_pairs", 2, "Pairs of identical chows: 2 for two different ones, 2 for four of one kind."),
    _sum("straights", 2, "Straights 123 456 789 of one suit."),
    _sum("three_suit_chows", 1, "The same chow stands in all three suits.", "bool"),
    _sum("three_suit_pungs", 1, "A pung or kong of the same rank stands in all three suits.", "bool"),
    _sum("nine_gates", 1, "Fourteen concealed tiles of one suit, 1112345678999 and one more.", "bool"),
    _sum("nine_gates_wait", 1, "The thirteen tiles before the win were 1112345678999 of one suit.", "bool"),
    _sum(
        "wait",
        3,
        "What the winning tile completed: an open, edge or closed chow, a pair, a pung.",
        "word",
        WAITS,
    ),
    _sum("tiles", 5, "Tiles, a kong's four included (13 to 18)."),
    _sum("characters", 5, "Tiles of characters."),
    _sum("dots", 5, "Tiles of dots."),
    _sum("bamboos", 5, "Tiles of bamboo."),
    _sum("honours", 5, "Winds and dragons, in tiles."),
    _sum("wind_tiles", 5, "Winds, in tiles."),
    _sum("dragon_tiles", 5, "Dragons, in tiles."),
    _sum("terminals", 5, "Ones and nines, in tiles."),
    _sum("simples", 5, "Suited tiles from 2 to 8, in tiles."),
    _sum("green_tiles", 5, "Bamboo 2 3 4 6 8 and green dragons, in tiles."),
    _sum("suits", 2, "Suits present (0-3); honours are none."),
    _sum("kinds", 4, "Different tiles."),
    _sum("twos", 3, "Kinds held exactly twice."),
    _sum("unkonged_fours", 3, "Kinds held four times without a kong."),
    _sum("waiting_kinds", 4, "Kinds that would have completed the hand, those already held four times included."),
    _sum("waiting_kinds_left", 4, "The same without kinds of which the player held all four."),
    _sum("set_points", 16, "Points of the set entries together."),
    _sum("set_doubles", 8, "Doubles of the set entries together."),
    _sum("scoring_sets", 3, "Sets and pairs that earned points."),
    Fact("closed", "hand", "bool", "No set was exposed before the win; a concealed kong does not open a hand."),
    Fact("closed_after", "hand", "bool", "No set is exposed, the one completed by a claimed winning tile included."),
)

SET_FACTS: Final[tuple[Fact, ...]] = tuple(
    Fact(name, "set", kind, doc, "", 0, words)
    for name, kind, doc, words in (
        ("winner", "bool", "The hand went out.", ()),
        ("self_draw", "bool", "The winning tile was drawn from the wall.", ()),
        ("discard", "bool", "The winning tile was claimed.", ()),
        ("chow", "bool", "Three in a row.", ()),
        ("pung", "bool", "Three of a kind.", ()),
        ("kong", "bool", "Four of a kind laid on the table.", ()),
        ("pair", "bool", "Two of a kind.", ()),
        ("suit", "word", "Characters, dots, bamboo or honours.", SUITS),
        ("rank", "int", "Number of the (lowest) tile; winds 1-4 from East, dragons 5-7 white, green, red.", ()),
        ("simple", "bool", "All its tiles are 2 to 8 of a suit.", ()),
        ("terminal", "bool", "It holds a 1 or 9.", ()),
        ("honour", "bool", "Winds or dragons.", ()),
        ("dragon", "bool", "Dragons.", ()),
        ("wind", "bool", "Winds.", ()),
        ("own_wind", "bool", "The player's own wind.", ()),
        ("round_wind", "bool", "The prevailing wind.", ()),
        ("exposed", "bool", "Laid open on the table before the win.", ()),
        ("concealed", "bool", "Not exposed and not completed by a claimed tile.", ()),
        ("claimed", "bool", "Completed by a claimed winning tile.", ()),
        ("added", "bool", "A kong made by adding the fourth tile, where the hand text says so.", ()),
    )
)

BONUS_FACTS: Final[tuple[Fact, ...]] = (
    Fact("winner", "bonus", "bool", "The hand went out."),
    Fact("flower", "bonus", "bool", "It is a flower."),
    Fact("season", "bonus", "bool", "It is a season."),
    Fact("number", "bonus", "int", "Its number, 1 East to 4 North."),
    Fact("own", "bonus", "bool", "Its number is that of the player's seat."),
)

COMBO_FACTS: Final[tuple[Fact, ...]] = (
    Fact("suits", "combo", "int", "Different suits among the sets, honours being one."),
    Fact("honours", "combo", "bool", "Some of the sets are of honours."),
    *(
        Fact(f"rank{i}", "combo", "int", f"The (lowest) rank of set {i} by rank; 0 where there is none.")
        for i in (1, 2, 3, 4)
    ),
    *(Fact(f"step{i}", "combo", "int", f"The rank of set {i + 1} less that of set {i}.") for i in (1, 2, 3)),
)

LIMIT_FACTS: Final[tuple[Fact, ...]] = (
    Fact("points", "limit", "int", "Points after rounding."),
    Fact("doubles", "limit", "int", "Doubles."),
    Fact("base", "limit", "int", "Points doubled that many times."),
)

PAYMENT_FACTS: Final[tuple[Fact, ...]] = (
    Fact("base", "payment", "int", "Points after doubling and limits."),
    Fact("points", "payment", "int", "Points after rounding (0 for a limit hand)."),
    Fact("doubles", "payment", "int", "Doubles (0 for a limit hand)."),
    Fact("self_draw", "payment", "bool", "The winning tile was drawn from the wall."),
    Fact("discard", "payment", "bool", "The winning tile was claimed."),
    Fact("winner_dealer", "payment", "bool", "The winner is East."),
    Fact("payer_dealer", "payment", "bool", "The payer is East."),
    Fact("payer_discards", "payment", "bool", "The payer gave the winning tile."),
)

PENALTY_FACTS: Final[tuple[Fact, ...]] = (
    Fact("offender_dealer", "penalty", "bool", "The player who made the fault is East."),
    Fact("payee_dealer", "penalty", "bool", "The player who is paid is East."),
)

FACTS: Final = {
    "hand": HAND_FACTS,
    "set": SET_FACTS,
    "bonus": BONUS_FACTS,
    "combo": COMBO_FACTS,
    "limit": LIMIT_FACTS,
    "payment": PAYMENT_FACTS,
    "penalty": PENALTY_FACTS,
}
