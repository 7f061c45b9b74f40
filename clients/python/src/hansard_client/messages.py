"""Messages of event streams that are not events of meetings."""

from __future__ import annotations

from typing import Any, TypedDict


class ListenedCallback(TypedDict):
    """A callback that `listeners.stream` yields."""

    deliveryId: str
    headers: dict[str, str]
    # The exact bytes that were signed, as text.
    body: str
    timeoutMs: int
    # False for a copy of another meeting's callback, whose response the service does not need.
    isAnswerWanted: bool


class StreamMessage(TypedDict):
    """A message of a stream with several kinds. The last one has the event `end` or `done`."""

    event: str
    data: Any
