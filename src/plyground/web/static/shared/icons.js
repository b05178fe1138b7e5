/** The icons of buttons, drawn as lines so that they look the same everywhere. */

import { svgElement } from "./svg.js";

/** @typedef {keyof typeof PATHS} IconName */

const PATHS = {
  first: "M5 4v12M15 4l-8 6 8 6z",
  previous: "M13 4l-8 6 8 6z",
  next: "M7 4l8 6-8 6z",
  last: "M15 4v12M5 4l8 6-8 6z",
  takeback: "M7 4 3 8l4 4M3 8h9a4 4 0 0 1 0 8H8",
  hint: "M7.5 14.5h5M8.5 17h3M10 3a5 5 0 0 0-3 9c.5.5.5 1 .5 2.5h5c0-1.5 0-2 .5-2.5a5 5 0 0 0-3-9z",
  flip: "M6 3v13M3 13l3 3 3-3M14 17V4M11 7l3-3 3 3",
  swap: "M4 7h12M13 4l3 3-3 3M16 13H4M7 10l-3 3 3 3",
  players: "M7 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 16c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5" +
    "M12.5 9.5a2.3 2.3 0 1 0 0-4.5M13.5 11.7c2.5 0 4 1.5 4 4.3",
  resign: "M5 17V3M5 4h10l-2.5 3L15 10H5",
  new: "M10 4v12M4 10h12",
  pause: "M7 4v12M13 4v12",
  analyse: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
  replay: "M4.5 12a6 6 0 1 0 .5-5M4.5 3v4h4",
  save: "M10 3v10M6 9l4 4 4-4M4 16.5h12",
};

/**
 * An icon. Screen readers skip it: the button that holds it has a name.
 *
 * @param {IconName} name
 */
export function icon(name) {
  return svgElement(
    "svg",
    { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" },
    svgElement("path", { d: PATHS[name] }),
  );
}
