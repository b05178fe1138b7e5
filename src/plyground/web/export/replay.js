// The script of the one-file replay. Everything it shows is in the file itself.

/**
 * @typedef {Object} ReplayData By ply.
 * @property {string[]} pieces texts of SVG that the drawings share
 * @property {number[][]} frames each drawing, as indices of its pieces
 * @property {string[][]} touches the cells of the last move
 * @property {string[]} words
 * @property {string[]} comments
 */

/** @type {ReplayData} */
const game = JSON.parse(byId("game").textContent ?? "");
const board = byId("board");
const status = byId("status");
const comment = byId("comment");
const slider = /** @type {HTMLInputElement} */ (byId("slider"));
const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
const rules = /** @type {HTMLDialogElement} */ (byId("rules"));
const [first, previous, run, next, end, theme, showRules, closeRules] = [
  "first",
  "previous",
  "run",
  "next",
  "last",
  "theme",
  "show-rules",
  "close-rules",
].map((id) => /** @type {HTMLButtonElement} */ (byId(id)));
const list = byId("moves");
const moves = [...list.querySelectorAll("button")];
const last = game.frames.length - 1;
const themes = ["system", "light", "dark"];

let ply = 0;
/** @type {number|null} */
let timer = null;

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
}

/**
 * The drawing of a position, put together from the pieces that all positions share.
 *
 * @param {number} number
 */
function drawing(number) {
  const text = game.frames[number].map((piece) => game.pieces[piece]).join("");
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

/**
 * Frame the cells of the last move, below the pieces on them.
 *
 * @param {string[]} cells
 */
function markMove(cells) {
  for (const name of cells) {
    const cell = board.querySelector(`[data-cell="${CSS.escape(name)}"]`);
    if (!(cell instanceof SVGGraphicsElement)) continue;
    const { x, y, width, height } = cell.getBBox();
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const box = { x: x + 2, y: y + 2, width: width - 4, height: height - 4, class: "last" };
    for (const [name, value] of Object.entries(box)) frame.setAttribute(name, String(value));
    cell.after(frame);
  }
}

/**
 * Show the position after so many moves.
 *
 * @param {number} number
 */
function show(number) {
  ply = Math.max(0, Math.min(last, number));
  board.replaceChildren(drawing(ply));
  markMove(game.touches[ply]);
  slider.value = String(ply);
  slider.setAttribute("aria-valuetext", game.words[ply]);
  status.textContent = game.words[ply];
  comment.textContent = game.comments[ply];
  comment.hidden = !game.comments[ply];
  moves.forEach((button, index) => {
    if (index === ply) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  scrollToRow(moves[ply].parentElement ?? moves[ply]);
  first.disabled = ply === 0;
  previous.disabled = ply === 0;
  next.disabled = ply === last;
  end.disabled = ply === last;
  if (ply === last) stop();
}

/** @param {HTMLElement} row */
function scrollToRow(row) {
  const above = row.offsetTop - list.offsetTop;
  if (above < list.scrollTop || above + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = above - list.clientHeight / 2;
  }
}

function stop() {
  clearInterval(timer ?? undefined);
  timer = null;
  run.textContent = "Play";
}

function start() {
  if (last === 0) return;
  if (ply === last) show(0);
  stop();
  timer = setInterval(() => show(ply + 1), 1000 * Number(speed.value));
  run.textContent = "Stop";
}

function toggle() {
  if (timer === null) start();
  else stop();
}

/**
 * Go to a ply; the replay stops there.
 *
 * @param {number} number
 */
function go(number) {
  stop();
  show(number);
}

function changeTheme() {
  const root = document.documentElement;
  const now = root.dataset.theme ?? "system";
  const next = themes[(themes.indexOf(now) + 1) % themes.length];
  if (next === "system") delete root.dataset.theme;
  else root.dataset.theme = next;
  theme.textContent = `Theme: ${next}`;
}

/** @type {Record<string, () => void>} */
const keys = {
  ArrowLeft: () => go(ply - 1),
  ArrowRight: () => go(ply + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const isTyping = target?.closest("input, select, summary, dialog");
  const isPressing = event.key === " " && target?.closest("button");
  const action = keys[event.key];
  if (!action || isTyping || isPressing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
});

first.addEventListener("click", () => go(0));
previous.addEventListener("click", () => go(ply - 1));
next.addEventListener("click", () => go(ply + 1));
end.addEventListener("click", () => go(last));
theme.addEventListener("click", changeTheme);
showRules.addEventListener("click", () => rules.showModal());
closeRules.addEventListener("click", () => rules.close());
run.addEventListener("click", toggle);
run.disabled = last === 0;
slider.addEventListener("input", () => go(Number(slider.value)));
speed.addEventListener("change", () => {
  if (timer !== null) start();
});
moves.forEach((button, index) => button.addEventListener("click", () => go(index)));

show(0);
