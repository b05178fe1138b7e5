/** The review of a game: every position searched for a moment, a graph, and the mistakes. */

import { element } from "../shared/dom.js";
import { ValueGraph } from "./value-graph.js";
import { announce } from "../shared/page.js";
import { lineThrough, placeOf } from "../shared/table.js";
import { counted } from "../shared/value-text.js";

/** Seconds for each position, by what people choose. */
const SECONDS = { "Quick (0.1 s a position)": 0.1, "Careful (0.5 s)": 0.5, "Thorough (2 s)": 2 };

export class ReviewPanel {
  #thinking;
  #graph;
  #button;
  #seconds;
  #list;
  #note;
  #frame;
  #onMarks;
  #onSelect;
  #table = null;
  #reviewed = null;

  /**
   * @param {{thinking: Thinking, controls: HTMLElement, host: HTMLElement,
   *   onSelect: function(number): void, onMarks: function(object[]): void}} parts `onSelect` gets
   *   a node, `onMarks` the moves that are mistakes
   */
  constructor({ thinking, controls, host, onSelect, onMarks }) {
    this.#thinking = thinking;
    this.#onSelect = onSelect;
    this.#onMarks = onMarks;
    this.#button = element("button", { type: "button", class: "button small", text: "Review" });
    this.#seconds = element(
      "select",
      { "aria-label": "Time for each position" },
      ...Object.entries(SECONDS).map(([text, value]) => element("option", { value, text })),
    );
    controls.replaceChildren(this.#seconds, this.#button);
    this.#frame = element("div", { hidden: true });
    this.#graph = new ValueGraph(this.#frame, { onSelect: (ply) => this.#select(ply) });
    this.#note = element("p", { class: "soft" });
    this.#list = element("ul", { class: "mistakes", "aria-label": "Mistakes" });
    host.replaceChildren(this.#frame, this.#note, this.#list);
    this.#button.addEventListener("click", () => this.toggle());
  }

  /** The table has changed: the review stays as long as its line exists. */
  show(table) {
    this.#table = table;
    const nodes = new Set(table.nodes.map((node) => node.id));
    if (this.#reviewed !== null && !this.#reviewed.line.every((id) => nodes.has(id))) {
      this.#thinking.stop("review");
      this.#reviewed = null;
      this.#onMarks([]);
    }
    this.#draw();
  }

  /** Review the line on show, or stop that. */
  toggle() {
    if (this.#thinking.isAsking("review")) {
      this.#thinking.stop("review");
      this.#draw();
      return;
    }
    const line = lineThrough(this.#table, this.#table.current);
    if (line.length < 2) {
      this.#note.textContent = "There are no moves to review yet: play or try some.";
      return;
    }
    this.#reviewed = { line, values: [], marks: new Map() };
    this.#onMarks([]);
    const question = {
      type: "review",
      place: placeOf(this.#table, line.at(-1)),
      seconds: Number(this.#seconds.value),
    };
    this.#thinking.ask(question, (message) => this.#received(message));
    this.#draw();
  }

  #received(message) {
    if (message.type === "reviewed") {
      this.#reviewed.values[message.ply] = message;
    } else if (message.type === "done") {
      this.#finish(message.marks);
    } else if (message.type === "error") {
      this.#draw();
      this.#note.textContent = message.message;
      return;
    }
    this.#draw();
  }

  #finish(marks) {
    const { line } = this.#reviewed;
    this.#reviewed.marks = new Map(marks.map((mark) => [mark.ply, mark]));
    this.#onMarks(marks.map((mark) => ({ ...mark, node: line[mark.ply] })));
    announce(`The game is reviewed: ${summary(marks)}.`);
  }

  #select(ply) {
    this.#onSelect(this.#reviewed.line[ply]);
  }

  #draw() {
    const isBusy = this.#thinking.isAsking("review");
    this.#button.textContent = isBusy ? "Stop" : "Review";
    this.#frame.hidden = this.#reviewed === null;
    if (this.#reviewed === null) {
      this.#note.textContent =
        "Review searches every position of this line, draws its value and marks the mistakes.";
      this.#list.replaceChildren();
      return;
    }
    const { line, values, marks } = this.#reviewed;
    const plies = line.length - 1;
    const at = line.indexOf(this.#table.current);
    this.#graph.show({
      values, plies, marks, game: this.#table.game,
      current: at < 0 ? null : at,
      words: at < 0 ? "beside this line" : this.#plyWords(at),
    });
    const done = values.filter((value) => value !== undefined).length;
    this.#note.textContent = isBusy
      ? `${done} of ${counted(plies + 1, "position")} searched.`
      : done > plies ? `${summary([...marks.values()])}.` : "The review was stopped.";
    this.#list.replaceChildren(...[...marks.values()].map((mark) => this.#mistake(mark)));
  }

  #plyWords(ply) {
    const { line, values, marks } = this.#reviewed;
    const move = this.#table.nodes.find((node) => node.id === line[ply]).move ?? "the start";
    const value = values[ply]?.value_text ?? "not searched yet";
    const mark = marks.get(ply);
    return `Ply ${ply}, ${move}: ${value}${mark ? `; ${mark.words}` : ""}`;
  }

  #mistake(mark) {
    const node = this.#reviewed.line[mark.ply];
    return element(
      "li",
      { class: mark.kind },
      element("button", {
        type: "button", class: "link", text: `Ply ${mark.ply}`,
        "aria-label": `Go to ply ${mark.ply}`,
        on: { click: () => this.#onSelect(node) },
      }),
      element("span", { text: mark.words }),
    );
  }
}

/** "1 mistake (M), 2 blunders (B)". */
function summary(marks) {
  const of = (kind) => marks.filter((mark) => mark.kind === kind).length;
  if (marks.length === 0) {
    return "No mistakes found";
  }
  return [["mistake", "M"], ["blunder", "B"]]
    .filter(([kind]) => of(kind) > 0)
    .map(([kind, letter]) => `${counted(of(kind), kind)} (${letter})`)
    .join(", ");
}
