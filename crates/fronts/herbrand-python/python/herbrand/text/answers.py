"""The part of a model's reply that is its answer."""

from __future__ import annotations

from .._herbrand import read_reply

__all__ = ["final_answer", "plan_of"]


def final_answer(reply: str) -> str:
    """Returns the action in a model's reply.

    Thinking (``<think>…</think>``) is removed. Then the answer is the text in the last ``<answer>`` or ``<action>``, or else
    in the last ``\\boxed{}``, or else after the last label such as ``Action:``. Without such a mark, it is the last line.
    Numbers, bullets and comments are removed. `TextEnv` also knows the actions: if several lines remain, it takes the last
    that is one.

    Examples
    --------
    >>> from herbrand.text import final_answer
    >>> final_answer("Block b is free, so I take it.\\nAction: pick up block b")
    'pick up block b'
    >>> final_answer("<think>Or <answer>(put-down b)</answer>?</think><answer>(pick-up b)</answer> should do.")
    '(pick-up b)'
    """
    return str(read_reply(reply, False)[0])


def plan_of(reply: str) -> str:
    """Returns the plan in a model's reply, a step per line.

    Thinking is removed. Then the plan is the text in the last ``<plan>`` or ``<answer>``, or else in the last ``\\boxed{}``, or
    else after the last label ``Plan:`` or ``Answer:``, or else in the last block of code, or else the whole reply. Numbers,
    bullets, times and comments are removed, and lines before the first and after the last that have such a form.

    Examples
    --------
    >>> from herbrand.text import plan_of
    >>> plan_of("Here it is:\\n<plan>\\n1. (pick-up b)\\n2. (stack b a)\\n</plan>")
    '(pick-up b)\\n(stack b a)'
    """
    return "\n".join(read_reply(reply, True))
