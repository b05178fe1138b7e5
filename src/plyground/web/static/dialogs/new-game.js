/** The dialog that sets up a game: board, sides, clock, live play, a position. */

import { createSession, errorMessage, fetchView } from "../shared/api.js";
import { field } from "../shared/controls.js";
import { openDialog } from "../shared/dialog.js";
import { decorativeSvg, element } from "../shared/dom.js";
import { goToPlay } from "../shared/page.js";
import { readPreference, writePreference } from "../shared/preferences.js";
import { sentence } from "../shared/text.js";
import { OptionsForm } from "./options-form.js";
import { PlayerForm } from "./player-form.js";
import { rulesButton } from "./rules.js";

/**
 * @import { ClockSpec, GameCard, LiveSpec, Options, Pair, Place, PlayerSpec } from "../shared/protocol.d.ts"
 *
 * @typedef {Object} Settings What was chosen for a game.
 * @property {Options} [options]
 * @property {Pair<PlayerSpec>} [players]
 * @property {ClockSpec|null} [clock]
 * @property {LiveSpec|null} [live]
 */

/** Milliseconds after the last change until the preview is drawn. */
const PREVIEW_DELAY = 200;

/**
 * Open the dialog for a game. What was chosen for it last time is chosen again, except for
 * `options` if they are given.
 *
 * @param {GameCard} card
 * @param {{options?: Options}} [settings]
 */
export function openNewGame(card, { options } = {}) {
  new NewGameDialog(card, { ...readSettings(card), ...(options && { options }) });
}

class NewGameDialog {
  #card;
  #options;
  /** @type {Pair<PlayerForm>} */
  #players;
  #timing;
  #text;
  #preview;
  #error;
  #start;
  /** @type {number|undefined} */
  #timer;
  #previews = 0;
  #dialog;

  /**
   * @param {GameCard} card
   * @param {Settings} settings to begin with
   */
  constructor(card, { options = {}, players, clock = null, live = null }) {
    this.#card = card;
    const refreshSoon = () => this.#refreshSoon();
    this.#options = new OptionsForm(card, options, refreshSoon);
    const [first, second] = players ?? defaultPlayers(card);
    this.#players = [
      new PlayerForm(card.players[0], first, card.levels),
      new PlayerForm(card.players[1], second, card.levels),
    ];
    this.#timing = new TimingForm(card, clock, live);
    this.#text = element("textarea", { rows: 3, spellcheck: "false", maxlength: 60000 });
    this.#text.addEventListener("input", refreshSoon);
    this.#preview = element("div", { class: "preview" });
    this.#error = element("p", { class: "error", role: "alert" });
    this.#start = element("button", { type: "submit", class: "button primary", text: "Start" });
    this.#dialog = openDialog(`New game of ${card.title}`, [this.#form()], { kind: "wide" });
    this.#start.focus();
    this.#refresh();
  }

  #form() {
    const position = element(
      "details",
      {},
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
      element(
        "div",
        { class: "stack new-game-side" },
        this.#preview,
        rulesButton(this.#card),
      ),
      element("div", { class: "stack new-game-start" }, this.#error, this.#start),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#createSession();
    });
    return form;
  }

  /** @returns {Place} */
  get #place() {
    const text = this.#text.value.trim();
    this.#options.withText = text !== "";
    const place = { game: this.#card.name, options: this.#options.values };
    return text === "" ? place : { ...place, text };
  }

  #refreshSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PREVIEW_DELAY);
  }

  /** Draw the board as it is set up now, or show what is wrong with it. */
  async #refresh() {
    this.#previews += 1;
    const number = this.#previews;
    let view = null;
    let error = "";
    try {
      view = await fetchView(this.#place);
    } catch (problem) {
      error = sentence(errorMessage(problem));
    }
    if (number === this.#previews) {
      this.#error.textContent = error;
      this.#preview.replaceChildren(...(view === null ? [] : [decorativeSvg(view.svg)]));
      if (view !== null) {
        this.#players.forEach((player) => player.setBoard(this.#place, this.#card));
      }
    }
  }

  async #createSession() {
    /** @type {Pair<PlayerSpec>} */
    const players = [this.#players[0].spec, this.#players[1].spec];
    const { clock, live } = this.#timing.values;
    writeSettings(this.#card, { options: this.#options.values, players, clock, live });
    this.#start.disabled = true;
    try {
      const id = await createSession({
        ...this.#place,
        players,
        ...(clock && { clock }),
        ...(live && { live }),
      });
      this.#dialog.close();
      goToPlay(id);
    } catch (error) {
      this.#error.textContent = sentence(errorMessage(error));
      this.#start.disabled = false;
    }
  }
}

/** The controls of time: no clock, a clock, or a live game. */
class TimingForm {
  #without = radio("No clock");
  #clock = radio("Clock");
  #live = radio("Live: the game does not wait");
  #minutes;
  #increment;
  #plySeconds;
  #clockFields;
  #liveFields;

  /**
   * @param {GameCard} card
   * @param {ClockSpec|null} clock
   * @param {LiveSpec|null} live
   */
  constructor(card, clock, live) {
    this.#minutes = numberInput(0.05, 1440, clock === null ? 5 : clock.seconds / 60);
    this.#increment = numberInput(0, 3600, clock?.increment ?? 0);
    this.#plySeconds = numberInput(0.05, 10, live?.seconds ?? 0.5);
    this.#clockFields = element(
      "div",
      { class: "fields" },
      field("Minutes each", this.#minutes),
      field("Seconds more a move", this.#increment),
    );
    this.#liveFields = element(
      "div",
      { class: "fields" },
      field("Seconds a ply", this.#plySeconds),
    );
    const chosen = live !== null && card.live
      ? this.#live
      : clock !== null
      ? this.#clock
      : this.#without;
    chosen.input.checked = true;
    const choices = [this.#without, this.#clock, ...(card.live ? [this.#live] : [])];
    this.element = element(
      "fieldset",
      {},
      element("legend", { text: "Time" }),
      element("div", { class: "row choices" }, ...choices.map(({ label }) => label)),
      this.#clockFields,
      this.#liveFields,
    );
    this.element.addEventListener("change", () => this.#showFields());
    this.#showFields();
  }

  /**
   * The clock and the live settings, each null where not chosen.
   *
   * @returns {{clock: ClockSpec|null, live: LiveSpec|null}}
   */
  get values() {
    return {
      clock: this.#clock.input.checked
        ? { seconds: 60 * Number(this.#minutes.value), increment: Number(this.#increment.value) }
        : null,
      live: this.#live.input.checked ? { seconds: Number(this.#plySeconds.value) } : null,
    };
  }

  #showFields() {
    for (
      const [choice, fields] of /** @type {const} */ ([
        [this.#clock, this.#clockFields],
        [this.#live, this.#liveFields],
      ])
    ) {
      fields.hidden = !choice.input.checked;
      for (const input of fields.querySelectorAll("input")) {
        input.disabled = fields.hidden;
      }
    }
  }
}

/** @param {string} text */
function radio(text) {
  const input = element("input", { type: "radio", name: "timing" });
  return { input, label: element("label", { class: "check" }, input, text) };
}

/**
 * @param {number} min
 * @param {number} max
 * @param {number} value
 */
function numberInput(min, max, value) {
  return element("input", { type: "number", min, max, value, step: "any", required: true });
}

/**
 * A person against the level that is offered first.
 *
 * @param {GameCard} card
 * @returns {Pair<PlayerSpec>}
 */
function defaultPlayers({ levels }) {
  const level = levels.find((one) => one.default) ?? levels[0];
  return [{ kind: "human" }, level.player];
}

/** @param {GameCard} card */
function settingsName(card) {
  return `plyground-new-${card.name}`;
}

/**
 * @param {GameCard} card
 * @returns {Settings}
 */
function readSettings(card) {
  try {
    return JSON.parse(readPreference(settingsName(card)) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {GameCard} card
 * @param {Settings} settings
 */
function writeSettings(card, settings) {
  writePreference(settingsName(card), JSON.stringify(settings));
}
