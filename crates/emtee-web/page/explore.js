// The search tree of a game position, expanded move by move, next to the board of the selected line.

import { isAborted, request, requestLines } from "./api.js";
import { numberOf, writeAddress } from "./address.js";
import { gameField, gameOf, numberField, errorLine, row, textField } from "./controls.js";
import { button, choice, copyText, el, field, put, secondsText, svgEl, thousands } from "./dom.js";
import { playableBoard } from "./playable.js";
import { valueText } from "./replay.js";
import { moveNumber } from "./scores.js";
import { putOnCell, setupPanel } from "./setup.js";

const DEPTHS = { chess: 5, othello: 6, checkers: 8, connect4: 9, kalah: 7, tictactoe: 9 };

export const SEARCH_KEYS = [
  ["↑ ↓", "in the table: the line above or below"],
  ["← →", "in the table: close or open a line"],
  ["Enter", "in the table: show the line on the board"],
  ["?", "show these keys"],
];

const sum = (branch, what) => branch.passes.reduce((all, work) => all + work[what], 0);
const keyOf = (line) => line.join("_");

/** The ends of the visits of a branch, by kind, with the numbers of the passes. A visit without any visit below it, without a
 * leaf and without an answer was cut off by a child's entry in the table. */
function endsOf(branch) {
  const ends = { table: [], etc: [], leaf: [] };
  branch.passes.forEach((work, index) => {
    if (!work.visits || work.nodes > work.visits) return;
    if (work.answered) ends.table.push(index + 1);
    else if (work.leaves) ends.leaf.push(index + 1);
    else ends.etc.push(index + 1);
  });
  return ends;
}

/** The names of those ends, and their meanings. */
const END_NAMES = {
  table: ["table", "the table answered"],
  etc: ["ETC", "enhanced transposition cutoff: the entry of a child cut it off"],
  leaf: ["leaf", "evaluated"],
};

export async function showSearch(container, words, about) {
  const state = {
    game: gameOf(about, words, "connect4"),
    position: words.get("position") ?? "",
    moves: words.get("moves") ?? "",
    algorithm: words.get("algorithm") ?? "mtd-f",
    depth: numberOf(words, "depth"),
    line: words.get("line")?.split("_").filter(Boolean) ?? [],
    open: new Set(words.get("open")?.split(",").filter(Boolean) ?? []),
    setup: null,
  };
  state.depth ??= DEPTHS[state.game] ?? 5;
  const gameInfo = about.games.find((game) => game.name === state.game);
  let running = null;
  let shownLine = null;
  /** The response to the last search, and its branches: `{ branch, children, below, row }` by line. */
  let found = null;
  let entries = new Map();
  const [problem, showError] = errorLine();
  const tree = el("div", { class: "panel wide", id: "search-tree" });
  const summary = el("p", { class: "search-summary" });
  const caption = el("p", { class: "status", id: "line" });
  const setupElement = el("div", {});
  const board = playableBoard({ onMove: (move) => searchFrom([...state.line, move]), onPut: putPiece });
  const positionField = textField("position", state.position, "the start", 30, (position) => change({ position }));
  const movesField = textField("moves", state.moves, "none", 18, (moves) => change({ moves }));
  const addressWords = () => ({
    game: state.game,
    position: state.position,
    moves: state.moves,
    algorithm: state.algorithm,
    depth: state.depth,
    line: keyOf(state.line),
    open: [...state.open].join(","),
  });
  const rootMoves = () => state.moves.split(/[\s,]+/).filter(Boolean);
  const positionRequest = (moves) => ({ game: state.game, ...(state.position ? { position: state.position } : {}), moves });

  /** Searches another position, or in another way. */
  function change(changes) {
    Object.assign(state, changes, { line: [], open: new Set() });
    positionField.querySelector("input").value = state.position;
    movesField.querySelector("input").value = state.moves;
    writeAddress("search", addressWords(), true);
    return search();
  }
  const searchFrom = (line) => change({ moves: [...rootMoves(), ...line].join(" ") });

  put(
    container,
    el("h1", { class: "offscreen" }, "Search tree"),
    el(
      "div",
      { class: "bar" },
      gameField(about, state.game, "search"),
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
      positionField,
      movesField,
    ),
    problem,
    el(
      "div",
      { class: "search-view" },
      el(
        "div",
        { class: "search-board" },
        board.element,
        caption,
        board.choices,
        row(
          button("Search from here", "search the position on the board", () => searchFrom(state.line), { id: "search-here" }),
          button("One move back", "search the position before the last move", () =>
            change({ moves: rootMoves().slice(0, -1).join(" ") }),
          ),
          button("Start", "search the start position", () => change({ moves: "", position: "" })),
          gameInfo.set_up && button("Set up", "set up a position by hand", beginSetup, { id: "search-setup" }),
          button("Copy link", "copy a link to this state", (event) => copyText(location.href, event.currentTarget)),
        ),
        setupElement,
      ),
      el("div", { class: "search-table" }, summary, tree),
    ),
  );

  /** Requests the branches below a line. The server searches again, with the same counts. */
  async function branchesBelow(line) {
    let response = null;
    const how = { moves: rootMoves(), algorithm: state.algorithm, depth: state.depth, line };
    await requestLines("explore", { ...positionRequest([]), ...how }, running.signal, (one) => (response = one));
    return response;
  }

  async function search() {
    running?.abort();
    const mine = (running = new AbortController());
    showError(null);
    put(summary, "searching…");
    try {
      await showLine(state.line);
      const response = await branchesBelow([]);
      if (mine !== running || !response) return;
      found = response;
      entries = new Map();
      put(summary, summaryOf(found));
      const open = [...state.open].sort((a, b) => a.split("_").length - b.split("_").length);
      state.open = new Set();
      render();
      for (const key of open) if (entries.has(key)) await expand(entries.get(key));
    } catch (error) {
      if (mine === running) put(summary);
      showError(error);
    }
  }

  /** Shows the position at the end of a line on the board. */
  async function showLine(line) {
    const position = await request("position", positionRequest([...rootMoves(), ...line]), running?.signal);
    shownLine = position;
    state.line = line;
    board.show(position, { setup: state.setup?.drawing });
    const ply = position.line.length - line.length;
    const written = position.written.slice(ply).map((word, index) => `${moveNumber(ply + index, index === 0)} ${word}`);
    caption.textContent = line.length ? written.join(" ") : "the position of the search";
    for (const one of tree.querySelectorAll("[data-line]"))
      one.setAttribute("aria-selected", String(one.dataset.line === line.join(" ")));
  }
  function select(line) {
    showLine(line).then(() => writeAddress("search", addressWords()), showError);
  }

  /** The result of the search, and its passes with their colours. */
  function summaryOf({ row: result, passes, nodes, leaves, capped }) {
    const value = result.value === null ? "unknown" : valueText(result.value);
    const window = (pass) =>
      pass.gamma === null ? `(${valueText(pass.alpha)}, ${valueText(pass.beta)})` : `γ = ${pass.gamma}`;
    const square = { viewBox: "0 0 10 10", width: 10, height: 10, "aria-hidden": "true" };
    const shown = passes.map((pass, index) =>
      el(
        "span",
        { class: "pass-chip" },
        svgEl("svg", square, svgEl("rect", { class: `pass-bar-${index % 6}`, width: 10, height: 10 })),
        `${window(pass)} → ${valueText(pass.g)}`,
      ),
    );
    return [
      el("b", {}, `value ${value}, best move ${result.best_move ?? "none"}. `),
      `Last iteration, depth ${result.depth}: ${thousands(nodes)} visits, ${thousands(leaves)} leaves, ${secondsText(result.seconds)}. Passes: `,
      shown,
      result.complete ? "" : " (aborted before the depth was reached)",
      capped ? " (not all branches are kept)" : "",
    ];
  }

  /** The children of a branch, those with the most leaves first. */
  function entriesOf(branch) {
    const children = [...branch.children].sort((a, b) => sum(b, "leaves") - sum(a, "leaves"));
    for (const child of children) {
      const key = keyOf(child.line);
      if (!entries.has(key)) entries.set(key, { branch: child, children: null, open: false });
    }
    return children.map((child) => entries.get(keyOf(child.line)));
  }

  async function expand(entry) {
    entry.open = !entry.open;
    const key = keyOf(entry.branch.line);
    if (entry.open) state.open.add(key);
    else state.open.delete(key);
    writeAddress("search", addressWords());
    if (entry.open && !entry.children) {
      render();
      try {
        const below = await branchesBelow(entry.branch.line);
        entry.children = entriesOf(below.root);
        entry.moves = below.root.moves;
      } catch (error) {
        entry.open = false;
        if (!isAborted(error)) showError(error);
        return;
      }
    }
    render();
  }

  /** All rows of the table: a branch, then the branches below it if it is open. */
  function render() {
    const focused = document.activeElement?.closest?.("#search-tree [data-line]")?.dataset.line;
    const rows = [];
    const add = (list, moves, level) => {
      for (const entry of list) {
        rows.push(rowOf(entry, level));
        if (!entry.open) continue;
        if (!entry.children) rows.push(noteRow("searching…", level + 1));
        else if (entry.children.length) add(entry.children, entry.moves, level + 1);
        else rows.push(noteRow("Nothing below was visited.", level + 1));
      }
      const missing = moves - list.length;
      if (missing > 0) rows.push(noteRow(`${missing} ${missing === 1 ? "move was" : "moves were"} never visited`, level));
    };
    add(entriesOf(found.root), found.root.moves, 1);
    const head = ["move", "bounds", "end", "leaves by pass", "leaves", "%", "visits", "table answers", "passes"];
    const numbers = 4;
    const table = el(
      "table",
      { class: "grid branches", role: "treegrid", "aria-label": "the search tree" },
      el("thead", {}, el("tr", {}, head.map((name, index) => el("th", { scope: "col", class: index >= numbers ? "n" : "" }, name)))),
      el("tbody", {}, rows),
    );
    put(tree, legendOf(), table);
    const current = [...table.querySelectorAll("[data-line]")].find((one) => one.dataset.line === focused);
    (current ?? table.querySelector("[data-line]"))?.setAttribute("tabindex", 0);
    current?.focus({ preventScroll: true });
  }
  function legendOf() {
    const marks = Object.entries(END_NAMES).map(([kind, [name, meaning]]) => el("li", {}, el("span", { class: `mark ${kind}` }, name), meaning));
    return el("ul", { class: "legend" }, marks, el("li", {}, "bounds and values: for the side to move at the root"));
  }
  function noteRow(text, level) {
    return el("tr", { class: "note" }, el("td", { colspan: 9, class: `level-${Math.min(level, 12)}` }, text));
  }

  function rowOf(entry, level) {
    const { branch } = entry;
    const name = branch.line.join(" ");
    const toggle = () => expand(entry);
    const bar = svgEl("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" });
    let x = 0;
    branch.passes.forEach((work, index) => {
      const width = found.leaves ? (100 * work.leaves) / found.leaves : 0;
      bar.append(svgEl("rect", { class: `pass-bar-${index % 6}`, x, y: 0, width, height: 12 }));
      x += width;
    });
    const percent = found.leaves ? ((100 * sum(branch, "leaves")) / found.leaves).toFixed(1) : "0";
    const ends = Object.entries(endsOf(branch)).filter(([, passes]) => passes.length);
    const marks = ends.map(([kind, passes]) => {
      const [short, meaning] = END_NAMES[kind];
      return el("span", { class: `mark ${kind}`, title: `${meaning}, in pass ${passes.join(", ")}` }, short);
    });
    return el(
      "tr",
      {
        "data-line": name,
        class: ends.length === 1 ? `end-${ends[0][0]}` : "",
        tabindex: -1,
        "aria-level": level,
        "aria-expanded": String(entry.open),
        "aria-selected": String(name === state.line.join(" ")),
        onclick: (event) => event.target.closest("button") || select(branch.line),
        onkeydown: (event) => keys(event, entry),
      },
      el(
        "td",
        { class: `m level-${Math.min(level, 12)}` },
        button(entry.open ? "−" : "+", `${entry.open ? "close" : "open"} ${name}`, toggle, { tabindex: -1 }),
        branch.line.at(-1),
      ),
      el("td", {}, boundsOf(branch)),
      el("td", {}, marks),
      el("td", { class: "share" }, bar),
      el("td", { class: "n" }, thousands(sum(branch, "leaves"))),
      el("td", { class: "n" }, percent),
      el("td", { class: "n" }, thousands(sum(branch, "nodes"))),
      el("td", { class: "n" }, thousands(sum(branch, "answered"))),
      el("td", { class: "n" }, String(branch.passes.filter((work) => work.visits > 0).length)),
    );
  }
  function keys(event, entry) {
    const rowElement = event.currentTarget;
    const all = [...tree.querySelectorAll("[data-line]")];
    const move = (step) => {
      const next = all[all.indexOf(rowElement) + step];
      if (!next) return;
      rowElement.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    };
    const action = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      ArrowRight: () => entry.open || expand(entry),
      ArrowLeft: () => entry.open && expand(entry),
      Enter: () => select(entry.branch.line),
      " ": () => select(entry.branch.line),
    }[event.key];
    if (!action || event.target !== rowElement) return;
    event.preventDefault();
    action();
  }

  function boundsOf({ lower, upper }) {
    if (lower !== null && lower === upper) return `= ${valueText(lower)}`;
    const known = [lower !== null && `≥ ${valueText(lower)}`, upper !== null && `≤ ${valueText(upper)}`];
    return known.filter(Boolean).join(" ");
  }

  function beginSetup() {
    if (state.setup) return endSetup();
    state.setup = { drawing: structuredClone(board.drawing), piece: gameInfo.set_up.pieces[0], turn: shownLine.turn };
    put(setupElement, setupPanel(gameInfo, state.setup, renderSetup, useSetup));
    return renderSetup();
  }
  function renderSetup() {
    board.show(shownLine, { setup: state.setup?.drawing });
  }
  function endSetup() {
    state.setup = null;
    put(setupElement);
    renderSetup();
  }
  function useSetup(position) {
    endSetup();
    change({ position, moves: "" });
  }
  function putPiece(cell, from) {
    putOnCell(gameInfo.set_up, state.setup, cell, from);
    renderSetup();
  }

  search();
  return () => {
    running?.abort();
    running = null;
  };
}
