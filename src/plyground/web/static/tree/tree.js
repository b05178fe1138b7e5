/** The Tree page: records a search, draws it, steps through it, compares it, asks about it. */

import { addRulesToHeader } from "../dialogs/rules.js";
import { VariationPlayer } from "../moves/variation-player.js";
import { AnalysisClient } from "../shared/analysis-client.js";
import { sessionSocketPath } from "../shared/api.js";
import { byId } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { checkSessionExists } from "../shared/not-found.js";
import { announce, showError, showNotice } from "../shared/notifications.js";
import { sessionId, startPage } from "../shared/page.js";
import { ReconnectingSocket } from "../shared/socket.js";
import { nodeText, placeOf } from "../shared/session.js";
import { counted, sentence } from "../shared/text.js";
import { NodePanel } from "./node-panel.js";
import { QuizPanel } from "./quiz-panel.js";
import { comparedSettings, SearchComparison, searchName } from "./search-comparison.js";
import { movesTo, readTree, stateAfter } from "./search-tree.js";
import { StepControls } from "./step-controls.js";
import { hasWindow, stepText } from "./step-narration.js";
import { TreeDrawing } from "./tree-drawing.js";
import { arrange, unfolded } from "./tree-layout.js";
import { TreeOutline } from "./tree-outline.js";

/**
 * @import { Place, Table, SessionReply, SessionRequest, TreeSettings } from "../shared/protocol.d.ts"
 * @import { Question } from "./quiz.js"
 * @import { SearchState, SearchTree } from "./search-tree.js"
 *
 * @typedef {SearchTree & {place: Place, from: number}} PageTree with its position, and its node of
 *   the session
 */

/** The most nodes that the server records a tree of. */
const LARGEST = 5000;
/** A search is shown from its beginning: one learns from how its values come about. */
const FIRST_STEP = 1;

class TreePage {
  /** @type {Table|null} */
  #currentTable = null;
  /** @type {PageTree|null} */
  #currentTree = null;
  #count = 0;
  /** @type {{tree: PageTree, state: SearchState}|null} */
  #stateCache = null;
  #selected = 0;
  /** @type {Map<number, boolean>} nodes that a person has folded or unfolded */
  #folds = new Map();
  /** @type {Question|null} */
  #question = null;
  #isAnswered = false;
  /** @type {TreeSettings[]} searches to be made */
  #queue = [];
  #searchesNextPosition = false;
  #id;
  #drawing;
  #outline;
  #steps;
  #node;
  #quiz;
  /** @type {SearchComparison<PageTree>} */
  #comparison;
  #client = new AnalysisClient();
  #socket;
  #variation;

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    const listeners = {
      /** @param {number} node */
      onSelect: (node) => this.#select(node),
      /** @param {number} node */
      onToggle: (node) => this.#toggle(node),
    };
    this.#drawing = new TreeDrawing(byId("drawing"), listeners);
    this.#outline = new TreeOutline(byId("outline"), listeners);
    this.#steps = new StepControls(byId("steps"), { onStep: (count) => this.#goToStep(count) });
    this.#node = new NodePanel(byId("node"), {
      onFollow: () => this.#selectBestChild(),
      onUp: () => this.#selectParent(),
      onSearch: (node) => this.#searchFrom(node),
    });
    this.#quiz = new QuizPanel(byId("quiz"), {
      onAsk: (question) => this.#questionAsked(question),
      onAnswer: (question) => this.#questionAnswered(question),
      onEnd: () => this.#quizEnded(),
    });
    this.#comparison = new SearchComparison(byId("runs"), {
      onShow: (tree) => this.#showTree(tree),
    });
    /** @type {ReconnectingSocket<SessionRequest, SessionReply>} */
    this.#socket = new ReconnectingSocket(sessionSocketPath(id), {
      onMessage: (message) => this.#receive(message),
      onState: (state) => this.#connectionChanged(state),
    });
    this.#variation = new VariationPlayer(this.#socket);
    this.#steps.enabled = false;
    this.#listen();
    if (this.#drawing.isNarrow) {
      this.#changeDirection();
    }
  }

  /** The session on show; controls that use it work only after the first message. */
  get #session() {
    if (this.#currentTable === null) {
      throw new Error("no session has been received");
    }
    return this.#currentTable;
  }

  /** The tree on show; controls that use it work only after the first search. */
  get #tree() {
    if (this.#currentTree === null) {
      throw new Error("no tree has been received");
    }
    return this.#currentTree;
  }

  // The session

  /** @param {SessionReply} message */
  #receive(message) {
    if (message.type === "error") {
      this.#variation.stop();
      showError(message.message);
      return;
    }
    if (message.type === "notice") {
      showNotice(sentence(message.text));
    }
    if (message.type !== "table") {
      return;
    }
    const before = this.#currentTable;
    this.#currentTable = message;
    if (before === null) {
      addRulesToHeader(message.game);
    }
    this.#variation.update(message);
    this.#describeSession();
    const hasMoved = before !== null && before.current !== message.current;
    const isNext = hasMoved && this.#searchesNextPosition && !this.#variation.isPlaying;
    if (before === null || isNext) {
      this.#searchesNextPosition = false;
      this.#search();
    }
  }

  /** @param {"open"|"closed"} state */
  #connectionChanged(state) {
    if (state === "closed") {
      byId("from").textContent = "The connection is lost. Trying again…";
      if (this.#currentTable === null) {
        checkSessionExists(this.#id, this.#socket);
      }
    } else if (this.#currentTable !== null) {
      this.#describeSession();
    }
  }

  #describeSession() {
    const { game, current, view } = this.#session;
    document.title = `Tree · ${game.title} · plyground`;
    byId("title").textContent = `${game.title}: the tree`;
    const turn = view.over ? "the game is over" : `${view.player} to move`;
    const place = nodeText(this.#session, current);
    const isElsewhere = this.#currentTree !== null && this.#currentTree.from !== current;
    byId("from").textContent = isElsewhere
      ? `The game is now at ${place}: press Search to look there`
      : `From ${place}; ${turn}`;
    byId("max-name").textContent = `MAX: ${game.players[0]} moves`;
    byId("min-name").textContent = `MIN: ${game.players[1]} moves`;
    byId("value-key").textContent = game.point
      ? `+2: ${game.players[0]} ahead by 2 points`
      : `win 3: ${game.players[0]} has won 3 plies from the root; loss: ${game.players[1]} has`;
  }

  /**
   * Play the moves to a node in the game, and search there.
   *
   * @param {number} node
   */
  #searchFrom(node) {
    this.#searchesNextPosition = true;
    this.#variation.play(this.#tree.from, movesTo(this.#tree, node));
  }

  // The search

  /** Search the position on show with the settings of the form. */
  #search() {
    this.#queue = [this.#settings()];
    this.#runQueue();
  }

  /** Search to the same depth with all settings, one after the other. */
  #compareAll() {
    const { depth, budget } = this.#settings();
    this.#queue = comparedSettings(depth, budget);
    this.#runQueue();
  }

  /** @returns {TreeSettings} */
  #settings() {
    const isMinimax = byId("algorithm", HTMLSelectElement).value === "minimax";
    return {
      algorithm: isMinimax ? "minimax" : "alpha-beta",
      depth: byId("depth", HTMLInputElement).valueAsNumber,
      budget: byId("budget", HTMLInputElement).valueAsNumber,
      ordering: byId("ordering", HTMLInputElement).checked,
      table: !isMinimax && byId("transposition-table", HTMLInputElement).checked,
    };
  }

  #runQueue() {
    const settings = this.#queue.shift();
    if (settings === undefined) {
      byId("drawing").removeAttribute("aria-busy");
      return;
    }
    const from = this.#session.current;
    const place = placeOf(this.#session, from);
    byId("drawing").setAttribute("aria-busy", "true");
    this.#client.request({ type: "tree", place, ...settings }, (reply) => {
      if (reply.type === "error") {
        this.#queue = [];
        byId("drawing").removeAttribute("aria-busy");
        showError(reply.message);
      } else if (reply.type === "tree") {
        this.#addTree(readTree({ ...reply, ...settings, place, from }));
        this.#runQueue();
      }
    });
  }

  /** @param {PageTree} tree */
  #addTree(tree) {
    if (this.#currentTree !== null && this.#currentTree.from !== tree.from) {
      this.#comparison.clear();
    }
    this.#comparison.add(tree, this.#session.game);
    this.#showTree(tree);
    announce(`${searchName(tree)}, depth ${tree.depth}: ${countsText(tree)}.`);
  }

  /** @param {PageTree} tree */
  #showTree(tree) {
    this.#currentTree = tree;
    this.#folds.clear();
    this.#question = null;
    byId("side").classList.remove("quizzing");
    this.#selected = 0;
    byId("limit").hidden = tree.truncated === null;
    byId("limit").textContent = tree.truncated === null ? "" : budgetText(tree);
    byId("drawing-title").textContent = `${searchName(tree)}, depth ${tree.depth}`;
    this.#describeSession();
    this.#node.reset();
    this.#quiz.offer(tree, this.#session.game);
    this.#steps.enabled = true;
    for (const button of document.querySelectorAll(".drawing-head button")) {
      button.removeAttribute("disabled");
    }
    this.#steps.load(tree.last);
    this.#count = FIRST_STEP;
    this.#draw();
    this.#drawing.reveal(0, false);
  }

  // Steps and nodes

  /**
   * Show the search as it was after so many steps, with the node of the last one selected.
   *
   * @param {number} count
   */
  #goToStep(count) {
    this.#count = count;
    this.#selected = this.#state().current ?? 0;
    this.#draw();
    this.#drawing.reveal(this.#selected, false);
  }

  /** @param {number} node */
  #select(node) {
    this.#selected = node;
    this.#draw();
    this.#drawing.reveal(node, true);
  }

  /**
   * Fold or unfold a node. It stays so while other nodes are selected.
   *
   * @param {number} node
   */
  #toggle(node) {
    this.#folds.set(node, !this.#open().has(node));
    this.#draw();
  }

  #selectBestChild() {
    const next = this.#state().bestChild[this.#selected];
    if (next === null) {
      announce("There is no best move below this node yet.");
    } else {
      this.#select(next);
    }
  }

  #selectParent() {
    const { parent } = this.#tree.nodes[this.#selected];
    if (parent !== null) {
      this.#select(parent);
    }
  }

  /** @param {boolean} isOpen */
  #foldAll(isOpen) {
    this.#folds.clear();
    this.#tree.nodes.forEach(({ id }) => {
      if (this.#tree.children[id].length > 0 && (isOpen || id > 0)) {
        this.#folds.set(id, isOpen);
      }
    });
    this.#selected = isOpen ? this.#selected : 0;
    this.#draw();
    this.#drawing.reveal(this.#selected, false);
  }

  #open() {
    return unfolded(this.#tree, this.#state(), this.#selected, this.#folds);
  }

  /** What the search knew at the step on show. */
  #state() {
    const cache = this.#stateCache;
    if (cache?.tree === this.#tree && cache.state.count === this.#count) {
      return cache.state;
    }
    const state = stateAfter(this.#tree, this.#count);
    this.#stateCache = { tree: this.#tree, state };
    return state;
  }

  #draw() {
    const tree = this.#tree;
    const { game } = this.#session;
    const state = this.#state();
    const open = this.#open();
    const question = this.#isAnswered ? null : this.#question;
    const shown = {
      tree,
      state,
      open,
      game,
      layout: arrange(tree, state, open),
      selected: this.#selected,
      asked: question?.node ?? null,
      askedKind: question?.kind ?? null,
      bestLine: new Set(this.#count === tree.last ? tree.line : []),
    };
    this.#drawing.show(shown);
    this.#outline.show(shown);
    this.#node.show(this.#selected, shown);
    const text = question === null
      ? stepText(tree, state, game)
      : "The quiz is waiting for your answer.";
    this.#steps.show(this.#count, text, countsSoFarText(tree, state));
  }

  // The quiz

  /** @param {Question} question */
  #questionAsked(question) {
    this.#question = question;
    byId("side").classList.add("quizzing");
    this.#isAnswered = false;
    this.#folds.clear();
    this.#steps.enabled = false;
    this.#count = question.count;
    this.#selected = question.node;
    this.#draw();
    this.#drawing.reveal(question.node, false);
  }

  /** @param {Question} question */
  #questionAnswered(question) {
    this.#isAnswered = true;
    this.#count = Math.min(this.#tree.last, question.count + (question.kind === "where" ? 0 : 1));
    this.#selected = question.node;
    this.#draw();
  }

  #quizEnded() {
    this.#question = null;
    byId("side").classList.remove("quizzing");
    this.#steps.enabled = true;
    this.#draw();
  }

  // Controls

  #listen() {
    /**
     * @param {string} id
     * @param {() => void} action
     */
    const onClick = (id, action) => byId(id).addEventListener("click", action);
    const form = byId("settings", HTMLFormElement);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#currentTable !== null) {
        this.#search();
      }
    });
    byId("algorithm").addEventListener("change", showUsefulSettings);
    onClick("compare", () => {
      if (this.#currentTable !== null && form.reportValidity()) {
        this.#compareAll();
      }
    });
    onClick("fold", () => this.#foldAll(false));
    onClick("unfold", () => this.#foldAll(true));
    onClick("turn", () => this.#changeDirection());
    onClick("farther", () => this.#drawing.zoomBy(-1));
    onClick("nearer", () => this.#drawing.zoomBy(1));
    onClick("fit", () => this.#drawing.fit());
    byId("drawing").addEventListener("keydown", (event) => {
      if (event.key === " " && this.#currentTree !== null && this.#question === null) {
        event.preventDefault();
        this.#steps.toggle();
      }
    });
    const when = () => this.#currentTree !== null;
    /**
     * @param {string[]} keys
     * @param {string} description
     * @param {() => void} action
     */
    const shortcut = (keys, description, action) => ({ keys, description, action, when });
    registerKeys([
      shortcut(["b"], "Follow the best line", () => this.#selectBestChild()),
      shortcut(["u"], "Up to the parent", () => this.#selectParent()),
      shortcut(["t"], "Turn the tree", () => this.#changeDirection()),
      shortcut(["+", "="], "Zoom in", () => this.#drawing.zoomBy(1)),
      shortcut(["-"], "Zoom out", () => this.#drawing.zoomBy(-1)),
      shortcut(["0"], "Fit the tree into view", () => this.#drawing.fit()),
      shortcut(["q"], "Start a quiz", () => this.#quiz.start()),
    ]);
  }

  #changeDirection() {
    const isSideways = this.#drawing.direction === "down";
    this.#drawing.direction = isSideways ? "right" : "down";
    byId("turn").setAttribute("aria-pressed", String(isSideways));
    if (this.#currentTree !== null) {
      this.#drawing.reveal(this.#selected, false);
    }
  }
}

/** Minimax has no use for a transposition table. */
function showUsefulSettings() {
  const isMinimax = byId("algorithm", HTMLSelectElement).value === "minimax";
  const transpositionTable = byId("transposition-table", HTMLInputElement);
  transpositionTable.disabled = isMinimax;
  transpositionTable.checked &&= !isMinimax;
}

/** @param {SearchTree} tree */
function countsText({ visited, cut, minimax_visited: minimax }) {
  const whole = minimax === null ? "" : `; minimax visits ${minimax.toLocaleString("en")}`;
  return `${counted(visited, "node")} visited, ${counted(cut, "move")} cut${whole}`;
}

/**
 * @param {SearchTree} tree
 * @param {SearchState} state
 */
function countsSoFarText(tree, { visited, notLookedAt }) {
  const cut = hasWindow(tree) ? `, ${counted(notLookedAt, "move")} cut` : "";
  const minimax = tree.minimax_visited;
  const whole = minimax === null
    ? "minimax would visit more than could be counted"
    : `minimax visits ${minimax.toLocaleString("en")}`;
  return `${visited.toLocaleString("en")} visited${cut}; ${whole}.`;
}

/** @param {SearchTree} tree */
function budgetText({ budget, visited }) {
  const most = LARGEST.toLocaleString("en");
  const more = budget < LARGEST ? `allow more nodes (up to ${most}), or ` : "";
  return `The search was stopped at its budget of ${counted(visited, "node")}, so values near ` +
    `the root are not final. To see it finished, ${more}search to a smaller depth.`;
}

const id = sessionId();
startPage({ section: "tree", id });
new TreePage(id);
