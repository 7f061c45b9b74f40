"""Tests the check of callbacks. The cases come from the JavaScript receiver and contain its verdict."""

import base64
import json
import os
import unittest
from email.message import Message

from hansard_client import CALLBACK_ERRORS, CallbackError, sign, verify_callback

CASES = os.environ.get("HANSARD_TEST_CALLBACKS")
SECRET = "ss_1"
BODY = json.dumps(
    {"type": "x", "meetingId": "m", "sequence": 1, "timestamp": "t", "payload": {}}
).encode()
SIGNATURE = sign(BODY, SECRET)


def verdict(*args, **options):
    try:
        verify_callback(*args, **options)
        return "accepted"
    except CallbackError as error:
        return error.code


class Callbacks(unittest.TestCase):
    @unittest.skipUnless(CASES, "started without the cases of the other receiver")
    def test_every_case_gets_the_verdict_of_the_other_receiver(self):
        with open(CASES, encoding="utf-8") as file:
            content = json.load(file)
        self.assertGreater(len(content["cases"]), 300)
        for case in content["cases"]:
            body = case["body"]
            found = verdict(
                body["text"] if "text" in body else base64.b64decode(body["base64"]),
                case["headers"],
                case["secrets"],
                tolerance=case["toleranceSeconds"],
                now=case["now"] / 1000,
            )
            self.assertEqual(found, case["expected"], str(case)[:2000])
        errors = {
            code: {"status": status, "text": text}
            for code, (status, text) in CALLBACK_ERRORS.items()
        }
        self.assertEqual(errors, content["errors"])

    def test_the_signature_matches_the_published_example_of_github(self):
        self.assertEqual(
            sign("Hello, World!", "It's a Secret to Everybody"),
            "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
        )

    def test_headers_of_every_kind_are_read(self):
        message = Message()
        message["X-Service-Signature"] = SIGNATURE
        kinds = [
            message,
            {"x-service-signature": SIGNATURE},
            {"X-SERVICE-SIGNATURE": [SIGNATURE]},
            [("X-Service-Signature", SIGNATURE)],
            [(b"x-service-signature", SIGNATURE.encode())],
            iter([["x-service-signature", SIGNATURE]]),
        ]
        for headers in kinds:
            self.assertEqual(verdict(BODY, headers, SECRET), "accepted", str(headers))

    def test_anything_else_as_headers_body_or_secret_raises_a_callback_error(self):
        odd = [
            None,
            5,
            "text",
            b"bytes",
            [5],
            [()],
            [(None, None)],
            {"x-service-signature": None},
            {5: 6},
            object(),
        ]
        for headers in odd:
            self.assertEqual(verdict(BODY, headers, SECRET), "missing_signature", str(headers))
        for body in [None, 5, {}, [BODY]]:
            self.assertEqual(verdict(body, {}, SECRET), "body_not_raw")
        for secret in [None, "", [], [""], 5, [None], {}]:
            self.assertEqual(verdict(BODY, {}, secret), "no_secret")
        for kind in [bytearray, memoryview]:
            headers = {"x-service-signature": SIGNATURE}
            self.assertEqual(verdict(kind(BODY), headers, SECRET), "accepted")

    def test_texts_that_are_not_unicode_are_rejected(self):
        for text in ["sha256=\ud800", "\udcff" * 71]:
            headers = {"x-service-signature": text, "webhook-signature": text}
            self.assertEqual(verdict(BODY, headers, SECRET), "bad_signature")
        self.assertEqual(
            verdict("\ud800", {"x-service-signature": SIGNATURE}, SECRET), "bad_signature"
        )

    def test_deep_nesting_and_very_long_numbers_raise_a_callback_error(self):
        for body in [b"[" * 100_000, BODY.replace(b": 1,", b": " + b"9" * 5000 + b",")]:
            self.assertIn(
                verdict(body, {"x-service-signature": sign(body, SECRET)}, SECRET),
                ["not_json", "not_an_event"],
            )

    def test_a_tolerance_that_is_no_number_rejects_every_callback(self):
        import hashlib
        import hmac

        digest = hmac.new(SECRET.encode(), b"a.100." + BODY, hashlib.sha256).digest()
        headers = {
            "webhook-id": "a",
            "webhook-timestamp": "100",
            "webhook-signature": "v1,x v1," + base64.b64encode(digest).decode(),
        }
        self.assertEqual(verdict(BODY, headers, SECRET, tolerance=1, now=100), "accepted")
        self.assertEqual(verdict(BODY, headers, SECRET, tolerance=float("nan"), now=100), "too_old")
        self.assertEqual(verdict(BODY, headers, SECRET, tolerance=5), "too_old")


if __name__ == "__main__":
    unittest.main()
