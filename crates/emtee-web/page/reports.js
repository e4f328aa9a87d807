// Reports: finished experiments as charts and tables, and matches with their games.

import { request } from "./api.js";
import { writeAddress } from "./address.js";
import { drawChart, swatch } from "./chart.js";
import { button, choice, el, field, put, saveFile, secondsText, thousands } from "./dom.js";

export async function showReports(container, words) {
  const { folders } = await request("reports");
  const selected = folders.find(
    (folder) => folder.name === words.get("name") && (!words.get("id") || String(folder.id) === words.get("id")),
  );
  const content = el("div", {});
  const links = [];
  const open = async (folder) => {
    links.splice(0).forEach((link) => URL.revokeObjectURL(link));
    writeAddress("reports", { name: folder.name, id: folder.id });
    put(content, el("p", { class: "note" }, "loading…"));
    try {
      const folderRequest = { id: folder.id, name: folder.name };
      if (folder.kind === "match") showMatch(content, await request("match", folderRequest));
      else showExperiment(content, await request("report", folderRequest), links);
    } catch (error) {
      put(content, el("p", { class: "error", role: "alert" }, error.message));
    }
  };
  const day = (seconds) => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ") : "");
  put(
    container,
    el("h1", {}, "Reports"),
    folders.length
      ? el(
          "ul",
          { class: "folders" },
          folders.map((folder) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", "data-folder": folder.name, onclick: () => open(folder) },
                el("b", {}, folder.name),
                el("br"),
                el("span", { class: "note" }, `${folder.kind} · ${day(folder.changed)}`),
              ),
            ),
          ),
        )
      : el(
          "p",
          {},
          "There are no finished experiments or matches here. Run ",
          el("code", {}, "emtee reproduce"),
          " or ",
          el("code", {}, "emtee match … --out DIR"),
          ", or start with ",
          el("code", {}, "emtee serve --reports DIR"),
          ".",
        ),
    content,
  );
  if (selected) await open(selected);
  return () => links.forEach((link) => URL.revokeObjectURL(link));
}

/** The settings in which runs of one algorithm can differ. */
const SETTINGS = ["kind", "step", "entries", "bounds", "etc", "grain", "guess"];

function showExperiment(container, report, links) {
  const all = report.runs.filter((run) => run.kind === "count");
  const runs = all.length ? all : report.runs;
  const byRun = new Map(runs.map((run) => [run.run, { ...run, iterations: [] }]));
  for (const iteration of report.iterations) byRun.get(iteration.run)?.iterations.push(iteration);
  const games = [...new Set(runs.map((run) => run.game))];
  const state = { game: games[0], metric: "nbp", setting: null, hidden: new Set(), position: "" };
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
    const mine = [...byRun.values()].filter(
      (run) => run.game === state.game && (!state.position || run.position === state.position),
    );
    const counts = new Map();
    mine.forEach((run) => counts.set(settingOf(run), (counts.get(settingOf(run)) ?? 0) + 1));
    state.setting = counts.has(state.setting)
      ? state.setting
      : [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
    return { runs: mine.filter((run) => settingOf(run) === state.setting), settings: [...counts.keys()] };
  }

  function render() {
    const { runs: mine, settings } = chosen();
    const algorithms = [...new Set(mine.map((run) => run.algorithm))];
    const baseline = algorithms.find((name) => name.startsWith("aspiration-negascout"));
    const positions = [
      ...new Set([...byRun.values()].filter((run) => run.game === state.game).map((run) => run.position)),
    ];
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
              state.setting,
              (setting) => ((state.setting = setting), render()),
            ),
          )
        : null,
      button(
        "Save CSV",
        "save these values as CSV",
        () => saveFile(`${report.name}-${state.game}-${state.metric}.csv`, csv(series, state.metric), "text/csv"),
        { id: "save-csv" },
      ),
      button(
        "Save SVG",
        "save the chart as SVG",
        () =>
          saveFile(
            `${report.name}-${state.game}-${state.metric}.svg`,
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
    const series = algorithms.map((name, colour) => ({
      name,
      colour: colour % 8,
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
              event.target.checked ? state.hidden.delete(one.name) : state.hidden.add(one.name),
              render()
            ),
          }),
          swatch(one.colour),
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
  const figures = report.figures.map(({ name, svg }) => {
    const link = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    links.push(link);
    return el(
      "figure",
      {},
      el("img", { src: link, alt: name, loading: "lazy" }),
      el(
        "figcaption",
        {},
        button("Save", `save ${name} as SVG`, () => saveFile(`${name}.svg`, svg, "image/svg+xml")),
        ` ${name}`,
      ),
    );
  });
  put(
    container,
    el("h2", {}, report.name),
    controls,
    el("div", { class: "panel", id: "report-chart" }, chartElement, tip, legendElement),
    tableElement,
    figures.length ? el("h2", {}, "Figures") : null,
    el("div", { class: "figures-list" }, figures),
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

function showMatch(container, report) {
  const { match, games, score, estimate } = report;
  const names = [...new Set(games.flatMap((game) => [game.first, game.second]))];
  const [one] = names;
  const elo = (value) => (value === null || value === undefined ? "–" : value.toFixed(0));
  const points = score.wins + score.draws / 2;
  const played = score.wins + score.draws + score.losses;
  const tally = (name, colour) => {
    const mine = games.filter((game) => game[colour] === name);
    const wins = mine.filter((game) => game.result === (colour === "first" ? "1-0" : "0-1")).length;
    const draws = mine.filter((game) => game.result === "1/2-1/2").length;
    return `+${wins} =${draws} −${mine.length - wins - draws}`;
  };
  const table = el(
    "table",
    { class: "grid", id: "cross" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["player", "moving first", "moving second", "points"].map((name) => el("th", { scope: "col" }, name)),
      ),
    ),
    el(
      "tbody",
      {},
      names.map((name) =>
        el(
          "tr",
          {},
          el("td", {}, name),
          el("td", {}, tally(name, "first")),
          el("td", {}, tally(name, "second")),
          el("td", {}, `${name === one ? points : played - points} of ${played}`),
        ),
      ),
    ),
  );
  const link = (game) =>
    `#/games?${new URLSearchParams({ game: game.game, ...(game.position ? { position: game.position } : {}), moves: game.moves.join(",") })}`;
  const list = games.map((game) =>
    el(
      "tr",
      {},
      el("td", {}, el("a", { href: link(game) }, `game ${game.number}`)),
      el("td", {}, game.first),
      el("td", {}, game.second),
      el("td", {}, game.result),
      el("td", {}, game.ending),
      el("td", {}, String(game.moves.length)),
    ),
  );
  put(
    container,
    el("h2", {}, `${report.name}: ${match.game}`),
    el("div", { class: "wide" }, table),
    el(
      "p",
      {},
      estimate
        ? `Elo of ${one}: ${elo(estimate.elo)} (95 %: ${elo(estimate.lower)} to ${elo(estimate.upper)}), probability of being stronger: ${(estimate.los * 100).toFixed(1)} %`
        : "Too few games for an Elo estimate.",
    ),
    el("h2", {}, "Games"),
    el(
      "div",
      { class: "wide" },
      el(
        "table",
        { class: "grid", id: "match-games" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["", "first", "second", "result", "ending", "moves"].map((name) => el("th", { scope: "col" }, name)),
          ),
        ),
        el("tbody", {}, list),
      ),
    ),
  );
}
