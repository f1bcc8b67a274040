// The picture of the log: a lane for each session, time to the right, an event a mark with its id.
import { kindOf } from "./read.js";

/** @typedef {import("./read.js").StoredEvent} StoredEvent */
/** @typedef {(typeof import("./words.js").catalogues)["en"]} Words */

/** @typedef {object} Scene what is drawn
 * @property {readonly StoredEvent[]} events those that are known, of all sessions, by their id
 * @property {string | null} chosen the session whose lane comes first
 * @property {number} at the id of the newest event that has happened yet; Infinity for all
 * @property {number} width of the drawing, in CSS pixels
 * @property {(session: string) => string} nameOf
 */

/** @typedef {object} Lane @property {string | null} session null for all that have no lane of their own @property {number} sessions how many it holds */

const laneHeight = 34;
const dot = 11; // the room of an event that only tells how the agent ran
const mostLanes = 4;

/** The last of them that have room, and one in any case. @param {readonly StoredEvent[]} events @param {number} room @param {(event: StoredEvent) => number} widthOf */
function last(events, room, widthOf) {
  let from = events.length;
  for (let used = 0; from > 0; from--) {
    used += widthOf(/** @type {StoredEvent} */ (events[from - 1]));
    if (used > room && from < events.length) break;
  }
  return events.slice(from);
}

/**
 * The events that have room. While one replays, the event that it stands at is a third from the right, so that what comes next is seen. Otherwise they
 * are the newest, but half of the room is the chosen session's when it has so many.
 * @param {readonly StoredEvent[]} events @param {string | null} chosen @param {number} at @param {number} room @param {(event: StoredEvent) => number} widthOf
 */
function choose(events, chosen, at, room, widthOf) {
  if (at < (events.at(-1)?.eventId ?? 0)) {
    let end = events.findIndex((e) => e.eventId > at);
    for (let used = 0; end < events.length && used < room / 3; end++) used += widthOf(/** @type {StoredEvent} */ (events[end]));
    const before = last(events.slice(0, end), room, widthOf);
    // At the log's beginning there is more room for what comes.
    return before.length < end ? before : last([...events].reverse(), room, widthOf).reverse();
  }
  const newest = last(events, room, widthOf);
  const own = last(events.filter((e) => e.sessionId === chosen), room / 2, widthOf);
  const missing = own.filter((e) => e.eventId < (newest[0]?.eventId ?? 0));
  if (missing.length === 0) return newest;
  const taken = [...missing, ...newest.filter((e) => e.sessionId === chosen)];
  const left = taken.reduce((sum, e) => sum - widthOf(e), room);
  const others = last(newest.filter((e) => e.sessionId !== chosen), left, widthOf);
  return [...taken, ...others].sort((a, b) => a.eventId - b.eventId);
}

/** What is drawn of a scene, and where. gaps are the places before which known events were left out. @param {Scene} scene */
export function arrange({ events, chosen, at, width }) {
  const gutter = Math.min(160, Math.round(width * 0.28));
  const digits = String(events.at(-1)?.eventId ?? 0).length;
  const column = Math.max(32, digits * 7 + 22);
  const widthOf = (/** @type {StoredEvent} */ e) => (kindOf(e.type) === "run" ? dot : column);
  const shown = choose(events, chosen, at, width - gutter - 8, widthOf);
  let edge = gutter;
  const xs = shown.map((e) => (edge += widthOf(e)) - widthOf(e) / 2);

  // The chosen session, then the others by their newest mark; the last lane takes all for which there is none.
  const others = new Set();
  for (const e of shown.toReversed()) if (e.sessionId !== chosen) others.add(e.sessionId);
  const own = chosen === null ? [] : [chosen];
  const free = mostLanes - own.length;
  const named = [...own, ...[...others].slice(0, others.size > free ? free - 1 : free)];
  /** @type {Lane[]} */
  const lanes = named.map((session) => ({ session, sessions: 1 }));
  const rest = own.length + others.size - named.length;
  if (rest > 0) lanes.push({ session: null, sessions: rest });
  const place = new Map(events.map((e, i) => [e.eventId, i]));
  const gaps = shown.flatMap((e, i) => (i > 0 && (place.get(e.eventId) ?? 0) - (place.get(shown[i - 1]?.eventId ?? 0) ?? 0) > 1 ? [i] : []));
  return { shown, xs, lanes, gaps, gutter, column, laneOf: (/** @type {StoredEvent} */ e) => (named.includes(e.sessionId) ? named.indexOf(e.sessionId) : lanes.length - 1) };
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** @param {string} text @param {number} most */
function shorten(text, most) {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** @param {Scene} scene @param {Words} words @param {(event: StoredEvent) => void} go */
export function drawPicture(scene, words, go) {
  const { shown, xs, lanes, gaps, gutter, column, laneOf } = arrange(scene);
  const y = (/** @type {number} */ lane) => lane * laneHeight + laneHeight / 2;
  const x = (/** @type {number} */ i) => xs[i] ?? 0;
  const height = Math.max(1, lanes.length) * laneHeight;
  const ofChosen = shown.filter((e) => scene.chosen === null || e.sessionId === scene.chosen);
  const now = scene.at === Infinity ? ofChosen.at(-1)?.eventId : scene.at;
  const told = [words.picture(shown.length, lanes.length)];

  const nodes = lanes.flatMap(({ session, sessions }, i) => {
    const name = session === null ? words.others(sessions) : scene.nameOf(session);
    const ids = shown.filter((e) => laneOf(e) === i).map((e) => e.eventId);
    told.push(words.lane(name, ids.join(", ")));
    const own = session !== null && session === scene.chosen;
    // Wide letters take the room of two.
    const label = svg("text", { x: 10, y: y(i) + 4, class: own ? "lane-name own" : "lane-name" }, shorten(name, Math.floor(gutter / (/[\u2e80-\uffff]/.test(name) ? 14 : 8.5))));
    label.append(svg("title", {}, session === null ? name : session));
    const lane = svg("line", { x1: gutter, x2: scene.width - 8, y1: y(i), y2: y(i), class: "lane" });
    return own ? [svg("rect", { x: 0, y: i * laneHeight + 2, width: scene.width, height: laneHeight - 4, rx: 6, class: "lane-ground" }), lane, label] : [lane, label];
  });
  for (const i of gaps) {
    const between = x(i) - (kindOf(shown[i]?.type ?? "") === "run" ? dot : column) / 2;
    nodes.push(svg("line", { x1: between, x2: between, y1: 4, y2: height - 4, class: "left-out" }));
  }
  shown.forEach((event, i) => {
    const kind = kindOf(event.type);
    const [wide, high] = kind === "run" ? [dot - 4, 7] : [column - 8, 22];
    const round = kind === "user" || kind === "assistant" ? 11 : 4;
    const at = { x: x(i) - wide / 2, y: y(laneOf(event)) - high / 2, width: wide, height: high, rx: round };
    const classes = ["mark", `kind-${kind}`];
    if (event.eventId > scene.at) classes.push("to-come");
    if (event.sessionId !== scene.chosen && scene.chosen !== null) classes.push("elsewhere");
    const node = svg("g", { class: classes.join(" ") }, svg("title", {}, `${event.eventId} ${event.type}`));
    if (event.eventId === now) node.append(svg("rect", { x: at.x - 3, y: at.y - 3, width: wide + 6, height: high + 6, rx: round + 3, class: "ring" }));
    node.append(svg("rect", at));
    if (kind !== "run") node.append(svg("text", { x: x(i), y: y(laneOf(event)) + 4, "text-anchor": "middle" }, String(event.eventId)));
    node.addEventListener("click", () => go(event));
    nodes.push(node);
  });
  return svg("svg", { width: scene.width, height, viewBox: `0 0 ${scene.width} ${height}`, role: "img", "aria-label": told.join(" ") }, ...nodes);
}
