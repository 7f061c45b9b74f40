"""Receives callbacks and prints one line for each event. Python 3.8 or newer, without dependencies:

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

# One signing secret, or two separated by a space during a rotation.
SECRETS = os.environ.get("SIGNING_SECRET", "").split()

# The events handled so far. A program with a database would use a unique index on these two columns instead.
handled = set()
one_at_a_time = threading.Lock()


def is_signature_valid(body, signature):
    actual = signature.encode("utf-8", "surrogateescape")
    return any(hmac.compare_digest(sign(body, secret), actual) for secret in SECRETS)


def sign(body, secret):
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return ("sha256=" + digest).encode()


def handle(event):
    key = (event["meetingId"], event["sequence"])
    with one_at_a_time:
        if key in handled:
            return
        # Speakers choose names and texts. As JSON they cannot contain line breaks.
        payload = json.dumps(event["payload"])
        print(event["meetingId"], event["sequence"], event["type"], payload, flush=True)
        # Added last, so that an event whose handling failed is handled again when it is retried.
        handled.add(key)


class Receiver(BaseHTTPRequestHandler):
    # HTTP/1.1 keeps the connection open between callbacks, so every response must read the whole body first.
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.reject_without_reading(411)
        # Checks the number of digits first, because int() is slow for very long numbers.
        if len(length) > 9 or int(length) > MAX_BYTES:
            return self.reject_without_reading(413)
        body = self.rfile.read(int(length))
        if not is_signature_valid(body, self.headers.get("X-Service-Signature", "")):
            return self.respond(401)
        try:
            handle(json.loads(body))
        except (ValueError, KeyError, TypeError):
            return self.respond(400)
        self.respond(204)

    def reject_without_reading(self, status):
        self.close_connection = True
        self.respond(status)

    def respond(self, status):
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
