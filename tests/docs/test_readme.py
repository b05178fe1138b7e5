"""README, CONTRIBUTING, CHANGELOG and the index of the pages say what is true."""

from __future__ import annotations

import doctest
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from plyground import __version__
from plyground.cli.main import VERBS
from plyground.core.registry import find_game, game_names
from plyground.search.features import Features
from tests.cli.runner import plyground
from tests.docs.sessions import blocks, check_output, sessions
from tests.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
SEARCH_PAGE = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
SOLVING_PAGE = (ROOT / "docs" / "solving.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


# The README


def test_the_first_thing_shown_is_how_to_play_and_how_to_test() -> None:
    first = README[README.index("```") :].split("```")[1].splitlines()[1:]
    assert [line.split("#")[0].strip() for line in first] == ["$ make play", "$ make test"]
    assert not README[: README.index("```")].count("\n## ")


def test_the_game_shown_is_the_example_to_the_letter() -> None:
    nim = (ROOT / "examples" / "nim.py").read_text(encoding="utf-8")
    assert blocks(README, "python") == [nim]


@pytest.mark.parametrize(
    "session", sessions(README) + sessions(SOLVING_PAGE), ids=lambda text: text.splitlines()[0]
)
def test_a_command_of_a_page_prints_what_is_shown(
    session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some commands write files
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command, _, shown = session.partition("\n")
    words = shlex.split(command)[2:]
    ran = plyground(*words)
    assert ran.status == (1 if words[0] == "solve" and "--time" in words else 0), ran
    if shown:  # where nothing is, the text says what the command does
        check_output(session, ran.errors + ran.output)


@pytest.mark.parametrize(
    "name", ["README.md", "docs/notebook.md", "docs/search.md", "docs/solving.md"]
)
def test_the_sessions_of_a_page_go_as_shown(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    session = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, name, None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_readme_names_every_verb_and_shows_every_game() -> None:
    assert f"`{' '.join(VERBS)}`" in README
    for name in game_names():
        assert f"[{find_game(name).title}](docs/games/{name}.md)" in README
        assert f"(docs/pictures/{name}.svg)" in README


def test_the_readme_has_no_figures_of_speed() -> None:
    """Figures depend on the machine: `make bench` measures them."""
    assert not re.findall(r"\d[\d.,]*\s*(?:ms|[kM] nodes|seconds|times)\b", README)


def test_the_commands_of_make_that_pages_speak_of_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    spoken_of = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|\$ )make ([a-z]+)", page.read_text(encoding="utf-8"))
    }
    assert {"play", "test", "bench", "golden"} <= spoken_of <= targets


# Every page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)]+)\)", prose):
        target, _, anchor = link.partition("#")
        if target.startswith("https:"):
            continue
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}


def test_every_page_is_in_the_index() -> None:
    listed = set(re.findall(r"\]\(([^)]+\.md)\)", INDEX))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in ROOT.glob("docs/**/*.md")}
    assert pages - listed == {"README.md"}


def test_the_page_of_the_engine_tells_every_feature_and_whether_it_is_exact() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| .+ \| (yes|no) \|$", SEARCH_PAGE, re.MULTILINE)
    shown = {name: answer == "yes" for name, answer in rows}
    assert shown == {feature.name: bool(feature & Features.EXACT) for feature in Features}


def test_the_page_of_the_engine_names_every_file_of_the_search() -> None:
    """By itself or by its folder; the table holds nothing else."""
    folder = ROOT / "src" / "plyground" / "search"
    table = SEARCH_PAGE.partition("| File |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([\w/]+(?:\.py|/))`", table))
    folders = tuple(name for name in named if name.endswith("/"))
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert all((folder / name).is_dir() for name in folders)
    left_out = {name for name in files - named if not name.startswith(folders)}
    assert {name for name in left_out if not name.endswith("__init__.py")} == set()
    assert named - files == set(folders)


# CONTRIBUTING and CHANGELOG


def test_adding_a_game_asks_for_what_every_game_has() -> None:
    steps = CONTRIBUTING.partition("## Adding a game")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([\w/.]*NAME[\w/.]*)`", steps))
    for place in sorted(path for path in named if "/" in path):
        for name in game_names():
            assert (ROOT / place.replace("NAME", name)).exists(), place.replace("NAME", name)
    assert {"tests/data/perft/NAME.txt", "tests/data/golden/NAME.txt"} <= named
    assert {"docs/games/NAME.md", "src/plyground/games/NAME/", "tests/games/test_NAME.py"} <= named


def test_adding_a_game_lists_the_chapters_of_a_page() -> None:
    page = (ROOT / "docs" / "games" / "breakthrough.md").read_text(encoding="utf-8")
    chapters = ", ".join(re.findall(r"^## (.+)$", page, re.MULTILINE))
    assert chapters in " ".join(CONTRIBUTING.split())


def test_the_changelog_lists_the_verbs() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert ", ".join(f"`{verb}`" for verb in VERBS) in changelog


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[([\d.]+)\]", changelog, re.MULTILINE)
    assert newest is not None
    assert project["version"] == __version__ == newest[1]
