"""Receives callbacks and prints one line for each event. Python 3.8 or newer, nothing to install:

SIGNING_SECRET=ss_... PORT=3000 python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BYTES = 1024 * 1024

# One secret, or both of them with a space between during a rotation.
SECRETS = os.environ.get("SIGNING_SECRET", "").split()

# What was handled. A program that keeps events has a unique index on these two columns instead.
handled = set()
one_at_a_time = threading.Lock()


def is_genuine(body, signature):
    given = signature.encode("utf-8", "surrogateescape")
    return any(hmac.compare_digest(sign(body, secret), given) for secret in SECRETS)


def sign(body, secret):
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return ("sha256=" + digest).encode()


def handle(event):
    key = (event["meetingId"], event["sequence"])
    with one_at_a_time:
        if key in handled:
            return
        # Names and texts come from a meeting: in JSON they cannot break the line.
        payload = json.dumps(event["payload"])
        print(event["meetingId"], event["sequence"], event["type"], payload, flush=True)
        # Last, so that an event whose handling failed is handled when it comes again.
        handled.add(key)


class Receiver(BaseHTTPRequestHandler):
    # Keeps the connection open between callbacks, so that each answer must read the whole body first.
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.refuse_unread(411)
        # The number of digits first: a number of any length could take long to read.
        if len(length) > 9 or int(length) > MAX_BYTES:
            return self.refuse_unread(413)
        body = self.rfile.read(int(length))
        if not is_genuine(body, self.headers.get("X-Service-Signature", "")):
            return self.answer(401)
        try:
            handle(json.loads(body))
        except (ValueError, KeyError, TypeError):
            return self.answer(400)
        self.answer(204)

    def refuse_unread(self, status):
        self.close_connection = True
        self.answer(status)

    def answer(self, status):
        self.send_response(status)
        if self.close_connection:
            self.send_header("Connection", "close")
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *args):
        """Prints nothing: the events are the output."""


if __name__ == "__main__":
    if not SECRETS:
        sys.exit("SIGNING_SECRET is not set")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print("Listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
