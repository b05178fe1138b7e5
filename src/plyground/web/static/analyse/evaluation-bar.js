/** The evaluation bar beside the board: who is ahead, as a length, a number and in words. */

import { element } from "../shared/dom.js";
import { leaderWords, share, shortValue } from "../shared/value-text.js";

export class EvaluationBar {
  #meter;
  #fill;
  #first;
  #second;
  #game = null;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#fill = element("div", { class: "fill" });
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
        "aria-valuetext": "not known yet",
      },
      this.#fill,
      element("div", { class: "middle" }),
      this.#second,
      this.#first,
    );
    host.replaceChildren(this.#meter);
  }

  /** The game whose values are shown. */
  set game(game) {
    this.#game = game;
    this.#meter.setAttribute(
      "aria-label",
      `Evaluation: full is ${game.players[0]}, empty ${game.players[1]}`,
    );
  }

  /** Whether the first player is at the top, as on a flipped board. */
  set flipped(flipped) {
    this.#meter.classList.toggle("flipped", flipped);
  }

  /** Show a value of the first player's, with the engine's own words for it. */
  show(value, text = "") {
    const { point } = this.#game;
    const part = share(value, point);
    this.#meter.classList.remove("unknown");
    this.#meter.style.setProperty("--share", `${part}%`);
    this.#meter.setAttribute("aria-valuenow", String(Math.round(part)));
    this.#meter.setAttribute("aria-valuetext", evaluationWords(value, text, this.#game));
    this.#meter.title = evaluationWords(value, text, this.#game);
    const number = barNumber(value, point);
    this.#first.textContent = value >= 0 ? number : "";
    this.#second.textContent = value < 0 ? number : "";
  }

  /** Nothing is known: the middle, and no number. */
  clear() {
    this.#meter.classList.add("unknown");
    this.#meter.style.setProperty("--share", "50%");
    this.#meter.setAttribute("aria-valuenow", "50");
    this.#meter.setAttribute("aria-valuetext", "not known yet");
    this.#first.textContent = "";
    this.#second.textContent = "";
  }
}

/** A value in words and in numbers: "White is better (+120)". */
export function evaluationWords(value, text, game) {
  const words = leaderWords(value, game);
  return text === "" || text === words ? words : `${words} (${text})`;
}

/** What fits on the bar: the size of the lead, since its end tells whose it is. */
function barNumber(value, point) {
  const text = shortValue(Math.abs(value), point);
  return text.replace("win ", "W").replace("+", "");
}
