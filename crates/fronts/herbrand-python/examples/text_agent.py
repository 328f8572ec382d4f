#!/usr/bin/env python3
"""A language model solves problems in sentences, through any server that speaks the OpenAI protocol.

The server may be local, such as that of llama.cpp, vLLM or Ollama, or remote; the variable OPENAI_API_KEY has its key if
it needs one. The script needs no package besides Herbrand.

usage: text_agent.py --url http://127.0.0.1:8080/v1 --model NAME [--domain blocks] [--problem train/01] [--episodes 1]
"""

from __future__ import annotations

import argparse
import json
import os
import urllib.request
from typing import Any

import herbrand.text

SYSTEM = (
    "You act in a planning problem. Think briefly. End each reply with a line `Action: ` and one action, written exactly as in "
    "the list of valid actions, or by its number."
)


class Model:
    """A model behind a server."""

    def __init__(self, url: str, name: str, timeout: float = 120) -> None:
        self.url = url.rstrip("/") + "/chat/completions"
        self.name = name
        self.timeout = timeout

    def reply(self, messages: list[dict[str, str]]) -> str:
        """Returns the reply to a conversation."""
        body = json.dumps({"model": self.name, "messages": messages, "temperature": 0}).encode()
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("OPENAI_API_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.url, body, headers)
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"] or "")


def play(model: Model, env: herbrand.text.TextEnv, seed: int, kept: int = 8) -> tuple[float, Any]:
    """Plays an episode, and returns the sum of rewards and the last info. The model sees the first text and the last `kept`
    messages."""
    first = {"role": "user", "content": env.reset(seed)}
    latest: list[dict[str, str]] = []
    total, over, info = 0.0, False, None
    while not over:
        system = {"role": "system", "content": SYSTEM}
        reply = model.reply([system, first, *latest[-kept:]])
        text, reward, terminated, truncated, info = env.step(reply)
        latest += [{"role": "assistant", "content": reply}, {"role": "user", "content": text}]
        total += reward
        over = terminated or truncated
        said = "; ".join(info["action"] or []) if info["fault"] is None else info["fault"].message
        print(f"{info['answers']:3}. {said}")
    return total, info


def main() -> None:
    """Plays the episodes of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="the address of the server, up to /v1")
    parser.add_argument("--model", required=True, help="the name of the model")
    parser.add_argument("--domain", default="blocks")
    parser.add_argument("--problem", default="train/01")
    parser.add_argument("--steps", type=int, default=30, help="the budget of answers")
    parser.add_argument("--episodes", type=int, default=1)
    options = parser.parse_args()
    env = herbrand.text.make(options.domain, options.problem, steps=options.steps)
    model = Model(options.url, options.model)
    for seed in range(options.episodes):
        total, info = play(model, env, seed)
        print(f"episode {seed}: {info['status']} after {info['answers']} answers, reward {total:g}")


if __name__ == "__main__":
    main()
