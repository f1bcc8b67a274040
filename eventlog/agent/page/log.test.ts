import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal, type Session, type StoredEvent } from "./feed.js";
import { Log } from "./log.js";

type Told = Parameters<typeof import("./feed.js").follow>[1];

/** A service in memory, whose answers can be held back, whose stream can break, and which can be made worse than any real one. */
class Service {
  titles = new Map<string, string>();
  events: StoredEvent[] = [];
  page = 2;
  down = false;
  forgetful = false; // sends everything again on each new stream, whatever it was asked for
  held: (() => void)[] | null = null; // readers that wait
  streams: { after: number; to: Told }[] = [];

  session(id: string): Session {
    if (!this.titles.has(id)) throw new Refusal({ code: "no_session", message: "no such session", mend: "create it" });
    const own = this.events.filter((e) => e.sessionId === id);
    return { id, title: this.titles.get(id) ?? "", createdAt: 0, lastEventId: own.at(-1)?.eventId ?? 0, eventCount: own.length };
  }

  append(...sessions: string[]): void {
    for (const sessionId of sessions) {
      if (!this.titles.has(sessionId)) this.titles.set(sessionId, "");
      const event = { eventId: (this.events.at(-1)?.eventId ?? 0) + 1, sessionId, type: "note", payload: "{}", createdAt: 0 };
      this.events.push(event);
      for (const { to } of this.streams) to.event({ ...event });
    }
  }

  readonly feed = {
    readSessions: async () => {
      this.reach();
      const sessions = [...this.titles.keys()].map((id) => this.session(id)).sort((a, b) => b.lastEventId - a.lastEventId);
      return { sessions, next: null };
    },
    readSession: async (id: string) => {
      this.reach();
      return this.session(id);
    },
    readEvents: async (id: string, after: number) => {
      this.reach();
      const own = this.events.filter((e) => e.sessionId === id && e.eventId > after);
      const answer = { events: own.slice(0, this.page).map((e) => ({ ...e })), more: own.length > this.page };
      if (this.held) await new Promise<void>((go) => this.held?.push(go));
      this.reach();
      return answer;
    },
    follow: (after: number, to: Told) => {
      const stream = { after, to };
      this.connect(stream);
      return () => {
        this.streams = this.streams.filter((s) => s !== stream);
      };
    },
  };

  reach(): void {
    if (this.down) throw new TypeError("there is nobody");
  }

  connect(stream: { after: number; to: Told }): void {
    this.streams.push(stream);
    stream.to.open();
    for (const e of this.events) if (this.forgetful || e.eventId > stream.after) stream.to.event({ ...e });
  }

  /** The connection breaks, and the browser comes back with the last id that it had. */
  crash(): () => void {
    this.down = true;
    const after = this.events.at(-1)?.eventId ?? 0;
    const lost = this.streams.map((s) => ({ ...s, after }));
    this.streams = [];
    for (const { to } of lost) to.lost();
    return () => {
      this.down = false;
      for (const stream of lost) this.connect(stream);
    };
  }
}

interface Page {
  log: Log;
  links: string[];
  troubles: unknown[];
  again: (() => void)[];
}

function open(service: Service): Page {
  const page: Omit<Page, "log"> = { links: [], troubles: [], again: [] };
  const log = new Log(service.feed, {
    changed() {},
    link: (state) => page.links.push(state),
    trouble: (error) => page.troubles.push(error),
    later: (again) => page.again.push(again),
  });
  return { log, ...page };
}

const settled = () => new Promise<void>((done) => setImmediate(done));
const ids = (log: Log) => log.events.map((e) => e.eventId);

test("what is stored is read in pages, what comes is added, and other sessions are left out", async () => {
  const service = new Service();
  service.append("a", "b", "a", "a", "b", "a", "a");
  const { log } = open(service);
  await log.begin();
  await log.choose("a");
  assert.deepEqual(ids(log), [1, 3, 4, 6, 7]);
  service.append("b", "a");
  assert.deepEqual(ids(log), [1, 3, 4, 6, 7, 9]);
  assert.deepEqual(log.recent.map((e) => e.eventId), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual([...log.sessions.values()].map((s) => [s.id, s.eventCount]), [["b", 3], ["a", 6]]);
});

test("an event that a service sends again is known once", async () => {
  const service = new Service();
  service.forgetful = true;
  service.append("a", "a");
  const { log, links } = open(service);
  await log.begin();
  await log.choose("a");
  const restart = service.crash();
  restart();
  service.append("a");
  assert.deepEqual(ids(log), [1, 2, 3]);
  assert.deepEqual(log.recent.map((e) => e.eventId), [1, 2, 3]);
  assert.equal(log.sessions.get("a")?.eventCount, 3);
  assert.deepEqual(links, ["connecting", "live", "lost", "live"]);
});

test("what comes while the stored events are read leaves no gap", async () => {
  const service = new Service();
  service.append("a", "a");
  const { log } = open(service);
  await log.begin();
  service.held = [];
  const read = log.choose("a");
  await settled();
  service.append("a", "a", "a"); // after the page was made, which says that it is the last one, and before it arrives
  for (; service.held.length > 0; await settled()) service.held.shift()?.();
  await read;
  assert.deepEqual(ids(log), [1, 2, 3, 4, 5]);
});

test("what is read before the stream brings it is known once", async () => {
  const service = new Service();
  service.append("a");
  const { log } = open(service);
  await log.begin();
  const [stream] = service.streams.splice(0); // it is slow
  service.append("a");
  await log.choose("a");
  assert.deepEqual(ids(log), [1, 2]);
  stream?.to.event({ ...(service.events[1] as StoredEvent) });
  assert.deepEqual(ids(log), [1, 2]);
});

test("a reading that a crash cut off is taken up again", async () => {
  const service = new Service();
  service.append("a", "a", "a", "a", "a");
  const { log, troubles } = open(service);
  await log.begin();
  service.held = [];
  const read = log.choose("a");
  await settled();
  const restart = service.crash();
  service.held.shift()?.();
  await read;
  assert.equal(log.behind, true);
  assert.ok(troubles.at(-1) instanceof TypeError);
  service.held = null;
  restart();
  service.append("a");
  await settled();
  assert.deepEqual(ids(log), [1, 2, 3, 4, 5, 6]);
  assert.equal(log.behind, false);
});

test("an answer for a session that is no longer looked at is not shown", async () => {
  const service = new Service();
  service.append("a", "b", "a");
  const { log } = open(service);
  await log.begin();
  service.held = [];
  const first = log.choose("a");
  await settled();
  const second = log.choose("b");
  await settled();
  for (; service.held.length > 0; await settled()) service.held.shift()?.();
  await Promise.all([first, second]);
  assert.deepEqual(ids(log), [2]);
});

test("a page that nobody looks at goes on where it was", async () => {
  const service = new Service();
  service.append("a");
  const { log } = open(service);
  await log.begin();
  await log.choose("a");
  log.pause();
  assert.equal(service.streams.length, 0);
  service.append("a", "a");
  log.resume();
  assert.deepEqual(ids(log), [1, 2, 3]);
});

test("a session that somebody else made gets its title", async () => {
  const service = new Service();
  const { log } = open(service);
  await log.begin();
  service.titles.set("new", "made by a program");
  service.append("new", "new");
  await settled();
  assert.deepEqual(log.sessions.get("new"), { id: "new", title: "made by a program", createdAt: 0, lastEventId: 2, eventCount: 2 });
  await assert.rejects(log.find("nobody"), Refusal);
});

test("when another log stands behind the address, the page begins anew", async () => {
  const service = new Service();
  service.append("a", "a", "a");
  const { log, again, troubles } = open(service);
  await log.begin();
  await log.choose("a");
  service.events = [];
  service.append("a");
  const why = new Refusal({ code: "bad_cursor", message: "of another log", mend: "begin again" });
  service.streams[0]?.to.refused(why);
  assert.equal(troubles.at(-1), why);
  again.shift()?.();
  await settled();
  assert.deepEqual(ids(log), [1]);
});

test("a service that is not there yet is asked again", async () => {
  const service = new Service();
  service.append("a");
  service.down = true;
  const { log, again, links } = open(service);
  await log.begin();
  log.resume(); // the page came into view meanwhile
  assert.deepEqual(links, ["connecting", "lost"]);
  service.down = false;
  again.shift()?.();
  await settled();
  assert.equal(links.at(-1), "live");
  assert.equal(log.sessions.size, 1);
});
