/** Controls for a game's options, made from its card. */

import { field, select } from "../shared/controls.js";
import { element, uniqueId } from "../shared/dom.js";
import { inline } from "../shared/prose.js";
import { capitalized, labelOf } from "../shared/text.js";

/** @import { GameCard, GameOption, Options, OptionValue } from "../shared/protocol.d.ts" */

/** @typedef {HTMLInputElement|HTMLSelectElement} Control */

const RANDOM = "random";
const MOST_SEEDS = 1_000_000;

/**
 * The options of a game as controls. Numbers of a game whose board can be drawn at random belong
 * to the random board, so they are shown when it is chosen.
 */
export class OptionsForm {
  #card;
  /** @type {{option: GameOption, control: Control, field: HTMLElement}[]} */
  #entries;
  #withText = false;

  /**
   * @param {GameCard} card
   * @param {Options} start values to begin with
   * @param {() => void} onChange called after every change
   */
  constructor(card, start, onChange) {
    this.#card = card;
    this.#entries = card.options.map((option) => {
      const control = makeControl(option, start[option.name] ?? option.default);
      return { option, control, field: makeField(option, control, onChange) };
    });
    this.element = element(
      "div",
      { class: "fields options" },
      ...this.#entries.map(({ field }) => field),
    );
    this.element.addEventListener("input", () => {
      this.#showUseful();
      onChange();
    });
    this.#showUseful();
  }

  /** Whether the board is given by a text: then only some options go with it. */
  set withText(/** @type {boolean} */ isGiven) {
    this.#withText = isGiven;
    this.#showUseful();
  }

  /**
   * The options that are in use and differ from their defaults.
   *
   * @returns {Options}
   */
  get values() {
    /** @type {Options} */
    const values = {};
    for (const { option, control } of this.#entries) {
      const value = readControl(option, control);
      if (this.#isUseful(option) && value !== option.default) {
        values[option.name] = value;
      }
    }
    return values;
  }

  /** @param {GameOption} option */
  #isUseful(option) {
    if (this.#withText) {
      return option.with_text;
    }
    const board = this.#entries.find((entry) => entry.option.choices?.includes(RANDOM));
    const isRandom = board === undefined || board.control.value === RANDOM;
    return isRandom || option.kind !== "number";
  }

  #showUseful() {
    for (const { option, control, field } of this.#entries) {
      field.hidden = !this.#isUseful(option);
      control.disabled = field.hidden;
    }
    this.element.hidden = !this.#card.options.some((option) => this.#isUseful(option));
  }
}

/**
 * @param {GameOption} option
 * @param {OptionValue} value
 * @returns {Control}
 */
function makeControl(option, value) {
  if (option.kind === "flag") {
    const box = element("input", { type: "checkbox" });
    box.checked = Boolean(value);
    return box;
  }
  if (option.choices !== null) {
    const control = select(option.choices.map((choice) => [choice, labelOf(choice)]));
    control.value = String(value);
    return control;
  }
  const type = option.kind === "number" ? "number" : "text";
  return element("input", { type, value, step: option.kind === "number" ? 1 : null });
}

/**
 * @param {GameOption} option
 * @param {Control} control
 * @param {() => void} onChange
 */
function makeField(option, control, onChange) {
  const label = labelOf(option.name);
  const made = option.kind === "flag"
    ? element("div", { class: "field" }, element("label", { class: "check" }, control, label))
    : field(label, control);
  if (option.name === "seed") {
    const chooseAnother = () => {
      control.value = String(Math.floor(Math.random() * MOST_SEEDS));
      onChange();
    };
    made.append(
      element("button", {
        type: "button",
        class: "button small",
        text: "Another",
        on: { click: chooseAnother },
      }),
    );
  }
  if (option.text !== "") {
    const help = element("p", { id: uniqueId("help"), class: "help" });
    help.append(...inline(capitalized(option.text)));
    control.setAttribute("aria-describedby", help.id);
    made.append(help);
  }
  return made;
}

/**
 * @param {GameOption} option
 * @param {Control} control
 * @returns {OptionValue}
 */
function readControl(option, control) {
  if (option.kind === "flag" && control instanceof HTMLInputElement) {
    return control.checked;
  }
  return option.kind === "number" && control.value !== "" ? Number(control.value) : control.value;
}
