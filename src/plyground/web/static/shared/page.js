/**
 * What every page has: the header with its links, the choice of colours, and the list of keys.
 *
 * A page's HTML has an empty `<header class="top">`; `startPage` fills it.
 */

import { element, find } from "./dom.js";
import { registerKeys, showKeys } from "./keyboard.js";
import { announce } from "./notifications.js";
import { writePreference } from "./preferences.js";

const SECTIONS = [
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["tree", "Tree"],
  ["replay", "Replay"],
];

/**
 * Fill the header and register the keys of every page.
 *
 * @param {{section?: string, id?: string|null}} [page] its section ("play") and its session
 */
export function startPage({ section = "home", id = null } = {}) {
  find(document, "header.top").replaceChildren(
    element(
      "a",
      { class: "brand", href: "/", "aria-label": "plyground: home" },
      element("img", { src: "/static/shared/icon.svg", alt: "", width: 28, height: 28 }),
      element("span", { text: "plyground" }),
    ),
    navigation(section, id),
    element("div", { class: "row tools" }, helpLink(), themeButton(), keysButton()),
  );
  registerKeys([{ keys: ["?"], description: "Show the keys", action: showKeys }]);
}

/** The id of the session in this page's address (`/play/ID`), or "". */
export function sessionId() {
  return location.pathname.split("/")[2] ?? "";
}

/**
 * Go to the page where a session is played.
 *
 * @param {string} id
 */
export function goToPlay(id) {
  location.assign(`/play/${id}`);
}

/**
 * @param {string} section
 * @param {string|null} id
 */
function navigation(section, id) {
  const links = [["home", "Home", "/"]];
  if (id) {
    links.push(...SECTIONS.map(([name, title]) => [name, title, `/${name}/${id}`]));
  } else {
    links.push(["arena", "Arena", "/arena"]);
  }
  return element(
    "nav",
    { "aria-label": "Pages" },
    ...links.map(([name, title, href]) =>
      element("a", { href, text: title, "aria-current": name === section ? "page" : null })
    ),
  );
}

function helpLink() {
  return element("a", { class: "button quiet", href: "/help", text: "Help" });
}

function keysButton() {
  return element("button", {
    type: "button",
    class: "button quiet",
    "aria-label": "Keys",
    title: "Keys (?)",
    text: "?",
    on: { click: showKeys },
  });
}

// Colours: theme.js applies the choice when a page loads

/** @typedef {keyof typeof THEMES} Theme */

const THEMES = { system: "System colours", light: "Light colours", dark: "Dark colours" };
const THEME_ICONS = { system: "◐", light: "☀", dark: "☾" };

function themeButton() {
  const icon = element("span", { "aria-hidden": "true" });
  const button = element("button", { type: "button", class: "button quiet" }, icon);
  const show = () => {
    const theme = currentTheme();
    icon.textContent = THEME_ICONS[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
    button.title = THEMES[theme];
  };
  button.addEventListener("click", () => {
    const names = /** @type {Theme[]} */ (Object.keys(THEMES));
    setTheme(names[(names.indexOf(currentTheme()) + 1) % names.length]);
    show();
    announce(THEMES[currentTheme()]);
  });
  show();
  return button;
}

/** @returns {Theme} */
function currentTheme() {
  return /** @type {Theme|undefined} */ (document.documentElement.dataset.theme) ?? "system";
}

/** @param {Theme} name */
function setTheme(name) {
  if (name === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = name;
  }
  writePreference("plyground-theme", name === "system" ? null : name);
}
