"""Where shares are worked on: in this process, in several, or wherever a subclass of `Pool` sends them."""

from __future__ import annotations

import multiprocessing
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, TypeVar

from .recipe import Share

__all__ = ["Here", "Lost", "Pool", "Processes", "WorkerError"]

T = TypeVar("T")
Handle = TypeVar("Handle")

Progress = Callable[[int, int], None]
"""Is told of the rows that are done and of all rows."""


class WorkerError(RuntimeError):
    """A share was lost again and again: its workers were killed, perhaps since it needs more memory than there is."""


class Lost(Exception):
    """The worker of a share has gone, and its share is to be done again."""


class Pool(ABC, Generic[Handle]):
    """Workers for shares.

    Parameters
    ----------
    workers : int
        How many shares are worked on at once.
    attempts : int
        How many times a share is begun before its loss is an error.
    """

    def __init__(self, workers: int, attempts: int = 3) -> None:
        if workers < 1:
            raise ValueError(f"workers is 1 or more, not {workers}")
        self.workers = workers
        self.attempts = attempts

    @abstractmethod
    def submit(self, call: Callable[[Share], Any], share: Share) -> Handle:
        """Begins to work on a share."""

    @abstractmethod
    def finished(self, handles: Sequence[Handle]) -> list[Handle]:
        """Those of the handles that are done or lost; waits for one at least."""

    @abstractmethod
    def result(self, handle: Handle) -> Any:
        """What came of a share. Raises `Lost` when its worker has gone, and what the work itself raised."""

    def close(self) -> None:
        """Ends the workers."""

    def map(self, call: Callable[[Share], T], shares: Sequence[Share], window: int | None = None) -> Iterator[T]:
        """What `call` makes of each share, in the order of the shares.

        At most `window` shares (twice the workers if left out) are under way or wait to be taken: where whoever takes the
        results is slow, the workers wait.

        Raises
        ------
        WorkerError
            When a share was lost as often as there are attempts.
        """
        window = 2 * self.workers if window is None else max(window, 1)
        waiting, begun = deque(enumerate(shares)), 0
        running: dict[Handle, tuple[int, int, Share]] = {}
        ready: dict[int, T] = {}
        try:
            for place in range(len(shares)):
                while place not in ready:
                    while waiting and begun < place + window and len(running) < self.workers:
                        at, share = waiting.popleft()
                        running[self.submit(call, share)] = (at, 1, share)
                        begun += 1
                    for handle in self.finished(list(running)):
                        at, attempt, share = running.pop(handle)
                        try:
                            ready[at] = self.result(handle)
                        except Lost as lost:
                            if attempt >= self.attempts:
                                raise WorkerError(f"share {share.index} was lost {attempt} times: {lost}") from lost
                            running[self.submit(call, share)] = (at, attempt + 1, share)
                yield ready.pop(place)
        finally:
            self.close()


class Here(Pool["Future[Any]"]):
    """This process: one share after the other."""

    def __init__(self) -> None:
        super().__init__(1)

    def submit(self, call: Callable[[Share], Any], share: Share) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(share))
        except BaseException as error:
            future.set_exception(error)
        return future

    def finished(self, handles: Sequence[Future[Any]]) -> list[Future[Any]]:
        return list(handles)

    def result(self, handle: Future[Any]) -> Any:
        return handle.result()


class Processes(Pool["Future[Any]"]):
    """Processes of this machine. One that is killed is replaced, and what it worked on is done again.

    Each starts a Python of its own, so a script that uses them needs ``if __name__ == "__main__":``.

    Parameters
    ----------
    workers : int
        How many processes.
    attempts : int
        How many times a share is begun before its loss is an error. When a process is killed, the shares of all
        others are begun anew too.
    """

    def __init__(self, workers: int, attempts: int = 3) -> None:
        super().__init__(workers, attempts)
        self._executor: ProcessPoolExecutor | None = None

    def submit(self, call: Callable[[Share], Any], share: Share) -> Future[Any]:
        try:
            return self._started().submit(call, share)
        except BrokenProcessPool:
            self.close()
            return self._started().submit(call, share)

    def finished(self, handles: Sequence[Future[Any]]) -> list[Future[Any]]:
        return list(wait(handles, return_when=FIRST_COMPLETED).done)

    def result(self, handle: Future[Any]) -> Any:
        try:
            return handle.result()
        except BrokenProcessPool as broken:
            raise Lost(str(broken)) from broken

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # The engine has threads of its own, which a fork would not bring along.
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.workers, mp_context=context)
        return self._executor


def pool_of(workers: int | Pool[Any]) -> Pool[Any]:
    """The pool that is meant: this process for 1, several for more."""
    if isinstance(workers, Pool):
        return workers
    return Here() if workers == 1 else Processes(workers)
