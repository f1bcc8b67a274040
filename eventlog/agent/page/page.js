import { byId, eventRow, make, messageRow, parseEvent, parseEvents } from "./view.js";

// The page is a client like any other: it reads what is stored, and then follows the stream from there.

const sessions = new Map(); // by id, in the order of activity, the newest last
let next = null; // the cursor behind the sessions that are shown
let chosen = null; // the id of the session that is shown
let events = []; // of the chosen session
let step = null; // how many of them are shown; null for all, those that come too
let seen = 0; // the newest event id of the whole log
let source = null;
let catching = false; // while the stored events of the chosen session are being read
let choice = 0; // counts choices, so that an answer to an earlier one is not shown

async function ask(path, body, key) {
  const answer = await fetch(path, body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(`${told.error.message}: ${told.error.mend}`);
  return told;
}

function trouble(error) {
  byId("trouble").hidden = !error;
  byId("trouble").textContent = error ? error.message : "";
}

const pathOf = (id, rest = "") => `/sessions/${encodeURIComponent(id)}${rest}`;

async function loadSessions(after) {
  const page = await ask(`/sessions${after ? `?after=${encodeURIComponent(after)}` : ""}`);
  const older = page.sessions.reverse().map((s) => [s.id, s]);
  const known = [...sessions];
  sessions.clear();
  for (const [id, s] of [...older, ...known]) sessions.set(id, s);
  for (const [, s] of older) if (!after) seen = Math.max(seen, s.lastEventId);
  next = page.next;
  drawSessions();
}

// A burst of events draws the list once.
let drawing = 0;
function drawSoon() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    drawSessions();
  });
}

function drawSessions() {
  const list = byId("sessions");
  const focused = document.activeElement?.dataset?.session;
  list.replaceChildren(
    ...[...sessions.values()].reverse().map((s) => {
      const button = make("button", "choose", make("span", "name", s.title || s.id), make("span", "count", String(s.eventCount)));
      button.type = "button";
      button.dataset.session = s.id;
      button.title = s.id;
      button.querySelector(".count").setAttribute("aria-label", `${s.eventCount} events`);
      if (s.id === chosen) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => choose(s.id));
      return make("li", "", button);
    }),
  );
  if (focused !== undefined) [...list.querySelectorAll("button")].find((b) => b.dataset.session === focused)?.focus();
  byId("more-sessions").hidden = next === null;
}

async function choose(id) {
  const mine = ++choice;
  chosen = id;
  events = [];
  step = null;
  location.hash = encodeURIComponent(id);
  byId("title").textContent = sessions.get(id)?.title || id;
  for (const part of ["replay", "columns", "say"]) byId(part).hidden = false;
  byId("events").replaceChildren();
  byId("messages").replaceChildren();
  drawSessions();
  drawReplay();
  try {
    await catchUp(mine);
  } catch (error) {
    trouble(error);
  }
}

// catchUp reads the chosen session's events behind those that are here.
async function catchUp(mine) {
  catching = true;
  try {
    await readOn(mine);
  } finally {
    if (mine === choice) catching = false;
  }
  // What came after the last page was read, and before this.
  if (mine === choice && (sessions.get(chosen)?.lastEventId ?? 0) > (events.at(-1)?.eventId ?? 0)) await catchUp(mine);
}

async function readOn(mine) {
  for (let more = true; more && mine === choice; ) {
    const after = events.at(-1)?.eventId ?? 0;
    const answer = await fetch(pathOf(chosen, `/events?limit=1000&after=${after}`));
    const text = await answer.text();
    const page = JSON.parse(text);
    if (!answer.ok) throw new Error(`${page.error.message}: ${page.error.mend}`);
    if (mine !== choice) return;
    for (const event of parseEvents(text)) add(event);
    more = page.more;
  }
}

function add(event) {
  if (event.eventId <= (events.at(-1)?.eventId ?? 0)) return;
  events.push(event);
  const late = step !== null;
  byId("events").append(eventRow(event, late));
  const message = messageRow(event);
  if (message) {
    message.dataset.event = String(event.eventId);
    message.hidden = late;
    byId("messages").append(message);
  }
  drawReplay();
}

function drawReplay() {
  const shown = step ?? events.length;
  const slider = byId("step");
  slider.max = String(events.length);
  slider.value = String(shown);
  const last = events[shown - 1];
  const place = `${shown} of ${events.length} events${last ? `, up to event ${last.eventId}` : ""}`;
  byId("place").textContent = place;
  slider.setAttribute("aria-valuetext", place);
  byId("back").disabled = shown === 0;
  byId("forth").disabled = shown === events.length;
  byId("live").disabled = step === null;
}

function show(count) {
  step = count >= events.length ? null : Math.max(0, count);
  const shown = step ?? events.length;
  [...byId("events").children].forEach((row, i) => {
    row.hidden = i >= shown;
    row.classList.toggle("newest", step !== null && i === shown - 1);
  });
  const until = events[shown - 1]?.eventId ?? 0;
  for (const row of byId("messages").children) {
    row.hidden = Number(row.dataset.event) > until;
    row.classList.toggle("newest", step !== null && Number(row.dataset.event) === until);
  }
  drawReplay();
}

// follow listens from the newest event that is known. The browser reconnects by itself while it can, with the last id that it has had.
function follow() {
  source?.close();
  source = new EventSource(`/events?after=${seen}`);
  source.onopen = () => {
    byId("link").textContent = "● live";
    trouble(null);
  };
  source.onerror = () => {
    byId("link").textContent = "○ reconnecting…";
    if (source.readyState === EventSource.CLOSED) setTimeout(begin, 2000);
  };
  source.onmessage = ({ data }) => {
    const event = parseEvent(data);
    seen = event.eventId;
    const session = sessions.get(event.sessionId) ?? { id: event.sessionId, title: "", eventCount: 0, lastEventId: 0 };
    if (event.eventId > session.lastEventId) {
      sessions.delete(session.id);
      sessions.set(session.id, { ...session, lastEventId: event.eventId, eventCount: session.eventCount + 1 });
    }
    // While catchUp is under way there is a gap before this event, which it fills, this event included.
    if (event.sessionId === chosen && !catching) add(event);
    drawSoon();
  };
}

async function begin() {
  try {
    sessions.clear();
    seen = 0;
    await loadSessions();
    follow();
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted && chosen === null && sessions.has(wanted)) await choose(wanted);
    else if (chosen !== null) await catchUp(choice);
  } catch (error) {
    byId("link").textContent = "○ not connected";
    trouble(error);
    setTimeout(begin, 2000);
  }
}

const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

// A message keeps its key until it is answered, so that sending it again after a failure does not say it twice.
let pending = null;

byId("say").addEventListener("submit", async (submit) => {
  submit.preventDefault();
  const field = byId("content");
  const content = field.value;
  if (content.trim() === "" || byId("send").disabled) return;
  if (pending?.content !== content || pending.session !== chosen) pending = { session: chosen, content, key: freshKey() };
  byId("send").disabled = true;
  byId("sending").textContent = "The turn is running…";
  show(events.length);
  try {
    await ask(pathOf(pending.session, "/messages"), { content }, pending.key);
    pending = null;
    if (field.value === content) field.value = "";
    trouble(null);
  } catch (error) {
    trouble(error);
  } finally {
    byId("send").disabled = false;
    byId("sending").textContent = "";
  }
});
byId("content").addEventListener("keydown", (key) => {
  if (key.key === "Enter" && !key.shiftKey && !key.isComposing) {
    key.preventDefault();
    byId("say").requestSubmit();
  }
});
byId("create").addEventListener("click", async () => {
  try {
    const session = await ask("/sessions", {});
    sessions.set(session.id, session);
    await choose(session.id);
    byId("content").focus();
  } catch (error) {
    trouble(error);
  }
});
byId("more-sessions").addEventListener("click", () => loadSessions(next).catch(trouble));
byId("replay").addEventListener("submit", (submit) => submit.preventDefault());
byId("step").addEventListener("input", () => show(Number(byId("step").value)));
byId("back").addEventListener("click", () => show((step ?? events.length) - 1));
byId("forth").addEventListener("click", () => show((step ?? events.length) + 1));
byId("live").addEventListener("click", () => show(events.length));

begin();
