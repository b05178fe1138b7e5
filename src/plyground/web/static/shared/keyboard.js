/** Keyboard shortcuts of a page, and the dialog that lists them. */

import { openDialog } from "./dialog.js";
import { element, eventElement } from "./dom.js";
import { readPreference, writePreference } from "./preferences.js";

/**
 * A shortcut: keys by their DOM names, whether they mean something now, and whether they belong in
 * the list of keys. One without an action is only listed.
 *
 * @typedef {Object} Shortcut
 * @property {string[]} keys
 * @property {string} description
 * @property {(event: KeyboardEvent) => void} [action]
 * @property {(key: string) => boolean} [when]
 * @property {() => boolean} [listed]
 */

/** @type {Shortcut[]} */
const registered = [];
/** @type {Record<string, string>} */
const KEY_NAMES = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  Escape: "Esc",
};
const LETTERS_OFF = "plyground-letters-off";
const TEXT_FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select";

/**
 * Add shortcuts to this page. They do nothing in a text field, while a dialog is open, or when
 * an element has handled the key already.
 *
 * @param {Shortcut[]} shortcuts
 */
export function registerKeys(shortcuts) {
  registered.push(...shortcuts);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (eventElement(event, TEXT_FIELDS) || document.querySelector("dialog[open]") !== null) {
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key.length === 1 && key !== " " && key !== "?" && areLettersOff()) {
    return;
  }
  const isPress = key === " " || key === "Enter";
  if (isPress && eventElement(event, "button, a, summary, [tabindex]")) {
    return;
  }
  const shortcut = registered.find(
    ({ keys, action, when }) => action && keys.includes(key) && (!when || when(key)),
  );
  if (shortcut?.action) {
    event.preventDefault();
    shortcut.action(event);
  }
});

function areLettersOff() {
  return readPreference(LETTERS_OFF) === "yes";
}

/** Open the dialog that lists the shortcuts of this page. */
export function showKeys() {
  const listed = registered.filter((shortcut) => !shortcut.listed || shortcut.listed());
  const rows = listed.map(({ keys, description }) =>
    element(
      "div",
      {},
      element("dt", {}, ...keys.map((key) => element("kbd", { text: keyName(key) }))),
      element("dd", { text: description }),
    )
  );
  const letters = element("input", { type: "checkbox" });
  letters.checked = !areLettersOff();
  letters.addEventListener("change", () => {
    writePreference(LETTERS_OFF, letters.checked ? null : "yes");
  });
  openDialog("Keys", [
    element("dl", { class: "keys" }, ...rows),
    element("label", { class: "check" }, letters, "Single letters work as keys"),
  ]);
}

/** @param {string} key */
function keyName(key) {
  return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
