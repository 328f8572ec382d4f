"""Parses S-expressions for the scripts of this folder into nested lists of lower-case words."""

import itertools
import re


def parse(text):
    """Returns the first expression of a text, without comments."""
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower())
    stack = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def show(expression):
    return expression if isinstance(expression, str) else "(" + " ".join(map(show, expression)) + ")"


def section(expression, name):
    """Returns the rest of the section called `name`; empty if there is no such section."""
    return next((part[1:] for part in expression if isinstance(part, list) and part and part[0] == name), [])


def sections(expression, name):
    return [part for part in expression if isinstance(part, list) and part and part[0] == name]


def keyword(action, name):
    """Returns the value of a keyword of an action; an empty list if the action does not have it."""
    return action[action.index(name) + 1] if name in action else []


def typed(words):
    """Returns pairs of a name and its type from a list such as `a b - block c - place`."""
    pairs, pending, words = [], [], iter(words)
    for word in words:
        if word == "-":
            kind = next(words)
            pairs += [(name, kind) for name in pending]
            pending = []
        else:
            pending.append(word)
    return pairs + [(name, "object") for name in pending]


class Objects:
    """The objects of a problem by type, including the domain's constants, in order of declaration."""

    def __init__(self, domain, problem):
        self.parents = dict(typed(section(domain, ":types")))
        self.all = typed(section(domain, ":constants")) + typed(section(problem, ":objects"))

    def of(self, kind):
        return [name for name, own in self.all if self.fits(own, kind)]

    def fits(self, own, kind):
        while own != kind and own in self.parents:
            own = self.parents[own]
        return own == kind or kind == "object"

    def bindings(self, parameters):
        """Yields all bindings of parameters to objects, as dictionaries."""
        names = [name for name, _ in parameters]
        for values in itertools.product(*(self.of(kind) for _, kind in parameters)):
            yield dict(zip(names, values))
