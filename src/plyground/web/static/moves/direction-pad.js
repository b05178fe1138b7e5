/** Four arrows around a button in their middle, for moves that have keys. */

import { element } from "../shared/dom.js";

/** The keys of the pad, in the order in which the Tab key reaches them. */
const BUTTONS = [
  ["ArrowUp", "↑", "Up"],
  ["ArrowLeft", "←", "Left"],
  [" ", "●", "Stay"],
  ["ArrowRight", "→", "Right"],
  ["ArrowDown", "↓", "Down"],
];

export const PAD_KEYS = BUTTONS.map(([key]) => key);

/**
 * A pad, and its buttons by their keys.
 *
 * @param {string} label
 * @returns {{element: HTMLElement, buttons: Map<string, HTMLButtonElement>}}
 */
export function directionPad(label) {
  const buttons = new Map(
    BUTTONS.map(([key, text, name]) => [
      key,
      element("button", { type: "button", class: "button", "aria-label": name, text }),
    ]),
  );
  const pad = element("div", { class: "pad", role: "group", "aria-label": label });
  pad.append(...buttons.values());
  return { element: pad, buttons };
}
