/**
 * The engine's best lines. They change many times a second while it thinks, so their elements stay
 * and only texts change: a button does not vanish under the finger that is about to press it.
 */

import { element } from "../shared/dom.js";

/** Moves of a line that are shown. */
const LONGEST = 16;

export class Lines {
  #list;
  #note;
  #onPlay;
  #rows = [];
  #lines = [];
  #isOld = false;

  /**
   * @param {HTMLElement} host
   * @param {{onPlay: function(string[]): void}} listeners called with the moves up to the one
   *   that was chosen
   */
  constructor(host, { onPlay }) {
    this.#onPlay = onPlay;
    this.#list = element("ol", { class: "lines", "aria-label": "Best lines" });
    this.#note = element("p", { class: "soft" });
    host.replaceChildren(this.#list, this.#note);
    this.#list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button && !this.#isOld) {
        const { moves } = this.#lines[Number(button.dataset.line)];
        this.#onPlay(moves.slice(0, Number(button.dataset.at) + 1));
      }
    });
  }

  /** Show lines, best first; each {value_text, moves}. */
  show(lines) {
    this.#setOld(false);
    this.#lines = lines;
    this.#note.textContent = "";
    while (this.#rows.length < lines.length) {
      const row = makeRow(this.#rows.length);
      this.#rows.push(row);
      this.#list.append(row.item);
    }
    this.#rows.splice(lines.length).forEach(({ item }) => item.remove());
    lines.forEach((line, index) => fillRow(this.#rows[index], line));
  }

  /** The position has changed: until new lines come, these are only to be looked at. */
  age() {
    this.#setOld(this.#lines.length > 0);
  }

  #setOld(isOld) {
    this.#isOld = isOld;
    this.#list.classList.toggle("old", isOld);
  }

  /** No lines, and why. */
  clear(note) {
    this.show([]);
    this.#note.textContent = note;
  }
}

function makeRow(index) {
  const rank = element("span", { class: "rank", "aria-hidden": "true", text: String(index + 1) });
  const value = element("span", { class: "line-value numbers" });
  const moves = element("span", { class: "line-moves" });
  const rest = element("span", { class: "soft" });
  const item = element("li", {}, rank, value, moves, rest);
  return { index, item, value, moves, rest, buttons: [] };
}

function fillRow(row, { value_text: text, moves }) {
  const shown = moves.slice(0, LONGEST);
  setText(row.value, text);
  while (row.buttons.length < shown.length) {
    const button = element("button", {
      type: "button",
      class: "move",
      dataset: { line: row.index, at: row.buttons.length },
    });
    row.buttons.push(button);
    row.moves.append(button);
  }
  row.buttons.splice(shown.length).forEach((button) => button.remove());
  shown.forEach((move, at) => {
    setText(row.buttons[at], move);
    row.buttons[at].title = at === 0 ? "Try this move" : "Try the line up to here";
  });
  setText(row.rest, moves.length > LONGEST ? `and ${moves.length - LONGEST} more` : "");
}

/** Text that is the same is left alone, so that a selection in it stays. */
function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}
