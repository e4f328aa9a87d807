// A game as a tree with a node for each move: the first child continues the main line, the others are variations.

import { button, el, svgEl } from "./dom.js";

/** The root of a game, or a move after another. */
export function newNode(move = null, parent = null) {
  const node = { move, written: "", parent, children: [], value: null };
  parent?.children.push(node);
  return node;
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

/** The moves in notation, variations in parentheses. */
export function moveList(root, current, jump) {
  const label = (one) =>
    button(one.written || one.move, `go to move ${one.move}`, () => jump(one), { class: one === current ? "now" : "" });
  const parts = [];
  const walk = (node, ply, into) => {
    let now = node;
    let number = ply;
    while (now.children.length) {
      const [first, ...others] = now.children;
      if (number % 2 === 0) into.push(el("span", { class: "n" }, `${number / 2 + 1}.`));
      into.push(label(first));
      for (const other of others) {
        const count = `${Math.floor(number / 2) + 1}${number % 2 ? "…" : "."}`;
        const inside = [el("span", { class: "n" }, count), label(other)];
        walk(other, number + 1, inside);
        into.push(el("div", { class: "variation" }, "(", inside, ")"));
      }
      now = first;
      number += 1;
    }
  };
  walk(root, 0, parts);
  return parts.length ? parts : [el("span", { class: "note" }, "No moves yet.")];
}

/** A graph of the known values of the main line, from the first side; null if fewer than two are known. */
export function valueGraph(root, current, lead, jump) {
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
    picture.append(svgEl("circle", dot, svgEl("title", {}, `${one.written || "start"}: ${one.value}`)));
  }
  return picture;
}
