/** The drawing on a game's card: a position some plies into a game; play goes on when hovered. */

import { fetchView } from "../shared/api.js";
import { decorativeSvg, element, prefersReducedMotion } from "../shared/dom.js";

/** @import { GameCard, View } from "../shared/protocol.d.ts" */

const FIRST_PLIES = 5;
const LAST_PLY = 60;
/** Which move is played, counted from the middle of the list: near each other, as people play. */
const CHOICES = [0, 0, -1, 1, 0, -1, 1, 2];
/** Milliseconds. */
const STEP = 700;
/** A drawing so much higher than wide is cropped. */
const TALL = 1.2;

/** Draws the start at once, then a few plies of play, always the same ones. */
export class GamePreview {
  #game;
  /** @type {string[]} */
  #moves = [];
  /** @type {View|null} */
  #view = null;
  /** @type {number|null} */
  #timer = null;
  #ready;

  /** @param {GameCard} card */
  constructor(card) {
    this.#game = card.name;
    this.element = element("div", { class: "card-picture" });
    this.#ready = this.#load();
  }

  /**
   * Play goes on while the pointer or the focus is within this element; not for people who prefer
   * reduced motion.
   *
   * @param {HTMLElement} host
   */
  animateWithin(host) {
    if (prefersReducedMotion()) {
      return;
    }
    for (const event of ["pointerenter", "focusin"]) {
      host.addEventListener(event, () => this.#run());
    }
    for (const event of ["pointerleave", "focusout"]) {
      host.addEventListener(event, () => this.#stop());
    }
  }

  async #load() {
    try {
      await this.#fetch();
      this.#draw();
      while (this.#moves.length < FIRST_PLIES && this.#addMove()) {
        await this.#fetch();
      }
      if (this.#view?.over) {
        this.#moves.pop();
        await this.#fetch();
      }
    } catch {
      // A game that cannot be drawn has no preview; playing it will show the error.
    }
    this.#draw();
  }

  #run() {
    this.#timer ??= setInterval(async () => {
      await this.#ready;
      if (!this.#addMove()) {
        this.#moves = [];
      }
      try {
        await this.#fetch();
        this.#draw();
      } catch {
        this.#stop();
      }
    }, STEP);
  }

  #stop() {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }

  async #fetch() {
    this.#view = await fetchView({ game: this.#game, moves: this.#moves });
  }

  /** Add the next move, never a random one; false where the game is over, or long enough. */
  #addMove() {
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
      const drawn = decorativeSvg(this.#view.svg);
      const { width, height } = drawn.viewBox.baseVal;
      // Of a tall drawing the upper part is shown, rather than all of it and small.
      const isTall = height > TALL * width && drawn.querySelector("[data-cell]") !== null;
      const fit = isTall ? "xMidYMin slice" : "xMidYMid meet";
      drawn.setAttribute("preserveAspectRatio", fit);
      this.element.replaceChildren(drawn);
    }
  }
}
