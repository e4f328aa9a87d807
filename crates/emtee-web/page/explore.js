// The search tree of a game position, expanded move by move.

import { isAborted, requestLines } from "./api.js";
import { numberOf, writeAddress } from "./address.js";
import { gameField, gameOf, numberField, errorLine, textField } from "./controls.js";
import { button, choice, el, field, put, secondsText, svgEl, thousands } from "./dom.js";
import { valueText } from "./replay.js";

const DEPTHS = { chess: 5, othello: 6, checkers: 8, connect4: 9, kalah: 7, tictactoe: 9 };

export async function showSearch(container, words, about) {
  const state = {
    game: gameOf(about, words, "connect4"),
    position: words.get("position") ?? "",
    moves: words.get("moves") ?? "",
    algorithm: words.get("algorithm") ?? "mtd-f",
    depth: numberOf(words, "depth"),
    line: words.get("line")?.split(",").filter(Boolean) ?? [],
  };
  state.depth ??= DEPTHS[state.game] ?? 5;
  let running = null;
  const [problem, showError] = errorLine();
  const tree = el("div", { class: "panel", id: "search-tree" });
  const summary = el("p", { class: "note" });
  const addressWords = () => ({ ...state, line: state.line.join(",") });
  const change = (changes) => {
    Object.assign(state, changes, { line: [] });
    writeAddress("search", addressWords());
    expand([]);
  };
  put(
    container,
    el("h1", { class: "offscreen" }, "Search tree"),
    el(
      "div",
      { class: "bar" },
      gameField(about, state.game, "search"),
      textField("position", state.position, "the start", 26, (position) => change({ position })),
      textField("moves", state.moves, "none", 16, (moves) => change({ moves })),
      field(
        "algorithm",
        choice(
          about.algorithms.map((one) => one.name),
          state.algorithm,
          (algorithm) => change({ algorithm }),
          { id: "search-algorithm" },
        ),
      ),
      numberField("depth", state.depth, [1, 30], (depth) => change({ depth }), { id: "search-depth" }),
    ),
    el(
      "p",
      { class: "note" },
      "The last iteration of the search. Each move has its bounds (for the side to move at the root), its share of the leaves, and its visits by pass. ▣: the table answered its last visit.",
    ),
    problem,
    summary,
    tree,
  );

  /** Requests the branches below a line. The server searches again, with the same counts. */
  async function branchesBelow(line) {
    const controller = (running = new AbortController());
    let found = null;
    const moves = state.moves.split(/[\s,]+/).filter(Boolean);
    await requestLines(
      "explore",
      {
        game: state.game,
        ...(state.position ? { position: state.position } : {}),
        moves,
        algorithm: state.algorithm,
        depth: state.depth,
        line,
      },
      controller.signal,
      (one) => (found = one),
    );
    return found;
  }

  async function expand(line) {
    running?.abort();
    showError(null);
    try {
      const found = await branchesBelow([]);
      if (!found) return;
      const { passes } = found;
      put(summary, summaryOf(found));
      put(tree, head(), list(found.root, found.leaves, passes.length));
      for (let ply = 1; ply <= line.length; ply += 1)
        await tree.querySelector(`[data-line="${CSS.escape(line.slice(0, ply).join(" "))}"] button`)?.onopen?.();
    } catch (error) {
      showError(error);
    }
  }

  /** The result of the search, and its passes with their colours. */
  function summaryOf({ row, passes, nodes, leaves, capped }) {
    const value = row.value === null ? "unknown" : valueText(row.value);
    const cost = `${thousands(nodes)} visits and ${thousands(leaves)} leaves in the last iteration`;
    const count = `${passes.length} ${passes.length === 1 ? "pass" : "passes"}`;
    const square = { viewBox: "0 0 10 10", width: 10, height: 10, "aria-hidden": "true" };
    const window = (pass) =>
      pass.gamma === null ? `(${valueText(pass.alpha)}, ${valueText(pass.beta)})` : `γ = ${pass.gamma}`;
    const shown = passes.map((pass, index) => [
      svgEl("svg", square, svgEl("rect", { class: `pass-bar-${index % 6}`, width: 10, height: 10 })),
      ` ${window(pass)} → ${valueText(pass.g)}  `,
    ]);
    return [
      `${state.algorithm}, depth ${row.depth}: value ${value}, best move ${row.best_move ?? "none"}; `,
      `${cost}, ${secondsText(row.seconds)}, ${count}: `,
      shown,
      row.complete ? "" : " (aborted before the depth was reached)",
      capped ? " (not all branches are kept)" : "",
    ];
  }

  function head() {
    return el(
      "div",
      { class: "branch note" },
      el("span", {}),
      el("span", {}, "move"),
      el("span", {}, "bounds"),
      el("span", {}, "leaves, by pass"),
      el("span", {}, "visits · leaves · table"),
    );
  }

  function list(branch, leaves, passes) {
    const share = (one) => one.passes.reduce((all, work) => all + work.leaves, 0);
    const children = [...branch.children].sort((a, b) => share(b) - share(a));
    const missing = branch.moves - children.length;
    const rows = children.map((child) => item(child, leaves, passes));
    if (missing > 0)
      rows.push(
        el(
          "li",
          {},
          el("div", { class: "note" }, `${missing} ${missing === 1 ? "move was" : "moves were"} never visited`),
        ),
      );
    return el("ul", { class: "branches" }, rows);
  }

  function item(branch, leaves, passes) {
    const sum = (what) => branch.passes.reduce((all, work) => all + work[what], 0);
    const holder = el("div", {});
    const expander = button("+", `expand ${branch.line.join(" ")}`, () => expander.onopen(), {
      "aria-expanded": "false",
    });
    let shown = false;
    expander.onopen = async () => {
      shown = !shown;
      expander.textContent = shown ? "−" : "+";
      expander.setAttribute("aria-expanded", String(shown));
      if (!shown) return put(holder);
      state.line = branch.line;
      writeAddress("search", addressWords());
      put(holder, el("p", { class: "note" }, "searching…"));
      try {
        const found = await branchesBelow(branch.line);
        return put(
          holder,
          found.root.children.length
            ? list(found.root, leaves, passes)
            : el("p", { class: "note" }, "Nothing below was visited."),
        );
      } catch (error) {
        return put(holder, isAborted(error) ? null : el("p", { class: "error" }, error.message));
      }
    };
    const bar = svgEl("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" });
    let x = 0;
    branch.passes.forEach((work, index) => {
      const width = leaves ? (100 * work.leaves) / leaves : 0;
      bar.append(svgEl("rect", { class: `pass-bar-${index % 6}`, x, y: 0, width, height: 12 }));
      x += width;
    });
    const passCount = branch.passes.filter((work) => work.visits > 0).length;
    const percent = leaves ? ((100 * sum("leaves")) / leaves).toFixed(1) : "0";
    const bounds =
      branch.lower !== null && branch.lower === branch.upper
        ? `= ${valueText(branch.lower)}`
        : [
            branch.lower !== null && `≥ ${valueText(branch.lower)}`,
            branch.upper !== null && `≤ ${valueText(branch.upper)}`,
          ]
            .filter(Boolean)
            .join(" ");
    return el(
      "li",
      { "data-line": branch.line.join(" ") },
      el(
        "div",
        { class: `branch end-${branch.end}` },
        expander,
        el("span", { class: "m" }, branch.line.at(-1)),
        el("span", {}, bounds),
        el("div", { class: "share", title: `${percent} % of the leaves` }, bar),
        el(
          "span",
          { class: "note" },
          `${thousands(sum("nodes"))} · ${thousands(sum("leaves"))} (${percent} %) · ${thousands(sum("answered"))}${passCount > 1 ? ` · in ${passCount} passes` : ""}`,
        ),
      ),
      holder,
    );
  }
  const line = state.line;
  expand(line);
  return () => running?.abort();
}
