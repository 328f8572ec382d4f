#!/usr/bin/env python3
"""A server that takes the place of a language model, to try scripts without one. It speaks the OpenAI protocol.

It answers a state with a random valid action of the last message, a text of `herbrand explore` with a random command, and a
question of an exam with a random choice. The script needs no package.

usage: text_model.py [--port 8080] [--seed 0]
"""

from __future__ import annotations

import argparse
import json
import random
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def reply(text: str, draws: random.Random) -> str:
    """Returns a reply to a message: a guess."""
    _, heading, listed = text.rpartition("Valid actions:\n")
    actions = re.findall(r"^\d+\. (.+)$", listed, re.MULTILINE)
    if heading and actions:
        return f"I try this one.\nAction: {draws.choice(actions)}"
    if commands := re.findall(r"^The commands: (.+)$", text, re.MULTILINE):
        return json.dumps({"command": draws.choice(commands[-1].split("; "))})
    letters = re.findall(r"^([A-D])\. ", text, re.MULTILINE)
    return f"Answer: {draws.choice(letters or ['yes', 'no'])}"


class Model(BaseHTTPRequestHandler):
    """Answers requests, all at once or as a stream of one piece."""

    draws = random.Random(0)

    def do_POST(self) -> None:
        """Answers a conversation."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": reply(str(request["messages"][-1]["content"]), self.draws)}
        answer = {"id": "1", "created": 0, "model": request["model"]}
        if request.get("stream"):
            choices = [{"index": 0, "delta": message, "finish_reason": "stop"}]
            chunk = json.dumps({**answer, "object": "chat.completion.chunk", "choices": choices})
            kind, body = "text/event-stream", f"data: {chunk}\n\ndata: [DONE]\n\n"
        else:
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            kind = "application/json"
            body = json.dumps({**answer, "object": "chat.completion", "choices": choices, "usage": usage})
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *arguments: object) -> None:
        """Prints nothing."""


def main() -> None:
    """Serves until the script is stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080, help="0 chooses a free port")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the guesses")
    options = parser.parse_args()
    Model.draws = random.Random(options.seed)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Model)
    print(f"listening on http://127.0.0.1:{server.server_port}/v1", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
