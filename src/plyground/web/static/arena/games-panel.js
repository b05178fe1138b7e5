/** The finished games of an event, page by page; each can be opened in Analyse. */

import { errorMessage, fetchEventGames, openEventGame } from "../shared/api.js";
import { button, field, option, select } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { announce, showError } from "../shared/notifications.js";
import { counted } from "../shared/text.js";

/** @import { EventModel, FinishedGame, GamesPage } from "../shared/protocol.d.ts" */

const PAGE = 25;
/** Milliseconds between two requests while games are added. */
const REFRESH = 1500;
const HEADS = ["Game", "Moved first", "Moved second", "Result", "Ended", "Moves", ""];

export class GamesPanel {
  #player = select([]);
  #result = select([]);
  #ending = select([]);
  #body = element("tbody");
  #range = element("span", { class: "numbers", role: "status" });
  #newer = button("Newer", () => this.#turn(-1), { class: "button small" });
  #older = button("Older", () => this.#turn(1), { class: "button small" });
  /** @type {EventModel|null} */
  #event = null;
  #offset = 0;
  #games = -1;
  #requested = 0;
  /** @type {number|undefined} */
  #timer;

  /** @param {HTMLElement} host */
  constructor(host) {
    for (const control of [this.#player, this.#result, this.#ending]) {
      control.addEventListener("change", () => {
        this.#offset = 0;
        this.#showResults();
        this.#load();
      });
    }
    host.append(
      element(
        "div",
        { class: "fields game-filters" },
        field("Player", this.#player),
        field("Result", this.#result),
        field("Ended", this.#ending),
      ),
      element(
        "div",
        { class: "scroller", role: "region", tabindex: 0, "aria-label": "Finished games" },
        element(
          "table",
          { class: "numbers-table games-table" },
          element("caption", {
            class: "visually-hidden",
            text: "Finished games, the latest first",
          }),
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ...HEADS.map((text) =>
                text === "" ? element("td") : element("th", { scope: "col", text })
              ),
            ),
          ),
          this.#body,
        ),
      ),
      element(
        "div",
        { class: "row apart" },
        this.#range,
        element("div", { class: "bar" }, this.#newer, this.#older),
      ),
    );
  }

  /** @param {EventModel} event */
  show(event) {
    const isOther = this.#event?.card.id !== event.card.id;
    this.#event = event;
    if (isOther) {
      this.#offset = 0;
      this.#games = -1;
      this.#body.replaceChildren();
      this.#player.replaceChildren(
        option("", "All players"),
        ...event.players.map(({ text, name }) => option(text, name)),
      );
    }
    this.#showResults();
    this.#showEndings(Object.keys(event.endings));
    if (event.card.games !== this.#games && (isOther || this.#offset === 0)) {
      this.#games = event.card.games;
      this.#loadSoon();
    }
  }

  #showResults() {
    const chosen = this.#result.value;
    const texts = this.#player.value === ""
      ? ["First player won", "Drawn", "Second player won"]
      : ["Won", "Drawn", "Lost"];
    setOptions(this.#result, [
      ["", "All results"],
      ["win", texts[0]],
      ["draw", texts[1]],
      ["loss", texts[2]],
    ], chosen);
  }

  /** @param {string[]} names */
  #showEndings(names) {
    setOptions(
      this.#ending,
      [["", "All endings"], ...names.map((name) => /** @type {[string, string]} */ ([name, name]))],
      this.#ending.value,
    );
  }

  /** Load now, or when the last request is some time ago. */
  #loadSoon() {
    clearTimeout(this.#timer);
    const wait = this.#requested + REFRESH - Date.now();
    this.#timer = setTimeout(() => this.#load(), Math.max(0, wait));
  }

  /** @param {number} by */
  #turn(by) {
    this.#offset = Math.max(0, this.#offset + by * PAGE);
    this.#load();
  }

  async #load() {
    const event = this.#event;
    if (event === null) {
      return;
    }
    clearTimeout(this.#timer);
    this.#requested = Date.now();
    /** @type {Record<string, string>} */
    const query = { limit: String(PAGE), offset: String(this.#offset) };
    for (
      const [name, control] of /** @type {[string, HTMLSelectElement][]} */ ([
        ["player", this.#player],
        ["result", this.#result],
        ["ending", this.#ending],
      ])
    ) {
      if (control.value !== "") {
        query[name] = control.value;
      }
    }
    let page;
    try {
      page = await fetchEventGames(event.card.id, query);
    } catch (error) {
      showError(errorMessage(error));
      return;
    }
    if (this.#event?.card.id === event.card.id && query.offset === String(this.#offset)) {
      this.#showPage(page);
    }
  }

  /** Why the list is empty. */
  get #emptyText() {
    const isFiltered = [this.#player, this.#result, this.#ending].some(({ value }) => value !== "");
    return isFiltered ? "No such game." : "No game is over yet.";
  }

  /** @param {GamesPage} page */
  #showPage({ total, games }) {
    const focused = document.activeElement instanceof HTMLElement
      ? document.activeElement.dataset.game
      : undefined;
    this.#body.replaceChildren(...games.map((game) => row(game)));
    if (focused !== undefined) {
      /** @type {HTMLElement|null} */
      const again = this.#body.querySelector(`[data-game="${focused}"]`);
      again?.focus();
    }
    const last = this.#offset + games.length;
    this.#range.textContent = total === 0
      ? this.#emptyText
      : `${this.#offset + 1} to ${last} of ${counted(total, "game")}`;
    this.#newer.disabled = this.#offset === 0;
    this.#older.disabled = last >= total;
  }
}

/** @param {FinishedGame} game */
function row(game) {
  const open = button("Analyse", () => analyse(game), {
    class: "button small quiet",
    "aria-label": `Open game ${game.id} in Analyse`,
    "data-game": game.id,
  });
  /** @param {string|number} text */
  const cell = (text) => element("td", { class: "numbers", text });
  return element(
    "tr",
    {},
    element("th", {
      scope: "row",
      class: "numbers",
      title: `Opening ${game.opening}`,
      text: game.id,
    }),
    element("td", { class: `player ${game.winner === 0 ? "winner" : ""}`, text: game.first }),
    element("td", { class: `player ${game.winner === 1 ? "winner" : ""}`, text: game.second }),
    cell(game.score),
    element("td", { title: game.reason, text: game.ending }),
    cell(game.plies),
    element("td", {}, open),
  );
}

/** @param {FinishedGame} game */
async function analyse(game) {
  announce("Opening the game.");
  try {
    location.assign(`/analyse/${await openEventGame(game.id)}`);
  } catch (error) {
    showError(errorMessage(error));
  }
}

/**
 * @param {HTMLSelectElement} control
 * @param {[string, string][]} choices
 * @param {string} chosen
 */
function setOptions(control, choices, chosen) {
  const now = [...control.options].map((each) => `${each.value}\n${each.text}`).join();
  if (now !== choices.map((each) => each.join("\n")).join()) {
    control.replaceChildren(...choices.map(([value, text]) => option(value, text)));
    control.value = choices.some(([value]) => value === chosen) ? chosen : "";
  }
}
