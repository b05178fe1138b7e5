/** The evaluation bar beside the board: which player is ahead, as a length, a number and words. */

import { element } from "../shared/dom.js";
import { leaderText, share, shortValue } from "../shared/value-text.js";

/** @import { Scale } from "../shared/value-text.js" */

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

  /** The game whose values are shown. */
  set game(/** @type {Scale} */ { players }) {
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
   * Show a value of the first player's, with the engine's own text for it.
   *
   * @param {number} value
   * @param {string} text
   * @param {Scale} scale
   */
  show(value, text, scale) {
    const part = share(value, scale.point);
    const words = evaluationText(value, text, scale);
    this.#meter.classList.remove("unknown");
    this.#meter.style.setProperty("--share", `${part}%`);
    this.#meter.setAttribute("aria-valuenow", String(Math.round(part)));
    this.#meter.setAttribute("aria-valuetext", words);
    this.#meter.title = words;
    const number = barNumber(value, scale.point);
    this.#first.textContent = value >= 0 ? number : "";
    this.#second.textContent = value < 0 ? number : "";
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

/**
 * A value in words and in numbers: "White is better (+120)".
 *
 * @param {number} value
 * @param {string} text
 * @param {Scale} scale
 */
export function evaluationText(value, text, scale) {
  const words = leaderText(value, scale);
  return text === "" || text === words ? words : `${words} (${text})`;
}

/**
 * What fits on the bar: the size of the lead, since its end shows whose it is.
 *
 * @param {number} value
 * @param {number} point
 */
function barNumber(value, point) {
  const text = shortValue(Math.abs(value), point);
  return text.replace("win ", "W").replace("+", "");
}
