"""How often somebody may do what costs the server something lasting."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Final

_MOST_CALLERS: Final = 10_000
_HOUR: Final = 3600.0


class RateLimit:
    """A bucket of tokens for each caller, filled evenly.

    Args:
        per_hour: How many each caller has in an hour, and at most at once; 0 for no limit.
        clock: Seconds that only grow.
    """

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_hour = per_hour
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when that was
        self._lock = Lock()

    def take(self, caller: str) -> float:
        """Takes one.

        Returns:
            0 where there was one, else the seconds until there will be.
        """
        if not self.per_hour:
            return 0.0
        rate = self.per_hour / _HOUR
        now = self._clock()
        with self._lock:
            left, then = self._buckets.pop(caller, (float(self.per_hour), now))
            left = min(float(self.per_hour), left + (now - then) * rate)
            wait = 0.0 if left >= 1 else (1 - left) / rate
            self._buckets[caller] = (left if wait else left - 1, now)
            while len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
        return wait


def caller_of(host: str) -> str:
    """Whom an address belongs to: an IPv6 network of 64 bits is one caller.

    >>> caller_of("2001:db8:1:2:aaaa::1"), caller_of("192.0.2.1"), caller_of("testclient")
    ('2001:db8:1:2', '192.0.2.1', 'testclient')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped) if address.ipv4_mapped else ":".join(_groups(address))
    return str(address)


def _groups(address: IPv6Address) -> list[str]:
    return [part.lstrip("0") or "0" for part in address.exploded.split(":")[:4]]
