"""The protocol both Python drivers speak: one JSON line per request line, `load FILE` first."""

import json
import os
import sys


def serve(name, version, load, requests):
    """Greets, hands `load FILE` to `load(path)` and every other line to `requests[line](loaded)`.

    Peers print warnings to standard output, so answers go to a private copy of it and file descriptor 1 is turned
    over to standard error.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(answer):
        print(json.dumps(answer), file=answers, flush=True)

    say({"name": name, "version": version})
    loaded = None
    for line in sys.stdin:
        request = line.strip()
        try:
            if request.startswith("load "):
                loaded = load(request[5:])
                say({"loaded": True})
            elif loaded is None:
                say({"error": "nothing loaded"})
            elif request in requests:
                say(requests[request](loaded))
            else:
                say({"error": "unknown request"})
        except Exception as problem:  # the bench reports it and goes on
            say({"error": (str(problem) or type(problem).__name__).splitlines()[0]})
