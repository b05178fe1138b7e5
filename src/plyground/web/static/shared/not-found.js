/** What a page shows when its table does not exist. */

import { fetchTable, RequestError } from "./api.js";
import { element, find } from "./dom.js";

/**
 * Find out why a table's socket does not open. If the table does not exist the page says so and
 * the socket is closed; otherwise the connection is only late.
 *
 * @param {string} id
 * @param {{close: () => void}} socket
 */
export async function checkTableExists(id, socket) {
  try {
    await fetchTable(id);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) {
      socket.close();
      showNotFound();
    }
  }
}

/** Replace the page by the message that the table does not exist. */
export function showNotFound() {
  const page = find(document, "main");
  page.className = "stack";
  page.inert = false;
  page.replaceChildren(
    element("h1", { text: "There is no such game" }),
    element("p", { text: "It may have been deleted." }),
    element("p", {}, element("a", { class: "button", href: "/", text: "To the games" })),
  );
}
