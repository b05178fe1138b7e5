/** Opens files: chosen with a button, or dropped anywhere on the page. */

import { errorMessage, importFile, RequestError } from "./api.js";
import { openDialog } from "./dialog.js";
import { element } from "./dom.js";
import { registerKeys } from "./keyboard.js";
import { showError } from "./notifications.js";
import { sentence } from "./text.js";

/** @import { GameCard } from "./protocol.d.ts" */

const LARGEST = 60_000;

/**
 * Let files be opened on this page: records, and the positions, boards and scenarios of games.
 *
 * @param {Object} parts
 * @param {HTMLElement} parts.button
 * @param {HTMLInputElement} parts.input
 * @param {GameCard[]} parts.cards
 * @param {(id: string) => void} parts.onOpened called with the id of the new session
 */
export function acceptFiles({ button, input, cards, onOpened }) {
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) {
      openFile(file, cards, onOpened);
    }
    input.value = "";
  });
  registerKeys([{ keys: ["o"], description: "Open a file", action: () => input.click() }]);
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) {
      event.preventDefault();
      document.body.classList.add("dropping");
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      document.body.classList.remove("dropping");
    }
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (file) {
      event.preventDefault();
      openFile(file, cards, onOpened);
    }
  });
}

/**
 * @param {File} file
 * @param {GameCard[]} cards
 * @param {(id: string) => void} onOpened
 * @param {string} [game] whose file it is, where several games can read it
 */
async function openFile(file, cards, onOpened, game) {
  if (file.size > LARGEST) {
    showError(`${file.name} is too large: files of up to 60 kB can be opened here.`);
    return;
  }
  try {
    onOpened(await importFile({ name: file.name, text: await file.text(), game }));
  } catch (error) {
    if (error instanceof RequestError && error.response?.games) {
      chooseGame(file, cards, error, (chosen) => openFile(file, cards, onOpened, chosen));
    } else {
      showError(errorMessage(error));
    }
  }
}

/**
 * @param {File} file
 * @param {GameCard[]} cards
 * @param {RequestError} error whose response names the games that can read the file
 * @param {(game: string) => void} onChosen
 */
function chooseGame(file, cards, error, onChosen) {
  const titles = new Map(cards.map((card) => [card.name, card.title]));
  /** @type {string[]} */
  const games = error.response.games;
  const buttons = games.map((name) =>
    element("button", {
      type: "button",
      class: "button",
      text: titles.get(name) ?? name,
      on: {
        click: () => {
          dialog.close();
          onChosen(name);
        },
      },
    })
  );
  const dialog = openDialog(
    `Which game is ${file.name}?`,
    [element("p", { text: sentence(error.message) }), element("div", { class: "row" }, ...buttons)],
    { kind: "small" },
  );
}
