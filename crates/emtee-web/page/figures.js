// Figures 1 and 8 of the paper as pseudocode, with the current line highlighted.

import { el } from "./dom.js";

/** MT, figure 1. */
const MT_LINES = [
  ["MT(n, γ)", "head"],
  ["retrieve f⁻(n), f⁺(n)", "retrieve"],
  ["if f⁻(n) > γ: return f⁻(n)", "answer-high"],
  ["if f⁺(n) < γ: return f⁺(n)", "answer-low"],
  ["if n is a leaf: g ← evaluate(n)", "evaluate"],
  ["else g ← −∞; for each child c while g < γ:", "children"],
  ["    g ← max(g, −MT(c, −γ))", "child"],
  ["if g < γ: f⁺(n) ← g", "low"],
  ["else f⁻(n) ← g", "high"],
  ["store f⁻(n), f⁺(n); return g", "store"],
];

/** MTD, figure 8. */
const MTD_LINES = [
  ["MTD(first, next)", "head"],
  ["f⁻ ← −∞; f⁺ ← +∞; bound ← g ← first", "first"],
  ["repeat", "repeat"],
  ["    bound ← next; γ ← bound − ε", "next"],
  ["    g ← MT(root, γ)", "pass"],
  ["    if g < γ: f⁺ ← g else f⁻ ← g", "passed"],
  ["until f⁻ = f⁺", "until"],
];

/** Alpha-Beta and NegaScout, with a table. */
const WINDOW_LINES = [
  ["Search(n, α, β)", "head"],
  ["retrieve f⁻(n), f⁺(n); narrow α and β by them", "retrieve"],
  ["if that decides: return the bound", "answer"],
  ["if n is a leaf: g ← evaluate(n)", "evaluate"],
  ["else for each child c while g < β:", "children"],
  ["    g ← max(g, −Search(c, −β, −max(α, g)))", "child"],
  ["store what g proves; return g", "store"],
];

/** `first` and `next` of each driver. */
const NEXT = {
  sss: "SSS*: first = +∞, next = g",
  dual: "DUAL*: first = −∞, next = g + 1",
  "mtd-f": "MTD-f: first = a guess, next = g if the pass failed low, else g + 1",
  "mtd-f-figure8": "MTD-f, figure 8: as MTD-f, next also applied before the first pass",
  "mtd-bi": "C*: next = the middle of f⁻ and f⁺",
  "mtd-step": "MTD-step: first = +∞, next = g − step",
  "mtd-gallop": "MTD-gallop: as MTD-f, in growing steps",
};

function currentLines(state) {
  const event = state.event;
  if (!event) return ["first"];
  if (event[0] === "pass") return ["next", "pass", "head"];
  if (event[0] === "passed") return ["passed", "until"];
  if (event[0] === "enter") return ["pass", "retrieve", "child"];
  const visit = state.nodes[event[1]].visit;
  if (visit.end === "answered") return ["pass", visit.g > visit.high ? "answer-high" : "answer-low", "answer"];
  if (visit.end === "evaluated") return ["pass", "evaluate"];
  return ["pass", visit.g > visit.high ? "high" : "low", "store"];
}

function figure(title, lines, lit) {
  const items = lines.map(([text, name]) => {
    const on = lit.includes(name) && !(name === "child" && lit.includes("retrieve"));
    return el(
      "li",
      { class: on ? "lit" : name === "head" ? "head" : "", "aria-current": on ? "step" : undefined },
      text,
    );
  });
  return el("figure", { class: "code" }, el("figcaption", {}, title), el("ol", {}, items));
}

/** The procedures of a run with the current lines highlighted. */
export function procedures(run, state) {
  const lit = currentLines(state);
  const driver = run.driven ? "You are the driver: next = your choice" : NEXT[run.algorithm.split(":")[0]];
  if (!run.mt) return [figure("Alpha-Beta and NegaScout", WINDOW_LINES, lit)];
  const outer = figure(
    "Figure 8",
    MTD_LINES,
    lit.filter((name) => name !== "head"),
  );
  return [outer, driver && el("p", { class: "note" }, driver), figure("Figure 1", MT_LINES, lit)];
}
