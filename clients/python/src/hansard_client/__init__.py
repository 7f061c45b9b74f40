"""Client of Hansard: its API, its event streams, and the check of its callbacks. Needs only Python."""

from __future__ import annotations

import ssl
from typing import Optional

from .callbacks import CALLBACK_ERRORS, CallbackError, sign, verify_callback
from .connection import CallOptions, Connection, StreamOptions
from .errors import HansardError
from .events import MeetingEvent
from .messages import ListenedCallback, StreamMessage
from .operations import Api
from .version import VERSION as __version__

__all__ = [
    "CALLBACK_ERRORS",
    "CallOptions",
    "CallbackError",
    "Client",
    "HansardError",
    "ListenedCallback",
    "MeetingEvent",
    "StreamMessage",
    "StreamOptions",
    "__version__",
    "sign",
    "verify_callback",
]


class Client(Api):
    """Calls the API. Its operations are in groups, for example `client.meetings.start({...})`.

    A failed call raises a HansardError. An invalid argument raises a ValueError or TypeError before
    anything is sent. Several threads can use one client.

    url: URL of the service, such as http://127.0.0.1:8080
    api_key: `sk_...`
    retries: how often a failed call is retried
    timeout: seconds for each attempt, including its response
    max_wait: if `Retry-After` is longer, the error is raised without a retry, in seconds
    patience: how many seconds a stream tries to reconnect while the service is unreachable
    ssl_context: needed if your own authority issued the certificate
    """

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
        connection = Connection(
            url,
            api_key,
            retries=retries,
            timeout=timeout,
            max_wait=max_wait,
            patience=patience,
            ssl_context=ssl_context,
        )
        super().__init__(connection)
