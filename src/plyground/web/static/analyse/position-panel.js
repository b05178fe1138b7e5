/** The position as text, out and in, and the record of the game, out and in. */

import { get, post } from "../shared/api.js";
import { element, freshId } from "../shared/dom.js";
import { acceptFiles } from "../shared/open-file.js";
import { announce, complain } from "../shared/page.js";

export class PositionPanel {
  #text;
  #wanted;
  #error;
  #table = null;

  /**
   * @param {HTMLElement} host
   * @param {string} id the table's
   */
  constructor(host, id) {
    const [out, wanted, error] = ["position", "wanted", "wanted-error"].map(freshId);
    this.#text = element("textarea", { id: out, readonly: true, rows: 2, spellcheck: "false" });
    this.#wanted = element("textarea", {
      id: wanted, rows: 2, spellcheck: "false", maxlength: 60000, "aria-describedby": error,
    });
    this.#error = element("p", { id: error, class: "error", "aria-live": "polite" });
    const open = button("Open a file…", () => {});
    const input = element("input", {
      type: "file", hidden: true, "aria-label": "A record or a position to open",
    });
    host.replaceChildren(
      field(out, "This position", this.#text),
      element("div", { class: "bar" }, button("Copy", () => this.#copy())),
      field(wanted, "Another position of this game", this.#wanted),
      this.#error,
      element("div", { class: "bar" }, button("Open it", () => this.#open())),
      element("h3", { text: "Record" }),
      element(
        "div",
        { class: "bar" },
        download("Save as text", `/api/tables/${id}/record?format=text`),
        download("Save as JSON", `/api/tables/${id}/record?format=json`),
        download("Replay as a page", `/api/tables/${id}/replay`),
        open,
        input,
      ),
    );
    this.#accept(open, input);
  }

  /** Show the position of a table; what was typed for another one stays. */
  show(table) {
    this.#table = table;
    if (this.#text.value !== table.view.text) {
      this.#text.value = table.view.text;
      this.#text.rows = Math.min(8, 1 + Math.floor(table.view.text.length / 36));
    }
  }

  async #accept(open, input) {
    try {
      const cards = await get("/api/games");
      acceptFiles({ button: open, input, cards, onOpened: goAnalyse });
    } catch (error) {
      complain(error.message);
    }
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#text.value);
      announce("The position is copied.");
    } catch {
      this.#text.select();
      announce("The position is selected: copy it with the keys of your browser.");
    }
  }

  async #open() {
    const text = this.#wanted.value.trim();
    if (text === "") {
      this.#say("Write or paste a position first.");
      return;
    }
    try {
      goAnalyse((await post("/api/tables", this.#newTable(text))).id);
    } catch (error) {
      this.#say(error.message);
    }
  }

  /** A table with this position, and the options of this one that go with a position. */
  #newTable(text) {
    const { game, options } = this.#table;
    const known = game.options.filter((option) => option.with_text && option.name in options);
    const kept = Object.fromEntries(known.map(({ name }) => [name, options[name]]));
    return { game: game.name, text, options: kept };
  }

  #say(text) {
    this.#error.textContent = text;
    this.#wanted.setAttribute("aria-invalid", String(text !== ""));
  }
}

function goAnalyse(id) {
  location.assign(`/analyse/${id}`);
}

function field(id, name, control) {
  return element("div", { class: "field" }, element("label", { for: id, text: name }), control);
}

function button(text, action) {
  return element("button", {
    type: "button", class: "button small", text, on: { click: action },
  });
}

function download(text, href) {
  return element("a", { class: "button small", href, download: "", text });
}
