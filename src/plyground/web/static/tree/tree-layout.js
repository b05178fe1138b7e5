/**
 * Which nodes of a search tree are on show, and where. No page here.
 *
 * A tidy layout: siblings in order, each parent above the middle of its children, subtrees as near
 * to each other as they fit. Places are in slots (`across` the tree) and plies (`deep`); the
 * drawing turns them into pixels, from the top down or from left to right.
 */

import { UNSEEN, pathTo } from "./search-tree.js";

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
 * {id, isCut, hidden, across, deep}; a cut is an item of its own beside the children of its node.
 * `placed` finds the item of a node, `width` is in slots and `depth` in plies. In a small tree
 * nodes not yet seen keep their room (`hidden`), so that nothing jumps about while it grows.
 */
export function arrange(tree, state, open) {
  const items = collect(tree, state, open);
  for (let index = items.length - 1; index >= 0; index -= 1) {
    setChildrenApart(items[index]);
  }
  let [least, most, depth] = [0, 0, 0];
  for (const item of items) {
    item.across = item.parent === null ? 0 : item.parent.across + item.offset;
    least = Math.min(least, item.across);
    most = Math.max(most, item.across);
    depth = Math.max(depth, item.deep);
  }
  const placed = new Map();
  for (const item of items) {
    item.across -= least;
    if (!item.isCut) {
      placed.set(item.id, item);
    }
  }
  const plain = items.map(({ id, isCut, hidden, across, deep }) => ({
    id, isCut, hidden, across, deep,
  }));
  return { items: plain, placed, width: most - least + 1, depth: depth + 1 };
}

/** What is to be shown, parents before children. A stack: a line of play can be 400 plies long. */
function collect(tree, state, open) {
  const keepsRoom = tree.nodes.length <= SMALL;
  const items = [];
  const stack = [{ id: 0, isCut: false, parent: null, deep: 0 }];
  while (stack.length > 0) {
    const slot = stack.pop();
    const item = { ...slot, hidden: isHidden(state, slot), children: [], offset: 0 };
    items.push(item);
    item.parent?.children.push(item);
    if (item.isCut || !open.has(item.id)) {
      continue;
    }
    const [parent, deep] = [item, item.deep + 1];
    if (tree.cuts.has(item.id) && (keepsRoom || state.isCut[item.id])) {
      stack.push({ id: item.id, isCut: true, parent, deep });
    }
    for (const id of tree.children[item.id].toReversed()) {
      if (keepsRoom || state.phase[id] !== UNSEEN) {
        stack.push({ id, isCut: false, parent, deep });
      }
    }
  }
  return items;
}

/**
 * Put the children of an item side by side, as near as what is below them allows, and the item
 * above their middle. `left` and `right` of an item are the edges of its subtree, ply by ply,
 * seen from the item; its children have theirs already.
 */
function setChildrenApart(item) {
  const left = [];
  const right = [];
  for (const child of item.children) {
    let shift = 0;
    for (let ply = 0; ply < Math.min(right.length, child.right.length); ply += 1) {
      shift = Math.max(shift, right[ply] - child.left[ply] + 1);
    }
    child.offset = shift;
    child.left.forEach((edge, ply) => {
      left[ply] ??= shift + edge;
      right[ply] = shift + child.right[ply];
    });
  }
  const middle = (item.children.at(-1)?.offset ?? 0) / 2;
  for (const child of item.children) {
    child.offset -= middle;
  }
  item.left = [0, ...left.map((edge) => edge - middle)];
  item.right = [0, ...right.map((edge) => edge - middle)];
}

function isHidden(state, { id, isCut }) {
  return isCut ? !state.isCut[id] : state.phase[id] === UNSEEN && id !== 0;
}
