/** The evaluation bar beside the board: which player is ahead, as a length, a number and words. */

import { element } from "../shared/dom.js";
import { inkOn } from "../shared/side-colours.js";
import { leaderOf, leaderText, leadText, share } from "../shared/value-text.js";

/** @import { GameCard } from "../shared/protocol.d.ts" */

const UNKNOWN = "not known yet";

export class EvaluationBar {
  #meter;
  #first;
  #second;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#first = element("span", { class: "number first" });
    this.#second = element("span", { class: "number second" });
    this.#meter = element(
      "div",
      {
        class: "evaluation",
        role: "meter",
        "aria-label": "Evaluation",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": 50,
        "aria-valuetext": UNKNOWN,
      },
      element("div", { class: "fill" }),
      element("div", { class: "middle" }),
      this.#second,
      this.#first,
    );
    host.replaceChildren(this.#meter);
  }

  /** The game whose values are shown: the bar has its players' colours. */
  set game(/** @type {GameCard} */ { players, colours: [first, second] }) {
    const { style } = this.#meter;
    style.setProperty("--first", first);
    style.setProperty("--on-first", inkOn(first));
    style.setProperty("--second", second);
    style.setProperty("--on-second", inkOn(second));
    this.#meter.setAttribute(
      "aria-label",
      `Evaluation: full is ${players[0]}, empty ${players[1]}`,
    );
  }

  /** Whether the first player is at the top, as on a flipped board. */
  set flipped(/** @type {boolean} */ flipped) {
    this.#meter.classList.toggle("flipped", flipped);
  }

  /**
   * Show a value of the first player's, with the text for it.
   *
   * @param {number} value
   * @param {string} text
   * @param {GameCard} game
   */
  show(value, text, game) {
    const part = share(value, game.point);
    const words = text === "" ? leaderText(value, game) : text;
    this.#meter.classList.remove("unknown");
    this.#meter.style.setProperty("--share", `${part}%`);
    this.#meter.setAttribute("aria-valuenow", String(Math.round(part)));
    this.#meter.setAttribute("aria-valuetext", words);
    this.#meter.title = words;
    // At the end of the player whom the value favours, in whose colour the bar is there.
    const leader = leaderOf(value);
    const lead = leadText(value, game.point);
    this.#first.textContent = leader === 0 ? lead : "";
    this.#second.textContent = leader === 1 ? lead : "";
  }

  /** Nothing is known: the middle, and no number. */
  clear() {
    this.#meter.classList.add("unknown");
    this.#meter.style.setProperty("--share", "50%");
    this.#meter.setAttribute("aria-valuenow", "50");
    this.#meter.setAttribute("aria-valuetext", UNKNOWN);
    this.#first.textContent = "";
    this.#second.textContent = "";
  }
}
