/** The picture of a game on its card: a position some plies into a game, and alive on demand. */

import { post } from "./api.js";
import { decoration, element } from "./dom.js";

const FIRST_PLIES = 6;
const STEP = 700;

/**
 * Draws the start at once, then a few plies of play, always the same ones. While the pointer or
 * the focus is within its card, play goes on; not for people who prefer reduced motion.
 */
export class GamePicture {
  #card;
  #moves = [];
  #view = null;
  #timer = null;
  #ready;

  constructor(card) {
    this.#card = card;
    this.element = element("div", { class: "card-picture" });
    this.#ready = this.#begin();
  }

  /** Play goes on while the pointer or the focus is within this element. */
  liveWithin(host) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    for (const event of ["pointerenter", "focusin"]) {
      host.addEventListener(event, () => this.#run());
    }
    for (const event of ["pointerleave", "focusout"]) {
      host.addEventListener(event, () => this.#rest());
    }
  }

  async #begin() {
    try {
      await this.#ask();
      for (let ply = 0; ply < FIRST_PLIES && this.#step(); ply += 1) {
        await this.#ask();
      }
    } catch {
      // A game that cannot be drawn has no picture; playing it will say why.
    }
    this.#draw();
  }

  #run() {
    this.#timer ??= setInterval(async () => {
      await this.#ready;
      if (!this.#step()) {
        this.#moves = [];
      }
      try {
        await this.#ask();
        this.#draw();
      } catch {
        this.#rest();
      }
    }, STEP);
  }

  #rest() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  async #ask() {
    const first = this.#view === null;
    const place = { game: this.#card.name, moves: this.#moves };
    this.#view = await post("/api/positions", place);
    if (first) {
      this.#draw();
    }
  }

  /** Choose the next move; false where the game is over or would be, to the eye, nothing more. */
  #step() {
    const moves = this.#view?.moves ?? [];
    if (moves.length === 0 || this.#moves.length > 60) {
      return false;
    }
    // Far apart in the list and never at random: a page that is drawn twice looks the same.
    const chosen = (this.#moves.length * 5 + 3) % moves.length;
    this.#moves.push(moves[chosen].text);
    return true;
  }

  #draw() {
    if (this.#view !== null) {
      this.element.replaceChildren(decoration(this.#view.svg));
    }
  }
}
