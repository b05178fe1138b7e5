"""A target of Numba that compiles to LLVM bitcode and no further.

Numba's own target optimises each function together with all that it calls, then makes machine code
of it, before it compiles the next one. Here only whole kernels are needed, and their machine code
is made later (`search/binding/linking.py`). So a library keeps one function, and `linked_module`
links and optimises once. Measured on the solver: half of the time to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUTargetOptions
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.funcdesc import ExternalFunctionDescriptor
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.templates import make_concrete_template
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

NAME = "plyground"

KERNEL_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


class BitcodeTarget(CPU):  # type: ignore[misc]
    """All that Numba compiles for a CPU can be compiled for this target."""


class _Library(CPUCodeLibrary):  # type: ignore[misc]
    """The code of one function, and the libraries of those that it calls."""

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _: str) -> int:
        """Numba requests the entry point for Python. There is none."""
        return 0

    def _optimize_functions(self, ll_module: Any) -> None:
        """Functions are optimised when all are linked."""
        ll_module.data_layout = self._codegen._data_layout

    def define(self, ir_module: Any, calls: _Library) -> None:
        """Give a library its code, after others have been told to link it."""
        self._final_module.link_in(llvm.parse_assembly(str(ir_module)))
        self._linking_libraries.append(calls)

    def linked_module(self, name: str) -> Any:
        """The function, which has this name, with all that it calls, optimised."""
        whole = self._codegen.create_library(self.name)
        whole._final_module = self._with_calls()
        for function in whole._final_module.functions:
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        whole._optimize_final_module()
        return whole._final_module

    def _get_module_for_linking(self) -> Any:
        """For a library of Numba's own target, which links no further."""
        module = self._with_calls()
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        return module

    def _with_calls(self) -> Any:
        """A module with the function and all that it calls, directly or not."""
        own: dict[_Library, None] = {}
        foreign: dict[CPUCodeLibrary, None] = {}
        waiting: list[CPUCodeLibrary] = [self]
        while waiting:
            library = waiting.pop()
            if not isinstance(library, _Library):
                foreign[library] = None  # of Numba's own target: it contains what it calls
            elif library not in own:
                own[library] = None
                waiting += library._linking_libraries
        module = self._final_module.clone()
        for library in own:
            if library is not self:
                module.link_in(library._final_module, preserve=True)
        # Of these, LLVM links only functions for which there is a call by now.
        for library in foreign:
            module.link_in(library._get_module_for_linking(), preserve=True)
        return module


class _Codegen(JITCPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        """Only code that uses Python's objects has an environment."""


class _Descriptor(TargetDescriptor):  # type: ignore[misc]
    options = CPUTargetOptions

    @cached_property
    def target_context(self) -> Any:
        context = cpu_target.target_context
        context.refresh()  # starts Numba's runtime, which has to be machine code
        context = context.subtarget(_internal_codegen=_Codegen(NAME), target=BitcodeTarget)
        # LLVM parses a module for each answer, and Numba asks for every variable.
        context.get_abi_sizeof = cache(context.get_abi_sizeof)
        return context

    @property
    def typing_context(self) -> Any:
        return cpu_target.typing_context


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles functions of ours: Numba's passes without those for what these functions do not
    contain, such as functions within functions and expressions of whole arrays, which would not
    compile. Measured on the solver: a sixth of the time to compile."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager(NAME)
        for each in KERNEL_PASSES:
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]


class BitcodeDispatcher(Dispatcher):
    """A function, compiled for each combination of argument types with which it is called."""

    targetdescr = _Descriptor(NAME)


class RecursiveDispatcher(BitcodeDispatcher):
    """A function that calls itself, and declares what it returns.

    Numba would find that out: it infers the types of the function up to where it calls itself, and
    then once more. Measured on the engine: a tenth of the time to compile.
    """

    is_compiling: Any = False
    """So that Numba takes a call of the function from within for a call of any other."""

    def __init__(self, function: Callable[..., Any], returned: Any, **options: Any) -> None:
        options = {"nopython": True, **options}
        super().__init__(function, targetoptions=options, pipeline_class=KernelCompiler)
        self._returned = returned
        self._symbols: dict[tuple[Any, ...], str] = {}

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call returns. The first one compiles the function."""
        compiler: Any = self._compiler  # type: ignore[attr-defined]
        parameters, folded = compiler.fold_argument_types(args, kws)
        kinds = tuple(map(types.unliteral, folded))
        self.compile(kinds)
        name = self.py_func.__name__
        template = make_concrete_template(name, name, [self._returned(*kinds)])
        return template, parameters, kinds, {}

    def get_overload(self, sig: Any) -> Any:
        return self._symbols[tuple(sig)]

    def compile(self, sig: Any) -> Any:
        kinds, _ = normalize_signature(sig)
        if kinds not in self._symbols:  # nor being compiled
            self._compile_declared(kinds)

    def _compile_declared(self, kinds: tuple[Any, ...]) -> None:
        """Declare a symbol that calls compile to, compile the function, and define the symbol."""
        context = self.targetctx
        symbol = context.mangler(f"{self.py_func.__module__}.{self.py_func.__name__}", kinds)
        self._symbols[kinds] = symbol
        declared = ExternalFunctionDescriptor(symbol, self._returned, kinds)
        library = context.codegen().create_library(symbol)
        context.insert_user_function(symbol, declared, [library])
        super().compile(self._returned(*kinds))
        compiled = self.overloads[kinds]
        module = context.create_module(symbol)
        outer = context.declare_function(module, declared)
        inner = context.declare_function(module, compiled.fndesc)
        outer.attributes.add("alwaysinline")
        builder = ir.IRBuilder(outer.append_basic_block())
        builder.ret(builder.call(inner, outer.args))
        library.define(module, compiled.library)


def bitcode_function(
    function: Callable[..., Any], pipeline_class: Any = Compiler, **options: Any
) -> BitcodeDispatcher:
    options = {"nopython": True, **options}
    return BitcodeDispatcher(function, targetoptions=options, pipeline_class=pipeline_class)


def _jit(*functions: Any, **options: Any) -> Any:
    """Numba's decorator for this target, with or without options."""
    if functions:
        return bitcode_function(functions[0], **options)
    return lambda function: bitcode_function(function, **options)


target_registry[NAME] = BitcodeTarget
dispatcher_registry[BitcodeTarget] = BitcodeDispatcher
jit_registry[BitcodeTarget] = _jit
