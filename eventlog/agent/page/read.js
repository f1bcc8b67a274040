// Reads what the service sends. A payload stays the text that it is: parsing it would change numbers that JavaScript cannot hold.

/** @typedef {{ eventId: number, sessionId: string, type: string, payload: string, createdAt: number }} StoredEvent */

/**
 * An event of the service, its payload as a text. In an encoded string every quotation mark has a backslash before it, so the first "payload":
 * is the member's name; createdAt comes last.
 * @param {string} text @returns {StoredEvent}
 */
export function parseEvent(text) {
  const payload = text.slice(text.indexOf('"payload":') + '"payload":'.length, text.lastIndexOf(',"createdAt":'));
  return { ...JSON.parse(text), payload };
}

/** The events of a page of them. @param {string} text @returns {StoredEvent[]} */
export function parseEvents(text) {
  const found = [];
  for (let at = text.indexOf("[") + 1; text[at] === "{"; ) {
    const end = objectEnd(text, at);
    found.push(parseEvent(text.slice(at, end)));
    at = end + 1;
  }
  return found;
}

/** @param {string} text @param {number} at where an object begins @returns {number} where it is over */
function objectEnd(text, at) {
  let depth = 0;
  for (; at < text.length; at++) {
    const c = text[at];
    if (c === '"') at = stringEnd(text, at);
    else if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) return at + 1;
  }
  return at;
}

/** @param {string} text @param {number} at where a string begins @returns {number} its closing quotation mark */
function stringEnd(text, at) {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
  return at;
}

/** JSON with one member a line. Only white space changes: every number and every escape stays as it was written. @param {string} text */
export function pretty(text) {
  let out = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? "";
    if (" \t\n\r".includes(c)) continue;
    if (c === '"') {
      const end = stringEnd(text, at);
      out += text.slice(at, end + 1);
      at = end;
    } else if (c === "{" || c === "[") {
      const closing = /^[ \t\n\r]*[}\]]/.exec(text.slice(at + 1, at + 80));
      if (closing) {
        out += c + (closing[0].at(-1) ?? "");
        at += closing[0].length;
      } else {
        depth++;
        out += c + line();
      }
    } else if (c === "}" || c === "]") {
      depth--;
      out += line() + c;
    } else if (c === ",") out += c + line();
    else if (c === ":") out += ": ";
    else out += c;
  }
  return out;
}

/** @typedef {"user" | "assistant" | "call" | "result" | "run" | "other"} Kind run: how the agent ran, which the model is not shown */

/** What an event is to a reader. @param {string} type @returns {Kind} */
export function kindOf(type) {
  switch (type) {
    case "user_message": return "user";
    case "assistant_message": return "assistant";
    case "tool_call": return "call";
    case "tool_result": return "result";
    case "turn_start":
    case "turn_end":
    case "step_start":
    case "step_end":
    case "model_request":
    case "model_retry":
    case "tool_start": return "run";
    default: return "other";
  }
}

/** The members of a JSON object, each value as the text that it is; the last one of a name counts. @param {string} text @returns {Map<string, string>} */
function rawMembers(text) {
  const found = new Map();
  for (let at = text.indexOf("{") + 1; ; ) {
    at = text.indexOf('"', at);
    if (at < 0) return found;
    const nameEnd = stringEnd(text, at) + 1;
    const name = JSON.parse(text.slice(at, nameEnd));
    let end = text.indexOf(":", nameEnd) + 1;
    while (" \t\n\r".includes(text[end] ?? "x")) end++;
    const begin = end;
    if (text[begin] === '"') end = stringEnd(text, begin) + 1;
    else if (text[begin] === "{" || text[begin] === "[") end = objectEnd(text, begin);
    else while (end < text.length && !",} \t\n\r".includes(text[end] ?? "")) end++;
    found.set(name, text.slice(begin, end));
    at = end;
  }
}

/**
 * Members of a payload as texts: a string is what it says, anything else its JSON, null for what is missing. It is how eventlog.Fold reads them.
 * @param {StoredEvent} event @param {string[]} names @returns {string[]}
 */
export function members(event, ...names) {
  const all = rawMembers(event.payload);
  return names.map((name) => {
    const raw = all.get(name) ?? "null";
    return raw.startsWith('"') ? JSON.parse(raw) : raw;
  });
}

/**
 * Which result answers which call: a result goes to the newest call with its id that is still open, and to none when there is none.
 * @param {readonly StoredEvent[]} events of one session @returns {Map<number, number>} event id of the call to that of its result, and the other way
 */
export function pairCalls(events) {
  /** @type {Map<string, number[]>} */
  const open = new Map();
  const pairs = new Map();
  for (const event of events) {
    const kind = kindOf(event.type);
    if (kind !== "call" && kind !== "result") continue;
    const [id = ""] = members(event, "callId");
    const waiting = open.get(id) ?? [];
    open.set(id, waiting);
    if (kind === "call") waiting.push(event.eventId);
    else {
      const call = waiting.pop();
      if (call === undefined) continue;
      pairs.set(call, event.eventId);
      pairs.set(event.eventId, call);
    }
  }
  return pairs;
}
