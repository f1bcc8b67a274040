// The page is a client like any other: it reads what is stored, and then follows the stream from there.
import { parseEvent, parseEvents } from "./read.js";

/** @typedef {import("./read.js").StoredEvent} StoredEvent */
/** @typedef {{ id: string, title: string, createdAt: number, lastEventId: number, eventCount: number }} Session */

/** The answer is no, and why. */
export class Refusal extends Error {
  /** @param {{ code: string, message: string, mend: string }} problem */
  constructor({ code, message, mend }) {
    super(message);
    this.code = code;
    this.mend = mend;
  }
}

/** A refusal is thrown as one; fetch itself throws when there is no service. @param {string} path @param {RequestInit} [how] */
async function ask(path, how) {
  const answer = await fetch(path, how);
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(JSON.parse(text).error);
  return text;
}

/** @param {string} path @param {unknown} body @param {string} [key] an idempotency key */
function post(path, body, key) {
  const headers = { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @param {string} id */
function pathOf(id) {
  if (id === "." || id === "..") {
    throw new Refusal({
      code: "bad_id",
      message: `a browser cannot ask for the session "${id}", which it takes for a step in the address, even escaped`,
      mend: `use bin/eventlog replay ${id}`,
    });
  }
  return `/sessions/${encodeURIComponent(id)}`;
}

/** @param {string | null} after @returns {Promise<{ sessions: Session[], next: string | null }>} by activity, the newest first */
export async function readSessions(after) {
  return JSON.parse(await ask(`/sessions${after ? `?after=${encodeURIComponent(after)}` : ""}`));
}

/** @param {string} id @returns {Promise<Session>} */
export async function readSession(id) {
  return JSON.parse(await ask(pathOf(id)));
}

/** @param {string} title @returns {Promise<Session>} */
export async function createSession(title) {
  return JSON.parse(await post("/sessions", { title }));
}

/** A page of a session's events. @param {string} id @param {number} after */
export async function readEvents(id, after) {
  const text = await ask(`${pathOf(id)}/events?limit=1000&after=${after}`);
  /** @type {boolean} */
  const more = JSON.parse(text).more;
  return { events: parseEvents(text), more };
}

/** Resolves when the turn is over; the stream tells what it brought. @param {string} id @param {string} content @param {string} key */
export async function say(id, content, key) {
  await post(`${pathOf(id)}/messages`, { content }, key);
}

/**
 * Follows the log behind an event. The browser comes back by itself, with the id of the last event that it has had, as long as there is nobody to
 * answer; when somebody answers no, the stream is over and refused is told why.
 * @param {number} after
 * @param {{ open(): void, lost(): void, event(event: StoredEvent): void, refused(why: unknown): void }} to
 * @returns {() => void} ends it
 */
export function follow(after, to) {
  const path = `/events?after=${after}`;
  let last = after;
  const source = new EventSource(path);
  const asking = new AbortController();
  source.onopen = () => to.open();
  source.onmessage = ({ data }) => {
    const event = parseEvent(data);
    last = event.eventId;
    to.event(event);
  };
  source.onerror = () => {
    to.lost();
    if (source.readyState === EventSource.CLOSED) whyNot().then(to.refused);
  };
  // The browser keeps to itself what it was told, so it is asked for once more.
  async function whyNot() {
    try {
      const answer = await fetch(path, { headers: { "Last-Event-ID": String(last) }, signal: asking.signal });
      if (!answer.ok) return new Refusal((await answer.json()).error);
      await answer.body?.cancel();
    } catch (error) {
      return error;
    }
  }
  return () => {
    source.close();
    asking.abort();
  };
}
