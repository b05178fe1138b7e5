/**
 * Which nodes of a search tree are on show, and where. No page here.
 *
 * A tidy layout: leaves side by side in order, each parent at the middle of its children. Places
 * are in slots (`across` the tree) and plies (`deep`); the drawing turns them into pixels, from the
 * top down or from left to right.
 */

import { UNSEEN, pathTo } from "./searchtree.js";

/** Trees up to this many nodes are shown unfolded, and keep their places while they grow. */
export const SMALL = 120;

/**
 * The nodes that are unfolded. A person's own choice (`chosen`: a Map from node to boolean) comes
 * first. Otherwise small trees are open everywhere, and of larger ones what matters now: the way
 * to the current node, to the selected one, and at the end the best line.
 */
export function unfolded(tree, state, selected, chosen) {
  const open = new Set();
  if (tree.nodes.length <= SMALL) {
    tree.nodes.forEach((node) => open.add(node.id));
  } else {
    open.add(0);
    for (const id of [state.current, selected]) {
      if (id !== null) {
        pathTo(tree, id).forEach((at) => open.add(at));
      }
    }
    if (state.count === tree.last) {
      tree.line.forEach((id) => open.add(id));
    }
  }
  for (const [id, isOpen] of chosen) {
    if (isOpen) {
      open.add(id);
    } else {
      open.delete(id);
    }
  }
  return open;
}

/**
 * The places of all that is unfolded: `items` in drawing order (parents first), each
 * {id, across, deep, hidden}, a cut as {id, isCut: true, ...} beside the children of its node;
 * `width` in slots and `depth` in plies. In a small tree nodes not yet seen keep their room
 * (`hidden`), so that nothing jumps about while the search goes on.
 */
export function arrange(tree, state, open) {
  const keepsRoom = tree.nodes.length <= SMALL;
  const items = [];
  const placed = new Map();
  let width = 0;
  let depth = 0;
  const isThere = (id) => keepsRoom || state.phase[id] !== UNSEEN;

  const slotsOf = (id) => {
    const slots = tree.children[id].filter(isThere).map((child) => ({ id: child, isCut: false }));
    if (tree.cuts.has(id) && (keepsRoom || state.isCut[id])) {
      slots.push({ id, isCut: true });
    }
    return slots;
  };
  // A stack of its own: a line of play can be 400 plies long.
  const stack = [{ slot: { id: 0, isCut: false }, deep: 0, after: false }];
  while (stack.length > 0) {
    const frame = stack.pop();
    const { slot, deep } = frame;
    if (frame.after) {
      const { first, last } = frame;
      const item = placed.get(slot.id);
      item.across = (first().across + last().across) / 2;
      continue;
    }
    const item = { ...slot, deep, across: 0, hidden: isHidden(state, slot) };
    items.push(item);
    depth = Math.max(depth, deep);
    if (!slot.isCut) {
      placed.set(slot.id, item);
    } else {
      placed.set(`cut ${slot.id}`, item);
    }
    const below = slot.isCut || !open.has(slot.id) ? [] : slotsOf(slot.id);
    if (below.length === 0) {
      item.across = width;
      width += 1;
      continue;
    }
    const find = (which) => () => placed.get(which.isCut ? `cut ${which.id}` : which.id);
    stack.push({
      slot, deep, after: true, first: find(below[0]), last: find(below[below.length - 1]),
    });
    for (let index = below.length - 1; index >= 0; index -= 1) {
      stack.push({ slot: below[index], deep: deep + 1, after: false });
    }
  }
  return { items, placed, width: Math.max(width, 1), depth: depth + 1 };
}

function isHidden(state, { id, isCut }) {
  return isCut ? !state.isCut[id] : state.phase[id] === UNSEEN && id !== 0;
}
