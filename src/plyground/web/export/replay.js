// The script of the one-file replay. Everything it shows is in the file itself.

const game = JSON.parse(document.getElementById("game").textContent);
const board = document.getElementById("board");
const said = document.getElementById("said");
const comment = document.getElementById("comment");
const slider = document.getElementById("slider");
const speed = document.getElementById("speed");
const run = document.getElementById("run");
const moves = [...document.querySelectorAll("#moves button")];
const last = game.frames.length - 1;
const themes = ["system", "light", "dark"];

let ply = 0;
let timer = null;

/** The picture of a position, put together from the pieces that all positions share. */
function picture(number) {
  const text = game.frames[number].map((piece) => game.pieces[piece]).join("");
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

/** Frame the cells of the last move, below whatever stands on them. */
function markMove(cells) {
  for (const name of cells) {
    const cell = board.querySelector(`[data-cell="${CSS.escape(name)}"]`);
    if (!cell) continue;
    const { x, y, width, height } = cell.getBBox();
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const place = { x: x + 2, y: y + 2, width: width - 4, height: height - 4, class: "last" };
    for (const [attribute, value] of Object.entries(place)) frame.setAttribute(attribute, value);
    cell.after(frame);
  }
}

/** Show the position after so many moves. */
function show(number) {
  ply = Math.max(0, Math.min(last, number));
  board.replaceChildren(picture(ply));
  markMove(game.touches[ply]);
  slider.value = String(ply);
  slider.setAttribute("aria-valuetext", game.words[ply]);
  said.textContent = game.words[ply];
  comment.textContent = game.comments[ply];
  comment.hidden = !game.comments[ply];
  moves.forEach((button, index) => {
    if (index === ply) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const list = moves[ply].closest("ol");
  const row = moves[ply].parentElement;
  const above = row.offsetTop - list.offsetTop;
  if (above < list.scrollTop || above + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = above - list.clientHeight / 2;
  }
  document.getElementById("first").disabled = ply === 0;
  document.getElementById("previous").disabled = ply === 0;
  document.getElementById("next").disabled = ply === last;
  document.getElementById("last").disabled = ply === last;
  if (ply === last) stop();
}

function stop() {
  clearInterval(timer);
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

/** Go somewhere by hand: the replay no longer runs by itself. */
function go(number) {
  stop();
  show(number);
}

function nextTheme(button) {
  const now = document.documentElement.dataset.theme ?? "system";
  const next = themes[(themes.indexOf(now) + 1) % themes.length];
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  button.textContent = `Theme: ${next}`;
}

const keys = {
  ArrowLeft: () => go(ply - 1),
  ArrowRight: () => go(ply + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, summary");
  const pressing = event.key === " " && event.target.closest?.("button");
  const action = keys[event.key];
  if (!action || typing || pressing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
});

document.getElementById("first").addEventListener("click", () => go(0));
document.getElementById("previous").addEventListener("click", () => go(ply - 1));
document.getElementById("next").addEventListener("click", () => go(ply + 1));
document.getElementById("last").addEventListener("click", () => go(last));
document.getElementById("theme").addEventListener("click", (event) => nextTheme(event.target));
run.addEventListener("click", toggle);
run.disabled = last === 0;
slider.addEventListener("input", () => go(Number(slider.value)));
speed.addEventListener("change", () => {
  if (timer !== null) start();
});
moves.forEach((button, index) => button.addEventListener("click", () => go(index)));

show(0);
