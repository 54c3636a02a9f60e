"""`tenbo schema`: the JSON Schemas of records."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from cyclopts import Parameter

from tenbo.schemas import SCHEMAS, all_schemas
from tenbo.schemas import schema as find


def schema(
    name: Annotated[
        str | None, Parameter(help=f"One of {', '.join(SCHEMAS)}; all of them, where it is left out.")
    ] = None,
    /,
) -> int:
    """Prints the JSON Schemas of records, with their version number."""
    found = all_schemas() if name is None else find(name)
    sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    return 0
