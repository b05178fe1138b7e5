"""The modules of the Analyse and Tree pages that need no page: values, labels, steps, quiz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState

from plyground.core.registry import find_game
from plyground.core.values import WIN
from tests.browser.app_page import AppPage
from tests.browser.server import Server
from tests.web.workers.job_runner import do

Message = dict[str, Any]

SETTINGS: list[Message] = [
    {"game": "tictactoe", "depth": 3, "algorithm": "alpha-beta"},
    {"game": "tictactoe", "depth": 2, "algorithm": "minimax"},
    {"game": "slant", "depth": 3, "algorithm": "alpha-beta", "table": True},
    {"game": "breakthrough", "depth": 3, "algorithm": "alpha-beta", "ordering": True},
    {"game": "breakthrough", "depth": 4, "algorithm": "alpha-beta", "budget": 700},
]
VALUE_TEXT = "shared/value-text"
NAMES = ["plain", "minimax", "table", "ordered", "stopped"]


@pytest.fixture(scope="module")
def modules(chromium: Browser, server: Server, logged_in: StorageState) -> Iterator[Page]:
    """A page from which modules can be loaded. They have no state, so all tests share it."""
    context = chromium.new_context(storage_state=logged_in)
    app = AppPage(server, context)
    yield app.open("/interface")
    problems = app.problems
    context.close()
    assert problems == []


@pytest.fixture(scope="module", params=SETTINGS, ids=NAMES)
def tree(request: pytest.FixtureRequest) -> Message:
    settings = {name: value for name, value in request.param.items() if name != "game"}
    game = find_game(request.param["game"])
    job = {"type": "tree", "place": {"game": game.name}, **settings}
    card = {"players": list(game.players), "point": game.rules.point}
    return {**do(job), **settings, "card": card}


def ask(page: Page, module: str, body: str, argument: object = None) -> Any:
    """What a piece of script answers that knows a module as `m` and the argument as `given`."""
    return page.evaluate(
        f"async (given) => {{ const m = await import('/static/{module}.js'); {body} }}", argument
    )


# Arrows

LABELS = """
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const annotations = new m.Annotations(svg);
  const cells = ["a", "b", "c", "d", "e", "f"].flatMap((column, x) =>
    [2, 1].map((row, y) => ({ name: column + row, x: 90 * x, y: 90 * y, width: 90, height: 90 })));
  annotations.place(cells, { width: 540, height: 180 });
  const arrows = given.map((touches) => ({ touches, label: "White +123" }));
  annotations.draw({ last: [], chosen: [], implied: false, targets: [], ends: false, hovered: null,
                     hint: [], arrows, badges: [] });
  const number = (label, name) => Number(label.getAttribute(name));
  return [...svg.querySelectorAll(".mark-label rect")].map((label) =>
    ["x", "y", "width", "height"].map((name) => number(label, name)));
"""
"""The boxes of the labels of arrows, on a board of two rows and six columns."""


@pytest.mark.parametrize(
    "moves",
    [
        [["a1", "b2"], ["b1", "c2"], ["e1", "d2"]],
        [["a1", "a2"], ["b1", "b2"], ["c1", "c2"]],
        [["b2"], ["c2"], ["d2"]],
        [["a2", "b1"], ["c2", "b1"], ["b2", "b1"]],
    ],
    ids=["diagonal", "side by side", "single cells", "one goal"],
)
def test_no_label_of_an_arrow_covers_another(modules: Page, moves: list[list[str]]) -> None:
    boxes = ask(modules, "board/annotations", LABELS, moves)
    assert len(boxes) == 3
    for at, (x, y, width, height) in enumerate(boxes):
        assert 0 <= y <= 180 - height
        for left, top, wide, high in boxes[:at]:
            apart = max(abs(x - left) / ((width + wide) / 2), abs(y - top) / ((height + high) / 2))
            assert apart > 0.98


# Values


def test_a_value_has_its_place_between_the_players(modules: Page) -> None:
    values = [-WIN, 5 - WIN, -100_000, -300, -2, 0, 2, 300, 100_000, WIN - 5, WIN]
    shares = ask(modules, VALUE_TEXT, "return given.map((value) => m.share(value, 0))", values)
    assert shares[0] == shares[1] == 0
    assert shares[5] == 50
    assert shares[-1] == shares[-2] == 100
    assert shares == sorted(shares)
    assert len(set(shares)) == len(shares) - 2
    assert 0 < shares[2] < shares[-3] < 100, "only a win fills the bar"
    assert [100 - share for share in reversed(shares)] == pytest.approx(shares)


def test_points_have_a_scale_of_their_own(modules: Page) -> None:
    shares = ask(
        modules,
        VALUE_TEXT,
        "return given.map((v) => m.share(v, 100))",
        [0, 500, 1500, -500],
    )
    assert shares == [50, 75, 87.5, 25]


@pytest.mark.parametrize(
    ("value", "point", "text"),
    [
        (WIN - 3, 0, "win 3"),
        (4 - WIN, 0, "loss 4"),
        (120, 0, "+120"),
        (-7, 0, "\N{MINUS SIGN}7"),
        (250, 100, "+2.5"),
        (0, 100, "0"),
    ],
)
def test_a_value_fits_a_node(modules: Page, value: int, point: int, text: str) -> None:
    assert ask(modules, VALUE_TEXT, "return m.shortValue(...given)", [value, point]) == text


def test_a_reason_has_the_numbers_of_the_page(modules: Page) -> None:
    reason = f"beta -150 <= alpha {WIN - 3}"
    text = ask(modules, VALUE_TEXT, "return m.shortReason(given, 100)", reason)
    assert text == "beta \N{MINUS SIGN}1.5 ≤ alpha win 3"


RED_AND_YELLOW = {"players": ["Red", "Yellow"], "colours": ["#d8443c", "#f6cf45"], "point": 0}


@pytest.mark.parametrize(
    ("value", "point", "text", "mark"),
    [
        (WIN - 3, 0, "Red wins in 3 plies", "R in 3"),
        (1 - WIN, 0, "Yellow wins in 1 ply", "Y in 1"),
        (-WIN, 0, "Yellow has won", "Y won"),
        (120, 0, "Red +120", "R +120"),
        (-7, 0, "Yellow +7", "Y +7"),
        (-250, 100, "Yellow +2.5", "Y +2.5"),
        (0, 0, "even", "even"),
    ],
)
def test_a_value_names_the_player_whom_it_favours(
    modules: Page, value: int, point: int, text: str, mark: str
) -> None:
    body = "return [m.leaderText(...given), m.markText(...given)]"
    scale = {**RED_AND_YELLOW, "point": point}
    assert ask(modules, VALUE_TEXT, body, [value, scale]) == [text, mark]


@pytest.mark.parametrize(
    ("worth", "turn", "point", "text", "tone"),
    [
        ({"utility": 1, "plies": 3}, 0, 0, "R in 3", "win"),
        ({"utility": 1, "plies": 4}, 1, 0, "R in 4", "loss"),
        ({"utility": -1, "plies": None}, 1, 0, "Y wins", "win"),
        ({"utility": 0, "plies": 9}, 0, 0, "draw", "draw"),
        ({"utility": -4, "plies": None}, 1, 100, "Y +4", "win"),
        ({"utility": 0, "plies": None}, 1, 100, "draw", "draw"),
    ],
)
def test_a_solved_move_has_a_badge_of_the_player_whom_it_favours(
    modules: Page, worth: Message, turn: int, point: int, text: str, tone: str
) -> None:
    game = {**RED_AND_YELLOW, "point": point}
    badge = ask(modules, "analyse/solve-panel", "return m.badgeOf(...given)", [worth, turn, game])
    colour = {"R": "#d8443c", "Y": "#f6cf45", "d": None}[text[0]]
    assert badge == {"text": text, "tone": tone, "colour": colour}


@pytest.mark.parametrize(
    ("ground", "ink"),
    [("#ffffff", "#14171b"), ("#f6cf45", "#14171b"), ("#33363d", "#ffffff")],
)
def test_text_on_a_players_colour_can_be_read(modules: Page, ground: str, ink: str) -> None:
    assert ask(modules, "shared/side-colours", "return m.inkOn(given)", ground) == ink


def test_a_graph_finds_its_points_again(modules: Page) -> None:
    found = ask(
        modules,
        "analyse/value-graph",
        """const values = [0, 1, 2, 3].map((value) => ({ value }));
        return m.graphPoints(values, 3, 1).map(({ x }) => m.plyAt(x, 3))""",
    )
    assert found == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-12, 130, [0, 50, 100]),
        (-3.2, 3.2, [-2, 0, 2]),
        (-870, 20, [-800, -600, -400, -200, 0]),
        (0.1, 0.9, [0.2, 0.4, 0.6, 0.8]),
    ],
)
def test_the_ticks_of_a_chart_are_round_numbers(
    modules: Page, low: float, high: float, expected: list[float]
) -> None:
    found = ask(modules, "arena/line-chart", "return m.ticks(...given)", [low, high])
    assert found == pytest.approx(expected)


def test_a_chart_shows_its_lines_and_its_latest_errors(modules: Page) -> None:
    points = [{"x": 1, "y": 700, "low": None, "high": None}] + [
        {"x": x, "y": 30, "low": 10, "high": 60} for x in range(2, 9)
    ]
    script = "return m.rangeOf(given, [-3, 3], 800)"
    found = ask(modules, "arena/line-chart", script, points)
    assert -10 < found["low"] < -3
    assert 60 < found["high"] < 70
    script = "return m.rangeOf([{ x: 1, y: 5000 }, { x: 2, y: 5000 }], [], 800)"
    assert ask(modules, "arena/line-chart", script)["high"] < 900


# Texts


def test_rules_are_paragraphs_lists_code_and_emphasis(modules: Page) -> None:
    text = "One\nparagraph.\n\n- first `move`\n  goes on\n- *second*"
    html = ask(
        modules, "shared/prose", "return m.prose(given).map((e) => e.outerHTML).join('')", text
    )
    assert html == (
        "<p>One paragraph.</p>"
        "<ul><li>first <code>move</code> goes on</li><li><em>second</em></li></ul>"
    )


# The steps of a search


def test_after_its_last_step_a_search_knows_what_it_found(modules: Page, tree: Message) -> None:
    state = ask(
        modules,
        "tree/search-tree",
        """const state = m.stateAfter(m.readTree(given), given.steps.length);
        return [state.value, state.visited, state.notLookedAt, state.isCut.indexOf(1)]""",
        tree,
    )
    first_cut = min((cut["node"] for cut in tree["cuts"]), default=-1)
    values = [node["value"] for node in tree["nodes"]]
    assert state == [values, tree["visited"], tree["cut"], first_cut]


def test_every_step_and_every_node_has_a_text(modules: Page, tree: Message) -> None:
    texts = ask(
        modules,
        "tree/step-narration",
        """const { readTree, stateAfter } = await import("/static/tree/search-tree.js");
        const tree = readTree(given);
        const texts = [];
        for (let count = 0; count <= Math.min(tree.last, 300); count += 1) {
          const state = stateAfter(tree, count);
          texts.push(m.stepText(tree, state, given.card));
          if (state.current !== null) {
            texts.push(m.nodeSummary(tree, state, state.current, given.card));
            texts.push(...m.nodeNarration(tree, state, state.current, given.card));
          }
        }
        return texts""",
        tree,
    )
    assert len(texts) > 50
    for text in texts:
        assert not any(word in text for word in ("undefined", "null", "NaN", "Infinity")), text


def test_a_bound_is_not_taken_for_the_truth(modules: Page) -> None:
    settings = {"depth": 3, "place": {"game": "tictactoe", "text": "o1x/1o1/x2 x"}}
    pruned = do({"type": "tree", "algorithm": "alpha-beta", **settings})
    truth = {
        path: node["value"]
        for path, node in paths(do({"type": "tree", "algorithm": "minimax", **settings}))
    }
    signs = ask(
        modules,
        "tree/search-tree",
        """const tree = m.readTree(given);
        return tree.nodes.map(({ id, value }) => m.exactness(tree, id, value))""",
        pruned,
    )
    assert set(signs) == {"=", "≤", "≥"}
    for (path, node), sign in zip(paths(pruned), signs, strict=True):
        value = node["value"]
        assert {"=": truth[path] == value, "≤": truth[path] <= value, "≥": truth[path] >= value}[
            sign
        ]


def paths(tree: Message) -> list[tuple[tuple[str, ...], Message]]:
    """Every node with the moves that lead to it."""
    found: list[tuple[tuple[str, ...], Message]] = []
    for node in tree["nodes"]:
        parent = node["parent"]
        path = () if parent is None else (*found[parent][0], node["move"])
        found.append((path, node))
    return found


# The layout


ARRANGED = """const { readTree, stateAfter } = await import("/static/tree/search-tree.js");
    const tree = readTree(given);
    const state = stateAfter(tree, tree.last);
    const arranged = (chosen) => {
      const open = m.unfolded(tree, state, 0, chosen);
      return { open: open.size, ...m.arrange(tree, state, open) };
    };
    const all = new Map(tree.nodes.map(({ id }) => [id, true]));"""


def test_no_two_nodes_share_a_place(modules: Page, tree: Message) -> None:
    body = ARRANGED + "return arranged(all).items"
    items = ask(modules, "tree/tree-layout", body, tree)
    assert len(items) == len(tree["nodes"]) + len(tree["cuts"])
    assert len({(item["across"], item["deep"]) for item in items}) == len(items)


def test_a_parent_stands_amid_its_children(modules: Page, tree: Message) -> None:
    items = ask(modules, "tree/tree-layout", ARRANGED + "return arranged(all).items", tree)
    place = {item["id"]: item["across"] for item in items if not item["isCut"]}
    below: dict[int, list[float]] = {}
    for item in items:
        parent = item["id"] if item["isCut"] else tree["nodes"][item["id"]]["parent"]
        if parent is not None:
            below.setdefault(parent, []).append(item["across"])
    for parent, places in below.items():
        assert place[parent] == (min(places) + max(places)) / 2


def test_a_folded_node_hides_what_is_below(modules: Page, tree: Message) -> None:
    body = ARRANGED + "return arranged(new Map([[0, false]])).items"
    assert len(ask(modules, "tree/tree-layout", body, tree)) == 1


def test_of_a_large_tree_only_what_matters_is_unfolded(modules: Page, tree: Message) -> None:
    opened = ask(modules, "tree/tree-layout", ARRANGED + "return arranged(new Map()).open", tree)
    nodes = len(tree["nodes"])
    assert opened == nodes if nodes <= 120 else opened <= 10


# The quiz


def quizzes(page: Page, tree: Message) -> list[Message]:
    """The questions of several quizzes about a tree."""
    return list(
        ask(
            page,
            "tree/quiz",
            """const { readTree } = await import("/static/tree/search-tree.js");
            const tree = readTree(given);
            return [1, 2, 3, 4, 5].flatMap((seed) => m.makeQuiz(tree, given.card, { seed }))""",
            tree,
        )
    )


def test_a_question_has_one_right_answer_among_different_ones(modules: Page, tree: Message) -> None:
    questions = quizzes(modules, tree)
    assert questions
    for question in questions:
        texts = [choice["text"] for choice in question["choices"]]
        assert len(set(texts)) == len(texts) > 1
        assert sum(choice["right"] for choice in question["choices"]) == 1
        assert question["explanation"]


def test_the_right_value_is_the_best_of_the_children(modules: Page, tree: Message) -> None:
    card = tree["card"]
    for question in quizzes(modules, tree):
        if question["kind"] != "value":
            continue
        node = tree["nodes"][question["node"]]
        children = [child["value"] for child in tree["nodes"] if child["parent"] == node["id"]]
        value = max(children) if node["turn"] == 0 else min(children)
        text = ask(modules, VALUE_TEXT, "return m.shortValue(...given)", [value, card["point"]])
        assert right_answer(question) == text


def test_the_search_cuts_where_the_quiz_says(modules: Page, tree: Message) -> None:
    kinds = set()
    for question in quizzes(modules, tree):
        kinds.add(question["kind"])
        if question["kind"] == "cut":
            is_cut = tree["steps"][question["count"]] == ["cut", question["node"]]
            assert right_answer(question) == ("No, it cuts here" if is_cut else "Yes, it goes on")
        elif question["kind"] == "where":
            cut = next((cut for cut in tree["cuts"] if cut["node"] == question["node"]), None)
            last = [n["move"] for n in tree["nodes"] if n["parent"] == question["node"]][-1]
            expected = "It looks at all of them" if cut is None else f"After {last}"
            assert right_answer(question) == expected
    assert kinds == ({"value"} if tree["algorithm"] == "minimax" else {"value", "cut", "where"})


def right_answer(question: Message) -> str:
    return next(str(choice["text"]) for choice in question["choices"] if choice["right"])
