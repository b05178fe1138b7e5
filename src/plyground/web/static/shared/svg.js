/** SVG made by hand: elements with attributes, and texts in their middle. */

const SPACE = "http://www.w3.org/2000/svg";

/**
 * An SVG element; attributes that are null are left out.
 *
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A text whose middle is at (x, y), unless `anchor` says otherwise. */
export function label(x, y, text, className, anchor = "middle") {
  return shape(
    "text",
    { x, y, class: className, "text-anchor": anchor, "dominant-baseline": "central" },
    text,
  );
}
