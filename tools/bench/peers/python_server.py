"""The protocols that Python drivers speak: one JSON line per request line."""

import json
import os
import sys


def channel():
    """A way to say answers.

    Peers print warnings to standard output, so answers go to a private copy of it and file
    descriptor 1 is turned over to standard error.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return lambda answer: print(json.dumps(answer), file=answers, flush=True)


def reason(problem):
    return {"error": (str(problem) or type(problem).__name__).splitlines()[0]}


def serve_json(name, version, requests):
    """Greets and hands every line, `{"do": NAME, ...}`, to `requests[NAME](line)`."""
    say = channel()
    say({"name": name, "version": version})
    for line in sys.stdin:
        try:
            request = json.loads(line)
            say(requests[request["do"]](request))
        except Exception as problem:  # the bench reports it and goes on
            say(reason(problem))


def serve(name, version, load, requests):
    """Greets, hands `load FILE` to `load(path)` and every other line to `requests[line](loaded)`."""
    say = channel()
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
            say(reason(problem))
