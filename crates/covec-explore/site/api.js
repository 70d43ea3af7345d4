// Asks the server. An answer that takes longer is asked for again until it is there.

const ROOT = "/api/v1/";
const PAUSE = 150;

/** An answer that the server refused, in its own words. */
export class Refusal extends Error {
  constructor(body, status) {
    super(body.error || `the server answered ${status}`);
    this.more = body.more || [];
    this.status = status;
  }
}

/** The server is not there. */
export class Gone extends Error {}

/** The address of a question. Values that are lists are said again and again; empty ones not at all. */
export function address(question, values = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
  }
  const text = query.toString();
  return ROOT + question + (text ? `?${text}` : "");
}

/** What the server answers to a question; `working` hears how far it is, `signal` ends the wait. */
export async function ask(question, values = {}, { signal, working, body } = {}) {
  for (;;) {
    let response;
    try {
      response = await fetch(address(question, values), {
        signal,
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? {} : { "Content-Type": "text/plain" },
        body,
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      dispatchEvent(new Event("covec-gone"));
      throw new Gone("The explorer has ended. Start it again with covec explore and reload this page.");
    }
    dispatchEvent(new Event("covec-there"));
    const answer = await response.json();
    // 429: many questions wait; this one has its turn later.
    if (response.status === 202 || response.status === 429) {
      if (response.status === 202) working?.(answer);
      await new Promise((go) => setTimeout(go, PAUSE));
      signal?.throwIfAborted();
      continue;
    }
    if (!response.ok) throw new Refusal(answer, response.status);
    return answer;
  }
}
