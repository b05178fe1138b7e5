/** What has happened at a table between two messages, in words for people who listen. */

import { isHuman } from "../dialogs/player-form.js";
import { ownSide, turnOf } from "./player-bars.js";

/**
 * The sentences to say when a table changes from `before` (null at first) to `after`.
 *
 * @returns {string[]}
 */
export function changeTexts(before, after) {
  if (before === null) {
    return [after.result === null ? turnSentence(after) : after.result.reason];
  }
  const texts = after.live === null ? moveTexts(before, after) : [];
  if (after.result !== null && before.result === null) {
    texts.push(`Game over. ${after.result.reason}.`);
  } else if (texts.length > 0 && after.result === null && isHuman(after.players[turnOf(after)])) {
    texts.push(turnSentence(after));
  }
  if (after.current !== before.current && after.current !== after.head) {
    texts.push(lookedAt(after));
  }
  return texts;
}

function moveTexts(before, after) {
  const shared = after.main.findIndex((id, index) => before.main[index] !== id);
  if (shared < 0) {
    return after.main.length < before.main.length ? ["Taken back."] : [];
  }
  const nodes = new Map(after.nodes.map((node) => [node.id, node]));
  return after.main.slice(shared).map((id) => {
    const node = nodes.get(id);
    return `${after.game.players[nodes.get(node.parent).turn]}: ${node.move}.`;
  });
}

function turnSentence(table) {
  const turn = turnOf(table);
  return turn === ownSide(table) ? "Your move." : `${table.game.players[turn]} to move.`;
}

function lookedAt(table) {
  const node = table.nodes.find(({ id }) => id === table.current);
  return node.move === null ? "The start." : `After ${node.move}.`;
}
