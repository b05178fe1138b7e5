/** Copies and opens positions as text, saves and opens records. */

import { createSession, errorMessage, fetchGames, recordUrl, replayUrl } from "../shared/api.js";
import { button, field } from "../shared/controls.js";
import { element, uniqueId } from "../shared/dom.js";
import { announce, showError } from "../shared/notifications.js";
import { acceptFiles } from "../shared/open-file.js";
import { positionOptions } from "../shared/session.js";
import { sentence } from "../shared/text.js";

/** @import { Table } from "../shared/protocol.d.ts" */

const SMALL = { class: "button small" };

export class PositionPanel {
  #output;
  #input;
  #error;
  /** @type {Table|null} */
  #session = null;

  /**
   * @param {HTMLElement} host
   * @param {string} id of the session
   */
  constructor(host, id) {
    const error = uniqueId("position-error");
    this.#output = element("textarea", { readonly: true, rows: 2, spellcheck: "false" });
    this.#input = element("textarea", {
      rows: 2,
      spellcheck: "false",
      maxlength: 60000,
      "aria-describedby": error,
    });
    this.#error = element("p", { id: error, class: "error", "aria-live": "polite" });
    const openButton = button("Open a file…", () => {}, SMALL);
    const fileInput = element("input", {
      type: "file",
      hidden: true,
      "aria-label": "A record or a position to open",
    });
    host.replaceChildren(
      field("This position", this.#output),
      element("div", { class: "bar" }, button("Copy", () => this.#copy(), SMALL)),
      field("Another position of this game", this.#input),
      this.#error,
      element("div", { class: "bar" }, button("Open it", () => this.#openPosition(), SMALL)),
      element("h3", { text: "Record" }),
      element(
        "div",
        { class: "bar" },
        downloadLink("Save as text", recordUrl(id, "text")),
        downloadLink("Save as JSON", recordUrl(id, "json")),
        downloadLink("Replay as a page", replayUrl(id)),
        openButton,
        fileInput,
      ),
    );
    this.#acceptFiles(openButton, fileInput);
  }

  /**
   * Show the position of a session; what was typed into the other field stays.
   *
   * @param {Table} session
   */
  show(session) {
    this.#session = session;
    if (this.#output.value !== session.view.text) {
      this.#output.value = session.view.text;
      this.#output.rows = Math.min(8, 1 + Math.floor(session.view.text.length / 36));
    }
  }

  /**
   * @param {HTMLElement} openButton
   * @param {HTMLInputElement} input
   */
  async #acceptFiles(openButton, input) {
    try {
      const cards = await fetchGames();
      acceptFiles({ button: openButton, input, cards, onOpened: goToAnalyse });
    } catch (error) {
      showError(errorMessage(error));
    }
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#output.value);
      announce("The position is copied.");
    } catch {
      this.#output.select();
      announce("The position is selected: copy it with the keys of your browser.");
    }
  }

  /** Open the typed position in a new session, with the options that go with it. */
  async #openPosition() {
    const text = this.#input.value.trim();
    if (text === "" || this.#session === null) {
      this.#showError("Write or paste a position first.");
      return;
    }
    try {
      const game = this.#session.game.name;
      const options = positionOptions(this.#session);
      goToAnalyse(await createSession({ game, text, options }));
    } catch (error) {
      this.#showError(sentence(errorMessage(error)));
    }
  }

  /** @param {string} text */
  #showError(text) {
    this.#error.textContent = text;
    this.#input.setAttribute("aria-invalid", String(text !== ""));
  }
}

/** @param {string} id */
function goToAnalyse(id) {
  location.assign(`/analyse/${id}`);
}

/**
 * @param {string} text
 * @param {string} href
 */
function downloadLink(text, href) {
  return element("a", { class: "button small", href, download: "", text });
}
