// The state of a view in the address, behind the #: a link shows what one sees, and the server never hears of it.

/** The view and its words: #/trees?tree=…&step=3. */
export function readAddress() {
  const [view, words] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: view || "trees", words: new URLSearchParams(words ?? "") };
}

/** A change of the address that the browser did not take. */
let late;

/** Writes the state; without a new entry in the history unless asked for. */
export function writeAddress(view, words, push = false) {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(words)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) kept.set(name, value);
  }
  const text = kept.toString().replaceAll("%2C", ",").replaceAll("%28", "(").replaceAll("%29", ")");
  const hash = `#/${view}${text ? `?${text}` : ""}`;
  clearTimeout(late);
  if (hash === location.hash) return;
  if (push) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  if (hash === location.hash) return;
  // Browsers pass over changes that come too often, as in a fast game of the engine against itself.
  late = setTimeout(() => readAddress().view === view && writeAddress(view, words, push), 1000);
}

/** A number of the address, or nothing. */
export function numberOf(words, name) {
  const text = words.get(name);
  return text === null || text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}
