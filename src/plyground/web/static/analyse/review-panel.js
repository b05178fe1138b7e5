/** The review of a game: every position searched briefly, a graph of values, and the mistakes. */

import { select } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { announce } from "../shared/notifications.js";
import { lineThrough, nodeOf, placeOf } from "../shared/session.js";
import { counted } from "../shared/text.js";
import { ValueGraph } from "./value-graph.js";

/**
 * @import { NodeMistake } from "../moves/move-list.js"
 * @import { AnalysisClient } from "../shared/analysis-client.js"
 * @import { Mark, RepliesByRequest, Reviewed, Table } from "../shared/protocol.d.ts"
 *
 * @typedef {Object} ReviewState
 * @property {number[]} line the nodes that are reviewed
 * @property {(Reviewed|undefined)[]} values by ply
 * @property {Map<number, Mark>} mistakes by ply
 */

/** @type {[number, string][]} seconds for each position */
const SECONDS = [
  [0.1, "Quick (0.1 s a position)"],
  [0.5, "Careful (0.5 s)"],
  [2, "Thorough (2 s)"],
];

export class ReviewPanel {
  #client;
  #graph;
  #button;
  #seconds;
  #list;
  #note;
  #frame;
  #onMistakes;
  #onSelect;
  /** @type {Table|null} */
  #session = null;
  /** @type {ReviewState|null} */
  #review = null;

  /**
   * @param {Object} parts
   * @param {AnalysisClient} parts.client
   * @param {HTMLElement} parts.controls
   * @param {HTMLElement} parts.host
   * @param {(node: number) => void} parts.onSelect
   * @param {(mistakes: NodeMistake[]) => void} parts.onMistakes
   */
  constructor({ client, controls, host, onSelect, onMistakes }) {
    this.#client = client;
    this.#onSelect = onSelect;
    this.#onMistakes = onMistakes;
    this.#button = element("button", { type: "button", class: "button small", text: "Review" });
    this.#seconds = select(SECONDS);
    this.#seconds.setAttribute("aria-label", "Time for each position");
    controls.replaceChildren(this.#seconds, this.#button);
    this.#frame = element("div", { hidden: true });
    this.#graph = new ValueGraph(this.#frame, { onSelect: (ply) => this.#select(ply) });
    this.#note = element("p", { class: "soft" });
    this.#list = element("ul", { class: "mistakes", "aria-label": "Mistakes" });
    host.replaceChildren(this.#frame, this.#note, this.#list);
    this.#button.addEventListener("click", () => this.toggle());
  }

  /**
   * The session has changed: the review stays as long as its line exists.
   *
   * @param {Table} session
   */
  show(session) {
    this.#session = session;
    const nodes = new Set(session.nodes.map((node) => node.id));
    if (this.#review !== null && !this.#review.line.every((id) => nodes.has(id))) {
      this.#client.stop("review");
      this.#review = null;
      this.#onMistakes([]);
    }
    this.#draw();
  }

  /** Review the line on show, or stop that. */
  toggle() {
    if (this.#client.isRunning("review")) {
      this.#client.stop("review");
      this.#draw();
      return;
    }
    if (this.#session === null) {
      return;
    }
    const line = lineThrough(this.#session, this.#session.current);
    if (line.length < 2) {
      this.#note.textContent = "There are no moves to review yet: play or try some.";
      return;
    }
    const review = { line, values: [], mistakes: new Map() };
    this.#review = review;
    this.#onMistakes([]);
    const place = placeOf(this.#session, line[line.length - 1]);
    const seconds = Number(this.#seconds.value);
    this.#client.request({ type: "review", place, seconds }, (reply) => {
      this.#receive(reply, review);
    });
    this.#draw();
    // Above the engine's lines, which grow and would push it out of view.
    const section = this.#frame.closest("section");
    section?.classList.add("in-front");
    section?.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {RepliesByRequest["review"]} reply
   * @param {ReviewState} review
   */
  #receive(reply, review) {
    if (reply.type === "reviewed") {
      review.values[reply.ply] = reply;
    } else if (reply.type === "done") {
      review.mistakes = new Map(reply.marks.map((mistake) => [mistake.ply, mistake]));
      this.#onMistakes(reply.marks.map((mistake) => ({
        ...mistake,
        node: review.line[mistake.ply],
      })));
      announce(`The game is reviewed: ${summary(reply.marks)}.`);
    }
    this.#draw();
    if (reply.type === "error") {
      this.#note.textContent = reply.message;
    }
  }

  /** @param {number} ply */
  #select(ply) {
    if (this.#review !== null) {
      this.#onSelect(this.#review.line[ply]);
    }
  }

  #draw() {
    const isRunning = this.#client.isRunning("review");
    const session = this.#session;
    this.#button.textContent = isRunning ? "Stop" : "Review";
    this.#frame.hidden = this.#review === null;
    if (this.#review === null || session === null) {
      this.#note.textContent =
        "Review searches every position of this line, draws its value and marks the mistakes.";
      this.#list.replaceChildren();
      return;
    }
    const { line, values, mistakes } = this.#review;
    const plies = line.length - 1;
    const current = line.indexOf(session.current);
    this.#graph.show({
      values,
      plies,
      mistakes,
      game: session.game,
      current: current < 0 ? null : current,
      text: current < 0 ? "beside this line" : plyText(session, this.#review, current),
    });
    const done = values.filter((value) => value !== undefined).length;
    this.#note.textContent = isRunning
      ? `${done} of ${counted(plies + 1, "position")} searched.`
      : done > plies
      ? `${summary([...mistakes.values()])}.`
      : "The review was stopped.";
    this.#list.replaceChildren(...[...mistakes.values()].map((mistake) => this.#item(mistake)));
  }

  /** @param {Mark} mistake */
  #item({ ply, kind, words }) {
    return element(
      "li",
      { class: kind },
      element("button", {
        type: "button",
        class: "link",
        text: `Ply ${ply}`,
        "aria-label": `Go to ply ${ply}`,
        on: { click: () => this.#select(ply) },
      }),
      element("span", { text: words }),
    );
  }
}

/**
 * @param {Table} session
 * @param {ReviewState} review
 * @param {number} ply
 */
function plyText(session, { line, values, mistakes }, ply) {
  const move = nodeOf(session, line[ply]).move ?? "the start";
  const value = values[ply]?.value_text ?? "not searched yet";
  const mistake = mistakes.get(ply);
  return `Ply ${ply}, ${move}: ${value}${mistake ? `; ${mistake.words}` : ""}`;
}

/**
 * "1 mistake (M), 2 blunders (B)".
 *
 * @param {Mark[]} mistakes
 */
function summary(mistakes) {
  if (mistakes.length === 0) {
    return "No mistakes found";
  }
  return [["mistake", "M"], ["blunder", "B"]]
    .map(([kind, letter]) => {
      const number = mistakes.filter((mistake) => mistake.kind === kind).length;
      return number > 0 ? `${counted(number, kind)} (${letter})` : "";
    })
    .filter((text) => text !== "")
    .join(", ");
}
