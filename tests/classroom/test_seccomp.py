"""The filter of system calls, run by a small interpreter of the language it is written in."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from plyground.classroom.seccomp import AUDIT, CALLS, filter_program

MACHINES = list(AUDIT)
HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}
ALLOWED, ENDED = "allowed", "ended"
NO_PERMISSION, NO_CALL, NO_FAMILY = 1, 38, 97
EVERYDAY = {
    # what Python does all day, by its numbers on each machine
    "read": (0, 63),
    "write": (1, 64),
    "mmap": (9, 222),
    "futex": (202, 98),
    "openat": (257, 56),
    "execve": (59, 221),
    "wait4": (61, 260),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
    "socketpair": (53, 199),
    "sched_yield": (24, 124),
}


def verdict(
    machine: str, number: int, *arguments: int, architecture: int | None = None
) -> str | int:
    """What the kernel would do at a call: allow it, end the process, or answer with an error."""
    program = filter_program(machine)
    assert program is not None
    instructions = list(struct.iter_unpack("HBBI", program))
    known = AUDIT[machine] if architecture is None else architecture
    data = struct.pack("<iIQ6Q", number, known, 0, *arguments, *[0] * (6 - len(arguments)))
    accumulator, at = 0, 0
    while True:  # it ends: jumps only lead forward
        code, if_true, if_false, value = instructions[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        elif code in (0x15, 0x35, 0x45):
            yes = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: accumulator & value != 0,
            }[code]
            at += if_true if yes else if_false
        else:
            assert code == 0x06, hex(code)
            kind, number = value & 0xFFFF0000, value & 0xFFFF
            if kind == 0x00050000:
                return int(number)
            return {0x7FFF0000: ALLOWED, 0x80000000: ENDED}[kind]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_python_does_all_day_is_allowed(machine: str) -> None:
    column = MACHINES.index(machine)
    for name, numbers in EVERYDAY.items():
        assert verdict(machine, numbers[column], 1, 2, 3) == ALLOWED, name


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_of_the_list_is_refused_and_none_besides(machine: str) -> None:
    column = MACHINES.index(machine)
    listed = {numbers[column] for numbers in CALLS.values()} - {-1}
    careful = {CALLS[name][column] for name in ("socket", "clone", "clone3", "rt_sigaction")}
    for number in range(600):
        expected = NO_PERMISSION if number in listed - careful else ALLOWED
        if number not in careful:
            assert verdict(machine, number, 1) == expected, number
    assert verdict(machine, CALLS["clone3"][column]) == NO_CALL


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_by_another_convention_end_the_process(machine: str) -> None:
    i386, x32 = 0x40000003, 0x40000000
    assert verdict(machine, 1, architecture=i386) == ENDED
    assert verdict(machine, x32 + 1) == ENDED
    assert verdict(machine, 0xFFFFFFFF - (1 << 32)) == ENDED


@pytest.mark.parametrize("machine", MACHINES)
def test_only_local_sockets_are_to_be_had(machine: str) -> None:
    socket = CALLS["socket"][MACHINES.index(machine)]
    local, internet, internet6, netlink, packet, algorithms, machines = 1, 2, 10, 16, 17, 38, 40
    assert verdict(machine, socket, local) == ALLOWED
    for family in (0, internet, internet6, netlink, packet, algorithms, machines, 255):
        assert verdict(machine, socket, family) == NO_FAMILY, family


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_and_processes_are_made_but_no_namespaces(machine: str) -> None:
    clone = CALLS["clone"][MACHINES.index(machine)]
    fork, thread = 0x01200011, 0x003D0F00
    assert verdict(machine, clone, fork) == ALLOWED
    assert verdict(machine, clone, thread) == ALLOWED
    namespaces = (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 1 << 28, 1 << 29, 1 << 30)
    for flag in namespaces:
        assert verdict(machine, clone, fork | flag) == NO_PERMISSION, hex(flag)


@pytest.mark.parametrize("machine", MACHINES)
def test_children_cannot_be_made_to_vanish_uncounted(machine: str) -> None:
    sigaction = CALLS["rt_sigaction"][MACHINES.index(machine)]
    child_ended, interrupt = 17, 2
    assert verdict(machine, sigaction, child_ended, 0, 0x7000) == ALLOWED, "a question"
    assert verdict(machine, sigaction, child_ended, 0x7000) == NO_PERMISSION
    assert verdict(machine, sigaction, child_ended, 1 << 32) == NO_PERMISSION
    assert verdict(machine, sigaction, interrupt, 0x7000) == ALLOWED


def test_a_processor_whose_numbers_are_not_known_has_no_filter() -> None:
    assert filter_program("pdp11") is None


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_systems_own_headers(machine: str) -> None:
    header = Path(HEADERS[machine])
    if not header.is_file():
        pytest.skip(f"{header} is not on this machine")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", header.read_text())
    known = {name: int(number) for name, number in defined}
    column = MACHINES.index(machine)
    compared = {name for name in CALLS | EVERYDAY if name in known}
    for name in compared:
        assert (CALLS | EVERYDAY)[name][column] == known[name], name
    assert len(compared) > 50
