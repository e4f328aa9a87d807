// The explorer: which view is shown, and what all views have in common.

import { ask } from "./ask.js";
import { takeToken } from "./server.js";
import { el, isTyping, put } from "./dom.js";
import { readAddress } from "./address.js";
import { STEPPER_KEYS, showKeys } from "./stepper.js";
import { showTrees } from "./trees.js";
import { GAME_KEYS, showGames } from "./games.js";
import { showRace } from "./race.js";
import { showSearch } from "./explore.js";
import { showReports } from "./reports.js";

const VIEWS = {
  trees: [showTrees, STEPPER_KEYS, "Trees"],
  games: [showGames, GAME_KEYS, "Games"],
  race: [showRace, [["?", "show these keys"]], "Race"],
  search: [showSearch, [["?", "show these keys"]], "Search tree"],
  reports: [showReports, [["?", "show these keys"]], "Reports"],
};
const VIEW_KEYS = [["g then t g r s p", "trees, games, race, search tree, reports"]];

const place = document.getElementById("view");
let about = null;
let close = null;
let shown = null;

/** Shows the view that the address names. */
async function show() {
  const { view, words } = readAddress();
  const name = VIEWS[view] ? view : "trees";
  close?.();
  close = null;
  shown = name;
  document.title = `${VIEWS[name][2]} · emtee explorer`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    about ??= await ask("about");
    // Without a server there are no folders to see, and no search that is watched node by node.
    if (about.modules) for (const link of document.querySelectorAll("[data-server]")) link.remove();
    place.dataset.view = name;
    close = (await VIEWS[name][0](place, words, about)) ?? null;
  } catch (error) {
    put(place, el("p", { class: "error", role: "alert" }, error.message));
  }
}

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  theme(dark ? "light" : "dark");
  localStorage.setItem("theme", dark ? "light" : "dark");
});
document.getElementById("keys").addEventListener("click", help);

function help() {
  if (!document.querySelector("dialog")) showKeys([...VIEWS[shown][1], ...VIEW_KEYS]);
}

let led = false;
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const views = { t: "trees", g: "games", r: "race", s: "search", p: "reports" };
  if (led && views[event.key]) location.hash = `#/${views[event.key]}`;
  else if (event.key === "?") help();
  led = !led && event.key === "g";
});
window.addEventListener("hashchange", show);
window.addEventListener("popstate", show);
// Whoever leaves the page leaves its searches too; browsers may keep both, in case somebody comes back.
window.addEventListener("pagehide", () => {
  close?.();
  close = null;
});
window.addEventListener("pageshow", (event) => event.persisted && show());

theme(localStorage.getItem("theme"));
takeToken();
show();
