// The panels around the drawing of a tree: passes, table, OPEN list, difference, symbols.

import { counted, el, svgEl } from "./dom.js";
import { boundsText, gammaText, openList, passEnds, valueText } from "./replay.js";

/** A section of the sidebar. */
export function sidePanel(name, title, ...content) {
  // Long tables scroll, also with the keyboard.
  const tabindex = name === "table" ? 0 : undefined;
  return el("section", { class: `panel ${name}`, id: `panel-${name}`, tabindex }, el("h2", { class: "title" }, title), content);
}

/** An algorithm with its settings. */
export function titleOf(run) {
  const settings = [
    run.driven && "you drive",
    run.first !== null && `first guess ${valueText(run.first)}`,
    run.entries !== null && `${run.entries} entries`,
  ].filter(Boolean);
  return [run.algorithm, ...settings].join(", ");
}

/** The passes as in figure 9: γ, g and their new leaves. */
export function strip(recording, run, state, titled, go) {
  const ends = passEnds(run);
  const cell = (pass, index) => {
    const low = pass.null && pass.g !== null && pass.g < pass.low;
    const window = pass.null
      ? `γ = ${gammaText(pass.low)}`
      : `(${gammaText(pass.low - 0.5)}, ${gammaText(pass.high + 0.5)})`;
    const leaves = pass.leaves
      .map((id) => `${recording.nodes[id].name}=${valueText(recording.nodes[id].value)}`)
      .join(" ");
    const now = index === state.passes.length - 1;
    const result = pass.g === null ? "…" : `g = ${valueText(pass.g)}`;
    return el(
      "button",
      {
        type: "button",
        class: `pass ${now ? "now" : ""} ${pass.g === null ? "" : low ? "low" : "high"}`,
        "data-pass": index + 1,
        "data-gamma": gammaText(pass.low),
        "data-g": pass.g,
        "data-leaves": leaves,
        onclick: () => go(ends[index] ?? run.steps.length),
      },
      el("span", { class: "number" }, `pass ${index + 1}`),
      el("span", {}, window),
      el("b", {}, result),
      el(
        "span",
        { class: "note" },
        pass.g === null ? "" : pass.null ? (low ? "fails low ▼" : "fails high ▲") : "window",
      ),
      el("span", { class: "new" }, leaves || "no new leaf"),
    );
  };
  const { leaves, interior, answered, again } = state.counts;
  const f = state.passes.findLast((pass) => pass.g !== null);
  const known = f ? boundsText([f.lower, f.upper]) : "";
  const totals = [
    counted(leaves, "leaf", "leaves"),
    counted(interior, "interior", "interior"),
    counted(answered, "table answer", "table answers"),
    again ? `${again} evaluated again` : null,
    known && `f ${known}`,
  ];
  return el(
    "div",
    { class: "strip" },
    titled ? el("h3", {}, titleOf(run)) : null,
    el("div", { class: "curve" }, chartOf(state)),
    el("div", { class: "passes" }, state.passes.map(cell)),
    el("p", { class: "totals", id: titled ? undefined : "totals" }, totals.filter(Boolean).join(" · ")),
  );
}

/** The g of the passes so far as a line that falls or rises to the value. */
function chartOf(state) {
  const done = state.passes.filter((pass) => pass.g !== null && pass.null && Math.abs(pass.g) < 31000);
  if (done.length < 2) return null;
  const values = done.map((pass) => pass.g);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [w, h] = [Math.min(420, 40 + done.length * 60), 46];
  const x = (index) => 20 + (index * (w - 40)) / Math.max(1, done.length - 1);
  const y = (v) => (most === least ? h / 2 : 10 + ((most - v) / (most - least)) * (h - 20));
  const dots = done.map((pass, index) =>
    svgEl(
      "circle",
      { cx: x(index), cy: y(pass.g), r: 4, class: pass.g < pass.low ? "low" : "high" },
      svgEl("title", {}, `pass ${index + 1}: g = ${pass.g}`),
    ),
  );
  const line = svgEl("polyline", { points: done.map((pass, index) => `${x(index)},${y(pass.g)}`).join(" ") });
  return svgEl(
    "svg",
    {
      viewBox: `0 0 ${w} ${h}`,
      width: w,
      height: h,
      class: "convergence",
      role: "img",
      "aria-label": `g pass by pass: ${values.join(", ")}`,
    },
    line,
    ...dots,
  );
}

/** The nodes that only one of two runs has visited, and those that both have. */
export function difference(recording, runs, states) {
  const seen = (which) =>
    recording.nodes.filter((node) => states[which].nodes[node.id].visits > 0).map((node) => node.id);
  const [one, other] = [seen(0), seen(1)];
  const only = (own, others) => own.filter((id) => !others.includes(id)).map((id) => recording.nodes[id].name);
  const row = (name, names) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, String(names.length)),
      el("td", {}, names.slice(0, 60).join(" ") || "none"),
    );
  return el(
    "table",
    { class: "small" },
    row(`only ${runs[0].algorithm}`, only(one, other)),
    row(`only ${runs[1].algorithm}`, only(other, one)),
    row(
      "both",
      one.filter((id) => other.includes(id)).map((id) => recording.nodes[id].name),
    ),
  );
}

export function openPanel(recording, state) {
  const rows = openList(recording, state).map(({ id, status, merit }) =>
    el(
      "tr",
      { class: status },
      el("td", {}, recording.nodes[id].name),
      el("td", {}, status),
      el("td", { class: "n" }, valueText(merit)),
    ),
  );
  return el(
    "table",
    { class: "small" },
    el("tr", {}, el("th", {}, "node"), el("th", {}, "status"), el("th", { class: "n" }, "merit")),
    rows,
  );
}

export function tablePanel(recording, run, state) {
  const entries = [...state.table.entries()].reverse();
  if (!entries.length) return el("p", { class: "note" }, "The table is empty.");
  const bound = (value) => (Math.abs(value) >= 32767 ? "" : valueText(value));
  const rows = entries
    .slice(0, 40)
    .map(([id, entry]) =>
      el(
        "tr",
        { class: entry.step === state.step ? "fresh" : "" },
        el("td", {}, recording.nodes[id].name),
        el("td", { class: "n" }, bound(entry.lower)),
        el("td", { class: "n" }, bound(entry.upper)),
        el("td", { class: "note" }, entry.displaced ? `${entry.displaced}×` : ""),
      ),
    );
  const size = run.entries === null ? "no entry is replaced" : counted(run.entries, "entry", "entries");
  return [
    el(
      "table",
      { class: "small" },
      el("tr", {}, el("th", {}, "node"), el("th", { class: "n" }, "f⁻"), el("th", { class: "n" }, "f⁺"), el("th", {}, "replaced")),
      rows,
    ),
    el("p", { class: "note" }, `${counted(entries.length, "node", "nodes")} stored so far, the newest first; ${size}.`),
  ];
}

/** The symbols of the paper. */
const SYMBOLS = [
  ["f", "the minimax value of a node; the search asks for that of the root"],
  ["f⁻, f⁺", "a lower and an upper bound of f: f⁻ ≤ f ≤ f⁺. The search ends when both are equal at the root"],
  ["γ", "the bound of a pass: MT returns whether f is greater than γ, and by a bound how much"],
  ["g", "the result of a pass. If g < γ it fails low and g is the new f⁺; if g > γ it fails high and g is the new f⁻"],
  ["ε", "γ = bound − ε, with ε smaller than the difference of two values (here ½), so that no value is equal to γ"],
];

/** An explanation of the symbols. `link` is shown below it. */
export function symbolsPanel(link) {
  const list = SYMBOLS.map(([symbol, meaning]) => [el("dt", {}, symbol), el("dd", {}, meaning)]);
  return el("details", { class: "panel symbols", id: "symbols" }, el("summary", {}, "What f⁻, f⁺, γ, g and ε mean"), el("dl", {}, list), link);
}
