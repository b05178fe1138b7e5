/** A menu of moves that touch the same cells; it opens beside the last of these cells. */

import { element } from "../shared/dom.js";

/** @import { Move } from "../shared/protocol.d.ts" */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class MoveMenu {
  #host;
  #onChoose;
  #onClose;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {(text: string) => void} listeners.onChoose
   * @param {(hadFocus: boolean) => void} listeners.onClose
   */
  constructor(host, { onChoose, onClose }) {
    this.#host = host;
    this.#onChoose = onChoose;
    this.#onClose = onClose;
    host.className = "board-menu";
    host.hidden = true;
    host.setAttribute("role", "group");
    host.setAttribute("aria-label", "Which move?");
    host.addEventListener("keydown", (event) => this.#keyPressed(event));
    host.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && host.contains(event.relatedTarget))) {
        this.close();
      }
    });
  }

  get isOpen() {
    return !this.#host.hidden;
  }

  /**
   * Open at a point given in per cent of the board.
   *
   * @param {Move[]} moves
   * @param {{x: number, y: number}} point
   */
  open(moves, { x, y }) {
    const buttons = moves.map((move) => {
      const choose = () => {
        this.close();
        this.#onChoose(move.text);
      };
      return element("button", { type: "button", text: move.text, on: { click: choose } });
    });
    this.#host.replaceChildren(...buttons);
    this.#host.style.left = `${Math.min(85, Math.max(15, x))}%`;
    this.#host.style.top = `${y}%`;
    this.#host.classList.toggle("above", y > 70);
    this.#host.hidden = false;
    buttons[0].focus();
  }

  close() {
    if (this.isOpen) {
      const hadFocus = this.#host.contains(document.activeElement);
      this.#host.hidden = true;
      this.#onClose(hadFocus);
    }
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.stopPropagation();
    } else if (event.key === "Escape" || event.key in STEPS) {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") {
        this.close();
      } else {
        this.#moveFocus(STEPS[event.key]);
      }
    }
  }

  /** @param {number} step */
  #moveFocus(step) {
    const buttons = [...this.#host.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button === document.activeElement) + step;
    buttons[(at + buttons.length) % buttons.length].focus();
  }
}
