// What the page shows is drawn here, from values alone. Texts from the log are only ever text, never markup.

export const byId = (id) => document.getElementById(id);

export function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

// A payload is shown as its text: parsing it would change numbers that JavaScript cannot hold.
export function eventRow(event, hidden) {
  const row = make(
    "li",
    "event",
    make("span", "id", String(event.eventId)),
    make("span", "type", event.type),
    make("code", "payload", event.payload),
  );
  row.hidden = hidden;
  return row;
}

// The fold, one event at a time: eventlog.Fold says what it is.
export function messageRow(event) {
  let payload;
  try {
    payload = JSON.parse(event.payload);
  } catch {
    return null;
  }
  const own = (name) => (Object.hasOwn(payload, name) ? payload[name] : null);
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const rows = {
    user_message: () => ["user", "You", text(own("content"))],
    assistant_message: () => ["assistant", "Agent", text(own("content"))],
    tool_call: () => ["call", "Agent calls", `${text(own("name"))}(${text(own("arguments"))})`],
    tool_result: () => ["result", "Tool answers", text(own("content"))],
  };
  if (!Object.hasOwn(rows, event.type)) return null;
  const [kind, who, said] = rows[event.type]();
  return make("li", `message ${kind}`, make("span", "who", who), make("p", "said", said));
}

// An event of the service, its payload as the text that it is. In an encoded string every quotation mark has a backslash before it, so the
// first "payload": is the member's name; createdAt comes last.
export function parseEvent(text) {
  const payload = text.slice(text.indexOf('"payload":') + '"payload":'.length, text.lastIndexOf(',"createdAt":'));
  return { ...JSON.parse(text), payload };
}

// The events of a page of them.
export function parseEvents(text) {
  const found = [];
  for (let at = text.indexOf("[") + 1; text[at] === "{"; ) {
    const end = objectEnd(text, at);
    found.push(parseEvent(text.slice(at, end)));
    at = end + 1;
  }
  return found;
}

function objectEnd(text, at) {
  let depth = 0;
  let quoted = false;
  for (; at < text.length; at++) {
    const c = text[at];
    if (quoted) {
      if (c === "\\") at++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) return at + 1;
  }
  return at;
}
