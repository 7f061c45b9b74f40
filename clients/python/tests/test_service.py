"""Runs the client and the examples of the README against a service, which test/clients/python.test.ts starts."""

import contextlib
import io
import os
import queue
import re
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from hansard_client import CallbackError, Client, HansardError, verify_callback

URL = os.environ.get("HANSARD_TEST_URL", "")
KEY = os.environ.get("HANSARD_TEST_KEY", "")
SECRET = os.environ.get("HANSARD_TEST_SECRET", "")
# Even on a busy machine, no step takes this long.
LONG = 120
README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
NO_RECEIVER = "http://127.0.0.1:9/hook"


def receiver_class(received):
    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                received.put(verify_callback(body, self.headers, SECRET, tolerance=300))
                # A changed body and another secret are rejected.
                for changed, secret in [(body + b" ", SECRET), (body, "ss_other")]:
                    try:
                        verify_callback(changed, self.headers, secret)
                        received.put({"type": "forged", "payload": {}})
                    except CallbackError as error:
                        if error.code != "bad_signature":
                            raise
                status = 204
            except CallbackError as error:
                status = error.status
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            """Prints nothing."""

    return Receiver


@contextlib.contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield "http://127.0.0.1:%d/" % server.server_port
    finally:
        server.shutdown()
        thread.join(LONG)
        server.server_close()


@unittest.skipUnless(URL, "there is no service: npm test -- test/clients/python.test.ts starts one")
class Service(unittest.TestCase):
    def setUp(self):
        self.client = Client(URL, KEY)

    def start(self, **more):
        body = {"url": "practice://standup?speed=1000", "callbackUrl": NO_RECEIVER, **more}
        return self.client.meetings.start(body)["meetingId"]

    def test_a_program_runs_a_whole_meeting(self):
        client = self.client
        self.assertEqual(client.token.get()["token"]["name"], "test")
        meeting = self.start(title="Stand-up & more?")
        words = []
        for event in client.meetings.events(meeting, options={"partials": False}):
            self.assertEqual(event["meetingId"], meeting)
            if event["type"] == "segment_finalized":
                words.append(event["payload"]["text"])
        transcript = client.meetings.transcript(meeting)
        self.assertEqual(sorted(one["text"] for one in transcript["segments"]), sorted(words))
        self.assertRegex(client.meetings.transcript_text(meeting, "vtt"), "^WEBVTT")
        self.assertRegex(client.meetings.document(meeting), "^---\n")
        found = client.meetings.list(q="up & more?", limit=1)
        self.assertEqual(found["meetings"][0]["meetingId"], meeting)
        self.assertEqual(client.meetings.stop({"meetingId": meeting})["status"], "ended")
        stored = client.meetings.read_events(meeting, limit=1000)["events"]
        self.assertEqual(stored[-1]["sequence"], len(stored))
        resumed = client.meetings.events(meeting, after=5, options={"partials": False})
        with contextlib.closing(resumed):
            self.assertEqual(next(resumed)["sequence"], 6)
        self.assertIs(client.meetings.remove(meeting)["success"], True)
        with self.assertRaises(HansardError) as caught:
            client.meetings.get(meeting)
        self.assertEqual(
            (caught.exception.code, caught.exception.status), ("meeting_not_found", 404)
        )

    def test_callbacks_of_a_meeting_are_received_and_verified(self):
        received = queue.Queue()
        with serving(ThreadingHTTPServer(("127.0.0.1", 0), receiver_class(received))) as url:
            meeting = self.start(url="practice://host-ends?speed=1000", callbackUrl=url)
            events = [received.get(timeout=LONG)]
            while events[-1]["payload"].get("status") != "ended":
                events.append(received.get(timeout=LONG))
        self.assertEqual({event.get("meetingId") for event in events}, {meeting})
        self.assertIn("segment_finalized", [event["type"] for event in events])

    def test_documents_are_saved_listed_over_pages_and_removed(self):
        projects = self.client.projects
        names = ["Grüße & 100%.md", "how to/a.md", "how to/b.md"]
        for name in names:
            projects.save_document("handbook", name, "# Umbrella\n\nIn the hall.")
        listed = [one["path"] for one in projects.documents_all("handbook", limit=1)]
        self.assertEqual(sorted(listed), sorted(names))
        self.assertIn("In the hall", projects.document("handbook", names[0]))
        unseen = {"headers": {"If-None-Match": "*"}}
        with self.assertRaises(HansardError) as caught:
            projects.save_document("handbook", names[0], "other", options=unseen)
        self.assertEqual(caught.exception.code, "precondition_failed")

    def test_a_rejected_call_raises_an_error_with_its_fields(self):
        with self.assertRaises(HansardError) as caught:
            self.start(title="", project="/")
        error = caught.exception
        self.assertEqual((error.code, error.status), ("invalid_request", 400))
        self.assertRegex(error.request_id or "", "^req_")
        self.assertEqual(sorted(one["path"] for one in error.details), ["project", "title"])
        with self.assertRaises(HansardError) as caught:
            Client(URL, "sk_wrong").token.get()
        self.assertEqual(caught.exception.code, "invalid_api_key")

    def test_every_example_of_the_readme_runs(self):
        samples = re.findall(r"^```python\n(.*?)^```", README, re.S | re.M)
        self.assertEqual(len(samples), 4)
        for sample in samples:
            text = (
                sample.replace("http://127.0.0.1:8080", URL)
                .replace("sk_…", KEY)
                .replace("ss_…", SECRET)
                .replace("speed=4", "speed=1000")
                .replace("3000", "0")
                .replace("server.serve_forever()", "")
            )
            output, names = io.StringIO(), {}
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(text, "README.md", "exec"), names)
                if "server" in names:
                    with serving(names["server"]) as url:
                        tested = self.client.callbacks.test({"callbackUrl": url})
                    self.assertEqual(tested["status"], 204, tested)
            self.assertRegex(output.getvalue(), r"\S", sample)


if __name__ == "__main__":
    unittest.main()
