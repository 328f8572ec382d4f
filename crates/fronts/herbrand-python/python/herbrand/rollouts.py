"""Rollouts that are collected in a thread while the caller reads the one before: `herbrand.VecEnv.rollouts`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from threading import Thread
from typing import TYPE_CHECKING

from .rollout import Rollout

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Rollouts"]


class Rollouts(Iterator[Rollout]):
    """An iterator over rollouts. A thread collects the next one while the caller reads the last one.

    `herbrand.VecEnv.rollouts` makes it. In a ``with`` statement it is closed at the end of the block.

    Attributes
    ----------
    closed : bool
        Whether the iterator has ended, so that the environments can be used again.
    """

    def __init__(self, collect: Callable[[int], Rollout], count: int | None, done: Callable[[], None]) -> None:
        self._collect, self._count, self._done = collect, count, done
        self._begun = 0
        self.closed = False
        self._next: Future[Rollout] | None = None
        self._begin()

    def _begin(self) -> None:
        """Begins to collect the next rollout, unless all have been begun."""
        if self._begun == self._count:
            self._next = None
            return
        # # Each rollout has a thread of its own, so that no thread ever waits for the caller.
        future = self._next = Future()
        thread = Thread(target=_run, args=(future, self._collect, self._begun), name="herbrand-rollouts")
        self._begun += 1
        try:
            thread.start()
        except BaseException:
            # # Ctrl-C can arrive here. If the thread has not begun, it never will.
            if future.cancel():
                self._next = None
            raise

    def __next__(self) -> Rollout:
        """Returns the next rollout, and begins to collect the one after it.

        An exception of the engine closes the iterator. After Ctrl-C it can still be continued or closed.
        """
        if self.closed or self._next is None:
            self.close()
            raise StopIteration
        try:
            # # Ctrl-C that arrives just before a thread starts to wait does not wake it, so no wait is long.
            while not self._next.done():
                wait([self._next], timeout=0.2)
            rollout = self._next.result()
        except Exception:
            self.close()
            raise
        self._begin()
        if self._next is None:
            self.close()
        return rollout

    def close(self) -> None:
        """Ends the iterator. Waits until the thread has collected the rollout that it has begun, and drops that rollout."""
        if not self.closed:
            if self._next is not None:
                wait([self._next])
            self.closed, self._next = True, None
            self._done()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Closes an iterator that the caller has dropped, for example by leaving a loop early."""
        if hasattr(self, "_next"):
            self.close()


def _run(future: Future[Rollout], collect: Callable[[int], Rollout], number: int) -> None:
    """Collects a rollout, and stores it or the exception."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(collect(number))
    except BaseException as error:
        future.set_exception(error)
