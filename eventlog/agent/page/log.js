// What the page knows of the log, and how it stays true to it: read what is stored, then follow the stream from there, across every break of the
// connection, so that an event is known once and none is missing. Nothing here knows what it looks like.
import { Refusal } from "./feed.js";

/** @typedef {import("./feed.js").Session} Session */
/** @typedef {import("./feed.js").StoredEvent} StoredEvent */
/** @typedef {Pick<typeof import("./feed.js"), "readSessions" | "readSession" | "readEvents" | "follow">} Feed */

/** @typedef {object} Told whom the log tells
 * @property {() => void} changed something is known that was not
 * @property {(state: "connecting" | "live" | "lost") => void} link
 * @property {(error: unknown) => void} trouble null when there is none any more
 * @property {(again: () => void) => void} later calls again after a while
 */

const recentEvents = 200;

export class Log {
  /** @type {Map<string, Session>} by id, in the order of activity, the newest last */
  sessions = new Map();
  /** @type {string | null} the cursor behind the sessions that are listed */
  next = null;
  /** @type {StoredEvent[]} the newest of all sessions; some hundreds */
  recent = [];
  /** @type {string | null} the session that is looked at */
  chosen = null;
  /** @type {StoredEvent[]} all of the chosen session, up to some event */
  events = [];
  /** The chosen session has stored events that were not read yet. */
  behind = false;

  #heard = -1; // the newest event that the stream has brought; -1 until it is known where the log ends
  #reading = 0; // counts readings of a session, so that only the last one goes on
  /** @type {(() => void) | null} */
  #stop = null;
  #feed;
  #told;

  /** @param {Feed} feed @param {Told} told */
  constructor(feed, told) {
    this.#feed = feed;
    this.#told = told;
  }

  /** Reads the sessions and follows the log; tries again until it can. */
  async begin() {
    this.pause();
    this.#told.link("connecting");
    try {
      this.sessions.clear();
      this.recent = [];
      this.next = null;
      this.#heard = -1;
      await this.more();
      const newest = Math.max(0, ...[...this.sessions.values()].map((s) => s.lastEventId));
      this.#heard = Math.max(0, newest - recentEvents);
      this.resume();
      if (this.chosen !== null) this.choose(this.chosen);
    } catch (error) {
      this.#told.link("lost");
      this.#told.trouble(error);
      this.#told.later(() => this.begin());
    }
  }

  /** Reads the sessions behind those that are listed, or the first ones. */
  async more() {
    const page = await this.#feed.readSessions(this.next);
    this.#put(page.sessions.reverse());
    this.next = page.next;
  }

  /** Puts sessions before those that are listed, as less active ones. @param {Session[]} older */
  #put(older) {
    const known = [...this.sessions];
    this.sessions.clear();
    for (const session of older) this.sessions.set(session.id, session);
    for (const [id, session] of known) this.sessions.set(id, session);
    this.#told.changed();
  }

  /** Learns of a session that is not listed yet. It throws when there is none. @param {string} id */
  async find(id) {
    if (!this.sessions.has(id)) this.#put([await this.#feed.readSession(id)]);
  }

  /** Ends the stream; resume goes on behind what it has brought. */
  pause() {
    this.#stop?.();
    this.#stop = null;
  }

  resume() {
    if (this.#heard < 0) return; // begin is under way
    this.#stop?.();
    this.#stop = this.#feed.follow(this.#heard, {
      open: () => {
        this.#told.link("live");
        this.#told.trouble(null);
        if (this.behind) this.#catchUp();
      },
      lost: () => this.#told.link("lost"),
      event: (event) => this.#hear(event),
      refused: (why) => {
        if (why) this.#told.trouble(why);
        this.#told.later(() => {
          if (!this.#stop) return;
          // The log behind this address is another one than before, and shorter.
          if (why instanceof Refusal && why.code === "bad_cursor") this.begin();
          else this.resume();
        });
      },
    });
  }

  /** @param {StoredEvent} event */
  #hear(event) {
    if (event.eventId <= this.#heard) return;
    this.#heard = event.eventId;
    this.recent.push(event);
    if (this.recent.length > 2 * recentEvents) this.recent = this.recent.slice(-recentEvents);
    const known = this.sessions.get(event.sessionId);
    const session = known ?? { id: event.sessionId, title: "", createdAt: event.createdAt, eventCount: 0, lastEventId: 0 };
    if (event.eventId > session.lastEventId) {
      this.sessions.delete(session.id);
      this.sessions.set(session.id, { ...session, lastEventId: event.eventId, eventCount: session.eventCount + 1 });
    }
    if (!known) this.#meet(session.id);
    // While this is behind there is a gap before the event, which catchUp fills, the event included.
    if (event.sessionId === this.chosen && !this.behind) this.#add(event);
    this.#told.changed();
  }

  /** Somebody else made a session, or it is older than those that are listed: only the service knows its title and count. @param {string} id */
  async #meet(id) {
    try {
      const session = await this.#feed.readSession(id);
      const now = this.sessions.get(id);
      this.sessions.set(id, now && now.lastEventId > session.lastEventId ? { ...now, title: session.title } : session);
      this.#told.changed();
    } catch {
      // Its id will do for a name.
    }
  }

  /** @param {Session} session one that was just made */
  made(session) {
    this.sessions.set(session.id, session);
    this.#told.changed();
  }

  /** @param {string | null} id null for none */
  choose(id) {
    this.chosen = id;
    this.events = [];
    this.behind = false;
    return this.#catchUp();
  }

  /** Reads the chosen session's events behind those that are known. */
  async #catchUp() {
    const mine = ++this.#reading;
    const session = this.chosen;
    if (session === null) return;
    this.behind = true;
    try {
      do {
        for (let more = true; more; ) {
          const page = await this.#feed.readEvents(session, this.#last());
          if (mine !== this.#reading) return;
          for (const event of page.events) this.#add(event);
          more = page.more;
        }
        // What came after the last page was read, and before this.
      } while ((this.sessions.get(session)?.lastEventId ?? 0) > this.#last());
      this.behind = false;
      this.#told.trouble(null);
    } catch (error) {
      if (mine === this.#reading) this.#told.trouble(error); // the next connection tries again
    }
    this.#told.changed();
  }

  #last() {
    return this.events.at(-1)?.eventId ?? 0;
  }

  /** @param {StoredEvent} event */
  #add(event) {
    if (event.eventId > this.#last()) this.events.push(event);
  }
}
