// expect: pass — looks for files, the network, processes and threads, and finds none
const world = ["fetch", "require", "process", "Worker", "XMLHttpRequest", "WebSocket", "Deno", "Bun", "std", "os", "bjson", "scriptArgs", "postMessage", "importScripts", "setTimeout", "__dirname", "WebAssembly", "print", "navigator", "load"];
for (const name of world) {
  if (typeof globalThis[name] !== "undefined") throw new Error("there is " + name);
}
for (const name of ["std", "os", "fs", "node:fs", "./harness.js", "/etc/passwd", "qjs:std", "qjs:os", "data:text/javascript,1"]) {
  import(name).then(() => { globalThis.reached = name; }, () => {});
}
try {
  new Function("return import('std')")().catch(() => {});
} catch {}

export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  import("std").catch(() => {});
  if (globalThis.reached) return log;
  return [...log, { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_call") {
      const { callId, name, arguments: json } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] });
    } else if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  }
  return messages;
}
