// Reports: finished experiments as pages, charts and tables, and matches with their games.

import { request } from "./api.js";
import { writeAddress } from "./address.js";
import { el, put } from "./dom.js";
import { figureList, showPage } from "./page.js";
import { showRuns } from "./runs.js";

const TABS = [
  ["page", "Report"],
  ["runs", "Runs"],
  ["figures", "Figures"],
];

export async function showReports(container, words) {
  const { folders } = await request("reports");
  const state = {
    folder: null,
    tab: words.get("tab") ?? "",
    verdict: words.get("verdict") ?? "",
    claim: words.get("claim") ?? "",
    game: words.get("game"),
    metric: words.get("metric") ?? "nbp",
    setting: words.get("setting"),
    position: words.get("position") ?? "",
    hidden: new Set(words.get("hidden")?.split(",").filter(Boolean) ?? []),
  };
  const isNamed = (folder) =>
    folder.name === words.get("name") && (!words.get("id") || String(folder.id) === words.get("id"));
  const content = el("div", { id: "report" });
  const links = [];
  let opening = null;
  const close = () => links.splice(0).forEach((link) => URL.revokeObjectURL(link));

  function updateAddress() {
    const { folder, tab, hidden } = state;
    if (!folder) return;
    const filter = tab === "page" ? { verdict: state.verdict, claim: state.claim } : {};
    const chosen =
      tab === "runs"
        ? {
            game: state.game,
            metric: state.metric === "nbp" ? null : state.metric,
            position: state.position,
            setting: state.setting,
            hidden: [...hidden].join(","),
          }
        : {};
    writeAddress("reports", { name: folder.name, id: folder.id, tab, ...filter, ...chosen });
  }

  async function open(folder, tab) {
    close();
    state.folder = folder;
    const mine = (opening = {});
    for (const one of container.querySelectorAll("[data-folder]"))
      one.setAttribute("aria-pressed", String(one.dataset.folder === folder.name));
    put(content, el("p", { class: "note" }, "loading…"));
    try {
      const folderRequest = { id: folder.id, name: folder.name };
      if (folder.kind === "match") {
        const match = await request("match", folderRequest);
        if (mine !== opening) return;
        state.tab = "";
        updateAddress();
        showMatch(content, match);
        return;
      }
      const report = await request("report", folderRequest);
      if (mine !== opening) return;
      await showExperiment(folder, report, tab);
    } catch (error) {
      if (mine === opening) put(content, el("p", { class: "error", role: "alert" }, error.message));
    }
  }

  /** An experiment has a page, runs and figures; the runs are loaded when they are needed. */
  async function showExperiment(folder, report, wanted) {
    const tabs = TABS.filter(([name]) => (name === "page" ? report.page : name === "figures" ? report.figures.length : true));
    state.tab = tabs.some(([name]) => name === wanted) ? wanted : tabs[0][0];
    const place = el("div", {});
    const buttons = tabs.map(([name, text]) =>
      el("button", { type: "button", role: "tab", "data-tab": name, onclick: () => select(name) }, text),
    );
    let runs = null;
    async function select(name) {
      state.tab = name;
      for (const one of buttons) {
        one.setAttribute("aria-selected", String(one.dataset.tab === name));
        one.classList.toggle("on", one.dataset.tab === name);
      }
      close();
      updateAddress();
      if (name === "page") showPage(place, report, state, updateAddress, links);
      else if (name === "figures") put(place, el("div", { class: "figures-list" }, figureList(report, links)));
      else {
        put(place, el("p", { class: "note" }, "loading…"));
        runs ??= await request("runs", { id: folder.id, name: folder.name });
        if (state.tab === "runs" && state.folder === folder) showRuns(place, report.name, runs, state, updateAddress);
      }
    }
    put(content, el("h2", {}, report.name), el("div", { class: "row tabs", role: "tablist", "aria-label": "parts of the report" }, buttons), place);
    await select(state.tab);
  }

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
                { type: "button", "data-folder": folder.name, "aria-pressed": "false", onclick: () => open(folder, "") },
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
  const selected = folders.find(isNamed);
  if (selected) await open(selected, state.tab);
  return close;
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
