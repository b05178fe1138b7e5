/** The Tree page: a search asked for, drawn, walked through, explained, compared and quizzed. */

import { Socket } from "../shared/api.js";
import { announce, complain, registerKeys, startPage, tableId } from "../shared/page.js";
import { explainAbsence } from "../shared/not-found.js";
import { NodePanel } from "./node-panel.js";
import { placeOf, placeWords } from "../shared/table.js";
import { QuizPanel } from "./quiz-panel.js";
import { readTree, stateAfter } from "./search-tree.js";
import { Thinking } from "../shared/analysis-client.js";
import { TreeDrawing } from "./tree-drawing.js";
import { arrange, unfolded } from "./tree-layout.js";
import { TreeOutline } from "./tree-outline.js";
import { Runs, allSettings, runName } from "./search-comparison.js";
import { StepControls } from "./step-controls.js";
import { hasWindow, stepWords } from "./step-narration.js";
import { counted } from "../shared/value-text.js";
import { Variation } from "../moves/variation-player.js";

const byId = (id) => document.getElementById(id);

class TreePage {
  #table = null;
  #tree = null;
  #count = 0;
  #known = null;
  #selected = 0;
  #chosen = new Map();
  #question = null;
  #isAnswered = false;
  #queue = [];
  #searchNext = false;

  constructor(id) {
    const select = (node) => this.select(node);
    const toggle = (node) => this.toggle(node);
    this.drawing = new TreeDrawing(byId("drawing"), { onSelect: select, onToggle: toggle });
    this.outline = new TreeOutline(byId("outline"), { onSelect: select, onToggle: toggle });
    this.steps = new StepControls(byId("steps"), { onStep: (count) => this.step(count) });
    this.node = new NodePanel(byId("node"), {
      onFollow: () => this.follow(),
      onUp: () => this.up(),
      onSearch: (node) => this.#searchFrom(node),
    });
    this.quiz = new QuizPanel(byId("quiz"), {
      onAsk: (question) => this.#asked(question),
      onShow: (question) => this.#answered(question),
      onEnd: () => this.#quizEnded(),
    });
    this.runs = new Runs(byId("runs"), { onShow: (tree) => this.#show(tree) });
    this.thinking = new Thinking();
    this.socket = new Socket(`/api/tables/${id}/socket`, {
      onMessage: (message) => this.#received(message),
      onState: (state) => this.#connected(state, id),
    });
    this.variation = new Variation(this.socket);
    this.steps.enabled = false;
    this.#listen();
    if (this.drawing.isNarrow) {
      this.#turn();
    }
  }

  // The table

  #received(message) {
    if (message.type === "error") {
      this.variation.stop();
      complain(message.message);
      return;
    }
    if (message.type !== "table") {
      return;
    }
    const isFirst = this.#table === null;
    const moved = !isFirst && this.#table.current !== message.current;
    this.#table = message;
    this.variation.see(message);
    this.#nameTable();
    if (isFirst || (moved && this.#searchNext && !this.variation.isUnderWay)) {
      this.#searchNext = false;
      this.search();
    }
  }

  #connected(state, id) {
    if (state === "closed") {
      byId("from").textContent = "The connection is lost. Trying again…";
      if (this.#table === null) {
        explainAbsence(id, this.socket);
      }
    } else if (this.#table !== null) {
      this.#nameTable();
    }
  }

  #nameTable() {
    const { game, current, view } = this.#table;
    document.title = `Tree · ${game.title} · plyground`;
    byId("title").textContent = `${game.title}: the tree`;
    const turn = view.over ? "the game is over" : `${view.player} to move`;
    const place = placeWords(this.#table, current);
    const isElsewhere = this.#tree !== null && this.#tree.from !== current;
    byId("from").textContent = isElsewhere
      ? `The table is now at ${place}: press Search to look there`
      : `From ${place}; ${turn}`;
    byId("max-name").textContent = `MAX: ${game.players[0]} moves`;
    byId("min-name").textContent = `MIN: ${game.players[1]} moves`;
    byId("value-key").textContent = game.point
      ? `+2: ${game.players[0]} ahead by 2 points`
      : `win 3: ${game.players[0]} has won 3 plies from the root; loss: ${game.players[1]} has`;
  }

  #searchFrom(node) {
    this.#searchNext = true;
    const moves = [];
    for (let at = node; at > 0; at = this.#tree.nodes[at].parent) {
      moves.unshift(this.#tree.nodes[at].move);
    }
    this.variation.play(this.#tree.from, moves);
  }

  // The search

  /** Search with the settings of the form, from the position that the table shows. */
  search() {
    this.#queue = [this.#settings()];
    this.#searchNextInQueue();
  }

  /** The same depth by all algorithms, one after the other. */
  compare() {
    const { depth, budget } = this.#settings();
    this.#queue = allSettings(depth, budget);
    this.#searchNextInQueue();
  }

  #settings() {
    const algorithm = byId("algorithm").value;
    return {
      algorithm,
      depth: byId("depth").valueAsNumber,
      budget: byId("budget").valueAsNumber,
      ordering: byId("ordering").checked,
      table: algorithm === "alpha-beta" && byId("table").checked,
    };
  }

  #searchNextInQueue() {
    const settings = this.#queue.shift();
    if (settings === undefined) {
      byId("drawing").removeAttribute("aria-busy");
      return;
    }
    const from = this.#table.current;
    const place = placeOf(this.#table, from);
    byId("drawing").setAttribute("aria-busy", "true");
    this.thinking.ask({ type: "tree", place, ...settings }, (message) => {
      if (message.type === "error") {
        this.#queue = [];
        byId("drawing").removeAttribute("aria-busy");
        complain(message.message);
      } else if (message.type === "tree") {
        const tree = readTree({ ...message, ...settings, place, from });
        this.#keep(tree);
        this.#searchNextInQueue();
      }
    });
  }

  #keep(tree) {
    if (this.#tree !== null && this.#tree.from !== tree.from) {
      this.runs.clear();
    }
    this.runs.add(tree, this.#table.game);
    this.#show(tree);
    announce(`${runName(tree)}, depth ${tree.depth}: ${this.#counts(tree)}.`);
  }

  #show(tree) {
    this.#tree = tree;
    this.#chosen.clear();
    this.#question = null;
    byId("side").classList.remove("quizzing");
    this.#selected = 0;
    byId("limit").hidden = tree.truncated === null;
    byId("limit").textContent = tree.truncated === null ? "" : budgetWords(tree);
    byId("drawing-title").textContent = `${runName(tree)}, depth ${tree.depth}`;
    this.#nameTable();
    this.node.load(tree, tree.place);
    this.quiz.offer(tree, this.#table.game);
    this.steps.enabled = true;
    for (const button of document.querySelectorAll(".drawing-head button")) {
      button.disabled = false;
    }
    this.steps.load(tree.last);
    this.#count = tree.last;
    this.#draw();
    this.drawing.reveal(0, false);
  }

  #counts({ visited, cut, minimax_visited: minimax }) {
    const whole = minimax === null ? "" : `; minimax visits ${minimax.toLocaleString("en")}`;
    return `${counted(visited, "node")} visited, ${counted(cut, "move")} cut${whole}`;
  }

  // Walking

  /** Show the search as it was after so many steps; the node of the last one is selected. */
  step(count) {
    this.#count = count;
    this.#selected = this.#state().current ?? 0;
    this.#draw();
    this.drawing.reveal(this.#selected, false);
  }

  select(node) {
    this.#selected = node;
    this.#draw();
    this.drawing.reveal(node, true);
  }

  /** Fold or unfold a node, for good: what a person chose stays. */
  toggle(node) {
    this.#chosen.set(node, !this.#open().has(node));
    this.#draw();
  }

  /** Down to the best child of the selected node. */
  follow() {
    const next = this.#state().bestChild[this.#selected];
    if (next === null) {
      announce("There is no best move below this node yet.");
    } else {
      this.select(next);
    }
  }

  up() {
    const { parent } = this.#tree.nodes[this.#selected];
    if (parent !== null) {
      this.select(parent);
    }
  }

  #unfoldAll(isOpen) {
    this.#chosen.clear();
    this.#tree.nodes.forEach(({ id }) => {
      if (this.#tree.children[id].length > 0 && (isOpen || id > 0)) {
        this.#chosen.set(id, isOpen);
      }
    });
    this.#selected = isOpen ? this.#selected : 0;
    this.#draw();
    this.drawing.reveal(this.#selected, false);
  }

  #open() {
    return unfolded(this.#tree, this.#state(), this.#selected, this.#chosen);
  }

  /** What the search knew at the step on show. */
  #state() {
    if (this.#known?.tree !== this.#tree || this.#known.state.count !== this.#count) {
      this.#known = { tree: this.#tree, state: stateAfter(this.#tree, this.#count) };
    }
    return this.#known.state;
  }

  #draw() {
    const tree = this.#tree;
    const { game } = this.#table;
    const state = this.#state();
    const open = this.#open();
    const secret = this.#question !== null && !this.#isAnswered;
    const shown = {
      tree, state, open, game,
      layout: arrange(tree, state, open),
      selected: this.#selected,
      asked: secret ? this.#question.node : null,
      askedKind: secret ? this.#question.kind : null,
      followed: new Set(this.#count === tree.last ? tree.line : []),
    };
    this.drawing.show(shown);
    this.outline.show(shown);
    this.node.show(this.#selected, state, game, shown.asked);
    const words = secret ? "The quiz is waiting for your answer." : stepWords(tree, state, game);
    this.steps.show(this.#count, words, this.#countsSoFar(state));
  }

  #countsSoFar({ visited, notLookedAt }) {
    const cut = hasWindow(this.#tree) ? `, ${counted(notLookedAt, "move")} cut` : "";
    const minimax = this.#tree.minimax_visited;
    const whole = minimax === null ? "minimax would visit more than could be counted"
      : `minimax visits ${minimax.toLocaleString("en")}`;
    return `${visited.toLocaleString("en")} visited${cut}; ${whole}.`;
  }

  // The quiz

  #asked(question) {
    this.#question = question;
    byId("side").classList.add("quizzing");
    this.#isAnswered = false;
    this.#chosen.clear();
    this.steps.enabled = false;
    this.#count = question.count;
    this.#selected = question.node;
    this.#draw();
    this.drawing.reveal(question.node, false);
  }

  #answered(question) {
    this.#isAnswered = true;
    this.#count = Math.min(this.#tree.last, question.count + (question.kind === "where" ? 0 : 1));
    this.#selected = question.node;
    this.#draw();
  }

  #quizEnded() {
    this.#question = null;
    byId("side").classList.remove("quizzing");
    this.steps.enabled = true;
    this.#draw();
  }

  // Controls

  #listen() {
    const click = (id, action) => byId(id).addEventListener("click", action);
    byId("question").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#table !== null) {
        this.search();
      }
    });
    byId("algorithm").addEventListener("change", () => this.#fitForm());
    click("compare", () => {
      if (this.#table !== null && byId("question").reportValidity()) {
        this.compare();
      }
    });
    click("fold", () => this.#unfoldAll(false));
    click("unfold", () => this.#unfoldAll(true));
    click("turn", () => this.#turn());
    click("farther", () => this.drawing.zoomBy(-1));
    click("nearer", () => this.drawing.zoomBy(1));
    click("fit", () => this.drawing.fit());
    const when = () => this.#tree !== null;
    const key = (keys, description, action) => ({ keys, description, action, when });
    registerKeys([
      key(["b"], "Follow the best line", () => this.follow()),
      key(["u"], "Up to the parent", () => this.up()),
      key(["t"], "Turn the tree", () => this.#turn()),
      key(["+", "="], "Zoom in", () => this.drawing.zoomBy(1)),
      key(["-"], "Zoom out", () => this.drawing.zoomBy(-1)),
      key(["0"], "Fit the tree into view", () => this.drawing.fit()),
      key(["q"], "Start a quiz", () => this.quiz.start()),
    ]);
    byId("drawing").addEventListener("keydown", (event) => {
      if (event.key === " " && this.#tree !== null && this.#question === null) {
        event.preventDefault();
        this.steps.toggle();
      }
    });
  }

  /** A table of positions means nothing to minimax. */
  #fitForm() {
    const isMinimax = byId("algorithm").value === "minimax";
    byId("table").disabled = isMinimax;
    byId("table").checked &&= !isMinimax;
  }

  #turn() {
    const sideways = this.drawing.direction === "down";
    this.drawing.direction = sideways ? "right" : "down";
    byId("turn").setAttribute("aria-pressed", String(sideways));
    if (this.#tree !== null) {
      this.drawing.reveal(this.#selected, false);
    }
  }
}

/** The most nodes that the server draws a tree of. */
const LARGEST = 5000;

function budgetWords({ budget, visited }) {
  const most = LARGEST.toLocaleString("en");
  const more = budget < LARGEST ? `allow more nodes (up to ${most}), or ` : "";
  return `The search was stopped at its budget of ${counted(visited, "node")}, so values near ` +
    `the root are not final. To see it finished, ${more}search to a smaller depth.`;
}

const id = tableId();
startPage({ section: "tree", id });
new TreePage(id);
