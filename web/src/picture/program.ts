// What a program says its log values hold. It follows from the calls alone, never from an answer; it says in the page's
// language what the grader's own model says, and only draws: the verdict is the grader's.

import type { Json, Step } from "../protocol.ts";
import { field } from "./json.ts";

export type AppendedEvent = NonNullable<Step["event"]>;

/** The appendEvent steps whose events the log value holds, oldest first. */
export function holds(steps: readonly Step[], log: number): number[] {
  const chain: number[] = [];
  for (let at = log; steps[at]?.fn === "appendEvent"; at = steps[at]?.log ?? -1) chain.push(at);
  return chain.reverse();
}

/** The steps that make a log value. */
export function makesLog(step: Step | undefined): boolean {
  return step?.fn === "createEventLog" || step?.fn === "appendEvent";
}

/** Whether a call answers a question about a log value. */
export function asks(step: Step | undefined): boolean {
  return step?.fn === "getEventsForSession" || step?.fn === "replaySession" || step?.fn === "listSessions";
}

/** The log's sessions with the step of their first event, in order. */
export function firstEvents(steps: readonly Step[], log: number): Map<string, number> {
  const first = new Map<string, number>();
  for (const at of holds(steps, log)) {
    const session = steps[at]?.event?.sessionId ?? "";
    if (!first.has(session)) first.set(session, at);
  }
  return first;
}

/** The event as the functions hand it out, but for its id. */
export function eventJson(event: AppendedEvent): Json {
  return { sessionId: event.sessionId, type: event.type, payload: event.payload };
}

/** The message that an event makes, or undefined for a type that makes none. */
export function messageOf(event: AppendedEvent): Json | undefined {
  const part = (key: string): Json => field(event.payload, key) ?? null;
  switch (event.type) {
    case "user_message":
      return { role: "user", content: part("content") };
    case "assistant_message":
      return { role: "assistant", content: part("content") };
    case "tool_call": {
      const call = { toolCallId: part("callId"), name: part("name"), arguments: part("arguments") };
      return { role: "assistant", content: null, toolCalls: [call] };
    }
    case "tool_result":
      return { role: "tool", toolCallId: part("callId"), content: part("content") };
    default:
      return undefined;
  }
}

/** The last step that the learner's code came to: a call without an answer ends the program. */
export function lastReached(steps: readonly Step[]): number {
  const stopped = steps.findIndex((s) => s.outcome.wrong === "no answer");
  return stopped >= 0 ? stopped : steps.length - 1;
}
