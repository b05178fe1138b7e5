"""Linking: a kernel and the rules of a game become machine code.

Both come as LLVM bitcode. They are optimised together, so rules are inlined into the kernel as if
both had been compiled as one. This takes a fraction of the time that compiling takes.
"""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Iterable
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from plyground.search.binding.layout import pack_arguments

PREFIX = "plyground_"
"""All symbols that a game gives to a kernel begin with it."""
ENTRY = "plyground_kernel"
"""The symbol of the function that Python calls."""

OPTIMISATION = 3
WITH_RUNTIME, WITHOUT_RUNTIME = b"\1", b"\0"
SYSTEM = {"clock_gettime", "QueryPerformanceCounter", "memcpy", "memmove", "memset"}
"""Functions that every process has."""
USER_EXCEPTION = 1
NO_RESULT = -2


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def new_target_machine() -> Any:
    """A description of this machine for LLVM. An execution engine takes it over."""
    _initialize()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=OPTIMISATION,
        reloc="static" if llvm.get_process_triple().startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


def undefined_symbols(code: bytes, prefix: str) -> set[str]:
    """The symbols with this prefix that a piece of bitcode uses and does not define, without it."""
    functions = llvm.parse_bitcode(code).functions
    names = (function.name for function in functions if function.is_declaration)
    return {name.removeprefix(prefix) for name in names if name.startswith(prefix)}


def link(kernel: bytes, parts: Iterable[bytes]) -> bytes:
    """The machine code of a kernel with all that it calls, and before it whether that needs Numba's
    runtime: rules may create arrays."""
    module = llvm.parse_bitcode(kernel)
    for part in parts:
        module.link_in(llvm.parse_bitcode(part))
    for item in (*module.functions, *module.global_variables):
        # What only this module uses can be inlined and dropped, and meets no namesake elsewhere.
        if not item.is_declaration and item.name != ENTRY:
            item.linkage = "internal"
    machine = new_target_machine()
    options = llvm.create_pipeline_tuning_options(OPTIMISATION)
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    missing = {each.name for each in module.functions if each.is_declaration}
    of_numba = any(name not in SYSTEM and not name.startswith("llvm.") for name in missing)
    return (WITH_RUNTIME if of_numba else WITHOUT_RUNTIME) + bytes(machine.emit_object(module))


@cache
def _start_runtime() -> None:
    """Define the functions of Numba that compiled code may call. This takes a while."""
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    rtsys.initialize(cpu_target.target_context)


class _ErrorReport(ctypes.Structure):
    """How compiled code tells an exception: pickled class, arguments and place."""

    _fields_ = (
        ("pickled", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("arguments", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("allocated", ctypes.c_int32),
    )


class CompiledError(Exception):
    """An exception that compiled code has raised."""

    def __init__(self, error: BaseException, place: tuple[str, str, int] | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.place = place
        """Function, file and line."""


class LoadedKernel:
    """Machine code in memory, to be called from Python. The interpreter's lock is released."""

    def __init__(self, code: bytes) -> None:
        if code.startswith(WITH_RUNTIME):
            _start_runtime()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), new_target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code[1:]))
        self._engine.finalize_object()
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._function = kind(self._engine.get_function_address(ENTRY))

    def __call__(self, *arguments: Any) -> int:
        """Run the kernel; what it returns, as a whole number. Raises CompiledError."""
        words = pack_arguments(arguments)
        result = ctypes.c_int64(0)
        report = ctypes.c_void_p()
        status = self._function(
            ctypes.addressof(result), ctypes.addressof(report), words.ctypes.data
        )
        if status in (0, NO_RESULT):
            return result.value
        raise _error(status, report.value)


def _error(status: int, report: int | None) -> CompiledError:
    if status < USER_EXCEPTION or not report:
        return CompiledError(RuntimeError(f"compiled code failed with status {status}"), None)
    told = _ErrorReport.from_address(report)
    error_class, arguments, place = pickle.loads(ctypes.string_at(told.pickled, told.size))
    if told.allocated > 0:  # the arguments were computed, and are gone with the stack
        arguments = ()
    return CompiledError(error_class(*(arguments or ())), place)
