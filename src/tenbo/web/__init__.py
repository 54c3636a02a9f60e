"""The web front: pages for people at a table, and the same over REST.

Needs the extra `web`. Nothing here knows a rule: every number on a page comes from the library's functions.
"""

from tenbo.web.app import create_app
from tenbo.web.serving import serve

__all__ = ["create_app", "serve"]
