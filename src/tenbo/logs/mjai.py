"""mjai: JSON Lines, one event a line, several games a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from tenbo.errors import shown
from tenbo.logs.build import BET, DealBuilder, clean, four, whole, with_ready
from tenbo.logs.model import WINDS, ClientResult, Deal, Game, LogError, Payments
from tenbo.logs.play import DRAWS, HIDDEN, Play

__all__ = ["read_mjai"]

_HONOURS: Final = "ESWNPFC"
_CODES: Final[Mapping[str, int]] = {
    **{f"{rank}{suit}": 9 * place + rank - 1 for place, suit in enumerate("mps") for rank in range(1, 10)},
    **{letter: 27 + place for place, letter in enumerate(_HONOURS)},
    **{f"5{suit}r": 42 + place for place, suit in enumerate("mps")},
}
_START: Final = 25_000  # where a log tells no points
_LIMIT_HAN: Final = 100  # by which some servers count each limit hand

_REASONS: Final[Mapping[str, tuple[str, str | None]]] = {
    "fanpai": ("exhaustive", None),
    "nagashimangan": ("nagashi_mangan", None),
    "kyushukyuhai": ("abortive", "nine_terminals"),
    "sufonrenta": ("abortive", "four_winds"),
    "suchareach": ("abortive", "four_riichi"),
    "sukaikan": ("abortive", "four_kongs"),
    "sanchaho": ("abortive", "triple_win"),
}
_CALLS: Final = {"chi": "chow", "pon": "pung", "daiminkan": "kong"}
_THREE_PLAYERS_ONLY: Final = ("nukidora", "kita")


def read_mjai(events: Sequence[Mapping[str, Any]]) -> Game:
    """Read the events of one game.

    Args:
        events: From `start_game`, where there is one, to `end_game`.

    Returns:
        The game. A three-player game comes back without deals.

    Raises:
        LogError: An event lacks something or contradicts the play so far.
    """
    if any(_is_three(event) for event in events):
        return Game("mjai", _names(events)[:3], three_player=True)
    reader = _Reader()
    for number, event in enumerate(events, 1):
        try:
            reader.take(event)
        except LogError as error:
            raise LogError(f"event {number}: {error}", error.problems[0].at) from None
    return reader.game(_names(events))


def _is_three(event: Mapping[str, Any]) -> bool:
    if event.get("type") in _THREE_PLAYERS_ONLY:
        return True
    listed = event.get({"start_game": "names", "start_kyoku": "tehais"}.get(str(event.get("type")), ""))
    return isinstance(listed, list) and len(listed) == 3


def _names(events: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    for event in events:
        names = event.get("names")
        if event.get("type") == "start_game" and isinstance(names, list):
            texts = [clean(name) if isinstance(name, str) else "" for name in names[:4]]
            return (*texts, *("",) * (4 - len(texts)))
    return ("", "", "", "")


def _player(event: Mapping[str, Any], key: str) -> int:
    return whole(event.get(key), f"'{key}'", 0, 3)


def _tile(value: object) -> int:
    code = HIDDEN if value == "?" else _CODES.get(value) if isinstance(value, str) else None
    if code is None:
        raise LogError(f"{shown(value)} is not a tile", "pai")
    return code


def _tiles(value: object, what: str) -> list[int]:
    if not isinstance(value, list):
        raise LogError(f"'{what}' is not a list of tiles", what)
    return [_tile(tile) for tile in value]


def _seen(value: object) -> int:
    if value == "?":
        raise LogError("a tile that lies open is hidden in the log", "pai")
    return _tile(value)


class _Reader:
    """State of reading one game."""

    def __init__(self) -> None:
        self.deals: list[Deal] = []
        self.builder: DealBuilder | None = None
        self.first_east: int | None = None
        self.points = [_START] * 4
        self.final: Payments | None = None
        self.unfinished = self.finished = False

    def take(self, event: Mapping[str, Any]) -> None:
        """Take the next event."""
        kind = event.get("type")
        if kind == "start_kyoku":
            self._close()
            if self.unfinished:
                raise LogError(f"deal {len(self.deals) + 1} has no end", "type")
            self.builder = self._start(event)
        elif kind in ("end_kyoku", "end_game"):
            self._close()
            self.finished = kind == "end_game"
        elif kind == "hora":
            self._win(self._open(kind), event)
        elif kind == "ryukyoku":
            self._draw(self._open(kind), event)
        elif isinstance(kind, str) and kind in _ACTS:
            builder = self._open(kind)
            if builder.ended:
                raise LogError(f"'{kind}' comes after the end of the deal", "type")
            if kind == "dora":
                builder.dora.append(_seen(event.get("dora_marker")))
            else:
                _act(builder.play, kind, event)
                if kind == "reach_accepted":
                    self.points[_player(event, "actor")] -= BET
        elif not isinstance(kind, str):
            raise LogError("an event has no 'type'", "type")

    def game(self, players: tuple[str, ...]) -> Game:
        """The game, after the last event."""
        self._close()
        east = self.first_east or 0
        return Game(
            "mjai",
            (*players[east:], *players[:east]),
            with_ready(self.deals),
            unfinished=self.unfinished,
            finished=self.finished,
        )

    def _open(self, kind: str) -> DealBuilder:
        if self.builder is None:
            raise LogError(f"'{kind}' stands outside a deal", "type")
        return self.builder

    def _close(self) -> None:
        builder, self.builder = self.builder, None
        if builder is None:
            return
        if self.first_east is None:
            self.first_east = builder.first_east
        if builder.ended:
            self.deals.append(builder.build(self.first_east))
        else:
            self.unfinished = True

    def _start(self, event: Mapping[str, Any]) -> DealBuilder:
        dealer = _player(event, "oya")
        wind, kyoku = event.get("bakaze", "E"), whole(event.get("kyoku", dealer + 1), "'kyoku'", 1, 4)
        if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
            raise LogError(f"{shown(wind)} is not a round wind", "bakaze")
        points = four(event.get("scores", self.points), "'scores'")
        hands = event.get("tehais")
        if not isinstance(hands, list) or len(hands) != 4:
            raise LogError("'tehais' is not a list of four hands", "tehais")
        self.points = list(points)
        builder = DealBuilder(
            4 * WINDS.index(wind) + kyoku - 1,
            dealer,
            event.get("honba", 0),
            event.get("kyotaku", 0),
            points,
            [_tiles(hand, "tehais") for hand in hands],
            {},
        )
        builder.dora.append(_seen(event.get("dora_marker")))
        return builder

    def _paid(self, event: Mapping[str, Any]) -> Payments | None:
        """The event's payments, from its changes or its points, if it has either."""
        if event.get("deltas") is not None:
            paid = four(event["deltas"], "'deltas'")
        elif event.get("scores") is not None:
            after = four(event["scores"], "'scores'")
            paid = cast(Payments, tuple(new - old for new, old in zip(after, self.points, strict=True)))
        else:
            return None
        self.points = [old + change for old, change in zip(self.points, paid, strict=True)]
        return paid

    def _win(self, builder: DealBuilder, event: Mapping[str, Any]) -> None:
        player, source = _player(event, "actor"), _player(event, "target")
        han, fu, score = (
            None if event.get(key) is None else whole(event[key], f"'{key}'") for key in ("fan", "fu", "hora_points")
        )
        limits = 0 if han is None else han // _LIMIT_HAN
        yaku = event.get("yakus", event.get("yaku"))
        client = ClientResult(
            han=None if limits else han,
            fu=fu or None,
            score=score or None,
            limit_hands=limits,
            yaku=tuple(_yaku(yaku)),
            payments=self._paid(event),
        )
        ura = _tiles(event.get("ura_markers", event.get("uradora_markers")) or [], "ura_markers")
        if builder.play.last[1] != _tile(event.get("pai", "?")) and event.get("pai") is not None:
            raise LogError("the winning tile is not the last one played", "pai")
        builder.win(player, None if source == player else source, client, ura, builder.play.liable(player))

    def _draw(self, builder: DealBuilder, event: Mapping[str, Any]) -> None:
        payments = self._paid(event)
        play = builder.play
        word = event.get("reason")
        if isinstance(word, str) and word in _REASONS:
            kind, reason = _REASONS[word]
        elif play.draws == DRAWS and play.last[2] == "discard":
            kind, reason = "exhaustive", None
        else:
            kind, reason = "abortive", "unknown"
        told = event.get("tenpais")
        ready: Sequence[int] | None = None
        if kind == "exhaustive":
            if isinstance(told, list) and len(told) == 4:
                ready = [player for player in range(4) if told[player] is True]
            elif payments is not None and any(payments):
                ready = [player for player in range(4) if payments[player] > 0]
                if not _usual(payments) and any(play.all_orphans(player) for player in range(4)):
                    kind, ready = "nagashi_mangan", None
        builder.drawn(kind, ready, reason, payments)


def _usual(payments: Payments) -> bool:
    """Whether an exhaustive draw was paid as among ready and other hands."""
    return {abs(change) for change in payments} in ({1000, 3000}, {1500})


def _yaku(value: object) -> list[tuple[str, int]]:
    if not isinstance(value, list):
        return []
    return [
        (clean(item[0]), item[1] % _LIMIT_HAN)
        for item in value
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and type(item[1]) is int
    ]


def _act(play: Play, kind: str, event: Mapping[str, Any]) -> None:
    """Play an event of the play itself."""
    player = _player(event, "actor")
    if kind == "tsumo":
        play.draw(player, _tile(event.get("pai")))
    elif kind == "dahai":
        play.discard(player, _seen(event.get("pai")))
    elif kind == "reach":
        play.riichi(player)
    elif kind == "reach_accepted":
        play.accept(player)
    elif kind == "ankan":
        play.concealed_kong(player, _tiles(event.get("consumed"), "consumed"))
    elif kind == "kakan":
        play.added_kong(player, _seen(event.get("pai")))
    else:
        own = _tiles(event.get("consumed"), "consumed")
        play.call(player, _CALLS[kind], own, _seen(event.get("pai")), _player(event, "target"))


_ACTS: Final = frozenset(("tsumo", "dahai", "reach", "reach_accepted", "ankan", "kakan", "dora", *_CALLS))
