/** Places and lines of a table: what the server needs to find a position again. No page here. */

/** The nodes from the start to a node, as ids. */
export function pathOf(table, id) {
  const parents = new Map(table.nodes.map((node) => [node.id, node.parent]));
  const path = [];
  for (let at = id; at !== null && at !== undefined; at = parents.get(at)) {
    path.unshift(at);
  }
  return path;
}

/** The line through a node: the way to it, then on by first children; the game's own if it is. */
export function lineThrough(table, id) {
  if (table.main.includes(id)) {
    const beyond = table.main.length > 1 ? [] : onward(table, table.main.at(-1));
    return [...table.main, ...beyond];
  }
  return [...pathOf(table, id), ...onward(table, id)];
}

function onward(table, id) {
  const line = [];
  let next = firstChild(table, id);
  while (next !== null) {
    line.push(next);
    next = firstChild(table, next);
  }
  return line;
}

/** The node that follows: the game's next one, else the first variation; null at an end. */
export function firstChild(table, id) {
  const children = table.nodes.filter((node) => node.parent === id);
  const main = children.find((node) => table.main.includes(node.id));
  return (main ?? children[0])?.id ?? null;
}

/** The Place of a node: the table's start, then the moves to it (and `more` moves). */
export function placeOf(table, id, more = []) {
  const byId = new Map(table.nodes.map((node) => [node.id, node]));
  const moves = pathOf(table, id).slice(1).map((at) => byId.get(at).move);
  const known = new Set(
    table.game.options.filter((option) => option.with_text).map((option) => option.name),
  );
  const options = Object.fromEntries(
    Object.entries(table.options).filter(([name]) => known.has(name)),
  );
  return { game: table.game.name, text: table.start, options, moves: [...moves, ...more] };
}

/** A node in words: "the start" or "move 5, a2-a3". */
export function placeWords(table, id) {
  const path = pathOf(table, id);
  const move = table.nodes.find((node) => node.id === id)?.move;
  return path.length === 1 ? "the start" : `ply ${path.length - 1}, after ${move}`;
}
