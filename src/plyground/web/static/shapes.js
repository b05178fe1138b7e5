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

/** Signs of buttons: drawn, because not every font has them. */
const ICONS = {
  first: "M3 3V13M13 3L6 8L13 13Z",
  back: "M12 3L5 8L12 13Z",
  forward: "M4 3L11 8L4 13Z",
  last: "M13 3V13M3 3L10 8L3 13Z",
};

/** The sign of a button that has its name elsewhere. */
export function icon(name) {
  return shape(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" },
    shape("path", { d: ICONS[name], fill: "currentColor", stroke: "currentColor",
      "stroke-width": 1.6, "stroke-linejoin": "round", "stroke-linecap": "round" }),
  );
}
