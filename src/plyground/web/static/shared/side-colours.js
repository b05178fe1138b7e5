/** The players' colours: swatches beside their names, and what can be read on them. */

import { element } from "./dom.js";

/** @import { Pair, Side } from "./protocol.d.ts" */

/**
 * A dot in a player's colour, beside a text that names the player.
 *
 * @param {string} colour
 */
export function swatch(colour) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  setSwatch(made, colour);
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {string|null} colour null hides it
 */
export function setSwatch(made, colour) {
  made.hidden = colour === null;
  made.style.backgroundColor = colour ?? "";
}

/**
 * The colour of a side; null where no side is meant.
 *
 * @param {Side|null} side
 * @param {{colours: Pair<string>}} game
 */
export function colourOf(side, { colours }) {
  return side === null ? null : colours[side];
}

/**
 * The colour of text on a ground: dark on light, light on dark.
 *
 * @param {string} ground such as "#2d5fa8"
 */
export function inkOn(ground) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(ground.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where black and white are read equally well.
  return luminance > 0.179 ? "#14171b" : "#ffffff";
}
