"""Receives callbacks and prints one line for each event, and on standard error why it refuses a callback. Python 3.8 or newer, without dependencies:

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

BAD_SIGNATURE = (
    "The signature does not match this body and secret. "
    "Is SIGNING_SECRET the secret of the token that started the meeting?"
)

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
        # Speakers choose names and texts, so they are printed as JSON, without line breaks.
        payload = json.dumps(event["payload"])
        print(event["meetingId"], event["sequence"], event["type"], payload, flush=True)
        # Added last, so that a retry of an event whose handling failed is handled again.
        handled.add(key)


class Receiver(BaseHTTPRequestHandler):
    # HTTP/1.1 keeps the connection open between callbacks, so the whole body must be read before every response.
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.refuse_without_reading(411, "The header Content-Length is missing")
        # Checks the number of digits first, because int() is slow for very long numbers.
        if len(length) > 9 or int(length) > MAX_BYTES:
            return self.refuse_without_reading(413, "The body is larger than 1 MiB")
        body = self.rfile.read(int(length))
        signature = self.headers.get("X-Service-Signature", "")
        if not signature:
            return self.refuse(401, "The signature header is missing")
        if not is_signature_valid(body, signature):
            return self.refuse(401, BAD_SIGNATURE)
        try:
            handle(json.loads(body))
        except (ValueError, KeyError, TypeError):
            return self.refuse(400, "The body is not an event")
        self.respond(204)

    def refuse_without_reading(self, status, text):
        self.close_connection = True
        self.refuse(status, text)

    def refuse(self, status, text):
        # Anyone can send headers, so they are printed as JSON, without line breaks.
        sent = [self.headers.get("X-Service-Event"), self.headers.get("X-Service-Meeting-Id")]
        print("Refused %s with %d: %s" % (json.dumps(sent), status, text), file=sys.stderr, flush=True)
        self.respond(status, text)

    def respond(self, status, text=""):
        self.send_response(status)
        if self.close_connection:
            self.send_header("Connection", "close")
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        # The service shows the text in its list of deliveries.
        self.wfile.write(text.encode())

    def log_message(self, format, *args):
        """Prints nothing, because the events are the output and refuse() prints the rest."""


if __name__ == "__main__":
    if not SECRETS:
        sys.exit("SIGNING_SECRET is not set")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print("Listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
