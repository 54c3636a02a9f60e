"""Other people's records of games: Tenhou's mjlog and JSON, and mjai.

`read_file` turns a file into games whose wins are hand records with the client's own result beside them; `check_game`
and `run_check` compare those with the scoring engine; `to_game_file` makes a game file of one.
"""

from tenbo.logs.check import DealCheck, Difference, WinCheck, check_game
from tenbo.logs.detect import read_file, read_games
from tenbo.logs.gamefile import to_game_file
from tenbo.logs.model import ClientResult, Deal, Draw, Game, LogError, Win
from tenbo.logs.report import run_check
from tenbo.logs.run import Checked, Summary, check_file, check_paths, files_of

__all__ = [
    "Checked",
    "ClientResult",
    "Deal",
    "DealCheck",
    "Difference",
    "Draw",
    "Game",
    "LogError",
    "Summary",
    "Win",
    "WinCheck",
    "check_file",
    "check_game",
    "check_paths",
    "files_of",
    "read_file",
    "read_games",
    "run_check",
    "to_game_file",
]
