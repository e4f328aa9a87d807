// The tree as a drawing: squares where MAX moves, circles where MIN does, as in the paper.

import { svgEl } from "./dom.js";
import { boundsText, statusOf, valueText } from "./replay.js";

const ACROSS = 46;
const DOWN = 78;
const EDGE = 30;
const HALF = 13;

/** What the shapes and colours mean, in the order of the legend. */
export const STATUSES = [
  ["open", "being visited"],
  ["expanded", "visited, children looked at"],
  ["evaluated", "leaf evaluated"],
  ["answered", "answered by the table"],
  ["cut", "cut off"],
  ["known", "known from an earlier pass"],
  ["unseen", "never visited"],
];

/** Where each node stands: leaves side by side, every other node above the middle of its children. */
export function placeNodes(recording) {
  if (recording.places) return recording.places;
  const at = [];
  let leaves = 0;
  let deepest = 0;
  const walk = (id) => {
    const node = recording.nodes[id];
    deepest = Math.max(deepest, node.depth);
    const below = node.children.map(walk);
    const x = below.length ? (below[0] + below.at(-1)) / 2 : EDGE + (leaves++ + 0.5) * ACROSS;
    at[id] = [x, EDGE + node.depth * DOWN];
    return x;
  };
  walk(0);
  recording.places = { at, width: leaves * ACROSS + 2 * EDGE, height: deepest * DOWN + 2 * EDGE + 26 };
  return recording.places;
}

/** One node's shape, centred at a place. */
function shapeOf(node, [x, y], classes, size = HALF) {
  if (node.max)
    return svgEl("rect", { class: classes, x: x - size, y: y - size, width: 2 * size, height: 2 * size, rx: 2 });
  return svgEl("circle", { class: classes, cx: x, cy: y, r: size });
}

/** What a screen reader says of a node. */
function labelOf(recording, state, id, status) {
  const node = recording.nodes[id];
  const kind = node.children.length ? (node.max ? "MAX node" : "MIN node") : "leaf";
  const known = node.children.length ? boundsText(state.nodes[id].f) : valueText(node.value);
  const meaning = STATUSES.find(([name]) => name === status)[1];
  return `${kind} ${node.name} ${known}, ${meaning}`;
}

/**
 * Draws the tree as it is in a state. `show` may have: selected, solution (nodes of a solution tree), path (the critical
 * path), and what to do when a node is chosen or a leaf is dragged.
 */
export function drawTree(recording, state, show = {}) {
  const places = placeNodes(recording);
  const picture = svgEl("svg", {
    viewBox: `0 0 ${places.width} ${places.height}`,
    class: "tree",
    role: "group",
    "aria-label": "the tree",
  });
  // Small trees need not fill the page, and large ones are scrolled rather than shrunk.
  picture.style.minWidth = `${Math.min(places.width, recording.nodes.length > 120 ? places.width : places.width * 0.72)}px`;
  picture.style.maxWidth = `${places.width * 1.5}px`;
  const statuses = recording.nodes.map((_, id) => statusOf(recording, state, id));
  const path = new Set(show.path ?? []);
  for (const node of recording.nodes.slice(1)) picture.append(...edgeOf(node, places, statuses, state, show, path));
  for (const node of recording.nodes)
    picture.append(nodeOf(recording, state, node, places, statuses[node.id], show, path));
  return picture;
}

function edgeOf(node, places, statuses, state, show, path) {
  const [[x, y], [px, py]] = [places.at[node.id], places.at[node.parent]];
  const status = statuses[node.id];
  const classes = ["edge", status];
  if (show.solution?.nodes.has(node.id) && show.solution.nodes.has(node.parent)) classes.push("solution");
  if (path.has(node.id)) classes.push("path");
  const parts = [svgEl("line", { class: classes.join(" "), x1: px, y1: py, x2: x, y2: y })];
  if (status === "cut") {
    // A stroke across the edge, as one crosses a branch out on paper.
    const [mx, my] = [px + (x - px) * 0.55, py + (y - py) * 0.55];
    const length = Math.hypot(x - px, y - py) || 1;
    const [nx, ny] = [(-(y - py) / length) * 8, ((x - px) / length) * 8];
    parts.push(svgEl("line", { class: "stroke", x1: mx - nx, y1: my - ny, x2: mx + nx, y2: my + ny }));
  }
  return parts;
}

function nodeOf(recording, state, node, places, status, show, path) {
  const [x, y] = places.at[node.id];
  const seen = state.nodes[node.id];
  const leaf = !node.children.length;
  const classes = ["node", status];
  if (state.current === node.id && state.event && state.event[0] !== "passed") classes.push("current");
  if (show.selected === node.id) classes.push("selected");
  if (path.has(node.id)) classes.push("path");
  const group = svgEl("g", {
    class: classes.join(" "),
    "data-id": node.id,
    "data-name": node.name,
    "data-status": status,
    role: "button",
    tabindex: show.selected === node.id ? 0 : -1,
    "aria-label": labelOf(recording, state, node.id, status),
  });
  if (classes.includes("current")) group.append(shapeOf(node, [x, y], "ring", HALF + 5));
  if (show.selected === node.id) group.append(shapeOf(node, [x, y], "chosen", HALF + 5));
  group.append(shapeOf(node, [x, y], "shape"));
  if (status === "answered") group.append(shapeOf(node, [x, y], "inner", HALF - 3.5));
  group.append(svgEl("text", { class: "name", x, y: y + 4.5 }, node.name));
  if (leaf) {
    const text = svgEl("text", { class: "value", x, y: y + HALF + 18 }, node.word ?? valueText(node.value));
    group.append(text);
    if (seen.evaluations > 1)
      group.append(svgEl("text", { class: "again", x, y: y + HALF + 32 }, `×${seen.evaluations}`));
  } else if (seen.visits) {
    // Above, on the far side from the parent, where no edge runs.
    const left = node.id > 0 && x < places.at[node.parent][0];
    const side = { class: left ? "bound left" : "bound", x: left ? x - 3 : x + 3, y: y - HALF - 4 };
    group.append(svgEl("text", { ...side, "data-bound": node.name }, boundsText(seen.f)));
  }
  if (show.onChoose) {
    group.addEventListener("click", () => show.onChoose(node.id));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter") show.onChoose(node.id);
    });
  }
  if (leaf && show.onLeaf && node.word === null)
    group.addEventListener("pointerdown", (event) => show.onLeaf(event, node.id));
  return group;
}

/** The keys to the drawing. */
export function legend() {
  const key = ([status, meaning]) => {
    const shape = { max: status !== "open", children: [1] };
    const sign = svgEl("svg", { class: "tree sign", viewBox: "0 0 26 26", "aria-hidden": "true" });
    const group = svgEl("g", { class: `node ${status}` }, shapeOf({ max: shape.max }, [13, 13], "shape", 10));
    if (status === "answered") group.append(shapeOf({ max: true }, [13, 13], "inner", 6));
    if (status === "cut")
      sign.append(
        svgEl("line", { class: "edge cut", x1: 2, y1: 2, x2: 24, y2: 24 }),
        svgEl("line", { class: "stroke", x1: 8, y1: 18, x2: 18, y2: 8 }),
      );
    else sign.append(group);
    const item = document.createElement("li");
    item.append(sign, meaning);
    return item;
  };
  const list = document.createElement("ul");
  list.className = "legend";
  list.append(...STATUSES.map(key));
  return list;
}

/** The colours of the drawing, for a file that has no style sheet beside it. */
const PRINT = `text{font:13px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1d2129}.name{font-style:italic}.bound{font-size:12px;fill:#0b5cad;text-anchor:start}.bound.left{text-anchor:end}
.edge{stroke:#b9bfc7;stroke-width:1.3}.edge.open,.edge.expanded,.edge.evaluated,.edge.answered{stroke:#1d2129;stroke-width:1.8}.edge.cut{stroke-dasharray:3 3}.edge.solution{stroke-width:4}.edge.path{stroke:#a23b72;stroke-width:4}.stroke{stroke:#6b7280;stroke-width:2}
.shape{fill:#fff;stroke:#b9bfc7;stroke-width:1.3}.open .shape{fill:#ffe8a3;stroke:#1d2129}.expanded .shape{fill:#d6e6f7;stroke:#0b5cad}.evaluated .shape{fill:#d55e00;stroke:#d55e00}.evaluated .name{fill:#fff}.answered .shape,.inner{fill:#d5f0e6;stroke:#00785a}.known .shape{fill:#eef0f3;stroke:#8b94a1}.unseen .shape,.cut .shape{stroke-dasharray:3 3}.again{font-size:11px}.ring,.chosen{display:none}`;

/** The drawing as a file. */
export function svgFile(recording, state, show) {
  const picture = drawTree(recording, state, { ...show, onChoose: undefined, onLeaf: undefined, selected: undefined });
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.removeAttribute("style");
  picture.prepend(svgEl("style", {}, PRINT));
  return new XMLSerializer().serializeToString(picture);
}

/** The drawing for LaTeX, with TikZ. */
export function latexFile(recording, state) {
  const places = placeNodes(recording);
  const scale = (n) => (n / 46).toFixed(2);
  const styles = {
    evaluated: "fill=orange!60",
    expanded: "fill=blue!12",
    open: "fill=yellow!40",
    answered: "fill=green!15, double",
    known: "fill=black!5",
    unseen: "dashed, draw=black!40",
    cut: "dashed, draw=black!40",
  };
  const lines = [
    "% needs \\usepackage{tikz}",
    "\\begin{tikzpicture}[every node/.style={font=\\small}, max/.style={draw, rectangle, minimum size=6mm, inner sep=0}, min/.style={draw, circle, minimum size=6mm, inner sep=0}]",
  ];
  const plain = (text) =>
    text
      .replace("≤ ", "$\\le$ ")
      .replace("≥ ", "$\\ge$ ")
      .replace("…", " \\dots ")
      .replaceAll("−", "$-$")
      .replace("∞", "$\\infty$");
  for (const node of recording.nodes) {
    const [x, y] = places.at[node.id];
    const status = statusOf(recording, state, node.id);
    const label = node.children.length ? boundsText(state.nodes[node.id].f) : (node.word ?? valueText(node.value));
    const where = node.children.length ? (node.id > 0 && x < places.at[node.parent][0] ? "left" : "right") : "below";
    const text =
      label && (node.children.length === 0 || state.nodes[node.id].visits)
        ? `, label={${where}:{${plain(label)}}}`
        : "";
    lines.push(
      `  \\node[${node.max ? "max" : "min"}, ${styles[status]}${text}] (n${node.id}) at (${scale(x)},${scale(-y)}) {\\textit{${node.name}}};`,
    );
  }
  for (const node of recording.nodes.slice(1)) {
    const cut = statusOf(recording, state, node.id) === "cut";
    lines.push(`  \\draw${cut ? "[dashed]" : ""} (n${node.parent}) -- (n${node.id});`);
  }
  return [...lines, "\\end{tikzpicture}", ""].join("\n");
}
