/** The pages of the documentation, which the server renders: what needs a script is added here. */

import { startPage } from "../shared/page.js";

startPage({ section: "help" });
for (const region of document.querySelectorAll("article pre, article table")) {
  region.setAttribute("tabindex", "0"); // what scrolls can then be scrolled by keyboard
}
