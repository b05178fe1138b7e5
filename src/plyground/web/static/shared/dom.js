/**
 * Small helpers for building pages. The Content-Security-Policy forbids inline styles and markup
 * from strings has no place here, so everything is made as elements.
 */

/**
 * An element. `attributes` may hold `text` (its text), `on` (listeners by event name), `dataset`,
 * and any attribute; `true` writes an empty attribute, `false`, `null` and `undefined` none.
 * Children may be nodes, strings, or `null`/`false` for nothing.
 *
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      made.textContent = value;
    } else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        made.addEventListener(event, listener);
      }
    } else if (name === "dataset") {
      Object.assign(made.dataset, value);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== false));
  return made;
}

/**
 * A picture that the server drew, as an element of this document.
 *
 * @param {string} svg
 * @returns {SVGElement}
 */
export function picture(svg) {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return document.importNode(drawn, true);
}

/**
 * A picture for decoration: its words are hidden from screen readers, since the text beside it
 * says what it shows.
 *
 * @param {string} svg
 * @returns {SVGElement}
 */
export function decoration(svg) {
  const drawn = picture(svg);
  drawn.removeAttribute("role");
  drawn.setAttribute("aria-hidden", "true");
  drawn.querySelector("title")?.remove();
  return drawn;
}

let lastId = 0;

/** An id that no other element of this page has, for labels and lists. */
export function freshId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/** A message as a sentence: it begins with a capital and ends with a full stop. */
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
