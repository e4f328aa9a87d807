// A worker of the page without a server: runs one search at a time and posts its lines.

let search = null;

async function start(module) {
  const decoder = new TextDecoder();
  const page = {
    now: () => performance.now(),
    line: (offset, length) => {
      const bytes = new Uint8Array(search.memory.buffer, offset, length);
      self.postMessage({ line: decoder.decode(bytes) });
    },
  };
  search = (await WebAssembly.instantiate(module, { page })).exports;
}

self.onmessage = async ({ data: { module, name, body } }) => {
  try {
    if (!search) await start(module);
    const bytes = new TextEncoder().encode(`${name}\n${JSON.stringify(body)}`);
    const offset = search.room(bytes.length);
    new Uint8Array(search.memory.buffer, offset, bytes.length).set(bytes);
    search.answer();
    self.postMessage({});
  } catch (error) {
    self.postMessage({ failure: String(error) });
  }
};
