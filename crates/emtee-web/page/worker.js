// A worker of the page without a server: it runs one search at a time, and says what it finds.

let search = null;

async function start(module) {
  const decoder = new TextDecoder();
  const page = {
    now: () => performance.now(),
    line: (at, length) => {
      const bytes = new Uint8Array(search.memory.buffer, at, length);
      self.postMessage({ line: decoder.decode(bytes) });
    },
  };
  search = (await WebAssembly.instantiate(module, { page })).exports;
}

self.onmessage = async ({ data: { module, question, body } }) => {
  try {
    if (!search) await start(module);
    const bytes = new TextEncoder().encode(`${question}\n${JSON.stringify(body)}`);
    const room = search.room(bytes.length);
    new Uint8Array(search.memory.buffer, room, bytes.length).set(bytes);
    search.answer();
    self.postMessage({});
  } catch (error) {
    self.postMessage({ broken: String(error) });
  }
};
