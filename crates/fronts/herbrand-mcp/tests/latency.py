"""Times the calls of every tool of `herbrand mcp`, over both transports, with nothing but the standard library.

Usage: python latency.py PROGRAM [DOMAIN PROBLEM], where PROGRAM is `herbrand` with the feature `mcp`, or the example `serve` of
this crate, in a release build. Prints a table: the median and the 99th percentile of the time from the request to the reply, in
milliseconds. `open`, `edit` and `check` compile or check a problem, and `plan` searches.
"""

import contextlib
import http.client
import itertools
import json
import subprocess
import sys
import tempfile
import time
import urllib.parse

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "latency", "version": "1"},
}
NUMBERS = itertools.count(1)


def message(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": next(NUMBERS), "method": method, "params": params})


@contextlib.contextmanager
def stdio(program, arguments):
    """Yields a function that sends a message on standard input and returns the reply."""
    with subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:

        def ask(text):
            server.stdin.write(text.encode() + b"\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        ask(message("initialize", HELLO))
        server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        yield ask
        server.stdin.close()


@contextlib.contextmanager
def streamable_http(program, arguments):
    """Yields a function that posts a message on one connection and returns the reply."""
    command = [program, *arguments, "--http", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        url = urllib.parse.urlparse(server.stdout.readline().removeprefix("listening on ").strip())
        connection = http.client.HTTPConnection(url.hostname, url.port)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
        }

        def ask(text):
            connection.request("POST", url.path, text, headers)
            return json.loads(connection.getresponse().read())

        ask(message("initialize", HELLO))
        yield ask
        connection.close()
        server.terminate()


def measure(ask, domain, problem, calls):
    """Returns the times of each tool in milliseconds, in ascending order."""
    times = {}

    def call(tool, **arguments):
        text = message("tools/call", {"name": tool, "arguments": arguments})
        start = time.perf_counter()
        reply = ask(text)
        times.setdefault(tool, []).append(1e3 * (time.perf_counter() - start))
        result = reply["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    own = call("open", domain=domain, problem=problem)["session"]
    plan = "\n".join(call("plan", session=own)["sentences"])
    times.clear()
    for _ in range(calls):
        action = call("actions", session=own, most=20)["actions"][0]
        call("step", session=own, action=action["text"])
        call("state", session=own)
        call("why_not", session=own, action=action["text"])
        call("undo", session=own)
        call("draw", session=own)
        call("ground", session=own)
        call("texts", session=own)
        call("domains")
        other = call("fork", session=own, seed=1)["session"]
        call("validate", session=other, plan=plan)
        call("close", session=other)
    return {tool: sorted(found) for tool, found in times.items()}


def main(program, domain="depot", problem="test/10", calls=1000):
    arguments = ["mcp", "--folder", tempfile.mkdtemp()]
    columns = {}
    for name, transport in (("stdio", stdio), ("http", streamable_http)):
        with transport(program, arguments) as ask:
            columns[name] = measure(ask, domain, problem, calls)
    print(f"{domain} {problem}, {calls} calls of each tool; median / 99th percentile in ms")
    print(f"{'tool':10}" + "".join(f"{name:>18}" for name in columns))
    for tool in columns["stdio"]:
        times = [column[tool] for column in columns.values()]
        cells = (f"{found[calls // 2]:.2f} / {found[calls * 99 // 100]:.2f}" for found in times)
        print(f"{tool:10}" + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main(*sys.argv[1:])
