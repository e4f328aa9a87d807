// Requests to the server. A response is one object, or a stream of lines while a search runs.

/** The token that other machines need. It is behind the # of the address, which browsers do not send; requests carry it in
 * a header. */
let token = null;

export function takeToken() {
  const found = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (found) {
    token = found[1];
    sessionStorage.setItem("token", token);
    history.replaceState(null, "", "#/trees");
  } else {
    token = sessionStorage.getItem("token");
  }
}

function headers(more) {
  return token ? { ...more, authorization: `Bearer ${token}` } : more;
}

async function fail(response) {
  let why = `the server answered ${response.status}`;
  try {
    why = (await response.json()).error ?? why;
  } catch {
    // The response has no JSON with an error.
  }
  throw Object.assign(new Error(why), { status: response.status });
}

async function send(name, body, signal) {
  const post = { method: "POST", body: JSON.stringify(body), headers: headers({ "content-type": "application/json" }) };
  const response = await fetch(`/api/${name}`, {
    ...(body === undefined ? { headers: headers({}) } : post),
    signal,
  });
  return response.ok ? response : fail(response);
}

/** Returns the response to a request. */
export async function request(name, body, signal) {
  return (await send(name, body, signal)).json();
}

/** Calls `onLine` for every line of a streamed response. Aborting the signal stops the search. */
export async function requestLines(name, body, signal, onLine) {
  const response = await send(name, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const object = JSON.parse(line);
      if (object.error) throw new Error(object.error);
      onLine(object);
    }
  }
}
