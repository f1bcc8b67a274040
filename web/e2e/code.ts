// The submissions that the browser tests run: the exercise's own files, and a few that no folder holds.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { web } from "./browser.ts";

const exercise = resolve(web, "../exercises/event-log");
const read = (name: string): string => readFileSync(resolve(exercise, name), "utf8");

export const solution = read("solution.js");
export const starter = read("starter.js");
export const mutant = (name: string): string => read(`mutants/${name}.js`);

/** The solution with the body of one function replaced. */
export function solutionWith(fn: string, body: string): string {
  const replaced = solution.replace(new RegExp(`(export function ${fn}\\([^)]*\\) \\{)`), `$1\n  ${body}`);
  if (replaced === solution) throw new Error(`the solution has no function ${fn}`);
  return replaced;
}

/** A correct solution as a person would type it: short, without indentation, which the editor makes by itself. */
export const typed = [
  "export const createEventLog = () => [];",
  "export const appendEvent = (log, event) => [...log, { eventId: log.length + 1, ...structuredClone(event) }];",
  "export const getEventsForSession = (log, id) => structuredClone(log.filter((e) => e.sessionId === id));",
  "export const listSessions = (log) => [...new Set(log.map((e) => e.sessionId))];",
  "const fold = ({ type, payload: p }) =>",
  'type === "user_message" ? [{ role: "user", content: p.content }]',
  ': type === "assistant_message" ? [{ role: "assistant", content: p.content }]',
  ': type === "tool_call" ? [{ role: "assistant", content: null, toolCalls: [{ toolCallId: p.callId, name: p.name, arguments: p.arguments }] }]',
  ': type === "tool_result" ? [{ role: "tool", toolCallId: p.callId, content: p.content }]',
  ": [];",
  "export const replaySession = (log, id) => getEventsForSession(log, id).flatMap(fold);",
];
