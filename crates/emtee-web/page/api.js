// Requests to the server, or without a server to the search inside the page. Both give the same responses.

import * as inside from "./inside.js";
import * as server from "./server.js";

const backend = document.documentElement.dataset.search === "inside" ? inside : server;

/** The status of a refusal because too many searches are running. */
const BUSY = 429;

/** request(name, body, signal): returns the response. */
export const request = backend.request;

/** Calls `onLine` for every line of a streamed response. Retries while the server is busy. */
export async function requestLines(name, body, signal, onLine) {
  for (;;) {
    try {
      return await backend.requestLines(name, body, signal, onLine);
    } catch (error) {
      if (error.status !== BUSY) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
      signal?.throwIfAborted();
    }
  }
}

/** Whether an error only means that the request was aborted. */
export function isAborted(error) {
  return error.name === "AbortError";
}
