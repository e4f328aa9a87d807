// A race: algorithms compared live on a position or a set, then the table relative to the baseline.

import { requestLines } from "./api.js";
import { numberOf, writeAddress } from "./address.js";
import { gameField, gameOf, numberField, errorLine, textField } from "./controls.js";
import { button, choice, el, field, put, secondsText, svgEl, thousands } from "./dom.js";

const DEFAULT_ALGORITHMS = "mtd-f,sss,dual,aspiration-negascout,alpha-beta";
const DEPTHS = { chess: 6, othello: 7, checkers: 10, connect4: 11, kalah: 9, tictactoe: 9 };

export async function showRace(container, words, about) {
  const state = {
    game: gameOf(about, words, "connect4"),
    position: words.get("position") ?? "",
    set: words.get("set") ?? "",
    count: numberOf(words, "count") ?? 5,
    depth: numberOf(words, "depth"),
    algorithms: (words.get("algorithms") ?? DEFAULT_ALGORITHMS).split(",").filter(Boolean),
    by: words.get("by") ?? "leaves",
    /** Whether the race has been started; a link to it starts it again. */
    run: words.has("run"),
  };
  state.depth ??= DEPTHS[state.game] ?? 6;
  const game = about.games.find((one) => one.name === state.game);
  let running = null;
  const [problem, showError] = errorLine();
  const lanes = el("div", { class: "lanes", id: "lanes" });
  const summary = el("div", { class: "wide", id: "summary" });
  const note = el(
    "p",
    { class: "note", id: "race-note" },
    "Choose algorithms and start. Counts are cumulative over the iterations; time is the processor time of each search.",
  );
  const start = button("Start", "start the race", () => (running ? running.abort() : race()), {
    class: "primary",
    id: "start",
  });
  const addressWords = () => ({
    game: state.game,
    position: state.position,
    set: state.set,
    count: state.set && state.count !== 5 ? state.count : null,
    depth: state.depth,
    algorithms: state.algorithms.join(",") === DEFAULT_ALGORITHMS ? null : state.algorithms.join(","),
    by: state.by === "leaves" ? null : state.by,
    run: state.run ? 1 : null,
  });
  const change = (changes) => {
    Object.assign(state, { run: "by" in changes && state.run }, changes);
    writeAddress("race", addressWords());
  };

  const boxes = about.algorithms.map(({ name }) => {
    const box = el("input", {
      type: "checkbox",
      name,
      checked: state.algorithms.includes(name),
      onchange: () =>
        change({ algorithms: about.algorithms.map((one) => one.name).filter((one) => chosenNames().includes(one)) }),
    });
    return el("label", {}, box, name);
  });
  const chosenNames = () =>
    boxes
      .map((label) => label.firstChild)
      .filter((box) => box.checked)
      .map((box) => box.name);
  put(
    container,
    el("h1", { class: "offscreen" }, "Race"),
    el(
      "div",
      { class: "bar" },
      gameField(about, state.game, "race"),
      field(
        "on",
        choice(
          [["", "one position"], ...game.sets.map((set) => [set, `the ${set} set`])],
          state.set,
          (set) => (
            change({ set, position: "" }),
            showRace(container, new URLSearchParams(location.hash.split("?")[1]), about)
          ),
          { id: "race-set" },
        ),
      ),
      state.set
        ? numberField("positions", state.count, [1, 50], (count) => change({ count }))
        : textField("position", state.position, "the start", 26, (position) => change({ position }), {
            id: "race-position",
          }),
      numberField("depth", state.depth, [1, 40], (depth) => change({ depth }), { id: "race-depth" }),
      field(
        "bars show",
        choice(
          [
            ["leaves", "leaves"],
            ["nodes", "nodes"],
            ["seconds", "time"],
          ],
          state.by,
          (by) => (change({ by }), draw()),
          { id: "race-by" },
        ),
      ),
      start,
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "Algorithms; the baseline always runs"),
      el("div", { class: "swatches" }, boxes),
    ),
    problem,
    note,
    el("div", { class: "panel" }, lanes),
    summary,
  );

  let runs = new Map();
  let baseline = about.baseline;
  let total = 1;

  /** The sum of a count of an algorithm over the positions so far. */
  const sum = (name, what) => [...(runs.get(name)?.values() ?? [])].reduce((all, lap) => all + lap[what], 0);

  function draw() {
    const names = [...runs.keys()];
    const most = Math.max(1e-9, ...names.map((name) => sum(name, state.by)));
    put(
      lanes,
      names.map((name) => {
        const laps = [...runs.get(name).values()];
        const done = laps.filter((lap) => lap.last).length;
        const value = sum(name, state.by);
        const now = laps.at(-1);
        const bar = svgEl(
          "svg",
          { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" },
          svgEl("rect", { class: "fill", x: 0, y: 0, height: 20, width: (100 * value) / most }),
        );
        const figure = state.by === "seconds" ? secondsText(value) : `${thousands(value)} ${state.by}`;
        const progress = total > 1 ? `${done}/${total}` : now ? `depth ${now.depth}` : "waiting";
        return el(
          "div",
          {
            class: `lane ${name === baseline ? "baseline" : ""} ${done === total ? "done" : ""}`,
            "data-algorithm": name,
          },
          el("span", {}, name),
          el("div", { class: "track" }, bar),
          el("span", { class: "figures" }, `${figure} · ${progress}`),
        );
      }),
    );
  }

  async function race() {
    change({ run: true });
    running = new AbortController();
    start.textContent = "Stop";
    showError(null);
    put(summary);
    runs = new Map();
    const where = state.set
      ? { set: state.set, count: state.count }
      : state.position
        ? { position: state.position }
        : {};
    let frame = null;
    try {
      await requestLines(
        "race",
        { game: state.game, ...where, algorithms: state.algorithms, depth: state.depth },
        running.signal,
        (line) => {
          if (line.algorithms) {
            line.algorithms.forEach((name) => runs.set(name, new Map()));
            baseline = line.baseline;
            total = line.positions.length;
            note.textContent = `${total === 1 ? "One position" : `${total} positions`} of ${state.game}, ${line.threads} searches at a time.`;
          } else if (line.summary) {
            finish(line);
          } else if (line.refused) {
            showError({ message: `${line.algorithm}: ${line.refused}` });
          } else {
            runs.get(line.algorithm).set(line.position, line);
          }
          frame ??= requestAnimationFrame(() => {
            frame = null;
            draw();
          });
        },
      );
    } catch (error) {
      showError(error);
    }
    running = null;
    start.textContent = "Start";
  }

  function finish({ summary: rows, stopped }) {
    const percent = (value) =>
      el(
        "td",
        { class: value === null ? "" : value < 99.5 ? "better" : value > 100.5 ? "worse" : "" },
        value === null ? "–" : `${value.toFixed(1)} %`,
      );
    const row = (one) =>
      el(
        "tr",
        { class: one.algorithm === baseline ? "baseline" : "", "data-algorithm": one.algorithm },
        el("td", {}, one.algorithm),
        el("td", {}, thousands(one.leaves)),
        percent(one.leaves_pct),
        el("td", {}, thousands(one.nodes)),
        percent(one.nodes_pct),
        el("td", {}, secondsText(one.seconds)),
        percent(one.seconds_pct),
        el("td", {}, thousands(one.passes)),
        el("td", {}, one.values.length === 1 ? String(one.values[0][1] ?? "") : `${one.positions} of ${total}`),
      );
    const sorted = [...rows].sort((a, b) => (a.leaves_pct ?? Infinity) - (b.leaves_pct ?? Infinity));
    put(
      summary,
      el("h2", {}, stopped ? "Stopped" : "In percent of the baseline"),
      el(
        "table",
        { class: "grid", id: "race-table" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["algorithm", "leaves", "nodes", "time", "passes", total === 1 ? "value" : "positions"].map((name, index) =>
              el("th", { scope: "col", colspan: index > 0 && index < 4 ? 2 : 1 }, name),
            ),
          ),
        ),
        el("tbody", {}, sorted.map(row)),
      ),
    );
  }
  if (state.run) race();
  return () => running?.abort();
}
