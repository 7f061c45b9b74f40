"""Sends calls, retries transient errors and encodes what a call contains."""

from __future__ import annotations

import json
import re
import secrets
import ssl
import time
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Optional, TypedDict
from urllib.parse import quote, urlencode, urlsplit

from .errors import HansardError
from .json_text import parse_json
from .retry import backoff, can_retry
from .stream import follow_with_reconnect
from .transport import Exchange
from .version import VERSION


class CallOptions(TypedDict, total=False):
    # Seconds for each attempt, including its response.
    timeout: float
    retries: int
    # Replaces the generated key, for a call that must run only once even if this program is restarted.
    idempotency_key: str
    headers: dict[str, str]


class StreamOptions(TypedDict, total=False):
    # How many seconds each connection may take until the response headers arrive.
    timeout: float
    # How many seconds the stream tries to reconnect while the service is unreachable.
    patience: float
    # False omits partial captions. They are not stored, so a broken connection can lose some.
    partials: bool
    headers: dict[str, str]


@dataclass(frozen=True)
class Call:
    method: str
    url: str
    headers: dict[str, str]
    body: Optional[bytes]
    is_repeatable: bool
    is_binary: bool
    has_names: bool
    timeout: float


class Connection:
    """The service's address, the API key, and the limits of calls."""

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        retries: int = 4,
        timeout: float = 60.0,
        max_wait: float = 60.0,
        patience: float = 300.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._base = _parse_base_url(url)
        # Line breaks in a header would begin another header.
        if not isinstance(api_key, str) or not re.fullmatch(r"[!-~]+", api_key):
            raise ValueError(
                "api_key must be a text without spaces, line breaks and special letters"
            )
        self._api_key = api_key
        self._retries = retries
        self._timeout = timeout
        self._max_wait = max_wait
        self._patience = patience
        self._ssl_context = ssl_context

    def __repr__(self) -> str:
        return f"Connection({self._base!r})"

    def call(
        self,
        method: str,
        path_template: str,
        *,
        path: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        sends: Optional[str] = None,
        body: Any = None,
        takes_key: bool = False,
        is_binary: bool = False,
        options: Optional[CallOptions] = None,
    ) -> Any:
        """Sends a request, retries it after transient errors, and returns the response body."""
        given: CallOptions = options or {}
        headers = _encode_headers(given.get("headers"), sends)
        if takes_key:
            # All attempts of a call share one key, so that the service runs the call only once.
            headers["Idempotency-Key"] = given.get("idempotency_key") or secrets.token_hex(16)
        call = Call(
            method=method,
            url=self._encode_url(path_template, path, query),
            headers=headers,
            body=_encode_body(sends, body),
            is_repeatable=method == "GET" or takes_key,
            is_binary=is_binary,
            has_names=False,
            timeout=given.get("timeout", self._timeout),
        )
        retries = given.get("retries", self._retries)
        attempt = 0
        while True:
            try:
                return self._call_once(call)
            except HansardError as error:
                if attempt >= retries or not can_retry(error, call.is_repeatable):
                    raise
                wait = backoff(attempt) if error.retry_after is None else error.retry_after
                # If the wait is longer, the caller decides. The error has `retry_after`.
                if wait > self._max_wait:
                    raise
            time.sleep(wait)
            attempt += 1

    def stream(
        self,
        method: str,
        path_template: str,
        *,
        path: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        sends: Optional[str] = None,
        body: Any = None,
        has_names: bool = False,
        options: Optional[StreamOptions] = None,
    ) -> Iterator[Any]:
        """Opens an event stream and yields each of its messages once."""
        given: StreamOptions = options or {}
        call = Call(
            method=method,
            url=self._encode_url(path_template, path, query),
            headers=_encode_headers(given.get("headers"), sends),
            body=_encode_body(sends, body),
            is_repeatable=method == "GET",
            is_binary=False,
            has_names=has_names,
            timeout=given.get("timeout", self._timeout),
        )
        return follow_with_reconnect(
            self,
            call,
            patience=given.get("patience", self._patience),
            partials=given.get("partials", True),
        )

    def open(self, call: Call, headers: Mapping[str, str]) -> Exchange:
        """Sends one request. Raises a HansardError unless the response is successful."""
        sent = {
            "User-Agent": f"hansard-client-python/{VERSION}",
            "X-API-Key": self._api_key,
            "Connection": "close",
            **call.headers,
            **headers,
        }
        return Exchange(call.method, call.url, sent, call.body, call.timeout, self._ssl_context)

    def _call_once(self, call: Call) -> Any:
        with self.open(call, {}) as exchange:
            content = exchange.read_all()
            if call.is_binary:
                return content
            if exchange.response.status == 204:
                return None
            text = content.decode("utf-8", "replace")
            if not exchange.header("content-type").startswith("application/json"):
                return text
            try:
                return parse_json(text)
            except ValueError as error:
                raise HansardError("not_this_service", status=exchange.response.status) from error

    def _encode_url(
        self,
        path_template: str,
        path: Optional[Mapping[str, Any]],
        query: Optional[Mapping[str, Any]],
    ) -> str:
        target = re.sub(
            r"\{(\w+)\}",
            lambda match: _encode_path(match[1], (path or {})[match[1]]),
            path_template,
        )
        pairs = [(name, value) for name, value in (query or {}).items() if value is not None]
        text = urlencode([(name, _encode_query_value(value)) for name, value in pairs])
        return f"{self._base}{target}{'?' + text if text else ''}"


class Operations:
    """A group of operations of the API."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


def _parse_base_url(url: str) -> str:
    # Python removes line breaks from URLs, so they are rejected before it parses the URL.
    if not isinstance(url, str) or re.search(r"[\x00-\x20\x7f]", url):
        raise ValueError("url must be a text without spaces and line breaks")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("url must be an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url must not contain a user name or password")
    # Raises ValueError if the port is not a number.
    _ = parts.port
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path.rstrip('/'), safe='/%')}"


def _encode_path(name: str, value: Any) -> str:
    """Rejects values that would change the path. Only `path` may contain slashes."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    text = str(value) if is_number else value
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a text or a number")
    parts = text.split("/") if name == "path" else [text]
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{name} must be a non-empty name other than . and ..")
    return "/".join(quote(part, safe="") for part in parts)


def _encode_query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _encode_headers(headers: Optional[Mapping[str, str]], sends: Optional[str]) -> dict[str, str]:
    encoded = dict(headers or {})
    if sends is not None:
        encoded["Content-Type"] = sends
    return encoded


def _encode_body(sends: Optional[str], body: Any) -> Optional[bytes]:
    if sends is None:
        return None
    if sends == "application/json":
        return json.dumps({} if body is None else body, allow_nan=False).encode()
    if isinstance(body, bytes):
        return body
    return str("" if body is None else body).encode()
