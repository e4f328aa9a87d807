// The search inside the page, for a page without a server: WebAssembly, in one worker per running request.

/** The error of requests that need a server. */
const NEEDS_SERVER = "This needs the server: run emtee serve";

/** The games, algorithms and modules, from `about.json`, which was written when the page was built. */
let described = null;

/** The compiled modules, by file. */
const compiled = new Map();

/** An idle worker for each file. */
const idleWorkers = new Map();

function load(file) {
  const compile = async () => {
    const response = await fetch(file);
    if (!response.ok) throw new Error(`${file} cannot be loaded: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  };
  if (!compiled.has(file)) {
    const loading = compile();
    compiled.set(file, loading);
    loading.catch(() => compiled.delete(file));
  }
  return compiled.get(file);
}

async function about() {
  described ??= fetch("about.json").then((response) => response.json());
  return described;
}

/** Returns the response to a request. */
export async function request(name, body, signal) {
  if (name === "about") return about();
  if (name === "reports") throw new Error(NEEDS_SERVER);
  let response = null;
  await requestLines(name, body, signal, (line) => (response = line));
  return response;
}

/** Calls `onLine` for every line of a streamed response. Aborting the signal ends the worker and its search. */
export async function requestLines(name, body, signal, onLine) {
  if (name === "explore") throw new Error(NEEDS_SERVER);
  const { modules } = await about();
  const { file } = modules.find(({ games }) => games.includes(body.game)) ?? modules[0];
  const module = await load(file);
  signal?.throwIfAborted();
  const worker = idleWorkers.get(file) ?? new Worker("worker.js");
  idleWorkers.delete(file);
  let failed = null;
  const done = new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.onerror = () => reject(new Error("the search could not be started"));
    worker.onmessage = ({ data }) => {
      if (data.failure) return reject(new Error(`the search failed: ${data.failure}`));
      if (data.line === undefined) return resolve();
      const object = JSON.parse(data.line);
      if (object.error) failed = new Error(object.error);
      else onLine(object);
      return undefined;
    };
  });
  worker.postMessage({ module, name, body });
  try {
    await done;
  } catch (error) {
    worker.terminate();
    throw error;
  }
  if (idleWorkers.has(file)) worker.terminate();
  else idleWorkers.set(file, worker);
  if (failed) throw failed;
}
