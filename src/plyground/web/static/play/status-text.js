/** How a game stands, in words. */

import { sentence } from "../shared/dom.js";
import { words } from "../dialogs/options-form.js";
import { isHuman } from "../dialogs/player-form.js";
import { ownSide, turnOf } from "./player-bars.js";

/** A headline and a line below it (or ""). */
export function statusTexts(table) {
  const { game, result, players, live } = table;
  if (result !== null) {
    const headline = result.winner === null ? "A draw" : `${game.players[result.winner]} wins`;
    return [headline, sentence(result.reason)];
  }
  const turn = turnOf(table);
  const name = game.players[turn];
  const score = scoreText(table);
  if (live !== null) {
    return [liveText(table), score];
  }
  if (isHuman(players[turn])) {
    return [ownSide(table) === turn ? `Your move, ${name}` : `${name} to move`, score];
  }
  return [table.paused ? "Paused" : `${name} is thinking…`, score];
}

function liveText({ live, main }) {
  if (live.running) {
    return "The game runs";
  }
  return main.length > 1 ? "Paused" : "Ready to start";
}

/** The options of a table that differ from the game's own, in words. */
export function optionsText(table) {
  return Object.entries(table.options)
    .map(([name, value]) => (value === true ? words(name) : `${words(name)}: ${words(`${value}`)}`))
    .join(", ");
}

function scoreText({ view, game }) {
  if (view.score === null) {
    return "";
  }
  const leader = game.players[view.score > 0 ? 0 : 1];
  return view.score === 0 ? "The score is even." : `${leader} leads by ${Math.abs(view.score)}.`;
}
