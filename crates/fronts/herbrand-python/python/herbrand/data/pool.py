"""Worker pools for shares: this process, several processes, or a subclass of `Pool`."""

from __future__ import annotations

import multiprocessing
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Generic, TypeVar

from .recipe import Share

__all__ = ["InProcess", "Pool", "Processes", "WorkerDied", "WorkerError"]

T = TypeVar("T")
Handle = TypeVar("Handle")

Progress = Callable[[int, int], None]
"""A callback that receives the number of finished rows and the total number of rows."""


class WorkerError(RuntimeError):
    """Raised if a share is lost repeatedly because its workers are killed. It may need more memory than there is."""


class WorkerDied(Exception):
    """Raised if the worker of a share has died, so that the share must be repeated."""


class Pool(ABC, Generic[Handle]):
    """A pool of workers that process shares.

    Parameters
    ----------
    workers : int
        The number of shares in progress at once.
    attempts : int
        The number of times a share is tried before its loss is an error.
    """

    def __init__(self, workers: int, attempts: int = 3) -> None:
        if workers < 1:
            raise ValueError(f"workers is 1 or more, not {workers}")
        self.workers = workers
        self.attempts = attempts

    @abstractmethod
    def submit(self, call: Callable[[Share], Any], share: Share) -> Handle:
        """Starts to process a share."""

    @abstractmethod
    def finished(self, handles: Sequence[Handle]) -> list[Handle]:
        """Returns the handles whose shares are done or lost. Waits until there is at least one."""

    @abstractmethod
    def result(self, handle: Handle) -> Any:
        """Returns the result of a share. Raises `WorkerDied` if its worker has died, and reraises exceptions of the call."""

    def close(self) -> None:
        """Shuts down the workers."""

    def map(self, call: Callable[[Share], T], shares: Sequence[Share], window: int | None = None) -> Iterator[T]:
        """Yields ``call(share)`` for each share, in the order of the shares.

        At most `window` shares (by default twice the number of workers) are in progress or finished and not yet consumed. If
        the consumer is slow, the workers wait.

        Raises
        ------
        WorkerError
            If a share was lost `attempts` times.
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
                        except WorkerDied as lost:
                            if attempt >= self.attempts:
                                raise WorkerError(f"share {share.index} was lost {attempt} times: {lost}") from lost
                            running[self.submit(call, share)] = (at, attempt + 1, share)
                yield ready.pop(place)
        finally:
            self.close()


class InProcess(Pool["Future[Any]"]):
    """A pool that processes shares in this process, one at a time."""

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
    """A pool of processes on this machine. If one is killed, it is replaced and its share is repeated.

    Each process starts a Python interpreter, so a script that uses this pool needs ``if __name__ == "__main__":``.

    Parameters
    ----------
    workers : int
        The number of processes.
    attempts : int
        The number of times a share is tried before its loss is an error. If a process is killed, the shares of all other
        processes are repeated too.
    """

    def __init__(self, workers: int, attempts: int = 3) -> None:
        super().__init__(workers, attempts)
        self._executor: ProcessPoolExecutor | None = None
        self._context = _Spawn()

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
            if any(_ended(process) == _UNGUARDED for process in self._context.started):
                raise WorkerError(
                    "a worker process ran this script again, up to the call that starts workers: move the calls below "
                    'if __name__ == "__main__":'
                ) from None
            raise WorkerDied(str(broken)) from broken

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            if getattr(multiprocessing.current_process(), "_inheriting", False):
                # # A worker that imports an unguarded script. The parent reports the fault, once.
                raise SystemExit(_UNGUARDED)
            self._context.started.clear()
            self._executor = ProcessPoolExecutor(self.workers, mp_context=self._context)
        return self._executor


# # The exit code of a worker that would start workers while it imports the script.
_UNGUARDED = 87


class _Spawn(SpawnContext):
    """Starts processes without forking, because a fork would not copy the engine's threads. Keeps the started processes."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *positions: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]
        """Creates a process."""
        process = SpawnProcess(*positions, **options)
        self.started.append(process)
        return process


def _ended(process: SpawnProcess) -> int | None:
    """Waits for the end of a process for up to a second; returns its exit code, or None if it still runs."""
    process.join(1)
    return process.exitcode


def pool_of(workers: int | Pool[Any]) -> Pool[Any]:
    """Returns the given pool, or creates one: this process for 1 worker, several processes for more."""
    if isinstance(workers, Pool):
        return workers
    return InProcess() if workers == 1 else Processes(workers)
