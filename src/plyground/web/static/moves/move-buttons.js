/**
 * Buttons beside the board for moves that no cell stands for at first sight: moves that have keys,
 * such as those of an agent that is steered, and moves that are words, such as "pass".
 */

import { button } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { capitalized } from "../shared/text.js";
import { directionPad } from "./direction-pad.js";

/** @import { Move, View } from "../shared/protocol.d.ts" */

const WORD = /^\p{L}{2,}$/u;

export class MoveButtons {
  #host;
  #onMove;
  #pad;
  #words;
  /** @type {Map<string, Move>} the legal moves that have keys */
  #byKey = new Map();
  #enabled = true;

  /**
   * @param {HTMLElement} host hidden where a game has no such moves
   * @param {{onMove: (move: string) => void}} listeners
   */
  constructor(host, { onMove }) {
    this.#host = host;
    this.#onMove = onMove;
    this.#pad = directionPad("Steer");
    this.#pad.element.hidden = true;
    this.#words = element("div", { class: "bar word-moves" });
    for (const [key, made] of this.#pad.buttons) {
      made.addEventListener("click", () => {
        const move = this.#byKey.get(key);
        if (this.#enabled && move !== undefined) {
          this.#onMove(move.text);
        }
      });
    }
    host.hidden = true;
    host.replaceChildren(this.#pad.element, this.#words);
  }

  /**
   * Show the legal moves of a view. The pad stays when a position has no moves for it, so that
   * nothing jumps at the end of a game.
   *
   * @param {View} view
   */
  show(view) {
    const moves = view.svg.includes("data-cell=") ? view.moves : [];
    this.#byKey = new Map(moves.filter(({ key }) => key !== "").map((move) => [move.key, move]));
    this.#pad.element.hidden &&= this.#byKey.size === 0;
    const middle = this.#byKey.get(" ");
    if (middle !== undefined) {
      const made = /** @type {HTMLButtonElement} */ (this.#pad.buttons.get(" "));
      made.textContent = capitalized(middle.text);
      made.removeAttribute("aria-label");
    }
    const words = moves.filter(({ key, text, touches }) =>
      key === "" && (WORD.test(text) || touches.length === 0)
    );
    this.#words.replaceChildren(
      ...words.map(({ text }) => button(capitalized(text), () => this.#onMove(text))),
    );
    this.#host.hidden = this.#pad.element.hidden && words.length === 0;
    this.#showEnabled();
  }

  /** Whether a move may be made now. */
  set enabled(/** @type {boolean} */ may) {
    this.#enabled = may;
    this.#showEnabled();
  }

  /** Not `disabled`: a button that is pressed again and again would lose the focus. */
  #showEnabled() {
    for (const [key, made] of this.#pad.buttons) {
      made.setAttribute("aria-disabled", String(!this.#enabled || !this.#byKey.has(key)));
    }
    this.#words.hidden = !this.#enabled;
  }
}
