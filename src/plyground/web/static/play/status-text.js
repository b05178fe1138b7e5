/** The state of a game in words, and what has changed in it. Pure functions. */

import { humanSide, isHuman, nodeOf, sideToMove } from "../shared/session.js";
import { labelOf, sentence } from "../shared/text.js";

/** @import { Result, Table } from "../shared/protocol.d.ts" */

/**
 * A headline and a line below it (or "").
 *
 * @param {Table} session
 * @returns {[string, string]}
 */
export function statusTexts(session) {
  const { game, result, players, live } = session;
  if (result !== null) {
    return [resultHeadline(session, result), sentence(result.reason)];
  }
  const side = sideToMove(session) ?? 0;
  const name = game.players[side];
  const score = scoreText(session);
  if (live !== null) {
    return [liveText(session), score];
  }
  if (isHuman(players[side])) {
    return [humanSide(session) === side ? `Your move, ${name}` : `${name} to move`, score];
  }
  return [session.paused ? "Paused" : `${name} is thinking…`, score];
}

/**
 * How a game ended, for the person who played it.
 *
 * @param {Table} session
 * @param {Result} result
 */
function resultHeadline(session, { winner }) {
  const human = humanSide(session);
  if (winner === null) {
    return "A draw";
  }
  if (human === null) {
    return `${session.game.players[winner]} wins`;
  }
  return winner === human ? "You won" : "You lost";
}

/**
 * Whether the only person in a session has lost the game.
 *
 * @param {Table} session
 */
export function isLost(session) {
  const human = humanSide(session);
  const winner = session.result?.winner ?? null;
  return human !== null && winner !== null && winner !== human;
}

/** @param {Table} session */
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
 * The options of a session that differ from the game's defaults.
 *
 * @param {Table} session
 */
export function optionsText({ options }) {
  return Object.entries(options)
    .map(([name, value]) =>
      value === true ? labelOf(name) : `${labelOf(name)}: ${labelOf(String(value))}`
    )
    .join(", ");
}

/** @param {Table} session */
function scoreText({ view, game }) {
  if (view.score === null) {
    return "";
  }
  const leader = game.players[view.score > 0 ? 0 : 1];
  return view.score === 0 ? "The score is even." : `${leader} leads by ${Math.abs(view.score)}.`;
}

/**
 * The sentences that screen readers say when a session changes.
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

/** @param {Table} session */
function turnText(session) {
  const side = sideToMove(session) ?? 0;
  return side === humanSide(session) ? "Your move." : `${session.game.players[side]} to move.`;
}
