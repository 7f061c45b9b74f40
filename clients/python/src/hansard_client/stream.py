"""Reads event streams and reconnects when a connection breaks."""

from __future__ import annotations

import codecs
import re
import time
from typing import TYPE_CHECKING, Any, Iterator

from .errors import HansardError
from .json_text import parse_json
from .retry import backoff, can_retry
from .server_sent_events import Message, MessageParser, MessageTooLarge

if TYPE_CHECKING:
    from .connection import Call, Connection

# The service sends at least a heartbeat every 15 s, so a stream that is silent for longer is broken.
SILENCE_TIMEOUT = 45.0
# The last message of a stream with named messages.
_LAST_EVENTS = {"end", "done"}
# Ids that can be sent back in a header.
_MESSAGE_ID = re.compile(r"[!-~]{0,200}")


class _State:
    """The state of a stream across its connections."""

    def __init__(self) -> None:
        self.last_id = ""
        self.failures = 0
        self.last_received_at = time.monotonic()
        self.has_messages = False


def follow_with_reconnect(
    connection: Connection, call: Call, *, patience: float, partials: bool
) -> Iterator[Any]:
    """Yields each message of a stream once, and reconnects as often as needed.

    Returns when the service ends the stream. Raises if the service rejects the call, or is unreachable
    for `patience` seconds. A stream that answers a request with a body is not opened again.
    """
    state = _State()
    while True:
        try:
            for value in _read_connection(connection, call, state):
                if partials or value.get("type") != "caption_partial":
                    yield value
            return
        except HansardError as error:
            if not can_retry(error, call.is_repeatable):
                raise
            # A call with effects was processed if it has sent a message, whatever the error says.
            if state.has_messages and not call.is_repeatable:
                raise
            if time.monotonic() - state.last_received_at > patience:
                raise
            wait = backoff(state.failures) if error.retry_after is None else error.retry_after
        time.sleep(wait)
        state.failures += 1


def _read_connection(connection: Connection, call: Call, state: _State) -> Iterator[Any]:
    """Reads one connection. Returns when the stream is complete; raises when the connection breaks."""
    resume = {"Last-Event-ID": state.last_id} if state.last_id else {}
    # The `with` also ends when the caller stops reading, because the connection must then be closed.
    with connection.open(call, {"Accept": "text/event-stream", **resume}) as exchange:
        status = exchange.response.status
        if status == 204:
            return
        if not exchange.header("content-type").startswith("text/event-stream"):
            raise HansardError("not_this_service", status=status)
        parser = MessageParser()
        # A byte order mark at the beginning is not part of the text.
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        while True:
            # The time runs only during a read, so that a slow consumer does not look like a silent service.
            exchange.deadline.start(SILENCE_TIMEOUT)
            content = exchange.read_some()
            if not content:
                raise HansardError("no_connection", "The stream was interrupted")
            state.last_received_at = time.monotonic()
            for message in _parse(parser, decoder.decode(content)):
                if not _MESSAGE_ID.fullmatch(message.id):
                    raise HansardError(
                        "not_this_service", "A message of the stream has an invalid id"
                    )
                state.last_id = message.id or state.last_id
                if message.data is None:
                    continue
                state.failures = 0
                if message.event == "open":
                    continue
                value = _parse_data(message.data)
                if call.has_names and message.event == "error":
                    raise _to_stream_error(value)
                state.has_messages = True
                if call.has_names:
                    yield {"event": message.event, "data": value}
                    if message.event in _LAST_EVENTS:
                        return
                elif isinstance(value, dict):
                    yield value
                else:
                    raise HansardError(
                        "not_this_service", "A message of the stream is not an object"
                    )
            state.last_received_at = time.monotonic()


def _parse(parser: MessageParser, text: str) -> list[Message]:
    try:
        return parser.feed(text)
    except MessageTooLarge as error:
        raise HansardError("not_this_service", "A message of the stream is too large") from error


def _parse_data(data: str) -> Any:
    try:
        return parse_json(data)
    except ValueError as error:
        raise HansardError("not_this_service", "A message of the stream is not JSON") from error


def _to_stream_error(value: Any) -> HansardError:
    """The service could not continue. The message has the form of an error response."""
    items = value.items() if isinstance(value, dict) else []
    facts = {name: text for name, text in items if isinstance(text, str)}
    if "code" not in facts:
        return HansardError("not_this_service")
    return HansardError(
        facts["code"],
        facts.get("error"),
        request_id=facts.get("requestId"),
        hint=facts.get("hint"),
    )
