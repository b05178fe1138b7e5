/** The rules of a game: a dialog with their text and a picture, and the buttons that open it. */

import { fetchView } from "../shared/api.js";
import { button } from "../shared/controls.js";
import { openDialog } from "../shared/dialog.js";
import { decorativeSvg, element, find } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { prose } from "../shared/prose.js";

/** @import { GameCard, View } from "../shared/protocol.d.ts" */

/**
 * Open the dialog. The picture, and how a move is made on the board, follow when they are loaded.
 *
 * @param {GameCard} card
 */
export async function openRules(card) {
  const picture = element("div", { class: "rules-picture" });
  const handling = element("p", { class: "rules-handling" });
  const text = card.rules === "" ? card.summary : card.rules;
  openDialog(
    `Rules of ${card.title}`,
    [
      element(
        "div",
        { class: "rules" },
        picture,
        element("div", { class: "stack rules-text" }, ...prose(text), handling),
      ),
    ],
    { kind: "wide" },
  );
  try {
    const view = await fetchView({ game: card.name });
    picture.append(decorativeSvg(view.svg));
    handling.textContent = handlingText(view);
  } catch {
    // The text alone is enough.
    picture.remove();
  }
}

/**
 * A button that opens the rules of a game.
 *
 * @param {GameCard} card
 * @param {Record<string, any>} [attributes]
 */
export function rulesButton(card, attributes = {}) {
  return button("Rules", () => openRules(card), attributes);
}

/**
 * Put a button for the rules into the header of this page, and register its key.
 *
 * @param {GameCard} card
 */
export function addRulesToHeader(card) {
  const made = rulesButton(card, { class: "button small", title: "Rules of the game (I)" });
  find(document, "header.top .tools").prepend(made);
  registerKeys([{ keys: ["i"], description: "Rules of the game", action: () => openRules(card) }]);
}

/**
 * How moves are made on the board.
 *
 * @param {View} view
 */
function handlingText({ moves, svg }) {
  if (moves.some(({ key }) => key !== "")) {
    return "On this board: press an arrow key or the space bar, click a cell, or use the buttons " +
      "beside the board.";
  }
  if (!svg.includes("data-cell=")) {
    return "On this board: click the button of a move, or type it.";
  }
  return moves.every(({ touches }) => touches.length === 1)
    ? "On this board: click the cell in which you play."
    : "On this board: click a piece and then its target, or drag it there.";
}
