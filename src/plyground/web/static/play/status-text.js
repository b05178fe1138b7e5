/** The state of a game in words, and what has changed in it. Pure functions. */

import { humanSide, isHuman, nodeOf, sideToMove } from "../shared/table.js";
import { labelOf, sentence } from "../shared/text.js";

/** @import { Result, Table } from "../shared/protocol.d.ts" */

/**
 * A headline and a line below it (or "").
 *
 * @param {Table} table
 * @returns {[string, string]}
 */
export function statusTexts(table) {
  const { game, result, players, live } = table;
  if (result !== null) {
    return [resultHeadline(table, result), sentence(result.reason)];
  }
  const side = sideToMove(table) ?? 0;
  const name = game.players[side];
  const score = scoreText(table);
  if (live !== null) {
    return [liveText(table), score];
  }
  if (isHuman(players[side])) {
    return [humanSide(table) === side ? `Your move, ${name}` : `${name} to move`, score];
  }
  return [table.paused ? "Paused" : `${name} is thinking…`, score];
}

/**
 * How a game ended, for the person who played it.
 *
 * @param {Table} table
 * @param {Result} result
 */
function resultHeadline(table, { winner }) {
  const human = humanSide(table);
  if (winner === null) {
    return "A draw";
  }
  if (human === null) {
    return `${table.game.players[winner]} wins`;
  }
  return winner === human ? "You won" : "You lost";
}

/**
 * Whether the only person at a table has lost the game.
 *
 * @param {Table} table
 */
export function isLost(table) {
  const human = humanSide(table);
  const winner = table.result?.winner ?? null;
  return human !== null && winner !== null && winner !== human;
}

/** @param {Table} table */
function liveText({ live, main }) {
  if (live?.preparing) {
    return "Preparing the engine…";
  }
  if (live?.running) {
    return "The game runs";
  }
  return main.length > 1 ? "Paused" : "Ready to start";
}

/**
 * The options of a table that differ from the game's defaults.
 *
 * @param {Table} table
 */
export function optionsText({ options }) {
  return Object.entries(options)
    .map(([name, value]) =>
      value === true ? labelOf(name) : `${labelOf(name)}: ${labelOf(String(value))}`
    )
    .join(", ");
}

/** @param {Table} table */
function scoreText({ view, game }) {
  if (view.score === null) {
    return "";
  }
  const leader = game.players[view.score > 0 ? 0 : 1];
  return view.score === 0 ? "The score is even." : `${leader} leads by ${Math.abs(view.score)}.`;
}

/**
 * The sentences that screen readers say when a table changes.
 *
 * @param {Table|null} before null at first
 * @param {Table} after
 * @returns {string[]}
 */
export function changeTexts(before, after) {
  if (before === null) {
    return [after.result === null ? turnText(after) : after.result.reason];
  }
  const texts = after.live === null ? moveTexts(before, after) : [];
  const side = sideToMove(after);
  if (after.result !== null && before.result === null) {
    texts.push(`${resultHeadline(after, after.result)}: ${after.result.reason}.`);
  } else if (texts.length > 0 && side !== null && isHuman(after.players[side])) {
    texts.push(turnText(after));
  }
  if (after.current !== before.current && after.current !== after.head) {
    const { move } = nodeOf(after, after.current);
    texts.push(move === null ? "The start." : `After ${move}.`);
  }
  return texts;
}

/**
 * @param {Table} before
 * @param {Table} after
 */
function moveTexts(before, after) {
  const firstNew = after.main.findIndex((id, index) => before.main[index] !== id);
  if (firstNew < 0) {
    return after.main.length < before.main.length ? ["Taken back."] : [];
  }
  return after.main.slice(firstNew).map((id) => {
    const node = nodeOf(after, id);
    const mover = node.parent === null ? 0 : nodeOf(after, node.parent).turn;
    return `${after.game.players[mover]}: ${node.move}.`;
  });
}

/** @param {Table} table */
function turnText(table) {
  const side = sideToMove(table) ?? 0;
  return side === humanSide(table) ? "Your move." : `${table.game.players[side]} to move.`;
}
