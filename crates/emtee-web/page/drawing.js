// The drawing of a tree: squares for MAX nodes, circles for MIN nodes, as in the paper.

import { svgEl } from "./dom.js";
import { boundsText, statusOf, valueText } from "./replay.js";

const LEAF_DISTANCE = 46;
const LEVEL_DISTANCE = 78;
const MARGIN = 30;
const NODE_RADIUS = 13;

/** The statuses of nodes and their meanings, in the order of the legend. */
export const STATUSES = [
  ["visiting", "being visited"],
  ["expanded", "visited, children searched"],
  ["evaluated", "leaf evaluated"],
  ["answered", "answered by the table"],
  ["cut", "cut off"],
  ["known", "known from an earlier pass"],
  ["unseen", "never visited"],
];

/** The position of each node: leaves in a row, every other node above the middle of its children. */
export function placeNodes(recording) {
  if (recording.places) return recording.places;
  const points = [];
  let leaves = 0;
  let deepest = 0;
  const walk = (id) => {
    const node = recording.nodes[id];
    deepest = Math.max(deepest, node.depth);
    const below = node.children.map(walk);
    const x = below.length ? (below[0] + below.at(-1)) / 2 : MARGIN + (leaves++ + 0.5) * LEAF_DISTANCE;
    points[id] = [x, MARGIN + node.depth * LEVEL_DISTANCE];
    return x;
  };
  walk(0);
  const [width, height] = [leaves * LEAF_DISTANCE + 2 * MARGIN, deepest * LEVEL_DISTANCE + 2 * MARGIN + 26];
  recording.places = { points, width, height };
  return recording.places;
}

/** The shape of a node, centred at a point. */
function shapeOf(node, [x, y], classes, size = NODE_RADIUS) {
  if (node.max)
    return svgEl("rect", { class: classes, x: x - size, y: y - size, width: 2 * size, height: 2 * size, rx: 2 });
  return svgEl("circle", { class: classes, cx: x, cy: y, r: size });
}

/** The label of a node for screen readers. */
function labelOf(recording, state, id, status) {
  const node = recording.nodes[id];
  const kind = node.children.length ? (node.max ? "MAX node" : "MIN node") : "leaf";
  const { f, evaluations } = state.nodes[id];
  const again = evaluations > 1 ? ` ×${evaluations}` : "";
  const known = node.children.length ? boundsText(f) : (node.word ?? valueText(node.value)) + again;
  const meaning = STATUSES.find(([name]) => name === status)[1];
  return `${kind} ${node.name} ${known}, ${meaning}`;
}

/**
 * Draws the tree in a state. Optional fields of `show`: selected, solution (nodes of a solution tree), path (the
 * critical path), marked (names of nodes to point at), zoom (1 is the natural size), onChoose (a node is chosen) and onLeaf
 * (a leaf is dragged).
 */
export function drawTree(recording, state, show = {}) {
  const places = placeNodes(recording);
  const picture = svgEl("svg", {
    viewBox: `0 0 ${places.width} ${places.height}`,
    class: "tree",
    role: "group",
    "aria-label": "the tree",
  });
  // Small trees do not fill the page, and large ones scroll instead of shrinking.
  if (show.zoom) picture.style.width = `${places.width * show.zoom}px`;
  else picture.style.minWidth = `${recording.nodes.length > 120 ? places.width : places.width * 0.72}px`;
  picture.style.maxWidth = `${places.width * Math.max(1.5, show.zoom ?? 0)}px`;
  const statuses = recording.nodes.map((_, id) => statusOf(recording, state, id));
  const path = new Set(show.path ?? []);
  for (const node of recording.nodes.slice(1)) picture.append(...edgeOf(node, places, statuses, state, show, path));
  for (const node of recording.nodes)
    picture.append(nodeOf(recording, state, node, places, statuses[node.id], show, path));
  return picture;
}

function edgeOf(node, places, statuses, state, show, path) {
  const [[x, y], [px, py]] = [places.points[node.id], places.points[node.parent]];
  const status = statuses[node.id];
  const classes = ["edge", status];
  if (show.solution?.nodes.has(node.id) && show.solution.nodes.has(node.parent)) classes.push("solution");
  if (path.has(node.id)) classes.push("path");
  const parts = [svgEl("line", { class: classes.join(" "), x1: px, y1: py, x2: x, y2: y })];
  if (status === "cut") {
    // A stroke across the edge, as on paper.
    const [mx, my] = [px + (x - px) * 0.55, py + (y - py) * 0.55];
    const length = Math.hypot(x - px, y - py) || 1;
    const [nx, ny] = [(-(y - py) / length) * 8, ((x - px) / length) * 8];
    parts.push(svgEl("line", { class: "stroke", x1: mx - nx, y1: my - ny, x2: mx + nx, y2: my + ny }));
  }
  return parts;
}

function nodeOf(recording, state, node, places, status, show, path) {
  const [x, y] = places.points[node.id];
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
    tabindex: (show.selected ?? 0) === node.id ? 0 : -1,
    "aria-label": labelOf(recording, state, node.id, status),
  });
  if (show.marked?.includes(node.name)) group.append(shapeOf(node, [x, y], "marked", NODE_RADIUS + 8));
  if (classes.includes("current")) group.append(shapeOf(node, [x, y], "ring", NODE_RADIUS + 5));
  if (show.selected === node.id) group.append(shapeOf(node, [x, y], "chosen", NODE_RADIUS + 5));
  group.append(shapeOf(node, [x, y], "shape"));
  if (status === "answered") group.append(shapeOf(node, [x, y], "inner", NODE_RADIUS - 3.5));
  group.append(svgEl("text", { class: "name", x, y: y + 4.5 }, node.name));
  if (leaf) {
    const text = svgEl("text", { class: "value", x, y: y + NODE_RADIUS + 18 }, node.word ?? valueText(node.value));
    group.append(" ", text);
    if (seen.evaluations > 1)
      group.append(" ", svgEl("text", { class: "again", x, y: y + NODE_RADIUS + 32 }, `×${seen.evaluations}`));
  } else if (seen.visits) {
    // Above the node, on the side away from the parent, where no edge runs.
    const left = node.id > 0 && x < places.points[node.parent][0];
    const side = { class: left ? "bound left" : "bound", x: left ? x - 3 : x + 3, y: y - NODE_RADIUS - 4 };
    group.append(" ", svgEl("text", { ...side, "data-bound": node.name }, boundsText(seen.f)));
  }
  if (show.onChoose) {
    group.addEventListener("click", () => show.onChoose(node.id));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      show.onChoose(node.id);
    });
  }
  if (leaf && show.onLeaf && node.word === null)
    group.addEventListener("pointerdown", (event) => show.onLeaf(event, node.id));
  return group;
}

/** A small picture of the whole tree: a dot for each node, in the colour of its status. */
export function drawOverview(recording, state) {
  const places = placeNodes(recording);
  const picture = svgEl("svg", {
    viewBox: `0 0 ${places.width} ${places.height}`,
    preserveAspectRatio: "none",
    class: "overview-tree",
    "aria-hidden": "true",
  });
  const wide = Math.max(LEAF_DISTANCE * 0.7, places.width / 300);
  for (const node of recording.nodes) {
    const [x, y] = places.points[node.id];
    const classes = `dot ${statusOf(recording, state, node.id)}`;
    picture.append(svgEl("rect", { class: classes, x: x - wide / 2, y: y - 22, width: wide, height: 44 }));
  }
  return picture;
}

/** The legend of the drawing. */
export function legend() {
  const line = (classes) => svgEl("line", { class: `edge ${classes}`, x1: 3, y1: 21, x2: 23, y2: 5 });
  const sample = (...parts) => svgEl("svg", { class: "tree sample", viewBox: "0 0 26 26", "aria-hidden": "true" }, parts);
  const named = (meaning, ...parts) => {
    const item = document.createElement("li");
    item.append(sample(...parts), meaning);
    return item;
  };
  const entry = ([status, meaning]) => {
    const group = svgEl("g", { class: `node ${status}` }, shapeOf({ max: true }, [13, 13], "shape", 10));
    if (status === "answered") group.append(shapeOf({ max: true }, [13, 13], "inner", 6));
    if (status === "cut")
      return named(
        meaning,
        svgEl("line", { class: "edge cut", x1: 2, y1: 2, x2: 24, y2: 24 }),
        svgEl("line", { class: "stroke", x1: 8, y1: 18, x2: 18, y2: 8 }),
      );
    return named(meaning, group);
  };
  const outline = (max) => svgEl("g", { class: "node known" }, shapeOf({ max }, [13, 13], "shape", 10));
  const list = document.createElement("ul");
  list.className = "legend";
  list.append(
    named("MAX node", outline(true)),
    named("MIN node", outline(false)),
    ...STATUSES.map(entry),
    named("solution tree of the last pass", line("solution")),
    named("critical path", line("path")),
  );
  return list;
}

/** The style of the drawing in an SVG file, which has no style sheet. */
const FILE_STYLE = `text{font:13px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1d2129}.name{font-style:italic}.bound{font-size:12px;fill:#0b5cad;text-anchor:start}.bound.left{text-anchor:end}
.edge{stroke:#b9bfc7;stroke-width:1.3}.edge.visiting,.edge.expanded,.edge.evaluated,.edge.answered{stroke:#1d2129;stroke-width:1.8}.edge.cut{stroke-dasharray:3 3}.edge.solution{stroke-width:4}.edge.path{stroke:#a23b72;stroke-width:4}.stroke{stroke:#6b7280;stroke-width:2}
.shape{fill:#fff;stroke:#b9bfc7;stroke-width:1.3}.visiting .shape{fill:#ffe8a3;stroke:#1d2129}.expanded .shape{fill:#d6e6f7;stroke:#0b5cad}.evaluated .shape{fill:#d55e00;stroke:#d55e00}.evaluated .name{fill:#fff}.answered .shape,.inner{fill:#d5f0e6;stroke:#00785a}.known .shape{fill:#eef0f3;stroke:#8b94a1}.unseen .shape,.cut .shape{stroke-dasharray:3 3}.again{font-size:11px}.ring,.chosen{display:none}`;

/** The drawing as an SVG file. */
export function svgFile(recording, state, show) {
  const picture = drawTree(recording, state, { ...show, onChoose: undefined, onLeaf: undefined, selected: undefined });
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.removeAttribute("style");
  picture.prepend(svgEl("style", {}, FILE_STYLE));
  return new XMLSerializer().serializeToString(picture);
}

/** The drawing as LaTeX, with TikZ. */
export function latexFile(recording, state) {
  const places = placeNodes(recording);
  const scale = (n) => (n / 46).toFixed(2);
  const styles = {
    evaluated: "fill=orange!60",
    expanded: "fill=blue!12",
    visiting: "fill=yellow!40",
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
    const [x, y] = places.points[node.id];
    const status = statusOf(recording, state, node.id);
    const label = node.children.length ? boundsText(state.nodes[node.id].f) : (node.word ?? valueText(node.value));
    const side = node.children.length ? (node.id > 0 && x < places.points[node.parent][0] ? "left" : "right") : "below";
    const text =
      label && (node.children.length === 0 || state.nodes[node.id].visits)
        ? `, label={${side}:{${plain(label)}}}`
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
