"""Tenhou's mjlog: one XML document a game, its tiles numbered 0 to 135, its sets packed into bit fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from tenbo import tiles
from tenbo.logs import tenhou
from tenbo.logs.build import DealBuilder, clean, four, whole
from tenbo.logs.model import ClientResult, Deal, Game, LogError, Payments
from tenbo.logs.play import Play

__all__ = ["read_mjlog"]

_RED: Final = {16: 42, 52: 43, 88: 44}


class _Tiles:
    """What Tenhou's tile numbers mean, with or without red fives, looked up by their text, which is most of the work.

    Attributes:
        codes: Number to tile code.
        by_text: The same by the number's text.
        acts: `"T12"` to what it does (True for a draw), the player and the tile.
    """

    def __init__(self, red: Mapping[int, int]) -> None:
        self.codes = tuple(red.get(tile, tile // 4) for tile in range(136))
        self.by_text = {str(tile): code for tile, code in enumerate(self.codes)}
        self.acts = {
            letters[player] + text: (draw, player, code)
            for draw, letters in ((True, "TUVW"), (False, "DEFG"))
            for player in range(4)
            for text, code in self.by_text.items()
        }


_WITH_RED: Final = _Tiles(_RED)
_WITHOUT_RED: Final = _Tiles({})

_NO_RED, _NO_OPEN_ALL_SIMPLES, _TWO_ROUNDS, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10

_ABORTIVE: Final = {
    "yao9": "nine_terminals",
    "kaze4": "four_winds",
    "reach4": "four_riichi",
    "kan4": "four_kongs",
    "ron3": "triple_win",
}

_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")
_WHOLES: Final = re.compile(r"-?[0-9]{1,9}(?:,-?[0-9]{1,9}){0,99}")

_Attributes = Mapping[str, str]


def read_mjlog(text: str) -> Game:
    """Read one mjlog document.

    Args:
        text: The XML, decoded.

    Returns:
        The game. A three-player game comes back without deals.

    Raises:
        LogError: The text is not well-formed, uses entities or a document type, or is no mjlog; or the play in it
            contradicts itself.
    """
    reader = _Reader()
    parser = DefusedXMLParser(target=reader, forbid_dtd=True)
    # Every element is taken as it comes; no tree is built, so its depth does not matter.
    parser.parser.StartElementHandler = reader.element
    try:
        parser.feed(text)
        parser.close()
    except DefusedXmlException as error:
        kind = type(error).__name__
        raise LogError(f"the XML has a document type or entities, which no game log needs ({kind})", "XML") from None
    except ParseError as error:
        raise LogError(f"the XML is damaged: {error}", "XML") from None
    return reader.game()


class _Reader:
    """State of reading one game."""

    def __init__(self) -> None:
        self.tiles = _WITH_RED
        self.acts = self.tiles.acts
        self.builder: DealBuilder | None = None
        self.play: Play | None = None  # of the deal, while it is going on
        self.players = ["", "", "", ""]
        self.first_east: int | None = None
        self.deals: list[Deal] = []
        self.final: Payments | None = None
        self.options: dict[str, object] = {}
        self.table: dict[str, object] = {}
        self.inside = self.three_player = False

    def element(self, tag: str, listed: list[str]) -> None:
        """Take the next element, its attributes' names and values in turn."""
        if act := self.acts.get(tag):
            play = self.play
            if play is None:
                raise LogError(f"<{tag}> stands outside a deal", tag)
            if act[0]:
                play.draw(act[1], act[2])
            else:
                play.discard(act[1], act[2])
            return
        if self.three_player:
            return  # whatever follows is not read
        attributes = dict(zip(listed[::2], listed[1::2], strict=True))
        if not self.inside:
            if tag != "mjloggm":
                raise LogError(f"the XML is of <{clean(tag)}>, not of a game log (<mjloggm>)", "XML", foreign=True)
            self.inside = True
        elif tag == "N":
            _meld(self._going_on(tag), _player(attributes, "who"), _number(attributes, "m"), self.tiles.codes)
        elif tag == "REACH":
            player = _player(attributes, "who")
            if attributes.get("step") == "1":
                self._going_on(tag).riichi(player)
            else:
                self._going_on(tag).accept(player)
        elif tag == "DORA":
            self._going_on(tag)
            self._dealt(tag).dora += self._codes([attributes.get("hai", "")])
        elif tag == "AGARI":
            self._win(self._dealt(tag), attributes)
            self.play = None
        elif tag == "RYUUKYOKU":
            self._draw(self._dealt(tag), attributes)
            self.play = None
        elif tag == "INIT":
            if not self._close():
                raise LogError(f"deal {len(self.deals) + 1} has no end", tag)
            if "hai3" in attributes and not attributes["hai3"]:
                self._pass_over()
                return
            self.builder = self._start(attributes)
            self.play = self.builder.play
        elif tag == "GO":
            self._rules(_number(attributes, "type"))
        elif tag == "UN":
            self._names(attributes)

    def game(self) -> Game:
        """The game, after the last element."""
        unfinished = not self.three_player and not self._close()
        east = self.first_east or 0
        final = None if self.final is None else cast(Payments, (*self.final[east:], *self.final[:east]))
        return Game(
            format="mjlog",
            players=(*self.players[east:], *self.players[:east]),
            deals=() if self.three_player else tuple(self.deals),
            options=self.options,
            table_options=self.table,
            three_player=self.three_player,
            unfinished=unfinished,
            finished=final is not None,
            final=final,
        )

    def _pass_over(self) -> None:
        self.three_player = True
        self.acts = {}

    def _dealt(self, tag: str) -> DealBuilder:
        if self.builder is None:
            raise LogError(f"<{tag}> stands outside a deal", tag)
        return self.builder

    def _going_on(self, tag: str) -> Play:
        if self.play is None:
            raise LogError(f"<{tag}> stands outside a deal", tag)
        return self.play

    def _close(self) -> bool:
        """Keep the last deal, if it is over; False where it has no end."""
        builder = self.builder
        if builder is None:
            return True
        if self.first_east is None:
            self.first_east = builder.first_east
        if builder.ended:
            self.deals.append(builder.build(self.first_east))
        return builder.ended

    def _rules(self, kind: int) -> None:
        """Take the rules from the game's type."""
        self.tiles = _WITHOUT_RED if kind & _NO_RED else _WITH_RED
        self.acts = self.tiles.acts
        self.options = tenhou.hand_options(open_all_simples=not kind & _NO_OPEN_ALL_SIMPLES)
        self.table = tenhou.table_options(rounds=2 if kind & _TWO_ROUNDS else 1)
        if kind & _THREE_PLAYERS:
            self._pass_over()

    def _names(self, attributes: _Attributes) -> None:
        for player in range(4):
            name = attributes.get(f"n{player}")
            if name and not self.players[player]:  # names alone come again when somebody reconnects
                self.players[player] = clean(unquote(name[:1000]))

    def _codes(self, texts: Sequence[str]) -> list[int]:
        try:
            return [self.tiles.by_text[text] for text in texts]
        except KeyError as error:
            raise LogError(f"tile '{clean(error.args[0])}' is not one of 0 to 135", "tile") from None

    def _list(self, attributes: _Attributes, name: str) -> list[int]:
        text = attributes.get(name)
        return self._codes(text.split(",")) if text else []

    def _start(self, attributes: _Attributes) -> DealBuilder:
        seed = _numbers(attributes, "seed")
        if len(seed) != 6:
            raise LogError("the seed of a deal has not six numbers", "seed")
        builder = DealBuilder(
            seed[0],
            _player(attributes, "oya"),
            seed[1],
            seed[2],
            _hundreds(_numbers(attributes, "ten"), "ten"),
            [self._list(attributes, f"hai{player}") for player in range(4)],
            self.options,
        )
        builder.dora += self._codes([str(seed[5])])
        return builder

    def _win(self, builder: DealBuilder, attributes: _Attributes) -> None:
        player, source = _player(attributes, "who"), _player(attributes, "fromWho")
        self._compare(builder.play, player, source, attributes)
        ten = _numbers(attributes, "ten")
        if len(ten) != 3:
            raise LogError("ten of a win has not three numbers", "ten")
        counted = _numbers(attributes, "yaku") if "yaku" in attributes else []
        limits = _numbers(attributes, "yakuman") if "yakuman" in attributes else []
        yaku = [*zip(counted[::2], counted[1::2], strict=False), *((number, 0) for number in limits)]
        if len(counted) % 2 or any(number not in range(len(tenhou.YAKU)) for number, _ in yaku):
            raise LogError("the yaku of a win are not Tenhou's", "yaku")
        client = ClientResult(
            han=None if limits else sum(counted[1::2]),
            fu=ten[0],
            score=ten[1],
            limit_hands=len(limits),
            yaku=tuple((tenhou.YAKU[number], han) for number, han in yaku),
            payments=self._changes(attributes),
        )
        liable = _player(attributes, "paoWho") if "paoWho" in attributes else None
        ura = self._list(attributes, "doraHaiUra")
        builder.dora = self._list(attributes, "doraHai") or builder.dora
        builder.win(player, None if source == player else source, client, ura, liable)
        self._end(attributes)

    def _compare(self, play: Play, player: int, source: int, attributes: _Attributes) -> None:
        """Hold the winning hand that the log gives against the one that was played."""
        told = sorted(self._list(attributes, "hai"))
        played = play.concealed(player)
        if source != player:
            played = tuple(sorted((*played, play.last[1])))
        bits = _numbers(attributes, "m") if attributes.get("m") else []
        sets = sorted(tiles.in_order(_decode(code, self.tiles.codes)[1]) for code in bits)
        if tuple(told) != played or sets != sorted(meld.tiles for meld in play.melds(player)):
            raise LogError(f"the winning hand of {play.name(player)} is not the one that was played", "hai")
        if self._codes([attributes.get("machi", "")]) != [play.last[1]]:
            raise LogError(f"the winning tile of {play.name(player)} is not the last one played", "machi")

    def _draw(self, builder: DealBuilder, attributes: _Attributes) -> None:
        payments = self._changes(attributes)
        kind = attributes.get("type")
        ready = [player for player in range(4) if f"hai{player}" in attributes]
        if kind is None:
            builder.drawn("exhaustive", ready, None, payments)
        elif kind == "nm":
            builder.drawn("nagashi_mangan", ready, None, payments)
        else:
            builder.drawn("abortive", None, _ABORTIVE.get(kind, "unknown"), payments)
        self._end(attributes)

    def _changes(self, attributes: _Attributes) -> Payments:
        numbers = _numbers(attributes, "sc")
        if len(numbers) != 8:
            raise LogError("sc has not eight numbers", "sc")
        return _hundreds(numbers[1::2], "sc")

    def _end(self, attributes: _Attributes) -> None:
        if "owari" in attributes:
            numbers = attributes["owari"].split(",")
            self.final = _hundreds([_whole_text(number, "owari") for number in numbers[::2]], "owari")


def _whole_text(text: str, what: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise LogError(f"{what} has '{clean(text)}' where a whole number belongs", what)
    return int(text)


def _number(attributes: _Attributes, name: str) -> int:
    return _whole_text(attributes.get(name, ""), name)


def _numbers(attributes: _Attributes, name: str) -> list[int]:
    text = attributes.get(name, "")
    if not _WHOLES.fullmatch(text):
        raise LogError(f"{name} has '{clean(text)}' where whole numbers belong", name)
    return [int(number) for number in text.split(",")]


def _player(attributes: _Attributes, name: str) -> int:
    return whole(_number(attributes, name), name, 0, 3)


def _hundreds(numbers: list[int], what: str) -> Payments:
    return four([100 * number for number in numbers], what)


def _decode(bits: int, codes: tuple[int, ...]) -> tuple[str, list[int], int, int]:
    """Unpack a set: what it is, its tiles, the place of the claimed or added one, and from whom (0 none, 1 next)."""
    source = bits & 3
    if not 0 <= bits < 1 << 16:
        raise LogError(f"'{bits}' is not the code of a set", "m")
    if bits & 4:
        pattern = bits >> 10
        start, place = pattern // 3, pattern % 3
        lowest = start // 7 * 9 + start % 7
        ids = [4 * (lowest + step) + (bits >> shift & 3) for step, shift in enumerate((3, 5, 7))]
        kind = "chow"
    elif bits & 0x18:
        pattern = bits >> 9
        spare = bits >> 5 & 3
        ids = [4 * (pattern // 3) + copy for copy in range(4) if copy != spare]
        place = pattern % 3
        kind = "pung"
        if bits & 0x10:
            ids.append(4 * (pattern // 3) + spare)
            kind, place = "added kong", 3
    elif bits & 0x20:
        raise LogError("a north is set aside in a game of four", "m")
    else:
        pattern = bits >> 8
        ids = [4 * (pattern // 4) + copy for copy in range(4)]
        place = pattern % 4
        kind = "kong" if source else "concealed kong"
    if max(ids) > 135:
        raise LogError(f"'{bits}' is not the code of a set", "m")
    return kind, [codes[tile] for tile in ids], place, source


def _meld(play: Play, player: int, bits: int, codes: tuple[int, ...]) -> None:
    """Play the act that a set's code tells."""
    kind, made, place, source = _decode(bits, codes)
    if kind == "concealed kong":
        play.concealed_kong(player, made)
    elif kind == "added kong":
        play.added_kong(player, made[place])
    else:
        play.call(player, kind, made[:place] + made[place + 1 :], made[place], (player + source) % 4)
