// The state of a view in the address, behind the #: a link restores it, and browsers do not send it to the server.

/** The view and its parameters: `#/trees?tree=…&step=3`. */
export function readAddress() {
  const [view, words] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: view || "trees", words: new URLSearchParams(words ?? "") };
}

/** The timer that retries a change the browser has dropped. */
let retry;

/** Writes the state; `push` adds an entry to the browser history. */
export function writeAddress(view, words, push = false) {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(words)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) kept.set(name, value);
  }
  const text = kept.toString().replaceAll("%2C", ",").replaceAll("%28", "(").replaceAll("%29", ")");
  const hash = `#/${view}${text ? `?${text}` : ""}`;
  clearTimeout(retry);
  // A view that has been left does not write over the next one.
  if (hash === location.hash || (location.hash !== "" && readAddress().view !== view)) return;
  if (push) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  if (hash === location.hash) return;
  // Browsers drop changes that are too frequent, as in a fast game of the engine against itself.
  retry = setTimeout(() => readAddress().view === view && writeAddress(view, words, push), 1000);
}

/** A number in the address, or null. */
export function numberOf(words, name) {
  const text = words.get(name);
  return text === null || text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}
