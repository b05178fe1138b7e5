/**
 * What every page has: the header with its links, the choice of colours, the keys that `?` lists,
 * a voice for screen readers and a place for complaints.
 *
 * A page's HTML has an empty `<header class="top">`; `startPage` fills it.
 */

import { openDialog } from "../dialogs/dialog.js";
import { element } from "./dom.js";

const SECTIONS = [
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["tree", "Tree"],
  ["replay", "Replay"],
];

/**
 * Fill the header and listen to keys.
 *
 * @param {{section?: string, id?: string|null}} where the page's own name ("play") and its table
 */
export function startPage({ section = "home", id = null } = {}) {
  const header = document.querySelector("header.top");
  header.replaceChildren(
    element(
      "a",
      { class: "brand", href: "/", "aria-label": "plyground: home" },
      element("img", { src: "/static/shared/icon.svg", alt: "", width: 28, height: 28 }),
      element("span", { text: "plyground" }),
    ),
    ...(section === "home" ? [] : [navigation(section, id)]),
    element("div", { class: "row tools" }, themeButton(), keysButton()),
  );
  registerKeys([{ keys: ["?"], description: "Show the keys", action: showKeys }]);
}

/** The id of the table in this page's address (`/play/ID`), or null. */
export function tableId() {
  return location.pathname.split("/")[2] || null;
}

function navigation(section, id) {
  const links = [["home", "Home", "/"]];
  if (id !== null) {
    links.push(...SECTIONS.map(([name, title]) => [name, title, `/${name}/${id}`]));
  }
  return element(
    "nav",
    { "aria-label": "Pages" },
    ...links.map(([name, title, href]) =>
      element("a", { href, text: title, "aria-current": name === section ? "page" : null }),
    ),
  );
}

// Voice and complaints

/** Say something to screen readers, when they are done with what they are saying. */
export function announce(text) {
  const line = element("p", { text });
  region("announcements", { class: "unseen", "aria-live": "polite" }).append(line);
  setTimeout(() => line.remove(), 6000);
}

/** Show what went wrong, and say it at once. It goes when it is closed, or after a while. */
export function complain(text) {
  const host = region("complaints", { class: "complaints" });
  const close = element("button", {
    type: "button",
    class: "cross",
    "aria-label": "Close the message",
    text: "×",
  });
  const line = element("div", { class: "complaint", role: "alert" }, element("p", { text }), close);
  close.addEventListener("click", () => line.remove());
  host.replaceChildren(line);
  setTimeout(() => line.remove(), 12000);
}

/** A place for messages: in the open dialog if there is one, since all else is inert then. */
function region(id, attributes) {
  const host = document.getElementById(id) ?? element("div", { id, ...attributes });
  const home = document.querySelector("dialog[open]") ?? document.body;
  if (host.parentElement !== home) {
    home.append(host);
  }
  return host;
}

// Keys

const registered = [];
const KEY_NAMES = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  Escape: "Esc",
};
const LETTERS_OFF = "plyground-letters-off";

/**
 * Keys of this page. Each entry is {keys: ["f"], description, action(event), when?(key),
 * listed?()}: keys by their DOM names, whether they mean something now, and whether they belong in
 * the list that `?` shows. Keys do nothing while somebody types in a field, while a dialog is open,
 * or when something on the page has used them already. An entry without an action is only listed.
 * Returns a function that takes them away again.
 */
export function registerKeys(entries) {
  registered.push(...entries);
  return () => {
    for (const entry of entries) {
      registered.splice(registered.indexOf(entry), 1);
    }
  };
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) {
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key.length === 1 && key !== " " && key !== "?" && lettersOff()) {
    return;
  }
  if ((key === " " || key === "Enter") && event.target.closest("button, a, summary, [tabindex]")) {
    return;
  }
  const entry = registered.find(
    ({ keys, action, when }) => action && keys.includes(key) && (!when || when(key)),
  );
  if (entry) {
    event.preventDefault();
    entry.action(event);
  }
});

function isTyping(target) {
  return target.closest("input:not([type=checkbox], [type=radio]), textarea, select") !== null;
}

function lettersOff() {
  return stored(LETTERS_OFF) === "yes";
}

function showKeys() {
  const known = registered.filter(({ listed }) => !listed || listed());
  const rows = known.map(({ keys, description }) =>
    element(
      "div",
      {},
      element("dt", {}, ...keys.map((key) => element("kbd", { text: keyName(key) }))),
      element("dd", { text: description }),
    ),
  );
  const letters = element("input", { type: "checkbox" });
  letters.checked = !lettersOff();
  letters.addEventListener("change", () => store(LETTERS_OFF, letters.checked ? null : "yes"));
  openDialog("Keys", [
    element("dl", { class: "keys" }, ...rows),
    element("label", { class: "check" }, letters, "Single letters work as keys"),
  ]);
}

function keyName(key) {
  return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
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

// Colours

const THEMES = { system: "System colours", light: "Light colours", dark: "Dark colours" };
const THEME_SIGNS = { system: "◐", light: "☀", dark: "☾" };

function themeButton() {
  const sign = element("span", { "aria-hidden": "true" });
  const button = element("button", { type: "button", class: "button quiet" }, sign);
  const show = () => {
    const now = chosenTheme();
    sign.textContent = THEME_SIGNS[now];
    button.setAttribute("aria-label", `Colours: ${now}`);
    button.title = THEMES[now];
  };
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    setTheme(names[(names.indexOf(chosenTheme()) + 1) % names.length]);
    show();
    announce(THEMES[chosenTheme()]);
  });
  show();
  return button;
}

function chosenTheme() {
  return document.documentElement.dataset.theme ?? "system";
}

function setTheme(name) {
  if (name === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = name;
  }
  store("plyground-theme", name === "system" ? null : name);
}

/** What this browser remembers under a name, or null; also where it remembers nothing. */
export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remember a text in this browser, or forget it (null). */
export function store(name, value) {
  try {
    if (value === null) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, value);
    }
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
