// The output of an engine: depth, value and counts, its best lines, the passes of its iteration.

import { button, el, put, secondsText, thousands } from "./dom.js";
import { moveNumber, rowScore, scoreLegend } from "./scores.js";

/**
 * The elements of an analysis, and a function that shows a row of it. `at` has the game, the side to move and the ply of the
 * position. `playLine(moves)` plays the moves of a line.
 */
export function analysisElements(playLine) {
  const facts = el("div", { class: "facts" });
  const lines = el("table", { class: "lines", id: "lines" });
  const counts = el("div", { class: "facts" });
  const passes = el("p", { class: "note", id: "passes" });
  const legend = el("p", { class: "note" });
  const details = el("details", {}, el("summary", {}, "Leaves and passes"), counts, passes);
  const element = el("div", { id: "analysis", hidden: true }, facts, el("div", { class: "wide" }, lines), legend, details);
  const show = (row, at) => {
    element.hidden = false;
    const speed = row.seconds > 0 ? ` (${thousands(row.nodes / row.seconds)}/s)` : "";
    put(facts, factsOf([["depth", row.depth], ["nodes", thousands(row.nodes) + speed], ["time", secondsText(row.seconds)]]));
    put(counts, factsOf([["leaves", thousands(row.leaves)], ["passes", row.passes]]));
    const best = linesOf(row, at, playLine);
    if (best.length) put(lines, el("tbody", {}, best));
    put(passes, passesOf(row));
    put(legend, scoreLegend(at.game));
  };
  const clear = () => {
    element.hidden = true;
    put(lines);
  };
  return { element, show, clear };
}

function factsOf(all) {
  return all.map(([name, value]) => el("span", {}, `${name} `, el("b", {}, String(value))));
}

function linesOf(row, { game, turn, ply }, playLine) {
  const one = row.pv.length ? [row] : [];
  return (row.top.length ? row.top : one).map((top) =>
    el(
      "tr",
      {},
      el("td", { class: "value" }, rowScore(game, turn, { lower: row.lower, upper: row.upper, ...top })),
      el(
        "td",
        { class: "pv" },
        top.written.map((word, index) => {
          const number = moveNumber(ply + index, index === 0);
          const play = () => playLine(top.pv.slice(0, index + 1));
          return [number && el("span", { class: "n" }, number), button(word, `play the line to ${word}`, play)];
        }),
      ),
    ),
  );
}

function passesOf(row) {
  const window = (pass) => pass.gamma ?? `(${pass.alpha}, ${pass.beta})`;
  const all = row.trace.slice(-8).map((pass) => `γ ${window(pass)} → g ${pass.g}`);
  return all.length ? `Passes at depth ${row.depth}, values for the side to move: ${all.join(", ")}` : "";
}
