// solution: a persistent vector, a trie with four branches per node, whose versions share all but one path — mastery: tamper-proof, hostile-names, scale
const BITS = 2;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

export function createEventLog() {
  return { size: 0, height: 0, root: [] };
}

export function appendEvent({ size, height, root }, event) {
  const leaf = { eventId: size + 1, ...structuredClone(event) };
  // A full trie gets a new root, one level higher.
  if (size === WIDTH ** (height + 1))
    return { size: size + 1, height: height + 1, root: insert([root], height + 1, size, leaf) };
  return { size: size + 1, height, root: insert(root, height, size, leaf) };
}

function insert(node = [], level, at, leaf) {
  const branch = (at >> (level * BITS)) & MASK;
  const copy = node.slice();
  copy[branch] = level === 0 ? leaf : insert(node[branch], level - 1, at, leaf);
  return copy;
}

function at({ height, root }, position) {
  let node = root;
  for (let level = height; level >= 0; level -= 1) node = node[(position >> (level * BITS)) & MASK];
  return node;
}

function toArray(log) {
  return Array.from({ length: log.size }, (_, position) => at(log, position));
}

export function getEventsForSession(log, sessionId) {
  return toArray(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    const { callId: toolCallId, content, name, arguments: text } = payload;
    if (type === "user_message") messages.push({ role: "user", content });
    if (type === "assistant_message") messages.push({ role: "assistant", content });
    if (type === "tool_call")
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId, name, arguments: text }] });
    if (type === "tool_result") messages.push({ role: "tool", toolCallId, content });
  }
  return messages;
}
