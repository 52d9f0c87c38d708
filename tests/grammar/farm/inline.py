"""Executors for tests: work in this process, and workers that die."""

from concurrent.futures import BrokenExecutor, Executor, Future


class Inline(Executor):
    """Does all work at once, in this process; `deaths` are the numbers of the calls whose workers die.

    A worker dies before its work at even numbers, and after it at odd ones: then its answer is lost.
    """

    def __init__(self, deaths=()):
        self.deaths, self.calls = set(deaths), 0

    def submit(self, work, /, *args, **kwargs):
        self.calls += 1
        number, future = self.calls, Future()
        future.set_running_or_notify_cancel()
        try:
            if number not in self.deaths or number % 2:
                answer = work(*args, **kwargs)
            if number in self.deaths:
                raise BrokenExecutor
            future.set_result(answer)
        except BaseException as error:
            future.set_exception(error)
        return future
