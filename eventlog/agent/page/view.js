// What the page shows is made here, from values alone. Texts from the log are only ever text, never markup.
import { kindOf, members, pretty } from "./read.js";

/** @typedef {import("./read.js").StoredEvent} StoredEvent */
/** @typedef {(typeof import("./words.js").catalogues)["en"]} Words */

/** @param {string} id @returns {HTMLElement} what the page promises to hold */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} className @param {(Node | string)[]} children */
export function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/** Makes a list hold these rows. Those that are there already stay where they are, with what is open or focused in them. @param {Element} list @param {Element[]} rows */
export function place(list, rows) {
  const wanted = new Set(rows);
  for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
  rows.forEach((row, i) => {
    if (list.children[i] !== row) list.insertBefore(row, list.children[i] ?? null);
  });
}

/** An event's id, looking as its mark in the picture, which leads to that event. @param {StoredEvent} event @param {Words} words @param {(event: StoredEvent) => void} go */
function mark(event, words, go) {
  const button = make("button", `mark kind-${kindOf(event.type)}`, String(event.eventId));
  button.type = "button";
  button.setAttribute("aria-label", words["replay.to"](event.eventId));
  button.addEventListener("click", () => go(event));
  return button;
}

/** @param {number} ms @param {string} language */
function timeOf(ms, language) {
  const at = new Date(ms);
  const time = make("time", "quiet", at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }));
  if (!Number.isNaN(at.getTime())) time.dateTime = time.title = at.toISOString();
  return time;
}

/** How much of a payload stands in its event's line, before it is opened. */
const previewLength = 200;

/** @param {StoredEvent} event @param {Words} words @param {string} language @param {(event: StoredEvent) => void} go */
export function eventRow(event, words, language, go) {
  const preview = make("code", "preview", event.payload.slice(0, previewLength).replaceAll(/\s+/g, " "));
  const details = make("details", "", make("summary", "", make("span", "type", event.type), preview, timeOf(event.createdAt, language)));
  // Written out only when somebody looks: a payload may have megabytes.
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector("pre")) details.append(make("pre", "payload", pretty(event.payload)));
  });
  const row = make("li", `event ${kindOf(event.type)}`, mark(event, words, go), details);
  row.dataset.event = String(event.eventId);
  return row;
}

/** JSON is laid out when it is long, any other text stays as it is. @param {string} text */
function laidOut(text) {
  if (text.length <= 60) return text;
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? pretty(text) : text;
  } catch {
    return text;
  }
}

/** An event as the message that it folds to; null when it is none. @param {StoredEvent} event @param {Words} words @param {(event: StoredEvent) => void} go */
export function messageRow(event, words, go) {
  const kind = kindOf(event.type);
  if (kind === "run" || kind === "other") return null;
  const [content = "", callId = "", name = "", args = ""] = members(event, "content", "callId", "name", "arguments");
  const who = { user: words.user, assistant: words.assistant, call: words.call(name), result: words.result }[kind];
  const top = make("div", "who", mark(event, words, go), make("span", "", who));
  if (kind === "call" || kind === "result") top.append(make("code", "call-id", callId), make("span", "state"));
  const said = kind === "call" ? laidOut(args) : kind === "result" ? laidOut(content) : content;
  const row = make("li", `message ${kind}`, top, make("p", "said", said));
  row.dataset.event = String(event.eventId);
  return row;
}

/**
 * Says in a call's row whether it has its answer yet, and in a result's row when it answers no open call.
 * @param {Element} row @param {StoredEvent} event @param {Map<number, number>} pairs @param {Words} words
 */
export function tellCall(row, event, pairs, words) {
  const kind = kindOf(event.type);
  const state = row.querySelector(".state");
  if (!state) return;
  const other = pairs.get(event.eventId);
  state.textContent = kind === "call" ? (other === undefined ? words.open : words.answered(other)) : other === undefined ? words.orphan : "";
}
