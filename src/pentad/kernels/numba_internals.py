"""What kernels need of numba beyond its documented interface. A new version of numba may change any of it.

`VERSIONS` are those with which it holds, from the first to before the second. `tests/kernels/test_numba_internals.py`
tries it with the installed one, and compares them with the requirement in `pyproject.toml`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import cgutils as _cgutils
from numba.core import event, imputils, pythonapi
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaWarning
from numba.core.registry import cpu_target
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.np import arrayobj

__all__ = ["AttributeTemplate", "Conversion", "infer_getattr"]
# Without types.
cgutils: Any = _cgutils
NativeValue: Any = pythonapi.NativeValue
lower_cast: Any = imputils.lower_cast
lower_getattr_generic: Any = imputils.lower_getattr_generic
lower_setattr_generic: Any = imputils.lower_setattr_generic
populate_array: Any = arrayobj.populate_array

VERSIONS = ("0.61", "0.69")
NOWHERE = 1  # the address of a function that nobody calls


# ── kernels with one signature ───────────────────────────────────────────────────────────────────


def compile_when_used(dispatcher: Any, signature_of: Callable[[], Any]) -> Any:
    """Compiles a dispatcher for one signature when it is first used; numba itself does so at once.

    Without a signature, None, it is compiled for the types that it is called with, as ever.
    """
    ready, call = dispatcher.get_call_template, dispatcher._compile_for_args
    settled = False

    def settle() -> None:
        nonlocal settled
        if settled:
            return
        with global_compiler_lock:
            if dispatcher._can_compile and not dispatcher.is_compiling:
                signature = signature_of()
                if signature is not None:
                    dispatcher.compile(signature)
                    dispatcher.disable_compile()
                settled = True

    def get_call_template(args: Any, kws: Any) -> Any:
        settle()
        return ready(args, kws)

    def _compile_for_args(*args: Any, **kws: Any) -> Any:
        """The function that numba calls with these arguments: the dispatcher, which now checks their types."""
        settle()
        return call(*args, **kws) if dispatcher._can_compile else dispatcher

    dispatcher.get_call_template, dispatcher._compile_for_args = get_call_template, _compile_for_args
    return dispatcher


# ── one module of LLVM's for all kernels of a table ──────────────────────────────────────────────


class CompiledFunction(NamedTuple):
    """A function in the text of a module: its symbol there, and the type of its result."""

    symbol: str
    result: str


def compiled_together(
    name: str, functions: dict[str, tuple[Callable[..., Any], Any]]
) -> tuple[str, dict[str, CompiledFunction]]:
    """Compiles functions, each with the types of its arguments, with all that they call; returns LLVM's text."""
    with global_compiler_lock, _kept_as_text():  # no other thread may use what numba makes meanwhile
        typing, target = cpu_target.typing_context, cpu_target.target_context
        typing.refresh()
        target.refresh()
        flags: Any = Flags()  # type: ignore[no-untyped-call]
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = flags.nrt = True
        flags.error_model = "numpy"
        library = target.codegen().create_library(name)
        found = {}
        for each, (function, types) in functions.items():
            made = compile_extra(  # type: ignore[no-untyped-call]
                typing, target, function, types, None, flags, {}, library=library
            )
            found[each] = CompiledFunction(made.fndesc.llvm_func_name, str(made.signature.return_type))
        for other in _used_by(library):
            library._final_module.link_in(other._get_module_for_linking(), preserve=True)
        return str(library._final_module), found


def _used_by(library: Any) -> list[Any]:
    """The libraries that a library of numba's uses, directly or not."""
    found: dict[Any, None] = {}
    waiting = [library]
    while waiting:
        new = [each for each in waiting.pop()._linking_libraries if each not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


@contextlib.contextmanager
def _kept_as_text() -> Iterator[None]:
    """Within the block, numba keeps each function as it wrote it: not linked, not optimised, no machine code.

    All are linked and optimised once, when all are there. numba would do it for each function with those that it uses,
    which takes more than half of the time of a compilation.
    """

    class Library(JITCodeLibrary):
        has_dynamic_globals = True  # numba's own cache keeps nothing of it

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

        def finalize(self) -> None:
            self._raise_if_finalized()  # type: ignore[no-untyped-call]
            self._finalized = True

    def uncallable(library: Any, function: Any, environment: Any) -> Any:
        library._ensure_finalized()
        return _dynfunc.make_function(function.lookup_module(), function.qualname, "", NOWHERE, environment, (library,))

    target: Any = cpu_target.target_context
    codegen: Any = target.codegen()
    before = codegen._library_class
    codegen._library_class, target.get_executable = Library, uncallable
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            yield
    finally:
        codegen._library_class = before
        del target.get_executable


# ── what is being compiled ───────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def watching(begin: Callable[[Any], None], typed: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    """Within the block, calls `begin` with each function that is compiled, `typed` when it has types, and `end`."""

    class Compiling(event.Listener):
        def on_start(self, event: Any) -> None:
            begin(event.data["dispatcher"].py_func)

        def on_end(self, event: Any) -> None:
            end()

    class Typing(event.Listener):
        def on_start(self, event: Any) -> None:
            if event.data["name"].startswith("native_lowering"):
                typed()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Compiling()), event.install_listener("numba:run_pass", Typing()):
        yield
