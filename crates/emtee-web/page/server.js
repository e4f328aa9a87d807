// Questions to the server. Answers come at once, or line by line while a search runs.

/** The token that another machine needs: it came behind the #, which is sent to nobody, and goes into a header. */
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

async function refuse(answer) {
  let why = `the server answered ${answer.status}`;
  try {
    why = (await answer.json()).error ?? why;
  } catch {
    // Not even a reason.
  }
  throw new Error(why);
}

async function send(question, body, signal) {
  const post = { method: "POST", body: JSON.stringify(body), headers: headers({ "content-type": "application/json" }) };
  const answer = await fetch(`/api/${question}`, {
    ...(body === undefined ? { headers: headers({}) } : post),
    signal,
  });
  return answer.ok ? answer : refuse(answer);
}

/** Asks, and gives the answer. */
export async function ask(question, body, signal) {
  return (await send(question, body, signal)).json();
}

/** Asks, and shows every line of the answer as it comes. Aborting the signal stops the search. */
export async function askLines(question, body, signal, shown) {
  const answer = await send(question, body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const object = JSON.parse(line);
      if (object.error) throw new Error(object.error);
      shown(object);
    }
  }
}
