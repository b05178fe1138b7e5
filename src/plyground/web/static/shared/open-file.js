/** Files that people open: chosen with a button, or dropped anywhere on the page. */

import { post } from "./api.js";
import { openDialog } from "../dialogs/dialog.js";
import { element } from "./dom.js";
import { complain, registerKeys } from "./page.js";

const LARGEST = 60_000;

/**
 * Let files be opened on this page: records, and the positions, boards and scenarios of games.
 *
 * @param {{button: HTMLElement, input: HTMLInputElement, cards: Object[],
 *   onOpened: function(string): void}} parts `onOpened` gets the id of the table
 */
export function acceptFiles({ button, input, cards, onOpened }) {
  const open = (file) => file && openFile(file, cards, onOpened);
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    open(input.files[0]);
    input.value = "";
  });
  registerKeys([{ keys: ["o"], description: "Open a file", action: () => input.click() }]);
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) {
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
    if (event.dataTransfer.files.length > 0) {
      event.preventDefault();
      open(event.dataTransfer.files[0]);
    }
  });
}

async function openFile(file, cards, onOpened, game = null) {
  if (file.size > LARGEST) {
    complain(`${file.name} is too large: files of up to 60 kB can be opened here.`);
    return;
  }
  const body = { name: file.name, text: await file.text(), ...(game && { game }) };
  try {
    onOpened((await post("/api/open", body)).id);
  } catch (error) {
    if (error.answer?.games) {
      chooseGame(file, cards, error, (chosen) => openFile(file, cards, onOpened, chosen));
    } else {
      complain(error.message);
    }
  }
}

function chooseGame(file, cards, error, onChosen) {
  const titles = new Map(cards.map((card) => [card.name, card.title]));
  const buttons = error.answer.games.map((name) =>
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
    }),
  );
  const dialog = openDialog(
    `Which game is ${file.name}?`,
    [element("p", { text: error.message }), element("div", { class: "row" }, ...buttons)],
    { kind: "small" },
  );
}
