// The explorer: selects the view; keys, theme and page lifecycle for all views.

import { request } from "./api.js";
import { takeToken } from "./server.js";
import { el, isTyping, put } from "./dom.js";
import { readAddress } from "./address.js";
import { STEPPER_KEYS, showKeys } from "./stepper.js";
import { showTrees } from "./trees.js";
import { GAME_KEYS, showGames } from "./games.js";
import { showRace } from "./race.js";
import { SEARCH_KEYS, showSearch } from "./explore.js";
import { showReports } from "./reports.js";

const VIEWS = {
  trees: [showTrees, STEPPER_KEYS, "Trees"],
  games: [showGames, GAME_KEYS, "Games"],
  race: [showRace, [["?", "show these keys"]], "Race"],
  search: [showSearch, SEARCH_KEYS, "Search tree"],
  reports: [showReports, [["?", "show these keys"]], "Reports"],
};
const VIEW_KEYS = [["g then t g r s p", "trees, games, race, search tree, reports"]];

const container = document.getElementById("view");
let about = null;
let close = null;
let shown = null;
/** Counts the changes of view, to drop one that loads later than the next. */
let changes = 0;

/** Shows the view in the address. */
async function show() {
  const { view, words } = readAddress();
  const name = VIEWS[view] ? view : "trees";
  const change = ++changes;
  delete container.dataset.view;
  close?.();
  close = null;
  shown = name;
  document.title = `${VIEWS[name][2]} · emtee explorer`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    about ??= await request("about");
    // Without a server there are no report folders and no expanded search trees.
    if (about.modules) for (const link of document.querySelectorAll("[data-server]")) link.remove();
    if (change !== changes) return;
    // Each view has a container of its own: one that is still loading cannot write into the next.
    const place = el("div", { class: `view ${name}` });
    put(container, place);
    const closeThis = (await VIEWS[name][0](place, words, about)) ?? null;
    if (change !== changes) return closeThis?.();
    container.dataset.view = name;
    close = closeThis;
  } catch (error) {
    if (change === changes) put(container, el("p", { class: "error", role: "alert" }, error.message));
  }
  return undefined;
}

function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
  localStorage.setItem("theme", dark ? "light" : "dark");
});
document.getElementById("keys").addEventListener("click", help);

function help() {
  if (!document.querySelector("dialog")) showKeys([...VIEWS[shown][1], ...VIEW_KEYS]);
}

let gPressed = false;
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const views = { t: "trees", g: "games", r: "race", s: "search", p: "reports" };
  if (gPressed && views[event.key]) location.hash = `#/${views[event.key]}`;
  else if (event.key === "?") help();
  gPressed = !gPressed && event.key === "g";
});
window.addEventListener("hashchange", show);
// Stops the searches when the page is left: browsers may keep the page and its connections in the back-forward cache.
window.addEventListener("pagehide", () => {
  close?.();
  close = null;
});
window.addEventListener("pageshow", (event) => event.persisted && show());

setTheme(localStorage.getItem("theme"));
takeToken();
show();
