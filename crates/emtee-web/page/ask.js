// Questions: to the server, or where there is none to the search inside the page. Both answer alike.

import * as inside from "./inside.js";
import * as server from "./server.js";

const backend = document.documentElement.dataset.search === "inside" ? inside : server;

/** ask(question, body, signal): asks, and gives the answer. */
export const ask = backend.ask;

/** Asks, and shows every line of the answer as it comes. Where the server is busy it is asked again, until it is not. */
export async function askLines(question, body, signal, shown) {
  for (;;) {
    try {
      return await backend.askLines(question, body, signal, shown);
    } catch (error) {
      if (!error.message.startsWith("busy")) throw error;
      await new Promise((again) => setTimeout(again, 300));
      signal?.throwIfAborted();
    }
  }
}

/** Whether an error only says that somebody did not want the answer any more. */
export function isAborted(error) {
  return error.name === "AbortError";
}
