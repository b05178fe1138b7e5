/**
 * Helpers that build and find elements. The Content-Security-Policy forbids inline styles, and no
 * markup is made from strings, so everything is built as elements.
 */

/**
 * An element. `attributes` may hold `text` (its text), `on` (listeners by event name), `dataset`,
 * and any attribute; `true` writes an empty attribute, `false`, `null` and `undefined` none.
 * Children may be nodes, strings, or `null`/`false` for nothing.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      made.textContent = value;
    } else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        made.addEventListener(event, /** @type {EventListener} */ (listener));
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
 * The element of this page with an id; `type` if it must be more than an HTMLElement.
 *
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id
 * @param {new () => Type} [type]
 * @returns {Type}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) {
    throw new Error(`the page has no element ${id} of this type`);
  }
  return /** @type {Type} */ (found);
}

/**
 * The first element below `host` that matches. Throws if there is none.
 *
 * @param {ParentNode} host
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(host, selector) {
  const found = host.querySelector(selector);
  if (!(found instanceof HTMLElement)) {
    throw new Error(`the page has no element ${selector}`);
  }
  return found;
}

/**
 * The element that an event is about: its target, or the target's ancestor, that matches.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {(Element & HTMLOrSVGElement)|null}
 */
export function eventElement(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * A drawing from the server as an element of this document.
 *
 * @param {string} svg
 * @returns {SVGSVGElement}
 */
export function parseSvg(svg) {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return /** @type {any} */ (document.importNode(drawn, true));
}

/**
 * A drawing hidden from screen readers, since the text beside it says what it shows.
 *
 * @param {string} svg
 * @returns {SVGSVGElement}
 */
export function decorativeSvg(svg) {
  const drawn = parseSvg(svg);
  drawn.removeAttribute("role");
  drawn.setAttribute("aria-hidden", "true");
  drawn.querySelector("title")?.remove();
  return drawn;
}

/**
 * Change a text only if it is another one: screen readers would say it again, and a selection in
 * it would be lost.
 *
 * @param {Element} host
 * @param {string} text
 */
export function setText(host, text) {
  if (host.textContent !== text) {
    host.textContent = text;
  }
}

/**
 * Scroll `host` so that an element within it is in view.
 *
 * @param {Element} host
 * @param {Element} target
 */
export function scrollIntoHost(host, target) {
  const outer = host.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    host.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

let lastId = 0;

/**
 * An id that no other element of this page has.
 *
 * @param {string} stem
 */
export function uniqueId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/** Whether this browser is set to show as little motion as possible. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
