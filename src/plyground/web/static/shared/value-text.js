/**
 * Values as labels, as words, and as a share between the two players. Pure functions.
 *
 * A value is the first player's, on the scale of the searches: beyond ±DECIDED it is a win
 * WIN - |value| plies away, otherwise an evaluation, or a margin in units of which `point` make
 * a point (0: a game that is only won or lost).
 */

import { counted } from "./text.js";

/** @import { Side } from "./protocol.d.ts" */

/**
 * What is needed of a game to write its values.
 *
 * @typedef {{players: [string, string], point: number}} Scale
 */

const WIN = 1_000_000_000;
const DECIDED = WIN - 100_000;

/**
 * How many plies away a decided win or loss is; null for an evaluation or a margin.
 *
 * @param {number} value
 */
function pliesToEnd(value) {
  return Math.abs(value) >= DECIDED ? WIN - Math.abs(value) : null;
}

/**
 * A signed number, with a real minus sign and at most two decimals.
 *
 * @param {number} number
 */
export function signed(number) {
  const digits = String(Math.abs(Math.round(number * 100) / 100));
  if (digits === "0") {
    return "0";
  }
  return number > 0 ? `+${digits}` : `−${digits}`;
}

/**
 * A value in a few characters: "win 3", "loss 4" (the first player's), "+2.5", "0".
 *
 * @param {number} value
 * @param {number} point
 */
export function shortValue(value, point) {
  const plies = pliesToEnd(value);
  if (plies !== null) {
    return `${value > 0 ? "win" : "loss"} ${plies}`;
  }
  return signed(point ? value / point : value);
}

/**
 * A bound of a window; null stands for infinity, whose sign depends on which bound it is.
 *
 * @param {number|null} bound
 * @param {"alpha"|"beta"} which
 * @param {number} point
 */
export function shortBound(bound, which, point) {
  return bound === null ? (which === "alpha" ? "−∞" : "+∞") : shortValue(bound, point);
}

/**
 * A value in words. In a tree a win is counted from the root, wherever its node is.
 *
 * @param {number} value
 * @param {Scale} scale
 */
export function valueText(value, { players, point }) {
  const plies = pliesToEnd(value);
  if (plies !== null) {
    const winner = players[value > 0 ? 0 : 1];
    return `${shortValue(value, point)}: ${winner} has won ${counted(plies, "ply", "plies")} ` +
      "from the root";
  }
  return point ? `${shortValue(value, point)} points` : shortValue(value, point);
}

/**
 * The search's reason for a cut, such as "beta -26 <= alpha 3", with its numbers as on the page.
 *
 * @param {string} reason
 * @param {number} point
 */
export function shortReason(reason, point) {
  return reason
    .replace(/-?\d+/g, (digits) => shortValue(Number(digits), point))
    .replace("<=", "≤")
    .replace(">=", "≥");
}

/** The margin, in points, that fills half of a player's side of the bar. */
const HALF_AT = 5;
/** Evaluations of the games differ in size from 1 to some 10,000: each tenfold is one step. */
const DECADES = 4;
/** No evaluation, however high, fills the bar as a win does. */
const UNDECIDED = 0.92;

/**
 * A value from -1 (the second player has won) to 1.
 *
 * @param {number} value
 * @param {number} point
 */
export function balance(value, point) {
  if (pliesToEnd(value) !== null) {
    return Math.sign(value);
  }
  if (point) {
    const margin = value / point;
    return margin / (Math.abs(margin) + HALF_AT);
  }
  const decades = Math.log10(1 + Math.abs(value)) / DECADES;
  return Math.sign(value) * UNDECIDED * Math.min(1, decades);
}

/**
 * The first player's share of the bar, in per cent.
 *
 * @param {number} value
 * @param {number} point
 */
export function share(value, point) {
  return 50 + 50 * balance(value, point);
}

/**
 * How a bar or a graph shows values, in words.
 *
 * @param {Scale} scale
 */
export function scaleText({ point, players }) {
  return point
    ? `The middle is even. A lead of ${HALF_AT} points fills half of a side, ` +
      `${3 * HALF_AT} points three quarters; above the middle ${players[0]} leads.`
    : "The middle is even. Evaluations are of the game's own scale, so every tenfold " +
      `(1, 10, 100 ...) takes the same step towards ${players[0]} or ${players[1]}; ` +
      "only a proven win fills a side.";
}

/**
 * The side that a value favours, or null where none is ahead.
 *
 * @param {number} value
 * @returns {Side|null}
 */
export function leaderOf(value) {
  return value === 0 ? null : value > 0 ? 0 : 1;
}

/**
 * A value with the name of the player whom it favours, as the server writes it: "Red +1.2",
 * "Yellow wins in 5 plies", "even".
 *
 * @param {number} value
 * @param {Scale} scale
 */
export function leaderText(value, { players, point }) {
  const leader = leaderOf(value);
  if (leader === null) {
    return "even";
  }
  const plies = pliesToEnd(value);
  if (plies === null) {
    return `${players[leader]} ${shortValue(Math.abs(value), point)}`;
  }
  return plies === 0
    ? `${players[leader]} has won`
    : `${players[leader]} wins in ${counted(plies, "ply", "plies")}`;
}

/**
 * The same in as few characters as fit a cell, with the player's initial: "R +1.2", "Y in 5".
 *
 * @param {number} value
 * @param {Scale} scale
 */
export function markText(value, { players, point }) {
  const leader = leaderOf(value);
  return leader === null ? "even" : `${players[leader].charAt(0)} ${leadText(value, point)}`;
}

/**
 * How far the player whom a value favours is ahead: "+1.2", "in 5".
 *
 * @param {number} value
 * @param {number} point
 */
export function leadText(value, point) {
  const plies = pliesToEnd(value);
  if (plies === null) {
    return shortValue(Math.abs(value), point);
  }
  return plies === 0 ? "won" : `in ${plies}`;
}
