/**
 * Which nodes of a search tree are shown, and where. Pure functions.
 *
 * A tidy layout: siblings in order, each parent above the middle of its children, subtrees as near
 * to each other as they fit. Coordinates are slots (`across` the tree) and plies (`deep`); the
 * drawing turns them into pixels, from the top down or from left to right.
 */

import { pathTo, UNSEEN } from "./search-tree.js";

/**
 * @import { SearchState, SearchTree } from "./search-tree.js"
 *
 * @typedef {Object} LayoutItem A node, or the moves that were cut below a node.
 * @property {number} id of the node
 * @property {boolean} isCut
 * @property {boolean} hidden whether it only keeps its space
 * @property {number} across
 * @property {number} deep
 *
 * @typedef {Object} TreeLayout
 * @property {LayoutItem[]} items in drawing order, parents first
 * @property {Map<number, LayoutItem>} placed by node, without cuts
 * @property {number} width in slots
 * @property {number} depth in plies
 *
 * @typedef {Object} Links Of an item while it is laid out.
 * @property {Item|null} parent
 * @property {Item[]} children
 * @property {number} offset from its parent, in slots
 * @property {number[]} left the left edge of its subtree, ply by ply, relative to the item
 * @property {number[]} right
 *
 * @typedef {LayoutItem & Links} Item
 */

/** Trees up to this many nodes are shown unfolded, and keep their places while they grow. */
const SMALL = 120;

/**
 * The nodes that are unfolded. A person's own choice comes first. Otherwise small trees are open
 * everywhere; of larger ones the paths to the current and to the selected node are, and at the
 * end the best line.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} selected
 * @param {Map<number, boolean>} chosen
 */
export function unfolded(tree, state, selected, chosen) {
  /** @type {Set<number>} */
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
 * The layout of all that is unfolded. A cut is an item of its own beside the children of its
 * node. In a small tree nodes not yet seen keep their space (`hidden`), so that nothing moves
 * while it grows.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {Set<number>} open
 * @returns {TreeLayout}
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
  /** @type {Map<number, LayoutItem>} */
  const placed = new Map();
  for (const item of items) {
    item.across -= least;
    if (!item.isCut) {
      placed.set(item.id, item);
    }
  }
  const plain = items.map(({ id, isCut, hidden, across, deep }) => ({
    id,
    isCut,
    hidden,
    across,
    deep,
  }));
  return { items: plain, placed, width: most - least + 1, depth: depth + 1 };
}

/**
 * What is shown, parents before children. Not recursive: a line of play can be 400 plies long.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {Set<number>} open
 */
function collect(tree, state, open) {
  const keepsSpace = tree.nodes.length <= SMALL;
  /** @type {Item[]} */
  const items = [];
  const stack = [makeItem(state, 0, false, null)];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    items.push(item);
    item.parent?.children.push(item);
    if (item.isCut || !open.has(item.id)) {
      continue;
    }
    if (tree.cuts.has(item.id) && (keepsSpace || state.isCut[item.id])) {
      stack.push(makeItem(state, item.id, true, item));
    }
    for (const id of tree.children[item.id].toReversed()) {
      if (keepsSpace || state.phase[id] !== UNSEEN) {
        stack.push(makeItem(state, id, false, item));
      }
    }
  }
  return items;
}

/**
 * @param {SearchState} state
 * @param {number} id
 * @param {boolean} isCut
 * @param {Item|null} parent
 * @returns {Item}
 */
function makeItem(state, id, isCut, parent) {
  const hidden = isCut ? !state.isCut[id] : state.phase[id] === UNSEEN && id !== 0;
  const deep = parent === null ? 0 : parent.deep + 1;
  return {
    id,
    isCut,
    hidden,
    deep,
    across: 0,
    parent,
    children: [],
    offset: 0,
    left: [],
    right: [],
  };
}

/**
 * Put the children of an item side by side, as near as their subtrees allow, and the item above
 * their middle. The children have their `left` and `right` already.
 *
 * @param {Item} item
 */
function setChildrenApart(item) {
  /** @type {number[]} */
  const left = [];
  /** @type {number[]} */
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
