"""Parses the text of an event stream."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

# No message of the service is this large. A stream without line ends must not fill the memory.
MAX_MESSAGE_LENGTH = 16 * 1024 * 1024

_LINE_END = re.compile(r"\r\n|\n|\r")


class Message(NamedTuple):
    id: str
    event: str
    # None for a heartbeat, or for a message that only sets the resume position.
    data: Optional[str]


class MessageTooLarge(ValueError):
    pass


class MessageParser:
    """Accepts the text in pieces of any size. An incomplete message at the end is ignored."""

    def __init__(self, max_length: int = MAX_MESSAGE_LENGTH) -> None:
        self._max_length = max_length
        self._line: list[str] = []
        self._length = 0
        self._is_after_carriage_return = False
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, text: str) -> list[Message]:
        messages: list[Message] = []
        if text == "":
            return messages
        # A line feed at the beginning may be the second half of a CRLF.
        if self._is_after_carriage_return and text.startswith("\n"):
            text = text[1:]
        self._is_after_carriage_return = text.endswith("\r") or (
            text == "" and self._is_after_carriage_return
        )
        *complete, rest = _LINE_END.split(text)
        for part in complete:
            self._append(part)
            line = "".join(self._line)
            self._line.clear()
            if line != "":
                self._parse_line(line)
                continue
            data = "\n".join(self._data) if self._data else None
            messages.append(Message(self._id, self._event, data))
            self._event = ""
            self._data.clear()
            self._length = 0
        self._append(rest)
        return messages

    def _append(self, part: str) -> None:
        self._length += len(part)
        if self._length > self._max_length:
            raise MessageTooLarge(f"a message has more than {self._max_length} characters")
        self._line.append(part)

    def _parse_line(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "id":
            self._id = value
        elif field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)
