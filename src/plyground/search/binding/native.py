"""The decorators of compiled code. Nothing is compiled until a kernel has to be.

Numba takes half a second to import, and a program that finds its machine code on disk has no use
for it. So what is decorated here is deferred: a placeholder, like `types`, which `resolve` replaces
by what Numba makes of it, in the module that has it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import RLock
from typing import Any, TypeVar

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For functions that only compiled code calls. Entry points for other callers would take a third
more time to compile."""
KERNEL = {**INNER, "_nrt": False}
"""For functions of ours. They create no arrays, so references need no counting."""

_deferred: list[Deferred] = []
"""What has not been resolved."""
_actions: list[Callable[[], object]] = []
"""What else is to be done when it is."""
_lock = RLock()


class Deferred:
    """Stands for something of Numba's, which `make` makes, in the namespace of a module."""

    def __init__(self, make: Callable[[], Any], namespace: dict[str, Any]) -> None:
        self._make = make
        self.namespace = namespace
        self.is_made = False
        self._made: Any = None
        _deferred.append(self)

    @property
    def made(self) -> Any:
        with _lock:
            if not self.is_made:
                self._made = self._make()
                self.is_made = True
            return self._made

    def __getattr__(self, name: str) -> Any:
        """A program that uses it directly, such as a test, needs the real one."""
        if name.startswith("__"):
            raise AttributeError(name)
        resolve()
        return getattr(self.made, name)


class DeferredModule(Deferred):
    """Stands for a module."""

    def __init__(self, name: str) -> None:
        super().__init__(lambda: import_module(name), {})


types: Any = DeferredModule("numba.types")
cgutils: Any = DeferredModule("numba.core.cgutils")


def resolve(*namespaces: dict[str, Any]) -> None:
    """Import Numba, and replace everything that is deferred, in these namespaces as well."""
    with _lock:
        found = {id(namespace): namespace for namespace in namespaces}
        while _deferred:
            one = _deferred.pop()
            found[id(one.namespace)] = one.namespace
            one.made  # noqa: B018  may import modules, which defer more
        for namespace in found.values():
            for name, value in list(namespace.items()):
                if isinstance(value, Deferred):
                    namespace[name] = value.made
        while _actions:
            _actions.pop()()


def native(function: Decorated) -> Decorated:
    """A function of ours that is compiled, to be called from kernels."""
    deferred: Any = Deferred(lambda: kernel_dispatcher(function), _namespace(function))
    return deferred  # type: ignore[no-any-return]


def dispatcher(function: Callable[..., Any]) -> Any:
    """A function of a game's rules, compiled for what it is called with."""
    from plyground.search.binding.bitcode_target import bitcode_function

    return bitcode_function(function, **INNER)


def kernel_dispatcher(function: Callable[..., Any]) -> Any:
    """What `native` stands for, at once."""
    from plyground.search.binding.bitcode_target import KernelCompiler, bitcode_function

    return bitcode_function(function, KernelCompiler, **KERNEL)


def recursive(returned: str) -> Callable[[Decorated], Decorated]:
    """Marks a `native` function that calls itself, and names the type of what it returns."""

    def decorate(function: Decorated) -> Decorated:
        def make() -> Any:
            from plyground.search.binding.bitcode_target import RecursiveDispatcher

            return RecursiveDispatcher(function, getattr(types.made, returned), **KERNEL)

        deferred: Any = Deferred(make, _namespace(function))
        return deferred  # type: ignore[no-any-return]

    return decorate


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes machine instructions. Callers leave out the first parameter."""

    def make() -> Any:
        from numba.extending import intrinsic

        return intrinsic(function)

    deferred: Any = Deferred(make, _namespace(function))
    return deferred  # type: ignore[no-any-return]


def compiled_form(name: Callable[..., Any]) -> Callable[[Decorated], Decorated]:
    """Marks the function that gives the compiled form of a name, for arguments of given types."""

    def decorate(typed: Decorated) -> Decorated:
        def register() -> None:
            from numba.extending import overload

            from plyground.search.binding.bitcode_target import KernelCompiler

            options = {"pipeline_class": KernelCompiler, **KERNEL}
            # Not strict: Numba would compare the annotations of `typed` with those of a lambda.
            overload(name, jit_options=options, strict=False)(typed)

        _actions.append(register)
        return typed

    return decorate


def _namespace(function: Any) -> dict[str, Any]:
    namespace: dict[str, Any] = function.__globals__
    return namespace


def optimised_module(function: Any, kinds: tuple[Any, ...]) -> tuple[Any, str]:
    """The LLVM module of a `native` function for arguments of these types, with all that it calls,
    and the name of the function in it."""
    function.compile(kinds)
    compiled = function.overloads[kinds]
    name = compiled.fndesc.llvm_func_name
    return compiled.library.linked_module(name), name
