"""Records written and read back: nothing is lost, and every kind of damage is named by its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import HEADERS, MAX_MOVE_TEXT, MAX_POSITION_TEXT, MAX_TEXT
from plyground.core.records.record import GameRecord, Ply, load_games
from plyground.core.records.text_format import MAX_LINE
from plyground.core.values import INFINITY

EXAMPLE = r"""plyground record 1
game: tictactoe
start: 3/3/3 x
first: Ada
second: Bob
date: 2025-11-15
event: club evening
round: 3

# X has the left column
1. a1 | time=0.5 eval=+3 depth=4
2. b1 | | a comment
3. a2
4. b2 | time=1.25
5. a3 | eval=+999999999 | at last \\o/

result: 1-0 utility=1 finished | three in a line
"""

# Any record at all

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
filled = texts.filter(lambda text: bool(text.strip()))
plies = st.builds(
    Ply,
    move=filled,
    seconds=st.none() | st.floats(0, 1e9),
    evaluation=st.none() | st.integers(-INFINITY, INFINITY),
    depth=st.none() | st.integers(0, 100_000),
    comment=texts,
)
outcomes = st.builds(
    Outcome,
    winner=st.sampled_from([None, 0, 1]),
    utility=st.integers(-(1 << 63) + 1, (1 << 63) - 1),
    ending=st.sampled_from(Ending),
    reason=texts,
)
tag_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,10}", fullmatch=True).filter(
    lambda name: name.lower() not in HEADERS
)
option_names = texts.filter(str.isidentifier) | st.sampled_from(["rows", "seed", "größe"])
records = st.builds(
    GameRecord,
    game=filled,
    start=filled,
    options=st.dictionaries(option_names, texts, max_size=3).map(lambda d: tuple(d.items())),
    players=st.tuples(texts, texts),
    date=st.just("") | st.dates().map(str) | st.datetimes().map(lambda when: when.isoformat()),
    event=texts,
    clock=texts,
    plies=st.lists(plies, max_size=5).map(tuple),
    outcome=st.none() | outcomes,
    tags=st.dictionaries(tag_names, texts, max_size=3).map(lambda d: tuple(d.items())),
)


@settings(max_examples=400, deadline=None)
@given(records)
def test_every_record_survives_as_text_and_as_json(record: GameRecord) -> None:
    assert GameRecord.from_text(record.text) == record
    assert GameRecord.from_json(record.json) == record
    assert "\n" not in record.json
    assert record.text.endswith("\n")
    # An editor that ends its lines otherwise, or marks its files, does no harm.
    assert GameRecord.from_text("\ufeff" + record.text.replace("\n", "\r\n")) == record
    assert record.text.encode().decode() == record.text


@pytest.mark.parametrize(
    "text",
    [
        "6 6\nbbbbbb\n......\n  indented\n\n  \nlast",
        "\n",
        "a\n",
        "\na",
        " a ",
        "| a\n|",
        "\\n is not a new line",
        "# a\n# b",
        "1. a2a3",
        "result: *",
        "\x00\x1b[31m\x85\u2028\u2029\ufeff\u3000",
        "x\r\ny\t",
    ],
)
def test_texts_of_many_lines_survive(text: str) -> None:
    record = GameRecord("tictactoe", f"x{text}", event=text, plies=(Ply(f"x{text}", comment=text),))
    assert GameRecord.from_text(record.text) == record
    assert GameRecord.from_json(record.json) == record


def test_the_largest_texts_fit_a_line() -> None:
    worst = "\x01" * MAX_TEXT
    record = GameRecord(
        worst + "",
        "s",
        plies=(Ply("\x01" * (MAX_MOVE_TEXT - 1) + "x", 1 / 3, -INFINITY, 100_000, worst),),
        outcome=Outcome(1, -(1 << 62), Ending.FINISHED, worst),
    )
    assert max(len(line) for line in record.text.split("\n")) <= MAX_LINE
    assert GameRecord.from_text(record.text) == record


def test_the_largest_positions_and_options_fit_a_file(tmp_path: Path) -> None:
    escaped = "x" + "\x01" * (MAX_POSITION_TEXT - 1)
    lines = "x" + "\n" * (MAX_POSITION_TEXT - 1)
    record = GameRecord("derby", escaped, options=(("map", lines),))
    for name in ("game.record", "game.jsonl"):
        record.save(tmp_path / name)
        assert GameRecord.load(tmp_path / name) == record


def test_a_position_of_many_lines_is_written_as_it_looks() -> None:
    record = GameRecord("tictactoe", "two\n  lines")
    assert "start:\n| two\n|   lines\n" in record.text


def test_the_example_means_what_it_says() -> None:
    record = GameRecord.from_text(EXAMPLE)
    assert record.players == ("Ada", "Bob")
    assert record.tags == (("round", "3"),), "unknown headers are kept"
    assert record.plies[0] == Ply("a1", 0.5, 3, 4)
    assert record.plies[1] == Ply("b1", comment="a comment")
    assert record.plies[4] == Ply("a3", evaluation=999_999_999, comment="at last \\o/")
    assert [ply.line for ply in record.plies] == [11, 12, 13, 14, 15]
    assert record.outcome == Outcome(0, 1, Ending.FINISHED, "three in a line")
    assert record.positions()[-1].is_over
    assert GameRecord.from_text(record.text) == record


# Damage to the text


def damaged(old: str, new: str) -> str:
    assert EXAMPLE.count(old) == 1
    return EXAMPLE.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: not a record: its first line must be 'plyground record 1'"),
        ("hello\n", "line 1: not a record"),
        (damaged("record 1", "record 2"), "line 1: version 2 of the format"),
        (damaged("record 1", "record 1x"), "line 1: not a record"),
        (damaged("record 1", "record " + "9" * 5000), "line 1: not a record"),
        (damaged("game: tictactoe\n", ""), "line 10: the header 'game' is missing"),
        (damaged("start: 3/3/3 x\n", ""), "line 10: the header 'start' is missing"),
        ("plyground record 1\nresult: *", "line 2: the header 'game' is missing; it must stand"),
        (damaged("start: 3/3/3 x", "start:"), "line 3: 'start' must not be empty"),
        (damaged("start: 3/3/3 x", "start:\n|\n|"), "line 3: 'start' must not be empty"),
        (damaged("first: Ada", "first: Ada\nfirst: Eva"), "line 5: 'first' is given twice; the"),
        (damaged("first: Ada", "First: Ada"), "line 4: the header 'First' has a meaning"),
        (damaged("first: Ada", "option.1x: 5"), "line 4: '1x' cannot be the name of an option"),
        (damaged("first: Ada", "| Ada"), "line 4: a line after a bar belongs below a header"),
        (damaged("first: Ada", "first Ada"), "line 4: neither a header like"),
        (damaged("first: Ada", "f$: Ada"), "line 4: 'f\\$' cannot be the name of a header"),
        (damaged("first: Ada", "first: \\x41"), r"line 4: '\\\\x' is no escape"),
        (damaged("first: Ada", "first: Ada\\"), r"line 4: '\\\\' is no escape"),
        (damaged("first: Ada", "first: \\ud800"), "line 4: 'first' holds half a character"),
        (damaged("first: Ada", "first: A\0a"), "line 4: the control character '.x00' cannot"),
        (damaged("first: Ada", "first: " + "A" * 10_001), "line 4: 'first' has 10001 characters"),
        (damaged("first: Ada", "first: " + "A" * 100_000), "line 4: the line is longer than 10000"),
        (damaged("first: Ada", "first:" + "\n| x" * 6000), "line 5005: 'first' has 10001 char"),
        (
            damaged("start: 3/3/3 x", "start: " + "x" * ((1 << 20) + 1)),
            "line 3: 'start' has 1048577 characters: at most 1048576 are possible",
        ),
        (
            damaged("start: 3/3/3 x", "start:" + "\n|" * ((1 << 20) + 2)),
            "line 1048581: 'start' has 1048577 characters",
        ),
        (
            damaged("start: 3/3/3 x", "start: " + "x" * (7 << 20)),
            "line 3: the line is longer than 6291556 characters",
        ),
        (
            damaged("start: 3/3/3 x", "start:\n| " + "x" * (7 << 20)),
            "line 4: the line is longer than 6291556 characters",
        ),
        (
            damaged("first: Ada", "option.map: " + "x" * ((1 << 20) + 1)),
            "line 4: option map has 1048577 characters",
        ),
        (damaged("2025-11-15", "2025-13-15"), "line 6: the date '2025-13-15' is not written"),
        (damaged("3. a2\n", ""), "line 13: move 4 where move 3 belongs"),
        (damaged("3. a2\n", "3. a2\n3. a2\n"), "line 14: move 3 where move 4 belongs"),
        (damaged("3. a2\n", "999999999. a2\n"), "line 13: move 999999999 where move 3"),
        (damaged("3. a2\n", "9999999999. a2\n"), "line 13: neither a header"),
        (damaged("3. a2\n", "3. | time=1\n"), "line 13: a move has a text"),
        (damaged("3. a2\n", "clock: late\n"), "line 13: the header 'clock' comes after the first"),
        (damaged("depth=4", "depth=4 depth=5"), "line 11: depth is noted twice"),
        (damaged("depth=4", "ply=4"), "line 11: 'ply=4': what is noted of a move is time, eval"),
        (damaged("depth=4", "depth=four"), "line 11: 'depth=four': a number belongs after depth="),
        (damaged("depth=4", "depth=" + "4" * 50), "line 11: 'depth=4+': a number belongs"),
        (damaged("depth=4", "depth=44444444"), "line 11: a depth is a whole number from 0 to"),
        (damaged("depth=4", "depth=٤"), "line 11: 'depth=٤': a number belongs"),
        (damaged("time=0.5", "time=1e999"), "line 11: a time is a number of seconds"),
        (damaged("time=0.5", "time=-1"), "line 11: 'time=-1': a number belongs after time="),
        (damaged("time=0.5", "time=nan"), "line 11: 'time=nan': a number belongs after time="),
        (damaged("eval=+3", "eval=+3333333333"), "line 11: an evaluation is a whole number"),
        (damaged("result: 1-0 utility=1 finished | three in a line", ""), "line 18: the record br"),
        (damaged("1-0 utility", "2-0 utility"), "line 17: a result is '.' for a game not finis"),
        (damaged("utility=1", "utility=" + "1" * 30), "line 17: a result is"),
        (damaged("utility=1", "utility=" + "9" * 20), "line 17: a utility is a whole number"),
        (damaged("1 finished", "1 eaten"), "line 17: 'eaten': a game ends as one of finished, "),
        (EXAMPLE + "6. c3\n", "line 18: there is something after the result"),
        (EXAMPLE + EXAMPLE, "line 18: there is something after the result"),
    ],
)
def test_damage_to_a_text_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{message}"):
        GameRecord.from_text(text)


def test_too_many_moves_are_refused() -> None:
    plies = "".join(f"{number}. x\n" for number in range(1, 100_002))
    with pytest.raises(FormatError, match="a record holds at most 100000 moves"):
        GameRecord.from_text(f"plyground record 1\ngame: g\nstart: s\n{plies}result: *\n")


def test_an_illegal_move_is_named_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"^line 13: move 3: 'b1' is not a legal move here"):
        GameRecord.from_text(damaged("3. a2\n", "3. b1\n")).positions()


# Damage to JSON

DOCUMENT: dict[str, Any] = json.loads(GameRecord.from_text(EXAMPLE).json)


def changed(**changes: Any) -> str:
    return json.dumps({**DOCUMENT, **changes})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not JSON: Expecting value at column 1"),
        ("{", "not JSON: Expecting property name"),
        ("[]", "a record: must be an object"),
        ("[" * 100_000, "not JSON: it is nested too deeply"),
        ('{"version": ' + "1" * 5000 + "}", "not JSON: .*digits"),
        ('{"version": NaN}', "NaN is not a number of JSON"),
        ('{"version": 1, "version": 1}', "the name 'version' is given twice in the same object"),
        ("{}", "format: is missing"),
        (changed(format="x"), "format: must be 'plyground record'"),
        (changed(version=2), "version: 2 is unknown: this program reads version 1"),
        (changed(version=True), "version: must be a whole number"),
        (changed(extra=1), "a record: 'extra' is unknown; known are format, version, game"),
        ('{"format": "plyground record", "version": 1}', "game: is missing"),
        ('{"format": "plyground record", "version": 1, "game": "g"}', "start: is missing"),
        (changed(game=5), "game: must be a text"),
        (changed(start=""), "'start' must not be empty"),
        (changed(players="ab"), "players: must be a list"),
        (changed(players=["a"]), "players: must have at least 2 entries"),
        (changed(players=["a", 5]), "player 2: must be a text"),
        (changed(date="now"), "the date 'now' is not written"),
        (changed(options=[]), "options: must be an object"),
        (changed(options={"rows": 5}), "options, rows: must be a text"),
        (changed(tags={"a b": "x"}), "'a b' cannot be the name of a header"),
        (changed(moves={}), "moves: must be a list"),
        (changed(moves=["a1"]), "move 1: must be an object"),
        (changed(moves=[{}]), "move 1, move: is missing"),
        (changed(moves=[{"move": " "}]), "move 1: a move has a text"),
        (changed(moves=[{"move": "a1"}, {"move": 7}]), "move 2, move: must be a text"),
        (changed(moves=[{"move": "a1", "line": 7}]), "move 1: 'line' is unknown; known are move"),
        (changed(moves=[{"move": "a1", "depth": 1.5}]), "move 1, depth: must be a whole number"),
        (changed(moves=[{"move": "a1", "seconds": []}]), "move 1, seconds: must be a number"),
        (changed(moves=[{"move": "\ud800"}]), "move 1: the move holds half a character"),
        (changed(outcome=0), "outcome: must be an object"),
        (changed(outcome={"winner": 0}), "outcome, utility: is missing"),
        (
            changed(outcome={**DOCUMENT["outcome"], "ending": []}),
            "outcome, ending: must be 'finished', ",
        ),
        (
            changed(outcome={**DOCUMENT["outcome"], "winner": []}),
            "outcome, winner: must be a whole",
        ),
        (
            changed(outcome={**DOCUMENT["outcome"], "winner": True}),
            "outcome, winner: must be a who",
        ),
        (
            changed(outcome={**DOCUMENT["outcome"], "utility": None}),
            "outcome, utility: must be a whole number",
        ),
        (
            changed(outcome={**DOCUMENT["outcome"], "utility": 1.5}),
            "outcome, utility: must be a whole number",
        ),
        (changed(outcome={**DOCUMENT["outcome"], "reason": 5}), "outcome, reason: must be a text"),
    ],
)
def test_damage_to_json_is_named_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"^line 1: {message}"):
        GameRecord.from_json(line)
    if line[:1] == "{":
        path = tmp_path / "games.jsonl"
        path.write_text(f"{GameRecord.from_text(EXAMPLE).json}\n\n{line}\n")
        with pytest.raises(FormatError, match=rf"games\.jsonl, line 3: {message}"):
            load_games(path)


def test_fields_that_say_nothing_may_be_left_out() -> None:
    line = '{"format": "plyground record", "version": 1, "game": "g", "start": "s"}'
    assert GameRecord.from_json(line) == GameRecord("g", "s")
    assert "tags" not in GameRecord("g", "s").json


# Noise


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    """Characters changed, lost and doubled at random: no error but our own ever comes out."""
    whole = data.draw(st.sampled_from([EXAMPLE, GameRecord.from_text(EXAMPLE).json]))
    text = whole
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 5)))
        text = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    read = GameRecord.from_text if whole is EXAMPLE else GameRecord.from_json
    with suppress(PlygroundError):
        record = read(text)
        assert read(record.text if whole is EXAMPLE else record.json) == record
        record.positions()


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    for given_text in (text, f"plyground record 1\n{text}", f"{{{text}"):
        for read in (GameRecord.from_text, GameRecord.from_json):
            refused = refusal(read, given_text)
            assert refused is None or refused.line is not None


def refusal(read: Callable[[str], GameRecord], text: str) -> FormatError | None:
    try:
        read(text)
    except FormatError as error:
        return error
    return None
