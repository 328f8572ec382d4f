"""The part of a model's reply that is its answer."""

from __future__ import annotations

import re

__all__ = ["final_answer", "plan_of"]

_TAGS = re.compile(r"<(answer|action|plan)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_LABEL = re.compile(r"^.*\b(?:answer|action)\b[*_]*\s*:[*_\s]*", re.IGNORECASE)
_NUMBER = re.compile(r"^\s*(?:\d+[.):]|[-*•])\s+(?=\S)")


def _marked(reply: str) -> str | None:
    """Returns the last part of a reply that is marked as the answer."""
    tagged = _TAGS.findall(reply)
    if tagged:
        return str(tagged[-1][1]).strip()
    boxed = _BOXED.findall(reply)
    return str(boxed[-1]).strip() if boxed else None


def final_answer(reply: str) -> str:
    """Returns the answer in a model's reply: the text in the last ``<answer>``, ``<action>`` or ``\\boxed{}``, or else the
    last line that is not empty, without what ends in a label such as ``Action:``.

    Examples
    --------
    >>> from herbrand.text import final_answer
    >>> final_answer("Block b is free, so I take it.\\nAction: pick up block b")
    'pick up block b'
    >>> final_answer("<answer>(pick-up b)</answer> should do.")
    '(pick-up b)'
    """
    marked = _marked(reply)
    if marked is not None:
        return marked
    lines = [line.strip() for line in reply.splitlines() if line.strip(" \t`")]
    return _LABEL.sub("", lines[-1]).strip("`* ") if lines else ""


def plan_of(reply: str) -> str:
    """Returns the plan in a model's reply, a step per line: the text in the last ``<plan>`` or ``<answer>``, or in the last
    block of code, or else the whole reply. Numbers and bullets before steps are removed.

    Examples
    --------
    >>> from herbrand.text import plan_of
    >>> plan_of("Here it is:\\n<plan>\\n1. (pick-up b)\\n2. (stack b a)\\n</plan>")
    '(pick-up b)\\n(stack b a)'
    """
    marked = _marked(reply)
    if marked is None:
        fenced = _FENCE.findall(reply)
        marked = str(fenced[-1]) if fenced else reply
    lines = (_NUMBER.sub("", line).strip() for line in marked.splitlines())
    return "\n".join(line for line in lines if line)
