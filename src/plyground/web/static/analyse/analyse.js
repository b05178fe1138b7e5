/** The Analyse page: wires the table and the server's thinking to the board and its panels. */

import { Socket } from "../shared/api.js";
import { Board } from "../board/board.js";
import { element } from "../shared/dom.js";
import { Engine } from "./engine-panel.js";
import { EvaluationBar, evaluationWords } from "./evaluation-bar.js";
import { Lines } from "./best-lines.js";
import { explainAbsence } from "../shared/not-found.js";
import { MoveInput } from "../moves/move-input.js";
import { MoveList } from "../moves/move-list.js";
import { announce, complain, registerKeys, startPage, tableId } from "../shared/page.js";
import { firstChild, lineThrough, placeOf } from "../shared/table.js";
import { PositionPanel } from "./position-panel.js";
import { ReviewPanel } from "./review-panel.js";
import { icon } from "../shared/icons.js";
import { SolvePanel } from "./solve-panel.js";
import { Thinking } from "../shared/analysis-client.js";
import { shortValue } from "../shared/value-text.js";
import { Variation } from "../moves/variation-player.js";

const TYPED = "typed";
const byId = (id) => document.getElementById(id);

class AnalysePage {
  #table = null;
  #best = null;
  #arrows = [];
  #solved = [];
  #flipped = false;

  constructor(id) {
    this.id = id;
    this.socket = new Socket(`/api/tables/${id}/socket`, {
      onMessage: (message) => this.#received(message),
      onState: (state) => this.#connected(state),
    });
    this.variation = new Variation(this.socket);
    this.thinking = new Thinking();
    const onPlay = (moves) => this.variation.play(this.#table.current, moves);
    const onSelect = (node) => this.#goTo(node);
    this.board = new Board(byId("board"), { onMove: (move) => this.#try(move, "board"), announce });
    this.bar = new EvaluationBar(byId("bar"));
    this.lines = new Lines(byId("lines"), { onPlay });
    this.engine = new Engine({
      thinking: this.thinking, button: byId("run"), host: byId("engine"),
      onLines: (answer, note) => this.#thought(answer, note),
    });
    this.moves = new MoveList(byId("moves"), { onSelect });
    this.typed = new MoveInput(byId("typed"), { onMove: (move) => this.#try(move, TYPED) });
    this.review = new ReviewPanel({
      thinking: this.thinking, controls: byId("review-controls"), host: byId("graph"), onSelect,
      onMarks: (marks) => this.moves.setMarks(marks),
    });
    this.solve = new SolvePanel({
      thinking: this.thinking, host: byId("solve"), onPlay,
      onBadges: (badges) => this.#badges(badges),
    });
    this.position = new PositionPanel(byId("position"), id);
    this.#addControls();
  }

  // The table

  #received(message) {
    if (message.type === "table") {
      this.#show(message);
    } else if (message.type === "error") {
      this.#refused(message);
    }
  }

  #refused({ message, ref }) {
    this.variation.stop();
    if (ref === TYPED) {
      this.typed.complain(message);
      this.typed.focus();
    } else {
      complain(message);
    }
  }

  #connected(state) {
    if (state === "closed") {
      byId("state").textContent = "The connection is lost. Trying again…";
      if (this.#table === null) {
        explainAbsence(this.id, this.socket);
      }
    } else if (this.#table !== null) {
      this.#sayState();
    }
  }

  #show(table) {
    const before = this.#table;
    this.#table = table;
    byId("stage").inert = false;
    const moved = before === null || before.current !== table.current ||
      before.view.text !== table.view.text;
    if (moved) {
      this.#showPosition(table, before !== null);
    }
    this.moves.show(table);
    this.review.show(table);
    this.position.show(table);
    this.#showVariation(table);
    this.#sayState();
    this.variation.see(table);
    // In the middle of a line that is being played out there is nothing to think about.
    if (moved && !this.variation.isUnderWay) {
      const place = placeOf(table, table.current);
      this.engine.look(place, table.view, table.game);
      this.solve.look(place, table.view, table.game);
    }
  }

  #showPosition(table, animate) {
    this.#best = null;
    this.bar.game = table.game;
    this.lines.age();
    this.#arrows = [];
    this.#solved = [];
    this.#mark();
    this.board.interactive = !table.view.over;
    this.board.show(table.view, { animate });
    this.typed.show(table.view);
    this.typed.enabled = !table.view.over;
    byId("flip").hidden = !this.board.canFlip;
    if (animate) {
      const node = this.#node(table.current);
      announce(node.move === null ? "The start." : `After ${node.move}.`);
    }
  }

  #sayState() {
    const { game, view } = this.#table;
    document.title = `Analyse · ${game.title} · plyground`;
    byId("title").textContent = game.title;
    byId("state").textContent = view.over ? view.result?.reason ?? "The game is over" :
      `${view.player} to move`;
  }

  /** A variation can be taken away, and in a table that nobody plays at become the main line. */
  #showVariation(table) {
    const aside = !table.main.includes(table.current);
    byId("remove").hidden = !aside;
    byId("promote").hidden = !aside;
  }

  // Thinking

  #thought(answer, note) {
    if (answer === null || answer.lines.length === 0) {
      this.#best = null;
      this.lines.clear(note);
      this.#arrows = [];
      this.#mark();
      this.#showResult();
      return;
    }
    const [best] = answer.lines;
    const { game } = this.#table;
    this.#best = best;
    this.bar.show(best.value, best.value_text);
    this.lines.show(answer.lines);
    this.#arrows = answer.lines.map((line, index) => ({
      touches: line.touches,
      rank: index + 1,
      label: shortValue(line.value, game.point),
    }));
    this.#mark();
  }

  #badges(badges) {
    this.#solved = badges;
    this.#mark();
  }

  /** What is solved takes the place of what is thought. */
  #mark() {
    this.board.setBadges(this.#solved);
    this.board.setArrows(this.#solved.length > 0 ? [] : this.#arrows);
  }

  /** A finished game has its result on the bar. */
  #showResult() {
    const { view, game } = this.#table;
    const winner = view.result?.winner;
    if (!view.over || winner === undefined) {
      this.bar.clear();
    } else if (game.point && view.score !== null) {
      this.bar.show(view.score * game.point, view.result.reason);
    } else {
      this.bar.show(winner === null ? 0 : winner === 0 ? 1e9 : -1e9, view.result.reason);
    }
  }

  #sayValue() {
    if (this.#best === null) {
      announce("There is no evaluation.");
      return;
    }
    const words = evaluationWords(this.#best.value, this.#best.value_text, this.#table.game);
    announce(`${words}. Best: ${this.#best.moves.slice(0, 4).join(", ")}.`);
  }

  // Moving about

  #try(move, ref) {
    this.variation.stop();
    this.socket.send({ type: "try", node: this.#table.current, move, ref });
  }

  #goTo(node) {
    if (node !== null && node !== undefined && node !== this.#table.current) {
      this.variation.stop();
      this.socket.send({ type: "goto", node });
    }
  }

  #node(id) {
    return this.#table.nodes.find((node) => node.id === id);
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.board.flipped = this.#flipped;
    this.bar.flipped = this.#flipped;
    byId("flip").setAttribute("aria-pressed", String(this.#flipped));
  }

  /** Take away the variation that is on show, from where it leaves the game. */
  #removeVariation() {
    const { main, current } = this.#table;
    let top = current;
    while (!main.includes(this.#node(top).parent)) {
      top = this.#node(top).parent;
    }
    this.socket.send({ type: "remove", node: top });
  }

  #addControls() {
    const walk = {
      first: ["First position", "Home", () => this.#goTo(this.#table.main[0])],
      previous: ["Previous move", "ArrowLeft", () => this.#goTo(
        this.#node(this.#table.current).parent,
      )],
      next: ["Next move", "ArrowRight", () => this.#goTo(
        firstChild(this.#table, this.#table.current),
      )],
      last: ["End of the line", "End", () => this.#goTo(
        lineThrough(this.#table, this.#table.current).at(-1),
      )],
    };
    const ready = () => this.#table !== null;
    for (const [sign, [name, key, action]] of Object.entries(walk)) {
      byId("walk").append(element("button", {
        type: "button", class: "button small", "aria-label": name, title: name,
        on: { click: action },
      }, icon(sign)));
      registerKeys([{ keys: [key], description: name, when: ready, action }]);
    }
    byId("flip").addEventListener("click", () => this.#flip());
    byId("remove").addEventListener("click", () => this.#removeVariation());
    byId("promote").addEventListener("click", () =>
      this.socket.send({ type: "promote", node: this.#table.current }),
    );
    const key = (letter, description, action, when = ready) => ({
      keys: [letter], description, action, when,
    });
    registerKeys([
      key(" ", "Start or stop the engine", () => this.engine.toggle()),
      key("e", "Say the evaluation", () => this.#sayValue()),
      key("s", "Solve, or give up", () => this.solve.toggle()),
      key("r", "Review the game", () => this.review.toggle()),
      key("b", "To the board", () => this.board.focus()),
      key("m", "Type a move", () => this.typed.focus()),
      key("f", "Flip the board", () => this.#flip(), () => this.board.canFlip),
    ]);
  }
}

const id = tableId();
startPage({ section: "analyse", id });
new AnalysePage(id);
