"""Lists the occurrences of feeds with recurring_ical_events. Reads and writes one JSON object per line."""

import json
import signal
import sys
from datetime import datetime, timezone

import icalendar
import recurring_ical_events

# A feed that repeats every second would otherwise take hours. Time of the processor, so that other work does not count.
MAX_SECONDS = 20


def give_up(*_):
    raise TimeoutError


signal.signal(signal.SIGPROF, give_up)

def to_text(moment):
    """Formats a day as a date and a time as an instant. A time without a zone is in UTC."""
    if not isinstance(moment, datetime):
        return moment.isoformat()
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    return zoned.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def list_window(calendar, window):
    start, end = (datetime.fromisoformat(text) for text in window)
    return [
        [str(event.get("UID", "")), to_text(event["DTSTART"].dt), to_text(event["DTEND"].dt)]
        for event in recurring_ical_events.of(calendar).between(start, end)
    ]


for line in sys.stdin:
    request = json.loads(line)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        with open(request["file"], "rb") as file:
            calendars = icalendar.Calendar.from_ical(file.read(), multiple=True)
        windows = [
            [row for calendar in calendars for row in list_window(calendar, window)]
            for window in request["windows"]
        ]
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"windows": windows}), flush=True)
    except Exception as error:  # Feeds that this engine refuses are counted separately.
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"error": type(error).__name__}), flush=True)
