"""Calls every tool of `herbrand mcp` with the reference client, the Python package `mcp`, over both transports.

Usage: python reference_client.py PROGRAM, where PROGRAM is `herbrand` with the feature `mcp`, or the example `serve` of this
crate. Prints the time of calls.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


def structured(result):
    """Returns the data of a result; fails if the call was refused."""
    refused = getattr(result, "is_error", None) or getattr(result, "isError", None)
    assert not refused, result.content
    data = getattr(result, "structured_content", None)
    return data if data is not None else result.structuredContent


async def use(session, name):
    """Calls every tool, and times the quick ones."""
    tools = {tool.name for tool in (await session.list_tools()).tools}
    called = set()

    async def call(tool, **arguments):
        called.add(tool)
        return structured(await session.call_tool(tool, arguments))

    assert len((await call("domains"))["domains"]) > 70
    for domain in ("depot", "tireworld", "rddl/sysadmin-mdp"):
        opened = await call("open", domain=domain)
        own = opened["session"]
        plan = await call("plan", session=own)
        await call("validate", session=own, plan="\n".join(plan["sentences"]))
        action = (await call("actions", session=own, most=5))["actions"][0]
        await call("why_not", session=own, action=action["text"])
        times = {}
        for _ in range(300):
            for tool, arguments in (
                ("step", {"action": action["text"]}),
                ("state", {}),
                ("actions", {"most": 20}),
                ("undo", {}),
            ):
                start = time.perf_counter()
                await call(tool, session=own, **arguments)
                times.setdefault(tool, []).append(1e3 * (time.perf_counter() - start))
        for tool, found in times.items():
            found.sort()
            print(f"{name} {domain} {tool}: median {statistics.median(found):.2f} ms, 99th percentile {found[-3]:.2f} ms")
        await call("ground", session=own)
        await call("draw", session=own)
        await call("texts", session=own)
        await call("fork", session=own, seed=3)
        assert (await call("close", session=own))["closed"]
    domain = "(define (domain d) (:predicates (on ?x)) (:action light :parameters (?x) :effect (on ?x)))"
    problem = "(define (problem p) (:domain d) (:objects lamp) (:init) (:goal (on lamp)))"
    checked = await call("check", domain_text=domain.replace("(on ?x)))", "(onn ?x)))"), problem_text=problem)
    assert checked["errors"] == 1 and checked["findings"][0]["help"] == "did you mean `on`?", checked
    own = (await call("open", domain_text=domain, problem_text=problem))["session"]
    edited = await call("edit", session=own, edits=[{"edit": "add-object", "object": "lantern"}])
    assert (await call("step", session=edited["session"], action="Light the lantern."))["added"] == ["(on lantern)"]
    await call("save", session=own, domain_file=f"{name}-domain.pddl", problem_file=f"{name}-problem.pddl")
    again = await call("open", domain_file=f"{name}-domain.pddl", problem_file=f"{name}-problem.pddl")
    assert again["goal"][0]["text"] == "(on lamp)"
    refused = await session.call_tool("open", {"domain_file": "../../etc/passwd"})
    assert getattr(refused, "is_error", None) or getattr(refused, "isError", None)
    assert called == tools, tools ^ called
    print(f"{name}: {len(tools)} tools called")


async def main(program):
    folder = tempfile.mkdtemp()
    arguments = ["mcp", "--folder", folder]
    async with stdio_client(StdioServerParameters(command=program, args=arguments)) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            await use(session, "stdio")
    http = [program, *arguments, "--http", "--port", "0"]
    with subprocess.Popen(http, stdout=subprocess.PIPE, text=True) as server:
        url = server.stdout.readline().removeprefix("listening on ").strip()
        async with streamable_http_client(url) as streams:
            async with ClientSession(*streams[:2]) as session:
                await session.initialize()
                await use(session, "http")
        server.terminate()


asyncio.run(main(sys.argv[1]))
