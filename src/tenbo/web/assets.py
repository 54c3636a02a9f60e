"""Static files, kept in memory: compressed once, and with a hash in their address, so that browsers may keep them."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_FOREVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its bytes, plain and compressed, and its content type."""

    plain: bytes
    zipped: bytes
    type: str


@dataclass(frozen=True, slots=True)
class Assets:
    """All static files.

    Attributes:
        mark: A hash of them all. It stands in their addresses, so that modules may name each other without one.
        files: The files by name.
    """

    mark: str
    files: dict[str, Asset]

    def address(self, name: str) -> str:
        """The address of a file.

        Raises:
            KeyError: There is no such file.
        """
        self.files[name]
        return f"/static/{self.mark}/{name}"


@cache
def assets() -> Assets:
    """Reads the static files that come with the package."""
    digest = hashlib.sha256()
    files = {}
    folder = resources.files("tenbo.web") / "static"
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        ending = item.name.rpartition(".")[2]
        if not item.is_file() or ending not in TYPES:
            continue
        data = item.read_bytes()
        digest.update(item.name.encode() + b"\0" + data)
        files[item.name] = Asset(data, gzip.compress(data, 9, mtime=0), TYPES[ending])
    return Assets(digest.hexdigest()[:12], files)


def takes_gzip(request: Request) -> bool:
    """Whether the client reads gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


async def static(request: Request) -> Response:
    """Answers with a static file; an address with another mark gets the present file, which is not to be kept."""
    found = assets()
    asset = found.files.get(request.path_params["name"])
    if asset is None:
        return Response("there is no such file", 404, media_type="text/plain")
    same = request.path_params["mark"] == found.mark
    headers = {"Cache-Control": _FOREVER if same else "no-cache", "Vary": "Accept-Encoding"}
    if takes_gzip(request):
        return Response(asset.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.type)
    return Response(asset.plain, headers=headers, media_type=asset.type)


async def favicon(request: Request) -> Response:
    """The icon, for browsers that ask for it unasked."""
    asset = assets().files["icon.svg"]
    return Response(asset.plain, headers={"Cache-Control": "max-age=86400"}, media_type=asset.type)
