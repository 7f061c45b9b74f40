"""Verifies callbacks, with the same rules as the folder receiver/ of the repository."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional, Sequence, Union, cast

from .events import MeetingEvent
from .json_text import parse_json

# No event is nearly this large. For a larger body, computing the signature would only waste time.
MAX_BYTES = 1024 * 1024
# With other characters, an attacker could present the beginning of a signed body as these headers,
# and the rest of it as the body.
_WEBHOOK_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_WEBHOOK_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_MAX_SAFE_INTEGER = 2**53 - 1

RawBody = Union[str, bytes, bytearray, memoryview]
# Headers of http.server, Flask, Django or Starlette, a dictionary, or pairs of names and values.
CallbackHeaders = Union[Mapping[str, Any], Iterable[tuple[Any, Any]]]


class CallbackErrorFacts(NamedTuple):
    status: int
    text: str


# The status decides how the service retries: after 401 and 500 for a day, so that a wrong secret loses
# no events; after 400 and 413 at most five times.
CALLBACK_ERRORS: Mapping[str, CallbackErrorFacts] = {
    "no_secret": CallbackErrorFacts(500, "No signing secret is configured"),
    "body_not_raw": CallbackErrorFacts(
        500, "rawBody must be the received bytes or text, not parsed JSON"
    ),
    "too_large": CallbackErrorFacts(413, "The body is larger than 1 MiB, so it is not an event"),
    "missing_signature": CallbackErrorFacts(401, "The signature header is missing"),
    "bad_signature": CallbackErrorFacts(401, "The signature does not match this body and secret"),
    "missing_timestamp": CallbackErrorFacts(
        401, "The Standard Webhooks headers with the time are missing"
    ),
    "too_old": CallbackErrorFacts(401, "The callback was signed too long ago"),
    "too_new": CallbackErrorFacts(
        401, "The callback was signed in the future: one of the clocks is wrong"
    ),
    "not_json": CallbackErrorFacts(400, "The body is not JSON"),
    "not_an_event": CallbackErrorFacts(400, "The body is not an event"),
}


class CallbackError(Exception):
    """The callback is not valid. `status` is the HTTP status of the response."""

    def __init__(self, code: str) -> None:
        super().__init__(CALLBACK_ERRORS[code].text)
        self.code = code
        self.status = CALLBACK_ERRORS[code].status


def verify_callback(
    raw_body: RawBody,
    headers: CallbackHeaders,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: Optional[float] = None,
    now: Optional[float] = None,
) -> MeetingEvent:
    """Verifies the signature of a callback with one of the secrets and returns its event.

    Raises a CallbackError if it is not valid. `raw_body` is the body before any parsing. `secret` is the
    signing secret (`ss_...`), or both secrets during a rotation.

    With `tolerance`, the time of the signature may differ from now by that many seconds. The Standard
    Webhooks headers are then mandatory, because only their signature covers the time. By default, the
    time is not checked, because a receiver that drops repeated events by meetingId and sequence is already
    safe from replayed callbacks. `now` is in seconds since 1970; the machine's clock by default.
    """
    secrets = _list_secrets(secret)
    if not secrets:
        raise CallbackError("no_secret")
    if not isinstance(raw_body, (str, bytes, bytearray, memoryview)):
        raise CallbackError("body_not_raw")
    body = _to_bytes(raw_body)
    if len(raw_body if isinstance(raw_body, str) else body) > MAX_BYTES:
        raise CallbackError("too_large")
    _check_signatures(body, _create_header_reader(headers), secrets, tolerance, now)
    return _parse_event(raw_body if isinstance(raw_body, str) else body)


def sign(raw_body: RawBody, secret: str) -> str:
    """Computes the value of `X-Service-Signature`, for tests of a receiver."""
    return "sha256=" + _hmac(secret, _to_bytes(raw_body)).hex()


def _check_signatures(
    body: bytes,
    header: Callable[[str], str],
    secrets: Sequence[str],
    tolerance: Optional[float],
    now: Optional[float],
) -> None:
    plain, timed = header("x-service-signature"), header("webhook-signature")
    message_id, timestamp = header("webhook-id"), header("webhook-timestamp")
    is_timed = (
        timed != ""
        and _WEBHOOK_ID.fullmatch(message_id) is not None
        and _WEBHOOK_TIMESTAMP.fullmatch(timestamp) is not None
    )
    if plain == "" and timed == "":
        raise CallbackError("missing_signature")

    def is_timed_valid() -> bool:
        if not is_timed:
            return False
        prefix = f"{message_id}.{timestamp}.".encode()
        expected = [_sign_with_timestamp(prefix, body, secret) for secret in secrets]
        actual = timed.split(" ")
        return any(_is_equal_constant_time(a, b) for a in expected for b in actual)

    if tolerance is None:
        is_plain_valid = any(_is_equal_constant_time(sign(body, one), plain) for one in secrets)
        if not is_plain_valid and not is_timed_valid():
            raise CallbackError("bad_signature")
        return
    # Only the Standard Webhooks signature covers the time. The other one would accept an old body with a new time.
    if not is_timed:
        raise CallbackError("missing_timestamp")
    if not is_timed_valid():
        raise CallbackError("bad_signature")
    age = (time.time() if now is None else now) - int(timestamp)
    # The comparisons are negated, so that a tolerance or time that is NaN rejects the callback.
    if not age <= tolerance:
        raise CallbackError("too_old")
    if not age >= -tolerance:
        raise CallbackError("too_new")


def _sign_with_timestamp(prefix: bytes, body: bytes, secret: str) -> str:
    return "v1," + base64.b64encode(_hmac(secret, prefix + body)).decode()


def _hmac(secret: str, message: bytes) -> bytes:
    return hmac.new(_to_bytes(secret), message, hashlib.sha256).digest()


def _is_equal_constant_time(expected: str, actual: str) -> bool:
    return hmac.compare_digest(_to_bytes(expected), _to_bytes(actual))


def _to_bytes(value: RawBody) -> bytes:
    # No text raises an error here. Text that is not valid Unicode just has another signature.
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


def _list_secrets(secret: Any) -> list[str]:
    values = secret if isinstance(secret, (list, tuple, set, frozenset)) else [secret]
    return [value for value in values if isinstance(value, str) and value != ""]


def _create_header_reader(headers: Any) -> Callable[[str], str]:
    """Reads every kind of headers. Repeated headers are joined by a space."""
    pairs = [
        (_to_text(pair[0]), pair[1])
        for pair in _list_pairs(headers)
        if isinstance(pair, (tuple, list)) and len(pair) == 2
    ]

    def read(name: str) -> str:
        values = [value for key, value in pairs if key is not None and key.lower() == name]
        lists = [value if isinstance(value, (list, tuple)) else [value] for value in values]
        flat = [one for values in lists for one in values]
        return " ".join(text for text in map(_to_text, flat) if text is not None)

    return read


def _list_pairs(headers: Any) -> list[Any]:
    items = getattr(headers, "items", None)
    try:
        return list(items() if callable(items) else headers)
    except TypeError:
        return []


def _to_text(value: Any) -> Optional[str]:
    # ASGI servers give headers as bytes.
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else None


def _parse_event(raw_body: Union[str, bytes]) -> MeetingEvent:
    try:
        text = raw_body if isinstance(raw_body, str) else raw_body.decode("utf-8-sig")
        event = parse_json(text)
    except ValueError as error:
        raise CallbackError("not_json") from error
    # Unknown event types are accepted, so that an older receiver works with a newer service.
    is_event = (
        isinstance(event, dict)
        and isinstance(event.get("payload"), dict)
        and all(isinstance(event.get(name), str) for name in ("type", "meetingId", "timestamp"))
        and _is_sequence(event.get("sequence"))
    )
    if not is_event:
        raise CallbackError("not_an_event")
    return cast(MeetingEvent, event)


def _is_sequence(value: Any) -> bool:
    if isinstance(value, float):
        return value.is_integer() and 0 < value <= _MAX_SAFE_INTEGER
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_SAFE_INTEGER
