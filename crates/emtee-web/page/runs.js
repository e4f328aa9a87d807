// The runs of an experiment: a chart by depth, filters, and a table of single runs.

import { drawChart, swatch } from "./chart.js";
import { button, choice, el, field, put, saveFile, secondsText, thousands } from "./dom.js";

/** The settings in which runs of one algorithm can differ. */
const SETTINGS = ["kind", "step", "entries", "bounds", "etc", "grain", "guess"];

/** Shows the runs of an experiment. `state` has the choices, `changed()` is called when they change. */
export function showRuns(container, name, { runs, columns, iterations }, state, changed) {
  for (const run of runs) run.iterations = [];
  for (const values of iterations)
    runs[values[0]].iterations.push(Object.fromEntries(columns.map((column, index) => [column, values[index]])));
  const games = [...new Set(runs.map((run) => run.game))];
  if (!games.includes(state.game)) state.game = games[0];
  const chartElement = el("div", { class: "wide" });
  const tip = el("p", { class: "tip", id: "tip", role: "status" }, "Hover over a point, or move to it with the tab key.");
  const controls = el("div", { class: "bar" });
  const legendElement = el("div", { class: "swatches" });
  const tableElement = el("div", { class: "wide" });
  const METRICS = [
    ["nbp", "leaves"],
    ["nodes", "nodes"],
    ["passes", "passes"],
    ["seconds", "time"],
  ];

  const settingOf = (run) => SETTINGS.map((name) => `${name}=${run[name]}`).join(" ");
  /** The runs of the game with the chosen setting, by default the most frequent one. */
  function chosen() {
    const mine = runs.filter(
      (run) => run.game === state.game && (!state.position || run.position === state.position),
    );
    const counts = new Map();
    mine.forEach((run) => counts.set(settingOf(run), (counts.get(settingOf(run)) ?? 0) + 1));
    const usual = [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
    if (!counts.has(state.setting)) state.setting = null;
    const setting = state.setting ?? usual;
    return { runs: mine.filter((run) => settingOf(run) === setting), setting, settings: [...counts.keys()] };
  }

  function render() {
    const { runs: mine, setting: own, settings } = chosen();
    const algorithms = [...new Set(mine.map((run) => run.algorithm))];
    const baseline = algorithms.find((name) => name.startsWith("aspiration-negascout"));
    const positions = [
      ...new Set(runs.filter((run) => run.game === state.game).map((run) => run.position)),
    ];
    changed();
    put(
      controls,
      field(
        "game",
        choice(
          games,
          state.game,
          (game) => ((state.game = game), (state.position = ""), (state.setting = null), render()),
          { id: "report-game" },
        ),
      ),
      field(
        "counts",
        choice(METRICS, state.metric, (metric) => ((state.metric = metric), render()), { id: "report-metric" }),
      ),
      field(
        "position",
        choice(
          [
            ["", `all ${positions.length}`],
            ...positions.map((position) => [position, position.length > 40 ? `${position.slice(0, 40)}…` : position]),
          ],
          state.position,
          (position) => ((state.position = position), render()),
          { id: "report-position" },
        ),
      ),
      settings.length > 1
        ? field(
            "setting",
            choice(
              settings.map((setting) => [setting, differing(setting, settings)]),
              own,
              (setting) => ((state.setting = setting), render()),
            ),
          )
        : null,
      button(
        "Save CSV",
        "save these values as CSV",
        () => saveFile(`${name}-${state.game}-${state.metric}.csv`, csv(series, state.metric), "text/csv"),
        { id: "save-csv" },
      ),
      button(
        "Save SVG",
        "save the chart as SVG",
        () =>
          saveFile(
            `${name}-${state.game}-${state.metric}.svg`,
            chartFile(chartElement.firstChild),
            "image/svg+xml",
          ),
        { id: "save-svg" },
      ),
    );
    const sumAt = (algorithm, depth) => {
      const rows = mine
        .filter((run) => run.algorithm === algorithm)
        .map((run) => run.iterations.find((one) => one.depth === depth))
        .filter(Boolean);
      return { n: rows.length, sum: rows.reduce((total, row) => total + row[state.metric], 0) };
    };
    const depths = [...new Set(mine.flatMap((run) => run.iterations.map((one) => one.depth)))].sort((a, b) => a - b);
    const relative = Boolean(baseline) && state.metric !== "passes";
    const series = algorithms.map((name, number) => ({
      name,
      style: number,
      points: depths.flatMap((depth) => {
        const [own, base] = [sumAt(name, depth), baseline ? sumAt(baseline, depth) : { n: 0, sum: 0 }];
        if (!own.n || (relative && (base.n !== own.n || !base.sum))) return [];
        const y = relative ? (100 * own.sum) / base.sum : own.sum / own.n;
        const amount = state.metric === "seconds" ? secondsText(own.sum) : thousands(own.sum);
        const text = `${name}, depth ${depth}: ${amount} ${METRICS.find(([metric]) => metric === state.metric)[1]} over ${own.n} ${own.n === 1 ? "position" : "positions"}${relative ? `, ${y.toFixed(1)} % of the baseline` : ""}`;
        return [{ x: depth, y, about: { text, name, depth, sum: own.sum } }];
      }),
    }));
    const label = METRICS.find(([metric]) => metric === state.metric)[1];
    put(
      chartElement,
      drawChart(
        series.filter((one) => !state.hidden.has(one.name)),
        {
          x: "depth",
          y: relative ? `${label}, % of ${baseline}` : `${label} per position`,
          hundred: relative,
          onPoint: (about) => (tip.textContent = about.text),
        },
      ),
    );
    put(
      legendElement,
      series.map((one) =>
        el(
          "label",
          {},
          el("input", {
            type: "checkbox",
            checked: !state.hidden.has(one.name),
            onchange: (event) => (
              event.target.checked ? state.hidden.delete(one.name) : state.hidden.add(one.name), render()
            ),
          }),
          swatch(one.style),
          one.name,
        ),
      ),
    );
    const rows = mine
      .filter((run) => !state.hidden.has(run.algorithm))
      .flatMap((run) =>
        run.iterations
          .slice(-1)
          .map((last) =>
            el(
              "tr",
              {},
              el(
                "td",
                { title: run.position },
                run.position.length > 34 ? `${run.position.slice(0, 34)}…` : run.position,
              ),
              el("td", {}, run.algorithm),
              el("td", {}, String(last.depth)),
              el("td", {}, String(last.value ?? `${last.lower}…${last.upper}`)),
              el("td", {}, last.best_move ?? ""),
              el("td", {}, thousands(last.nbp)),
              el("td", {}, thousands(last.nodes)),
              el("td", {}, String(last.passes)),
              el("td", {}, secondsText(last.seconds)),
            ),
          ),
      );
    put(
      tableElement,
      el(
        "details",
        { open: Boolean(state.position) },
        el("summary", {}, `All ${rows.length} runs`),
        el(
          "table",
          { class: "grid" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ["position", "algorithm", "depth", "value", "move", "leaves", "nodes", "passes", "time"].map((name) =>
                el("th", { scope: "col" }, name),
              ),
            ),
          ),
          el("tbody", {}, rows.slice(0, 400)),
        ),
      ),
    );
  }
  put(
    container,
    controls,
    el("div", { class: "panel", id: "report-chart" }, chartElement, tip, legendElement),
    tableElement,
  );
  render();
}

/** The parts of a setting that differ between settings. */
function differing(setting, settings) {
  const parts = settings.map((one) => one.split(" "));
  return setting
    .split(" ")
    .filter((_, index) => new Set(parts.map((one) => one[index])).size > 1)
    .join(" ");
}

function csv(series, metric) {
  const rows = series.flatMap((one) =>
    one.points.map((point) => `${one.name},${point.x},${point.about.sum},${point.y}`),
  );
  return [`algorithm,depth,${metric},shown`, ...rows, ""].join("\n");
}

/** The chart as an SVG file, with its styles inline: a file has no style sheet. */
function chartFile(chart) {
  const copy = chart.cloneNode(true);
  const shapes = [...chart.querySelectorAll("line, polyline, circle, text")];
  [...copy.querySelectorAll("line, polyline, circle, text")].forEach((shape, index) => {
    const style = getComputedStyle(shapes[index]);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size"])
      shape.setAttribute(name, style.getPropertyValue(name));
    shape.removeAttribute("style");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}
