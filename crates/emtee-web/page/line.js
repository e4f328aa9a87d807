// A game as a tree with a node for each move: the first child continues the main line, the others are variations.

import { button, el, svgEl } from "./dom.js";
import { moveNumber } from "./scores.js";

/** The root of a game, or a move after another. `turn` is the side to move, if it is known. */
export function newNode(move = null, parent = null) {
  const node = { move, written: "", parent, children: [], value: null, turn: null, comment: "", glyph: "" };
  parent?.children.push(node);
  return node;
}

/** The node after a move: a known one, or a new one. */
export function childOf(node, move) {
  return node.children.find((child) => child.move === move) ?? newNode(move, node);
}

/** Removes a node and everything after it. */
export function removeNode(node) {
  node.parent.children = node.parent.children.filter((one) => one !== node);
}

/** The moves that lead to a node. */
export function movesTo(node) {
  const moves = [];
  for (let one = node; one.parent; one = one.parent) moves.unshift(one.move);
  return moves;
}

/** A node and its successors in the main line. */
export function mainLine(node) {
  const all = [node];
  for (let one = node; one.children.length; one = one.children[0]) all.push(one.children[0]);
  return all;
}

/** All moves as a text: `e4,e5(c5,Nf3),Nf3`, with variations in parentheses after the move that they replace. */
export function lineText(root) {
  const after = (node) => {
    if (!node.children.length) return [];
    const [first, ...others] = node.children;
    const variations = others.map((other) => `(${[other.move, ...after(other)].join(",")})`);
    return [first.move + variations.join(""), ...after(first)];
  };
  return after(root).join(",");
}

/** Adds the moves of such a text after a node. Returns the end of its main line. */
export function readLine(text, root) {
  const before = [];
  let now = root;
  for (const part of text.match(/[(),]|[^(),]+/g) ?? []) {
    if (part === "(") {
      before.push(now);
      now = now.parent ?? root;
    } else if (part === ")") now = before.pop() ?? root;
    else if (part !== ",") now = newNode(part, now);
  }
  return before[0] ?? now;
}

/** The way to a node: the number of the child at each move that leaves the main line, as `12` or `4-1-3`. */
export function wayTo(node) {
  const choices = [];
  for (let one = node; one.parent; one = one.parent) choices.unshift(one.parent.children.indexOf(one));
  const parts = [0];
  for (const choice of choices) {
    if (choice > 0) parts.push(choice, 0);
    else parts[parts.length - 1] += 1;
  }
  return parts.join("-");
}

/** The node at the end of such a way, or as far as the way exists. */
export function nodeAt(root, way) {
  let now = root;
  way.split("-").forEach((part, index) => {
    if (index % 2 === 1) now = now.children[Number(part)] ?? now;
    else for (let step = 0; step < Number(part) && now.children.length; step += 1) now = now.children[0];
  });
  return now;
}

/** Sets the notation of moves that have none. `writtenTo(node)` returns the moves that lead to a node as players write them. */
export async function nameMoves(root, writtenTo) {
  const ends = [];
  const walk = (node) => (node.children.length ? node.children.forEach(walk) : ends.push(node));
  walk(root);
  for (const end of ends.filter((node) => node.move !== null && !node.written)) setNotation(end, await writtenTo(end));
}

/** Sets the notation of the moves to a node. */
export function setNotation(end, written) {
  for (let node = end, index = written.length - 1; node.parent; index -= 1, node = node.parent)
    node.written = written[index] ?? node.move;
}

/** The moves in notation, with their numbers, comments, and variations in parentheses. `first` is the ply of the first move. */
export function moveList(root, first, current, jump) {
  const label = (one) => {
    const now = one === current;
    const options = { class: now ? "now" : "", "aria-current": now ? "step" : undefined };
    return button((one.written || one.move) + one.glyph, `go to ${one.written || one.move}`, () => jump(one), options);
  };
  const parts = [];
  const walk = (node, ply, into, isFirst) => {
    let now = node;
    let number = ply;
    // After a comment or a variation a second move has its number again.
    let interrupted = isFirst;
    const add = (one) => {
      const count = moveNumber(number, interrupted);
      interrupted = false;
      if (count) into.push(el("span", { class: "n" }, count));
      into.push(label(one));
      if (!one.comment) return;
      into.push(el("span", { class: "comment" }, one.comment));
      interrupted = true;
    };
    while (now.children.length) {
      const [main, ...others] = now.children;
      add(main);
      for (const other of others) {
        const inside = [];
        const before = number;
        const wrapped = { children: [other] };
        walk(wrapped, before, inside, true);
        into.push(el("div", { class: "variation" }, "(", inside, ")"));
        interrupted = true;
      }
      now = main;
      number += 1;
    }
  };
  if (root.comment) parts.push(el("span", { class: "comment" }, root.comment));
  walk(root, first, parts, true);
  return parts.length ? parts : [el("span", { class: "note" }, "No moves yet.")];
}

/** A graph of the known values of the main line, from the first side; null if fewer than two are known. */
export function valueGraph(root, current, lead, score, jump) {
  const all = mainLine(root);
  const known = all.map((one, index) => [one, index]).filter(([one]) => one.value !== null);
  if (known.length < 2) return null;
  const x = (index) => 10 + (index * 480) / Math.max(1, all.length - 1);
  const y = (value) => 45 - 38 * Math.tanh(value / (3 * lead));
  const frame = { viewBox: "0 0 500 90", preserveAspectRatio: "none", class: "graph", id: "value-graph", role: "img" };
  const picture = svgEl(
    "svg",
    { ...frame, "aria-label": "the value of each position, for the first side" },
    svgEl("line", { x1: 0, x2: 500, y1: 45, y2: 45 }),
    svgEl("path", { d: `M${known.map(([one, index]) => `${x(index)} ${y(one.value)}`).join(" L")}` }),
  );
  for (const [one, index] of known) {
    const dot = { cx: x(index), cy: y(one.value), r: 4, class: one === current ? "now" : "", onclick: () => jump(one) };
    picture.append(svgEl("circle", dot, svgEl("title", {}, `${one.written || "start"}: ${score(one.value)}`)));
  }
  return picture;
}
