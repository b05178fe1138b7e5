/** Messages to the reader of a page: announcements for screen readers, errors and notices. */

import { element } from "./dom.js";
import { sentence } from "./text.js";

const ANNOUNCEMENT_TIME = 6000;
const ERROR_TIME = 12000;

/**
 * Have screen readers say something, after what they are saying now.
 *
 * @param {string} text
 */
export function announce(text) {
  const line = element("p", { text });
  liveRegion("announcements", { class: "visually-hidden", "aria-live": "polite" }).append(line);
  setTimeout(() => line.remove(), ANNOUNCEMENT_TIME);
}

/**
 * Show an error, and have screen readers say it at once. It disappears when it is closed, or
 * after some seconds.
 *
 * @param {string} text
 */
export function showError(text) {
  const message = showMessage(text, "error", "alert");
  setTimeout(() => message.remove(), ERROR_TIME);
}

/**
 * Show what a reader should know. It stays until it is closed or replaced.
 *
 * @param {string} text
 */
export function showNotice(text) {
  showMessage(text, "notice", "status");
}

/**
 * A message, as a sentence, with a button that closes it, in place of the last one of its kind.
 *
 * @param {string} text
 * @param {"error"|"notice"} kind
 * @param {string} role
 */
function showMessage(text, kind, role) {
  const close = element("button", {
    type: "button",
    class: "cross",
    "aria-label": "Close the message",
    text: "×",
  });
  const words = element("p", { text: sentence(text) });
  const message = element("div", { class: `message ${kind}`, role }, words, close);
  close.addEventListener("click", () => message.remove());
  const region = liveRegion("messages", { class: "messages" });
  region.querySelector(`.${kind}`)?.remove();
  region.append(message);
  return message;
}

/**
 * The element for messages: within the open dialog if there is one, since all else is inert then.
 *
 * @param {string} id
 * @param {Record<string, string>} attributes
 */
function liveRegion(id, attributes) {
  const region = document.getElementById(id) ?? element("div", { id, ...attributes });
  const parent = document.querySelector("dialog[open]") ?? document.body;
  if (region.parentElement !== parent) {
    parent.append(region);
  }
  return region;
}
