"""Which errors are transient, and how long to wait after them."""

from __future__ import annotations

import random

from .errors import HansardError

# The service rejected the call before processing it, so every call can be retried.
_NOT_PROCESSED_CODES = {"too_many_requests", "shutting_down", "at_capacity"}
# After these transient errors, the call may or may not have had an effect.
_TRANSIENT_CODES = {"no_connection", "timeout", "request_in_progress", "request_timeout"}
_MIN_BACKOFF = 0.25
_MAX_BACKOFF = 10.0


def can_retry(error: HansardError, is_repeatable: bool) -> bool:
    if error.code in _NOT_PROCESSED_CODES:
        return True
    return is_repeatable and (error.code in _TRANSIENT_CODES or error.status >= 500)


def backoff(attempt: int) -> float:
    """Exponential back-off with jitter, in seconds."""
    longest = min(_MAX_BACKOFF, _MIN_BACKOFF * 2.0 ** min(attempt, 10))
    return longest / 2 + random.random() * longest / 2
