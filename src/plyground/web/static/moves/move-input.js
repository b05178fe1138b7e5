/**
 * A field for typed moves. The server reads them, so every spelling the game knows will do. A game
 * whose picture has no cells to touch gets a button for each legal move as well.
 */

import { element, freshId } from "../shared/dom.js";

export class MoveInput {
  #onMove;
  #input;
  #list;
  #error;
  #button;
  #moves;
  #enabled = true;

  /**
   * @param {HTMLElement} host
   * @param {{onMove: function(string): void, label?: string}} options
   */
  constructor(host, { onMove, label = "Type a move" }) {
    this.#onMove = onMove;
    const [field, list, error] = ["move", "moves", "move-error"].map(freshId);
    this.#list = element("datalist", { id: list });
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
    this.#button = element("button", { type: "submit", class: "button", text: "Move" });
    this.#moves = element("div", { class: "legal-moves", role: "group", "aria-label": "Moves" });
    const form = element(
      "form",
      { class: "move-input", novalidate: true },
      element("label", { for: field, text: label }),
      element("div", { class: "row" }, this.#input, this.#button),
      this.#error,
      this.#list,
      this.#moves,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener("input", () => this.complain(""));
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.#input.blur();
      }
    });
    host.replaceChildren(form);
  }

  /** Suggest the legal moves of a view; what was complained about another position is gone. */
  show(view) {
    this.#list.replaceChildren(
      ...view.moves.map(({ text }) => element("option", { value: text })),
    );
    const hasCells = view.svg.includes("data-cell=");
    this.#moves.replaceChildren(...(hasCells ? [] : view.moves.map((move) => this.#offer(move))));
    const example = view.moves[0]?.text;
    this.#input.placeholder = example === undefined ? "" : `such as ${example}`;
    this.complain("");
  }

  /** Whether a move may be made now. The field keeps the focus while it waits. */
  set enabled(may) {
    this.#enabled = may;
    this.#button.setAttribute("aria-disabled", String(!may));
    this.#moves.hidden = !may;
  }

  /** Say beside the field what is wrong with the typed move; "" for nothing. */
  complain(text) {
    this.#error.textContent = text;
    this.#input.toggleAttribute("aria-invalid", text !== "");
    if (text !== "") {
      this.#input.setAttribute("aria-invalid", "true");
      this.#input.select();
    }
  }

  focus() {
    this.#input.focus();
  }

  #offer({ text }) {
    const attributes = { type: "button", class: "button small", text };
    return element("button", { ...attributes, on: { click: () => this.#onMove(text) } });
  }

  #submit() {
    const text = this.#input.value.trim();
    if (!this.#enabled || text === "") {
      this.complain(this.#enabled ? "Type a move first." : "It is not your move.");
      return;
    }
    this.#input.value = "";
    this.#onMove(text);
  }
}
