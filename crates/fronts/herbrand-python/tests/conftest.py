"""Shared fixtures: small domains, and the corpus of traces of other systems if it is available."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]
CORPUS = ROOT.parent / "shared" / "corpus"

LAMPS = """
(define (domain lamps)
  (:requirements :typing :probabilistic-effects :negative-preconditions)
  (:types lamp - object)
  (:predicates (on ?l - lamp) (broken ?l - lamp))
  (:action press :parameters (?l - lamp) :precondition (not (on ?l))
    :effect (probabilistic 3/4 (on ?l) 1/4 (broken ?l)))
  (:action drop :parameters (?l - lamp) :effect (broken ?l)))
"""
TWO_LAMPS = """
(define (problem two) (:domain lamps) (:objects a b - lamp) (:init (broken b)) (:goal (and (on a) (not (broken a)))))
"""


@pytest.fixture
def lamps() -> tuple[str, str]:
    """The texts of a probabilistic domain and a problem."""
    return LAMPS, TWO_LAMPS


@pytest.fixture
def corpus() -> Path:
    """The folder of recorded traces."""
    if not CORPUS.is_dir():
        pytest.skip("the corpus of recorded traces is not here")
    return CORPUS


@contextmanager
def served_model(reply: Callable[[list[dict[str, Any]]], str]) -> Iterator[str]:
    """Serves a model that speaks the OpenAI protocol; `reply` maps its messages to a reply."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = {"role": "assistant", "content": reply(request["messages"])}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            answer = {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": request["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": usage,
            }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
