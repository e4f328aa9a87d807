// Controls shared by several views.

import { isAborted } from "./api.js";
import { choice, el, field } from "./dom.js";

/** The game in the address, or the default; without a server the default is a game of the first module. */
export function gameOf(about, words, fallback) {
  const names = about.games.map(({ name }) => name);
  const first = about.modules ? about.modules[0].games[0] : fallback;
  return [words.get("game"), first].find((name) => names.includes(name)) ?? names[0];
}

/** A choice of game; it changes the address. Games in a module that has to be loaded show its size. */
export function gameField(about, game, view) {
  const size = (name) => {
    const index = about.modules?.findIndex(({ games }) => games.includes(name));
    return index > 0 ? ` (${Math.round(about.modules[index].bytes / 1000)} KB)` : "";
  };
  const names = about.games.map(({ name }) => [name, name + size(name)]);
  const change = (name) => (location.hash = `#/${view}?game=${name}`);
  return field("game", choice(names, game, change, { id: view === "games" ? "game" : `${view}-game` }));
}

/** A text field of one line; `changed` is called with the trimmed text. */
export function textField(label, value, placeholder, size, changed, options = {}) {
  const onchange = (event) => changed(event.target.value.trim());
  return field(label, el("input", { type: "text", size, placeholder, value, onchange, ...options }));
}

/** A number field with a minimum and a maximum. */
export function numberField(label, value, [min, max], changed, options = {}) {
  const onchange = (event) => changed(Number(event.target.value));
  return field(label, el("input", { type: "number", min, max, value, onchange, ...options }));
}

/** An error line and its function: `showError(error)` shows an error, `showError(null)` hides the line. */
export function errorLine() {
  const line = el("p", { class: "error", role: "alert", hidden: true });
  const showError = (error) => {
    if (error && isAborted(error)) return;
    line.textContent = error?.message ?? "";
    line.hidden = !error;
  };
  return [line, showError];
}

/** A section of a view with a title. */
export function panel(title, ...children) {
  return el("section", { class: "panel" }, el("h2", { class: "title" }, title), children);
}

/** A row of controls. */
export function row(...children) {
  return el("div", { class: "row" }, children);
}
