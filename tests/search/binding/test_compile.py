"""What a game's digest is made of, and the cache of compiled code on disk."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from plyground.core.errors import FileError, GameFileError, PlygroundError
from plyground.core.file_lock import lock
from plyground.core.registry import find_game
from plyground.search.binding import code_cache, exports, kernels, sources
from plyground.search.binding import compile as binding
from plyground.search.binding.bound_rules import compilable
from plyground.search.binding.code_cache import (
    cached_folders,
    read_code,
    remove_cached,
    write_code,
)
from plyground.search.binding.compile import Bound, bind
from plyground.search.binding.sources import digest_of, reachable_functions
from plyground.search.counting import MINIMAX, Counter
from plyground.search.perft import perft
from tests.compiled_kernels import copy_kernels

GAME = '''"""Take 1 to 3 stones; who takes the last one wins."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numba import njit


class State(NamedTuple):
    stones: int
    turn: int


class Size(IntEnum):
    SMALL = 1


def start(board):
    return State(4, 0)


def moves(board, state, out):
    count = min(3, state.stones)
    for taken in range(count):
        out[taken] = taken + 1
    return count


def play(board, state, move):
    return State(state.stones - move, 1 - state.turn)


def over(board, state):
    return state.stones == 0


def utility(board, state):
    return 1 if state.turn == 1 else -1
'''
DIGEST = "0123456789abcdef"


def written(folder: Path, added: str = "", name: str = "stones") -> str:
    path = folder / f"{name}.py"
    path.write_text(f"{GAME}\n\n{added}", encoding="utf-8")
    return str(path)


def digest(folder: Path, added: str) -> str:
    return digest_of(find_game(written(folder, added)).rules)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder that is empty, and games that have not been bound yet."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(binding, "bound_by_digest", {})
    code_cache.cache_root.cache_clear()
    yield tmp_path / "cache"
    code_cache.cache_root.cache_clear()


# The digest


def test_a_file_that_is_edited_after_it_was_loaded_keeps_its_digest(tmp_path: Path) -> None:
    game = find_game(written(tmp_path))
    before = digest_of(game.rules)
    Path(game.rules.path).write_text(GAME.replace("min(3", "min(2"), encoding="utf-8")
    assert digest_of(game.rules) == before
    assert digest_of(find_game(game.rules.path).rules) != before


def test_a_comment_does_not_change_the_digest(tmp_path: Path) -> None:
    assert digest(tmp_path, "") == digest(tmp_path, "# a comment")


@pytest.mark.parametrize(
    "added",
    [
        "def evaluate(board, state, *, weight=1):\n    return weight",
        (
            "def evaluate(board, state):\n    return inner(state)\n\n\n"
            "def inner(state, weight=1):\n    return weight"
        ),
        (
            "def made(weight):\n    def evaluate(board, state):\n        return weight\n"
            "    return evaluate\n\n\nevaluate = made(1)"
        ),
        (
            "class Weight(IntEnum):\n    STONE = 1\n\n\n"
            "def evaluate(board, state):\n    return Weight.STONE"
        ),
        (
            "class Weights(NamedTuple):\n    stone: int = 1\n\n\n"
            "def evaluate(board, state):\n    return Weights().stone"
        ),
        (
            "TABLES = (np.arange(5000), np.arange(5000) * 1)\n\n\n"
            "def evaluate(board, state):\n    return TABLES[1][state.stones]"
        ),
        (
            "@njit\ndef inner(state):\n    return 1\n\n\n"
            "def evaluate(board, state):\n    return inner(state)"
        ),
        (
            "WEIGHT = 1\n\n\n@njit\ndef inner(state):\n    return WEIGHT\n\n\n"
            "def evaluate(board, state):\n    return inner(state)"
        ),
        "def evaluate(board, state):\n    return [item * 1 for item in (1, 2)][0]",
    ],
    ids=[
        "keyword",
        "default",
        "closure",
        "enumeration",
        "tuple field",
        "array in a tuple",
        "njit",
        "global of njit",
        "comprehension",
    ],
)
def test_a_constant_changes_the_digest_wherever_it_is_kept(tmp_path: Path, added: str) -> None:
    changed = added.replace("1)", "7)").replace("= 1", "= 7").replace("=1", "=7")
    changed = changed.replace("return 1", "return 7").replace("* 1", "* 7")
    assert changed != added
    assert digest(tmp_path, added) != digest(tmp_path, changed)
    assert digest(tmp_path, added) == digest(tmp_path, added + "\n")


@pytest.mark.parametrize("expression", ["weights.STONE", "weights.inner.STONE"])
def test_a_constant_of_a_neighbouring_module_changes_the_digest(
    tmp_path: Path, expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = type(sys)("weights")
    holder.inner = type(sys)("weights.inner")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "weights", holder)
    game = find_game(
        written(
            tmp_path, f"import weights\n\n\ndef evaluate(board, state):\n    return {expression}"
        )
    )
    digests = set()
    for stone in (1, 2):
        monkeypatch.setattr(
            eval(expression.rpartition(".")[0], {"weights": holder}), "STONE", stone, raising=False
        )
        digests.add(digest_of(game.rules))
    assert len(digests) == 2


DIGEST_PROGRAM = """
import sys
from pathlib import Path
from plyground.core.registry import find_game
from plyground.search.binding.sources import digest_of

read, original = set(), Path.read_bytes
Path.read_bytes = lambda path: read.add(path.name) or original(path)
print(digest_of(find_game(sys.argv[1]).rules), *sorted(read))
"""


@pytest.fixture(scope="module")
def digests_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What two other processes print: the digest of a game, and the files that were read for it."""
    path = written(
        tmp_path_factory.mktemp("game"),
        "@njit(fastmath=True)\ndef inner(state):\n    return state.stones in {'a', 'b', 'c', 'd'}"
        "\n\n\ndef evaluate(board, state):\n    return inner(state) + Size.SMALL",
    )
    return [
        subprocess.run(
            [sys.executable, "-c", DIGEST_PROGRAM, path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in ("1", "2")
    ]


def test_the_digest_is_the_same_in_every_process(digests_elsewhere: list[list[str]]) -> None:
    assert len({digest for digest, *_ in digests_elsewhere}) == 1


def test_the_contract_is_among_what_every_digest_depends_on(
    digests_elsewhere: list[list[str]],
) -> None:
    _, *read = digests_elsewhere[0]
    assert {"contract.py", "bits.py", "values.py", "kernel.py"} <= set(read)


def test_a_helper_that_is_compiled_already_is_called_as_it_is(tmp_path: Path) -> None:
    added = "@njit\ndef inner(state):\n    return 1\n\n\n"
    added += "def evaluate(board, state):\n    return inner(state)"
    rules = find_game(written(tmp_path, added)).rules
    inner, evaluate = reachable_functions(rules.evaluate)
    assert inner[0].__name__ == "inner"
    assert evaluate == (rules.evaluate, {})


def test_functions_that_name_each_other_are_all_found(tmp_path: Path) -> None:
    added = "def even(n):\n    return n == 0 or odd(n - 1)\n\n\n"
    added += "def odd(n):\n    return n != 0 and even(n - 1)\n\n\n"
    added += "def evaluate(board, state):\n    return even(state.stones)"
    rules = find_game(written(tmp_path, added)).rules
    found = reachable_functions(rules.evaluate)
    assert [function.__name__ for function, _ in found] == ["odd", "even", "evaluate"]
    assert callable(compilable(rules.evaluate, DIGEST, {}))


# The cache


def test_a_damaged_cache_is_compiled_anew_and_not_blamed_on_the_rules(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = find_game(written(tmp_path)).start()
    expected = perft(position, 3)
    for ending in ("o", "bc"):
        damaged = list(root.rglob(f"*.{ending}"))
        assert damaged
        for path in damaged:
            path.write_bytes(path.read_bytes()[:100])
        for path in root.rglob("*.o"):
            path.unlink()
        monkeypatch.setattr(binding, "bound_by_digest", {})
        assert perft(position, 3) == expected
        assert all(path.stat().st_size > 100 for path in root.rglob(f"*.{ending}"))


@pytest.mark.parametrize("bit", range(0, 4000, 133))
def test_code_in_which_one_bit_is_wrong_is_no_code(tmp_path: Path, bit: int) -> None:
    code = bytes(range(256)) * 2
    write_code(tmp_path, "kernel.o", code)
    assert read_code(tmp_path, "kernel.o") == code
    data = bytearray((tmp_path / "kernel.o").read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    (tmp_path / "kernel.o").write_bytes(data)
    assert read_code(tmp_path, "kernel.o") is None


def test_an_edit_compiles_the_rules_and_no_kernel(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    perft(find_game(written(tmp_path)).start(), 2)
    compiled: list[str] = []
    original = kernels.kernel_bitcode

    def noted(function: Any, arguments: Any) -> bytes:
        compiled.append(function.__name__)
        return original(function, arguments)

    monkeypatch.setattr(kernels, "kernel_bitcode", noted)
    edited = GAME.replace("min(3", "min(2")
    (tmp_path / "stones.py").write_text(edited, encoding="utf-8")
    assert perft(find_game(str(tmp_path / "stones.py")).start(), 2) == 4
    assert compiled == []


def test_two_kernels_of_a_game_share_its_compiled_rules(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_kernels(root)
    position = find_game(written(tmp_path)).start()
    perft(position, 2)
    exported: list[str] = []
    original = exports.export

    def noted(bound: Any, part: str, board: Any) -> bytes:
        exported.append(part)
        return original(bound, part, board)

    monkeypatch.setattr(exports, "export", noted)
    Counter(position.game).search(position, 2, MINIMAX)
    assert exported
    assert not {"moves", "play", "over"} & set(exported)


def test_a_full_disk_does_not_keep_a_game_from_running(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise FileError("stones: cannot write: No space left on device")

    monkeypatch.setattr(code_cache, "write_atomically", full)
    assert perft(find_game(written(tmp_path)).start(), 2) == 6
    assert not list(root.rglob("*.o"))


def test_no_lock_no_cache_and_yet_it_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise OSError("no locks here")

    said: list[str] = []
    binding.announce(said.append)
    monkeypatch.setattr(code_cache, "lock", refused)
    assert perft(find_game(written(tmp_path)).start(), 1) == 3
    assert not list(root.rglob("*.o"))
    assert said == ["compiling stones for this machine"]


def test_no_garbage_is_collected_while_something_is_compiled(root: Path, tmp_path: Path) -> None:
    enabled: list[bool] = []
    binding.announce(lambda _: enabled.append(gc.isenabled()))
    assert perft(find_game(written(tmp_path)).start(), 1) == 3
    assert enabled == [False]
    assert gc.isenabled()


FIRST_KERNEL = """
from plyground.core.bits import lowest, mix
from plyground.search.binding.kernels import kernel_bitcode

def kernel(number):
    return mix(number, lowest(number))

print(len(kernel_bitcode(kernel, [12])) > 0)
"""


def test_a_kernel_can_be_the_first_thing_that_is_compiled() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_KERNEL], capture_output=True, text=True, check=False
    )
    assert ran.stdout == "True\n", ran.stderr


WARM = """
import sys
from plyground import Engine, Limits, find_game
game = find_game("tictactoe")
Engine(game, memory=1).search(game.start(), Limits(depth=3))
print("numba" in sys.modules)
"""


def test_a_program_that_finds_its_code_on_disk_does_not_load_the_compiler() -> None:
    command = [sys.executable, "-c", WARM]
    subprocess.run(command, check=True)
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_rules_that_make_arrays_run_from_the_cache_too(root: Path, tmp_path: Path) -> None:
    added = "def over(board, state):\n    seen = np.zeros(state.stones + 1, np.int64)\n"
    added += "    seen[state.stones] = 1\n    return seen[0] == 1"
    copy_kernels(root)
    path = written(tmp_path, added)
    program = (
        "import sys; from plyground import find_game; from plyground.search.perft import perft;"
    )
    program += "print(perft(find_game(sys.argv[1]).start(), 3))"
    counts = [
        subprocess.run(
            [sys.executable, "-c", program, path], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)  # compiled by the first process, and loaded by the second
    ]
    assert counts == ["4\n", "4\n"]


def test_threads_that_bind_at_once_get_the_same_object(root: Path, tmp_path: Path) -> None:
    game = find_game(written(tmp_path))
    found: list[Bound] = []
    threads = [threading.Thread(target=lambda: found.append(bind(game))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1


def test_old_versions_go_and_other_games_of_the_same_name_stay(root: Path, tmp_path: Path) -> None:
    def folder(name: str, age: int) -> Path:
        made = root / name
        made.mkdir(parents=True)
        (root / f"{name.rpartition('-')[0]}.lock").touch()
        os.utime(made, (1000 - age, 1000 - age))
        return made

    mine = [folder(f"a[b]-00000000-{DIGEST[:-1]}{age}", age) for age in range(5)]
    others = [folder(f"a[b]-11111111-{DIGEST}", 9), folder(f"a[b]-x-00000000-{DIGEST}", 9)]
    with code_cache.locked_folder(f"a[b]-00000000-{DIGEST}") as current:
        pass
    assert current.exists()
    assert [path.exists() for path in mine] == [True, True, False, False, False]
    assert all(path.exists() for path in others)
    assert set(cached_folders(root)) == {current, *mine[:2], *others}


def test_a_game_that_is_locked_is_not_removed(root: Path) -> None:
    name = f"game-00000000-{DIGEST}"
    with code_cache.locked_folder(name) as folder:
        assert not remove_cached(folder)
    assert folder.exists()
    assert remove_cached(folder)
    assert not remove_cached(folder)
    assert cached_folders(root) == []


def test_a_folder_that_is_removed_while_one_waits_for_it_is_made_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"game-00000000-{DIGEST}"
    with code_cache.locked_folder(name):
        pass

    def removed_meanwhile(file: IO[Any]) -> None:
        assert remove_cached(root / name)
        lock(file)

    monkeypatch.setattr(code_cache, "lock", removed_meanwhile)
    with code_cache.locked_folder(name) as folder:
        assert folder.is_dir()
    assert cached_folders(root) == [folder]


def test_a_long_name_is_cut_and_the_path_tells_games_apart(tmp_path: Path) -> None:
    name = "n" * 240
    names = [
        code_cache.folder_name(name, bytes(folder / "game.py"), DIGEST)
        for folder in (tmp_path, tmp_path / "other")
    ]
    assert names[0] != names[1]
    assert all(len(one) < 80 and one.endswith(f"-{DIGEST}") for one in names)


def test_home_is_not_asked_for_where_the_cache_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    assert code_cache.wanted_cache_root() == tmp_path
    monkeypatch.delenv("PLYGROUND_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert code_cache.wanted_cache_root() == tmp_path / "plyground"


def test_the_temporary_cache_is_gone_when_the_process_ends(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "from plyground.search.binding.code_cache import cache_root; r = cache_root();"
                "assert r.is_dir(); print(r)"
            ),
        ],
        env={**os.environ, "PLYGROUND_CACHE": str(blocked / "cache"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "the cache folder cannot be written" in ran.stderr
    assert Path(ran.stdout.strip()).parent == tmp_path
    assert not Path(ran.stdout.strip()).exists()


# What is said


def test_an_assertion_in_compiled_rules_is_an_error_of_the_game(root: Path, tmp_path: Path) -> None:
    added = "def over(board, state):\n    assert state.stones > 3\n    return False"
    game = find_game(written(tmp_path, added))
    with pytest.raises(GameFileError, match=r":43: the compiled rules raised AssertionError$"):
        perft(game.start(), 3)


def test_an_error_is_told_with_what_it_says(root: Path, tmp_path: Path) -> None:
    added = "def over(board, state):\n    if state.stones < 4:\n"
    added += "        raise ValueError('too few')\n    return False"
    game = find_game(written(tmp_path, added))
    with pytest.raises(GameFileError, match=r"the compiled rules raised ValueError: too few$"):
        perft(game.start(), 3)


def test_a_compiler_that_is_switched_off_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(PlygroundError, match="NUMBA_DISABLE_JIT is set"):
        bind(find_game(written(tmp_path)))


def test_every_module_with_kernels_decides_their_name() -> None:
    """Else an edited kernel would be loaded from disk as it was before."""
    package = sources.SEARCH.parent
    with_kernels = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "plyground.search.binding.native import" in path.read_text()
    }
    elsewhere = {name for name in with_kernels if not name.startswith("search/")}
    assert elsewhere == set(sources.ALSO_COMPILED)
    left_out = tuple(f"search/{name}" for name in sources.NEVER_COMPILED)
    assert not [name for name in with_kernels if name.startswith(left_out)]
