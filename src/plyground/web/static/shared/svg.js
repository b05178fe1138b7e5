/** Builds SVG elements. */

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An SVG element; attributes and children that are null are left out.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string|number|null|undefined>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A text whose middle is at (x, y), unless `anchor` is another one.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} className
 * @param {string} [anchor]
 */
export function svgText(x, y, text, className, anchor = "middle") {
  return svgElement(
    "text",
    { x, y, class: className, "text-anchor": anchor, "dominant-baseline": "central" },
    text,
  );
}
