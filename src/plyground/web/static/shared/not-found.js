/** What a page shows when its session does not exist, or when the server refuses the page. */

import { fetchSession, RequestError } from "./api.js";
import { element, find } from "./dom.js";

/**
 * Find out why a session's socket does not open. If the session does not exist, or this browser has
 * not the right token, the page says so and the socket is closed; otherwise the connection is only
 * late.
 *
 * @param {string} id
 * @param {{close: () => void}} socket
 */
export async function checkSessionExists(id, socket) {
  try {
    await fetchSession(id);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) {
      socket.close();
      showNotFound();
    } else if (error instanceof RequestError && error.status === 401) {
      socket.close();
      replacePage("This page has no access", error.message);
    }
  }
}

/** Replace the page by the message that the session does not exist. */
export function showNotFound() {
  replacePage("There is no such game", "It may have been deleted.");
}

/**
 * @param {string} title
 * @param {string} text
 */
function replacePage(title, text) {
  const page = find(document, "main");
  page.className = "stack";
  page.inert = false;
  page.replaceChildren(
    element("h1", { text: title }),
    element("p", { text }),
    element("p", {}, element("a", { class: "button", href: "/", text: "To the games" })),
  );
}
