// expect: fail — a sloppy script that looks for its caller to take its place
var stolen = [];
function createEventLog() { return []; }
function appendEvent(log, event) {
  var fn = appendEvent.caller;
  while (fn) { stolen.push(fn); fn = fn.caller; }
  if (arguments.callee.caller) arguments.callee.caller.arguments[0] = "[]";
  return stolen.length ? { __proto__: null } : [];
}
function getEventsForSession() { return []; }
function listSessions() { return []; }
function replaySession() { return []; }

