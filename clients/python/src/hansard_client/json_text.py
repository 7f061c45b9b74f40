"""JSON without Python's extensions."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def parse_json(text: str) -> Any:
    """Parses JSON. Raises ValueError for anything else, including NaN and very deep nesting."""
    try:
        return json.loads(text, parse_constant=_reject_constant)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
