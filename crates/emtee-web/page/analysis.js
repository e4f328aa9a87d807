// The output of an engine: depth, value and counts, its best lines, the passes of its iteration.

import { el, put, secondsText, thousands } from "./dom.js";

/** Three elements, and a function that shows a row of an analysis in them. */
export function analysisElements() {
  const facts = el("div", { class: "facts" });
  const lines = el("table", { class: "lines", id: "lines" });
  const passes = el("p", { class: "note", id: "passes" });
  const show = (row) => {
    put(facts, factsOf(row));
    const best = linesOf(row);
    if (best.length) put(lines, best);
    put(passes, passesOf(row));
  };
  return { facts, lines, passes, show };
}

function factsOf(row) {
  const speed = row.seconds > 0 ? ` (${thousands(row.nodes / row.seconds)} per second)` : "";
  return [
    ["depth", row.depth],
    ["value", row.text],
    ["nodes", thousands(row.nodes) + speed],
    ["leaves", thousands(row.leaves)],
    ["passes", row.passes],
    ["time", secondsText(row.seconds)],
  ].map(([name, value]) => el("span", {}, `${name} `, el("b", {}, String(value))));
}

function linesOf(row) {
  const one = row.value === null ? [] : [{ text: row.text, depth: row.depth, written: row.written }];
  return (row.top.length ? row.top : one).map((top) =>
    el(
      "tr",
      {},
      el("td", { class: "value" }, top.text),
      el("td", { class: "note" }, `depth ${top.depth}`),
      el("td", {}, top.written.join(" ")),
    ),
  );
}

function passesOf(row) {
  const window = (pass) => pass.gamma ?? `(${pass.alpha}, ${pass.beta})`;
  const all = row.trace.slice(-8).map((pass) => `γ ${window(pass)} → g ${pass.g}`);
  return all.length ? `passes at depth ${row.depth}: ${all.join(", ")}` : "";
}
