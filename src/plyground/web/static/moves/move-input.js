/**
 * A field for typed moves. The server reads them, so every spelling that the game knows is
 * accepted. A game whose drawing has no cells also gets a button for each legal move.
 */

import { button } from "../shared/controls.js";
import { element, uniqueId } from "../shared/dom.js";

/** @import { View } from "../shared/protocol.d.ts" */

export class MoveInput {
  #onMove;
  #input;
  #suggestions;
  #error;
  #submitButton;
  #moveButtons;
  #enabled = true;

  /**
   * @param {HTMLElement} host
   * @param {{onMove: (move: string) => void}} listeners
   */
  constructor(host, { onMove }) {
    this.#onMove = onMove;
    const [field, list, error] = ["move", "moves", "move-error"].map(uniqueId);
    this.#suggestions = element("datalist", { id: list });
    this.#error = element("p", { id: error, class: "error", "aria-live": "polite" });
    this.#input = element("input", {
      id: field,
      list,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 200,
      enterkeyhint: "go",
      "aria-describedby": error,
    });
    this.#submitButton = element("button", { type: "submit", class: "button", text: "Move" });
    this.#moveButtons = element("div", {
      class: "legal-moves",
      role: "group",
      "aria-label": "Moves",
    });
    const form = element(
      "form",
      { class: "move-input", novalidate: true },
      element("label", { for: field, text: "Type a move" }),
      element("div", { class: "row" }, this.#input, this.#submitButton),
      this.#error,
      this.#suggestions,
      this.#moveButtons,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener("input", () => this.showError(""));
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.#input.blur();
      }
    });
    host.replaceChildren(form);
  }

  /**
   * Suggest the legal moves of a view, and clear the error.
   *
   * @param {View} view
   */
  show(view) {
    const moves = view.moves.map(({ text }) => text);
    this.#suggestions.replaceChildren(...moves.map((value) => element("option", { value })));
    const hasCells = view.svg.includes("data-cell=");
    this.#moveButtons.replaceChildren(
      ...(hasCells ? [] : moves).map((text) =>
        button(text, () => this.#onMove(text), { class: "button small" })
      ),
    );
    this.#input.placeholder = moves.length === 0 ? "" : `such as ${moves[0]}`;
    this.showError("");
  }

  /** Whether a move may be made now. The field keeps the focus while it is disabled. */
  set enabled(/** @type {boolean} */ may) {
    this.#enabled = may;
    this.#submitButton.setAttribute("aria-disabled", String(!may));
    this.#moveButtons.hidden = !may;
  }

  /**
   * Show beside the field what is wrong with the typed move; "" for nothing.
   *
   * @param {string} text
   */
  showError(text) {
    this.#error.textContent = text;
    if (text === "") {
      this.#input.removeAttribute("aria-invalid");
    } else {
      this.#input.setAttribute("aria-invalid", "true");
      this.#input.select();
    }
  }

  focus() {
    this.#input.focus();
  }

  #submit() {
    const text = this.#input.value.trim();
    if (!this.#enabled || text === "") {
      this.showError(this.#enabled ? "Type a move first." : "It is not your move.");
      return;
    }
    this.#input.value = "";
    this.#onMove(text);
  }
}
