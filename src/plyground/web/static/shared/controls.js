/** Form controls and buttons that several pages use. */

import { element, uniqueId } from "./dom.js";
import { icon } from "./icons.js";

/** @import { IconName } from "./icons.js" */

/**
 * A control with its label above it.
 *
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control) {
  control.id ||= uniqueId("field");
  const text = element("label", { for: control.id, text: label });
  return element("div", { class: "field" }, text, control);
}

/**
 * A <select> of [value, text] pairs.
 *
 * @param {(readonly [string|number, string|number])[]} choices
 */
export function select(choices) {
  return element("select", {}, ...choices.map(([value, text]) => option(value, text)));
}

/**
 * @param {string|number} value
 * @param {string|number} text
 */
export function option(value, text) {
  return element("option", { value, text });
}

/**
 * A button with a text; `attributes` as for `element`.
 *
 * @param {string} text
 * @param {(event: MouseEvent) => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  return element("button", {
    type: "button",
    class: "button",
    text,
    on: { click: action },
    ...attributes,
  });
}

/**
 * A button with an icon and a text.
 *
 * @param {IconName} name
 * @param {string} text
 * @param {() => void} action
 * @param {string} [kind] more classes
 */
export function iconButton(name, text, action, kind = "") {
  return element(
    "button",
    { type: "button", class: `button ${kind}`.trim(), on: { click: action } },
    icon(name),
    element("span", { text }),
  );
}

/**
 * A button that shows only an icon; its label is read by screen readers.
 *
 * @param {IconName} name
 * @param {string} label
 * @param {() => void} action
 * @param {{kind?: string, title?: string}} [options] more classes; a title other than the label
 */
export function iconOnlyButton(name, label, action, { kind = "", title = label } = {}) {
  return element(
    "button",
    {
      type: "button",
      class: `button ${kind}`.trim(),
      "aria-label": label,
      title,
      on: { click: action },
    },
    icon(name),
  );
}
