// The search inside the page, for a page without a server: WebAssembly, in a worker for each question under way.

/** What is said where the search inside cannot help. */
const NEEDED = "This is shown by the program: emtee serve";

/** What there is, and which file has which games: written down when the page was built. */
let described = null;

/** The files that have been loaded, ready to be run. */
const compiled = new Map();

/** A worker of each file that has nothing to do. */
const idle = new Map();

function load(file) {
  const begin = async () => {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(`${file} cannot be loaded: ${answer.status}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  };
  if (!compiled.has(file)) {
    const loading = begin();
    compiled.set(file, loading);
    loading.catch(() => compiled.delete(file));
  }
  return compiled.get(file);
}

async function about() {
  described ??= fetch("about.json").then((answer) => answer.json());
  return described;
}

/** Asks, and gives the answer. */
export async function ask(question, body, signal) {
  if (question === "about") return about();
  if (question === "reports") throw new Error(NEEDED);
  let answer = null;
  await askLines(question, body, signal, (line) => (answer = line));
  return answer;
}

/** Asks, and shows every line of the answer as it comes. Aborting the signal ends the worker, and so the search. */
export async function askLines(question, body, signal, shown) {
  if (question === "explore") throw new Error(NEEDED);
  const { modules } = await about();
  const { file } = modules.find(({ games }) => games.includes(body.game)) ?? modules[0];
  const module = await load(file);
  signal?.throwIfAborted();
  const worker = idle.get(file) ?? new Worker("worker.js");
  idle.delete(file);
  let failed = null;
  const done = new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.onerror = () => reject(new Error("the search could not be started"));
    worker.onmessage = ({ data }) => {
      if (data.broken) return reject(new Error(`the search went wrong: ${data.broken}`));
      if (data.line === undefined) return resolve();
      const object = JSON.parse(data.line);
      if (object.error) failed = new Error(object.error);
      else shown(object);
      return undefined;
    };
  });
  worker.postMessage({ module, question, body });
  try {
    await done;
  } catch (error) {
    worker.terminate();
    throw error;
  }
  if (idle.has(file)) worker.terminate();
  else idle.set(file, worker);
  if (failed) throw failed;
}
