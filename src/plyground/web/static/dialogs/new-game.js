/** The dialog that sets up a game: board, sides, clock, live play, a position. */

import { post } from "../shared/api.js";
import { openDialog } from "./dialog.js";
import { decoration, element } from "../shared/dom.js";
import { OptionsForm } from "./options-form.js";
import { store, stored } from "../shared/page.js";
import { field, PlayerForm } from "./player-form.js";

const PREVIEW_WAIT = 200;
const PLAYERS = [{ kind: "human" }, { kind: "engine", seconds: 1 }];

/**
 * Open the dialog for a game. What was chosen for it last time is chosen again.
 *
 * @param {Object} card a GameCard
 * @param {{text?: string, options?: Object, onStart: function(string): void}} settings
 *   `onStart` gets the id of the new table
 */
export function openNewGame(card, { text = "", options = null, onStart = goPlay } = {}) {
  new NewGame(card, text, options, onStart);
}

/** Go to the page where a table is played. */
export function goPlay(id) {
  location.assign(`/play/${id}`);
}

class NewGame {
  #card;
  #onStart;
  #options;
  #players;
  #timing;
  #text;
  #preview;
  #problem;
  #start;
  #timer = null;
  #asked = 0;
  #dialog;

  constructor(card, text, options, onStart) {
    this.#card = card;
    this.#onStart = onStart;
    const before = remembered(card);
    const refresh = () => this.#refreshSoon();
    this.#options = new OptionsForm(card, options ?? before.options ?? {}, refresh);
    this.#players = card.players.map(
      (name, side) => new PlayerForm(name, before.players?.[side] ?? PLAYERS[side]),
    );
    this.#timing = new Timing(card, before);
    this.#text = element("textarea", { rows: 3, spellcheck: "false", maxlength: 60000 });
    this.#text.value = text;
    this.#text.addEventListener("input", refresh);
    this.#preview = element("div", { class: "preview" });
    this.#problem = element("p", { class: "error", role: "alert" });
    this.#start = element("button", { type: "submit", class: "button primary", text: "Start" });
    this.#dialog = openDialog(`New game of ${card.title}`, [this.#form()], { kind: "wide" });
    this.#start.focus();
    this.#refresh();
  }

  #form() {
    const position = element(
      "details",
      { open: this.#text.value !== "" },
      element("summary", { text: "Begin with a position" }),
      field("Position, as the game writes it", this.#text),
    );
    const form = element(
      "form",
      { class: "new-game" },
      element(
        "div",
        { class: "stack new-game-settings" },
        this.#card.options.length > 0 &&
          element("fieldset", {}, element("legend", { text: "Board" }), this.#options.element),
        element("div", { class: "sides" }, ...this.#players.map((player) => player.element)),
        this.#timing.element,
        position,
      ),
      element("div", { class: "stack new-game-side" }, this.#preview),
      element("div", { class: "stack new-game-start" }, this.#problem, this.#start),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    return form;
  }

  get #place() {
    const text = this.#text.value.trim();
    this.#options.withText = text !== "";
    const place = { game: this.#card.name, options: this.#options.values };
    return text === "" ? place : { ...place, text };
  }

  #refreshSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PREVIEW_WAIT);
  }

  /** Draw the board as it is set up now, or say what is wrong with it. */
  async #refresh() {
    this.#asked += 1;
    const asked = this.#asked;
    let view = null;
    let problem = "";
    try {
      view = await post("/api/positions", this.#place);
    } catch (error) {
      problem = error.message;
    }
    if (asked === this.#asked) {
      this.#problem.textContent = problem;
      this.#preview.replaceChildren(...(view === null ? [] : [decoration(view.svg)]));
    }
  }

  async #begin() {
    const players = this.#players.map((player) => player.spec);
    const { clock, live } = this.#timing.values;
    remember(this.#card, { options: this.#options.values, players, clock, live });
    this.#start.disabled = true;
    try {
      const { id } = await post("/api/tables", {
        ...this.#place,
        players,
        ...(clock && { clock }),
        ...(live && { live }),
      });
      this.#dialog.close();
      this.#onStart(id);
    } catch (error) {
      this.#problem.textContent = error.message;
      this.#start.disabled = false;
    }
  }
}

/** Whether moves wait: no clock, a clock, or a game that runs by itself. */
class Timing {
  #card;
  #way = { free: null, clock: null, live: null };
  #minutes = number(0.05, 1440, 5);
  #increment = number(0, 3600, 0);
  #ply = number(0.05, 10, 0.5);
  #parts;

  constructor(card, { clock = null, live = null }) {
    this.#card = card;
    this.#minutes.value = clock === null ? 5 : clock.seconds / 60;
    this.#increment.value = clock === null ? 0 : clock.increment;
    this.#ply.value = live === null ? 0.5 : live.seconds;
    this.#parts = {
      clock: element(
        "div",
        { class: "fields" },
        field("Minutes each", this.#minutes),
        field("Seconds more a move", this.#increment),
      ),
      live: element("div", { class: "fields" }, field("Seconds a ply", this.#ply)),
    };
    this.element = element(
      "fieldset",
      {},
      element("legend", { text: "Time" }),
      element("div", { class: "row choices" }, ...this.#choices(clock, live)),
      ...Object.values(this.#parts),
    );
    this.element.addEventListener("change", () => this.#arrange());
    this.#arrange();
  }

  /** The clock and the live settings, each null where not chosen. */
  get values() {
    return {
      clock: this.#way.clock.checked
        ? { seconds: 60 * Number(this.#minutes.value), increment: Number(this.#increment.value) }
        : null,
      live: this.#way.live?.checked ? { seconds: Number(this.#ply.value) } : null,
    };
  }

  #choices(clock, live) {
    const ways = [
      ["free", "No clock", clock === null && live === null],
      ["clock", "Clock", clock !== null],
    ];
    if (this.#card.live) {
      ways.push(["live", "Live: the game does not wait", live !== null]);
    }
    return ways.map(([name, text, chosen]) => {
      const control = element("input", { type: "radio", name: "timing", value: name });
      control.checked = chosen;
      this.#way[name] = control;
      return element("label", { class: "check" }, control, text);
    });
  }

  #arrange() {
    for (const [name, part] of Object.entries(this.#parts)) {
      const chosen = Boolean(this.#way[name]?.checked);
      part.hidden = !chosen;
      for (const control of part.querySelectorAll("input")) {
        control.disabled = !chosen;
      }
    }
  }
}

function number(min, max, value) {
  return element("input", { type: "number", min, max, value, step: "any", required: true });
}

function remembered(card) {
  try {
    return JSON.parse(stored(`plyground-new-${card.name}`) ?? "{}");
  } catch {
    return {};
  }
}

function remember(card, settings) {
  store(`plyground-new-${card.name}`, JSON.stringify(settings));
}
