// Controls that several views have.

import { isAborted } from "./ask.js";
import { choice, el, field } from "./dom.js";

/** The game that the address names, or the usual one, which a page without a server must have at once. */
export function gameOf(about, words, usual) {
  const names = about.games.map(({ name }) => name);
  const first = about.modules ? about.modules[0].games[0] : usual;
  return [words.get("game"), first].find((name) => names.includes(name)) ?? names[0];
}

/** A choice of game; another game is another address. Games that still have to be loaded say how much that is. */
export function gameField(about, game, view) {
  const size = (name) => {
    const at = about.modules?.findIndex(({ games }) => games.includes(name));
    return at > 0 ? ` (${Math.round(about.modules[at].bytes / 1000)} KB)` : "";
  };
  const names = about.games.map(({ name }) => [name, name + size(name)]);
  const change = (name) => (location.hash = `#/${view}?game=${name}`);
  return field("game", choice(names, game, change, { id: view === "games" ? "game" : `${view}-game` }));
}

/** A text of one line, given to `changed` without spaces around it. */
export function textField(label, value, placeholder, size, changed, given = {}) {
  const onchange = (event) => changed(event.target.value.trim());
  return field(label, el("input", { type: "text", size, placeholder, value, onchange, ...given }));
}

/** A number between two others. */
export function numberField(label, value, [min, max], changed, given = {}) {
  const onchange = (event) => changed(Number(event.target.value));
  return field(label, el("input", { type: "number", min, max, value, onchange, ...given }));
}

/** A line for what went wrong: `told(error)` shows it, `told(null)` takes it away. */
export function problemLine() {
  const line = el("p", { class: "error", role: "alert", hidden: true });
  const told = (error) => {
    if (error && isAborted(error)) return;
    line.textContent = error?.message ?? "";
    line.hidden = !error;
  };
  return [line, told];
}

/** A part of a view with a title. */
export function panel(title, ...children) {
  return el("section", { class: "panel" }, el("h3", {}, title), children);
}

/** Controls side by side. */
export function row(...children) {
  return el("div", { class: "row" }, children);
}
