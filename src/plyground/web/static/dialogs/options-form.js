/** Controls for a game's options, made from its card. */

import { element } from "../shared/dom.js";
import { field, select } from "./player-form.js";

const RANDOM = "random";
const MOST_SEEDS = 1_000_000;

/**
 * The options of a game as controls. Numbers of a game whose board can be drawn at random belong
 * to the random board, so they are shown when it is chosen.
 */
export class OptionsForm {
  #card;
  #controls = new Map();
  #fields = new Map();
  #withText = false;

  /**
   * @param {Object} card a GameCard
   * @param {Object<string, any>} begin values to begin with
   * @param {function(): void} onChange called after every change
   */
  constructor(card, begin, onChange) {
    this.#card = card;
    for (const option of card.options) {
      const control = makeControl(option, begin[option.name] ?? option.default);
      this.#controls.set(option.name, control);
      this.#fields.set(option.name, makeField(option, control, onChange));
    }
    this.element = element("div", { class: "fields" }, ...this.#fields.values());
    this.element.addEventListener("input", () => {
      this.#arrange();
      onChange();
    });
    this.#arrange();
  }

  /** Whether the board is given by a text: then only some options go with it. */
  set withText(given) {
    this.#withText = given;
    this.#arrange();
  }

  /** The options that differ from their defaults and mean something now. */
  get values() {
    const values = {};
    for (const option of this.#card.options) {
      const value = readControl(option, this.#controls.get(option.name));
      if (this.#counts(option) && value !== option.default) {
        values[option.name] = value;
      }
    }
    return values;
  }

  #counts(option) {
    if (this.#withText) {
      return option.with_text;
    }
    const board = this.#card.options.find(({ choices }) => choices?.includes(RANDOM));
    const isRandom = board === undefined || this.#controls.get(board.name).value === RANDOM;
    return isRandom || option.kind !== "number";
  }

  #arrange() {
    let any = false;
    for (const option of this.#card.options) {
      const counts = this.#counts(option);
      any ||= counts;
      this.#fields.get(option.name).hidden = !counts;
      this.#controls.get(option.name).disabled = !counts;
    }
    this.element.hidden = !any;
  }
}

function makeControl(option, value) {
  if (option.kind === "flag") {
    const box = element("input", { type: "checkbox" });
    box.checked = value;
    return box;
  }
  if (option.choices !== null) {
    const control = select(option.choices.map((choice) => [choice, words(choice)]));
    control.value = value;
    return control;
  }
  const type = option.kind === "number" ? "number" : "text";
  return element("input", { type, value, step: option.kind === "number" ? 1 : null });
}

function makeField(option, control, onChange) {
  const label = words(option.name);
  if (option.kind === "flag") {
    return element("label", { class: "check" }, control, label);
  }
  if (option.name !== "seed") {
    return field(label, control);
  }
  const another = element("button", {
    type: "button",
    class: "button small",
    text: "Another",
    on: {
      click: () => {
        control.value = Math.floor(Math.random() * MOST_SEEDS);
        onChange();
      },
    },
  });
  const made = field(label, control);
  made.append(another);
  return made;
}

function readControl(option, control) {
  if (option.kind === "flag") {
    return control.checked;
  }
  return option.kind === "number" && control.value !== "" ? Number(control.value) : control.value;
}

/** A name of the program as people read it: "first_stay" is "First stay". */
export function words(name) {
  const spaced = name.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
