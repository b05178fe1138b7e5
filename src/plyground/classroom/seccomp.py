"""The seccomp filter of a sandbox: a program that the kernel runs for each system call.

The namespaces of a sandbox already hide files, processes and the network. The filter refuses calls
that no player needs and that kernel exploits use. A refused call returns "operation not permitted".
A call by the convention of another architecture ends the process, because its numbers mean other
calls.
"""

from __future__ import annotations

import platform
import struct

# Instructions of classic BPF, see seccomp(2) and linux/filter.h.
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24
"""Offsets in the data about a call; of an argument, its lower half."""
HALF = 4
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE = 0x00050000
NOT_PERMITTED, NO_SUCH_CALL, NO_SUCH_FAMILY = 1, 38, 97

OTHER_CONVENTION = 0x40000000
"""Numbers from here on are of x32, a second set of calls on the same processor."""
NEW_NAMESPACE = 0x7E020080
"""The flags of clone() that make namespaces of any kind."""
LOCAL = 1
"""AF_UNIX: pairs of sockets within the sandbox, which Python's own libraries use."""

CHILD_ENDED = 17
"""SIGCHLD. CPU time of ended children is lost if it is ignored: its handler cannot be changed."""

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

CALLS: dict[str, tuple[int, int]] = {
    # name: its numbers on x86_64 and on aarch64; -1 where there is none
    "socket": (41, 198),
    "clone": (56, 220),
    "clone3": (435, 435),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "fanotify_init": (300, 262),
    "landlock_create_ruleset": (444, 444),
    "pidfd_getfd": (438, 438),
    # Memory that the limits of a process do not count.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "rt_sigaction": (13, 134),
}
WITH_CARE = ("socket", "clone", "clone3", "rt_sigaction")
"""Calls that are refused depending on their arguments, or with another error."""


def filter_program(machine: str | None = None) -> bytes | None:
    """The program for a processor architecture; None for an unknown one."""
    machine = platform.machine() if machine is None else machine
    if machine not in AUDIT:
        return None
    column = list(AUDIT).index(machine)
    number = {name: numbers[column] for name, numbers in CALLS.items()}
    program = [
        _do(LOAD, ARCHITECTURE),
        _do(JUMP_EQUAL, AUDIT[machine], 1, 0),
        _do(ANSWER, KILL),
        _do(LOAD, NUMBER),
        _do(JUMP_AT_LEAST, OTHER_CONVENTION, 0, 1),
        _do(ANSWER, KILL),
    ]
    for name, value in number.items():
        if name not in WITH_CARE and value >= 0:
            program += [_do(JUMP_EQUAL, value, 0, 1), _do(ANSWER, REFUSE | NOT_PERMITTED)]
    program += [
        # Without clone3 a library uses clone, whose flags the filter can read.
        _do(JUMP_EQUAL, number["clone3"], 0, 1),
        _do(ANSWER, REFUSE | NO_SUCH_CALL),
        _do(JUMP_EQUAL, number["clone"], 0, 4),
        _do(LOAD, FIRST_ARGUMENT),
        _do(JUMP_ANY_BIT, NEW_NAMESPACE, 0, 1),
        _do(ANSWER, REFUSE | NOT_PERMITTED),
        _do(ANSWER, ALLOW),
        _do(JUMP_EQUAL, number["rt_sigaction"], 0, 9),
        _do(LOAD, FIRST_ARGUMENT),
        _do(JUMP_EQUAL, CHILD_ENDED, 0, 6),
        _do(LOAD, SECOND_ARGUMENT),
        _do(JUMP_EQUAL, 0, 0, 3),
        _do(LOAD, SECOND_ARGUMENT + HALF),
        _do(JUMP_EQUAL, 0, 0, 1),
        _do(ANSWER, ALLOW),
        _do(ANSWER, REFUSE | NOT_PERMITTED),
        _do(ANSWER, ALLOW),
        _do(JUMP_EQUAL, number["socket"], 0, 3),
        _do(LOAD, FIRST_ARGUMENT),
        _do(JUMP_EQUAL, LOCAL, 1, 0),
        _do(ANSWER, REFUSE | NO_SUCH_FAMILY),
        _do(ANSWER, ALLOW),
    ]
    return b"".join(program)


def _do(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; a jump is the number of instructions to skip."""
    return struct.pack("HBBI", code, if_true, if_false, value)
