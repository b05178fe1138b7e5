/** A page whose table does not exist: said in its place, with a way out. */

import { get } from "./api.js";
import { element } from "./dom.js";

/**
 * Find out why a table's socket does not open. If there is no such table the page says so and the
 * socket gives up; otherwise the connection is only late, and nothing is said.
 *
 * @param {string} id
 * @param {Socket} socket
 */
export async function explainAbsence(id, socket) {
  try {
    await get(`/api/tables/${id}`);
  } catch (error) {
    if (error.status !== 404) {
      return;
    }
    socket.close();
    showAbsence();
  }
}

/** There is no such table: nothing else is on the page. */
export function showAbsence() {
  const page = document.querySelector("main");
  page.className = "stack";
  page.inert = false;
  page.replaceChildren(
    element("h1", { text: "There is no such game" }),
    element("p", { text: "It may have been deleted." }),
    element("p", {}, element("a", { class: "button", href: "/", text: "To the games" })),
  );
}
