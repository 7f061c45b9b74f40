"""One HTTP request on its own connection, with one time limit for the whole request."""

from __future__ import annotations

import io
import socket
import ssl
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Optional
from urllib.parse import urlsplit

from .errors import HansardError, error_from_response

# Error responses of the service are much smaller.
_MAX_ERROR_BYTES = 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class Deadline:
    """A point in time on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.start(seconds)

    def start(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def remaining(self) -> float:
        """Returns the seconds until then. Raises socket.timeout if there are none."""
        seconds = self._at - time.monotonic()
        if seconds <= 0:
            raise socket.timeout("the time is over")
        return seconds


class _DeadlineReader(io.RawIOBase):
    """Reads a socket. A socket's own time limit would start again with every byte."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._deadline.remaining())
        return self._sock.recv_into(buffer)


class _DeadlineSocket:
    """The part of a socket that http.client uses."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def sendall(self, data: Any) -> None:
        self._sock.settimeout(self._deadline.remaining())
        self._sock.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineReader(self._sock, self._deadline), _CHUNK_BYTES)

    def close(self) -> None:
        """Does nothing, because http.client closes its socket before the response is read. The Exchange closes it."""


class Exchange:
    """A sent request and its successful response. Use it with `with`, which closes the connection."""

    def __init__(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        body: Optional[bytes],
        timeout: float,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        self.deadline = Deadline(timeout)
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme == "https":
            context = ssl_context or ssl.create_default_context()
            self._connection: HTTPConnection = HTTPSConnection(
                host, parts.port, timeout=timeout, context=context
            )
        else:
            self._connection = HTTPConnection(host, parts.port, timeout=timeout)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        try:
            self.response = self._send(method, target, headers, body)
        except BaseException:
            self.close()
            raise

    def _send(
        self, method: str, target: str, headers: dict[str, str], body: Optional[bytes]
    ) -> HTTPResponse:
        connection = self._connection
        try:
            connection.connect()
            self._sock = connection.sock
            connection.sock = _DeadlineSocket(self._sock, self.deadline)
            connection.request(method, target, body=body, headers=headers)
            response = connection.getresponse()
            # http.client does not follow redirects, so no other host gets the API key.
            if 200 <= response.status < 300:
                return response
            content = response.read(_MAX_ERROR_BYTES)
        except (OSError, HTTPException) as error:
            raise to_failure(error) from error
        raise error_from_response(response.status, response.headers, content)

    def header(self, name: str) -> str:
        return self.response.headers.get(name, "")

    def read_some(self) -> bytes:
        """Returns the next bytes of the body; none at its end."""
        try:
            return self.response.read1(_CHUNK_BYTES)
        except (OSError, HTTPException) as error:
            raise to_failure(error) from error

    def read_all(self) -> bytes:
        try:
            return self.response.read()
        except (OSError, HTTPException) as error:
            raise to_failure(error) from error

    def close(self) -> None:
        self._connection.close()
        sock = getattr(self, "_sock", None)
        if sock is not None:
            sock.close()

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def to_failure(error: Exception) -> HansardError:
    # socket.timeout is TimeoutError only since Python 3.10.
    return HansardError("timeout" if isinstance(error, socket.timeout) else "no_connection")
