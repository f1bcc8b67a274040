// An event log: you only ever add to its end.
//
// You choose what a log is. An array will do, and so will anything else you can make these five functions answer
// from: nobody but them looks inside.
//
// An event comes in as  { sessionId, type, payload }.
// sessionId and type are strings that are never empty; payload is an object of plain JSON values.
// All five functions return their answer directly, never a promise.
// They keep nothing outside the log, and the same calls always give the same answers.

/**
 * Returns an empty log.
 *
 * - Two logs made by two calls have nothing to do with each other.
 */
export function createEventLog() {
  return [];
}

/**
 * Returns a NEW log: everything in `log`, then `event` at the end.
 *
 * - `log` stays as it was. It can be read, and appended to, again and again, and it always answers the same.
 *   Two different logs can grow from the same one.
 * - The event gets an `eventId`: an integer, 1 or more, larger than every id already in the log, whichever session
 *   those belong to. Gaps are fine.
 * - Earlier events keep their ids, and everything else.
 * - `sessionId`, `type` and `payload` are kept exactly as given, also when the type is one you do not know, the
 *   payload is empty, a value in it is "", 0, false or null, or the event equals the one before it.
 * - `event` belongs to the caller: do not change it.
 *
 * Mastery:
 * - The caller may change `event` after this call. The log must not notice. (Do not freeze it either.)
 * - Keeping the log after every append must not cost a whole copy of the log each time.
 */
export function appendEvent(log, event) {
  // TODO: give the event its id, and return a log that holds it, without touching `log`.
  return log;
}

/**
 * Returns an array of one session's events, in the order in which they were appended.
 *
 * - Each is { eventId, sessionId, type, payload }; more keys are allowed.
 * - A session that the log does not know has no events: [].
 * - Session ids are equal only when they are exactly equal: "a", "A", "a " and "ab" are four sessions,
 *   "1" and "01" are two, and so are the two ways of writing "é".
 *
 * Mastery:
 * - The caller may change what you return, however deep. The log must not notice.
 * - "__proto__", "constructor" and the like are session ids, call ids and payload keys like any other.
 */
export function getEventsForSession(log, sessionId) {
  // TODO: pick the events of this session.
  return [];
}

/**
 * Returns an array of session ids, each once, in the order of their first events.
 *
 * - Every event counts, whatever its type.
 * - Ids that look like numbers get no special place: "10", then "9", stay in that order.
 */
export function listSessions(log) {
  // TODO: collect each session id when you first meet it.
  return [];
}

/**
 * Returns an array of messages: what a language model would be shown of this session.
 *
 * Take the session's events in order. Each becomes one message, with exactly these keys, or none:
 *
 *   user_message       { content }                  ->  { role: "user", content }
 *   assistant_message  { content }                  ->  { role: "assistant", content }
 *   tool_call          { callId, name, arguments }  ->  { role: "assistant", content: null,
 *                                                         toolCalls: [{ toolCallId: callId, name, arguments }] }
 *   tool_result        { callId, content }          ->  { role: "tool", toolCallId: callId, content }
 *   any other type, also "User_Message"             ->  no message
 *
 * - Values go over exactly as they are, "" too. `arguments` is a string of JSON, and stays that string.
 * - Every event is folded by itself: calls in a row are not merged, a result needs no call before it, and a call id
 *   may come twice.
 * - A session that the log does not know has no messages: [].
 */
export function replaySession(log, sessionId) {
  // TODO: turn each event of this session into its message.
  return [];
}
