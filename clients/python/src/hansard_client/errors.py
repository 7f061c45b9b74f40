"""The only error class of the client."""

from __future__ import annotations

import re
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Optional

from .json_text import parse_json

# Messages of errors that do not come from the service.
_TEXTS = {
    "no_connection": "The service cannot be reached",
    "timeout": "The service did not respond in time",
    "not_this_service": "The server at this URL is not Hansard, or an older version of it",
    "redirected": "The service redirected the call to another address; "
    "the client does not send the API key there",
}


class HansardError(Exception):
    """An error response of the service, or the reason why there is none."""

    def __init__(
        self,
        code: str,
        message: Optional[str] = None,
        *,
        status: int = 0,
        request_id: Optional[str] = None,
        details: Optional[list[dict[str, Any]]] = None,
        hint: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message or _TEXTS.get(code, code))
        # A code of the service (docs/api.md), or no_connection, timeout, not_this_service, redirected.
        self.code = code
        # HTTP status; 0 if there was no response.
        self.status = status
        self.request_id = request_id
        # All problems of the request, each with path and message.
        self.details = details or []
        self.hint = hint
        # Seconds to wait before a retry; None if the service does not say.
        self.retry_after = retry_after

    @property
    def message(self) -> str:
        return str(self.args[0])


def error_from_response(status: int, headers: Message, body: bytes) -> HansardError:
    """Converts an unsuccessful response to a HansardError."""
    if 300 <= status < 400:
        return HansardError("redirected", status=status)
    request_id = headers.get("x-request-id")
    retry_after = _parse_retry_after(headers.get("retry-after"))
    facts = _parse_error_body(body)
    if facts is None:
        return HansardError(
            "not_this_service", status=status, request_id=request_id, retry_after=retry_after
        )
    details, hint = facts.get("details"), facts.get("hint")
    return HansardError(
        facts["code"],
        facts["error"],
        status=status,
        request_id=request_id,
        details=[one for one in details if isinstance(one, dict)]
        if isinstance(details, list)
        else [],
        hint=hint if isinstance(hint, str) else None,
        retry_after=retry_after,
    )


def _parse_error_body(body: bytes) -> Optional[dict[str, Any]]:
    try:
        facts = parse_json(body.decode("utf-8", "replace"))
    except ValueError:
        return None
    is_error = isinstance(facts, dict) and all(
        isinstance(facts.get(name), str) for name in ("code", "error")
    )
    return facts if is_error else None


def _parse_retry_after(text: Optional[str]) -> Optional[float]:
    """`Retry-After` is a number of seconds or a date."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,15}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
