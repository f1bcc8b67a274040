// The page: what a person does, and what is seen of it. What is known of the log is log.js's, what it looks like view.js's and picture.js's.
import * as feed from "./feed.js";
import { Log } from "./log.js";
import { drawPicture } from "./picture.js";
import { kindOf, pairCalls } from "./read.js";
import { byId, eventRow, make, messageRow, place, tellCall } from "./view.js";
import { catalogues, fillWords, pickLanguage } from "./words.js";

/** @typedef {import("./feed.js").StoredEvent} StoredEvent */
/** @typedef {{ draft: string, note: string, failed: boolean, running: boolean, sent: { content: string, key: string } | null }} Talk what a person is saying to a session */

const mostRows = 500; // of each list, before the place where the replay stands
const retryAfter = 2000; // ms

const language = pickLanguage(navigator.languages);
const words = catalogues[language];
fillWords(document, language);

/** @type {number | null} how many events of the chosen session are shown; null for all, those that come too */
let step = null;
/** @type {WeakMap<StoredEvent, { event: Element, message: Element | null }>} as they stand in the page */
const rows = new WeakMap();
const atEnd = { events: true, messages: true }; // whether a list is scrolled to its end
/** @type {Map<string, Talk>} */
const talks = new Map();

const slider = /** @type {HTMLInputElement} */ (byId("step"));
const field = /** @type {HTMLTextAreaElement} */ (byId("content"));
const name = /** @type {HTMLInputElement} */ (byId("name"));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));

const nameOf = (/** @type {string} */ id) => log.sessions.get(id)?.title || id;
const inWords = (/** @type {unknown} */ error) => (error instanceof feed.Refusal ? words.refused(error.message, error.mend) : words.unreachable);

/** What is wrong, by who met it: a connection that works again is no answer to what a person asked for. */
const troubles = { log: /** @type {unknown} */ (null), person: /** @type {unknown} */ (null) };

/** @param {keyof typeof troubles} who @param {unknown} error null when there is none any more */
function trouble(who, error) {
  troubles[who] = error;
  const worst = troubles.person ?? troubles.log;
  byId("trouble").hidden = !worst;
  byId("trouble").textContent = worst ? inWords(worst) : "";
}

const log = new Log(feed, {
  changed: drawSoon,
  link(state) {
    byId("link").textContent = words[state];
    byId("link").classList.toggle("lost", state === "lost");
  },
  trouble: (error) => trouble("log", error),
  later: (again) => setTimeout(again, retryAfter),
});

// ---- what a person does ----

/** @param {string | null} id */
function choose(id) {
  if (log.chosen !== null) talkWith(log.chosen).draft = field.value;
  step = null;
  atEnd.events = atEnd.messages = true;
  field.value = id === null ? "" : talkWith(id).draft;
  const hash = id === null ? "" : `#${encodeURIComponent(id)}`;
  if (location.hash !== hash) history.pushState(null, "", `${location.pathname}${hash}`);
  trouble("person", null);
  const read = log.choose(id);
  draw();
  return read;
}

async function chooseFromAddress() {
  try {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id !== "") await log.find(id);
    await choose(id === "" ? null : id);
  } catch (error) {
    if (error instanceof URIError || error instanceof feed.Refusal) choose(null);
    else setTimeout(chooseFromAddress, retryAfter);
    if (!(error instanceof URIError)) trouble("person", error);
  }
}

/** @param {string} id @returns {Talk} */
function talkWith(id) {
  const talk = talks.get(id) ?? { draft: "", note: "", failed: false, running: false, sent: null };
  talks.set(id, talk);
  return talk;
}

const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

async function send() {
  const session = log.chosen;
  if (session === null) return;
  const talk = talkWith(session);
  const content = field.value;
  if (content.trim() === "" || talk.running) return;
  // A message keeps its key until it is answered, so that sending it again after a failure does not say it twice.
  if (talk.sent?.content !== content) talk.sent = { content, key: freshKey() };
  talk.running = true;
  talk.note = words.running;
  talk.failed = false;
  show(log.events.length);
  try {
    await feed.say(session, content, talk.sent.key);
    talk.sent = null;
    talk.note = "";
    if (talk.draft === content) talk.draft = "";
    if (log.chosen === session && field.value === content) field.value = "";
  } catch (error) {
    talk.note = error instanceof feed.Refusal ? inWords(error) : words.unsent;
    talk.failed = true;
  }
  talk.running = false;
  draw();
}

/** @param {number} count how many events */
function show(count) {
  step = count >= log.events.length ? null : Math.max(0, count);
  draw();
}

/** Leads to an event, in whatever session it is. @param {StoredEvent} event */
async function go(event) {
  if (event.sessionId !== log.chosen) await choose(event.sessionId);
  const place = log.events.findIndex((e) => e.eventId === event.eventId && e.sessionId === event.sessionId);
  if (place >= 0) show(place + 1);
}

// ---- what is seen ----

// A burst of events draws once.
let drawing = 0;
function drawSoon() {
  drawing ||= requestAnimationFrame(draw);
}

function draw() {
  cancelAnimationFrame(drawing);
  drawing = 0;
  drawSessions();
  const { chosen, events, sessions } = log;
  const some = chosen !== null && events.length > 0;
  document.body.classList.toggle("chosen", chosen !== null);
  document.body.classList.toggle("empty", sessions.size === 0);
  const title = chosen !== null ? nameOf(chosen) : log.recent.length > 0 ? words.log : "";
  byId("title").textContent = title;
  byId("title").hidden = title === "";
  byId("session-id").textContent = chosen !== null && nameOf(chosen) !== chosen ? chosen : "";
  byId("leave").hidden = byId("say").hidden = chosen === null;
  for (const part of ["replay", "views", "columns"]) byId(part).hidden = !some;
  const nothing = some || log.behind ? "" : chosen !== null ? words.empty : sessions.size === 0 ? words.none : words.choose;
  byId("nothing").hidden = nothing === "";
  byId("nothing-text").textContent = nothing;
  drawReplay();
  drawLanes();
  if (chosen !== null) {
    const talk = talkWith(chosen);
    button("send").disabled = talk.running;
    byId("sending").textContent = talk.note;
    byId("sending").classList.toggle("failed", talk.failed);
  }
  if (some) drawRows(); // when all else has taken its room
}

function drawSessions() {
  const list = byId("sessions");
  /** @type {Map<string | undefined, HTMLElement>} */
  const old = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.session, /** @type {HTMLElement} */ (item)]));
  const items = [...log.sessions.values()].reverse().map((s) => {
    const item = old.get(s.id) ?? sessionItem(s.id);
    const [name, count] = /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll(".name, .count"));
    if (name) name.textContent = nameOf(s.id);
    if (count) {
      count.textContent = String(s.eventCount);
      count.setAttribute("aria-label", words.count(s.eventCount));
    }
    item.querySelector("button")?.setAttribute("aria-current", String(s.id === log.chosen));
    return item;
  });
  place(list, items);
  byId("more-sessions").hidden = log.next === null;
}

/** @param {string} id */
function sessionItem(id) {
  const count = make("span", "count");
  count.setAttribute("role", "img");
  const button = make("button", "choose", make("span", "name"), count);
  button.type = "button";
  button.title = id;
  button.addEventListener("click", () => choose(id));
  const item = make("li", "", button);
  item.dataset.session = id;
  return item;
}

function drawReplay() {
  const { events } = log;
  const shown = step ?? events.length;
  slider.max = String(events.length);
  slider.value = String(shown);
  const text = words.place(shown, events.length, events[shown - 1]?.eventId ?? 0);
  byId("place").textContent = text;
  slider.setAttribute("aria-valuetext", text);
  button("back").disabled = shown === 0;
  button("forth").disabled = shown === events.length;
  button("live").disabled = step === null;
}

function drawLanes() {
  const { chosen, events, recent } = log;
  /** @type {Map<number, StoredEvent>} */
  const known = new Map();
  for (const e of [...events, ...recent]) known.set(e.eventId, e);
  const all = [...known.values()].sort((a, b) => a.eventId - b.eventId);
  byId("picture").hidden = all.length === 0;
  if (all.length === 0) return;
  const kinds = new Set(all.map((e) => kindOf(e.type)));
  for (const sample of /** @type {HTMLElement[]} */ ([...byId("legend").children])) sample.hidden = !kinds.has(/** @type {any} */ (sample.dataset.kind));
  const at = step === null ? Infinity : (events[step - 1]?.eventId ?? 0);
  const width = byId("lanes").clientWidth;
  byId("lanes").replaceChildren(drawPicture({ events: all, chosen, at, width, nameOf }, words, go));
}

function drawRows() {
  const { events } = log;
  const shown = step ?? events.length;
  const first = Math.max(0, shown - mostRows);
  const pairs = pairCalls(events.slice(0, shown));
  /** @type {Element[]} */
  const stored = [];
  /** @type {Element[]} */
  const said = [];
  if (first > 0) for (const list of [stored, said]) list.push(make("li", "quiet", words.earlier(first)));
  for (const [i, event] of events.slice(first, shown).entries()) {
    const row = rows.get(event) ?? { event: eventRow(event, words, language, go), message: messageRow(event, words, go) };
    rows.set(event, row);
    stored.push(row.event);
    if (row.message) {
      tellCall(row.message, event, pairs, words);
      said.push(row.message);
    }
    const here = step !== null && first + i === shown - 1;
    row.event.classList.toggle("here", here);
    row.message?.classList.toggle("here", here);
  }
  fill("events", stored);
  fill("messages", said);
}

/** Who is at the end of a list stays there, until that person scrolls away from it. @param {"events" | "messages"} id @param {Element[]} content */
function fill(id, content) {
  const column = byId(`${id}-column`);
  place(byId(id), content);
  if (step !== null || atEnd[id]) column.scrollTop = column.scrollHeight;
}

// ---- wiring ----

byId("say").addEventListener("submit", (submit) => {
  submit.preventDefault();
  send();
});
field.addEventListener("keydown", (key) => {
  if (key.key === "Enter" && !key.shiftKey && !key.isComposing) {
    key.preventDefault();
    send();
  }
});
byId("create").addEventListener("submit", async (submit) => {
  submit.preventDefault();
  try {
    const session = await feed.createSession(name.value.trim());
    name.value = "";
    log.made(session);
    choose(session.id);
    field.focus();
  } catch (error) {
    trouble("person", error);
  }
});
byId("more-sessions").addEventListener("click", () => log.more().catch((error) => trouble("person", error)));
byId("leave").addEventListener("click", () => choose(null));
byId("replay").addEventListener("submit", (submit) => submit.preventDefault());
slider.addEventListener("input", () => show(Number(slider.value)));
byId("back").addEventListener("click", () => show((step ?? log.events.length) - 1));
byId("forth").addEventListener("click", () => show((step ?? log.events.length) + 1));
byId("live").addEventListener("click", () => show(log.events.length));
for (const view of /** @type {const} */ (["messages", "events"])) {
  const column = byId(`${view}-column`);
  column.addEventListener("scroll", () => {
    if (column.clientHeight > 0) atEnd[view] = column.scrollHeight - column.scrollTop - column.clientHeight < 60;
  });
  byId(`view-${view}`).addEventListener("click", () => {
    byId("columns").dataset.view = view;
    for (const other of ["messages", "events"]) byId(`view-${other}`).setAttribute("aria-pressed", String(other === view));
    draw();
  });
}
addEventListener("popstate", chooseFromAddress);
addEventListener("resize", drawSoon);
// A browser opens few connections to one address; a page that nobody looks at leaves them to others, and loses nothing.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") log.pause();
  else log.resume();
});

for (const kind of /** @type {const} */ (["user", "assistant", "call", "result", "run", "other"])) {
  const sample = make("span", "", make("span", `mark kind-${kind}`), words[`legend.${kind}`]);
  sample.dataset.kind = kind;
  byId("legend").append(sample);
}
log.begin().then(chooseFromAddress);
