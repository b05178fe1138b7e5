/** The dialog that changes who plays, in the middle of a game. */

import { openDialog } from "./dialog.js";
import { element } from "../shared/dom.js";
import { PlayerForm } from "./player-form.js";

/**
 * Open it for a table; `onChosen` gets the two PlayerSpecs.
 *
 * @param {Object} table
 * @param {function(Object[]): void} onChosen
 */
export function openPlayers(table, onChosen) {
  const forms = table.game.players.map((name, side) => new PlayerForm(name, table.players[side]));
  const form = element(
    "form",
    { class: "stack" },
    ...forms.map((player) => player.element),
    element(
      "div",
      { class: "row end" },
      element("button", { type: "submit", class: "button primary", text: "Play on like this" }),
    ),
  );
  const dialog = openDialog("Who plays?", [form]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    onChosen(forms.map((player) => player.spec));
  });
}
