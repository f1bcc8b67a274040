// expect: error — a function that is a getter which never comes back
Object.defineProperty(globalThis, "listSessions", { get() { for (;;); } });

module.exports = { createEventLog: () => [] };
