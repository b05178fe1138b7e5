/** The picture of a game on its card: a position some plies into a game, and alive on demand. */

import { post } from "../shared/api.js";
import { decoration, element } from "../shared/dom.js";

const FIRST_PLIES = 5;
const LAST_PLY = 60;
/** Which move is played, counted from the middle of the list: near each other, as people play. */
const CHOICES = [0, 0, -1, 1, 0, -1, 1, 2];
const STEP = 700;
const TALL = 1.2;

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
      while (this.#moves.length < FIRST_PLIES && this.#step()) {
        await this.#ask();
      }
      if (this.#view.over) {
        this.#moves.pop();
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

  /** Choose the next move, never at random; false where the game is over, or long enough. */
  #step() {
    const moves = this.#view?.moves ?? [];
    const ply = this.#moves.length;
    if (moves.length === 0 || ply >= LAST_PLY) {
      return false;
    }
    const wanted = (moves.length >> 1) + CHOICES[ply % CHOICES.length];
    this.#moves.push(moves[Math.max(0, Math.min(moves.length - 1, wanted))].text);
    return true;
  }

  #draw() {
    if (this.#view !== null) {
      const drawn = decoration(this.#view.svg);
      const { width, height } = drawn.viewBox.baseVal;
      // Of a tall drawing the upper part is shown, rather than all of it and small.
      const isTall = height > TALL * width && drawn.querySelector("[data-cell]") !== null;
      const fit = isTall ? "xMidYMin slice" : "xMidYMid meet";
      drawn.setAttribute("preserveAspectRatio", fit);
      this.element.replaceChildren(drawn);
    }
  }
}
