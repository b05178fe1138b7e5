"""Code for the target that stops at bitcode: what calls what, and who may call it."""

from __future__ import annotations

from typing import Any

import pytest
from numba import njit, types

from plyground.search.binding.native import native, optimised_module, recursive, resolve


@native
def doubled(number: Any) -> Any:
    return 2 * number


@native
def doubled_twice(number: Any) -> Any:
    return doubled(doubled(number))


@recursive("int64")
def factorial(number: Any) -> Any:
    return types.int64(1) if number <= 1 else number * factorial(number - 1)


@native
def sum_of_slice(numbers: Any) -> Any:
    total = types.int64(0)
    for number in numbers[1:]:
        total += number
    return total


@pytest.fixture(autouse=True)
def resolved() -> None:
    resolve(globals())


def declared(module: Any) -> list[str]:
    """The functions that a module needs from elsewhere."""
    return [each.name for each in module.functions if each.is_declaration]


def exported(module: Any) -> list[str]:
    return [
        each.name
        for each in module.functions
        if not each.is_declaration and each.linkage.name == "external"
    ]


@pytest.mark.parametrize("function", [doubled_twice, factorial])
def test_a_module_has_all_that_its_function_calls_and_exports_nothing_else(function: Any) -> None:
    module, name = optimised_module(function, (types.int64,))
    assert not [each for each in declared(module) if not each.startswith("llvm.")]
    assert exported(module) == [name]


def test_a_function_can_be_part_of_several_modules() -> None:
    for function in (doubled, doubled_twice, doubled):
        module, name = optimised_module(function, (types.uint64,))
        assert exported(module) == [name]


def test_numbas_own_functions_call_ours_with_all_that_those_call() -> None:
    assert njit(lambda number: doubled_twice(number))(3) == 12


def test_a_function_that_declares_what_it_returns_calls_itself() -> None:
    assert njit(lambda number: factorial(number))(5) == 120


def test_a_recursive_function_is_compiled_for_each_type_once() -> None:
    njit(lambda number: factorial(number) + factorial(3))(5)
    function: Any = factorial
    assert list(function.overloads) == [(types.int64,)]


def test_functions_of_ours_count_no_references_to_arrays() -> None:
    function: Any = sum_of_slice
    kinds = (types.Array(types.int64, 1, "C"),)
    function.compile(kinds)
    assert "NRT_" not in function.inspect_llvm(kinds)
