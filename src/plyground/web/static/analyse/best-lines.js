/**
 * The engine's best lines. They change several times a second during a search, so their elements
 * stay and only texts change: a button does not vanish while it is being pressed.
 */

import { element, eventElement, setText } from "../shared/dom.js";
import { colourOf, setSwatch, swatch } from "../shared/side-colours.js";
import { leaderOf } from "../shared/value-text.js";

/** @import { GameCard, Line } from "../shared/protocol.d.ts" */

/** Moves of a line that are shown. */
const LONGEST = 16;

export class BestLines {
  #list;
  #note;
  #onPlay;
  /** @type {LineRow[]} */
  #rows = [];
  /** @type {Line[]} */
  #lines = [];
  #isStale = false;

  /**
   * @param {HTMLElement} host
   * @param {{onPlay: (moves: string[]) => void}} listeners called with the moves of a line up to
   *   the one that was chosen
   */
  constructor(host, { onPlay }) {
    this.#onPlay = onPlay;
    this.#list = element("ol", { class: "lines", "aria-label": "Best lines" });
    this.#note = element("p", { class: "soft" });
    host.replaceChildren(this.#list, this.#note);
    this.#list.addEventListener("click", (event) => {
      const button = eventElement(event, "button");
      if (button && !this.#isStale) {
        const { moves } = this.#lines[Number(button.dataset.line)];
        this.#onPlay(moves.slice(0, Number(button.dataset.at) + 1));
      }
    });
  }

  /**
   * Show lines, best first.
   *
   * @param {Line[]} lines
   * @param {GameCard} game
   */
  show(lines, game) {
    this.#setStale(false);
    this.#lines = lines;
    this.#note.textContent = "";
    while (this.#rows.length < lines.length) {
      const row = new LineRow(this.#rows.length);
      this.#rows.push(row);
      this.#list.append(row.element);
    }
    this.#rows.splice(lines.length).forEach((row) => row.element.remove());
    lines.forEach((line, index) => this.#rows[index].show(line, game));
  }

  /** The position has changed: until new lines come, these are shown but cannot be chosen. */
  markStale() {
    this.#setStale(this.#lines.length > 0);
  }

  /** @param {boolean} isStale */
  #setStale(isStale) {
    this.#isStale = isStale;
    this.#list.classList.toggle("stale", isStale);
  }

  /**
   * Show no lines, and why.
   *
   * @param {string} note
   */
  clear(note) {
    this.#lines = [];
    this.#setStale(false);
    this.#rows.splice(0).forEach((row) => row.element.remove());
    this.#note.textContent = note;
  }
}

class LineRow {
  #index;
  #swatch = swatch("");
  #value = element("span");
  #moves = element("span", { class: "line-moves" });
  #rest = element("span", { class: "soft" });
  /** @type {HTMLButtonElement[]} */
  #buttons = [];

  /** @param {number} index */
  constructor(index) {
    this.#index = index;
    const rank = element("span", { class: "rank", "aria-hidden": "true", text: String(index + 1) });
    const value = element("span", { class: "line-value numbers" }, this.#swatch, " ", this.#value);
    this.element = element("li", {}, rank, value, this.#moves, this.#rest);
  }

  /**
   * @param {Line} line
   * @param {GameCard} game
   */
  show({ value, value_text: text, moves }, game) {
    const shown = moves.slice(0, LONGEST);
    setText(this.#value, text);
    setSwatch(this.#swatch, colourOf(leaderOf(value), game));
    while (this.#buttons.length < shown.length) {
      const button = element("button", {
        type: "button",
        class: "move",
        dataset: { line: this.#index, at: this.#buttons.length },
      });
      this.#buttons.push(button);
      this.#moves.append(button);
    }
    this.#buttons.splice(shown.length).forEach((button) => button.remove());
    shown.forEach((move, at) => {
      setText(this.#buttons[at], move);
      this.#buttons[at].title = at === 0 ? "Try this move" : "Try the line up to here";
    });
    setText(this.#rest, moves.length > LONGEST ? `and ${moves.length - LONGEST} more` : "");
  }
}
