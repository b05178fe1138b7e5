/**
 * Plain markdown as elements: paragraphs and lists with `code` and *emphasis*, as the rules of
 * games are written.
 */

import { element } from "./dom.js";

const INLINE = /`([^`]+)`|\*([^*\s][^*]*)\*/g;
const ITEM = /^- /;

/**
 * The blocks of a text, which blank lines separate.
 *
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function prose(text) {
  return text.trim().split(/\n\s*\n/).filter((block) => block !== "").flatMap(blockElements);
}

/**
 * A list, or a paragraph with the list that follows it without a blank line.
 *
 * @param {string} block
 */
function blockElements(block) {
  const [first, ...items] = block.split(/\n(?=- )/);
  if (ITEM.test(first)) {
    return [list([first, ...items])];
  }
  return [element("p", {}, ...inline(first)), ...(items.length > 0 ? [list(items)] : [])];
}

/** @param {string[]} items */
function list(items) {
  const made = items.map((item) => element("li", {}, ...inline(item.replace(ITEM, ""))));
  return element("ul", {}, ...made);
}

/**
 * A text of one block, whose line breaks are spaces.
 *
 * @param {string} text
 * @returns {(Node|string)[]}
 */
export function inline(text) {
  const line = text.trim().replace(/\s*\n\s*/g, " ");
  /** @type {(Node|string)[]} */
  const parts = [];
  let at = 0;
  for (const found of line.matchAll(INLINE)) {
    const [whole, code, emphasis] = found;
    parts.push(line.slice(at, found.index));
    parts.push(code ? element("code", { text: code }) : element("em", { text: emphasis }));
    at = found.index + whole.length;
  }
  return [...parts, line.slice(at)];
}
